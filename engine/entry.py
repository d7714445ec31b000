"""A game's entry in the catalogue: its options and presets, its factory, and optional extras."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from engine.core import Ending, Game, Outcome, Seat, Verdict
from engine.errors import (
    BrokenGameError,
    InvalidSpecError,
    InvalidTextError,
    ZermeloError,
    unknown_text,
    warn_once,
)
from engine.options import Option, Values, read_options, write_spec


@dataclass(frozen=True, slots=True)
class Preset:
    """A named variant."""

    name: str
    title: str
    texts: tuple[tuple[str, str], ...]  # option and text, as in a spec


def with_preset(owner: str, presets: Sequence[Preset], texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of options, those of the preset they name overridden by the others.

    Raises InvalidSpecError for a preset that the owner does not have.
    """
    chosen = dict(texts)
    if (name := chosen.pop("preset", None)) is None:
        return chosen
    known = {preset.name: preset for preset in presets}
    if name not in known:
        raise InvalidSpecError(name, unknown_text(f"preset of {owner}", name, known))
    return dict(known[name].texts) | chosen


@dataclass(frozen=True, slots=True)
class Preview:
    """The position that represents the game: a variant's spec and moves from its start."""

    spec: str
    moves: str = ""


@dataclass(frozen=True, slots=True)
class Theory:
    """Exact values by theory; a verdict is None where the theory does not apply."""

    name: str  # for a reader: `Bouton's theorem`
    verdict: Callable[[Any], Verdict | None]
    # The verdict on every move of a state, if that is faster than one call per move.
    verdicts: Callable[[Any], dict[Any, Verdict]] | None = None


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CatalogEntry(Generic[T]):
    """A game or a problem, and how its variants are made; the first preset is the default."""

    key: str
    title: str
    summary: str
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    make: Callable[[str, Values], T]

    broken: ClassVar[type[InvalidTextError]]  # raised where its own code fails

    def load(self, texts: Mapping[str, str]) -> T:
        """The variant with these options, those of `preset` overridden by the others.

        Raises InvalidSpecError or `broken`.
        """
        chosen = with_preset(self.key, self.presets, texts)
        values = read_options(self.key, self.options, chosen)
        spec = write_spec(self.key, self.options, values)
        try:
            return self.make(spec, values)
        except ZermeloError:
            raise
        except Exception as error:
            warn_once(__name__, f"the package of {self.key} failed to make {spec}: {error!r}"[:500])
            raise self.broken(spec, f"{spec} cannot be set up: its package failed") from error


@dataclass(frozen=True, slots=True)
class GameEntry(CatalogEntry[Game[Any, Any]]):
    """One game; all fields of its own are optional."""

    broken: ClassVar[type[InvalidTextError]] = BrokenGameError

    # Heuristic value of an unfinished state for the side to move, strictly between -1 and 1.
    evaluation: Callable[[Any], float] | None = None
    theory: Theory | None = None
    # (state, last move or None) -> drawing as text; the cell that the move reached as `(x)`.
    drawing: Callable[[Any, Any], str] | None = None
    preview: Preview | None = None
    # Sentences for endings, with placeholders {mover} (of the last move), {winner} and {loser}.
    endings: Mapping[Ending, str] = field(default_factory=dict)
    # Why a state is unreachable from the start, if that can be proven, else None.
    unreachable: Callable[[Game[Any, Any], Any], str | None] | None = None
    home: str = ""  # the plug-in's module, filled in by the catalogue

    def drawn(self, state: Any, last: Any = None) -> str:
        """The state drawn as text, or its own text if the game has no drawing or it fails."""
        if self.drawing is None:
            return str(state)
        try:
            return self.drawing(state, last)
        except Exception as error:  # noqa: BLE001 - plug-in code
            warn_once(__name__, f"the drawing of {self.key} failed: {error!r}"[:500])
            return str(state)

    def out_of_reach(self, game: Game[Any, Any], state: Any) -> str | None:
        """Why the state is unreachable, or None if it is not known to be or the check fails."""
        if self.unreachable is None:
            return None
        try:
            return self.unreachable(game, state)
        except Exception as error:  # noqa: BLE001 - plug-in code
            warn_once(__name__, f"what {self.key} reaches cannot be told: {error!r}"[:500])
            return None

    def ending(self, outcome: Outcome, mover: Seat, names: Sequence[str]) -> str:
        """The sentence for an outcome after a move by `mover`; `names` by seat."""
        winner = mover if outcome.winner is None else outcome.winner
        words = self.endings.get(outcome.ending, str(outcome.ending))
        try:
            return words.format(mover=names[mover], winner=names[winner], loser=names[winner.other])
        except (LookupError, ValueError, AttributeError) as error:  # braces of another meaning
            warn_once(__name__, f"an ending of {self.key} failed: {error!r}"[:500])
            return str(outcome.ending)
