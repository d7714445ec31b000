"""Quixo's evolved weights: their kernel plays as alpha-beta does, and they beat c·3^c."""

from math import sqrt

import numpy as np
import pytest

from agents import load_agent
from agents.core import Fact
from agents.evolution.generations import Lineage, recombination
from agents.evolution.quixo_evolved import (
    UNIT,
    WeightEvolution,
    c3c,
    new_workspace,
    weights,
    worth,
)
from agents.evolution.quixo_kernel import WIN, duel, negamax, record_position
from agents.quixo.bitboard import pushed, slides_of
from agents.roster import OPPONENTS, read_agent
from engine import Seat, load_game
from engine.match import Match
from tests.agents.learning.helpers import shipped
from tests.positions import reachable_states

GAME = load_game("quixo")


BRAIN = shipped("quixo-evolved", GAME)
GENES = BRAIN.arrays["genes"]


def sides(state) -> tuple[int, int]:
    """The masks of the side to move and of the other."""
    return (state.x, state.o) if state.to_move is Seat.FIRST else (state.o, state.x)


def squeezed(score: int, scale: float) -> float:
    """A value on the scale of the agents: 1 for a win, -1 for a loss."""
    return float(np.sign(score)) if abs(score) > WIN / 2 else score / (abs(score) + scale)


@pytest.mark.slow
@pytest.mark.parametrize(("sight", "pairs"), [(1, 400), (2, 400), (3, 120)])
def test_evolved_weights_surely_beat_c3c_at_equal_depth(sight: int, pairs: int) -> None:
    openings = np.full(pairs, 4)
    unseen = 4_000_000_000  # training draws its seeds below 2^30
    won, is_drawn, _ = duel(worth(GENES), c3c(), sight, openings, unseen, new_workspace())
    games = 2 * pairs
    points = (won + is_drawn / 2) / games
    error = sqrt(((won + is_drawn / 4) / games - points**2) / games)
    assert points - 1.96 * error > 0.6


def test_the_kernels_pushes_are_the_games() -> None:
    number = {move: at for at, move in enumerate(GAME.all_moves)}
    pairs = [(state, state.legal_moves()[-1]) for state in reachable_states(GAME, 80, seed=2)]
    slides = slides_of(5)
    assert [pushed(*sides(state), slides[number[move]]) for state, move in pairs] == [
        sides(state.play(move)) for state, move in pairs
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3", "quixo-evolved:depth=2"]
)
def test_the_kernels_search_agrees_with_alphabeta_and_with_the_agent_it_bred(spec: str) -> None:
    agent, states = load_agent(spec, GAME), reachable_states(GAME, 12, seed=4)
    own, scale = (c3c(), 324) if "alphabeta" in spec else (worth(GENES), weights(GENES).max())
    depth, board = int(spec[-1]), new_workspace()
    scores = [negamax(*sides(state), 0, depth, 2 * WIN, 0, board, own) for state in states]
    assert [squeezed(score, scale) for score in scores] == pytest.approx(
        [agent.analyse(state).candidates[0].value for state in states]
    )


@pytest.mark.parametrize("depth", [1, 2])
def test_the_kernel_counts_a_third_repetition_as_a_draw(depth: int) -> None:
    to_and_fro = ["a1-e1", "a5-e5", "e1-a1", "e5-a5"]
    match = Match.replay(GAME, [GAME.parse_move(text) for text in [*to_and_fro * 2, "a1-e1"]])
    board = new_workspace()
    counts = [
        record_position(*sides(state), ply, 0, board) for ply, state in enumerate(match.states)
    ]
    agent = load_agent(f"alphabeta:depth={depth}", GAME)
    analysis = agent.analyse(match.state, history=match.states[:-1])
    score = negamax(*sides(match.state), 0, depth, 2 * WIN, match.ply, board, c3c())
    assert max(counts) == 2
    assert squeezed(score, 324) == pytest.approx(analysis.candidates[0].value)


def test_its_genes_are_kept_for_every_point_of_the_curve() -> None:
    assert BRAIN.arrays["generation"].tolist() == [point.step for point in BRAIN.curve]
    assert np.array_equal(BRAIN.arrays["ancestors"][-1], GENES)


@pytest.mark.parametrize(("spec", "least"), [("sight=1", 1), ("sight=2", 10), ("sight=3", 100)])
def test_the_farther_it_looks_the_longer_it_evolves(spec: str, least: float) -> None:
    _, options = read_agent(f"quixo-evolved:{spec}", GAME)
    assert WeightEvolution(OPPONENTS).seconds(GAME, options) > least


def test_it_shows_its_weights_by_kind_of_line() -> None:
    analysis = load_agent("quixo-evolved:depth=1", GAME).analyse(GAME.start)
    facts = {fact.name: str(fact.value) for fact in analysis.evidence}
    fours = 100 * weights(GENES)[:, 3, 4] / UNIT
    assert facts["1 to 4 cubes on a diagonal"].endswith(f" {fours[1]:.0f}")
    assert f" {fours[0]:.0f}, the other's " in facts["1 to 4 cubes on a diagonal"]


def lived(generation: int) -> np.ndarray:
    """The weights recorded in the brain for that generation."""
    kept = dict(zip(BRAIN.arrays["generation"].tolist(), BRAIN.arrays["ancestors"], strict=True))
    return weights(kept[generation])


@pytest.mark.parametrize(
    ("asked", "plays"), [("ancestor=20", 20), ("ancestor=21", 20), ("ancestor=99", 40), ("", 40)]
)
def test_an_ancestor_plays_by_the_weights_it_had(asked: str, plays: int) -> None:
    loaded = load_agent(f"quixo-evolved:depth=1,{asked}".rstrip(","), GAME)
    assert np.array_equal(loaded.agent.weights, lived(plays))
    assert Fact("plays as in generation", plays) in loaded.analyse(GAME.start).evidence
    first = load_agent("quixo-evolved:depth=1,ancestor=0", GAME).agent  # before any that was kept
    assert first.weights[:, :, 1:5].tolist() == [[[2500, 5000, 7500, 10000]] * 4] * 2


def test_every_ancestor_that_was_kept_is_offered_and_its_weights_are_shown() -> None:
    player = load_agent("quixo-evolved:depth=1,ancestor=20", GAME)
    shown = player.analyse(GAME.start, show=True)
    offers = [dict(offer.settings)["ancestor"] for offer in shown.exhibit.ancestors]
    assert offers == [str(point.step) for point in player.agent.brain.curve]
    is_drawn = np.array(
        [[line.points for line in each.lines] for each in shown.exhibit.courses[:2]]
    )
    assert np.allclose(is_drawn[..., 1] * UNIT / 100, lived(20)[:, :, 1:5])
    assert shown.exhibit.sentence.endswith("by the weights of generation 20.")


def test_a_lineage_climbs_to_the_top_of_a_hill() -> None:
    lineage, rng = Lineage(np.ones(6), 0.3, np.zeros(6)), np.random.default_rng(1)
    for _ in range(60):
        lineage = lineage.next_generation(12, lambda children: -(children**2).sum(axis=1), rng)
    assert np.abs(lineage.parent).max() < 0.02
    shares = recombination(5)  # what the better half gives to the next parent, by rank
    assert shares.sum() == pytest.approx(1)
    assert list(shares) == sorted(shares, reverse=True)
