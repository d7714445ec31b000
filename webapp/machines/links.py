"""Addresses of machines, and of the lobby with one chosen; the variants that a machine plays."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from agents.entry import Entry
from agents.roster import agents_for
from engine import Game
from engine.catalog import find_entry, load_game
from engine.entry import GameEntry
from engine.errors import BrokenGameError
from webapp.machines.query import MachineQuery

GALLERY_PATH = "/machines"


def machine_path(key: str) -> str:
    return f"{GALLERY_PATH}/{quote(key)}"


def machine_url(key: str, game: str | None = None) -> str:
    """The page of a machine, in one of its games."""
    return MachineQuery(game=game).url(machine_path(key))


def play_url(agent: str, game: Game[Any, Any]) -> str:
    """The lobby with this opponent chosen."""
    return _lobby_url(game, opponent=agent)


def watch_url(agent: str, game: Game[Any, Any]) -> str:
    """The lobby with this machine chosen as the first of two."""
    return _lobby_url(game, opponent=agent, mode="watch")


def _lobby_url(game: Game[Any, Any], **fields: str) -> str:
    entry = find_entry(game.key)
    named = {entry.load({"preset": preset.name}).spec: preset.name for preset in entry.presets}
    preset = named.get(game.spec)
    chosen = {"game": game.key, **fields}
    if preset and game.spec != game.key:
        chosen["preset"] = preset
    return f"/?{urlencode(chosen, safe=':,=')}#setup-{game.key}"


def variants_of(entry: GameEntry) -> list[Game[Any, Any]]:
    """The presets of a game, except for those whose package fails."""
    found = []
    for preset in entry.presets:
        try:
            found.append(load_game(f"{entry.key}:preset={preset.name}"))
        except BrokenGameError:  # already logged
            continue
    return found


def played_by(entry: Entry, game: GameEntry) -> list[Game[Any, Any]]:
    """The variants of a game that this machine plays."""
    return [variant for variant in variants_of(game) if entry in agents_for(variant)]
