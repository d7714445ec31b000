"""Training from the browser: a form, a job, and its page."""

import re
from concurrent.futures import Future
from urllib.parse import urlencode

import pytest
from markupsafe import escape

from agents.runs import ceilings_for, train_slice
from agents.training.brains import from_bytes
from tests.webapp.jobs.working import HereAndNow, worked_off
from tests.webapp.lab.trainings import MENACE, begun, trained, visitor_id
from webapp.jobs import coordinator as coordinating
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.kinds.training import TrainingPlan, TrainingRun, training_job
from webapp.jobs.store import JobStore
from webapp.lab.query import TrainingQuery
from webapp.lab.training.form_page import PRESETS
from webapp.lab.training.page import TrainingPage


def test_the_form_offers_every_learner_of_a_game_with_its_settings(visitor, services):
    page = visitor.get("/train?game=tictactoe&learner=qlearning").text
    offered = re.findall(r'<option value="([\w-]+)"', page.split('id="train-learner"')[1])
    assert offered[:4] == ["qlearning", "reward-table", "state-value", "menace"]
    assert 'name="qlearning.alpha"' in page
    assert 'name="qlearning.brain"' not in page


def test_a_training_waits_runs_and_is_done_on_one_page(visitor, services):
    where = begun(visitor, learner="qlearning")
    assert "waiting for its turn" in visitor.get(where).text
    coordinator = Coordinator(services[JobStore], HereAndNow())
    coordinator.turn()
    page = visitor.get(where).text
    assert 'hx-trigger="every 1s, look"' in page
    assert "data-follow" in page  # a hidden tab does not poll
    worked_off(services[JobStore], coordinator=coordinator)
    page = visitor.get(where).text
    assert "300 of 300 games" in page
    assert "every 1s" not in page
    (best,) = ceilings_for("tictactoe", "random")
    assert best.name in page
    assert visitor.client.get(f"{where}.json").json["state"] == "done"


class Deserted(HereAndNow):
    """An executor without workers."""

    hindrance = "waiting for workers"

    def submit(self, function, arguments, seconds, *, express=False):
        return Future()


def test_a_training_that_nobody_can_work_on_says_what_it_waits_for(visitor, services, monkeypatch):
    monkeypatch.setattr(coordinating, "RENEW_INTERVAL_S", -1.0)  # on every iteration
    where = begun(visitor)
    coordinator = Coordinator(services[JobStore], Deserted())
    coordinator.turn()
    coordinator.turn()
    assert "waiting for workers" in visitor.get(where).text
    assert visitor.client.get(f"{where}.json").json["hindrance"] == "waiting for workers"
    coordinator.close()
    worked_off(services[JobStore])
    assert "waiting for workers" not in visitor.get(where).text
    assert visitor.client.get(f"{where}.json").json["state"] == "done"


@pytest.mark.parametrize("lesson", PRESETS, ids=lambda lesson: lesson.title)
def test_a_training_for_a_class_is_begun_as_it_is_linked_to(visitor, services, lesson):
    form = visitor.get(f"/train?{urlencode(lesson.fields)}").text
    assert escape(lesson.title) in form
    answer = visitor.post("/train", dict(lesson.fields) | {"length": "1"})
    assert answer.status_code == 303, answer.text
    worked_off(services[JobStore])
    assert visitor.client.get(f"{answer.location}.json").json["state"] == "done"


def test_heaps_of_ones_own_can_be_trained(visitor, services):
    form = visitor.get("/train?game=custom:nim").text
    assert 'name="nim.heaps"' in form
    own = {"game": "custom:nim", "nim.heaps": "1-2-4", "learner": "qlearning", "length": "20"}
    answer = visitor.post("/train", own)
    worked_off(services[JobStore])
    assert visitor.client.get(f"{answer.location}.json").json["parameters"]["game"] == (
        "nim:heaps=1-2-4"
    )
    refused = visitor.post("/train", own | {"nim.heaps": "1-x"})
    assert refused.status_code == 422
    assert 'value="1-x"' in refused.text
    assert visitor.post("/train", own | {"game": "custom:chess"}).status_code == 422


def test_a_stopped_training_keeps_its_brain_and_one_thrown_away_keeps_nothing(visitor, services):
    where = begun(visitor, length="1000000")
    coordinator = Coordinator(services[JobStore], HereAndNow())
    coordinator.turn()
    assert visitor.post(f"{where}/cancel").status_code == 303
    assert 'hx-trigger="every 200ms, look"' in visitor.get(where).text  # its end is waited for
    worked_off(services[JobStore], coordinator=coordinator)
    page = visitor.get("/brains").text
    assert "MENACE after" in page
    digests = services[BrainStore].there(where.split("/")[-1])
    assert digests
    visitor.post(f"{where}/discard")
    assert visitor.get(where).status_code == 404
    kept = [digest for digest in digests if services[BrainStore].data(digest)]
    assert len(kept) == 1  # the one in the list of brains


def test_who_throws_away_is_asked_first(visitor, services):
    page = visitor.get(trained(visitor, services, length="5")).text
    assert asked_first(page, "discard", "Delete") == "Yes, delete it"
    (brain,) = services[BrainStore].mine(visitor_id(services), 1)
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
    ("agents", "text"),
    [
        (["menace:opponent=random"], "By playing against Random."),
        (["menace:opponent=random"] * 2, "By playing against Random."),
        (["qlearning"], "By playing itself."),
        (["menace:opponent=random", "menace:opponent=perfect"], ""),  # named by each run
    ],
    ids=str,
)
def test_a_training_says_whom_it_plays(agents, text):
    plan = TrainingPlan("tictactoe", tuple(TrainingRun(agent, 1) for agent in agents), 200)
    job = training_job("", "", plan)
    about = TrainingPage("/jobs/1", job, (), frozenset(), TrainingQuery()).about
    assert "".join(re.findall(r"By playing .*?\.", about)) == text


def test_lines_end_in_their_figures_and_the_form_says_what_it_takes(visitor, services):
    page = visitor.get(trained(visitor, services)).text
    (job,) = services[JobStore].own(visitor_id(services), 1)
    last = services[JobStore].points(job.id)[-1].metrics
    names = [
        re.sub("<[^>]+>", "", name) for name in re.findall(r'<text class="name.*?</text>', page)
    ]
    assert f"not lost {100 * last['draws']:.1f} %" in names
    assert f"<td>{100 * last['losses']:.0f} %</td>" in page
    form = visitor.get("/train?learner=qlearning").text
    assert "learning rate: how far one result moves a " in form
    assert '">value<span' in form  # a word that is explained
    assert "</span> (0 to 1)" in form
    assert "come down to a half (1 to 1,000,000,000)" in form
    assert "up to 5,000,000" in form


def test_training_goes_on_from_a_brain(visitor, services):
    trained(visitor, services, length="100")
    brain = services[BrainStore].mine(visitor_id(services), 1)[0]
    assert "goes on from" in visitor.get(f"/train?origin={brain.id}").text
    answer = visitor.post("/train", MENACE | {"length": "100", "origin": brain.id})
    worked_off(services[JobStore])
    whole = train_slice("tictactoe", "menace:opponent=random", 1, None, until=200, seconds=600)
    assert services[JobStore].checkpoint(answer.location.split("/")[-1], 0).step == 200
    ends = {found.digest for found in services[BrainStore].mine(visitor_id(services), 5)}
    assert whole.digest in ends


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "chess"},
        {"learner": "random"},
        {"learner": "nobody"},
        {"length": "99999999999"},
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


RULES = {
    "game": "nim:heaps=1-2-3",
    "learner": "es-rules",
    "es-rules.population": "6",
    "es-rules.restart": "4",
    "es-rules.opponents": "self+random",
    "length": "12",
    "seed": "1",
}


def test_an_evolution_that_begins_anew_is_a_job_like_others(visitor, services):
    answer = visitor.post("/train", RULES | {"es-rules.until": "random>0.01"})
    job_id = answer.location.split("/")[-1]
    worked_off(services[JobStore])
    brain = from_bytes(services[JobStore].checkpoint(job_id, 0).data)
    assert (brain.steps, brain.arrays["passed"].item()) == (12, 4)
    shown = visitor.client.get(answer.location).text
    assert "Until random&gt;0.01" in shown
    for text, why in (("random>2", "no agent with a share below 1"), ("mcts>0.5", "too long")):
        answer = visitor.post("/train", RULES | {"es-rules.until": text})
        assert answer.status_code == 422
        assert why in answer.text


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
