"""What a table learner knows, as rows to read: position, move, number, times tried."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from agents.errors import UnsuitableAgentError
from agents.formats import csv_text
from agents.learning.common import TableAgent
from agents.learning.qsparse import SparseQ
from agents.roster import load_agent
from agents.tabular.tables import tabulate
from engine.core import Game

HEADER = ("position", "move", "number", "tried", "plays")


class Known(NamedTuple):
    """One move of one position that it has met."""

    position: str
    move: str
    number: float
    tried: int
    plays: bool  # whether it may choose this move


# Learners whose brain is a table of numbers.
TABLE_LEARNERS = ("qlearning", "reward-table", "state-value", "menace")


def knowledge_csv(spec: str, game: Game[Any, Any], most: int | None = None) -> str:
    """All that an agent knows, as CSV; raises UnsuitableAgentError without a table.

    The same where it has more than `most` rows.
    """
    agent = load_agent(spec, game).agent
    if not isinstance(agent, TableAgent):
        raise UnsuitableAgentError(f"{spec} plays by no table of positions and moves")
    rows = (
        (row.position, row.move, repr(row.number), row.tried, "yes" if row.plays else "no")
        for row in known_rows(agent)
    )
    found = list(islice(rows, None if most is None else most + 1))
    if most is not None and len(found) > most:
        why = f"it knows more than {most:,} moves: zermelo export --knowledge writes them all"
        raise UnsuitableAgentError(why)
    return csv_text(HEADER, found)


def known_rows(agent: TableAgent) -> Iterator[Known]:
    """Every move tried in training, by position; of a dictionary, the canonical positions."""
    for state in _states(agent):
        row = agent.row(state)
        for move, tried in row.tried.items():
            if tried:
                plays = row.chances[move] > 0
                yield Known(str(state), str(move), float(row.numbers[move]), tried, plays)


def _states(agent: TableAgent) -> Iterator[Any]:
    if isinstance(agent, SparseQ):
        for text in sorted({text for text, _ in agent.table.q}):
            yield agent.game.parse_state(text)
        return
    tables = tabulate(agent.game)
    yield from (state for at, state in enumerate(tables.states) if not tables.over[at])
