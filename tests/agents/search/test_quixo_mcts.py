"""Monte Carlo tree search on Quixo's bit boards."""

from random import Random

import pytest

from agents import Analysis, Limit, load_agent
from agents.contest.ratings import Score
from agents.errors import UnsuitableAgentError
from agents.search.quixo.mcts import QuixoMcts
from engine import Match, Seat, load_game
from engine.quixo import Push, QuixoState
from tests.positions import reachable_states

GAME = load_game("quixo")


def analyse(
    state: QuixoState | str, spec: str = "mcts", history: tuple[QuixoState, ...] = ()
) -> Analysis[Push]:
    read = GAME.parse_state(state) if isinstance(state, str) else state
    return load_agent(spec, GAME).analyse(read, limit=Limit(), rng=Random(2), history=history)


def points_against_random(games: int) -> Score:
    """The record of `mcts` with its 500 simulations, seats swapped."""
    mcts, other = load_agent("mcts", GAME), load_agent("random", GAME)
    record, rng = Score(), Random(5)
    for number in range(games):
        match, seat = Match.begin(GAME), Seat(number % 2)
        while (outcome := match.outcome()) is None:
            agent = mcts if match.state.to_move is seat else other
            match = match.play(agent.analyse(match.state, limit=Limit(), rng=rng).choice)
        record += Score.of(outcome.score(seat))
    return record


def test_the_roster_takes_the_fast_one_for_quixo() -> None:
    assert isinstance(load_agent("mcts", GAME).agent, QuixoMcts)
    assert not isinstance(load_agent("mcts", load_game("nim")).agent, QuixoMcts)


def test_only_quixo_takes_wins_in_rollouts() -> None:
    with pytest.raises(UnsuitableAgentError, match="take_wins=yes cannot play nim"):
        load_agent("mcts:take_wins=yes", load_game("nim"))


def test_it_wins_at_once_when_it_can() -> None:
    analysis = analyse("xxxx./ooo../...../...../..... x")
    assert analysis.candidates[0].proven
    assert analysis.reason == f"{analysis.choice} wins at once."


@pytest.mark.parametrize("spec", ["mcts", "mcts:take_wins=yes", "mcts:simulations=20"])
def test_the_same_seed_gives_the_same_analysis_with_every_move_in_it(spec: str) -> None:
    one, other = analyse(GAME.start, spec), analyse(GAME.start, spec)
    assert one == other
    assert {candidate.move for candidate in one.candidates} == set(GAME.start.legal_moves())
    shares = {GAME.start.play(each.move): each.share for each in one.candidates}
    assert sum(share or 0 for share in shares.values()) == pytest.approx(1)


def test_a_third_repetition_is_a_draw_for_certain() -> None:
    shuffle = ("a1-a5", "e1-e5", "a5-a1", "e5-e1")
    match = Match.replay(GAME, map(GAME.parse_move, (*shuffle, *shuffle, "a1-a5")))
    back = analyse(match.state, history=match.states[:-1]).candidate(GAME.parse_move("e1-e5"))
    assert (back.value, back.proven, back.plies) == (0, True, 1)


@pytest.mark.slow
def test_what_it_proves_on_3_by_3_the_exact_solver_confirms() -> None:
    game = load_game("quixo:size=3")
    perfect, mcts = load_agent("perfect", game), load_agent("mcts:simulations=3000", game)
    proven = [
        (candidate, perfect.analyse(state, limit=Limit(), rng=Random(1)).candidate(candidate.move))
        for state in reachable_states(game, 60, seed=25)
        for candidate in mcts.analyse(state, limit=Limit(), rng=Random(1)).candidates
        if candidate.proven
    ]
    assert len(proven) > 200
    assert [candidate.value for candidate, _ in proven] == [exact.value for _, exact in proven]


@pytest.mark.slow
def test_it_beats_random() -> None:
    assert points_against_random(40).points >= 39
