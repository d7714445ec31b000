"""The rule players as Python source for `agents.export`: `chances(state, legal)` of each."""

from __future__ import annotations

from typing import Any

from engine.core import Game
from engine.options import Values

RANDOM = '''
def chances(state, legal):
    """Every legal move alike."""
    return {move: 1 / len(legal) for move in legal}
'''
BY_HEAP = '''
def chances(state, legal):
    """First a heap that is not empty, then a count, each as likely as the next."""
    heaps = [move[0] for move in legal]
    return {move: 1 / len(set(heaps)) / heaps.count(move[0]) for move in legal}
'''
GREEDY_HEAP = '''
def chances(state, legal):
    """All that may be taken of the first heap that is not empty."""
    heap = legal[0][0]
    most = max(int(move[1:]) for move in legal if move[0] == heap)
    return {f"{heap}{most}": 1.0}
'''
NIM_SUM = '''
LEAVES_ZERO = {zero}
MAX_TAKE = {most}  # None: any number


def nim_sum_after(state, move):
    """The heaps left after a move, added in binary without carrying.

    With a limit on a turn only the remainders by one more than it count.
    """
    heaps = [int(heap) for heap in state.split()[0].split("-")]
    heaps["abcdefghij".index(move[0])] -= int(move[1:])
    total = 0
    for heap in heaps:
        total ^= heap if MAX_TAKE is None else heap % (MAX_TAKE + 1)
    return total


def chances(state, legal):
    """Any move that leaves the nim-sum it wants, else any move."""
    wanted = [move for move in legal if (nim_sum_after(state, move) == 0) == LEAVES_ZERO]
    chosen = wanted or legal
    return {{move: 1 / len(chosen) for move in chosen}}
'''
OPPORTUNIST = '''

def chances(state, legal):
    """Any move that wins at once, else any move."""
    chosen = [move for move in legal if wins(state, move)] or legal
    return {move: 1 / len(chosen) for move in chosen}
'''
WINS = {
    "nim": '''
LAST_WINS = {last_wins}


def wins(state, move):
    """Whether a move takes the last object, where that wins."""
    left = sum(int(heap) for heap in state.split()[0].split("-"))
    return LAST_WINS and int(move[1:]) == left
''',
    "tictactoe": '''
def wins(state, move):
    """Whether a mark here completes a line of three."""
    board, mover = state.split()
    rows = [list(row) for row in board.split("/")]
    rows[3 - int(move[1])]["abc".index(move[0])] = mover
    lines = rows + [list(column) for column in zip(*rows)]
    lines += [[rows[at][at] for at in range(3)], [rows[at][2 - at] for at in range(3)]]
    return any(line == [mover] * 3 for line in lines)
''',
    "quixo": '''
def wins(state, move):
    """Whether a push completes a line of the mover, and none of the opponent."""
    board, mover = state.split()
    rows = [list(row) for row in board.split("/")]
    size = len(rows)
    (row, column), (to_row, to_column) = (
        (size - int(cell[1]), "abcde".index(cell[0])) for cell in move.split("-")
    )
    down, across = (to_row > row) - (to_row < row), (to_column > column) - (to_column < column)
    while (row, column) != (to_row, to_column):
        rows[row][column] = rows[row + down][column + across]
        row, column = row + down, column + across
    rows[row][column] = mover
    lines = rows + [list(column) for column in zip(*rows)]
    lines.append([rows[at][at] for at in range(size)])
    lines.append([rows[at][size - 1 - at] for at in range(size)])
    other = "o" if mover == "x" else "x"
    return [mover] * size in lines and [other] * size not in lines
''',
}


def random_source(game: Game[Any, Any], options: Values) -> str:
    return BY_HEAP if options.text("by") == "heap" else RANDOM


def greedy_heap_source(game: Game[Any, Any], options: Values) -> str:
    return GREEDY_HEAP


def nim_sum_source(game: Game[Any, Any], options: Values) -> str:
    return NIM_SUM.format(zero=options.text("leave") == "zero", most=game.options["max_take"])


def opportunist_source(game: Game[Any, Any], options: Values) -> str | None:
    """None for a game of another package, whose rules are not known here."""
    rules = WINS.get(game.key)
    if rules is None:
        return None
    if game.key == "nim":
        rules = rules.format(last_wins=game.options["last"] == "wins")
    return rules + OPPORTUNIST
