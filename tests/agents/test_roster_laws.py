"""Laws that hold for every agent of the roster, in every variant with a name that it can play."""

from functools import cache
from random import Random
from typing import Any

import pytest

from agents import Limit, load_agent
from agents.core import Analysis, Measure, rank
from agents.entry import Technique
from agents.roster import agents_for, find_agent
from engine import load_game
from engine.catalog import all_variants
from tests.positions import reachable_states

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
EVERY = pytest.mark.parametrize(("spec", "key"), [*PAIRS, *ODD])
# These search. The others look up what they know, which takes a look at each legal move.
THINKING = [
    (spec, key)
    for spec, key in PAIRS
    if find_agent(key).technique is Technique.SEARCH or key in ("es-move", "quixo-evolved")
]


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
def analyses(spec: str, key: str) -> tuple[tuple[Any, Analysis[Any]], ...]:
    return tuple((state, ask(agent_for(spec, key), state)) for state in states_of(spec))


@EVERY
def test_the_move_it_plays_is_legal_and_one_it_had_a_chance_of_playing(spec: str, key: str) -> None:
    assert all(
        analysis.choice in state.legal_moves() and analysis.candidate(analysis.choice).chance > 0
        for state, analysis in analyses(spec, key)
    )


@EVERY
def test_its_candidates_are_legal_and_distinct(spec: str, key: str) -> None:
    moves = [
        (state.legal_moves(), [candidate.move for candidate in analysis.candidates])
        for state, analysis in analyses(spec, key)
    ]
    assert all(set(said) <= set(legal) and len(set(said)) == len(said) for legal, said in moves)


@EVERY
def test_its_candidates_are_ordered_best_first(spec: str, key: str) -> None:
    ranks = [[rank(c) for c in analysis.candidates] for _, analysis in analyses(spec, key)]
    assert ranks == [sorted(each) for each in ranks]


@EVERY
def test_its_values_lie_between_a_loss_and_a_win(spec: str, key: str) -> None:
    candidates = [c for _, analysis in analyses(spec, key) for c in analysis.candidates]
    assert all(-1 <= c.value <= 1 for c in candidates if c.value is not None)
    assert all(c.value in (-1, 0, 1) for c in candidates if c.proven)


@EVERY
def test_its_bars_go_by_one_measure_and_stay_within_their_ends(spec: str, key: str) -> None:
    extents = [
        analysis.extent(candidate)
        for _, analysis in analyses(spec, key)
        for candidate in analysis.candidates
    ]
    assert all(extent is None or 0 <= extent <= 1 for extent in extents)
    assert all(analysis.extent(analysis.chosen) is not None for _, analysis in analyses(spec, key))


@EVERY
def test_what_is_no_value_is_not_said_to_be_one(spec: str, key: str) -> None:
    without = [
        candidate
        for _, analysis in analyses(spec, key)
        for candidate in analysis.candidates
        if analysis.measure not in (Measure.VALUE, Measure.VISITS)
    ]
    assert all(candidate.value is None or candidate.proven for candidate in without)


@EVERY
def test_without_values_the_move_it_plays_most_stands_first(spec: str, key: str) -> None:
    silent = [
        analysis
        for _, analysis in analyses(spec, key)
        if all(candidate.value is None for candidate in analysis.candidates)
    ]
    assert all(
        analysis.candidates[0].chance == max(c.chance for c in analysis.candidates)
        for analysis in silent
    )


@EVERY
def test_its_chances_sum_to_one(spec: str, key: str) -> None:
    chances = [[c.chance for c in analysis.candidates] for _, analysis in analyses(spec, key)]
    assert [sum(each) for each in chances] == [pytest.approx(1)] * len(chances)
    assert all(0 <= chance <= 1 for each in chances for chance in each)


@EVERY
def test_it_always_gives_a_reason(spec: str, key: str) -> None:
    reasons = [analysis.reason for _, analysis in analyses(spec, key)]
    assert all(reason.strip() == reason and reason.endswith(".") for reason in reasons)


@EVERY
def test_what_it_expects_begins_with_the_move_and_can_be_played(spec: str, key: str) -> None:
    lines = [
        (state, candidate.move, candidate.line)
        for state, analysis in analyses(spec, key)
        for candidate in analysis.candidates
        if candidate.line
    ]
    assert all(line[0] == move and plays_out(state, line) for state, move, line in lines)


def plays_out(state: Any, line: tuple[Any, ...]) -> bool:
    """Whether every move of the line is legal where it comes; raises IllegalMoveError if not."""
    for move in line:
        state = state.play(move)
    return True


@EVERY
def test_the_same_question_gets_the_same_answer_whatever_was_asked_before(
    spec: str, key: str
) -> None:
    agent = agent_for(spec, key)
    before = [str(state) for state in states_of(spec)]
    assert [ask(agent, state) for state, _ in reversed(analyses(spec, key))] == [
        analysis for _, analysis in reversed(analyses(spec, key))
    ]
    assert [str(state) for state in states_of(spec)] == before


@pytest.mark.parametrize(("spec", "key"), PAIRS)
def test_another_instance_of_it_says_the_same(spec: str, key: str) -> None:
    state, analysis = analyses(spec, key)[-1]
    assert ask(load_agent(key, load_game(spec)), state) == analysis


def may_look_at(spec: str, key: str, state: Any, nodes: int) -> int:
    """The positions an agent may look at: what the limit says, or what one answer takes."""
    return nodes if (spec, key) in THINKING else max(nodes, 1 + len(state.legal_moves()))


@pytest.mark.parametrize("nodes", [1, 37, 400])
@pytest.mark.parametrize(("spec", "key"), PAIRS)
def test_it_looks_at_no_more_positions_than_it_may(spec: str, key: str, nodes: int) -> None:
    states = states_of(spec)[:2]
    found = [ask(agent_for(spec, key), state, Limit(nodes=nodes)) for state in states]
    assert all(
        analysis.effort.nodes <= may_look_at(spec, key, state, nodes)
        for state, analysis in zip(states, found, strict=True)
    )


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize(("spec", "key"), PAIRS)
def test_it_looks_no_deeper_than_it_may(spec: str, key: str, depth: int) -> None:
    limit = Limit(nodes=400, depth=depth)
    found = [ask(agent_for(spec, key), state, limit) for state in states_of(spec)[:2]]
    assert all(analysis.effort.depth <= depth for analysis in found)


@pytest.mark.parametrize(("spec", "key"), PAIRS)
def test_skill_mixes_its_chances_with_any_legal_move(spec: str, key: str) -> None:
    state, own = analyses(spec, key)[-1]
    moves = state.legal_moves()
    slipping = ask(load_agent(f"{key}:skill=0.6", load_game(spec)), state)
    said = {candidate.move: candidate.chance for candidate in own.candidates}
    assert {c.move: c.chance for c in slipping.candidates} == pytest.approx(
        {move: 0.6 * said.get(move, 0.0) + 0.4 / len(moves) for move in moves}
    )


@EVERY
def test_without_rng_it_says_the_same_whenever_it_is_asked(spec: str, key: str) -> None:
    agent, state = agent_for(spec, key), states_of(spec)[-1]
    once = agent.analyse(state, limit=A_LITTLE)
    assert agent.analyse(state, limit=A_LITTLE) == once == ask(agent, state, seed=str(state))


ONE_GAME_EACH = pytest.mark.parametrize(
    ("spec", "key"), [*{key: (spec, key) for spec, key in PAIRS}.values()]
)


@ONE_GAME_EACH
def test_it_needs_nothing_but_a_state(spec: str, key: str) -> None:
    *_, state = states_of(spec)
    assert agent_for(spec, key).analyse(state).choice in state.legal_moves()


@ONE_GAME_EACH
def test_it_shows_as_what_gives_it_back(spec: str, key: str) -> None:
    agent = agent_for(spec, key)
    doors = {"load_agent": load_agent, "load_game": load_game}
    assert eval(repr(agent), doors) == agent
