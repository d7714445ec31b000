"""An independent oracle for blunders, without agents, solvers or reviews.

Tic-tac-toe by trying every line on a string of nine letters; Nim by Bouton's theorem on a list of
numbers; Quixo by the plainest reason there is: a move after which the other side makes five at
once, where another move would not have let it.
"""

from functools import cache

from engine import load_game

ROWS = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3"]
COLUMNS = ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3"]
DIAGONALS = ["a1 b2 c3", "a3 b2 c1"]
CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
LINES = [[CELLS.index(cell) for cell in line.split()] for line in ROWS + COLUMNS + DIAGONALS]


def known_blunders(spec, moves):
    """The plies, from 1, whose moves gave away a result."""
    game = spec.partition(":")[0]
    throws = {"tictactoe": tictactoe_blunders, "nim": nim_blunders, "quixo": quixo_blunders}[game]
    return throws(spec, moves.split())


# --- tic-tac-toe


@cache
def worth(board, mover):
    """The value for the side to move, 1, 0 or -1, by exhaustive search."""
    other = "o" if mover == "x" else "x"
    if any(all(board[at] == other for at in line) for line in LINES):
        return -1
    after = [board[:at] + mover + board[at + 1 :] for at in range(9) if board[at] == "."]
    return max((-worth(each, other) for each in after), default=0)


def tictactoe_blunders(spec, moves):
    board, found = "." * 9, []
    for ply, cell in enumerate(moves, start=1):
        mover, other = ("x", "o") if ply % 2 else ("o", "x")
        before = worth(board, mover)
        at = CELLS.index(cell)
        board = board[:at] + mover + board[at + 1 :]
        if -worth(board, other) < before:
            found.append(ply)
    return found


# --- Nim


def is_won(heaps, last, most):
    """Whether the side to move wins by Bouton 1901, with his exception for misère play."""
    total, large = 0, 0
    for count in heaps:
        left = count if most is None else count % (most + 1)
        total ^= left
        large += left > 1
    return bool(total) != (last == "loses" and large == 0)


def nim_blunders(spec, moves):
    rules = load_game(spec).start.rules
    heaps, found = list(load_game(spec).start.heaps), []
    for ply, move in enumerate(moves, start=1):
        before = is_won(heaps, rules.last, rules.max_take)
        heaps["abcdefgh".index(move[0])] -= int(move[1:])
        if before and is_won(heaps, rules.last, rules.max_take):
            found.append(ply)
    return found


# --- Quixo


def can_make_five(state):
    """Whether the side to move wins with the next push."""
    ends = (state.play(move).outcome() for move in state.legal_moves())
    return any(end is not None and end.winner is state.to_move for end in ends)


def lets_it_in(state, move):
    """Whether the other side wins at once after this push, or has won by it."""
    after = state.play(move)
    end = after.outcome()
    return can_make_five(after) if end is None else end.winner is after.to_move


def quixo_blunders(spec, moves):
    game = load_game(spec)
    state, found = game.start, []
    for ply, text in enumerate(moves, start=1):
        move = game.parse_move(text)
        if lets_it_in(state, move) and not all(lets_it_in(state, m) for m in state.legal_moves()):
            found.append(ply)
        state = state.play(move)
    return found
