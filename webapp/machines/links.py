"""Ways from a machine to where it is played, watched and seen."""

from __future__ import annotations

from typing import Any

from flask import url_for

from agents.entry import Entry
from agents.roster import agents_for
from engine import Game
from engine.catalog import find_entry, load_game
from engine.entry import GameEntry
from engine.errors import BrokenGameError


def machine_url(key: str, **query: Any) -> str:
    return url_for("machines.machine", key=key, **query)


def play_url(agent: str, game: Game[Any, Any]) -> str:
    """The lobby's card with this opponent chosen."""
    return _card(game, opponent=agent)


def watch_url(agent: str, game: Game[Any, Any]) -> str:
    """The lobby's card with this machine as the first of two."""
    return _card(game, opponent=agent, mode="watch")


def _card(game: Game[Any, Any], **fields: str) -> str:
    entry = find_entry(game.key)
    named = {entry.load({"preset": preset.name}).spec: preset.name for preset in entry.presets}
    preset = named.get(game.spec)
    chosen: dict[str, Any] = dict(fields)
    if preset and game.spec != game.key:
        chosen["preset"] = preset
    return url_for("lobby.show", game=game.key, _anchor=f"setup-{game.key}", **chosen)


def variants_of(entry: GameEntry) -> list[Game[Any, Any]]:
    """The variants of a game that have a name; those whose package fails are left out."""
    found = []
    for preset in entry.presets:
        try:
            found.append(load_game(f"{entry.key}:preset={preset.name}"))
        except BrokenGameError:  # told where it happens
            continue
    return found


def played_by(entry: Entry, game: GameEntry) -> list[Game[Any, Any]]:
    """The variants of a game that this machine plays."""
    return [variant for variant in variants_of(game) if entry in agents_for(variant)]
