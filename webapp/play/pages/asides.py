"""Beside the board: what an agent thinks, a hint, and where a match turned."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, request

from webapp.play.look import Look
from webapp.play.pages.showing import find, show_analysis, show_match, show_story

asides = Blueprint("asides", __name__, url_prefix="/matches/<match_id>")


@asides.get("/analysis")
def analysis(match_id: str) -> Response:
    """What the agent in the address thinks of the ply in the address."""
    return show_analysis(find(match_id, replace(Look.of(request.args), values=True)))


@asides.get("/compare")
def compare(match_id: str) -> Response:
    """Two agents, `agent` and `versus`, on the ply in the address."""
    return show_match(find(match_id, replace(Look.of(request.args), values=True)))


@asides.get("/hint")
def hint(match_id: str) -> Response:
    """The match with a move worth considering."""
    return show_match(find(match_id, replace(Look.of(request.args), hint=True)))


@asides.get("/story")
def story(match_id: str) -> Response:
    """How the match went; the whole page without htmx."""
    return show_story(find(match_id, replace(Look.of(request.args), story=True)))
