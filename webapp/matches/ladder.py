"""The ladder of opponents: every agent of a game at each of its levels, by measured strength."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.contest.strength import measured_fields, strength_of, usual_strength
from agents.entry import Entry
from agents.roster import agent_spec, agent_title, agents_for, find_agent
from engine import Game, load_game

LEVEL_OPTION = "level"


@dataclass(frozen=True, slots=True)
class Rung:
    """An opponent with its default settings, or at one of its levels."""

    spec: str
    title: str  # Quixo engine · Keen
    short: str  # Keen
    strength: float  # share of points won; 0: never measured


@lru_cache(maxsize=64)
def ladder(game: str) -> tuple[Rung, ...]:
    """The opponents of this game, weakest first."""
    rules = load_game(game)
    rungs = [rung for entry in agents_for(rules) for rung in _rungs(entry, rules)]
    return tuple(sorted(rungs, key=lambda rung: rung.strength))


def next_rung(game: str, spec: str) -> Rung | None:
    """The next harder opponent: the agent's own next level, else another agent; None: the top.

    Harder means measured in this variant: more points overall, and more than half of them in
    games between the two.
    """
    if strength_of(spec, game) is None:  # never measured, or the agent is gone
        return None
    levels = _levels_from(game, spec)
    others = (rung for rung in ladder(game) if _agent(rung.spec) != _agent(spec))
    harder = (rung for rung in (*levels, *others) if _is_stronger(rung.spec, spec, game))
    return next(harder, None)


def _levels_from(game: str, spec: str) -> tuple[Rung, ...]:
    """The levels of an agent above the given one."""
    rungs = tuple(_rungs(find_agent(_agent(spec)), load_game(game)))
    specs = [rung.spec for rung in rungs]
    return rungs[specs.index(spec) + 1 :] if spec in specs else ()


def _agent(spec: str) -> str:
    return spec.partition(":")[0]


def _is_stronger(other: str, spec: str, game: str) -> bool:
    field = measured_fields()[game]
    if other not in field.scores:
        return False
    met = dict(field.met(other)).get(spec)
    fewer_points = field.scores[other].rate <= field.scores[spec].rate
    return not fewer_points and (met is None or met.rate > 0.5)


def _rungs(entry: Entry, game: Game[Any, Any]) -> Iterator[Rung]:
    if not entry.levels:
        yield _rung(entry.key, entry.title, game)
    for level in entry.levels:
        yield _rung(f"{entry.key}:{LEVEL_OPTION}={level.name}", level.title, game)


def _rung(value: str, short: str, game: Game[Any, Any]) -> Rung:
    spec = agent_spec(value, game)
    return Rung(spec, agent_title(spec, game.spec), short, usual_strength(spec, game.spec) or 0.0)
