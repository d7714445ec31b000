"""Validation grids: axes, the final figures of a training, ranking, fresh seeds."""

from statistics import fmean

import pytest

from agents.grid import AS_GIVEN, FINALISTS, FRESH_SEEDS, Axis, read_axes, read_grid, score_of
from agents.grid_runs import documents, final_metrics, run_grid
from agents.roster import read_agent
from agents.training.trainer import with_length
from engine import load_game
from engine.errors import InvalidSpecError

# A short training of each kind: (game, spec, length).
SHORT = (
    ("tictactoe", "qlearning:opponent=random", 3_000),
    ("tictactoe", "reward-table", 3_000),
    ("tictactoe", "state-value", 3_000),
    ("tictactoe", "menace", 3_000),
    ("quixo", "qlearning", 20),
    ("nim", "es-rules", 3),
    ("nim", "es-mix", 3),
    ("nim:heaps=1-2-3", "ea-table", 3),
)


def small_grid(**changes):
    parts = {"length": 500, "seed": 3} | changes
    return read_grid(
        load_game("tictactoe"),
        "qlearning:opponent=random,alpha=0.5",
        "alpha=0.1:0.5:0.2,epsilon=0.2,0.4",
        **parts,
    )


def trained(spec, seed, length, game="tictactoe"):
    """The last metrics of a training with its whole curve: the oracle."""
    rules = load_game(game)
    entry, options = read_agent(spec, rules)
    *_, last = entry.train(rules, with_length(options, length), seed, None)
    return dict(last.metrics)


def test_axes_are_read_as_values_and_ranges_with_both_ends():
    assert read_axes("alpha=0.1:1:0.3,epsilon=0.2,0.4") == (
        Axis("alpha", ("0.1", "0.4", "0.7", "1")),
        Axis("epsilon", ("0.2", "0.4")),
    )
    assert read_axes("alpha=0.1,0.5 opponent=random:by=heap") == (
        Axis("alpha", ("0.1", "0.5")),
        Axis("opponent", ("random:by=heap",)),
    )
    assert [len(axis.values) for axis in read_axes("a=0.1:1:0.1")] == [10]
    assert read_axes("") == ()


@pytest.mark.parametrize(
    "text",
    ["0.1", "alpha=", "=1", "alpha=1,alpha=2", "alpha=1:0:0.1", "alpha=0:1:0", "a=0:1:0.0001"],
)
def test_what_is_no_axis_is_refused_in_a_line(text):
    with pytest.raises(InvalidSpecError) as refused:
        read_axes(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "beta=1,2", "games=1,2", "alpha=0.1,7", "alpha=0:1:0.0005"])
def test_a_grid_over_what_the_learner_does_not_have_is_refused(text):
    with pytest.raises(InvalidSpecError):
        read_grid(load_game("tictactoe"), "qlearning", text, length=10)


@pytest.mark.parametrize(("game", "spec", "length"), SHORT)
def test_the_final_figures_are_those_at_the_end_of_the_curve(game, spec, length):
    assert final_metrics(game, ((spec, 7),), length) == (trained(spec, 7, length, game),)


def test_a_grid_ranks_every_combination_by_what_training_it_gives():
    grid = small_grid()
    found = run_grid(grid, 1, lambda ended: None)
    listed = documents(grid, found)
    assert len(listed) == 6
    for row in listed:
        spec = "qlearning:opponent=random," + ",".join(
            f"{name}={value}" for name, value in row["parameters"].items()
        )
        metrics = trained(spec, 3, 500)
        assert row["score"] == pytest.approx(metrics["wins"] + metrics["draws"] / 2)
    scores = [row["score"] for row in listed]
    assert scores == sorted(scores, reverse=True)
    assert [("fresh" in row) for row in listed] == [True] * FINALISTS + [False]


def test_fresh_seeds_are_none_that_the_grid_was_ranked_by():
    grid = small_grid(seeds=2)
    candidates = grid.candidates((4, 1, 0, 2, 3))
    seeds = {grid.run(run)[1] for run in range(grid.grid_runs)}
    fresh = [grid.run(run, candidates) for run in range(grid.grid_runs, grid.total)]
    assert seeds == {3, 4}
    assert len(fresh) == (FINALISTS + 1) * FRESH_SEEDS
    assert not seeds & {seed for _, seed in fresh}
    assert fresh[0] == (grid.agent, 5)
    assert fresh[FRESH_SEEDS] == (grid.spec(4), 5)


def test_the_fresh_score_is_the_mean_over_them_within_its_interval():
    grid = small_grid(length=200)
    found = run_grid(grid, 1, lambda ended: None)
    given = grid.fresh(found)[AS_GIVEN]
    again = final_metrics("tictactoe", [(grid.agent, 4 + at) for at in range(FRESH_SEEDS)], 200)
    assert given.mean == pytest.approx(fmean(map(score_of, again)))
    assert given.low < given.mean < given.high
