"""Training can be repeated from any point: the same brain wherever it ends, however it is cut."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest

from agents.roster import roster
from agents.runs import train_slice
from agents.training import brains
from agents.training.brains import Brain, Point
from agents.training.loop import Callbacks, Points, begin, checkpoints, games_option
from agents.training.shipped import recipe
from agents.training.trainer import BRAIN, Checkpoint, finish, length_of
from engine import load_game
from engine.options import Kind, Option, Role, Values
from tests.agents.learning.helpers import trained, training


@dataclass(frozen=True)
class Run:
    """A learner made quick, its length, a step of its training and a later end."""

    game: str
    spec: str
    length: str
    step: int
    end: int

    def lasting(self, steps: int) -> str:
        return f"{self.spec}{',' if ':' in self.spec else ':'}{self.length}={steps}"

    def brain(self, steps: int) -> Brain:
        return trained(self.game, self.lasting(steps))


QUICK = [
    Run("quixo:size=4", "qlearning", "games", 21, 27),
    Run("nim:preset=normal", "ea-table:population=20,children=10", "generations", 15, 40),
]
LONGER = [
    Run("tictactoe", "qlearning", "games", 110, 240),
    Run("tictactoe", "qlearning:opponent=random,half=50", "games", 110, 240),
    Run("tictactoe", "reward-table", "games", 110, 240),
    Run("tictactoe", "state-value", "games", 110, 240),
    Run("tictactoe", "menace:opponent=random", "games", 110, 240),
    Run("nim:preset=normal", "es-rules:population=10", "generations", 6, 13),
    Run("tictactoe", "network:hidden=16", "games", 45, 62),
    Run("tictactoe", "reinforce:hidden=16", "games", 45, 62),
    Run("tictactoe", "dqn:hidden=16", "games", 45, 62),
    Run("nim:preset=normal", "neuroevolution:games=10", "generations", 7, 12),
    Run("nim:preset=normal", "neuroevolution:games=10,optimiser=plus", "generations", 7, 12),
    Run("quixo:size=4", "ntuple", "games", 45, 62),
    Run("nim:preset=normal", "es-mix:parents=3,games=10", "generations", 5, 9),
]
LONGEST = [
    Run("quixo", "quixo-evolved:children=2,games=1,sight=1", "generations", 3, 5),
    Run("quixo", "quixo-deep", "games", 102, 104),
]
RUNS = [*QUICK, *LONGER, *LONGEST]
every_run = pytest.mark.parametrize(
    "run",
    [
        *QUICK,
        *(pytest.param(run, marks=pytest.mark.slow) for run in LONGER),
        *(pytest.param(run, marks=pytest.mark.soak) for run in LONGEST),
    ],
    ids=lambda run: f"{run.game}-{run.spec}",
)


def test_every_learner_of_the_roster_is_looked_at() -> None:
    assert {run.spec.partition(":")[0] for run in RUNS} == {
        entry.key for entry in roster() if entry.train is not None
    }


@every_run
def test_a_brain_is_the_same_wherever_its_run_was_to_end_and_its_length_no_parameter(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.training.loop.CHECKPOINT_SECONDS", 0.0)  # every step is one
    later = {found.step: found.brain for found in training(run.game, run.lasting(run.end))}
    brain = run.brain(run.step)
    assert list(later) == list(range(1, run.end + 1))
    assert later[run.step].digest == brain.digest
    assert (brain.unit, brain.steps, brain.total) == (run.length, run.step, run.step)
    assert run.length not in brain.parameters


@every_run
def test_a_brain_that_goes_on_ends_as_one_that_never_stopped(run: Run) -> None:
    kept = brains.from_bytes(brains.to_bytes(run.brain(run.step)))
    resumed = finish(training(run.game, run.lasting(run.end), resume=kept))
    assert resumed.digest == run.brain(run.end).digest
    assert brains.to_bytes(resumed) == brains.to_bytes(run.brain(run.end))


@every_run
def test_a_brain_is_the_same_however_its_run_was_cut(run: Run) -> None:
    slices = [train_slice(run.game, run.spec, 1, None, run.step, 0.0)]
    while slices[-1].step < run.step:  # as jobs do it, bytes in between
        slices.append(train_slice(run.game, run.spec, 1, slices[-1].brain, run.step, 0.0))
    whole, last = run.brain(run.step), brains.from_bytes(slices[-1].brain)
    points = tuple(replace(point, digest=None) for each in slices for point in each.points)
    assert len(slices) == run.step  # without time, a step at a time
    assert last.digest == whole.digest
    assert last.curve == points == whole.curve


def test_a_learner_from_another_package_has_options_of_its_own() -> None:
    options = Values.defaults(
        (
            BRAIN,
            games_option(10),
            Option("zeal", Kind.INTEGER, 3, "of which nobody here has heard"),
            Option("mood", Kind.TEXT, "fine", "while it plays", role=Role.PLAYING),
        )
    )
    brain = begin("theirs", load_game("nim"), options, seed=4, reference="")
    assert (brain.parameters, brain.unit) == ({"zeal": 3}, "games")
    assert recipe(options) == {"zeal": 3, "games": 10}
    with pytest.raises(TypeError, match=r"one has Role.LENGTH, not 0"):
        length_of(Values.defaults((BRAIN,)))


def test_a_slice_takes_options_and_seed_as_a_training_does_and_ends_where_it_is_told() -> None:
    asked = ("tictactoe", "qlearning:alpha=0.3,opponent=random", 7)
    one = train_slice(*asked, None, until=40, seconds=60)
    again = train_slice(*asked, one.brain, until=40, seconds=60)
    assert (one.step, again.step, again.brain, again.points) == (40, 40, one.brain, ())
    brain = brains.from_bytes(one.brain)
    assert (brain.parameters["alpha"], brain.parameters["opponent"], brain.seed) == (
        0.3,
        "random",
        7,
    )


def steps_of(points: Points, count: int) -> list[int]:
    steps = [points.after(0)]
    while len(steps) < count:
        steps.append(points.after(steps[-1]))
    return steps


def test_points_stand_at_1_2_5_and_then_evenly() -> None:
    assert steps_of(Points(evenly=50), 10) == [1, 2, 5, 10, 20, 50, 100, 150, 200, 250]
    assert steps_of(Points(evenly=2), 5) == [1, 2, 4, 6, 8]
    assert steps_of(Points(evenly=100, first=100), 3) == [100, 200, 300]


@pytest.mark.parametrize(
    "points",
    [Points(1), Points(50), Points(2_000), Points(100, 100), Points(200, first=20)],
    ids=str,
)
def test_a_step_is_a_point_just_where_points_come_one_after_the_other(points: Points) -> None:
    found = [step for step in range(1, 5_001) if points.stand_at(step)]
    assert found[:199] == [step for step in steps_of(points, 200) if step <= 5_000][:199]
    for step in (0, 1, 2, 19, 20, 49, 50, 51, 999, 4_000, 4_001):
        assert points.up_to(step) == sum(at <= step for at in found)


class Counting:
    """A learner that only counts, and notes what it is asked to do."""

    def __init__(self) -> None:
        self.learned: list[int] = []
        self.marked: list[int] = []

    def course(self, brain: Brain, total: int) -> Iterator[Checkpoint]:
        def learn(first: int, count: int) -> None:
            self.learned += range(first, first + count)

        measure = lambda: {"seen": float(len(self.learned))}
        return checkpoints(
            brain, total, Points(50), Callbacks(learn, measure, dict, self.marked.append)
        )


NOTHING = Brain("nobody", "nim", {}, 1, 0, {})


def test_every_step_is_taken_once_and_the_last_is_measured_though_no_point_stands_there() -> None:
    counting = Counting()
    *_, last = counting.course(NOTHING, 1234)
    assert counting.learned == list(range(1234))
    assert last.metrics == {"seen": 1234}
    assert [point.step for point in last.brain.curve] == counting.marked
    assert counting.marked == [1, 2, 5, 10, 20, *range(50, 1201, 50)]


def test_between_points_a_checkpoint_tells_what_was_measured_last() -> None:
    known = Brain("nobody", "nim", {}, 1, 100, {}, (Point(100, {"seen": 9.0}),))
    first = next(Counting().course(known, 500))
    assert (first.step, first.metrics) == (101, {"seen": 9.0})


def test_checkpoints_come_at_the_pace_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Any = iter(range(10_000))  # each look a second later: slower than any bar should be
    monkeypatch.setattr("agents.training.loop.perf_counter", lambda: next(clock))
    steps = [0, *(checkpoint.step for checkpoint in Counting().course(NOTHING, 30))]
    assert [later - step for step, later in pairwise(steps)] == [1] * 30
