"""The query strings and addresses of machines, and the variants that each plays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import quote, urlencode

from agents.entry import Entry
from agents.roster import agents_for
from engine import Game
from engine.catalog import find_entry, load_game
from engine.entry import GameEntry
from engine.errors import BrokenGameError
from webapp.web.query import Query, choice, flag, number, text

MAX_SPEC_CHARS = 500
MAX_PART_CHARS = 16
GALLERY_PATH = "/machines"


class GalleryOrder(StrEnum):
    """In which order the machines of a technique stand."""

    WEAKEST = "weakest"
    STRONGEST = "strongest"


@dataclass(frozen=True, slots=True)
class GalleryQuery(Query):
    """Which machines the gallery shows, in which order."""

    game: str | None = text(MAX_SPEC_CHARS)  # its key; None: all
    order: GalleryOrder = choice(GalleryOrder, GalleryOrder.WEAKEST)
    present: bool = flag()


@dataclass(frozen=True, slots=True)
class MachineQuery(Query):
    """The variant, the machine's settings, and what of its exhibit is selected."""

    game: str | None = text(MAX_SPEC_CHARS)  # a spec or a key
    agent: str | None = text(MAX_SPEC_CHARS)  # its spec; None: the defaults
    part: str | None = text(MAX_PART_CHARS)
    step: int | None = number()
    present: bool = flag()


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
