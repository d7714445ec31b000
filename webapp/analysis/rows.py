"""Rows of an analysis: equal candidates in one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from agents import Analysis, Candidate, Measure
from agents.formats import NO_FIGURE, candidate_text, counted, portion
from engine.core import State

GLYPHS = {"win": "▲", "draw": "=", "loss": "▼", "open": "~"}
MAX_OTHERS_CHARS = 8  # of equal moves listed beside the first; more are counted in a note
ROUNDING_DIGITS = 9  # to which two figures are equal

# The headings of the bar's and the figure's column.
HEADINGS = {
    Measure.VALUE: ("", "value"),
    Measure.VISITS: ("visits", "value"),
    Measure.BEADS: ("", "beads"),
    Measure.CHANCE: ("", "chance"),
    Measure.FITNESS: ("", "fitness"),
    Measure.PAY: ("", "pay"),
}


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A group of moves that an agent rates equal."""

    move: str  # the chosen one, if it is in the group
    others: tuple[str, ...]
    note: str  # 42 look equal within 3 plies; empty where the others fit beside the move
    glyph: str  # ▲ win, = draw, ▼ loss, ~ not proven
    meaning: str  # win, draw, loss or open: the class and the glyph's name
    value: str  # win in 5, draw, 0.22, −0.12; or the technique's own measure
    fraction: float  # 0 to 1, length of the bar
    chance: str  # 31 %, for each move of the group
    chosen: bool


@dataclass(frozen=True, slots=True)
class Headings:
    """Column headings; a column without one is left out."""

    bar: str  # visits
    figure: str  # value
    chance: str  # played


def column_headings(analysis: Analysis[Any]) -> Headings:
    """The column headings; the chance column only for mixed strategies without a chance bar."""
    bar, figure = HEADINGS[analysis.measure]
    mixed = any(0 < candidate.chance < 1 for candidate in analysis.candidates)
    in_bar = analysis.measure is Measure.CHANCE
    return Headings(bar, figure, "played" if mixed and not in_bar else "")


def candidate_rows(analysis: Analysis[Any], state: State[Any]) -> tuple[CandidateRow, ...]:
    """A row for each group of equal candidates: the chosen move's first, then best first."""
    alike: dict[Hashable, list[Candidate[Any]]] = {}
    for candidate in analysis.candidates:
        alike.setdefault(_row_key(analysis, candidate), []).append(candidate)
    chosen = _row_key(analysis, analysis.chosen)
    first = [analysis.chosen, *(each for each in alike.pop(chosen) if each != analysis.chosen)]
    return tuple(_row(analysis, state, group) for group in (first, *alike.values()))


def proven_result(candidate: Candidate[Any]) -> str:
    """`win`, `draw` or `loss` where it is proven, else `open`."""
    if not candidate.proven or candidate.value is None:
        return "open"
    return "win" if candidate.value > 0 else "loss" if candidate.value < 0 else "draw"


def _row_key(analysis: Analysis[Any], candidate: Candidate[Any]) -> Hashable:
    """Everything a row shows except the move: candidates with equal keys share a row."""
    extent = analysis.extent(candidate)
    figures = (candidate.value, extent, candidate.figure, candidate.chance)
    rounded = tuple(
        None if figure is None else round(figure, ROUNDING_DIGITS) for figure in figures
    )
    return (*rounded, candidate.proven, candidate.plies)


def _row(analysis: Analysis[Any], state: State[Any], group: list[Candidate[Any]]) -> CandidateRow:
    candidate = group[0]
    meaning = proven_result(candidate)
    extent = analysis.extent(candidate)
    others = tuple(str(other.move) for other in group[1:])
    return CandidateRow(
        move=str(candidate.move),
        others=others,
        note=_note(analysis, state, group) if len(" ".join(others)) > MAX_OTHERS_CHARS else "",
        glyph="" if candidate.value is None else GLYPHS[meaning],
        meaning=meaning,
        value=candidate_text(analysis, candidate),
        fraction=0.0 if extent is None else round(extent, 3),
        chance=portion(candidate.chance) if candidate.chance else NO_FIGURE,
        chosen=candidate.move == analysis.choice,
    )


def _note(analysis: Analysis[Any], state: State[Any], group: list[Candidate[Any]]) -> str:
    moves = f"{len(group)} moves"
    if len({state.play(candidate.move) for candidate in group}) == 1:
        return f"{moves} to the same board"
    depth = analysis.effort.depth
    if analysis.measure is Measure.VALUE and depth and not group[0].proven:
        return f"{moves} look equal within {counted(depth, 'ply', 'plies')}"
    return f"{moves} alike"
