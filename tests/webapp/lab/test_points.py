"""Every point of a training: a brain to inspect, play and keep."""

import csv
import io
from dataclasses import replace
from time import time

import pytest

from agents import Analysis, Candidate
from agents.roster import OPPONENTS
from agents.runs import train_slice
from agents.search.quixo.training import SelfTaught
from agents.training.brain_files import keep
from agents.training.brains import Point, from_bytes
from engine import load_game
from engine.options import parse_spec
from tests.webapp.jobs.working import worked_off
from tests.webapp.lab.trainings import trained, training_page
from tests.webapp.visitor import HTMX, Visitor
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.training import TrainingPlan, TrainingRun, training_job
from webapp.jobs.models import JobState
from webapp.jobs.store import JobStore
from webapp.lab.query import TrainingQuery
from webapp.lab.training.page import TrainingPage, playback_stops
from webapp.lab.training.snapshots import Opening
from webapp.services import NAME
from webapp.workers.client import WorkerClient


def measured_exactly(brain):
    """Its exact score against its reference."""
    game = load_game(brain.game)
    keep(brain)
    return OPPONENTS.results(
        brain.reference, game, OPPONENTS.policy(f"{brain.agent}:brain={brain.digest}", game)
    )


def measured_by_games(brain):
    """What quixo-deep scores in the games that every one of its points plays."""
    shown = SelfTaught.of(load_game(brain.game), brain.seed, brain).measure()
    return {name: shown[name] for name in ("wins", "draws", "losses")}


@pytest.mark.parametrize(
    ("game", "learner", "step", "measured"),
    [
        ("tictactoe", "menace:opponent=random", 200, measured_exactly),
        ("tictactoe", "qlearning:opponent=random", 200, measured_exactly),
        pytest.param("quixo:size=4", "quixo-deep", 100, measured_by_games, marks=pytest.mark.slow),
    ],
)
def test_a_point_of_the_curve_is_a_brain_and_measures_as_it_is_plotted(
    visitor, services, game, learner, step, measured
):
    key, texts = parse_spec(learner)
    settings = {f"{key}.{name}": text for name, text in texts.items()}
    where = trained(visitor, services, game=game, learner=key, length=str(step), **settings)
    rows = csv.DictReader(io.StringIO(visitor.get(f"{where}/curve.csv").text))
    point = next(row for row in rows if step == int(row["step"]))
    brain = from_bytes(services[BrainStore].data(point["digest"]))
    assert (brain.digest, brain.steps) == (point["digest"], step)
    assert train_slice(game, learner, 1, None, until=step, seconds=600).digest == point["digest"]
    again = measured(brain)
    assert {name: repr(value) for name, value in again.items()} == {
        name: point[name] for name in again
    }


def test_what_it_thinks_is_asked_again_only_while_somebody_looks(visitor, services, monkeypatch):
    where = trained(visitor, services, length="5")
    monkeypatch.setattr(WorkerClient, "wait_for", lambda client, pending: None)
    page = visitor.get(f"{where}/opening?place=0", **HTMX).text
    assert "data-poll data-follow" in page
    assert ", look" in page


def test_playing_an_ancestor_plays_that_brain(visitor, services):
    where = trained(visitor, services)
    answer = visitor.post(f"{where}/play", {"step": "50"})
    assert answer.status_code == 303, answer.text
    _, points = training_page(services, where)
    digest = next(point.digest for point in points if point.step == 50)
    match = visitor.client.get(f"{answer.location}.json").json
    assert match["players"] == ["person", f"menace:brain={digest}"]
    assert visitor.post(f"{where}/play", {"step": "0"}).status_code == 404
    assert visitor.post(f"{where}/play").status_code == 303


def test_a_point_that_was_not_kept_is_worked_out_again_and_played(visitor, services):
    where = trained(visitor, services, learner="reward-table", length="9000")
    job_id = where.split("/")[-1]
    kept = services[BrainStore].there(job_id)
    bare = [point for point in services[JobStore].points(job_id) if point.digest not in kept][-1]
    assert services[BrainStore].data(bare.digest) is None
    assert 'max="9000"' in visitor.get(where).text
    answer = visitor.post(f"{where}/play", {"step": str(bare.step + 1)})
    again = answer.location
    assert again.startswith("/jobs/")
    worked_off(services[JobStore])
    plan = visitor.client.get(f"{again}.json").json["parameters"]
    assert 0 < plan["begun_at"] < plan["length"] == bare.step
    assert from_bytes(services[BrainStore].data(bare.digest)).digest == bare.digest
    assert f"after {bare.step:,} games" in visitor.get(again).text
    played = visitor.post(f"{where}/play", {"step": str(bare.step + 1)}).location
    match = visitor.client.get(f"{played}.json").json
    assert match["players"] == ["person", f"reward-table:brain={bare.digest}"]


def test_runs_of_a_comparison_are_kept_as_brains(visitor, stranger, services):
    where = trained(visitor, services, grid="opponent=random,perfect", seeds="2", length="50")
    page = visitor.get(where).text
    assert page.count("Keep</button>") == 4
    answer = visitor.post(f"{where}/keep", {"run": "4"})
    assert "MENACE after 50 games, seed 2" in visitor.get(answer.location).text
    owner = services[JobStore].find(where.split("/")[-1]).owner
    (brain,) = services[BrainStore].mine(owner, 9)
    assert (
        brain.digest
        == from_bytes(services[JobStore].checkpoint(where.split("/")[-1], 3).data).digest
    )
    assert stranger.post(f"{where}/keep", {"run": "1"}).status_code == 303
    for nonsense in ("0", "5", "99", "-1", "x"):
        assert visitor.post(f"{where}/keep", {"run": nonsense}).status_code == 404
    assert visitor.post(f"{where}/play", {"step": "50"}).status_code == 404


def test_of_jobs_that_are_over_the_latest_are_kept_and_brains_with_a_name(
    start, tmp_path, monkeypatch
):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "data"))
    app = start(jobs_kept=2)
    visitor, services = Visitor(app), app.extensions[NAME]
    made = [trained(visitor, services, length="5", seed=str(seed)) for seed in range(1, 5)]
    found = [visitor.get(where).status_code for where in made]
    assert found == [404, 200, 200, 200]  # and one more, when the next is begun
    assert "The latest 2 finished ones are kept" in visitor.get("/jobs").text
    assert visitor.get("/brains").text.count("MENACE after 5 games") >= 4


def test_what_it_thought_then_and_its_curve_until_then_have_addresses(visitor, services):
    where = trained(visitor, services)
    page = visitor.get(f"{where}?at=60").text
    assert "after 50 games" in page.replace("</label>", "")
    first = visitor.get(f"{where}/opening?place=0", **HTMX)
    assert 'id="opening"' in first.text
    assert "after 1 game" in first.text
    _, points = training_page(services, where)
    page = visitor.get(f"{where}?upto=3").text
    assert f"3 of {len(points)} points" in page
    assert "upto=4" in page


def test_a_long_curve_has_few_stops_and_is_played_back_in_the_time_it_says():
    early = [digit * 10**power for power in range(4) for digit in (1, 2, 5)]
    steps = [*early, *range(6_000, 5_000_000, 1_000), 5_000_000]
    stops = playback_stops(steps)
    assert len(stops) <= 60
    assert (stops[:12], stops[-1]) == (list(range(1, 13)), len(steps))
    points = tuple(Point(step, {"wins": 0.5}, f"{step}") for step in steps)
    plan = TrainingPlan("tictactoe", (TrainingRun("menace", 1),), 5_000_000)
    record = replace(training_job("", "", plan), state=JobState.DONE)
    first, early, later = (
        TrainingPage("/there", record, points, frozenset(), TrainingQuery(upto=upto)).playback
        for upto in (1, 3, 4_000)
    )
    assert [pause * (len(stops) - 1) / 1000 for pause, *_ in first.speeds] == [
        pytest.approx(seconds, abs=0.1) for seconds in (20, 40, 60)
    ]
    assert (first.first, first.previous) == (None, None)
    assert early.next.endswith("upto=4")
    assert int(later.next.partition("upto=")[2]) == min(stop for stop in stops if stop > 4_000)


@pytest.mark.parametrize(
    ("lasted", "ago", "upto", "starts"),
    [(3, 2, None, True), (30, 2, None, False), (3, 60, None, False), (3, 2, 1, False)],
    ids=["short and just over", "long enough to watch", "long over", "at a point"],
)
def test_a_curve_plays_itself_back_once_if_it_came_too_fast_to_watch(lasted, ago, upto, starts):
    points = tuple(Point(step, {"wins": 0.5}, f"{step}") for step in (1, 10, 100))
    plan = TrainingPlan("tictactoe", (TrainingRun("menace", 1),), 100)
    ended = time() - ago
    record = replace(
        training_job("", "", plan), state=JobState.DONE, begun=ended - lasted, ended=ended
    )
    page = TrainingPage("/there", record, points, frozenset(), TrainingQuery(upto=upto))
    assert page.replays_itself == starts
    still_running = replace(record, state=JobState.RUNNING, ended=None)
    page = TrainingPage("/there", still_running, points, frozenset(), TrainingQuery())
    assert not page.replays_itself


@pytest.mark.parametrize("count", [2, 59, 60, 61, 100, 10_000])
@pytest.mark.parametrize("every", [1, 500])
def test_stops_go_from_the_first_point_to_the_last(count, every):
    stops = playback_stops(range(every, every * count + 1, every))
    assert (stops[0], stops[-1]) == (1, count)
    assert stops == sorted(set(stops))
    assert min(count, 40) <= len(stops) <= 60


def test_a_move_that_was_never_tried_has_no_worth_among_those_that_have_one():
    game = load_game("tictactoe")
    tried, untried = (game.parse_move(text) for text in ("b2", "a1"))
    analysis = Analysis((Candidate(tried, 0.5, 1.0), Candidate(untried, None, 0.0)), "So.", tried)
    opening = Opening("menace", game, analysis=analysis)
    assert [(row.move, row.figure) for row in opening.figures] == [("b2", "0.50"), ("a1", "–")]
    guess = Analysis((Candidate(tried, None, 0.5), Candidate(untried, None, 0.5)), "So.", tried)
    assert {row.figure for row in Opening("menace", game, analysis=guess).figures} == {"50%"}
