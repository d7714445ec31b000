"""Nim: take objects from one heap; whoever takes the last loses (misère) or wins (normal)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, permutations, product
from math import factorial, prod
from string import ascii_lowercase
from typing import Final, Literal

from engine.core import Ending, Game, Outcome, Seat, Symmetry
from engine.drawing import Drawn
from engine.errors import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidSpecError,
    InvalidStateError,
    quoted,
)
from engine.options import Values

Last = Literal["loses", "wins"]

MAX_HEAPS: Final = 12
MAX_OBJECTS: Final = 50
MAX_PERMUTATIONS: Final = 120


@dataclass(frozen=True, slots=True)
class Take:
    """Taking `count` objects from one heap: `c3`."""

    heap: int
    count: int

    def __str__(self) -> str:
        return f"{ascii_lowercase[self.heap]}{self.count}"

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class NimRules:
    """What the last object means, and how many a turn may take."""

    last: Last = "loses"
    max_take: int | None = None

    def most(self, objects: int) -> int:
        """The most that may be taken from a heap of that many."""
        return objects if self.max_take is None else min(objects, self.max_take)


@dataclass(frozen=True, slots=True)
class NimState(Drawn):
    """The heaps, who moves, and the rules."""

    heaps: tuple[int, ...]
    to_move: Seat
    rules: NimRules

    def legal_moves(self) -> tuple[Take, ...]:
        return tuple(_takes(self.heaps, self.rules))

    def play(self, move: Take) -> NimState:
        if self.outcome() is not None:
            raise IllegalMoveError(move, self, "the game is over")
        if not 0 <= move.heap < len(self.heaps):
            raise IllegalMoveError(move, self, f"there are only {len(self.heaps)} rows")
        holds = self.heaps[move.heap]
        name = ascii_lowercase[move.heap]
        if move.count < 1:
            raise IllegalMoveError(move, self, "take at least one")
        if move.count > holds:
            why = f"row {name} holds {holds}, you asked for {move.count}"
            raise IllegalMoveError(move, self, why)
        if move.count > self.rules.most(holds):
            why = f"at most {self.rules.max_take} a turn, you asked for {move.count}"
            raise IllegalMoveError(move, self, why)
        heaps = (*self.heaps[: move.heap], holds - move.count, *self.heaps[move.heap + 1 :])
        return NimState(heaps, self.to_move.other, self.rules)

    def outcome(self) -> Outcome | None:
        if any(self.heaps):
            return None
        took_last = self.to_move.other
        winner = took_last if self.rules.last == "wins" else self.to_move
        return Outcome(winner, Ending.LAST_OBJECT)

    @property
    def heaps_text(self) -> str:
        """The heaps alone: `1-3-5`."""
        return "-".join(map(str, self.heaps))

    def __str__(self) -> str:
        return f"{self.heaps_text} {self.to_move.mark}"

    __repr__ = __str__


def nim(spec: str, options: Values) -> Game[NimState, Take]:
    """The game with the heaps and rules in the options; raises InvalidSpecError."""
    heaps = options.integers("heaps")
    if not 1 <= len(heaps) <= MAX_HEAPS or not any(heaps):
        why = f"nim has 1 to {MAX_HEAPS} heaps, not all empty, not {len(heaps)} of {sum(heaps)}"
        raise InvalidSpecError(spec, why)
    last: Last = "wins" if options.text("last") == "wins" else "loses"
    rules = NimRules(last, options.optional_integer("max_take"))
    start = NimState(heaps, Seat.FIRST, rules)
    return Game(
        key="nim",
        title="Nim",
        options=options,
        spec=spec,
        start=start,
        all_moves=start.legal_moves(),
        parse_move=lambda text: _parse_move(start, text),
        parse_state=lambda text: _parse_state(start, text),
        symmetries=tuple(_symmetry(order) for order in _orders(heaps)),
        states=2 * prod(heap + 1 for heap in heaps),
    )


def _takes(heaps: tuple[int, ...], rules: NimRules) -> Iterator[Take]:
    for heap, objects in enumerate(heaps):
        for count in range(1, rules.most(objects) + 1):
            yield Take(heap, count)


def _symmetry(order: tuple[int, ...]) -> Symmetry[NimState, Take]:
    """Moves heap `order[i]` to index i."""
    place = {heap: at for at, heap in enumerate(order)}

    def reorder(state: NimState) -> NimState:
        heaps = tuple(state.heaps[heap] for heap in order)
        return NimState(heaps, state.to_move, state.rules)

    name = "heaps " + "".join(ascii_lowercase[heap] for heap in order)
    return Symmetry(name, reorder, lambda move: Take(place[move.heap], move.count))


def _orders(heaps: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The permutations of heaps of equal starting size.

    Beyond MAX_PERMUTATIONS only their rotations, which are still a group.
    """
    indices = sorted(range(len(heaps)), key=lambda heap: (heaps[heap], heap))
    alike = [tuple(group) for _, group in groupby(indices, key=lambda heap: heaps[heap])]
    few = prod(factorial(len(group)) for group in alike) <= MAX_PERMUTATIONS
    ways = [tuple(permutations(group)) if few else _rotations(group) for group in alike]
    for choice in product(*ways):
        order = list(range(len(heaps)))
        for group, way in zip(alike, choice, strict=True):
            for at, heap in zip(group, way, strict=True):
                order[at] = heap
        yield tuple(order)


def _rotations(group: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(group[at:] + group[:at] for at in range(len(group)))


def _parse_move(start: NimState, text: str) -> Take:
    names = ascii_lowercase[: len(start.heaps)]
    name, count = text[:1], text[1:]
    if not (name and name in names and _is_number(count)):
        why = f"{quoted(text)} is no move: a row from a to {names[-1]} and how many, as in a1"
        raise InvalidMoveError(text, why)
    return Take(names.index(name), int(count))


def _parse_state(start: NimState, text: str) -> NimState:
    heaps, _, mark = text.partition(" ")
    parts = heaps.split("-")
    if len(parts) != len(start.heaps) or mark not in ("x", "o") or not all(map(_is_number, parts)):
        why = f"{quoted(text)} does not look like '{start}': the heaps, then x or o"
        raise InvalidStateError(text, why)
    counts = tuple(map(int, parts))
    for name, count, most in zip(ascii_lowercase, counts, start.heaps, strict=False):
        if count > most:
            raise InvalidStateError(text, f"row {name} began with {most}, it cannot hold {count}")
    return NimState(counts, Seat.FIRST if mark == "x" else Seat.SECOND, start.rules)


def _is_number(text: str) -> bool:
    """Whether the text is one to three ASCII digits without a leading zero."""
    return text.isascii() and text.isdecimal() and len(text) <= 3 and str(int(text)) == text


def nim_unreachable(game: Game[NimState, Take], state: NimState) -> str | None:
    """Complete: a heap can take any number of turns from the fewest to one per object, so only
    the parity of the turns can be wrong, and only where their number is determined."""
    gone = [began - left for began, left in zip(game.start.heaps, state.heaps, strict=True)]
    most = sum(gone)
    fewest = sum(-(-count // state.rules.most(count)) for count in gone if count)
    if fewest < most or most % 2 == state.to_move:
        return None
    turns = "no turn was" if not most else "1 turn was" if most == 1 else f"{most} turns were"
    return f"{turns} taken to come here, so {state.to_move.other.mark} would be to move"
