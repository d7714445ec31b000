"""Training from the browser: a form, a job, its page, and every brain on the way."""

import csv
import io
import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from agents import Analysis, Candidate
from agents.arrays.policies import policy_of
from agents.contest.scores import Score
from agents.training.brains import from_bytes
from agents.training.course import against
from agents.training.curves import ceilings_for
from agents.training.trainer import stretch
from engine import load_game
from tests.webapp.jobs.working import HereAndNow, worked_off
from tests.webapp.visitor import Visitor
from webapp.boards import picture_for
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.records import JobPoint
from webapp.jobs.training import TrainingFigures, TrainingPlan, TrainingRun
from webapp.lab.curves import curve_of, intervals
from webapp.lab.opening import told
from webapp.questions.addresses import posed_in
from webapp.questions.claims import span_in
from webapp.questions.truths import truth_of
from webapp.services import NAME

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
    assert 'hx-trigger="every 1s"' in visitor.get(where).text
    worked_off(services.jobs, coordinator=coordinator)
    page = visitor.get(where).text
    assert "300 of 300 games" in page
    assert "every 1s" not in page
    ((name, _),) = ceilings_for("tictactoe", "random")
    assert name in page
    assert visitor.client.get(f"{where}.json").json["state"] == "done"


def test_a_point_of_the_curve_is_a_brain_and_measures_as_it_is_plotted(visitor, services):
    where = trained(visitor, services)
    rows = visitor.get(f"{where}/curve.csv").text.splitlines()
    header = rows[0].split(",")
    point = dict(zip(header, next(row for row in rows if ",200," in row).split(","), strict=True))
    brain = from_bytes(services.brains.data(point["digest"]))
    assert (brain.digest, brain.steps) == (point["digest"], 200)
    whole = stretch("tictactoe", "menace:opponent=random", 1, None, until=200, seconds=600)
    assert whole.digest == point["digest"]
    visitor.post(f"{where}/play", {"step": "200"})
    game = load_game("tictactoe")
    reference = visitor.client.get(f"{where}.json").json["metrics"]["reference"]
    again = against(reference, game, policy_of(f"menace:brain={point['digest']}", game))
    assert {name: repr(value) for name, value in again.items()} == {
        name: point[name] for name in again
    }


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


def test_a_stopped_training_keeps_its_brain_and_one_thrown_away_keeps_nothing(visitor, services):
    where = begun(visitor, length="1000000")
    coordinator = Coordinator(services.jobs.leases, HereAndNow())
    coordinator.turn()
    assert visitor.post(f"{where}/cancel").status_code == 303
    assert 'hx-trigger="every 200ms"' in visitor.get(where).text  # its end is waited for
    worked_off(services.jobs, coordinator=coordinator)
    page = visitor.get("/brains").text
    assert "MENACE after" in page
    digests = services.brains.there(where.split("/")[-1])
    assert digests
    visitor.post(f"{where}/discard")
    assert visitor.get(where).status_code == 404
    kept = [digest for digest in digests if services.brains.data(digest)]
    assert len(kept) == 1  # the one in the list of brains


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
    assert f">won {100 * last['wins']:.1f} %</text>" in page
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
