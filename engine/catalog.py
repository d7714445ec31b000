"""The catalogue of games with their options and presets: built in, then installed packages'."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from engine.core import Ending, Game
from engine.drawing import heaps
from engine.entry import GameEntry, Preset, Preview, Theory
from engine.errors import BrokenGameError, InvalidSpecError
from engine.nim import MAX_OBJECTS, nim, nim_unreachable
from engine.nim_theory import verdict, verdicts
from engine.options import Kind, Option, parse_spec, write_spec
from engine.quixo import QUIXO
from engine.registry import Registry
from engine.tictactoe import TICTACTOE

BUILT_IN = (
    GameEntry(
        key="nim",
        title="Nim",
        summary="Take matches from one row. The last match loses (or wins: your choice).",
        options=(
            Option(
                "heaps",
                Kind.INTEGERS,
                (1, 3, 5, 7, 9),
                "objects in each heap",
                low=0,
                high=MAX_OBJECTS,
            ),
            Option(
                "last",
                Kind.CHOICE,
                "loses",
                "what taking the last object does",
                choices=("loses", "wins"),
            ),
            Option(
                "max_take",
                Kind.INTEGER,
                None,
                "the most a turn may take",
                low=1,
                high=MAX_OBJECTS,
                optional=True,
            ),
        ),
        presets=(
            Preset("nim5", "Nim(5), last loses", ()),
            Preset("marienbad", "Marienbad, last loses", (("heaps", "1-3-5-7"),)),
            Preset("twenty-one", "Twenty-one, take 1 to 3", (("heaps", "21"), ("max_take", "3"))),
            Preset("normal", "3-4-5, last wins", (("heaps", "3-4-5"), ("last", "wins"))),
        ),
        make=nim,
        theory=Theory("Bouton's theorem", verdict, verdicts),
        drawing=lambda state, last: heaps(state.heaps),
        preview=Preview("nim"),
        endings={Ending.LAST_OBJECT: "{mover} took the last match"},
        unreachable=nim_unreachable,
    ),
    TICTACTOE,
    QUIXO,
)


def _accepted(entry: GameEntry, home: str) -> GameEntry:
    """A package's entry, if its presets load; else raises."""
    variants = [entry.load({"preset": preset.name}) for preset in entry.presets]
    if not variants or variants[0] != (default := entry.load({})) or default.key != entry.key:
        why = f"its first preset has to be the game {entry.key} with every option at its default"
        raise InvalidSpecError(entry.key, why)
    return replace(entry, home=home)


catalog = Registry("game", "zermelo.games", GameEntry, BUILT_IN, _accepted, __name__)
find_entry = catalog.find


@lru_cache(maxsize=256)
def load_game(spec: str) -> Game[Any, Any]:
    """The game of a spec such as `quixo:size=4` or `nim:preset=marienbad` (cached)."""
    key, texts = parse_spec(spec)
    return find_entry(key).load(texts)


def all_variants() -> tuple[Game[Any, Any], ...]:
    """Every preset of every game; games that fail to load are left out."""
    found = []
    for entry in catalog():
        for preset in entry.presets:
            with suppress(BrokenGameError):  # logged where it was raised
                found.append(load_game(f"{entry.key}:preset={preset.name}"))
    return tuple(found)


@lru_cache(maxsize=256)
def variant_title(spec: str) -> str:
    """The title of the preset, `Marienbad, last loses`, else the options that differ."""
    game = load_game(spec)
    entry = find_entry(game.key)
    for preset in entry.presets:
        if entry.load({"preset": preset.name}).spec == game.spec:
            return preset.title
    settings = write_spec("", entry.options, game.options).removeprefix(":")
    return settings.replace(",", ", ").replace("=", " ").replace("_", " ")
