"""What holds for every learner: checkpoints, saving and loading, evidence."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from agents import Limit, load_agent
from agents.errors import UnsuitableBrainError
from agents.tabular.exact import over_seats
from agents.tabular.graph import graph_of
from agents.training import brain_files, brains
from agents.training.brain_files import brain_path
from agents.training.shipped import shipped_brain
from engine import load_game
from engine.errors import InvalidSpecError
from tests.agents.learning.helpers import (
    LEARNERS,
    TABULAR,
    policy_of,
    same_arrays,
    tables_of,
    trained,
    training,
)

every_learner = pytest.mark.parametrize(("game", "spec"), LEARNERS)


@pytest.fixture(autouse=True)
def brains_of_this_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))


def key(spec: str) -> str:
    return spec.partition(":")[0]


@every_learner
def test_checkpoints_count_up_and_stay_as_they_were_while_training_goes_on(
    game: str, spec: str
) -> None:
    found = [(each, brains.to_bytes(each.brain)) for each in training(game, spec)]
    steps = [checkpoint.step for checkpoint, _ in found]
    last = found[-1][0]
    assert [brains.to_bytes(checkpoint.brain) for checkpoint, _ in found] == [w for _, w in found]
    assert steps == sorted(set(steps))
    assert last.step == last.total
    assert {point.step for point in last.brain.curve} <= set(steps)
    assert not same_arrays(last.brain, trained(game, spec, 2))  # of another seed
    with pytest.raises(UnsuitableBrainError, match="already: ask for more"):
        next(training(game, spec, resume=last.brain))


@every_learner
def test_a_brain_saved_and_loaded_plays_the_same(game: str, spec: str) -> None:
    brain_files.save(trained(game, spec), brain_path("mine"))
    rules = load_game(game)
    brain_files.save(trained(game, spec, seed=2), brain_path("other"))
    by_name = load_agent(f"{key(spec)}:brain=mine", rules)
    by_digest = load_agent(f"{key(spec)}:brain={trained(game, spec).digest}", rules)
    assert by_name.analyse(rules.start) == by_digest.analyse(rules.start)
    assert same_arrays(brain_files.find("mine"), trained(game, spec))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "spec"), TABULAR)
def test_the_curve_is_about_the_player_itself(game: str, spec: str) -> None:
    brain = trained(game, spec)
    brain_files.save(brain, brain_path("mine"))
    agent = load_agent(f"{key(spec)}:brain=mine", load_game(game))
    policy = tables_of(game).policy(agent)
    seen = over_seats(tables_of(game), policy, policy_of(game, brain.reference))
    measured = brain.curve[-1].metrics
    assert (seen.wins, seen.losses) == pytest.approx((measured["wins"], measured["losses"]))


def test_resuming_another_agents_brain_is_refused() -> None:
    brain = trained("tictactoe", "state-value:games=2000")
    with pytest.raises(UnsuitableBrainError, match="for the agent 'state-value'"):
        next(training("tictactoe", "qlearning:games=9000", resume=brain))


def test_a_brain_of_another_shape_is_refused() -> None:
    brain = trained("nim:heaps=2-3", "qlearning:games=2000")
    forged = brains.Brain(**{**brain.__dict__, "game": "nim:heaps=2-4"})
    brain_files.save(forged, brain_path("forged"))
    with pytest.raises(UnsuitableBrainError, match="'q' in this brain is float32"):
        load_agent("qlearning:brain=forged", load_game("nim:heaps=2-4"))


def test_without_a_shipped_brain_it_is_trained_on_the_spot() -> None:
    game = load_game("nim:heaps=2-3")
    assert shipped_brain("qlearning", game.spec, {}) is None
    agent = load_agent("qlearning:games=2000", game)
    analysis = agent.analyse(game.start, limit=Limit(), rng=Random(0))
    assert ("games learned from", 2000) in [(fact.name, fact.value) for fact in analysis.evidence]


@pytest.mark.parametrize("spec", ["menace:opponent=self", "reward-table:opponent=self"])
def test_a_learner_that_needs_another_opponent_says_so(spec: str) -> None:
    with pytest.raises(InvalidSpecError, match="trains against another agent"):
        next(training("tictactoe", spec))


@pytest.mark.parametrize("name", ["qlearning", "reward-table", "state-value", "menace"])
def test_a_position_never_met_is_said_to_be_so_and_a_win_there_is_taken(name: str) -> None:
    rules = load_game("tictactoe")
    brain_files.save(trained("tictactoe", f"{name}:games=1,opponent=random"), brain_path("novice"))
    agent = load_agent(f"{name}:brain=novice", rules)
    state = rules.parse_state("xx./oo./..x o")
    analysis = agent.analyse(state, limit=Limit(), rng=Random(0))
    assert str(analysis.choice) == "c2"
    assert analysis.reason.startswith("It never met this position in training")
    assert ("times met", 0) in [(fact.name, fact.value) for fact in analysis.evidence]


def test_numbers_of_an_edge_and_of_a_state_and_move_say_the_same() -> None:
    graph = graph_of(load_game("tictactoe"))
    policy = policy_of("tictactoe", "random")
    np.testing.assert_array_equal(graph.to_policy(graph.by_edge(policy)), policy)
