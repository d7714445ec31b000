"""Measured strength of agents: the shipped results, and what is derived from them.

*Strength* is the share of points of a player against every other agent for the same variant, in
ten games against each, with half a point for a draw. Levels of an agent played the same agents and
their neighbours among the levels; `benchmarks/strength` measures it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from statistics import fmean
from typing import Any

from agents.contest.ratings import Score, rate
from agents.entry import Entry, Technique
from agents.errors import UnreadableStrengthError
from agents.roster import agents_for
from engine.catalog import load_game

FORMAT = "zermelo strength 1"
SHIPPED_STRENGTH = files("agents.contest") / "strength.json"
STEPS = 5  # of the strength meter


@dataclass(frozen=True, slots=True)
class Encounter:
    """All games between two players, scored for the first named."""

    one: str
    two: str
    opening: int  # random plies at the start, for deterministic players
    first: Score
    second: Score

    @property
    def score(self) -> Score:
        return self.first + self.second

    def seen_by(self, spec: str) -> Score:
        """The score of one of the two."""
        return self.score if spec == self.one else self.score.seen_by_opponent


@dataclass(frozen=True, slots=True)
class Strength:
    """A player's score against all other agents."""

    score: Score
    opponents: int
    step: int  # 1 to STEPS, at equal intervals of rate from the weakest to the strongest

    @property
    def rate(self) -> float:
        """The share of the points."""
        return self.score.rate


@dataclass(frozen=True)
class MeasuredField:
    """The measured encounters of one variant."""

    game: str  # the variant's spec
    nodes: Mapping[str, int]  # agent -> node limit per move
    agents: Mapping[str, str]  # spec -> fingerprint of its code and brain
    levels: Mapping[str, str]
    newcomers: Mapping[str, str]  # models of beginners: one ply deep, with slips
    encounters: tuple[Encounter, ...]

    @property
    def is_whole(self) -> bool:
        """Whether all players met all agents, and the newcomers all levels."""
        return all(
            {other for other, _ in self.met(spec)} >= set(self.agents) - {spec}
            for spec in self.players
        ) and all(
            {other for other, _ in self.met(new)} >= set(self.levels) for new in self.newcomers
        )

    @property
    def players(self) -> dict[str, str]:
        """All players with their fingerprints."""
        return {**self.agents, **self.levels, **self.newcomers}

    def strength(self, spec: str) -> Strength | None:
        """The strength of an agent or level by its canonical spec; None if not measured."""
        if (score := self.ordered_scores.get(spec)) is None:
            return None
        rates = [self.ordered_scores[each].rate for each in (*self.agents, *self.levels)]
        low, high = min(rates), max(rates)
        share = (score.rate - low) / (high - low) if high > low else 1.0
        step = 1 + min(STEPS - 1, max(0, int(STEPS * share)))
        return Strength(score, len(self.agents) - (spec in self.agents), step)

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Each player's score against all other agents."""
        return {
            spec: sum((score for other, score in self.met(spec) if other in self.agents), Score())
            for spec in self.players
        }

    @cached_property
    def ordered_scores(self) -> dict[str, Score]:
        """The scores, in which no level of an agent is weaker than the one below it.

        Neighbours that were measured in the wrong order share one score: that is the most likely
        one if a higher level is never weaker (pool adjacent violators).
        """
        scores = dict(self.scores)
        for key in {spec.partition(":")[0] for spec in self.levels}:
            own = [spec for spec in self.levels if spec.partition(":")[0] == key]
            pools: list[tuple[Score, list[str]]] = []
            for spec in (*own, key) if key in self.agents else own:
                score, pool = self.scores[spec], [spec]
                while pools and pools[-1][0].rate > score.rate:
                    below, weaker = pools.pop()
                    score, pool = below + score, weaker + pool
                pools.append((score, pool))
            scores |= {spec: score for score, pool in pools for spec in pool}
        return scores

    def met(self, spec: str) -> Iterator[tuple[str, Score]]:
        """(opponent, score against it) of a player."""
        for encounter in self.encounters:
            if spec in (encounter.one, encounter.two):
                other = encounter.two if spec == encounter.one else encounter.one
                yield other, encounter.seen_by(spec)

    def merit(self, spec: str) -> tuple[float, float]:
        """Sort key, weakest first: by strength, then by rating."""
        return self.scores[spec].rate, self.ratings[spec]

    @cached_property
    def ratings(self) -> dict[str, float]:
        """Elo ratings of all players, from all games of the field."""
        specs = list(self.players)
        place = {spec: at for at, spec in enumerate(specs)}
        table: list[list[Score | None]] = [[None] * len(specs) for _ in specs]
        for encounter in self.encounters:
            one, two = place[encounter.one], place[encounter.two]
            table[one][two] = encounter.score
            table[two][one] = encounter.score.seen_by_opponent
        return {spec: rating.elo for spec, rating in zip(specs, rate(table), strict=True)}

    @cached_property
    def newcomer(self) -> str:
        """The strongest model of a beginner."""
        return max(self.newcomers, key=self.merit)

    @cached_property
    def easy_opponents(self) -> frozenset[str]:
        """Those against whom the newcomer scores half of the points or more."""
        met = self.met(self.newcomer)
        return frozenset(other for other, score in met if score.rate >= 0.5) - set(self.newcomers)


@cache
def measured_fields() -> Mapping[str, MeasuredField]:
    """The shipped, completely measured fields by the variant's spec (cached)."""
    fields = from_text(SHIPPED_STRENGTH.read_text(encoding="utf-8"))
    return {game: field for game, field in fields.items() if field.is_whole}


def strength_of(spec: str, game: str) -> Strength | None:
    """The strength of the player with this canonical spec at this variant, if measured."""
    field = measured_fields().get(game)
    return field.strength(spec) if field else None


def usual_strength(spec: str, game: str) -> float | None:
    """The share of points at this variant, else the mean over those of the same game, else over
    all: an order for players and variants that were not measured."""
    fields = measured_fields()
    key = game.partition(":")[0]
    for names in ([game], [name for name in fields if name.partition(":")[0] == key], [*fields]):
        found = [strength_of(spec, name) for name in names]
        if rates := [strength.rate for strength in found if strength]:
            return fmean(rates)
    return None


@lru_cache(maxsize=256)
def strongest_agent(spec: str) -> str:
    """The agent to ask for advice: one with exact values, else the strongest measured."""
    game = load_game(spec)

    def merit(entry: Entry) -> tuple[bool, float]:
        return entry.technique is Technique.PERFECT, usual_strength(entry.key, game.spec) or 0.0

    return max(agents_for(game), key=merit).key


def to_text(fields: Iterable[MeasuredField]) -> str:
    """The fields as JSON, one line per group of players and per encounter."""
    parts = ",\n".join(f"{json.dumps(field.game)}: {_field_text(field)}" for field in fields)
    return f'{{"format": {json.dumps(FORMAT)}, "fields": {{\n{parts}\n}}}}\n'


def _field_text(field: MeasuredField) -> str:
    groups = ",\n".join(
        f'"{name}": {json.dumps(dict(getattr(field, name)))}'
        for name in ("nodes", "agents", "levels", "newcomers")
    )
    met = ",\n".join(
        json.dumps([met.one, met.two, met.opening, *astuple(met.first), *astuple(met.second)])
        for met in field.encounters
    )
    return f'{{{groups},\n"met": [\n{met}\n]}}'


def from_text(text: str) -> dict[str, MeasuredField]:
    """Read `to_text` back; raises UnreadableStrengthError."""
    try:
        document = json.loads(text)
        if document["format"] != FORMAT:
            raise UnreadableStrengthError(f"{document['format']!r} is no {FORMAT!r}"[:200])
        return {game: _read_field(game, field) for game, field in document["fields"].items()}
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise UnreadableStrengthError(f"these are no measured strengths: {error!r}"[:200]) from None


def _read_field(game: str, field: Mapping[str, Any]) -> MeasuredField:
    return MeasuredField(
        game=game,
        nodes=dict(field["nodes"]),
        agents=dict(field["agents"]),
        levels=dict(field["levels"]),
        newcomers=dict(field["newcomers"]),
        encounters=tuple(
            Encounter(str(one), str(two), int(opening), Score(*counts[:3]), Score(*counts[3:]))
            for one, two, opening, *counts in field["met"]
        ),
    )
