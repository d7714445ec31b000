"""Minimax, alpha-beta and Monte Carlo tree search against each other and the exact solver."""

from functools import cache
from random import Random

import pytest

from agents import Fact, Limit, load_agent, play_match
from agents.formats import signed
from agents.perfect.oracles import solve
from agents.search.common import evaluation_for
from agents.search.quixo.mcts import QuixoMcts
from engine import Match, load_game
from engine.square import line_evaluation
from tests.positions import random_match, reachable_states


@cache
def reachable(spec: str, count: int, longest: int):
    """The start and states of random play that are not over."""
    rng, game = Random(7), load_game(spec)
    states = [game.start]
    while len(states) < count:
        match = random_match(game, rng.randrange(1, longest), rng)
        states += [match.state] if match.state.legal_moves() else []
    return tuple(states)


def analyse(spec: str, state, agent: str, history=(), **limit):
    made = load_agent(agent, load_game(spec))
    return made.analyse(state, limit=Limit(**limit), rng=Random(1), history=history)


def figures(analysis):
    return {c.move: (c.value, c.plies, c.chance) for c in analysis.candidates}


SHALLOW = [
    ("tictactoe", 60, 7, 4),
    ("nim:preset=twenty-one", 20, 9, 7),
    ("nim:heaps=4-4-3,max_take=2,last=wins", 30, 6, 6),
    ("quixo", 15, 40, 2),
]
DEEP = [
    ("tictactoe", 20, 8, 9),
    ("nim", 15, 7, 3),
    ("nim:preset=marienbad", 15, 6, 5),
    ("quixo", 4, 40, 3),
    ("quixo:size=4", 8, 20, 3),
    ("quixo:size=3", 8, 8, 4),
]
SOAKED = [(spec, 4 * count, longest, depth) for spec, count, longest, depth in DEEP]
CASES = [
    *SHALLOW,
    *(pytest.param(*case, marks=pytest.mark.slow) for case in DEEP),
    *(pytest.param(*case, marks=pytest.mark.soak) for case in SOAKED),
]


@pytest.mark.slow
@pytest.mark.parametrize("evaluation", ["none", "game"])
@pytest.mark.parametrize(("spec", "count", "longest", "depth"), CASES)
def test_alphabeta_says_what_minimax_says_of_every_move(spec, count, longest, depth, evaluation):
    options = f"depth={depth},evaluation={evaluation}"
    states = reachable(spec, count, longest)
    assert [figures(analyse(spec, state, f"alphabeta:{options}")) for state in states] == [
        figures(analyse(spec, state, f"minimax:{options}")) for state in states
    ]


@pytest.mark.slow
@pytest.mark.parametrize("evaluation", ["none", "game"])
@pytest.mark.parametrize(
    ("spec", "count", "longest", "depth"),
    [
        ("tictactoe", 10, 5, 4),
        ("nim", 5, 5, 3),
        ("nim:preset=marienbad", 8, 4, 4),
        ("quixo", 2, 30, 3),
        ("quixo:size=3", 4, 6, 3),
    ],
)
def test_alphabeta_looks_at_fewer_positions(spec, count, longest, depth, evaluation):
    options = f"depth={depth},evaluation={evaluation}"
    pairs = [
        (
            analyse(spec, state, f"alphabeta:{options}").effort.nodes,
            analyse(spec, state, f"minimax:remember=no,{options}").effort.nodes,
        )
        for state in reachable(spec, count, longest)
    ]
    assert all(pruned <= plain for pruned, plain in pairs)
    assert 2 * sum(pruned for pruned, _ in pairs) < sum(plain for _, plain in pairs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "count", "longest", "depth"), [case for case in (*SHALLOW, *DEEP) if case[3] < 4]
)
def test_remembering_changes_nothing_but_the_effort(spec, count, longest, depth):
    states = reachable(spec, count // 4, longest)
    remembering = load_agent(f"minimax:depth={depth}", load_game(spec))
    answers = [figures(remembering.analyse(state, rng=Random(1))) for state in states]
    forgetting = f"minimax:depth={depth},remember=no"
    assert answers == [figures(analyse(spec, state, forgetting)) for state in states]


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["minimax:depth=30", "alphabeta:depth=30"])
@pytest.mark.parametrize(
    "spec", ["tictactoe", "nim:preset=marienbad", "nim:preset=twenty-one", "nim:preset=normal"]
)
def test_at_full_depth_every_value_is_the_exact_one(spec, agent):
    solution = solve(load_game(spec))
    states = reachable(spec, 25, 5)
    exact = [int(solution.value[solution.tables.number[state]]) for state in states]
    plies = [int(solution.plies[solution.tables.number[state]]) for state in states]
    best = [analyse(spec, state, agent).candidates[0] for state in states]
    assert [candidate.value for candidate in best] == exact
    assert all(candidate.proven for candidate in best)
    assert [c.plies for c, value in zip(best, exact, strict=True) if value] == [
        ply for ply, value in zip(plies, exact, strict=True) if value
    ]


@pytest.mark.parametrize("agent", ["minimax", "alphabeta", "mcts"])
@pytest.mark.parametrize(
    ("spec", "text", "move"),
    [
        ("tictactoe", "xx./oo./... x", "c3"),
        ("tictactoe", "xx./o../... o", "c3"),
        ("nim", "0-2-1-0-0 o", "b2"),
        ("nim:preset=normal", "0-2-1 x", "b1"),
    ],
)
def test_a_search_sees_what_is_near(agent, spec, text, move):
    state = load_game(spec).parse_state(text)
    assert str(analyse(spec, state, agent).choice) == move


@pytest.mark.parametrize("agent", ["minimax", "alphabeta", "mcts"])
def test_the_quicker_win_is_preferred(agent):
    state = load_game("quixo:size=3").parse_state("xx./oo./... x")
    analysis = analyse("quixo:size=3", state, agent)
    assert (analysis.chosen.plies, analysis.chosen.proven) == (1, True)
    assert f"{analysis.choice} wins at once" in analysis.reason


@pytest.mark.parametrize("agent", ["minimax:depth=2", "alphabeta:depth=2", "mcts", "quixo-deep"])
def test_a_third_repetition_is_seen_as_a_draw(agent):
    game = load_game("quixo")
    shuffle = ("a1-e1", "a5-e5", "e1-a1", "e5-a5") * 3
    match = Match.replay(game, [game.parse_move(text) for text in shuffle[:9]])
    analysis = analyse("quixo", match.state, agent, history=match.states[:-1], depth=3)
    again = analysis.candidate(game.parse_move(shuffle[9]))
    assert match.play(again.move).result() == "draw: repetition"
    assert (again.value, again.proven) == (0, True)
    assert again.plies == (1 if agent in ("mcts", "quixo-deep") else None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "spec", "count", "seed", "least", "limit"),
    [
        ("mcts", "tictactoe", 12, 25, 1, {}),
        ("mcts", "nim:preset=marienbad", 12, 25, 1, {}),
        ("mcts:simulations=3000", "quixo:size=3", 60, 25, 200, {}),
        ("quixo-deep", "quixo:size=3", 60, 24, 300, {"depth": 6}),
        ("quixo-deep:threads=2", "quixo:size=3", 30, 26, 100, {"seconds": 0.05}),
    ],
)
def test_what_a_search_proves_the_exact_solver_confirms(agent, spec, count, seed, least, limit):
    solution = solve(load_game(spec))
    states = reachable_states(load_game(spec), count, seed)
    proven = [
        (-int(solution.value[solution.tables.number[state.play(c.move)]]), c.value)
        for state in states
        for c in analyse(spec, state, agent, **limit).candidates
        if c.proven
    ]
    assert len(proven) >= least
    assert [exact for exact, _ in proven] == [found for _, found in proven]


@pytest.mark.parametrize("agent", ["minimax", "alphabeta", "mcts"])
def test_without_time_it_still_moves_and_says_so(agent):
    analysis = analyse("quixo", load_game("quixo").start, agent, seconds=0.0)
    assert "no time" in analysis.reason


@pytest.mark.parametrize("size", ["3", "5"])
def test_the_line_evaluation_is_the_same_for_both_seats_with_colours_exchanged(size):
    game = load_game(f"quixo:size={size}")
    evaluate = line_evaluation(int(size))
    states = [state for state in reachable(game.spec, 30, 12) if state != game.start]
    swapped = [
        game.parse_state(str(state).translate(str.maketrans("xo", "ox"))) for state in states
    ]
    assert [evaluate(state) for state in states] == [evaluate(state) for state in swapped]
    assert all(-1 < evaluate(state) < 1 for state in states)


def test_alphabeta_says_what_is_halfway_between_its_last_two_depths():
    """Minimax's value of Quixo swings with the parity of the depth; the evidence has the mean."""
    state = reachable("quixo", 15, 40)[3]
    analysis = analyse("quixo", state, "alphabeta:nodes=3000")
    depth = analysis.effort.depth
    assert depth >= 2
    before, last = (
        max(c.value for c in analyse("quixo", state, f"alphabeta:depth={d}").candidates)
        for d in (depth - 1, depth)
    )
    assert analysis.evidence[-1] == Fact(
        f"halfway between {depth - 1} and {depth} plies", signed((before + last) / 2)
    )
    assert max(c.value for c in analysis.candidates) == last


def test_alphabeta_counts_its_positions_exactly_and_has_no_mean_where_the_value_is_proven():
    analysis = analyse("tictactoe", load_game("tictactoe").start, "alphabeta:nodes=100000")
    facts = {fact.name: fact.value for fact in analysis.evidence}
    assert facts["positions looked at"] == analysis.effort.nodes < 10_000
    assert [name for name in facts if "halfway" in name or "about" in name] == []


@pytest.mark.parametrize("spec", ["tictactoe", "nim", "quixo"])
def test_monte_carlos_reason_has_the_score_of_its_candidate(spec):
    analysis = analyse(spec, load_game(spec).start, "mcts:simulations=60")
    chosen = analysis.chosen
    assert f"it rates {chosen.move} {signed(chosen.value)} (+1 is a win)" in analysis.reason
    said = f"{chosen.share:.0%} of the games it played in its head began with {chosen.move}"
    assert spec == "nim" or analysis.reason.startswith(said)


def test_monte_carlo_makes_no_difference_between_mirror_images():
    corners = [
        (c.value, c.share, c.chance)
        for c in analyse("tictactoe", load_game("tictactoe").start, "mcts").candidates
        if str(c.move) in ("a1", "a3", "c1", "c3")
    ]
    assert corners == [corners[0]] * 4


@pytest.mark.parametrize(
    ("spec", "agent"),
    [
        *((spec, "mcts") for spec in ("tictactoe", "nim", "quixo")),
        *(("quixo", f"mcts:{option}") for option in ("take_wins=yes", "simulations=20")),
    ],
)
def test_the_shares_of_visits_sum_to_one_with_equivalent_moves_counted_once(spec, agent):
    game, on_bits = load_game(spec), spec == "quixo"
    assert isinstance(load_agent(agent, game).agent, QuixoMcts) == on_bits
    candidates = analyse(spec, game.start, agent).candidates
    assert {candidate.move for candidate in candidates} == set(game.start.legal_moves())
    same = (lambda state: state) if on_bits else game.canonical  # bit boards are not mirrored
    shares = {same(game.start.play(c.move)): c.share for c in candidates}
    assert sum(shares.values()) == pytest.approx(1)


@pytest.mark.slow
def test_monte_carlo_beats_random_at_quixo():
    assert play_match(load_game("quixo"), "mcts", "random", games=40, seed=5).score.points >= 39


@pytest.mark.parametrize("agent", ["minimax:depth=1", "alphabeta:depth=2"])
def test_theory_tells_the_moves_of_twenty_one_apart(agent):
    """Where 1 to 3 may be taken, 17 is lost; looking ahead alone finds all moves alike."""
    state = load_game("nim:preset=twenty-one").parse_state("20 x")
    plain = analyse("nim:preset=twenty-one", state, agent)
    analysis = analyse("nim:preset=twenty-one", state, f"{agent},evaluation=theory")
    assert "moves look equal" in plain.reason
    assert (str(analysis.choice), analysis.candidate(analysis.choice).value) == ("a3", 0.9)
    assert "it rates a3 +0.90" in analysis.reason


@pytest.mark.parametrize("name", ["none", "game", "theory"])
def test_an_evaluation_that_a_game_does_not_have_is_nothing(name):
    evaluation = evaluation_for(name, load_game("tictactoe"))
    marked = load_game("tictactoe").parse_state("xo./.x./... o")
    assert (evaluation(marked) != 0) == (name == "game")
