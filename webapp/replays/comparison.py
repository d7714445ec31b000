"""Two analysts compared on the same position, with the same time to think."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from agents import Analysis
from agents.roster import agent_title
from engine.core import State
from webapp.analysis.panel import ready_analyst
from webapp.analysis.summary import CandidateRow, candidate_rows, column_headings, effort_text
from webapp.replays.advice import chosen_analyst, question_at
from webapp.replays.view import MatchView
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A group of moves that both analysts rate equal."""

    moves: str
    said: tuple[CandidateRow, CandidateRow]
    chosen: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two analysts side by side on the same position."""

    names: tuple[str, str]
    close: str
    retry: str
    pending: bool = False
    failed: str | None = None
    sentence: str = ""
    headings: tuple[str, str] = ("", "")
    efforts: tuple[str, ...] = ()  # the effort of each
    rows: tuple[ComparedRow, ...] = ()


def comparison_for(viewing: MatchView, versus: str, client: WorkerClient) -> Comparison | None:
    """The comparison, pending until both have answered; None where agents do not advise."""
    query, match = viewing.query, viewing.match
    state = match.states[viewing.ply]
    if not query.values or state.outcome() is not None or not viewing.advice_allowed:
        return None
    specs = (chosen_analyst(viewing), ready_analyst(versus, match.game, query.settings))
    first, second = (agent_title(spec, match.game.spec) for spec in specs)
    waiting = Comparison(
        names=(first, second),
        close=replace(query, versus=None).url(viewing.path),
        retry=query.url(viewing.path),
    )
    asked = [
        client.ask(question_at(viewing.record, viewing.ply, spec), Rank.PANEL) for spec in specs
    ]
    answers = [client.wait_for(thought) for thought in asked]
    analyses = [answer.analysis for answer in answers if answer is not None]
    if len(analyses) < len(specs):
        return replace(waiting, pending=True)
    one, other = analyses
    if one is None or other is None:
        return replace(waiting, failed="One of them could not work it out this time.")
    return replace(
        waiting,
        sentence=_sentence(waiting.names, one, other),
        headings=(column_headings(one).figure, column_headings(other).figure),
        efforts=tuple(
            f"{name}: {effort}"
            for name, each in zip(waiting.names, (one, other), strict=True)
            if (effort := effort_text(each))
        ),
        rows=compared_rows(state, one, other),
    )


def compared_rows(
    state: State[Any], one: Analysis[Any], other: Analysis[Any]
) -> tuple[ComparedRow, ...]:
    """A row for each group of moves that both rate equal, in the order of the first analyst."""
    first, second = (_by_move(analysis, state) for analysis in (one, other))
    groups: dict[tuple[int, int], list[str]] = {}
    for move in first:
        if move in second:
            groups.setdefault((id(first[move]), id(second[move])), []).append(move)
    return tuple(
        ComparedRow(
            " ".join(moves),
            (first[moves[0]], second[moves[0]]),
            (str(one.choice) in moves, str(other.choice) in moves),
        )
        for moves in groups.values()
    )


def _by_move(analysis: Analysis[Any], state: State[Any]) -> dict[str, CandidateRow]:
    return {
        move: row for row in candidate_rows(analysis, state) for move in (row.move, *row.others)
    }


def _sentence(names: tuple[str, str], one: Analysis[Any], other: Analysis[Any]) -> str:
    if one.choice == other.choice:
        return f"Both play {one.choice}."
    return f"{names[0]} plays {one.choice}, {names[1]} {other.choice}."
