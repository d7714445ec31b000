"""Rows of the analysis panel, equal candidates in one, and exhibits with links into the match."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from agents import Analysis, Candidate, Measure
from agents.formats import NO_FIGURE, candidate_text, counted, portion
from engine.core import State
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView, Paths, Settings
from webapp.exhibits.lines import ExpectedLine, expected_line
from webapp.replays.analysts import with_settings
from webapp.replays.query import path_fields
from webapp.replays.view import MatchView
from webapp.replays.views import CandidateRow, Headings

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


def exhibit_of(viewing: MatchView, agent: str, analysis: Analysis[Any]) -> ExhibitView | None:
    """The view of the agent's exhibit with links into this match."""
    if analysis.exhibit is None:
        return None
    context = replace(exhibit_context(viewing, agent), choice=str(analysis.choice))
    return exhibit_view(analysis.exhibit, context)


def line_of(viewing: MatchView, agent: str, analysis: Analysis[Any]) -> ExpectedLine | None:
    """The line the agent expects after its move, with links that step through it."""
    return expected_line(analysis.chosen.line, exhibit_context(viewing, agent))


def exhibit_context(viewing: MatchView, agent: str) -> ExhibitContext:
    """The context of this agent's exhibits: position, selection, and links into the match."""
    query, game = viewing.query, viewing.match.game

    def spec_of(settings: Settings) -> str:
        return with_settings(agent, game, settings)

    def look_at(settings: Settings) -> str:
        return query.of_agent(spec_of(settings)).url(viewing.path)

    def turn_to(part: str | None, step: int | None) -> str:
        return replace(query, part=part, step=step, open=()).url(viewing.path)

    def open_at(path: tuple[int, ...]) -> str:
        return replace(query, open=path).url(viewing.path)

    unopened = replace(query, open=())
    return ExhibitContext(
        game=game,
        state=viewing.match.states[viewing.ply],
        part=query.part,
        step=query.step,
        turn_to=turn_to,
        look_at=look_at,
        spec_of=spec_of,
        paths=Paths(
            query.open,
            open_at,
            viewing.path.partition("?")[0],
            (*path_fields(viewing.path), *unopened.pairs()),
        ),
    )
