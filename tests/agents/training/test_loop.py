"""Training can be repeated from any point: the same brain wherever it ends, however it is cut."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from agents.roster import read_agent, roster
from agents.runs import Stretch, stretch
from agents.training import brains
from agents.training.brains import Brain, Point
from agents.training.loop import Lessons, Points, begin, course, games_option
from agents.training.shipped import recipe
from agents.training.trainer import BRAIN, Checkpoint, finish, length_of
from engine import load_game
from engine.options import Kind, Option, Role, Values
from tests.agents.learning.helpers import trained, training

# Every learner of the roster, made quick: game, spec, its length, a step, a later end.
QUICK = [
    ("quixo:size=4", "qlearning", "games", 21, 27),
    ("nim:preset=normal", "ea-table:population=20,children=10", "generations", 15, 40),
]
LONGER = [
    ("tictactoe", "qlearning", "games", 110, 240),
    ("tictactoe", "qlearning:opponent=random,half=50", "games", 110, 240),
    ("tictactoe", "reward-table", "games", 110, 240),
    ("tictactoe", "state-value", "games", 110, 240),
    ("tictactoe", "menace:opponent=random", "games", 110, 240),
    ("nim:preset=normal", "es-rules:population=10", "generations", 6, 13),
    ("nim:preset=normal", "es-mix:parents=3,games=10", "generations", 5, 9),
]
LONGEST = [
    ("quixo", "quixo-evolved:children=2,games=1,sight=1", "generations", 3, 5),
    ("quixo", "quixo-deep", "games", 102, 104),
]
RUNS = [*QUICK, *LONGER, *LONGEST]
every_run = pytest.mark.parametrize(
    ("game", "spec", "length", "step", "end"),
    [
        *QUICK,
        *(pytest.param(*run, marks=pytest.mark.slow) for run in LONGER),
        *(pytest.param(*run, marks=pytest.mark.soak) for run in LONGEST),
    ],
)


def lasting(spec: str, length: str, steps: int) -> str:
    return f"{spec}{',' if ':' in spec else ':'}{length}={steps}"


def folded(game: str, spec: str, until: int, seconds: float) -> list[Stretch]:
    """The run as jobs do it: one stretch after the other, bytes in between."""
    done = [stretch(game, spec, 1, None, until, seconds)]
    while done[-1].step < until:
        done.append(stretch(game, spec, 1, done[-1].brain, until, seconds))
    return done


def test_every_learner_of_the_roster_is_looked_at() -> None:
    assert {run[1].partition(":")[0] for run in RUNS} == {
        entry.key for entry in roster() if entry.train is not None
    }


@every_run
def test_a_brain_is_the_same_wherever_its_run_was_to_end(
    game: str, spec: str, length: str, step: int, end: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.training.loop.CHECKPOINT_SECONDS", 0.0)  # every step is one
    later = {found.step: found.brain for found in training(game, lasting(spec, length, end))}
    assert list(later) == list(range(1, end + 1))
    assert later[step].digest == trained(game, lasting(spec, length, step)).digest


@every_run
def test_a_brain_that_goes_on_ends_as_one_that_never_stopped(
    game: str, spec: str, length: str, step: int, end: int
) -> None:
    stopped = trained(game, lasting(spec, length, step))
    kept = brains.from_bytes(brains.to_bytes(stopped))
    resumed = finish(training(game, lasting(spec, length, end), resume=kept))
    through = trained(game, lasting(spec, length, end))
    assert resumed.digest == through.digest
    assert brains.to_bytes(resumed) == brains.to_bytes(through)


@every_run
def test_a_brain_is_the_same_however_its_run_was_cut(
    game: str, spec: str, length: str, step: int, end: int
) -> None:
    whole = trained(game, lasting(spec, length, step))
    stretches = folded(game, spec, step, seconds=0.0)
    last = brains.from_bytes(stretches[-1].brain)
    points = tuple(point for each in stretches for point in each.points)
    assert len(stretches) == step  # without time, a step at a time
    assert last.digest == whole.digest
    assert last.curve == points == whole.curve


@every_run
def test_the_length_is_no_parameter_of_a_brain(
    game: str, spec: str, length: str, step: int, end: int
) -> None:
    brain = trained(game, lasting(spec, length, step))
    assert (brain.unit, brain.steps, brain.total) == (length, step, step)
    assert length not in brain.parameters


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


def test_a_learner_says_by_one_option_how_long_it_learns() -> None:
    with pytest.raises(TypeError, match=r"one has Role.LENGTH, not 0"):
        length_of(Values.defaults((BRAIN,)))


def test_a_stretch_ends_where_it_is_told_to() -> None:
    one = stretch("tictactoe", "menace", 1, None, until=40, seconds=60)
    again = stretch("tictactoe", "menace", 1, one.brain, until=40, seconds=60)
    assert (one.step, again.step) == (40, 40)
    assert again.brain == one.brain
    assert again.points == ()


def test_a_stretch_takes_options_and_seed_as_a_training_does() -> None:
    spec = "qlearning:alpha=0.3,opponent=random"
    done = stretch("tictactoe", spec, 7, None, until=50, seconds=60)
    _, options = read_agent(f"{spec},games=50", load_game("tictactoe"))
    assert brains.from_bytes(done.brain).parameters["alpha"] == options["alpha"]
    assert brains.from_bytes(done.brain).seed == 7


def steps_of(points: Points, count: int) -> list[int]:
    steps = [points.after(0)]
    while len(steps) < count:
        steps.append(points.after(steps[-1]))
    return steps


def test_points_stand_at_1_2_5_and_then_evenly() -> None:
    assert steps_of(Points(evenly=50), 10) == [1, 2, 5, 10, 20, 50, 100, 150, 200, 250]
    assert steps_of(Points(evenly=2), 5) == [1, 2, 4, 6, 8]
    assert steps_of(Points(evenly=100, first=100), 3) == [100, 200, 300]


@pytest.mark.parametrize("points", [Points(50), Points(2_000), Points(100, 100)], ids=str)
def test_a_step_is_a_point_just_where_points_come_one_after_the_other(points: Points) -> None:
    assert [step for step in range(1, 5_001) if points.stand_at(step)] == [
        step for step in steps_of(points, 200) if step <= 5_000
    ]


class Counting:
    """A learner that only counts, and notes what it is asked to do."""

    def __init__(self) -> None:
        self.learned: list[range] = []
        self.marked: list[int] = []

    def course(self, brain: Brain, total: int) -> Iterator[Checkpoint]:
        learn: Callable[[int, int], None] = lambda first, count: self.learned.append(
            range(first, first + count)
        )
        measure = lambda: {"seen": float(len(self.learned))}
        return course(brain, total, Points(50), Lessons(learn, measure, dict, self.marked.append))


NOTHING = Brain("nobody", "nim", {}, 1, 0, {})


def test_every_step_is_taken_once_and_in_order() -> None:
    counting = Counting()
    list(counting.course(NOTHING, 1234))
    assert [step for steps in counting.learned for step in steps] == list(range(1234))


def test_the_last_checkpoint_is_measured_though_no_point_stands_there() -> None:
    counting = Counting()
    *_, last = counting.course(NOTHING, 120)
    assert last.metrics == {"seen": len(counting.learned)}
    assert [point.step for point in last.brain.curve] == counting.marked
    assert counting.marked == [1, 2, 5, 10, 20, 50, 100]


def test_between_points_a_checkpoint_tells_what_was_measured_last() -> None:
    known = Brain("nobody", "nim", {}, 1, 100, {}, (Point(100, {"seen": 9.0}),))
    first = next(Counting().course(known, 500))
    assert (first.step, first.metrics) == (101, {"seen": 9.0})


def test_checkpoints_come_at_the_pace_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Any = iter(range(10_000))  # each look a second later: slower than any bar should be
    monkeypatch.setattr("agents.training.loop.perf_counter", lambda: next(clock))
    steps = [0, *(checkpoint.step for checkpoint in Counting().course(NOTHING, 30))]
    assert [later - step for step, later in pairwise(steps)] == [1] * 30
