"""Every game there is, its options and its named variants, written out by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.core import Game
from engine.errors import InvalidSpecError, unknown
from engine.nim import MOST_OBJECTS, nim
from engine.options import Kind, Option, parse_spec, read_options, write_spec
from engine.quixo import quixo
from engine.tictactoe import tictactoe
from engine.values import Values


@dataclass(frozen=True, slots=True)
class Preset:
    """A variant people know by name."""

    name: str
    title: str
    texts: tuple[tuple[str, str], ...]  # option and text, as in a spec


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game with everything that varies in it. The first preset is the default."""

    key: str
    title: str
    summary: str
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    make: Callable[[str, Values], Game[Any, Any]]

    def load(self, texts: dict[str, str]) -> Game[Any, Any]:
        """The variant that these options name; `preset` gives a start, the others change it."""
        chosen = dict(texts)
        if (name := chosen.pop("preset", None)) is not None:
            chosen = dict(self._preset(name).texts) | chosen
        values = read_options(self.key, self.options, chosen)
        return self.make(write_spec(self.key, self.options, values), values)

    def _preset(self, name: str) -> Preset:
        for preset in self.presets:
            if preset.name == name:
                return preset
        names = [preset.name for preset in self.presets]
        raise InvalidSpecError(name, unknown(f"preset of {self.key}", name, names))


CATALOG = (
    GameEntry(
        key="nim",
        title="Nim",
        summary="Take matches from one row. Whoever takes the last one loses, or wins.",
        options=(
            Option(
                "heaps",
                Kind.INTEGERS,
                (1, 3, 5, 7, 9),
                "objects in each heap",
                low=0,
                high=MOST_OBJECTS,
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
                high=MOST_OBJECTS,
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
    ),
    GameEntry(
        key="tictactoe",
        title="Tic-tac-toe",
        summary="Three in a row, on nine cells.",
        options=(),
        presets=(Preset("classic", "3 × 3", ()),),
        make=tictactoe,
    ),
    GameEntry(
        key="quixo",
        title="Quixo",
        summary="Take a cube from the rim, push it back in, fill a line.",
        options=(Option("size", Kind.CHOICE, "5", "cubes in a row", choices=("3", "4", "5")),),
        presets=(
            Preset("classic", "5 × 5", ()),
            Preset("small", "4 × 4", (("size", "4"),)),
            Preset("tiny", "3 × 3", (("size", "3"),)),
        ),
        make=quixo,
    ),
)


def find_entry(key: str) -> GameEntry:
    """The catalogue's entry for a game; raises InvalidSpecError."""
    for entry in CATALOG:
        if entry.key == key:
            return entry
    raise InvalidSpecError(key, unknown("game", key, [entry.key for entry in CATALOG]))


@lru_cache(maxsize=256)
def load_game(spec: str) -> Game[Any, Any]:
    """The game a spec names, such as `quixo:size=4` or `nim:preset=marienbad`."""
    key, texts = parse_spec(spec)
    return find_entry(key).load(texts)


def all_variants() -> tuple[Game[Any, Any], ...]:
    """Every game in every variant that has a name."""
    return tuple(
        entry.load({"preset": preset.name}) for entry in CATALOG for preset in entry.presets
    )


@lru_cache(maxsize=256)
def variant_title(spec: str) -> str:
    """`Marienbad, last loses`, or the settings of a variant that has no name."""
    game = load_game(spec)
    entry = find_entry(game.key)
    for preset in entry.presets:
        if entry.load({"preset": preset.name}).spec == game.spec:
            return preset.title
    settings = write_spec("", entry.options, game.options).removeprefix(":")
    return settings.replace(",", ", ").replace("=", " ").replace("_", " ")
