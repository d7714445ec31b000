"""Players that follow a rule: those of Nim against the solver, and the opportunist."""

from random import Random

import pytest

from agents import Limit, load_agent
from agents.perfect.oracles import solve
from agents.rules.nim_expert import survival_chances
from engine import load_game

VARIANTS = [
    f"nim:heaps={heaps},last={last},max_take={take}"
    for heaps in ("1-3-5-7", "3-4-5", "2-2-3-3-4", "0-6-1", "21", "5-6", "1-1-1-1-1-1")
    for last in ("loses", "wins")
    for take in ("none", "1", "2", "3", "4")
]


def analyse(spec: str, text: str, agent: str):
    game = load_game(spec)
    return load_agent(agent, game).analyse(game.parse_state(text), limit=Limit(), rng=Random(1))


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_experts_value_is_the_solvers_in_every_position(spec):
    solution, expert = solve(load_game(spec)), load_agent("nim-expert", load_game(spec))
    states = zip(solution.tables.states, solution.value, strict=True)
    found = [
        (said.candidates[0].value, said.chosen.value, value)
        for state, value in states
        if state.outcome() is None
        for said in [expert.analyse(state)]
    ]
    assert found == [(value, value, value) for *_, value in found]


@pytest.mark.parametrize(
    ("spec", "text", "reason"),
    [
        ("nim", "1-3-5-7-9 x", "e9 leaves 1-3-5-7-0, nim-sum 0: it has an answer to every reply."),
        ("nim", "0-2-1-0-0 o", "b2 leaves 0-0-1-0-0: the last match has to be taken."),
        (
            "nim",
            "1-1-1-4-0 o",
            "d4 leaves 1-1-1-0-0, 3 single matches, an odd number: "
            "it has an answer to every reply.",
        ),
        ("nim:preset=normal", "0-0-4 x", "c4 takes the last match and wins."),
        (
            "nim:preset=twenty-one",
            "20 x",
            "a3 leaves 17, one more than a multiple of 4: it has an answer to every reply.",
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
            "5-5-5 is 3 rows of 1 mod 4 and none larger, an odd number, so every move loses "
            "against best play; after a2 only 3 of 9 replies would keep the win.",
        ),
        (
            "nim",
            "1-1-1-0-0 x",
            "1-1-1-0-0 is 3 single matches, an odd number, so every move loses against best play; "
            "after a1 no reply can go wrong.",
        ),
    ],
)
def test_the_expert_explains_itself_in_the_words_of_the_theory(spec, text, reason):
    assert analyse(spec, text, "nim-expert").reason == reason


def test_a_lost_expert_plays_the_trap_that_is_hardest_to_answer():
    state = load_game("nim").parse_state("1-3-5-7-0 x")
    survival = survival_chances(state)
    analysis = analyse("nim", str(state), "nim-expert")
    assert survival[analysis.choice] == min(survival.values()) < 1e-6
    facts = {fact.name: fact.value for fact in analyse("nim", "1-3-5-7-9 x", "nim-expert").evidence}
    assert (facts["row c"], facts["row e"], facts["nim-sum"]) == ("0101", "1001", "1001")
    too_many = ("nim:heaps=50-50-50-50-50-50-49-49-50-50", f"{'-'.join(['49'] * 10)} x")
    assert analyse(*too_many, "nim-expert").reason.endswith("replies would keep the win.")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1-3-5-7-9 x", "e9 leaves 1-3-5-7-0, nim-sum 0: no other move does."),
        (
            "0-3-0-0-1 x",
            "b2 leaves 0-1-0-0-1, nim-sum 0: no other move does. "
            "It forgets that the last match loses: left like this, you can win.",
        ),
        (
            "0-2-0-0-0 x",
            "b2 leaves 0-0-0-0-0, nim-sum 0: no other move does. "
            "It forgets that the last match loses.",
        ),
        (
            "1-1-0-0-0 o",
            "No move leaves a nim-sum that is 0, so it picked a1 at random.",
        ),
    ],
)
def test_the_nim_sum_player_shows_where_it_goes_wrong(text, reason):
    assert analyse("nim", text, "nim-sum").reason == reason
    course = analyse("nim", "1-3-5-7-9 x", "nim-sum:leave=nonzero")  # any sum but 0
    assert {str(c.move) for c in course.candidates if c.chance == 0} == {"e9"}


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


@pytest.mark.parametrize(
    ("game_spec", "text", "wins"),
    [
        ("tictactoe", "xx./oo./... x", {"c3"}),
        ("tictactoe", "xx./oo./x.. o", {"c2"}),
        ("tictactoe", "x.x/.oo/xo. x", {"b3", "a2"}),
        ("nim:preset=normal", "0-2-0 x", {"b2"}),
        ("quixo:size=3", "xx./oo./... x", {"c3-a3", "c1-c3", "c2-c3"}),
    ],
)
def test_the_opportunist_plays_only_moves_that_win_at_once_where_there_are_any(
    game_spec, text, wins
):
    analysis = analyse(game_spec, text, "opportunist")
    assert {str(c.move) for c in analysis.candidates if c.chance > 0} == wins


@pytest.mark.parametrize(
    ("game_spec", "text"), [("tictactoe", "xx./o../... o"), ("nim", "1-3-5-7-9 x")]
)
def test_elsewhere_every_legal_move_is_as_likely_as_the_next(game_spec, text):
    analysis = analyse(game_spec, text, "opportunist")
    assert {c.chance for c in analysis.candidates} == {1 / len(analysis.candidates)}


def test_the_opportunists_reason_tells_a_win_from_a_draw_of_lots():
    assert (
        analyse("tictactoe", "xx./oo./... x", "opportunist").reason
        == "c3 wins at once; no other move does."
    )
    assert "It cannot win at once" in analyse("tictactoe", "xx./o../... o", "opportunist").reason
