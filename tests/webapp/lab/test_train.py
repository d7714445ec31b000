"""Training from the browser: a form, a job, its page, and every brain on the way."""

import csv
import io
import re
from concurrent.futures import Future
from dataclasses import replace
from statistics import median
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from markupsafe import escape

from agents import Analysis, Candidate
from agents.arrays.policies import policy_of
from agents.contest.scores import Score
from agents.search.quixo.training import SelfTaught
from agents.training.brains import from_bytes
from agents.training.course import against
from agents.training.curves import Ceiling, ceilings_for
from agents.training.keeping import keep
from agents.training.trainer import stretch
from engine import load_game
from engine.options import parse_spec
from tests.webapp.jobs.working import HereAndNow, worked_off
from tests.webapp.visitor import Visitor
from webapp.boards import picture_for
from webapp.jobs import coordinator as coordinating
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.records import JobPoint, JobState
from webapp.jobs.training import TrainingFigures, TrainingPlan, TrainingRun, training_job
from webapp.lab.curves import curve_of, intervals, measure_of
from webapp.lab.forms import LESSONS
from webapp.lab.opening import told
from webapp.lab.training import TrainingLook, stops_along, training_view
from webapp.questions.addresses import posed_in
from webapp.questions.claims import span_in
from webapp.questions.truths import truth_of
from webapp.services import NAME, Services

MENACE = {"game": "tictactoe", "learner": "menace", "menace.opponent": "random", "length": "300"}


@pytest.fixture
def services(app, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "data"))
    return app.extensions[NAME]


def begun(visitor, **changes):
    answer = visitor.post("/train", MENACE | changes)
    assert answer.status_code == 303, answer.text
    return answer.location


def trained(visitor, services, **changes):
    where = begun(visitor, **changes)
    worked_off(services.jobs)
    return where


def test_the_form_offers_every_learner_of_a_game_with_its_settings(visitor, services):
    page = visitor.get("/train?game=tictactoe&learner=qlearning").text
    assert re.findall(r'<option value="([\w-]+)"', page.split('id="train-learner"')[1])[:4] == [
        "qlearning",
        "reward-table",
        "state-value",
        "menace",
    ]
    assert 'name="qlearning.alpha"' in page
    assert 'name="qlearning.brain"' not in page


def test_a_training_waits_runs_and_is_done_on_one_page(visitor, services):
    where = begun(visitor, learner="qlearning")
    assert "waiting for its turn" in visitor.get(where).text
    coordinator = Coordinator(services.jobs.leases, HereAndNow())
    coordinator.turn()
    page = visitor.get(where).text
    assert 'hx-trigger="every 1s, look"' in page
    assert "data-follow" in page  # a hidden tab does not ask
    worked_off(services.jobs, coordinator=coordinator)
    page = visitor.get(where).text
    assert "300 of 300 games" in page
    assert "every 1s" not in page
    (best,) = ceilings_for("tictactoe", "random")
    assert best.name in page
    assert visitor.client.get(f"{where}.json").json["state"] == "done"


class Deserted(HereAndNow):
    """Where nobody is who could do a task."""

    hindrance = "waiting for workers"

    def submit(self, function, arguments, seconds):
        return Future()


def test_a_training_that_nobody_can_work_on_says_what_it_waits_for(visitor, services, monkeypatch):
    monkeypatch.setattr(coordinating, "RENEWED", -1.0)  # at every turn
    where = begun(visitor)
    coordinator = Coordinator(services.jobs.leases, Deserted())
    coordinator.turn()
    coordinator.turn()
    assert "waiting for workers" in visitor.get(where).text
    assert visitor.client.get(f"{where}.json").json["hindrance"] == "waiting for workers"
    coordinator.close()
    worked_off(services.jobs)
    assert "waiting for workers" not in visitor.get(where).text
    assert visitor.client.get(f"{where}.json").json["state"] == "done"


def measured_exactly(brain):
    """What it scores against its reference over all games there are."""
    game = load_game(brain.game)
    keep(brain)
    return against(brain.reference, game, policy_of(f"{brain.agent}:brain={brain.digest}", game))


def measured_by_games(brain):
    """What quixo-deep scores in the games that every one of its points plays."""
    shown = SelfTaught.of(load_game(brain.game), brain.seed, brain).measure()
    return {name: shown[name] for name in ("wins", "draws", "losses")}


@pytest.mark.parametrize(
    ("game", "learner", "step", "measured"),
    [
        ("tictactoe", "menace:opponent=random", 200, measured_exactly),
        ("tictactoe", "qlearning:opponent=random", 200, measured_exactly),
        ("quixo:size=4", "quixo-deep", 100, measured_by_games),
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
    brain = from_bytes(services.brains.data(point["digest"]))
    assert (brain.digest, brain.steps) == (point["digest"], step)
    assert stretch(game, learner, 1, None, until=step, seconds=600).digest == point["digest"]
    again = measured(brain)
    assert {name: repr(value) for name, value in again.items()} == {
        name: point[name] for name in again
    }


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.title)
def test_a_training_for_a_class_is_begun_as_it_is_linked_to(visitor, services, lesson):
    form = visitor.get(f"/train?{urlencode(lesson.fields)}").text
    assert escape(lesson.title) in form
    answer = visitor.post("/train", dict(lesson.fields) | {"length": "1"})
    assert answer.status_code == 303, answer.text
    worked_off(services.jobs)
    assert visitor.client.get(f"{answer.location}.json").json["state"] == "done"


def test_what_it_thinks_is_asked_again_only_while_somebody_looks(visitor, services, monkeypatch):
    where = trained(visitor, services)
    monkeypatch.setattr(Services, "wait_for", lambda services, thought: None)
    page = visitor.get(f"{where}/opening?place=0", **{"HX-Request": "true"}).text
    assert "data-poll data-follow" in page
    assert ", look" in page


def test_playing_an_ancestor_plays_that_brain(visitor, services):
    where = trained(visitor, services)
    answer = visitor.post(f"{where}/play", {"step": "50"})
    assert answer.status_code == 303, answer.text
    digest = next(
        point.digest for point in services.jobs.points(where.split("/")[-1]) if point.step == 50
    )
    match = visitor.client.get(f"{answer.location}.json").json
    assert match["players"] == ["person", f"menace:brain={digest}"]
    assert visitor.post(f"{where}/play", {"step": "0"}).status_code == 404
    assert visitor.post(f"{where}/play").status_code == 303


def test_a_point_that_was_not_kept_is_worked_out_again_and_played(visitor, services):
    where = trained(visitor, services, learner="reward-table", length="9000")
    job_id = where.split("/")[-1]
    kept = services.brains.there(job_id)
    bare = [point for point in services.jobs.points(job_id) if point.digest not in kept][-1]
    assert services.brains.data(bare.digest) is None
    assert 'max="9000"' in visitor.get(where).text
    answer = visitor.post(f"{where}/play", {"step": str(bare.step + 1)})
    again = answer.location
    assert again.startswith("/jobs/")
    worked_off(services.jobs)
    plan = visitor.client.get(f"{again}.json").json["parameters"]
    assert 0 < plan["begun_at"] < plan["length"] == bare.step
    assert from_bytes(services.brains.data(bare.digest)).digest == bare.digest
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
    owner = services.jobs.find(where.split("/")[-1]).owner
    (brain,) = services.brains.mine(owner, 9)
    assert brain.digest == from_bytes(services.jobs.strand(where.split("/")[-1], 3).data).digest
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
    assert "the latest 2 are kept" in visitor.get("/jobs").text
    assert visitor.get("/brains").text.count("MENACE after 5 games") >= 4


def test_heaps_of_ones_own_can_be_trained(visitor, services):
    form = visitor.get("/train?game=custom:nim").text
    assert 'name="nim.heaps"' in form
    own = {"game": "custom:nim", "nim.heaps": "1-2-4", "learner": "qlearning", "length": "20"}
    answer = visitor.post("/train", own)
    worked_off(services.jobs)
    assert visitor.client.get(f"{answer.location}.json").json["parameters"]["game"] == (
        "nim:heaps=1-2-4"
    )
    refused = visitor.post("/train", own | {"nim.heaps": "1-x"})
    assert refused.status_code == 422
    assert 'value="1-x"' in refused.text
    assert visitor.post("/train", own | {"game": "custom:chess"}).status_code == 422


def test_what_it_thought_then_has_an_address(visitor, services):
    where = trained(visitor, services)
    page = visitor.get(f"{where}?at=60").text
    assert "after 50 games" in page.replace("</label>", "")
    first = visitor.get(f"{where}/opening?place=0", **{"HX-Request": "true"})
    assert 'id="opening"' in first.text
    assert "after 1 game" in first.text


def test_a_stored_curve_is_played_back_point_by_point(visitor, services):
    where = trained(visitor, services)
    page = visitor.get(f"{where}?upto=3").text
    points = services.jobs.points(where.split("/")[-1])
    assert f"3 of {len(points)} points" in page
    assert "upto=4" in page


def test_steps_by_powers_of_ten_are_offered_where_games_are_counted(visitor, services):
    page = visitor.get(trained(visitor, services, length="20")).text
    assert ">Steps evenly</a>" in page
    generations = {"learner": "es-rules", "game": "nim", "length": "2"}
    page = visitor.get(trained(visitor, services, **generations)).text
    assert "2 of 2 generations" in page
    assert ">Steps " not in page


def test_a_long_curve_has_few_stops_and_is_played_back_in_the_time_it_says(app):
    early = [digit * 10**power for power in range(4) for digit in (1, 2, 5)]
    steps = [*early, *range(6_000, 5_000_000, 1_000), 5_000_000]
    stops = stops_along(steps)
    assert len(stops) <= 60
    assert (stops[:12], stops[-1]) == (list(range(1, 13)), len(steps))
    points = tuple(JobPoint(0, step, {"wins": 0.5}, f"{step}") for step in steps)
    plan = TrainingPlan("tictactoe", (TrainingRun("menace", 1),), 5_000_000)
    record = replace(training_job("", "", plan), state=JobState.DONE)
    with app.test_request_context():
        walk, early, later = (
            training_view(record, points, frozenset(), TrainingLook(upto=upto), None).walk
            for upto in (1, 3, 4_000)
        )
    assert [pause * (len(stops) - 1) / 1000 for pause, *_ in walk.speeds] == [
        pytest.approx(seconds, abs=0.1) for seconds in (20, 40, 60)
    ]
    assert (walk.first, walk.previous) == (None, None)
    assert early.next.endswith("upto=4")
    assert int(later.next.partition("upto=")[2]) == min(stop for stop in stops if stop > 4_000)


@pytest.mark.parametrize("count", [2, 59, 60, 61, 100, 10_000])
@pytest.mark.parametrize("every", [1, 500])
def test_stops_go_from_the_first_point_to_the_last(count, every):
    stops = stops_along(range(every, every * count + 1, every))
    assert (stops[0], stops[-1]) == (1, count)
    assert stops == sorted(set(stops))
    assert min(count, 40) <= len(stops) <= 60


def test_a_stopped_training_keeps_its_brain_and_one_thrown_away_keeps_nothing(visitor, services):
    where = begun(visitor, length="1000000")
    coordinator = Coordinator(services.jobs.leases, HereAndNow())
    coordinator.turn()
    assert visitor.post(f"{where}/cancel").status_code == 303
    assert 'hx-trigger="every 200ms, look"' in visitor.get(where).text  # its end is waited for
    worked_off(services.jobs, coordinator=coordinator)
    page = visitor.get("/brains").text
    assert "MENACE after" in page
    digests = services.brains.there(where.split("/")[-1])
    assert digests
    visitor.post(f"{where}/discard")
    assert visitor.get(where).status_code == 404
    kept = [digest for digest in digests if services.brains.data(digest)]
    assert len(kept) == 1  # the one in the list of brains


def test_who_throws_away_is_asked_first(visitor, services):
    page = visitor.get(trained(visitor, services, length="5")).text
    assert asked_first(page, "discard", "Throw away") == "Yes, throw it away"
    (brain,) = services.brains.mine(visitor_id(services), 1)
    page = visitor.get(f"/brains/{brain.id}").text
    assert asked_first(page, "delete", "Delete") == "Yes, delete it"


def asked_first(page, action, name):
    """The button that does it, which is folded away under one that does nothing."""
    folded = rf'<summary id="{action}" class="btn">{name}</summary>'
    form = rf'<form [^>]*/{action}"><button[^>]*>([^<]*)</button>'
    (button,) = re.findall(rf"<details [^>]*>\s*{folded}\s*{form}", page)
    assert page.count(f'/{action}"') == 1
    return button


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "By playing against Random."),
        ({"learner": "qlearning"}, "By playing itself."),
        ({"seeds": "2"}, "By playing against Random."),
    ],
    ids=str,
)
def test_a_training_says_whom_it_plays(visitor, services, changes, told):
    assert told in visitor.get(begun(visitor, **changes)).text


def test_runs_against_different_players_name_them_in_their_parameters(visitor, services):
    page = visitor.get(begun(visitor, grid="opponent=random,perfect")).text
    assert "By playing" not in page


def test_several_runs_are_compared_by_median_and_range(visitor, services):
    grid = {"grid": "win=1,3", "seeds": "2", "length": "20"}
    where = trained(visitor, services, **grid)
    page = visitor.get(where).text
    assert "median and range of the seeds" in page
    assert 'class="band first"' in page
    assert "win 1" in page
    lines = visitor.get(f"{where}/curve.csv").text.splitlines()
    assert {line.split(",")[0] for line in lines[1:]} == {"1", "2", "3", "4"}


def test_a_comparison_names_every_value_and_is_asked_for_again_with_all_its_runs(visitor, services):
    grid = {"grid": "win=1,3", "seeds": "2", "length": "20", "menace.draw": "2"}
    page = visitor.get(trained(visitor, services, **grid)).text
    assert "win 3" in page  # the usual one
    (again,) = re.findall(r'href="([^"]+)">Again with', page)
    form = visitor.get(again.replace("&amp;", "&")).text
    assert re.findall('name="(seeds|grid|menace.draw)"[^>]* value="([^"]*)"', form) == [
        ("menace.draw", "2"),
        ("seeds", "2"),
        ("grid", "win=1,3"),
    ]


def test_lines_end_in_their_figures_and_the_form_says_what_it_takes(visitor, services):
    page = visitor.get(trained(visitor, services)).text
    last = services.jobs.points(services.jobs.own(visitor_id(services), 1)[0].id)[-1].metrics
    assert f">not lost {100 * last['draws']:.1f} %</text>" in page
    assert f"<td>{100 * last['losses']:.0f} %</td>" in page
    form = visitor.get("/train?learner=qlearning").text
    assert "learning rate: how far one result moves a " in form
    assert '">value<span' in form  # a word that is explained
    assert "</span> (0 to 1)" in form
    assert "come down to a half (1 to 1,000,000,000)" in form
    assert "up to 5,000,000" in form


def test_a_move_that_was_never_tried_has_no_worth_among_those_that_have_one():
    game = load_game("tictactoe")
    tried, untried = (game.parse_move(text) for text in ("b2", "a1"))
    analysis = Analysis((Candidate(tried, 0.5, 1.0), Candidate(untried, None, 0.0)), "So.", tried)
    opening = told(game, picture_for(game, game.start), analysis)
    assert [(row.move, row.figure) for row in opening.rows] == [("b2", "0.50"), ("a1", "–")]
    guess = Analysis((Candidate(tried, None, 0.5), Candidate(untried, None, 0.5)), "So.", tried)
    opening = told(game, picture_for(game, game.start), guess)
    assert {row.figure for row in opening.rows} == {"50%"}


def test_a_curve_has_a_band_only_where_games_were_sampled():
    metrics = {"wins": 0.75, "draws": 0.0, "losses": 0.25}
    points = (JobPoint(0, 100, metrics, "a"), JobPoint(0, 200, metrics, "b"))
    figures = TrainingFigures({}, {}, "alphabeta", ())

    def drawn(game, agent):
        plan = TrainingPlan(game, (TrainingRun(agent, 1),), 200)
        return curve_of(plan, figures, points, "games", log=False)

    deep = drawn("quixo", "quixo-deep")
    assert [tone for tone, _ in deep.bands] == ["win"]
    assert "20 games a point" in deep.title
    low, high = Score(wins=15, losses=5).interval()
    assert intervals(points, 20) == ((100.0, low, high), (200.0, low, high))
    assert drawn("tictactoe", "qlearning").bands == ()
    assert drawn("tictactoe", "of-a-package-that-is-gone").bands == ()


def test_of_who_plays_somebody_perfect_the_games_not_lost_are_charted(visitor, services, app):
    where = trained(visitor, services, **{"menace.opponent": "perfect"})
    job_id = where.split("/")[-1]
    record, points = services.jobs.find(job_id), services.jobs.points(job_id)
    assert TrainingFigures.of(record).reference == "perfect"
    with app.test_request_context():
        view = training_view(record, points, services.brains.there(job_id), TrainingLook(), None)
    stored = [1 - point.metrics["losses"] for point in points]
    assert len(set(stored)) > 2
    assert view.chart.columns == ("games", "not lost", "lost")
    assert [row[1] for row in view.chart.rows] == [f"{100 * share:.1f} %" for share in stored]
    assert len({ring.y for ring in view.chart.presses}) > 2
    assert [name for name, _ in view.chart.ceilings] == ["at best a draw"]
    page = visitor.get(where).text
    assert '<th scope="col">drawn</th>' in page
    assert f"<td>{100 * stored[-1]:.0f} %</td>" in page


def test_runs_against_somebody_perfect_are_compared_by_the_games_not_lost(visitor, services, app):
    changes = {"menace.opponent": "perfect", "seeds": "3", "length": "100"}
    where = trained(visitor, services, **changes)
    job_id = where.split("/")[-1]
    record, points = services.jobs.find(job_id), services.jobs.points(job_id)
    with app.test_request_context():
        view = training_view(record, points, frozenset(), TrainingLook(), None)
    held = {step: [] for step in sorted({point.step for point in points})}
    for point in points:
        held[point.step].append(point.metrics["draws"])
    medians = [f"{100 * median(shares):.1f} %" for shares in held.values()]
    assert len(set(medians)) > 2
    assert [row[1] for row in view.chart.rows] == medians
    assert "games not lost, median and range" in view.chart.title
    assert [run.reached for run in view.runs] == [f"{100 * x:.1f} %" for x in held[100]]
    assert "not lost by now" in visitor.get(where).text


def test_a_training_that_wins_is_charted_by_its_wins_while_a_part_of_it_is_shown():
    drew, won = {"wins": 0.0, "draws": 0.5, "losses": 0.5}, {"wins": 0.5, "draws": 0.5}
    points = (JobPoint(0, 100, drew, "a"), JobPoint(0, 200, won, "b"))
    assert (measure_of(points[:1]), measure_of(points)) == ("not lost", "wins")
    plan = TrainingPlan("tictactoe", (TrainingRun("menace", 1),), 200)
    best = Ceiling("the best answer to it wins 60.0%", 0.6)
    figures = TrainingFigures({}, {}, "random", (best,))
    drawn = curve_of(plan, figures, points[:1], "games", log=True, measure=measure_of(points))
    assert drawn.columns == ("games", "won", "drawn", "lost")
    assert drawn.ceilings
    assert curve_of(plan, figures, points[:1], "games", log=True).ceilings == ()


def test_runs_of_which_only_some_have_begun_have_no_chart_yet():
    plan = TrainingPlan("tictactoe", (TrainingRun("menace", 1), TrainingRun("menace", 2)), 200)
    points = (JobPoint(0, 100, {"wins": 0.75}, "a"),)
    figures = TrainingFigures({}, {}, "random", ())
    assert curve_of(plan, figures, points, "games", log=True) is None


def test_a_curve_of_very_many_points_is_drawn_by_some_of_them_and_its_last():
    plan = TrainingPlan("tictactoe", (TrainingRun("menace", 1),), 5_000_000)
    points = [JobPoint(0, 500 * at, {"wins": at / 10_000}, "a") for at in range(1, 10_001)]
    drawn = curve_of(plan, TrainingFigures({}, {}, "random", ()), points, "games", log=True)
    (line,) = drawn.lines
    assert len(line.points) < 12_000
    assert drawn.rows[-1] == ("5,000,000", "100.0 %")


def test_training_goes_on_from_a_brain(visitor, services):
    trained(visitor, services, length="100")
    brain = services.brains.mine(visitor_id(services), 1)[0]
    assert "goes on from" in visitor.get(f"/train?origin={brain.id}").text
    answer = visitor.post("/train", MENACE | {"length": "100", "origin": brain.id})
    worked_off(services.jobs)
    whole = stretch("tictactoe", "menace:opponent=random", 1, None, until=200, seconds=600)
    assert services.jobs.strand(answer.location.split("/")[-1], 0).step == 200
    ends = {found.digest for found in services.brains.mine(visitor_id(services), 5)}
    assert whole.digest in ends


def visitor_id(services):
    with services.jobs.database.read() as cursor:
        cursor.execute("select owner from jobs")
        return cursor.fetchall()[0][0]


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "chess"},
        {"learner": "random"},
        {"learner": "nobody"},
        {"length": "0"},
        {"length": "99999999999"},
        {"length": "many"},
        {"seed": "-1"},
        {"seeds": "13"},
        {"grid": "alpha"},
        {"grid": "nothing=1,2"},
        {"menace.opponent": "mcts"},
        {"menace.opponent": "nobody"},
        {"menace.win": "1000000"},
        {"origin": "nowhere"},
    ],
    ids=str,
)
def test_what_cannot_be_trained_is_said_on_the_form(visitor, services, changes):
    answer = visitor.post("/train", MENACE | changes)
    assert answer.status_code in (404, 422), answer.text
    assert visitor.client.get("/jobs").text.count("job-line") == 0


def test_only_the_owner_stops_or_throws_away(visitor, stranger, services):
    where = begun(visitor)
    for action in ("cancel", "discard"):
        assert stranger.post(f"{where}/{action}").status_code == 403
    assert stranger.get(where).status_code == 200
    assert "Stop and keep" not in stranger.get(where).text


def test_too_many_jobs_are_429(visitor, services):
    for _ in range(3):
        begun(visitor)
    answer = visitor.post("/train", MENACE)
    assert answer.status_code == 429
    assert answer.headers["Retry-After"]


def test_the_curve_of_a_training_that_has_ended_is_put_to_a_class(visitor, services):
    where = begun(visitor, learner="qlearning", length="2000")
    visitor.get(where)
    assert visitor.seen["training"].ask_url is None  # nobody knows yet
    worked_off(services.jobs)
    visitor.get(where)
    of_training = visitor.seen["training"].ask_url
    visitor.get("/brains")
    visitor.get(visitor.seen["brains"][0].url)
    assert visitor.seen["brain"].ask_url == of_training
    asked = visitor.get(of_training)
    assert asked.status_code == 200, asked.text
    assert visitor.seen["ask"].prompt.startswith("After how many games does this Q-learner ")


def test_what_a_class_is_asked_about_a_curve_is_worked_out_from_it(visitor, services):
    where = trained(visitor, services, learner="qlearning", length="2000")
    visitor.get(where)
    posed = posed_in(dict(parse_qsl(urlsplit(visitor.seen["training"].ask_url).query)))
    metric, least = posed.truth.removeprefix("games-until ").split(">=")
    rows = [
        (int(row["step"]), float(row[metric]))
        for row in csv.DictReader(io.StringIO(visitor.get(f"{where}/curve.csv").text))
    ]
    below = max((step for step, share in rows if share < float(least)), default=0)
    reached = min(step for step, _ in rows if step > below)
    (right,) = truth_of(posed).right
    (claim,) = (pick.claim for pick in posed.picks if pick.text == right)
    assert reached in span_in(claim)


def test_of_several_runs_none_is_asked_about(visitor, services):
    visitor.get(trained(visitor, services, seeds="2", length="50"))
    assert visitor.seen["training"].ask_url is None
