"""The Nim players that follow a rule, checked against the solver and by exact computation."""

from random import Random

import pytest

from agents import Limit, load_agent
from agents.perfect.oracles import solve
from agents.rules.nim_expert import survival_chances
from engine import load_game
from engine.nim_theory import is_lost, winning_moves

VARIANTS = [
    f"nim:heaps={heaps},last={last},max_take={take}"
    for heaps in ("1-3-5-7", "3-4-5", "2-2-2-2", "0-6-1", "21", "5-6", "1-1-1-1-1")
    for last in ("loses", "wins")
    for take in ("none", "1", "2", "3", "4")
]


def analyse(spec: str, text: str, agent: str):
    game = load_game(spec)
    return load_agent(agent, game).analyse(game.parse_state(text), limit=Limit(), rng=Random(1))


def open_states(spec: str):
    solution = solve(load_game(spec))
    states = zip(solution.tables.states, solution.value, strict=True)
    return [(state, value) for state, value in states if state.outcome() is None]


@pytest.mark.parametrize("spec", VARIANTS)
def test_theory_and_solver_agree_on_every_position(spec):
    assert [is_lost(state) for state, _ in open_states(spec)] == [
        value < 0 for _, value in open_states(spec)
    ]


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_winning_moves_are_those_that_leave_a_lost_position(spec):
    assert [winning_moves(state) for state, _ in open_states(spec)] == [
        tuple(move for move in state.legal_moves() if is_lost(state.play(move)))
        for state, _ in open_states(spec)
    ]


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_experts_value_is_the_solvers_in_every_position(spec):
    expert = load_agent("nim-expert", load_game(spec))
    analyses = [
        expert.analyse(state, limit=Limit(), rng=Random(1)) for state, _ in open_states(spec)
    ]
    assert [analysis.candidates[0].value for analysis in analyses] == [
        value for _, value in open_states(spec)
    ]
    assert all(
        analysis.candidate(analysis.choice).value == analysis.candidates[0].value
        for analysis in analyses
    )


@pytest.mark.parametrize(
    ("spec", "text", "reason"),
    [
        (
            "nim",
            "1-3-5-7-9 x",
            "e9 leaves 1-3-5-7-0, nim-sum 0: every reply can be answered.",
        ),
        ("nim", "0-2-1-0-0 o", "b2 leaves 0-0-1-0-0: the last object has to be taken."),
        (
            "nim",
            "1-1-1-4-0 o",
            "d4 leaves 1-1-1-0-0, 3 single objects, an odd number: every reply can be answered.",
        ),
        ("nim:preset=normal", "0-0-4 x", "c4 takes the last object and wins."),
        (
            "nim:preset=twenty-one",
            "20 x",
            "a3 leaves 17, one more than a multiple of 4: every reply can be answered.",
        ),
        (
            "nim:preset=twenty-one",
            "21 x",
            "21 is one more than a multiple of 4, so every move loses against best play; "
            "after a1 only 1 of 3 replies would keep the win.",
        ),
        (
            "nim:heaps=5-6-5,max_take=3",
            "5-5-5 o",
            "5-5-5 is 3 heaps of 1 mod 4 and none larger, an odd number, so every move loses "
            "against best play; after a2 only 3 of 9 replies would keep the win.",
        ),
        (
            "nim",
            "1-1-1-0-0 x",
            "1-1-1-0-0 is 3 single objects, an odd number, so every move loses against best play; "
            "after a1 no reply can go wrong.",
        ),
    ],
)
def test_the_expert_explains_itself_in_the_words_of_the_theory(spec, text, reason):
    assert analyse(spec, text, "nim-expert").reason == reason


def test_the_expert_shows_the_heaps_and_their_sum_in_binary():
    facts = {fact.name: fact.value for fact in analyse("nim", "1-3-5-7-9 x", "nim-expert").evidence}
    assert (facts["heap c"], facts["heap e"], facts["nim-sum"]) == ("0101", "1001", "1001")


def test_a_lost_expert_plays_the_trap_that_is_hardest_to_answer():
    state = load_game("nim").parse_state("1-3-5-7-0 x")
    survival = survival_chances(state)
    analysis = analyse("nim", str(state), "nim-expert")
    assert survival[analysis.choice] == min(survival.values()) < 1e-6


def test_heaps_too_many_to_see_through_still_get_an_answer():
    analysis = analyse(
        "nim:heaps=50-50-50-50-50-50-49-49-50-50", f"{'-'.join(['49'] * 10)} x", "nim-expert"
    )
    assert analysis.reason.endswith("replies would keep the win.")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1-3-5-7-9 x", "e9 leaves 1-3-5-7-0, nim-sum 0: no other move does."),
        (
            "0-3-0-0-1 x",
            "b2 leaves 0-1-0-0-1, nim-sum 0: no other move does. "
            "It overlooks that the last object loses: left like this, you can win.",
        ),
        (
            "0-2-0-0-0 x",
            "b2 leaves 0-0-0-0-0, nim-sum 0: no other move does. "
            "It overlooks that the last object loses.",
        ),
        (
            "1-1-0-0-0 o",
            "No move leaves a nim-sum that is 0, so a1 was drawn from all there are.",
        ),
    ],
)
def test_the_nim_sum_player_shows_where_it_goes_wrong(text, reason):
    assert analyse("nim", text, "nim-sum").reason == reason


def test_the_courses_optimal_leaves_any_sum_but_zero():
    analysis = analyse("nim", "1-3-5-7-9 x", "nim-sum:leave=nonzero")
    assert {str(c.move) for c in analysis.candidates if c.chance == 0} == {"e9"}


@pytest.mark.parametrize(
    ("spec", "text", "move"),
    [
        ("nim", "1-3-5-7-9 x", "a1"),
        ("nim", "0-0-5-7-9 o", "c5"),
        ("nim:preset=twenty-one", "21 x", "a3"),
    ],
)
def test_greedy_heap_takes_all_it_may_of_the_first_heap(spec, text, move):
    assert str(analyse(spec, text, "greedy-heap").choice) == move
