"""The roster: all agents as data, and their specs read, normalised and loaded.

Web forms, the command line, the docs and the tests are generated from it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from math import inf
from typing import Any

from agents.core import Agent
from agents.entry import Entry, Technique
from agents.errors import UnsuitableAgentError
from agents.players.directory import directory_entries
from agents.players.recorded import is_recorded, recorded_player
from agents.training.brain_files import DIGEST, Training, digest_of, training_of
from agents.training.opponents import SELF, Opponents
from agents.training.shipped import missing_brain_error
from agents.training.trainer import BRAIN, length_of
from agents.wrappers import LoadedAgent, Skilled
from engine.catalog import load_game
from engine.core import Game, OptionValue
from engine.entry import with_preset
from engine.errors import ZermeloError, warn_once
from engine.options import Kind, Option, Values, parse_spec, read_options, write_spec
from engine.registry import Registry, declared_entries

MAX_REASON_CHARS = 300
DIGEST_DIGITS = 8  # of a brain's digest in a title
MAX_SETTING_CHARS = 40  # of a setting that makes no sense
# Steps of a training whose options leave its length open, longest first.
TRAINING_LENGTHS = tuple(unit * 10**power for power in range(6, 2, -1) for unit in (5, 2, 1))

SEARCHLESS = (Technique.RULES, Technique.LEARNING, Technique.NETWORKS, Technique.PERFECT)
SECONDS_PER_STATE = 1e-4  # to tabulate agents of these techniques


def agents_for(game: Game[Any, Any]) -> tuple[Entry, ...]:
    """The agents that can play all of this game."""
    able = (entry for entry in roster() if refusal(entry, game) is None)
    return tuple(entry for entry in able if limitation(entry, game) is None)


def analysts_for(game: Game[Any, Any]) -> tuple[Entry, ...]:
    """The agents that can analyse this game, some of them only part of it.

    Players from outside say what they think when they play, and are not asked again.
    """
    ours = (entry for entry in roster() if entry.technique is not Technique.PLAYERS)
    return tuple(entry for entry in ours if refusal(entry, game) is None)


def refusal(entry: Entry, game: Game[Any, Any]) -> str | None:
    """Why this agent cannot play this game, or None; agents that fail to answer cannot."""
    return _reason(entry, game, entry.refuses)


def limitation(entry: Entry, game: Game[Any, Any]) -> str | None:
    """The only part of this game that the agent knows, or None if it knows all of it."""
    return _reason(entry, game, entry.knows_only)


def _reason(
    entry: Entry, game: Game[Any, Any], reason: Callable[[Game[Any, Any]], str | None]
) -> str | None:
    try:
        why = reason(game)
    except Exception as error:  # noqa: BLE001 - plug-in code
        warn_once(__name__, f"agent {entry.key} is left out of {game.spec}: {error!r}"[:500])
        return "its package failed"
    return None if why is None else str(why)[:MAX_REASON_CHARS]


def read_agent(spec: str, game: Game[Any, Any]) -> tuple[Entry, Values]:
    """(entry, option values) of a spec; raises if it is invalid or cannot play this game."""
    key, texts = parse_spec(spec)
    entry = find_agent(key)
    if entry.presets:  # an agent without any may have an option of that name
        texts = with_preset(entry.key, entry.presets, texts)
    values = read_options(entry.key, entry.all_options, texts)
    if (why := refusal(entry, game)) is not None:
        raise UnsuitableAgentError(f"{entry.key} cannot play {game.spec}: {why}")
    return entry, values


def agent_spec(spec: str, game: Game[Any, Any]) -> str:
    """The canonical spec; raises as `load_agent` does."""
    entry, values = read_agent(spec, game)
    return write_spec(entry.key, entry.all_options, values)


def player_spec(spec: str, game: Game[Any, Any]) -> str:
    """The canonical spec of an agent that plays all of the game; raises if it cannot."""
    entry, _ = read_agent(spec, game)
    if (part := limitation(entry, game)) is not None:
        raise UnsuitableAgentError(f"{entry.key} cannot play {game.spec}: it knows {part}")
    return agent_spec(spec, game)


def pinned_spec(spec: str, game: Game[Any, Any]) -> str:
    """The canonical spec with a brain's digest in place of its name, for storage.

    A name may come to mean another brain. Raises as `load_agent` does.
    """
    entry, values = read_agent(spec, game)
    if entry.train is not None and (name := values.get(BRAIN.name)):
        values = values.but({BRAIN.name: digest_of(str(name))})
    return write_spec(entry.key, entry.all_options, values)


def ready_spec(spec: str, game: Game[Any, Any], seconds: float) -> str:
    """The canonical spec of an agent that trains for at most `seconds` before it can play.

    A learner without a brain whose spec leaves its length open gets the longest training that
    fits. Raises as `load_agent` does.
    """
    entry, values = read_agent(spec, game)
    _check_suits(entry, game, values)
    if entry.train is not None and training_seconds(entry, game, values) > seconds:
        values = _shortened(entry, values, game, seconds)
    return write_spec(entry.key, entry.all_options, values)


def _check_suits(entry: Entry, game: Game[Any, Any], values: Values) -> None:
    """Raises UnsuitableAgentError for options that do not fit the game."""
    try:
        entry.suits(game, values)
    except ZermeloError:
        raise
    except Exception as error:
        warn_once(__name__, f"agent {entry.key} cannot say what suits it: {error!r}"[:500])
        why = f"{entry.key} cannot play {game.spec}: its package failed"
        raise UnsuitableAgentError(why) from error


def training_seconds(entry: Entry, game: Game[Any, Any], values: Values) -> float:
    """Estimated seconds of training before it can play; infinite if its package fails.

    Raises as finding its brain does.
    """
    try:
        return float(entry.lasts(game, values))
    except ZermeloError:
        raise
    except Exception as error:  # noqa: BLE001 - plug-in code
        warn_once(__name__, f"agent {entry.key} cannot say how long it trains: {error!r}"[:500])
        return inf


def _shortened(entry: Entry, values: Values, game: Game[Any, Any], seconds: float) -> Values:
    length = length_of(values)
    if values[length] is None:
        for steps in TRAINING_LENGTHS:
            shorter = values.but({length: steps})
            if training_seconds(entry, game, shorter) <= seconds:
                return shorter
    raise missing_brain_error(entry.key, game)


def is_trusted(spec: str) -> bool:
    """Whether the agent is ours; one of a package may hang or take its process down."""
    return spec.partition(":")[0] in {entry.key for entry in BUILT_IN}


def load_agent(spec: str, game: Game[Any, Any]) -> LoadedAgent:
    """The agent of a spec such as `alphabeta:depth=4,skill=0.8`, for this game."""
    entry, values = read_agent(spec, game)
    agent = entry.make(game, values)
    skill = values.number("skill")
    if skill < 1:
        agent = Skilled(agent, skill)
    return LoadedAgent(write_spec(entry.key, entry.all_options, values), game, agent)


def agent_title(spec: str, game: str) -> str:
    """`Alpha-beta · depth 6`: its title and every option that is not at its default."""
    return " · ".join(part for part in agent_name(spec, game) if part)


def agent_name(spec: str, game: str) -> tuple[str, str]:
    """(title, settings): (`Alpha-beta`, `depth 6 · skill 0.5`), (`MENACE`, `after 1,000 games`)."""
    digest = DIGEST.search(spec)
    training = None
    if digest is not None:
        with suppress(ZermeloError):  # it is not on this machine
            training = training_of(digest[0])
    return _agent_name(spec, game, training)


@lru_cache(maxsize=1024)
def _agent_name(spec: str, game: str, training: Training | None) -> tuple[str, str]:
    try:
        entry, values = read_agent(spec, load_game(game))
    except ZermeloError:  # its package has been removed since
        return spec, ""
    settings = [
        _training_text(entry, training)
        if training and option.name == BRAIN.name
        else _setting_text(entry, option, values[option.name])
        for option in entry.all_options
        if values[option.name] != option.default
    ]
    return entry.title, " · ".join(settings)


def _training_text(entry: Entry, training: Training) -> str:
    """`after 1,000 games · alpha 0.5`: with every setting that is not at its default."""
    unit = training.unit.removesuffix("s") if training.steps == 1 else training.unit
    chosen = dict(training.parameters)
    settings = [
        _setting_text(entry, option, chosen[option.name])
        for option in entry.all_options
        if chosen.get(option.name, option.default) != option.default
    ]
    return " · ".join([f"after {training.steps:,} {unit}", *settings])


def _setting_text(entry: Entry, option: Option, value: OptionValue) -> str:
    """`depth 6`, `500,000 games`; the title of a level, the first digits of a digest."""
    levels = {level.name: level.title for level in entry.levels} if option.name == "level" else {}
    is_count = option.kind is Kind.INTEGER and isinstance(value, int)
    try:
        text = f"{value:,}" if is_count else option.write(value)
    except (TypeError, ValueError, AttributeError):  # of a brain's file, which anyone may write
        text = str(value)[:MAX_SETTING_CHARS]
    if option.name == BRAIN.name and DIGEST.fullmatch(text):
        text = text[:DIGEST_DIGITS]
    name = option.name.replace("_", " ")
    if is_count and name.endswith("s"):  # `1 game`, `2 games`
        return f"{text} {name.removesuffix('s') if value == 1 else name}"
    return levels.get(text) or f"{name} {text}"


def tabulation_seconds(spec: str, game: Game[Any, Any]) -> float:
    """Estimated seconds to tabulate this opponent; infinite for one that searches.

    Raises as `load_agent` does.
    """
    if spec == SELF or is_recorded(spec):
        return 0.0
    entry, values = read_agent(spec, game)
    if entry.technique not in SEARCHLESS:
        return inf
    return entry.lasts(game, values) + SECONDS_PER_STATE * (game.states or 0)


def _load_opponent(spec: str, game: Game[Any, Any]) -> Agent[Any, Any]:
    """An agent, or what a player from outside was recorded to answer."""
    return recorded_player(spec, game) if is_recorded(spec) else load_agent(spec, game)


def _pinned_opponent(spec: str, game: Game[Any, Any]) -> str:
    return spec if is_recorded(spec) else pinned_spec(spec, game)


OPPONENTS = Opponents(_load_opponent, _pinned_opponent, tabulation_seconds)


def _built_in() -> tuple[Entry, ...]:
    """What the modules of each technique's package declare."""
    found: list[Entry] = []
    for technique in Technique:
        entries = declared_entries(f"agents.{technique}", OPPONENTS)
        found += sorted(entries, key=lambda entry: entry.order)
    return tuple(found)


def _accepted(entry: Entry, _: str) -> Entry:
    entry.check()
    return entry


BUILT_IN = _built_in()
roster = Registry(
    "agent", "zermelo.agents", Entry, BUILT_IN, _accepted, __name__, directory_entries
)
find_agent = roster.find
