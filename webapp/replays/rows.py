"""The moves as an agent sees them, one row for those it cannot tell apart, its own choice first."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

from agents import Analysis, Candidate, Measure
from agents.exhibits import Exhibit, Matchbox
from agents.formats import NOTHING, counted, portion, told
from engine.core import State
from webapp.boards.scene import BeadCount
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import ExhibitView, Paths, Settings, Stand
from webapp.exhibits.lines import ExpectedLine, played_out
from webapp.exhibits.matchbox import tallies_of
from webapp.replays.analysts import with_settings
from webapp.replays.ply_view import Viewing
from webapp.replays.query import fields_of, place_fields, with_query
from webapp.replays.views import CandidateRow, Headings

GLYPHS = {"win": "▲", "draw": "=", "loss": "▼", "open": "~"}
BESIDE = 8  # letters of other moves that find room beside the first
PLACES = 9  # digits to which two figures are the same

# The bar's column and the figure's, by what a technique goes by.
HEADINGS = {
    Measure.VALUE: ("", "value"),
    Measure.VISITS: ("visits", "value"),
    Measure.BEADS: ("", "beads"),
    Measure.CHANCE: ("", "chance"),
    Measure.FITNESS: ("", "fitness"),
    Measure.PAY: ("", "pay"),
}


def headings_of(analysis: Analysis[Any]) -> Headings:
    """What stands above the columns; how often a move is played only where that says something."""
    bar, figure = HEADINGS[analysis.measure]
    drawn = any(0 < candidate.chance < 1 for candidate in analysis.candidates)
    said = analysis.measure is Measure.CHANCE  # by the bar itself
    return Headings(bar, figure, "played" if drawn and not said else "")


def rows_of(analysis: Analysis[Any], state: State[Any]) -> tuple[CandidateRow, ...]:
    """Every move once; the row of the move it plays comes first, the others best first."""
    alike: dict[Hashable, list[Candidate[Any]]] = {}
    for candidate in analysis.candidates:
        alike.setdefault(_looks(analysis, candidate), []).append(candidate)
    chosen = _looks(analysis, analysis.chosen)
    first = [analysis.chosen, *(each for each in alike.pop(chosen) if each != analysis.chosen)]
    return tuple(_row(analysis, state, group) for group in (first, *alike.values()))


def meaning_of(candidate: Candidate[Any]) -> str:
    """Win, draw or loss where that is certain, else open."""
    if not candidate.proven or candidate.value is None:
        return "open"
    return "win" if candidate.value > 0 else "loss" if candidate.value < 0 else "draw"


def _looks(analysis: Analysis[Any], candidate: Candidate[Any]) -> Hashable:
    """All that its row says of a move but its name."""
    extent = analysis.extent(candidate)
    figures = (candidate.value, extent, candidate.figure, candidate.chance)
    rounded = tuple(None if figure is None else round(figure, PLACES) for figure in figures)
    return (*rounded, candidate.proven, candidate.plies)


def _row(analysis: Analysis[Any], state: State[Any], group: list[Candidate[Any]]) -> CandidateRow:
    candidate = group[0]
    meaning = meaning_of(candidate)
    extent = analysis.extent(candidate)
    others = tuple(str(other.move) for other in group[1:])
    return CandidateRow(
        move=str(candidate.move),
        others=others,
        note=_note(analysis, state, group) if len(" ".join(others)) > BESIDE else "",
        glyph="" if candidate.value is None else GLYPHS[meaning],
        meaning=meaning,
        value=told(analysis, candidate),
        fraction=0.0 if extent is None else round(extent, 3),
        chance=portion(candidate.chance) if candidate.chance else NOTHING,
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


def exhibit_of(viewing: Viewing, agent: str, analysis: Analysis[Any]) -> ExhibitView | None:
    """What the template is given, with the ways from there as addresses of this match."""
    if analysis.exhibit is None:
        return None
    stand = replace(stand_of(viewing, agent), choice=str(analysis.choice))
    return exhibit_view(analysis.exhibit, stand)


def tallies_on_board(exhibit: Exhibit | None) -> Mapping[str, BeadCount]:
    """What of it the board itself can show: the beads of each move."""
    return tallies_of(exhibit) if isinstance(exhibit, Matchbox) else {}


def line_of(viewing: Viewing, agent: str, analysis: Analysis[Any]) -> ExpectedLine | None:
    """What it expects after the move it plays, to be played out on the board."""
    return played_out(analysis.chosen.line, stand_of(viewing, agent))


def stand_of(viewing: Viewing, agent: str) -> Stand:
    """Where this agent's exhibits stand in the match."""
    look, game = viewing.look, viewing.match.game

    def spec_of(settings: Settings) -> str:
        return with_settings(agent, game, settings)

    def look_at(settings: Settings) -> str:
        other = replace(look, agent=spec_of(settings), settings=(), open=())
        return with_query(viewing.path, other)

    def turn_to(part: str | None, step: int | None) -> str:
        return with_query(viewing.path, replace(look, part=part, step=step, open=()))

    def open_at(path: tuple[int, ...]) -> str:
        return with_query(viewing.path, replace(look, open=path))

    unopened = replace(look, open=())
    return Stand(
        game=game,
        state=viewing.match.states[viewing.ply],
        part=look.part,
        step=look.step,
        turn_to=turn_to,
        look_at=look_at,
        spec_of=spec_of,
        paths=Paths(
            look.open,
            open_at,
            viewing.path.partition("?")[0],
            (*place_fields(viewing.path), *fields_of(unopened)),
        ),
    )
