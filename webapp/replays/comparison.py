"""Two analysts side by side: what each says of the same position in the same time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agents import Analysis
from agents.roster import agent_title
from engine.core import State
from webapp.replays.analysts import analyst_of, asked_for
from webapp.replays.panel import told_of
from webapp.replays.ply_view import Viewing
from webapp.replays.query import with_query
from webapp.replays.requests import question_at
from webapp.replays.rows import headings_of, rows_of
from webapp.replays.views import CandidateRow, ComparedRow, Comparison
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank


def comparison_for(viewing: Viewing) -> Comparison | None:
    """What both say, once both have thought; None where nobody was to be compared with."""
    look, match = viewing.look, viewing.match
    state = match.states[viewing.ply]
    if look.versus is None or not look.values or state.outcome() is not None:
        return None
    if not viewing.is_advised:
        return None
    specs = (analyst_of(viewing), asked_for(look.versus, match.game, look.settings))
    first, second = (agent_title(spec, match.game.spec) for spec in specs)
    waiting = Comparison(
        names=(first, second),
        close=with_query(viewing.path, replace(look, versus=None)),
        retry=with_query(viewing.path, look),
    )
    asked = [
        service(WorkerClient).ask(question_at(viewing.record, viewing.ply, spec), Rank.PANEL)
        for spec in specs
    ]
    answers = [service(WorkerClient).wait_for(thought) for thought in asked]
    analyses = [answer.analysis for answer in answers if answer is not None]
    if len(analyses) < len(specs):
        return replace(waiting, pending=True)
    one, other = analyses
    if one is None or other is None:
        return replace(waiting, failed="One of them could not work it out this time.")
    return replace(
        waiting,
        sentence=_sentence(waiting.names, one, other),
        headings=(headings_of(one).figure, headings_of(other).figure),
        told=tuple(
            f"{name}: {told}"
            for name, each in zip(waiting.names, (one, other), strict=True)
            if (told := told_of(each))
        ),
        rows=compared(state, one, other),
    )


def compared(
    state: State[Any], one: Analysis[Any], other: Analysis[Any]
) -> tuple[ComparedRow, ...]:
    """A row for moves of which both say the same, in the order of the first."""
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
    return {move: row for row in rows_of(analysis, state) for move in (row.move, *row.others)}


def _sentence(names: tuple[str, str], one: Analysis[Any], other: Analysis[Any]) -> str:
    if one.choice == other.choice:
        return f"Both play {one.choice}."
    return f"{names[0]} plays {one.choice}, {names[1]} {other.choice}."
