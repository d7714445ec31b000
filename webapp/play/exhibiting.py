"""What an agent shows of a position, on the page of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agents import Analysis
from agents.exhibits import Exhibit, Matchbox
from webapp.boards.scene import BeadCount
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import ExhibitView, Paths, Settings, Stand
from webapp.exhibits.lines import ExpectedLine, played_out
from webapp.exhibits.matchbox import tallies_of
from webapp.play.analysts import with_settings
from webapp.play.look import fields_of, place_fields, with_query
from webapp.play.viewing import Viewing


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
