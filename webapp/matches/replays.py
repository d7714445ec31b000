"""Games that are kept elsewhere, on the pages of a match: every ply, every question, no change.

Whoever keeps such games says under which address they lie and how one is found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from flask import Blueprint, Response, request

from webapp.matches import rules
from webapp.matches.changes import start
from webapp.matches.exchange import show_json, show_text
from webapp.replays.models import Record
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look
from webapp.replays.trees.routes import show_tree
from webapp.replays.visits import (
    look_after_change,
    looked_at,
    say_errors_on,
    show_analysis,
    show_match,
    show_story,
)
from webapp.services import services
from webapp.web.cookies import player_of_this_request

Find = Callable[..., Record]  # of what stands in the address
View = Callable[..., Response]
Show = Callable[[Viewing], Response]


def add_replays(pages: Blueprint, rule: str, find: Find) -> None:
    """Serve the games under `rule`; only looks change here, and `play-on` begins a match."""

    def shown(show: Show, wanted: Callable[[Look], Look] = lambda query: query) -> View:
        def view(**names: Any) -> Response:
            return show(looked_at(partial(find, **names), wanted(Look.parse(request.args))))

        return view

    def written(show: Callable[[Record], Response]) -> View:
        return lambda **names: show(find(**names))

    def play_on(**names: Any) -> Response:
        say_errors_on(partial(find, **names), look_after_change())
        services().spend()
        player, ply = player_of_this_request(), Look.parse(request.form).ply
        return start(rules.played_on(find(**names), player, ply))

    views: dict[str, tuple[str, View]] = {
        "replay": ("", shown(show_match)),
        "replay_analysis": (
            "/analysis",
            shown(show_analysis, lambda query: replace(query, values=True)),
        ),
        "replay_compare": (
            "/compare",
            shown(show_match, lambda query: replace(query, values=True)),
        ),
        "replay_story": ("/story", shown(show_story, lambda query: replace(query, story=True))),
        "replay_tree": ("/tree", written(show_tree)),
        "replay_json": (".json", written(show_json)),
        "replay_text": (".txt", written(show_text)),
    }
    for name, (ending, view) in views.items():
        pages.add_url_rule(f"{rule}{ending}", name, view)
    pages.add_url_rule(f"{rule}/play-on", "replay_play_on", play_on, methods=["POST"])
