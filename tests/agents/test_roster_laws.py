"""Laws that hold for every agent of the roster, in every variant with a name that it can play."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import pytest

from agents import Limit, load_agent
from agents.core import Analysis, Measure, rank
from agents.entry import Technique
from agents.roster import agents_for, find_agent
from engine import IllegalMoveError, load_game
from engine.catalog import all_variants
from tests.positions import reachable_states
from tests.soaking import lessened

A_LITTLE = Limit(nodes=200, depth=2)
STATES = 4

# Solving 4×4 and learning 3×3 take longer than all the rest; they have tests of their own.
ELSEWHERE = {("quixo:size=4", "perfect"), ("quixo:size=3", "qlearning")}

PAIRS = [
    (game.spec, entry.key)
    for game in all_variants()
    for entry in agents_for(game)
    if (game.spec, entry.key) not in ELSEWHERE
]
# What a variant without a name can do to an agent that needs no training.
ODD = [
    (spec, key)
    for spec in ("nim:heaps=1", "nim:heaps=0-2-0-2,max_take=1", "nim:heaps=4-4-4,last=wins")
    for key in ("random", "opportunist", "nim-sum", "nim-expert", "alphabeta", "mcts", "es-move")
]


def every(pairs: list[tuple[str, str]]) -> Any:
    """A test for each agent, over all its games: one for each game too would take longer to begin
    than to run. An agent's laws run in one process, which keeps what it said."""
    return pytest.mark.parametrize("key", sorted({key for _, key in pairs}))


EVERY, NAMED = every([*PAIRS, *ODD]), every(PAIRS)
# These search. The others look up what they know, which takes a look at each legal move.
THINKING = [
    (spec, key)
    for spec, key in PAIRS
    if find_agent(key).technique is Technique.SEARCH or key in ("es-move", "quixo-evolved")
]


@dataclass(frozen=True)
class Asked:
    """What an agent said where; its text names the place in a failed test."""

    spec: str
    state: Any
    analysis: Analysis[Any]

    def __str__(self) -> str:
        return f"{self.spec} at {self.state}: {self.analysis}"


@cache
def agent_for(spec: str, key: str) -> Any:
    return load_agent(key, load_game(spec))


@cache
def states_of(spec: str) -> tuple[Any, ...]:
    game = load_game(spec)
    return (game.start, *reachable_states(game, STATES - 1, seed=11))


def ask(agent: Any, state: Any, limit: Limit = A_LITTLE, seed: int | str = 5) -> Analysis[Any]:
    analysis: Analysis[Any] = agent.analyse(state, limit=limit, rng=Random(seed))
    return analysis


@cache
def asked(spec: str, key: str) -> tuple[Asked, ...]:
    return tuple(Asked(spec, state, ask(agent_for(spec, key), state)) for state in states_of(spec))


def games_of(key: str, pairs: list[tuple[str, str]]) -> list[str]:
    return [spec for spec, each in pairs if each == key]


def against(law: Callable[[Asked], bool], key: str) -> list[str]:
    """Where what the agent said is against the law: nowhere, if the law holds."""
    everywhere = [each for spec in games_of(key, [*PAIRS, *ODD]) for each in asked(spec, key)]
    assert everywhere
    return [str(each) for each in everywhere if not law(each)]


def test_every_agent_in_the_catalogue_is_looked_at() -> None:
    keys = {key for _, key in PAIRS}
    assert keys == {entry.key for game in all_variants() for entry in agents_for(game)}


@EVERY
def test_the_move_it_plays_is_legal_and_one_it_had_a_chance_of_playing(key: str) -> None:
    def law(at: Asked) -> bool:
        choice = at.analysis.choice
        return choice in at.state.legal_moves() and at.analysis.candidate(choice).chance > 0

    assert against(law, key) == []


@EVERY
def test_its_candidates_are_legal_and_distinct(key: str) -> None:
    def law(at: Asked) -> bool:
        moves = [candidate.move for candidate in at.analysis.candidates]
        return set(moves) <= set(at.state.legal_moves()) and len(set(moves)) == len(moves)

    assert against(law, key) == []


@EVERY
def test_its_candidates_are_ordered_best_first(key: str) -> None:
    def law(at: Asked) -> bool:
        ranks = [rank(candidate) for candidate in at.analysis.candidates]
        return ranks == sorted(ranks)

    assert against(law, key) == []


@EVERY
def test_its_values_lie_between_a_loss_and_a_win(key: str) -> None:
    def law(at: Asked) -> bool:
        candidates = at.analysis.candidates
        return all(-1 <= c.value <= 1 for c in candidates if c.value is not None) and all(
            c.value in (-1, 0, 1) for c in candidates if c.proven
        )

    assert against(law, key) == []


@EVERY
def test_its_bars_go_by_one_measure_and_stay_within_their_ends(key: str) -> None:
    def law(at: Asked) -> bool:
        extents = [at.analysis.extent(candidate) for candidate in at.analysis.candidates]
        within = all(extent is None or 0 <= extent <= 1 for extent in extents)
        return within and at.analysis.extent(at.analysis.chosen) is not None

    assert against(law, key) == []


@EVERY
def test_what_is_no_value_is_not_said_to_be_one(key: str) -> None:
    def law(at: Asked) -> bool:
        return at.analysis.measure in (Measure.VALUE, Measure.VISITS) or all(
            candidate.value is None or candidate.proven for candidate in at.analysis.candidates
        )

    assert against(law, key) == []


@EVERY
def test_without_values_the_move_it_plays_most_stands_first(key: str) -> None:
    def law(at: Asked) -> bool:
        candidates = at.analysis.candidates
        silent = all(candidate.value is None for candidate in candidates)
        return not silent or candidates[0].chance == max(c.chance for c in candidates)

    assert against(law, key) == []


@EVERY
def test_its_chances_sum_to_one(key: str) -> None:
    def law(at: Asked) -> bool:
        chances = [candidate.chance for candidate in at.analysis.candidates]
        return sum(chances) == pytest.approx(1) and all(0 <= chance <= 1 for chance in chances)

    assert against(law, key) == []


@EVERY
def test_it_always_gives_a_reason(key: str) -> None:
    def law(at: Asked) -> bool:
        reason = at.analysis.reason
        return reason.strip() == reason and reason.endswith(".")

    assert against(law, key) == []


@EVERY
def test_what_it_expects_begins_with_the_move_and_can_be_played(key: str) -> None:
    def law(at: Asked) -> bool:
        return all(
            candidate.line[0] == candidate.move and plays_out(at.state, candidate.line)
            for candidate in at.analysis.candidates
            if candidate.line
        )

    assert against(law, key) == []


def plays_out(state: Any, line: tuple[Any, ...]) -> bool:
    """Whether every move of the line is legal where it comes."""
    try:
        for move in line:
            state = state.play(move)
    except IllegalMoveError:
        return False
    return True


@EVERY
def test_the_same_question_gets_the_same_answer_whatever_was_asked_before(key: str) -> None:
    specs = games_of(key, [*PAIRS, *ODD])
    first = [each for spec in specs for each in asked(spec, key)]
    before = [str(each.state) for each in first]
    again = [
        Asked(each.spec, each.state, ask(agent_for(each.spec, key), each.state))
        for each in reversed(first)
    ]
    assert again == first[::-1]
    assert [str(each.state) for each in first] == before


@NAMED
def test_another_instance_of_it_says_the_same(key: str) -> None:
    last = [asked(spec, key)[-1] for spec in games_of(key, PAIRS)]
    others = [
        Asked(at.spec, at.state, ask(load_agent(key, load_game(at.spec)), at.state)) for at in last
    ]
    assert others == last


def within(key: str, limit: Limit) -> list[Asked]:
    """What the agent says under that limit, in two states of each of its games."""
    return [
        Asked(spec, state, ask(agent_for(spec, key), state, limit))
        for spec in games_of(key, PAIRS)
        for state in states_of(spec)[:2]
    ]


def may_look_at(key: str, at: Asked, nodes: int) -> int:
    """The positions an agent may look at: what the limit says, or what one answer takes."""
    return nodes if (at.spec, key) in THINKING else max(nodes, 1 + len(at.state.legal_moves()))


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [1, 37, 400])
@NAMED
def test_it_looks_at_no_more_positions_than_it_may(key: str, nodes: int) -> None:
    found = within(key, Limit(nodes=nodes))
    beyond = [str(at) for at in found if at.analysis.effort.nodes > may_look_at(key, at, nodes)]
    assert beyond == []


@pytest.mark.parametrize("depth", [1, 2])
@NAMED
def test_it_looks_no_deeper_than_it_may(key: str, depth: int) -> None:
    found = within(key, Limit(nodes=400, depth=depth))
    assert [str(at) for at in found if at.analysis.effort.depth > depth] == []


@NAMED
def test_skill_mixes_its_chances_with_any_legal_move(key: str) -> None:
    def chances(at: Asked) -> dict[Any, float]:
        return {candidate.move: candidate.chance for candidate in at.analysis.candidates}

    def mixed(at: Asked) -> dict[Any, float]:
        own, moves = chances(at), at.state.legal_moves()
        return {move: 0.6 * own.get(move, 0.0) + 0.4 / len(moves) for move in moves}

    last = [asked(spec, key)[-1] for spec in games_of(key, PAIRS)]
    slipping = [
        Asked(at.spec, at.state, ask(load_agent(f"{key}:skill=0.6", load_game(at.spec)), at.state))
        for at in last
    ]
    wrong = [
        str(at)
        for at, own in zip(slipping, last, strict=True)
        if chances(at) != pytest.approx(mixed(own))
    ]
    assert wrong == []


@pytest.mark.slow
@NAMED
def test_without_rng_it_says_the_same_whenever_it_is_asked(key: str) -> None:
    def differs(spec: str) -> bool:
        agent, state = agent_for(spec, key), states_of(spec)[-1]
        once = agent.analyse(state, limit=A_LITTLE)
        same = ask(agent, state, seed=str(state))
        return not agent.analyse(state, limit=A_LITTLE) == once == same

    assert [spec for spec in games_of(key, PAIRS) if differs(spec)] == []


@pytest.mark.slow
@NAMED
def test_it_needs_nothing_but_a_state(key: str) -> None:
    spec, *_ = games_of(key, PAIRS)
    *_, state = states_of(spec)
    assert agent_for(spec, key).analyse(state).choice in state.legal_moves()


@NAMED
def test_it_shows_as_what_gives_it_back(key: str) -> None:
    agent = agent_for(games_of(key, PAIRS)[0], key)
    doors = {"load_agent": load_agent, "load_game": load_game}
    assert eval(repr(agent), doors) == agent


def named_first(at: Asked) -> str | None:
    """The first legal move that the reason names, if it names one."""
    moves = {str(move) for move in at.state.legal_moves()}
    words = re.findall(r"[a-z]\d+(?:-[a-z]\d+)?", at.analysis.reason)
    return next((word for word in words if word in moves), None)


@EVERY
def test_the_first_move_that_a_reason_names_is_the_one_it_plays(key: str) -> None:
    assert against(lambda at: named_first(at) in (None, str(at.analysis.choice)), key) == []


@pytest.mark.soak
@EVERY
def test_the_first_move_that_a_reason_names_is_the_one_it_plays_in_many_positions(key: str) -> None:
    everywhere = [
        Asked(spec, state, ask(agent_for(spec, key), state))
        for spec in games_of(key, [*PAIRS, *ODD])
        for state in reachable_states(load_game(spec), lessened(100, 15), seed=41)
    ]
    wrong = [at for at in everywhere if named_first(at) not in (None, str(at.analysis.choice))]
    assert [str(at) for at in wrong] == []
