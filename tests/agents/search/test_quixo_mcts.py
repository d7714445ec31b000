"""Monte Carlo tree search on Quixo's bit boards."""

from random import Random

import pytest

from agents import Analysis, load_agent, play_match
from agents.search.quixo.mcts import QuixoMcts
from engine import load_game
from engine.quixo import Push, QuixoState

GAME = load_game("quixo")


def analyse(state: QuixoState, spec: str = "mcts") -> Analysis[Push]:
    return load_agent(spec, GAME).analyse(state, rng=Random(2))


def test_the_roster_takes_the_fast_one_for_quixo() -> None:
    assert isinstance(load_agent("mcts", GAME).agent, QuixoMcts)
    assert not isinstance(load_agent("mcts", load_game("nim")).agent, QuixoMcts)


def test_it_wins_at_once_when_it_can() -> None:
    analysis = analyse(GAME.parse_state("xxxx./ooo../...../...../..... x"))
    assert analysis.candidates[0].proven
    assert analysis.reason == f"{analysis.choice} wins at once."


@pytest.mark.parametrize("spec", ["mcts", "mcts:take_wins=yes", "mcts:simulations=20"])
def test_every_move_has_its_share_of_the_games(spec: str) -> None:
    analysis = analyse(GAME.start, spec)
    assert {candidate.move for candidate in analysis.candidates} == set(GAME.start.legal_moves())
    shares = {GAME.start.play(each.move): each.share for each in analysis.candidates}
    assert sum(share or 0 for share in shares.values()) == pytest.approx(1)


@pytest.mark.slow
def test_it_beats_random() -> None:
    series = play_match(GAME, "mcts", "random", games=40, seed=5)
    assert (series.first + series.second).points >= 39
