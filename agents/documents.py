"""Games and agents as JSON values: what `zermelo agents --json` and the HTTP API list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agents.contest.strength import strength_of
from agents.entry import Entry
from agents.roster import refusal
from engine.catalog import all_variants
from engine.core import Game
from engine.entry import GameEntry
from engine.options import Option

OPTION_FIELDS = ("name", "kind", "default", "low", "high", "choices", "optional", "help")


def game_document(entry: GameEntry, variants: Iterable[tuple[Game[Any, Any], str]]) -> Any:
    """A game with its named variants, each given with its title."""
    return {
        "key": entry.key,
        "title": entry.title,
        "summary": entry.summary,
        "variants": [
            {"spec": game.spec, "title": title, "start": str(game.start), "states": game.states}
            for game, title in variants
        ],
        "options": _options(entry.options),
    }


def agent_document(entry: Entry) -> dict[str, Any]:
    """An agent with its options, the variants it plays, and how strong it is in them."""
    return {
        "key": entry.key,
        "title": entry.title,
        "technique": entry.technique.value,
        "strength": _strengths(entry),
        "description": entry.description,
        "games": played_variants(entry),
        "presets": {preset.name: dict(preset.texts) for preset in entry.presets},
        "options": _options(entry.all_options),
    }


def played_variants(entry: Entry) -> list[str]:
    """Specs of the named variants it can play."""
    return [game.spec for game in all_variants() if refusal(entry, game) is None]


def _strengths(entry: Entry) -> dict[str, float]:
    """Its measured share of points by variant."""
    found = {game.spec: strength_of(entry.key, game.spec) for game in all_variants()}
    return {spec: round(strength.rate, 4) for spec, strength in found.items() if strength}


def _options(options: Iterable[Option]) -> list[dict[str, Any]]:
    return [{name: getattr(option, name) for name in OPTION_FIELDS} for option in options]
