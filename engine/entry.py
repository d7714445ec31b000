"""A game's entry in the catalogue: its options and presets, its factory, and optional extras."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core import Ending, Game, Outcome, Seat, Verdict
from engine.errors import BrokenGameError, InvalidSpecError, ZermeloError, tell_once, unknown
from engine.options import Option, Values, read_options, write_spec


@dataclass(frozen=True, slots=True)
class Preset:
    """A named variant."""

    name: str
    title: str
    texts: tuple[tuple[str, str], ...]  # option and text, as in a spec


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


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game; the first preset is the default, the last seven fields are optional."""

    key: str
    title: str
    summary: str
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    make: Callable[[str, Values], Game[Any, Any]]
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

    def load(self, texts: dict[str, str]) -> Game[Any, Any]:
        """The variant with these options.

        Raises InvalidSpecError, or BrokenGameError where the game's own code fails.
        """
        spec, values = read_variant(self.key, self.options, self.presets, texts)
        try:
            return self.make(spec, values)
        except ZermeloError:
            raise
        except Exception as error:
            tell_once(__name__, f"the package of {self.key} failed to make {spec}: {error!r}"[:500])
            raise BrokenGameError(spec, f"{spec} cannot be set up: its package failed") from error

    def drawn(self, state: Any, last: Any = None) -> str:
        """The state drawn as text, or its own text if the game has no drawing or it fails."""
        if self.drawing is None:
            return str(state)
        try:
            return self.drawing(state, last)
        except Exception as error:  # noqa: BLE001 - plug-in code
            tell_once(__name__, f"the drawing of {self.key} failed: {error!r}"[:500])
            return str(state)

    def out_of_reach(self, game: Game[Any, Any], state: Any) -> str | None:
        """Why the state is unreachable, or None if it is not known to be or the check fails."""
        if self.unreachable is None:
            return None
        try:
            return self.unreachable(game, state)
        except Exception as error:  # noqa: BLE001 - plug-in code
            tell_once(__name__, f"what {self.key} reaches cannot be told: {error!r}"[:500])
            return None

    def ending(self, outcome: Outcome, mover: Seat, names: Sequence[str]) -> str:
        """The sentence for an outcome after a move by `mover`; `names` by seat."""
        winner = mover if outcome.winner is None else outcome.winner
        words = self.endings.get(outcome.ending, str(outcome.ending))
        try:
            return words.format(mover=names[mover], winner=names[winner], loser=names[winner.other])
        except (LookupError, ValueError, AttributeError) as error:  # braces of another meaning
            tell_once(__name__, f"an ending of {self.key} failed: {error!r}"[:500])
            return str(outcome.ending)


def read_variant(
    key: str, options: Sequence[Option], presets: Sequence[Preset], texts: Mapping[str, str]
) -> tuple[str, Values]:
    """(spec, option values): those of `preset`, if given, overridden by the other options.

    Raises InvalidSpecError.
    """
    chosen = dict(texts)
    if (name := chosen.pop("preset", None)) is not None:
        known = {preset.name: preset for preset in presets}
        if name not in known:
            raise InvalidSpecError(name, unknown(f"preset of {key}", name, known))
        chosen = dict(known[name].texts) | chosen
    values = read_options(key, options, chosen)
    return write_spec(key, options, values), values
