"""An agent as one Python file: `choose(turn)`, standard library only, which plays as it does."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from agents.entry import Entry, Technique
from agents.errors import UnsuitableAgentError
from agents.roster import agent_title, load_agent, player_spec, read_agent
from agents.tabular.tables import Tables, tabulate, why_too_many
from agents.training.trainer import BRAIN
from engine.core import Game
from engine.square import square

MAX_STATES = 50_000  # of games whose every position is written down
MAX_DENOMINATOR = 1_000_000  # of chances, which are written as whole weights
TABULATED = (
    *(Technique.RULES, Technique.LEARNING, Technique.NETWORKS),
    *(Technique.EVOLUTION, Technique.PERFECT),
)

HEAD = '''\
"""{title} on {game}: one file that plays as it does, on plain Python.

{about}

Written by Zermelo from the spec {spec!r}. `chances` says how likely each move is,
`choose` draws one: try `zermelo bot play ./this_file.py --against random`.
"""

PLAYS = [{game!r}]

'''
TAIL = '''

def choose(turn):
    """A move for the position in `turn.state`, drawn by its chances."""
    odds = chances(turn.state, turn.legal{earlier})
    return turn.rng.choices(list(odds), list(odds.values()))[0]
'''
SKILL = '''

own_chances = chances


def chances(state, legal, *earlier):
    """As above, but with a chance of 1 - {skill} any legal move instead."""
    own = own_chances(state, legal, *earlier)
    return {{move: {skill} * own.get(move, 0) + (1 - {skill}) / len(legal) for move in legal}}
'''
WHOLE = '''

def chances(state, legal):
    """Of each move, as the table says; a position that no play reaches is left to chance."""
    odds = TABLE.get(state) or {move: 1 for move in legal}
    return {move: weight / sum(odds.values()) for move, weight in odds.items()}
'''
FOLDED = '''

def views(state):
    """The board turned and mirrored: each view with the cell that every cell of it came from."""
    board, mover = state.split()
    rows = board.split("/")
    size = len(rows)
    cells = [
        [(rows[row][column], f"{"abcde"[column]}{size - row}") for column in range(size)]
        for row in range(size)
    ]
    for _ in range(2):
        for _ in range(4):
            cells = [list(row) for row in zip(*cells[::-1])]
            text = "/".join("".join(mark for mark, _ in row) for row in cells) + " " + mover
            came_from = {
                f"{"abcde"[column]}{size - row}": cells[row][column][1]
                for row in range(size)
                for column in range(size)
            }
            yield text, came_from
        cells = [row[::-1] for row in cells]


def chances(state, legal):
    """Of each move: the table has one view of every position and of what is played there."""
    text, came_from = min(views(state), key=lambda view: view[0])
    odds = TABLE.get(text) or {move: 1 for move in legal}
    total = sum(odds.values())
    found = dict.fromkeys(legal, 0)
    for move, weight in odds.items():
        cells = [came_from.get(cell, cell) for cell in move.split("-")]
        found["-".join(cells)] += weight / total
    return found
'''.replace('f"{"abcde"[column]}', "f\"{'abcde'[column]}")
READER = '''

def _read(lines):
    """`position = move weight, move weight`; a move that stands alone is always played."""
    table = {}
    for line in lines.splitlines():
        state, _, odds = line.partition(" = ")
        moves = (each.split() for each in odds.split(", "))
        table[state] = {move: int(weight[0]) if weight else 1 for move, *weight in moves}
    return table


TABLE = _read(LINES)
'''


def export_source(spec: str, game: Game[Any, Any]) -> str:
    """The source of a Python file that plays as the agent does.

    Raises UnsuitableAgentError where it cannot be written down: an agent that searches, or a table
    of a game with too many positions.
    """
    entry, options = read_agent(player_spec(spec, game), game)
    skill = options.number("skill")
    head = HEAD.format(
        title=agent_title(spec, game.spec), game=game.spec, spec=spec, about=_about(entry, options)
    )
    body = None if entry.source is None else entry.source(game, options)
    if body is not None:
        own = SKILL.format(skill=skill) if skill < 1 else ""
        earlier = ", earlier(turn)" if "earlier=()" in body else ""
        return head + body.lstrip() + own + TAIL.format(earlier=earlier)
    if (why := _why_no_table(entry, game)) is not None:
        raise UnsuitableAgentError(
            f"{entry.key} cannot be written as a file for {game.spec}: {why}"
        )
    return head + _table_source(spec, game) + TAIL.format(earlier="")


def can_export(entry: Entry, game: Game[Any, Any]) -> bool:
    """Whether `export_source` can be asked; some agents refuse a game only when they are read."""
    return entry.source is not None or _why_no_table(entry, game) is None


def _about(entry: Entry, options: Mapping[str, Any]) -> str:
    brain = options.get(BRAIN.name) if entry.train is not None else None
    return entry.description + (f"\nIt plays with the brain {brain}." if brain else "")


def _why_no_table(entry: Entry, game: Game[Any, Any]) -> str | None:
    if entry.technique is Technique.PLAYERS:
        return "it is a file already"
    if entry.technique not in TABULATED:
        return "it searches anew in every position"
    return why_too_many(game, MAX_STATES, "write down")


def _table_source(spec: str, game: Game[Any, Any]) -> str:
    """Every position with the chances of its moves; one of those alike where the agent plays so."""
    tables = tabulate(game)
    chances = tables.policy(load_agent(spec, game))
    folded = _is_symmetric(tables, chances)
    lines = []
    for at, state in enumerate(tables.states):
        if tables.over[at] or (folded and game.canonical(state) != state):
            continue
        odds = {str(move): chances[at, number] for move, number in tables.move_number.items()}
        lines.append(f"{state} = {_odds_text(odds)}")
    text = "\n".join(sorted(lines))
    return f'LINES = """\\\n{text}"""\n' + READER + (FOLDED if folded else WHOLE)


def _is_symmetric(tables: Tables, chances: np.ndarray[Any, Any]) -> bool:
    """Whether the board is a square, and positions alike are played alike."""
    game = tables.game
    rows = str(game.start).partition(" ")[0].split("/")
    if len(game.symmetries) != len(square(len(rows)).turns) or len(rows) < 2:
        return False
    for symmetry in game.symmetries[1:]:
        states = [tables.number[symmetry.state(state)] for state in tables.states]
        moves = [tables.move_number[symmetry.move(move)] for move in tables.move_number]
        if not np.allclose(chances, chances[np.ix_(states, moves)], atol=1e-9):
            return False
    return True


def _odds_text(odds: Mapping[str, float]) -> str:
    """`a1 3, c2 1`: the chances as whole weights; a certain move stands alone."""
    shares = {
        move: Fraction(chance).limit_denominator(MAX_DENOMINATOR)
        for move, chance in odds.items()
        if chance > 0
    }
    if len(shares) == 1:
        return next(iter(shares))
    whole = lcm(*(share.denominator for share in shares.values()))
    if whole > MAX_DENOMINATOR:  # no common one: to six digits
        return ", ".join(f"{move} {round(share * 10**6)}" for move, share in shares.items())
    return ", ".join(f"{move} {share * whole}" for move, share in shares.items())
