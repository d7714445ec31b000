"""The ladder of opponents: every agent of a game at each of its levels, by measured strength."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agents.contest.strength import (
    STEPS,
    MeasuredField,
    Strength,
    measured_fields,
    strength_of,
    usual_strength,
)
from agents.entry import Entry, Technique
from agents.roster import agent_spec, agent_title, agents_for, find_agent
from engine import Game, load_game
from engine.options import parse_spec

LEVEL_OPTION = "level"
DIFFICULTIES = ("Easy", "Medium", "Hard")  # above them the strongest


@dataclass(frozen=True, slots=True)
class Rung:
    """An opponent with its default settings, or at one of its levels."""

    entry: Entry
    value: str  # as it is chosen: quixo-deep:level=keen
    spec: str  # as it was measured
    title: str  # Quixo engine · Keen; the default level is not named
    label: str  # Quixo engine · 8. Keen: in a list of opponents
    short: str  # Keen
    description: str
    measured: Strength | None  # in this variant
    strength: float  # share of points won, also in other variants; 0: never measured

    @property
    def named(self) -> str:
        """`Keen, level 8 of 15`, or its title."""
        level = level_text(self.spec)
        return f"{self.short}, {level}" if level else self.short

    @property
    def step(self) -> int | None:
        """The step of its strength, from 1; None if it was not measured."""
        return self.measured.step if self.measured else None


def level_text(spec: str) -> str:
    """`level 8 of 15` of an agent at one of its levels; empty for others."""
    entry = find_agent(_agent(spec))
    names = [level.name for level in entry.levels]
    chosen = parse_spec(spec)[1].get(LEVEL_OPTION, names[-1] if names else "")
    return f"level {1 + names.index(chosen)} of {len(names)}" if chosen in names else ""


@lru_cache(maxsize=64)
def ladder(game: str) -> tuple[Rung, ...]:
    """The opponents of this game, weakest first."""
    rules = load_game(game)
    rungs = [rung for entry in agents_for(rules) for rung in _rungs(entry, rules)]
    return tuple(sorted(rungs, key=lambda rung: rung.strength))


@dataclass(frozen=True, slots=True)
class Difficulty:
    """One of the few opponents that the lobby offers first."""

    name: str  # Easy
    rung: Rung

    @property
    def value(self) -> str:
        return self.rung.value

    @property
    def about(self) -> str:
        """Who that is: `Quixo engine, level 3 of 15.`, else how it plays."""
        entry = self.rung.entry
        if level := level_text(self.rung.spec):
            return f"{entry.title}, {level}."
        first, _, _ = entry.description.partition(". ")
        return f"{entry.title}. {first.rstrip('.')}."


@lru_cache(maxsize=64)
def difficulties(game: str) -> tuple[Difficulty, ...]:
    """Easy, Medium, Hard and the strongest opponent of a variant, each measured stronger.

    *Easy* is the hardest that a newcomer scores half against, the last a perfect one if there is
    one; the others lie nearest to a third and two thirds of the way, by rating. Where an agent has
    levels, they are all its own. A variant that was not measured has those of its game's first one
    that can play it.
    """
    key = game.partition(":")[0]
    field = measured_fields().get(game)
    if field is None:
        if key not in measured_fields():
            return ()
        values = {rung.value: rung for rung in ladder(game)}
        known = [each for each in difficulties(key) if each.value in values]
        return tuple(Difficulty(each.name, values[each.value]) for each in known)
    rungs = [rung for rung in ladder(game) if rung.spec in field.scores]
    top = max(rungs, key=lambda rung: (rung.entry.technique is Technique.PERFECT, rung.strength))
    below = [rung for rung in rungs if rung.entry.levels] or rungs
    below = [rung for rung in below if _is_above(field, top, rung)]
    easy = next((rung for rung in reversed(below) if rung.spec in field.easy_opponents), below[0])
    chosen = [easy]
    span = field.ratings[top.spec] - field.ratings[easy.spec]
    for share in (1 / 3, 2 / 3):
        wanted = field.ratings[easy.spec] + share * span
        harder = [rung for rung in below if _is_above(field, rung, chosen[-1])]
        if harder:
            chosen.append(min(harder, key=lambda rung: abs(field.ratings[rung.spec] - wanted)))
    last = "Perfect" if top.entry.technique is Technique.PERFECT else "Strongest"
    names = (*DIFFICULTIES[: len(chosen)], last)
    return tuple(Difficulty(name, rung) for name, rung in zip(names, (*chosen, top), strict=True))


def _is_above(field: MeasuredField, one: Rung, two: Rung) -> bool:
    """Whether one has both more points and a higher rating."""
    stronger = field.ratings[one.spec] > field.ratings[two.spec]
    return stronger and one.strength > two.strength


def by_step(rungs: Iterable[Rung]) -> Iterator[tuple[str, tuple[Rung, ...]]]:
    """Groups of about the same strength with their titles, weakest first, unmeasured ones last."""
    listed = tuple(rungs)
    for step in (*range(1, STEPS + 1), None):
        if found := tuple(rung for rung in listed if rung.step == step):
            yield f"Strength {step} of {STEPS}" if step else "Not measured", found


def next_rung(game: str, spec: str) -> Rung | None:
    """The next harder opponent: the agent's own next level, else the next of the difficulties;
    None: the top.

    Harder means measured in this variant: more points overall, and not fewer than half of them in
    games between the two.
    """
    if strength_of(spec, game) is None:  # never measured, or the agent is gone
        return None
    levels = _levels(game, spec)[1]
    offered = (each.rung for each in difficulties(game))
    return next((rung for rung in (*levels, *offered) if _is_stronger(rung.spec, spec, game)), None)


def easier_rung(game: str, spec: str) -> Rung | None:
    """The next easier opponent, chosen and measured as `next_rung` is; None: the bottom."""
    if strength_of(spec, game) is None:
        return None
    levels = reversed(_levels(game, spec)[0])
    offered = (each.rung for each in reversed(difficulties(game)))
    return next((rung for rung in (*levels, *offered) if _is_stronger(spec, rung.spec, game)), None)


def _levels(game: str, spec: str) -> tuple[tuple[Rung, ...], tuple[Rung, ...]]:
    """The levels of an agent below and above the given one."""
    rungs = tuple(_rungs(find_agent(_agent(spec)), load_game(game)))
    specs = [rung.spec for rung in rungs]
    if spec not in specs:
        return (), ()
    at = specs.index(spec)
    return rungs[:at], rungs[at + 1 :]


def _agent(spec: str) -> str:
    return spec.partition(":")[0]


def _is_stronger(other: str, spec: str, game: str) -> bool:
    field = measured_fields()[game]
    if other not in field.scores:
        return False
    met = dict(field.met(other)).get(spec)
    fewer_points = field.scores[other].rate <= field.scores[spec].rate
    return not fewer_points and (met is None or met.rate >= 0.5)


def _rungs(entry: Entry, game: Game[Any, Any]) -> Iterator[Rung]:
    if not entry.levels:
        yield _rung(entry, entry.key, entry.title, entry.title, entry.description, game)
    for number, level in enumerate(entry.levels, start=1):
        value = f"{entry.key}:{LEVEL_OPTION}={level.name}"
        label = f"{entry.title} · {number}. {level.title}"
        yield _rung(entry, value, label, level.title, level.description, game)


def _rung(
    entry: Entry, value: str, label: str, short: str, about: str, game: Game[Any, Any]
) -> Rung:
    spec = agent_spec(value, game)
    return Rung(
        entry=entry,
        value=value,
        spec=spec,
        title=agent_title(spec, game.spec),
        label=label,
        short=short,
        description=about,
        measured=strength_of(spec, game.spec),
        strength=usual_strength(spec, game.spec) or 0.0,
    )
