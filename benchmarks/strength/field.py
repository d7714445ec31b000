"""Who meets whom when strength is measured, and how two players meet.

In each variant with a name every agent meets every other. An agent's levels meet these agents, and
each level the next one. Newcomers (whoever can look a single ply ahead, with every other move any
legal one) meet all of them. Everyone is given a number of positions to look at for a move, never
seconds, so that the same seed gives the same games on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from zlib import crc32

from agents.contest.arena import Fixture, Played, Terms, play_game
from agents.contest.ratings import Score
from agents.contest.strength import Encounter, MeasuredField
from agents.core import Limit
from agents.entry import Entry
from agents.errors import BrokenAgentError
from agents.roster import BUILT_IN, agent_spec, agents_for, read_agent
from agents.training.shipped import known_brain
from engine.catalog import BUILT_IN as OUR_GAMES
from engine.catalog import load_game
from engine.core import OptionValue, Seat
from engine.options import Values

GAMES = 10  # of a pair
OPENING = 2  # random plies, where two players would repeat themselves
USUAL_NODES = 500  # positions that a player may look at for a move
NODES = {"quixo-deep": 300_000}  # by agent: compiled code looks at as many in the same time
NEWCOMER = "depth=1,skill=0.5"
SEED = 1913


@dataclass(frozen=True, slots=True)
class Appointment:
    """Two players who are to meet. Texts and numbers only: it crosses to other processes."""

    game: str
    one: str
    two: str
    games: int = GAMES
    seed: int = SEED


def measured_variants() -> tuple[str, ...]:
    """Every variant of our games that has a name, by its spec."""
    return tuple(
        entry.load({"preset": preset.name}).spec for entry in OUR_GAMES for preset in entry.presets
    )


def empty_field(game: str) -> MeasuredField:
    """Who is to be measured in this variant, with nothing played yet."""
    rules = load_game(game)
    entries = [entry for entry in agents_for(rules) if entry in BUILT_IN]
    agents = [entry.key for entry in entries]
    levels = [spec for entry in entries for spec in _levels(entry, game) if spec not in agents]
    newcomers = [
        agent_spec(f"{entry.key}:{NEWCOMER}", rules)
        for entry in entries
        if "depth" in {option.name for option in entry.options}
    ]
    marks = {spec: _fingerprint(spec, game) for spec in (*agents, *levels, *newcomers)}
    return MeasuredField(
        game=game,
        nodes={key: nodes_for(key) for key in agents},
        agents={spec: marks[spec] for spec in agents},
        levels={spec: marks[spec] for spec in levels},
        newcomers={spec: marks[spec] for spec in newcomers},
        encounters=(),
    )


def nodes_for(spec: str) -> int:
    """How many positions a player may look at for a move."""
    return NODES.get(spec.partition(":")[0], USUAL_NODES)


def meetings(field: MeasuredField) -> Iterator[Appointment]:
    """Every pair that has to meet."""
    chains = [
        _levels(entry, field.game)
        for entry in BUILT_IN
        if entry.levels and entry.key in field.agents
    ]
    pairs = [
        *combinations(field.agents, 2),
        *((level, agent) for level in field.levels for agent in field.agents),
        *(
            pair
            for chain in chains
            for pair in pairwise(chain)
            if set(pair) <= set(field.levels)  # who is an agent has met them all
        ),
        *((new, other) for new in field.newcomers for other in (*field.agents, *field.levels)),
    ]
    return (Appointment(field.game, one, two) for one, two in pairs)


def _levels(entry: Entry, game: str) -> list[str]:
    """An agent's levels by their shortest specs, gentlest first."""
    rules = load_game(game)
    return [agent_spec(f"{entry.key}:level={level.name}", rules) for level in entry.levels]


def _fingerprint(spec: str, game: str) -> str:
    """Changes with whatever plays under this spec: its settings, its level, its brain."""
    rules = load_game(game)
    entry, values = read_agent(spec, rules)
    level = [
        (level.limit, level.skill) for level in entry.levels if level.name == values.get("level")
    ]
    brain = known_brain(entry.key, rules, values) if entry.train else None
    digest = brain.digest if brain else ""
    told = (entry.key, _settings(values), level, digest, nodes_for(spec), GAMES, SEED)
    return f"{crc32(repr(told).encode()):08x}"


def meet(meeting: Appointment) -> Encounter:
    """All games of a pair; raises BrokenAgentError where one of them breaks.

    They begin at the start, unless the first four games show that the two would repeat themselves:
    then each pair of games begins with random plies of its own, played from both seats.
    """
    fixtures = list(_fixtures(meeting, opening=0))
    played = [_whole(fixture) for fixture in fixtures[:4]]
    opening = OPENING if _repeated(played) else 0
    if opening:
        fixtures, played = list(_fixtures(meeting, opening)), []
    played += [_whole(fixture) for fixture in fixtures[len(played) :]]
    first, second = (
        sum((each.score(0) for each in played if each.seat(0) is seat), Score()) for seat in Seat
    )
    return Encounter(meeting.one, meeting.two, opening, first, second)


def _fixtures(meeting: Appointment, opening: int) -> Iterator[Fixture]:
    players = (meeting.one, meeting.two)
    terms = Terms(meeting.game, players, meeting.games, meeting.seed, opening=opening)
    for fixture in terms.fixtures():
        first, second = fixture.specs
        limits = Limit(nodes=nodes_for(first)), Limit(nodes=nodes_for(second))
        yield replace(fixture, own_limits=limits)


def _repeated(played: list[Played]) -> bool:
    """Whether games with the same seats went the same way, move by move."""
    return all(one.moves == two.moves for one, two in zip(played, played[2:], strict=False))


def _whole(fixture: Fixture) -> Played:
    played = play_game(fixture)
    if played.fault is not None:
        raise BrokenAgentError(f"{played.loser} on {fixture.game}: {played.fault}")
    return played


def _settings(values: Values) -> list[tuple[str, OptionValue]]:
    """Every option with its value; a search that is off changes nothing of who plays."""
    return sorted(item for item in values.items() if item != ("search", 0))
