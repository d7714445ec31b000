"""Learners of a game, their opponents, settings and training lengths."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import isfinite
from typing import Any

from agents.entry import Entry
from agents.errors import UnsuitableAgentError
from agents.roster import OPPONENTS, agents_for, find_agent, limitation, refusal, roster
from agents.runs import read_learner
from agents.training.opponents import SELF
from agents.training.trainer import length_of
from engine import Game, load_game
from engine.errors import InvalidSpecError, ZermeloError
from engine.options import Option, Role, Values, parse_spec, read_options, write_spec
from webapp.web.forms import fits

OPPONENT = "opponent"
DEFAULT_GAMES = 100_000  # for learners without a default of their own
MOST_RUNS = 12
LONGEST = {"games": 5_000_000, "generations": 2_000}


def learners_for(game: Game[Any, Any]) -> tuple[Entry, ...]:
    """Agents of the roster that learn and can play this game."""
    return tuple(
        entry for entry in roster() if entry.train is not None and refusal(entry, game) is None
    )


def training_options(entry: Entry) -> tuple[Option, ...]:
    """Options of how an agent learns."""
    return tuple(option for option in entry.options if option.role is Role.TRAINING)


def length_option(entry: Entry) -> Option:
    """Option of how long an agent learns."""
    return next(option for option in entry.options if option.role is Role.LENGTH)


def usual_length(entry: Entry) -> int:
    """Default number of steps."""
    default = length_option(entry).default
    return default if isinstance(default, int) else DEFAULT_GAMES


def max_length(entry: Entry) -> int:
    """Largest number of steps offered."""
    return LONGEST.get(length_option(entry).name, 1_000_000)


def setting_fits(option: Option, text: str, game: Game[Any, Any]) -> bool:
    """Whether a learner of this game accepts the value."""
    if option.name != OPPONENT:
        return fits(option, text)
    try:
        _check_opponent(text, game)
    except (ZermeloError, TypeError):  # TypeError: some agents have no table of answers
        return False
    return True


@lru_cache(maxsize=64)
def opponents_for(game: str) -> tuple[str, ...]:
    """Possible training opponents: itself, and agents that answer without a search."""
    rules = load_game(game)
    found = [SELF]
    for entry in agents_for(rules):
        try:
            fits = isfinite(OPPONENTS.seconds(entry.key, rules))
        except (ZermeloError, TypeError):
            fits = False
        if fits:
            found.append(entry.key)
    return tuple(found)


def training_spec(key: str, texts: dict[str, str], game: Game[Any, Any]) -> str:
    """Shortest spec of a learner, without its length; raises if it is unsuitable."""
    entry = next((entry for entry in learners_for(game) if entry.key == key), None)
    if entry is None:
        raise InvalidSpecError(key, f"{key or 'nobody'} does not learn {game.spec}")
    options = training_options(entry)
    values = Values(entry.all_options, read_options(key, entry.all_options, texts))
    spec = write_spec(key, entry.all_options, values)
    read_learner(spec, game)
    entry.suits(game, values)
    if OPPONENT in {option.name for option in options}:
        _check_opponent(values.text(OPPONENT), game)
    return spec


def _check_opponent(opponent: str, game: Game[Any, Any]) -> None:
    if opponent == SELF:
        return
    seconds = OPPONENTS.seconds(opponent, game)
    if only := limitation(find_agent(opponent.partition(":")[0]), game):
        raise UnsuitableAgentError(f"{opponent} cannot be trained against here: {only}")
    if not isfinite(seconds):
        why = f"{opponent} thinks too long about every position to be trained against"
        raise UnsuitableAgentError(why)


def check_length(key: str, steps: int, game: Game[Any, Any]) -> int:
    """The number of steps, if allowed; raises InvalidSpecError."""
    key, _, options = read_learner(key, game)
    unit = length_of(options)
    most = max_length(find_agent(key))
    if not 1 <= steps <= most:
        raise InvalidSpecError(str(steps), f"it learns from 1 to {most:,} {unit}, not {steps:,}")
    return steps


def read_grid(text: str) -> tuple[dict[str, str], ...]:
    """`alpha=0.1,0.5 epsilon=0.2,0.4` -> every combination; raises InvalidSpecError."""
    axes: dict[str, list[str]] = {}
    for part in text.replace(";", " ").split():
        name, equals, values = part.partition("=")
        chosen = [value for value in values.split(",") if value]
        if not (name and equals and chosen) or name in axes:
            why = f"{part!r} is no parameter with values: write alpha=0.1,0.5,0.9"
            raise InvalidSpecError(part, why)
        axes[name] = chosen
    names = list(axes)
    return tuple(dict(zip(names, found, strict=True)) for found in product(*axes.values()))


def all_settings(spec: str) -> dict[str, str]:
    """Every training option by name, defaults included."""
    given = set_options(spec)
    try:
        options = training_options(find_agent(spec.partition(":")[0]))
    except ZermeloError:  # of an uninstalled plug-in
        return given
    return {option.name: given.get(option.name) or _default_text(option) for option in options}


def _default_text(option: Option) -> str:
    return "none" if option.default is None else option.write(option.default)


def set_options(spec: str) -> dict[str, str]:
    """The options that a spec sets."""
    return parse_spec(spec)[1]
