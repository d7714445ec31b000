"""One game as the catalogue lists it: its variants, how it is made, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core import Ending, Game, Outcome, Seat, Verdict
from engine.errors import BrokenGameError, InvalidSpecError, ZermeloError, tell_once, unknown
from engine.options import Option, Values, read_options, write_spec


@dataclass(frozen=True, slots=True)
class Preset:
    """A variant people know by name."""

    name: str
    title: str
    texts: tuple[tuple[str, str], ...]  # option and text, as in a spec


@dataclass(frozen=True, slots=True)
class Preview:
    """A position that shows at a glance what the game is: a variant, and moves from its start."""

    spec: str
    moves: str = ""


@dataclass(frozen=True, slots=True)
class Theory:
    """What mathematics knows of a game: the exact value of a state, or None where it is silent."""

    name: str  # for a reader: `Bouton's theorem`
    verdict: Callable[[Any], Verdict | None]
    # Every move of a state with what it is worth, where that is quicker than one by one.
    verdicts: Callable[[Any], dict[Any, Verdict]] | None = None


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game with everything that varies in it. The first preset is the default.

    The last seven fields may be left out: the game is played all the same, only less well by those
    who could have used them.
    """

    key: str
    title: str
    summary: str
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    make: Callable[[str, Values], Game[Any, Any]]
    # What an open state is worth to the side to move, strictly between -1 and 1.
    evaluation: Callable[[Any], float] | None = None
    theory: Theory | None = None
    # A state in lines of text, with the move that led to it, or None; a cell it reached as `(x)`.
    drawing: Callable[[Any, Any], str] | None = None
    preview: Preview | None = None
    # Why it is over, with {mover} (of the last move), {winner} and {loser} in place of names.
    endings: Mapping[Ending, str] = field(default_factory=dict)
    # Why no play leads to a state, where that can be proven; None where it can, or nobody knows.
    unreachable: Callable[[Game[Any, Any], Any], str | None] | None = None
    home: str = ""  # the module of another package, filled in by the catalogue

    def load(self, texts: dict[str, str]) -> Game[Any, Any]:
        """The variant that these options name; `preset` gives a start, the others change it.

        Raises InvalidSpecError, or BrokenGameError where the game's own code fails.
        """
        chosen = dict(texts)
        if (name := chosen.pop("preset", None)) is not None:
            chosen = dict(self._preset(name).texts) | chosen
        values = read_options(self.key, self.options, chosen)
        spec = write_spec(self.key, self.options, values)
        try:
            return self.make(spec, values)
        except ZermeloError:
            raise
        except Exception as error:
            tell_once(__name__, f"the package of {self.key} failed to make {spec}: {error!r}"[:500])
            raise BrokenGameError(spec, f"{spec} cannot be set up: its package failed") from error

    def drawn(self, state: Any, last: Any = None) -> str:
        """The state in lines of text, with the move that led to it; else the state's own text."""
        if self.drawing is None:
            return str(state)
        try:
            return self.drawing(state, last)
        except Exception as error:  # noqa: BLE001 - the game's own code, and there is another way
            tell_once(__name__, f"the drawing of {self.key} failed: {error!r}"[:500])
            return str(state)

    def out_of_reach(self, game: Game[Any, Any], state: Any) -> str | None:
        """Why no play leads to the state, as far as that is known; nothing where its code fails."""
        if self.unreachable is None:
            return None
        try:
            return self.unreachable(game, state)
        except Exception as error:  # noqa: BLE001 - the game's own code, and nothing is claimed
            tell_once(__name__, f"what {self.key} reaches cannot be told: {error!r}"[:500])
            return None

    def ending(self, outcome: Outcome, mover: Seat, names: Sequence[str]) -> str:
        """Why it is over, after a move by that seat; `names` of the first and the second seat."""
        winner = mover if outcome.winner is None else outcome.winner
        words = self.endings.get(outcome.ending, str(outcome.ending))
        try:
            return words.format(mover=names[mover], winner=names[winner], loser=names[winner.other])
        except (LookupError, ValueError, AttributeError) as error:  # braces of another meaning
            tell_once(__name__, f"an ending of {self.key} failed: {error!r}"[:500])
            return str(outcome.ending)

    def _preset(self, name: str) -> Preset:
        for preset in self.presets:
            if preset.name == name:
                return preset
        names = [preset.name for preset in self.presets]
        raise InvalidSpecError(name, unknown(f"preset of {self.key}", name, names))
