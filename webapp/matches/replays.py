"""Read-only match pages for games that are stored elsewhere, such as those of an arena."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, Response, request

from webapp.matches import rules
from webapp.matches.changes import start
from webapp.matches.exchange import show_json, show_text
from webapp.replays.models import Record
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look
from webapp.replays.visits import (
    look_after_change,
    looked_at,
    say_errors_on,
    show_analysis,
    show_match,
    show_story,
    show_tree,
)
from webapp.services import service
from webapp.web.cookies import player_of_this_request
from webapp.web.rate_limits import RateLimits

Find = Callable[..., Record]  # called with the variables of the URL rule
View = Callable[..., Response]
Show = Callable[[Viewing], Response]


def add_replays(pages: Blueprint, rule: str, find: Find) -> None:
    """Add the pages of games found by `find` under `rule`; `play-on` starts a match from one."""

    def page(show: Show, **switches: str) -> View:
        def view(**names: Any) -> Response:
            query = Look.parse(request.args.to_dict() | switches)
            return show(looked_at(partial(find, **names), query))

        return view

    def of_record(show: Callable[[Record], Response]) -> View:
        return lambda **names: show(find(**names))

    def play_on(**names: Any) -> Response:
        say_errors_on(partial(find, **names), look_after_change())
        service(RateLimits).spend()
        player, ply = player_of_this_request(), Look.parse(request.form).ply
        return start(rules.played_on(find(**names), player, ply))

    views = {
        "replay": ("", page(show_match)),
        "replay_analysis": ("/analysis", page(show_analysis, values="1")),
        "replay_compare": ("/compare", page(show_match, values="1")),
        "replay_story": ("/story", page(show_story, story="1")),
        "replay_tree": ("/tree", of_record(show_tree)),
        "replay_json": (".json", of_record(show_json)),
        "replay_text": (".txt", of_record(show_text)),
    }
    for name, (ending, view) in views.items():
        pages.add_url_rule(f"{rule}{ending}", name, view)
    pages.add_url_rule(f"{rule}/play-on", "replay_play_on", play_on, methods=["POST"])
