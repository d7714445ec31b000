"""A validation grid on `/train`: one job, its table, heat map and CSV, and what a kill changes."""

import csv
import io
from statistics import fmean

import pytest

from agents.grid_runs import documents, run_grid
from tests.webapp.jobs.working import HereAndNow, worked_off
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.kinds.grid import grid_of, metrics_of
from webapp.jobs.store import JobStore
from webapp.lab.grid.page import GridPage
from webapp.lab.query import GridQuery

FORM = {
    "game": "tictactoe",
    "learner": "qlearning",
    "qlearning.opponent": "random",
    "qlearning.epsilon": "0.1",
    "grid": "alpha=0.2:0.8:0.2 gamma=0.5,0.9 epsilon=0.1,0.3",
    "length": "300",
    "seed": "5",
}


def begun(visitor, **changes):
    answer = visitor.post("/train", FORM | changes)
    assert answer.status_code == 303, answer.text
    return answer.location.split("/")[-1]


def page_of(services, job_id, **query):
    jobs = services[JobStore]
    record, points = jobs.find(job_id), jobs.points(job_id)
    return GridPage(f"/jobs/{job_id}", record, points, GridQuery(**query), None, "/train")


@pytest.fixture(scope="module")
def expected():
    """What the command line finds, in a process of its own."""
    from agents.grid import read_grid
    from engine import load_game

    grid = read_grid(
        load_game("tictactoe"),
        "qlearning:opponent=random,epsilon=0.1",
        FORM["grid"],
        length=300,
        seed=5,
    )
    return documents(grid, run_grid(grid, 1, lambda ended: None))


def test_more_runs_than_a_chart_holds_are_one_job_with_the_result_of_the_command_line(
    visitor, services, expected
):
    job_id = begun(visitor)
    worked_off(services[JobStore])
    document = visitor.get(f"/jobs/{job_id}.json").json
    assert document["state"] == "done"
    assert document["step"] == document["total"] == 16 + 6 * 20
    assert document["settings"] == expected


def test_a_killed_grid_goes_on_to_the_same_result(visitor, services, expected):
    job_id, jobs = begun(visitor), services[JobStore]
    first = Coordinator(jobs, HereAndNow())
    first.turn()
    assert 0 < jobs.find(job_id).step < 16 + 6 * 20
    first.close()  # what it had not written is gone
    worked_off(jobs)
    found = metrics_of(jobs.points(job_id))
    assert documents(grid_of(jobs.find(job_id)), found) == expected


def test_the_heat_map_has_the_mean_and_the_best_of_the_table_below_it(visitor, services):
    job_id = begun(visitor)
    worked_off(services[JobStore])
    text = visitor.get(f"/jobs/{job_id}/grid.csv").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["rank"]) for row in rows] == list(range(1, 17))
    for take, query in ((fmean, {}), (max, {"best": True})):
        page = page_of(services, job_id, across="epsilon", down="alpha", **query)
        for value, cells in page.heat:
            for column, cell in zip(("0.1", "0.3"), cells, strict=True):
                scores = [
                    float(row["score"])
                    for row in rows
                    if row["alpha"] == value and row["epsilon"] == column
                ]
                assert len(scores) == 2
                assert cell.text == f"{100 * take(scores):.1f}"
    levels = [cell.level for _, cells in page.heat for cell in cells]
    assert max(levels) == 9


def test_the_page_shows_progress_table_map_and_the_best_from_fresh_seeds(visitor, services):
    job_id = begun(visitor)
    waiting = visitor.get(f"/jobs/{job_id}").text
    assert "0 of 136 trainings" in waiting
    worked_off(services[JobStore])
    text = visitor.get(f"/jobs/{job_id}?across=gamma&down=alpha&show=best").text
    assert "136 of 136 trainings" in text
    assert "best over epsilon" in text
    assert "The best, tried again" in text
    assert "as given" in text
    page = page_of(services, job_id)
    assert page.finalists[0].fresh.endswith("%")
    for row in (page.rows[0], page.finalists[0]):
        assert visitor.get(row.url).status_code == 200
    assert visitor.get(page.again_url).status_code == 200


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"grid": "alpha=0.001:1:0.001 gamma=0.1,0.2"}, "1,000"),
        ({"grid": "alpha=0:1:0.01 beta=1,2,3"}, "beta"),
        ({"grid": "alpha=0:2:0.1"}, "alpha"),
        ({"grid": "alpha=0:1:0.002", "length": "5000000"}, "minutes"),
        ({"grid": "alpha=0:1:0.01 alpha=1"}, "no parameter"),
    ],
)
def test_a_grid_that_cannot_be_run_is_refused_on_the_form(visitor, services, changes, word):
    answer = visitor.post("/train", FORM | changes)
    assert answer.status_code == 422
    assert word in answer.text


def test_a_grid_of_a_foreign_kind_has_no_page(visitor, services):
    assert visitor.get("/jobs/nothing/grid.csv").status_code == 404
