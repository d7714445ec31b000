"""The black box: asked by hand, searched as a job, opened, sealed."""

import json
from dataclasses import replace
from statistics import quantiles
from urllib.parse import parse_qsl, urlsplit

import pytest
from werkzeug.datastructures import MultiDict

from agents.optimisers.black_box.course import PUBLISHED
from agents.optimisers.roster import searches_for
from agents.optimisers.runs import optimise
from agents.training.brains import Point
from engine.problems import load_problem
from engine.problems.black_box import write_genome
from engine.problems.entry import ProblemShape
from tests.webapp.jobs.working import HereAndNow
from tests.webapp.jobs.working import worked_off as worked_off_within
from tests.webapp.visitor import HTMX
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.kinds.optimisation import SearchPlan, SearchRun, search_job
from webapp.jobs.models import JobState
from webapp.jobs.store import JobStore
from webapp.optimise.box_page import BoxPage
from webapp.optimise.box_searches import SearchRuns
from webapp.optimise.query import BoxQuery, check_box
from webapp.optimise.searches import read_plan
from webapp.services import NAME
from webapp.web.errors import InvalidFormError

BOX = "black-box:groups=2"
SEALED = "black-box:groups=2,sealed=yes"
BOX_PATH = "/optimise/black-box"
THREE = ["course-second", "one-plus-one", "weigh"]


@pytest.fixture
def services(app):
    return app.extensions[NAME]


def worked_off(jobs, **who):
    """Run the jobs with time enough to compile kernels on a busy machine."""
    return worked_off_within(jobs, seconds=900, **who)


def begins(visitor, problem=BOX, search=THREE, seeds="3", calls="2000"):
    fields = {"problem": problem, "search": search, "seeds": seeds, "calls": calls}
    answer = visitor.post("/optimise/runs", fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def job_of(path):
    return path.partition("run=")[2].partition("&")[0]


def page(**sent):
    """The page of what was sent, without a job; no app is needed."""
    return BoxPage("/box", check_box(BoxQuery.parse(sent)))


def following(url):
    return page(**dict(parse_qsl(urlsplit(url).query)))


def test_all_ones_open_the_box_and_fail_on_a_sealed_one():
    box = page(problem=BOX, asked="ones")
    assert [row.figure for row in box.asked] == ["1.0000"]
    box = following(box.seal_url)
    assert box.query.problem == SEALED
    expected = load_problem(SEALED).value((1 << 1000) - 1)
    assert [row.figure for row in box.asked] == [f"{expected:.4f}"]
    assert expected < 0.3


@pytest.mark.parametrize("token", ["ones", "zeros", "odd", "half", "r7", "0" * 249 + "f"])
def test_an_answer_by_hand_is_the_boxs_own(token):
    box = page(problem="black-box:groups=5", asked=token)
    genome = box.genome
    ones = sum(path.count("M") for name, path in genome.cells if name == "one")
    assert f"{ones:,} one" in genome.after
    assert sum(path.count("M") for _, path in genome.cells) == 1000
    assert box.asked_count == "asked 1 time"


def test_the_page_keeps_the_secret_until_the_box_is_opened(visitor):
    closed = visitor.get(f"/optimise/black-box?problem={BOX}&asked=r7").text
    assert "group-" not in closed
    opened = visitor.get(visitor.seen["box"].query.toggled(BOX_PATH, "opened")).text
    assert "even and odd places are two groups" in opened
    genome = visitor.seen["box"].genome
    rows = [int(right.split()[0]) for _, _, right, _ in genome.groups]
    cells = {name: path.count("M") for name, path in genome.cells}
    assert sorted(rows) == sorted([cells["group-0"], cells["group-1"]])
    value = rows[0] - rows[1] / 10
    assert genome.figure == f"{value / 1000:.3f}"


def test_an_opened_sealed_box_colours_what_is_right():
    genome = page(problem=SEALED, asked="ones", open="1").genome
    box = load_problem(SEALED)
    right = [((((1 << 1000) - 1) ^ box.inverted) & mask).bit_count() for mask in box.groups]
    assert [path.count("M") for name, path in genome.cells if name != "zero"] == right


@pytest.mark.slow
def test_three_searches_run_as_a_job_and_say_what_the_command_line_says(visitor, services):
    path = begins(visitor)
    worked_off(services[JobStore])
    visitor.get(path)
    box = visitor.seen["box"]
    assert box.run.job.word == "done"
    runs = {
        search: [found.run for found in optimise(BOX, search, runs=3, calls=2000)]
        for search in THREE
    }
    for row, found in zip(box.run.rows, runs.values(), strict=True):
        low, middle, high = quantiles([run.best for run in found], n=4, method="inclusive")
        assert (row.best, row.spread) == (f"{middle:.3f}", f"{low:.3f} to {high:.3f}")
        assert row.reached == f"{sum(run.best == 1.0 for run in found)} of 3"
    total = sum(run.calls for found in runs.values() for run in found)
    assert f"asked {total:,} times" in box.run.asked
    data = json.loads(visitor.get(f"/jobs/{job_of(path)}.json").data)["runs"]
    for one, run in zip(data, [run for found in runs.values() for run in found], strict=True):
        assert one["genome"] == write_genome(run.genome)
        assert (one["best"], one["calls"]) == (run.best, run.calls)
        assert [tuple(point) for point in one["curve"]] == list(run.curve)
    lines = visitor.get(f"/optimise/runs/{job_of(path)}.csv").text.splitlines()
    assert lines[0] == "problem,run,search,seed,calls,best,diversity"
    assert len(lines) - 1 == len(services[JobStore].points(job_of(path)))
    assert len(visitor.get(f"{path}&lane=0&at=500&open=1").data) < 100_000
    box = visitor.seen["box"]  # what the first search had then
    (found,) = optimise(BOX, THREE[0], calls=500)
    assert box.genome.figure == f"{found.run.best:.3f}"
    assert "after 500 questions" in box.genome.after


def searched(curves, problem=BOX, ended=(), **shown):
    """Finished runs with these curves of their best number, by search and seed."""
    runs = tuple(
        SearchRun(search, at) for search, found in curves.items() for at in range(len(found))
    )
    lines = [line for found in curves.values() for line in found]
    lanes = {
        str(lane): {"best": line[-1][1], "calls": line[-1][0], "ended": runs[lane].search in ended}
        for lane, line in enumerate(lines)
    }
    points = [
        Point(step, {"best": best, "diversity": best / 2}, lane=lane)
        for lane, line in enumerate(lines)
        for step, best in line
    ]
    job = search_job("", "", SearchPlan(problem, runs, 1000))
    record = replace(job, state=JobState.DONE, metrics={"lanes": lanes})
    return SearchRuns(record, points, BoxQuery(**shown), "/box", None)


def test_of_two_seeds_the_range_is_shown_of_three_the_quartiles_and_each_is_called_so():
    lines = [[(1, 0.2), (10, high)] for high in (0.3, 0.5, 0.9)]
    two, three = searched({"probe": lines[:2]}), searched({"probe": lines})
    assert two.chart.title.endswith("median and range of 2 seeds")
    assert three.chart.title.endswith("median and quartiles of 3 seeds")
    assert (two.spread, two.rows[0].spread) == ("range", "0.300 to 0.500")
    assert (three.spread, three.rows[0].spread) == ("quartiles", "0.400 to 0.700")
    assert three.rows[0].best == "0.500"


def test_a_search_that_has_ended_keeps_what_it_found():
    curves = {"weigh": [[(1, 0.5), (10, 1.0)]], "probe": [[(1, 0.2), (1000, 0.7)]]}
    ends = [line.points.split()[-1] for line in searched(curves, ended=("weigh",)).chart.lines]
    assert [float(end.split(",")[0]) for end in ends] == [100, 100]
    assert float(ends[0].split(",")[1]) == searched(curves).chart.ceilings[0][1]
    ends = [line.points.split()[-1] for line in searched(curves).chart.lines]
    assert float(ends[0].split(",")[0]) < 100


def test_published_figures_are_marks_on_the_boxes_they_were_published_for():
    curves = {"course-first": [[(1, 0.2), (9, 0.3)]], "course-second": [[(1, 0.2), (9, 0.3)]]}
    run = searched(curves)
    theirs = [PUBLISHED[key][2] for key in curves]
    assert [mark.name for mark in run.chart.marks] == [f"published: {each.best}" for each in theirs]
    assert [row.published for row in run.rows] == [str(each) for each in theirs]
    assert searched(curves, problem=SEALED).chart.marks == ()


def test_a_run_is_played_back_and_shows_its_diversity():
    curve = [(1, 0.2), (10, 0.4), (100, 0.6), (1000, 0.8)]
    run = searched({"genetic": [curve]}, at=20)
    assert run.playback.count == "after 10 calls"
    assert [run.chart.rows[-1], run.past_request.calls] == [("10", "0.4"), 20]
    assert (run.playback.previous, run.playback.next) == (
        run.query.url("/box", at=1),
        run.query.url("/box", at=100),
    )
    assert run.playback.last == run.query.url("/box", at=None)
    assert searched({"genetic": [curve]}, diversity=True).chart.rows[-1] == ("1,000", "0.4")


@pytest.mark.slow
def test_a_run_is_live_can_be_stopped_and_keeps_what_there_is(visitor, services):
    path = begins(visitor, search=["annealing"], seeds="1", calls="200000")
    coordinator = Coordinator(services[JobStore], HereAndNow())
    coordinator.turn()
    page = visitor.get(path, **HTMX)
    box = visitor.seen["box"]
    assert 'hx-trigger="every 1s, look"' in page.text
    assert "data-follow" in page.text  # a hidden tab does not ask
    assert box.run.chart is not None
    assert visitor.get(f"{box.poll_url}", **HTMX).status_code == 204
    assert visitor.post(box.run.job.cancel_url).status_code == 303
    worked_off(services[JobStore], coordinator=coordinator)
    record = services[JobStore].find(job_of(path))
    assert record.state is JobState.CANCELLED
    visitor.get(path)
    kept = visitor.seen["box"]
    assert kept.run.job.word == "stopped"
    assert kept.poll_url is None
    asked = record.metrics["lanes"]["0"]["calls"]
    assert 0 < asked < 200_000
    assert services[JobStore].points(record.id)[-1].step == asked


@pytest.mark.slow
def test_a_cover_that_takes_longer_goes_on_in_the_lab(visitor, services):
    fields = {"problem": "set-cover:things=20,sets=40,density=0.2", "search": ["exact", "greedy"]}
    answer = visitor.post("/optimise/runs", fields)
    worked_off(services[JobStore])
    visitor.get(answer.headers["Location"])
    rows = visitor.seen["cover"].machines
    runs = [found.run for found in optimise(fields["problem"], *fields["search"])]
    assert [(row.sets, row.looked) for row in rows] == [
        (str(run.size), f"{run.expanded:,}") for run in runs
    ]


def test_the_list_of_jobs_leads_to_the_workshop(visitor, services):
    path = begins(visitor, seeds="1", calls="60")
    assert len(visitor.get(BOX_PATH).data) < 60_000
    listed = visitor.get("/jobs").text
    assert "The black box, groups 2: 3 searches, 1 seed each" in listed
    there = visitor.get(f"/jobs/{job_of(path)}").headers["Location"]
    assert visitor.get(there).headers["Location"] == path


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"problem": BOX}, "tick one at least"),
        ({"problem": BOX, "search": "probe", "calls": "0"}, "must be a whole number"),
        ({"problem": "set-cover:sets=2000", "search": "greedy"}, "sets must be a whole number"),
        ({"problem": "nothing", "search": "greedy"}, "unknown problem"),
    ],
)
def test_a_run_that_cannot_be_is_refused_on_the_page(visitor, fields, why):
    answer = visitor.post("/optimise/runs", fields)
    assert answer.status_code == 422
    assert why in answer.text.lower()
    assert "<h1>" in answer.text
    assert visitor.get("/jobs").text.count("job-line") == 0


def test_a_run_is_shown_on_the_page_of_its_own_problem_alone(visitor, services):
    box = job_of(begins(visitor, search=["one-plus-one"], seeds="1", calls="100"))
    cover = job_of(begins(visitor, problem="set-cover:seed=1", search=["greedy"], seeds="1"))
    for _ in range(2):
        for path in (
            f"/optimise/set-cover?run={box}",
            f"/optimise/black-box?run={cover}",
            "/optimise/black-box?run=nothing",
            "/optimise/runs/nothing",
        ):
            assert visitor.get(path).status_code == 404, path
        for path in (
            f"/optimise/set-cover?run={cover}",
            f"/optimise/set-cover?problem=set-cover:things=5,sets=6&run={cover}",
            f"/optimise/black-box?run={box}",
            f"/optimise/black-box?problem=black-box:groups=64&run={box}",
        ):
            assert visitor.get(path).status_code == 200, path
        worked_off(services[JobStore])  # and the same once they are done


def test_a_box_is_sealed_until_its_seal_is_taken_off(visitor):
    visitor.get(BOX_PATH)
    page = visitor.seen["box"]
    assert page.sealed
    visitor.get(page.seal_url)
    assert not visitor.seen["box"].sealed


# --- settings as fields, and all four boxes at once


BOXES = ("", "groups=2,", "groups=5,", "groups=10,")  # as specs write them, 1 by default
FOUR = [f"black-box:{box}sealed=yes" for box in BOXES]
FOUR_OPEN = [f"black-box:{box}".rstrip(":,") for box in BOXES]


def plan_of(**fields):
    return read_plan(MultiDict({"problem": SEALED, "search": ["genetic"], **fields}))


def test_every_search_has_a_field_for_each_of_its_settings(visitor):
    visitor.get(BOX_PATH)
    found = {one.choice.value: one for one in visitor.seen["box"].searches if one.fields}
    for entry in searches_for(ProblemShape.BOX):
        names = [f"{entry.key}.{option.name}" for option in entry.options]
        assert [field.name for field in found[entry.key].fields] == names
        assert {f"{entry.key}.patience", f"{entry.key}.gain"} <= set(names)


def test_fields_set_the_search_that_is_ticked_and_no_other():
    plan = plan_of(
        **{"genetic.population": "20", "genetic.patience": "7", "tabu.tenure": "3", "seeds": "2"}
    )
    assert [run.search for run in plan.runs] == ["genetic:population=20,patience=7"] * 2
    assert plan_of(**{"genetic.population": "50"}).runs[0].search == "genetic"


def test_what_was_searched_fills_the_fields_again():
    box = page(problem=BOX, search="genetic:population=20")
    genetic = next(one for one in box.searches if one.choice.value == "genetic")
    assert genetic.choice.chosen
    values = {field.name: field.value for field in genetic.fields}
    assert values["genetic.population"] == "20"
    assert values["genetic.mutation"] == "0.001"


def test_a_setting_that_makes_no_sense_is_told_and_the_form_stays_filled(visitor):
    fields = {"problem": BOX, "search": ["genetic"], "genetic.population": "0", "seeds": "4"}
    answer = visitor.post("/optimise/runs", fields)
    assert answer.status_code == 422
    assert "“Population” must be" in answer.text
    box = visitor.seen["box"]
    assert (box.query.problem, box.query.seeds) == (BOX, "4")
    genetic = next(one for one in box.searches if one.choice.value == "genetic")
    assert {field.value for field in genetic.fields if field.name.endswith("population")} == {"0"}


def test_all_four_boxes_are_sealed_alike_and_searched_by_the_same():
    plan = plan_of(boxes="all", seeds="3")
    assert list(plan.problems) == FOUR
    assert [plan.problem_of(lane) for lane in range(0, 12, 3)] == FOUR
    assert {(run.search, run.seed) for run in plan.runs} == {("genetic", at) for at in range(3)}
    with pytest.raises(InvalidFormError, match="220 at most"):
        plan_of(boxes="all", seeds="20", search=["genetic", "tabu", "islands"])


def test_all_four_boxes_have_a_chart_and_a_table_each_as_the_command_line_finds(visitor, services):
    fields = {"problem": BOX, "search": ["weigh", "probe"], "seeds": "1", "boxes": "all"}
    path = visitor.post("/optimise/runs", fields).headers["Location"]
    worked_off(services[JobStore])
    text = visitor.get(path).text
    run = visitor.seen["box"].run
    assert [part.title for part in run.parts] == ["Box 1", "Box 2", "Box 5", "Box 10"]
    for part in run.parts:
        found = [next(optimise(part.problem, search)).run for search in ("weigh", "probe")]
        assert [row.calls for row in part.rows] == [f"{one.calls:,}" for one in found]
        assert [row.reached for row in part.rows] == ["1 of 1", "1 of 1"]
        assert part.chart is not None
    assert text.count('<figure class="chart') == 4
    assert "Open the box" not in text
    data = json.loads(visitor.get(f"/jobs/{job_of(path)}.json").data)["runs"]
    assert [one["problem"] for one in data[::2]] == [part.problem for part in run.parts]


def test_published_figures_stand_with_the_box_they_are_of():
    runs = tuple(SearchRun("course-second", 0, box) for box in FOUR_OPEN)
    job = search_job("", "", SearchPlan(FOUR_OPEN[0], runs, 1000))
    found = SearchRuns(job, [], BoxQuery(), "/box", None)
    published = [str(PUBLISHED["course-second"][groups]) for groups in (1, 2, 5, 10)]
    assert [part.rows[0].published for part in found.parts] == published
