"""The ladder of opponents: every agent of a game at each of its levels, by measured strength."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.contest.strength import STEPS, Strength, measured_fields, strength_of, usual_strength
from agents.entry import Entry
from agents.roster import agent_spec, agent_title, agents_for, find_agent
from engine import Game, load_game

LEVEL_OPTION = "level"


@dataclass(frozen=True, slots=True)
class Rung:
    """An opponent with its default settings, or at one of its levels."""

    entry: Entry
    value: str  # as it is chosen: quixo-deep:level=keen
    spec: str  # as it was measured
    title: str  # Quixo engine · Keen; the default level is not named
    label: str  # the same, the default level named too
    short: str  # Keen
    description: str
    measured: Strength | None  # in this variant
    strength: float  # share of points won, also in other variants; 0: never measured

    @property
    def step(self) -> int | None:
        """The step of its strength, from 1; None if it was not measured."""
        return self.measured.step if self.measured else None


@lru_cache(maxsize=64)
def ladder(game: str) -> tuple[Rung, ...]:
    """The opponents of this game, weakest first."""
    rules = load_game(game)
    rungs = [rung for entry in agents_for(rules) for rung in _rungs(entry, rules)]
    return tuple(sorted(rungs, key=lambda rung: rung.strength))


def by_step(rungs: Iterable[Rung]) -> Iterator[tuple[str, tuple[Rung, ...]]]:
    """Groups of about the same strength with their titles, weakest first, unmeasured ones last."""
    listed = tuple(rungs)
    for step in (*range(1, STEPS + 1), None):
        if found := tuple(rung for rung in listed if rung.step == step):
            yield f"Strength {step} of {STEPS}" if step else "Not measured", found


def next_rung(game: str, spec: str) -> Rung | None:
    """The next harder opponent: the agent's own next level, else another agent; None: the top.

    Harder means measured in this variant: more points overall, and more than half of them in
    games between the two.
    """
    if strength_of(spec, game) is None:  # never measured, or the agent is gone
        return None
    levels = _levels_from(game, spec)
    others = (rung for rung in ladder(game) if rung.entry.key != _agent(spec))
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
        yield _rung(entry, entry.key, entry.title, entry.description, game)
    for level in entry.levels:
        value = f"{entry.key}:{LEVEL_OPTION}={level.name}"
        yield _rung(entry, value, level.title, level.description, game)


def _rung(entry: Entry, value: str, short: str, about: str, game: Game[Any, Any]) -> Rung:
    spec = agent_spec(value, game)
    return Rung(
        entry=entry,
        value=value,
        spec=spec,
        title=agent_title(spec, game.spec),
        label=f"{entry.title} · {short}" if entry.levels else entry.title,
        short=short,
        description=about,
        measured=strength_of(spec, game.spec),
        strength=usual_strength(spec, game.spec) or 0.0,
    )
