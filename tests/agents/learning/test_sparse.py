"""Q-learning on boards too large for a table: a dictionary of positions met."""

from dataclasses import replace
from random import Random

import pytest

from agents import load_agent
from agents.errors import UnsuitableBrainError
from agents.learning.qsparse import Dictionary, TrainingRun, canonical
from agents.roster import read_agent
from engine import load_game
from tests.agents.learning.helpers import after, trained

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
    assert agent.analyse(after(QUIXO, FAR)).reason.startswith("Never met in training")


def test_without_looking_ahead_it_plays_any_move_in_positions_never_met() -> None:
    state = after(QUIXO, FAR)
    analysis = load_agent("qlearning:unmet=random", QUIXO).analyse(state)
    chances = {candidate.move: candidate.chance for candidate in analysis.candidates}
    assert chances == pytest.approx(dict.fromkeys(state.legal_moves(), 1 / len(chances)))
    assert analysis.reason.endswith("legal moves.")


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
