"""Q-learning on boards too large for a table: a dictionary of positions met."""

from dataclasses import replace
from random import Random

import pytest

from agents import load_agent
from agents.errors import UnsuitableAgentError, UnsuitableBrainError
from agents.learning.qsparse import Dictionary, TrainingRun, bonus, canonical, exchanged
from agents.roster import read_agent
from engine import load_game
from tests.agents.learning.helpers import after, trained
from tests.positions import reachable_states

QUIXO = load_game("quixo:size=4")


FAR = "a1-a4 d4-a4 b1-b4 d3-d1 a2-d2 c4-c1"


def test_symmetric_positions_have_one_canonical_state_whose_moves_map_back() -> None:
    corners = ("a1-a4", "d1-d4", "a4-d4", "d4-a4")
    assert len({canonical(QUIXO, after(QUIXO, move)).text for move in corners}) == 1
    state = after(QUIXO, "a1-a4 d4-a4")
    assert set(canonical(QUIXO, state).moves.values()) == set(state.legal_moves())


def test_a_dictionary_comes_back_from_its_arrays() -> None:
    brain = trained("quixo:size=4", "qlearning:games=8")
    table = Dictionary.of(brain)
    assert {name: array.tolist() for name, array in table.arrays().items()} == {
        name: array.tolist() for name, array in brain.arrays.items() if name != "lately"
    }


def test_pruning_drops_the_cells_tried_least() -> None:
    table = Dictionary()
    [table.learn((f"{number:05}", 0), 1.0, 0.5) for number in range(5_000)]
    table.learn(("04999", 0), 1.0, 0.5)
    table.prune()
    assert len(table.q) == 4_000
    assert next(iter(table.q)) == ("04999", 0)
    assert table.q["04999", 0] == 0.75


def test_a_game_teaches_both_sides_of_it_when_it_plays_itself() -> None:
    _, options = read_agent("qlearning:alpha=1,gamma=0.5,epsilon=1", QUIXO)
    run = TrainingRun(QUIXO, Dictionary(), options, None)
    run.play_and_learn(Random(2))
    values = list(run.table.q.values())
    # The winner's last move is worth 1, the loser's -1; elsewhere an untried move promises more.
    assert (values.count(1.0), values.count(-1.0)) == (1, 1)
    assert set(values) == {1.0, 0.0, -1.0}


def test_it_knows_the_start_and_says_where_it_does_not() -> None:
    agent = load_agent("qlearning", QUIXO)
    assert "tries" in agent.analyse(QUIXO.start).reason
    assert agent.analyse(after(QUIXO, FAR)).reason.startswith("It never met this")


def test_without_looking_ahead_it_plays_any_move_in_positions_never_met() -> None:
    state = after(QUIXO, FAR)
    analysis = load_agent("qlearning:unmet=random", QUIXO).analyse(state)
    chances = {candidate.move: candidate.chance for candidate in analysis.candidates}
    assert chances == pytest.approx(dict.fromkeys(state.legal_moves(), 1 / len(chances)))
    assert analysis.reason.endswith(" moves.")


@pytest.mark.parametrize("name", ["position", "move", "tried"])
def test_a_dictionary_that_points_nowhere_is_refused(name: str) -> None:
    brain = trained("quixo:size=4", "qlearning:games=8")
    astray = replace(brain, arrays=brain.arrays | {name: brain.arrays[name] - 10_000})
    with pytest.raises(UnsuitableBrainError, match=f"'{name}' in this brain holds numbers"):
        Dictionary.of(astray)
    with pytest.raises(UnsuitableBrainError, match="'q' in this brain is float32"):
        Dictionary.of(trained("nim:heaps=2-3", "qlearning:games=2000"))


def test_it_trains_against_an_agent_too() -> None:
    brain = trained("quixo:size=4", "qlearning:games=20,opponent=random")
    assert brain.parameters["opponent"] == "random"
    assert 0 < brain.curve[-1].metrics["known"] < 1


FIVE = load_game("quixo")


def test_a_position_and_its_twin_of_the_other_colour_fold_to_the_same_and_offer_the_same() -> None:
    for state in reachable_states(FIVE, 200, 4):
        if state == FIVE.start:  # whose twin no play can reach
            continue
        twin = FIVE.parse_state(str(state).translate(str.maketrans("xo", "ox")))
        assert exchanged(state) == twin
        here, there = canonical(FIVE, state), canonical(FIVE, twin)
        assert here.text == there.text
        assert here.moves.keys() == there.moves.keys()
        assert {str(twin.play(move)) for move in there.moves.values()} == {
            str(exchanged(state.play(move))) for move in here.moves.values()
        }


def test_games_and_their_twins_fill_half_the_brain_that_they_would_unfolded() -> None:
    rng, folded, unfolded = Random(6), set(), set()
    for _ in range(10):
        state = FIVE.start
        while state.outcome() is None:
            for seen in (state, exchanged(state)):
                folded.add(canonical(FIVE, seen).text)
                unfolded.add(min(str(turn.state(seen)) for turn in FIVE.symmetries))
            state = state.play(rng.choice(state.legal_moves()))
    assert 2 * len(folded) == len(unfolded)


def test_a_bonus_is_paid_for_a_new_four_and_for_a_four_broken() -> None:
    before = QUIXO.parse_state("xx../..../..../ooo. x")  # on 4×4 three of four
    made, broken = QUIXO.parse_move("c4-a4"), QUIXO.parse_move("d1-a1")
    ahead = before.play(made)
    assert bonus(before, ahead, 0.25, 0.125) == 0.25
    assert bonus(before, before.play(broken), 0.25, 0.125) == 0.0  # pushed on, still three
    pushed = before.play(QUIXO.parse_move("a3-a1"))
    assert bonus(before, pushed, 0.25, 0.125) == 0.125  # the three of o are two
    assert bonus(exchanged(before), exchanged(ahead), 0.25, 0.125) == 0.25


def test_bonuses_raise_what_a_move_is_worth_and_are_refused_where_there_is_no_such_line() -> None:
    plain = trained("quixo:size=4", "qlearning:games=8,epsilon=1,gamma=0")
    paid = trained("quixo:size=4", "qlearning:games=8,epsilon=1,gamma=0,four=0.5,broken=0.5")
    assert (paid.arrays["q"] > 0).sum() > (plain.arrays["q"] > 0).sum()
    entry, options = read_agent("qlearning:four=0.5", load_game("tictactoe"))
    with pytest.raises(UnsuitableAgentError):
        entry.suits(load_game("tictactoe"), options)
