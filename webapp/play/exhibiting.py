"""What an agent shows of a position, on the page of a match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agents import Analysis
from agents.exhibits import Exhibit
from webapp.exhibits import exhibit_view
from webapp.exhibits.lines import ExpectedLine, played_out
from webapp.exhibits.stand import ExhibitView, Settings, Stand
from webapp.play.analysts import with_settings
from webapp.play.look import with_query
from webapp.play.viewing import Viewing


def exhibit_of(viewing: Viewing, agent: str, exhibit: Exhibit | None) -> ExhibitView | None:
    """What the template is given, with the ways from there as addresses of this match."""
    return None if exhibit is None else exhibit_view(exhibit, stand_of(viewing, agent))


def line_of(viewing: Viewing, agent: str, analysis: Analysis[Any]) -> ExpectedLine | None:
    """What it expects after the move it plays, beside an open head."""
    if analysis.exhibit is None:
        return None
    return played_out(analysis.chosen.line, stand_of(viewing, agent))


def stand_of(viewing: Viewing, agent: str) -> Stand:
    """Where this agent's exhibits stand in the match."""
    look, game = viewing.look, viewing.match.game

    def spec_of(settings: Settings) -> str:
        return with_settings(agent, game, settings)

    def look_at(settings: Settings) -> str:
        return with_query(viewing.path, replace(look, agent=spec_of(settings), settings=()))

    def turn_to(part: str | None, step: int | None) -> str:
        return with_query(viewing.path, replace(look, part=part, step=step))

    state = viewing.match.states[viewing.ply]
    return Stand(game, state, look.part, look.step, turn_to, look_at, spec_of)
