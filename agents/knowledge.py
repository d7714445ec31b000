"""What a table learner knows, as rows to read: position, move, number, times tried."""

from __future__ import annotations

from collections.abc import Iterator
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


def knowledge_csv(spec: str, game: Game[Any, Any]) -> str:
    """All that an agent knows, as CSV; raises UnsuitableAgentError if it has no table."""
    agent = load_agent(spec, game).agent
    if not isinstance(agent, TableAgent):
        raise UnsuitableAgentError(f"{spec} plays by no table of positions and moves")
    rows = (
        (row.position, row.move, repr(row.number), row.tried, "yes" if row.plays else "no")
        for row in known_rows(agent)
    )
    return csv_text(HEADER, rows)


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
