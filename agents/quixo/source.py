"""The rules of Quixo as Python source for `agents.export`, for players that look ahead."""

from __future__ import annotations

from typing import Any

from engine.core import Game

RULES = '''
SIZE = {size}
START = {start!r}
CELLS = [f"{{column}}{{row}}" for row in range(1, SIZE + 1) for column in "abcde"[:SIZE]]
RIM = [at for at in range(SIZE * SIZE) if {{at // SIZE, at % SIZE}} & {{0, SIZE - 1}}]


def slide(source, end):
    """A push on masks: which cells stay, which slide by how much, and where the cube comes in."""
    step = SIZE if source % SIZE == end % SIZE else 1
    path = range(min(source, end), max(source, end) + 1, step)
    sliding = sum(1 << at for at in path if at != source)
    stay = (1 << SIZE * SIZE) - 1 ^ sliding ^ 1 << source
    return 1 << source, stay, sliding, (0, step) if end > source else (step, 0), 1 << end


def ends(at):
    """Where a cube from this cell may be pushed in: at the ends of its row and column."""
    row, column, last = at // SIZE, at % SIZE, SIZE - 1
    found = {{row * SIZE, row * SIZE + last, column, last * SIZE + column}}
    return sorted(found - {{at}})


MOVES = {{f"{{CELLS[at]}}-{{CELLS[end]}}": slide(at, end) for at in RIM for end in ends(at)}}
SPAN = range(SIZE)
LINES = [sum(1 << row * SIZE + column for column in SPAN) for row in SPAN]
LINES += [sum(1 << row * SIZE + column for row in SPAN) for column in SPAN]
LINES += [sum(1 << at * SIZE + at for at in SPAN)]
LINES += [sum(1 << at * SIZE + SIZE - 1 - at for at in SPAN)]


def read(state):
    """The masks of the side to move and of the other, and who that is; bit 0 is a1."""
    board, mover = state.split()
    marks = "".join(reversed(board.split("/")))
    x, o = (sum(1 << at for at, mark in enumerate(marks) if mark == who) for who in "xo")
    return (x, o, mover) if mover == "x" else (o, x, mover)


def pushed(own, other, move):
    """The masks after a push, for the side that moves then."""
    _, stay, sliding, (up, down), entry = MOVES[move]
    own = own & stay | (own & sliding) << up >> down | entry
    return other & stay | (other & sliding) << up >> down, own


def result(own, other):
    """1 where the side to move has won, -1 where it has lost, else 0.

    Who completes the opponent's line has lost, even with a line of their own.
    """
    if any(own & line == line for line in LINES):
        return 1
    return -1 if any(other & line == line for line in LINES) else 0


def earlier(turn):
    """The positions before this one: the third time one stands on the board is a draw."""
    own, other, mover = read(turn.start or START)
    found = []
    for move in turn.moves:
        found.append((own, other, mover))
        own, other = pushed(own, other, move)
        mover = "o" if mover == "x" else "x"
    return found
'''


def quixo_rules(game: Game[Any, Any]) -> str:
    """`read`, `MOVES`, `pushed`, `result` and `earlier` for a board of this size."""
    return RULES.format(size=game.start.table.size, start=str(game.start))
