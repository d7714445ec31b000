"""Arguments of a player: as they were told, or by the names of its constructor's parameters."""

from __future__ import annotations

import ast
import inspect
from typing import Any, Callable, Dict, List, Optional, Tuple

from .errors import UnplayableError

SEAT = "SEAT"  # in arguments: 0 or 1
DEPTH = 2  # of a search that asks for one

# Of a parameter's name in lower case, without underscores.
SEATS = {
    *("id", "idx", "index", "me", "myid", "number", "pid", "piece", "role"),
    *("seat", "side", "symbol", "turn", "color", "colour", "mark"),
}
OTHERS = ("opponent", "opp", "enemy", "adversary", "other", "rival")
NO_SEATS = ("players", "count", "type", "name", "class")  # a name with "player" and one of these
INTEGERS = {
    "",
    "None",
    "int",
    "Optional",
    "Optional[int]",
    "int | None",
    "Literal",
    "Literal[0, 1]",
}
GAMES = {"game", "g", "quixo", "env"}
# Of parameters that say nothing of how it plays.
HARMLESS = {
    "seed": 0,
    "name": "player",
    **dict.fromkeys(("verbose", "debug", "train", "training"), False),
}


def parse_arguments(text: str, seat: int) -> Tuple[List[Any], Dict[str, Any]]:
    """The arguments `2, SEAT, depth=3`, which are literals or SEAT."""
    try:
        return _read_arguments(text, seat)
    except (SyntaxError, ValueError, TypeError):
        raise UnplayableError(
            "({}) is not understood: what stands in brackets are Python literals or SEAT".format(
                text
            )
        ) from None


def _read_arguments(text: str, seat: int) -> Tuple[List[Any], Dict[str, Any]]:
    call = ast.parse("f({})".format(text), mode="eval").body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise TypeError(text)

    def value(node: ast.expr) -> Any:
        if isinstance(node, ast.Name) and node.id == SEAT:
            return seat
        return ast.literal_eval(node)

    named = {each.arg: value(each.value) for each in call.keywords if each.arg is not None}
    return [value(each) for each in call.args], named


def construct(
    made: Callable[..., Any], arguments: Optional[str], seat: int, game: Callable[[], Any]
) -> Any:
    """Call it with what was told, or else with what its parameters' names ask for.

    `game` makes the object for a parameter that wants the game; raises UnplayableError.
    """
    if arguments is not None:
        positional, named = parse_arguments(arguments, seat)
        return made(*positional, **named)
    return made(**guessed_arguments(made, seat, game))


def guessed_arguments(
    made: Callable[..., Any], seat: int, game: Callable[[], Any]
) -> Dict[str, Any]:
    """Seat, depth and game, each under the name by which the constructor asks for it.

    The seat is passed also where it has a default, which would be the wrong one half of the time.
    """
    found: Dict[str, Any] = {}
    for parameter in _parameters(made):
        optional = parameter.default is not parameter.empty
        name = parameter.name.lower().replace("_", "")
        whose, own = _without_other(name)
        if _is_seat(own, parameter) or (whose and not own and _class_name(parameter) == "int"):
            found[parameter.name] = 1 - seat if whose else seat
        elif optional:
            continue
        elif "depth" in name:
            found[parameter.name] = DEPTH
        elif name in GAMES or _class_name(parameter) == "Game":
            found[parameter.name] = game()
        elif name in HARMLESS:
            found[parameter.name] = HARMLESS[name]
        else:
            raise UnplayableError(
                "{0} also wants {1}: tell it as {0}(…), where SEAT is 0 or 1, "
                "or write zermelo_player.py with make(seat)".format(
                    getattr(made, "__name__", "it"), parameter.name
                )
            )
    return found


def _parameters(made: Callable[..., Any]) -> List[inspect.Parameter]:
    """Those that can be passed by name."""
    try:
        every = inspect.signature(made).parameters.values()
    except (TypeError, ValueError):  # of a class made in C
        return []
    return [each for each in every if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]


def _without_other(name: str) -> Tuple[str, str]:
    """`opponentid` as (`opponent`, `id`); a name of nobody else has nothing before it."""
    for word in OTHERS:
        if name.startswith(word):
            return word, name[len(word) :]
    return "", name


def _is_seat(name: str, parameter: inspect.Parameter) -> bool:
    """Whether the parameter is a player's number."""
    default = parameter.default
    if isinstance(default, bool) or not (
        default is parameter.empty or default is None or isinstance(default, int)
    ):
        return False
    if _class_name(parameter) not in INTEGERS:
        return False
    return name in SEATS or ("player" in name and not any(word in name for word in NO_SEATS))


def _class_name(parameter: inspect.Parameter) -> str:
    """The last part of what it is annotated with; empty where nothing is."""
    note = parameter.annotation
    if note is parameter.empty:
        return ""
    text = note if isinstance(note, str) else getattr(note, "__name__", str(note))
    return text.strip("'\"").rpartition(".")[2]
