"""Who can learn a game, against whom, and how long that usually takes: all from the roster."""

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
USUAL = 100_000  # games, where a learner leaves it to the game
MOST_RUNS = 12
LONGEST = {"games": 5_000_000, "generations": 2_000}


def learners_for(game: Game[Any, Any]) -> tuple[Entry, ...]:
    """Everyone of the roster that learns and can play this game."""
    return tuple(
        entry for entry in roster() if entry.train is not None and refusal(entry, game) is None
    )


def settings_of(entry: Entry) -> tuple[Option, ...]:
    """What can be set about how it learns."""
    return tuple(option for option in entry.options if option.role is Role.TRAINING)


def length_option(entry: Entry) -> Option:
    """How long it learns."""
    return next(option for option in entry.options if option.role is Role.LENGTH)


def usual_length(entry: Entry) -> int:
    """As many steps as it takes by itself, or a round number that a class waits for."""
    default = length_option(entry).default
    return default if isinstance(default, int) else USUAL


def longest_training(entry: Entry) -> int:
    """As many steps as anyone would wait for."""
    return LONGEST.get(length_option(entry).name, 1_000_000)


def setting_fits(option: Option, text: str, game: Game[Any, Any]) -> bool:
    """Whether a learner of this game can be set so."""
    if option.name != OPPONENT:
        return fits(option, text)
    try:
        _check_opponent(text, game)
    except (ZermeloError, TypeError):  # some cannot be asked at all: see opponents_for
        return False
    return True


@lru_cache(maxsize=64)
def opponents_for(game: str) -> tuple[str, ...]:
    """Whom it can train against: itself, and who answers without a search."""
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
    """Who learns, without how long: the shortest spec; raises what is wrong with it."""
    entry = next((entry for entry in learners_for(game) if entry.key == key), None)
    if entry is None:
        raise InvalidSpecError(key, f"{key or 'nobody'} does not learn {game.spec}")
    known = settings_of(entry)
    values = Values(entry.all_options, read_options(key, entry.all_options, texts))
    spec = write_spec(key, entry.all_options, values)
    read_learner(spec, game)
    entry.suits(game, values)
    if OPPONENT in {option.name for option in known}:
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
    """The steps, if anyone would wait for so many; raises InvalidSpecError."""
    key, _, options = read_learner(key, game)
    unit = length_of(options)
    most = longest_training(find_agent(key))
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


def told_in_full(spec: str) -> dict[str, str]:
    """Every setting of how it learns by its name, the usual ones too."""
    said = texts_of(spec)
    try:
        known = settings_of(find_agent(spec.partition(":")[0]))
    except ZermeloError:  # of a package that is gone
        return said
    return {option.name: said.get(option.name) or _usual(option) for option in known}


def _usual(option: Option) -> str:
    return "none" if option.default is None else option.write(option.default)


def texts_of(spec: str) -> dict[str, str]:
    """The options that a spec sets."""
    return parse_spec(spec)[1]
