"""Strategies written for the course's Nim: a function from the state to (row, num_objects)."""

from __future__ import annotations

import inspect
from collections import namedtuple
from types import ModuleType
from typing import Any, Callable, List, Optional, Tuple

from .answers import NotAMoveError, ask_again, pair_of_integers
from .turn import Turn

Nimply = namedtuple("Nimply", "row, num_objects")
ROWS = "abcdefghijklmnopqrstuvwxyz"
# First parameters of strategies, and strategies that were handed out with the exercise.
STATES = {"state", "nim", "game", "board", "status", "raw", "s", "st", "rows", "env"}
HANDED_OUT = {"pure_random", "gabriele", "optimal", "adaptive", "dumb", "human"}
NO_STRATEGIES = {"nim_sum", "analize", "analyze", "cook_status", "evaluate", "fitness"}


class Nim:
    """Rows of 1, 3, 5 … objects; a turn takes some of one row, at most k where k is given."""

    def __init__(self, num_rows: int, k: Optional[int] = None) -> None:
        self._rows = [2 * row + 1 for row in range(num_rows)]
        self._k = k

    def __bool__(self) -> bool:
        return sum(self._rows) > 0

    def __str__(self) -> str:
        return "<{}>".format(" ".join(map(str, self._rows)))

    @property
    def rows(self) -> Tuple[int, ...]:
        return tuple(self._rows)

    @property
    def k(self) -> Optional[int]:
        return self._k

    def nimming(self, ply: Any) -> None:
        """Take the objects; an illegal ply is an AssertionError."""
        row, num_objects = ply
        assert self._rows[row] >= num_objects
        assert self._k is None or num_objects <= self._k
        self._rows[row] -= num_objects


class NimStrategy:
    """Shows a strategy the heaps as the state it was written for, a new one for every call."""

    def __init__(
        self, strategy: Callable[..., Any], module: ModuleType, extra: Tuple[Any, ...] = ()
    ) -> None:
        self.strategy = self.asked = strategy
        self.extra = extra
        self.state_class = _state_class(strategy, module)

    def choose(self, turn: Turn) -> str:
        heaps = [len(row) for row in turn.board]
        most = max_take(turn.game)

        def answer() -> Any:
            return self.strategy(self._state(heaps, most), *self.extra)

        return ask_again(turn, answer, take_text, lambda move: take_fault(heaps, most, move))

    def _state(self, heaps: List[int], most: Optional[int]) -> Any:
        if self.state_class in (list, tuple):
            return self.state_class(heaps)
        return make_state(self.state_class, heaps, most)


def make_state(state_class: type, heaps: List[int], most: Optional[int]) -> Any:
    """A state of the player's own class with these heaps, wherever it keeps them."""
    parameters = inspect.signature(state_class).parameters
    limited = {"k": most} if "k" in parameters else {}
    state = state_class(len(heaps), **limited)
    kept = [
        name
        for name, value in vars(state).items()
        if isinstance(value, (list, tuple)) and len(value) == len(heaps)
    ]
    name = next((each for each in kept if each.endswith("rows")), kept[0] if kept else "_rows")
    setattr(state, name, type(getattr(state, name, []))(heaps))
    return state


def take_text(answer: Any) -> str:
    """The text of a Nimply, a pair, or a dict or object with `row` and `num_objects`."""
    if isinstance(answer, dict):
        answer = (answer.get("row"), answer.get("num_objects"))
    elif hasattr(answer, "row") and hasattr(answer, "num_objects"):
        answer = (answer.row, answer.num_objects)
    row, count = pair_of_integers(answer)
    if not 0 <= row < len(ROWS):
        raise NotAMoveError("there is no row {}".format(row))
    return "{}{}".format(ROWS[row], count)


def take_fault(heaps: List[int], most: Optional[int], move: str) -> str:
    """Why objects cannot be taken, with rows counted from 0 as the player does."""
    row, count = ROWS.index(move[0]), int(move[1:])
    if row >= len(heaps):
        return "there is no row {}, they run from 0 to {}".format(row, len(heaps) - 1)
    if count < 1:
        return "at least one object is taken"
    if count > heaps[row]:
        return "row {} holds {}".format(row, heaps[row])
    return "at most {} are taken in a turn".format(most)


def max_take(game: str) -> Optional[int]:
    """The most objects of a turn, from the game's spec."""
    options = dict(each.partition("=")[::2] for each in game.partition(":")[2].split(","))
    limit = options.get("max_take", "")
    return int(limit) if limit.isdecimal() else None


def strategies(module: ModuleType) -> List[str]:
    """The functions of a module that look like strategies."""
    functions = [
        (name, value)
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]
    return [name for name, function in functions if _fits(name, function)]


def own_strategies(module: ModuleType) -> List[str]:
    """The strategies that were not handed out with the exercise."""
    found = strategies(module)
    return [name for name in found if name not in HANDED_OUT] or found


def _fits(name: str, function: Callable[..., Any]) -> bool:
    """Whether one argument is enough, and it is a state by its name or annotation."""
    parameters = list(inspect.signature(function).parameters.values())
    required = [each for each in parameters if each.default is each.empty]
    if not parameters or len(required) > 1 or name.startswith("_") or name in NO_STRATEGIES:
        return False
    returns = _note_text(function.__annotations__.get("return"))
    if returns and "Nimply" not in returns and "uple" not in returns:
        return False
    first = parameters[0]
    return first.name.lower() in STATES or "Nim" in _note_text(
        function.__annotations__.get(first.name)
    )


def _state_class(strategy: Callable[..., Any], module: ModuleType) -> Any:
    """The class of state that a strategy is annotated with, else the module's Nim, else ours."""
    own = getattr(module, "Nim", None)
    usual = own if isinstance(own, type) else Nim
    try:
        first = next(iter(inspect.signature(strategy).parameters.values()))
    except (StopIteration, TypeError, ValueError):
        return usual
    note = first.annotation
    if isinstance(note, str):
        note = getattr(strategy, "__globals__", {}).get(note.strip("'\""), note)
    if isinstance(note, type) and hasattr(note, "nimming"):
        return note
    text = _note_text(note if note is not first.empty else None).lower()
    for kind in (list, tuple):
        if text.startswith((kind.__name__, "typing." + kind.__name__)):
            return kind
    return usual


def _note_text(note: Any) -> str:
    if note is None:
        return ""
    return note if isinstance(note, str) else getattr(note, "__name__", str(note))
