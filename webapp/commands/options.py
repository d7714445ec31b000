"""Arguments and options shared by commands: games, counts, seeds, limits."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from engine.catalog import load_game
from engine.core import Game
from engine.options import Kind, Option

Command = Callable[..., Any]

MAX_GAMES = 100_000
MAX_WORKERS = 64


class GameChoice(click.ParamType[Game[Any, Any]]):
    """A game by its spec."""

    name = "game"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Game[Any, Any]:
        return value if isinstance(value, Game) else load_game(value)


class Number(click.ParamType[int | float]):
    """A number within bounds, with the same errors as in a spec."""

    def __init__(self, low: float, high: float | None = None, kind: Kind = Kind.INTEGER) -> None:
        self.low, self.high, self.kind = low, high, kind
        self.name = kind.value

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | float:
        name = param.opts[0] if param else "it"
        option = Option(name, self.kind, None, "", low=self.low, high=self.high)
        number = option.read(str(value))
        assert isinstance(number, int | float)
        return number


GAME = GameChoice()
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
seed_option = click.option(
    "--seed",
    type=Number(0),
    default=0,
    show_default=True,
    help="The same seed gives the same games.",
)


DEPTH = click.option("--depth", type=Number(1, 1000), help="Most plies ahead.")
NODES = click.option("--nodes", type=Number(1), help="Most positions for one move.")


python_option = click.option(
    "--python",
    metavar="INTERPRETER",
    help="Runs the players that are files.  [default: this one]",
)


def games_option(
    help: str,  # noqa: A002 - click's name for it
    *,
    low: int = 1,
    default: int = 100,
) -> Callable[[Command], Command]:
    return click.option(
        "--games",
        type=Number(low, MAX_GAMES),
        default=default,
        show_default=True,
        help=help,
    )


def limit_options(seconds: float | None = None) -> Callable[[Command], Command]:
    """--depth, --nodes and --seconds (by default `seconds`), passed as one `limit`."""
    seconds_option = click.option(
        "--seconds",
        type=Number(0.001, 3600, Kind.NUMBER),
        default=seconds,
        show_default=seconds is not None,
        help="Most seconds for one move.",
    )

    def add(command: Command) -> Command:
        @wraps(command)
        def with_limit(
            *, depth: int | None, nodes: int | None, seconds: float | None, **rest: Any
        ) -> Any:
            from agents.core import Limit

            return command(limit=Limit(depth, nodes, seconds), **rest)

        return DEPTH(NODES(seconds_option(with_limit)))

    return add
