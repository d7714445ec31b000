"""A UGI engine with rules of its own, which plays at random: nothing of ours is imported."""

import random
import sys


class Nim:
    def __init__(self, options):
        self.heaps = [int(heap) for heap in options.get("heaps", "1-3-5-7-9").split("-")]
        self.most = int(options.get("max_take", 10**9))
        self.last_wins = options.get("last") == "wins"

    def moves(self):
        takes = ((at, n) for at, heap in enumerate(self.heaps) for n in range(1, heap + 1))
        return [f"{chr(97 + at)}{n}" for at, n in takes if n <= self.most]

    def play(self, move, mover):
        self.heaps[ord(move[0]) - 97] -= int(move[1:])

    def winner(self, mover):
        """After a move of the mover: 0, 1, "draw" or None."""
        if any(self.heaps):
            return None
        return mover if self.last_wins else 1 - mover


class Square:
    def __init__(self, size):
        self.size = size
        self.names = "abcde"[:size]
        self.cells = {f"{column}{row + 1}": None for row in range(size) for column in self.names}

    def lines(self):
        rows = [[f"{column}{row + 1}" for column in self.names] for row in range(self.size)]
        columns = [list(each) for each in zip(*rows, strict=True)]
        diagonal = [rows[at][at] for at in range(self.size)]
        other = [rows[at][-1 - at] for at in range(self.size)]
        return [*rows, *columns, diagonal, other]

    def full_lines(self):
        """The marks that have a line."""
        marks = [{self.cells[cell] for cell in line} for line in self.lines()]
        return {mark for line in marks if len(line) == 1 for mark in line if mark is not None}


class TicTacToe(Square):
    def __init__(self, options):
        super().__init__(3)

    def moves(self):
        return [cell for cell, mark in self.cells.items() if mark is None]

    def play(self, move, mover):
        self.cells[move] = mover

    def winner(self, mover):
        if self.full_lines():
            return mover
        return None if self.moves() else "draw"


class Quixo(Square):
    def __init__(self, options):
        super().__init__(int(options.get("size", 5)))
        self.mover = 0
        self.seen = []

    def moves(self):
        first, last, size = self.names[0], self.names[-1], str(self.size)
        found = []
        for cell, mark in self.cells.items():
            column, row = cell
            rim = column in (first, last) or row in ("1", size)
            if rim and mark in (None, self.mover):
                ends = {first + row, last + row, column + "1", column + size} - {cell}
                found += [f"{cell}-{end}" for end in sorted(ends)]
        return found

    def play(self, move, mover):
        source, entry = move.split("-")
        line = next(
            line for line in self.lines()[: 2 * self.size] if source in line and entry in line
        )
        marks = [self.cells[cell] for cell in line]
        del marks[line.index(source)]
        marks.insert(line.index(entry), mover)
        self.cells.update(zip(line, marks, strict=True))
        self.mover = 1 - mover
        self.seen.append((tuple(self.cells.items()), mover))

    def winner(self, mover):
        lines = self.full_lines()
        if lines:
            return 1 - mover if 1 - mover in lines else mover
        if self.seen.count(self.seen[-1]) == 3 or len(self.seen) == 200:
            return "draw"
        return None


GAMES = {"nim": Nim, "tictactoe": TicTacToe, "quixo": Quixo}


def replayed(spec, moves):
    """(game, who is to move, winner)."""
    key, _, options = spec.partition(":")
    game, winner = GAMES[key](dict(each.split("=") for each in options.split(",") if each)), None
    for ply, move in enumerate(moves):
        assert winner is None
        assert move in game.moves(), move
        game.play(move, ply % 2)
        winner = game.winner(ply % 2)
    return game, len(moves) % 2, winner


def say(*words):
    sys.stdout.write(f"{' '.join(map(str, words))}\n")
    sys.stdout.flush()


def main():
    spec, moves = "tictactoe", []
    for line in sys.stdin:
        head, *words = line.split()
        game, mover, winner = replayed(spec, moves)
        if head == "ugi":
            say("id name Stranger\noption name Game type string\noption name seed type spin")
            say("ugiok")
        elif head == "setoption" and words[1] == "Game":
            spec = words[3]
        elif head == "setoption":
            random.seed(int(words[3]))
        elif head == "isready":
            say("readyok")
        elif head == "uginewgame":
            moves = []
        elif head == "position":
            moves = words[2:]
        elif line.split() == ["query", "p1turn"]:
            say("response", str(mover == 0).lower())
        elif line.split() == ["query", "gameover"]:
            say("response", str(winner is not None).lower())
        elif line.split() == ["query", "result"]:
            say("response", {0: "p1win", 1: "p2win"}.get(winner, winner or "none"))
        elif head == "go":
            say("info depth 1 nodes 9 pv a b")
            say("bestmove", random.choice(game.moves()))
        elif head == "quit":
            return


if __name__ == "__main__":
    main()
