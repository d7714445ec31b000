"""Routes of a training: the form, the page, its opening, matches and brains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, request, url_for

from agents.grid import Grid
from agents.training.brains import Point, from_bytes, to_bytes
from engine import Match, load_game
from engine.errors import ZermeloError
from webapp.jobs.admission import admit
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.grid import grid_job
from webapp.jobs.kinds.training import (
    TRAINING,
    TrainingPlan,
    describe_brain,
    facts_of,
    own_file,
    training_job,
)
from webapp.jobs.models import Checkpoint, JobRecord, UnknownJobError
from webapp.jobs.store import JobStore
from webapp.lab.brains.page import question_url
from webapp.lab.query import RunFields, TrainingQuery
from webapp.lab.training.form_page import TrainForm, on_projector
from webapp.lab.training.forms import MAX_RUNS, chosen_game, chosen_plan, grid_title, training_title
from webapp.lab.training.page import TrainingPage, learner_key
from webapp.lab.training.snapshots import (
    Opening,
    can_be_searched,
    find_point,
    kept_before,
    opening_request,
    retraining_job,
)
from webapp.matches.changes import start
from webapp.replays.models import PERSON, new_record
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.downloads import csv_response
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.forms import Fields
from webapp.web.htmx import go_to, partial_is_wanted, render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.knowledge import WeaknessRequest
from webapp.workers.queue import Rank

train = Blueprint("train", __name__)

COLUMNS = ("run", "agent", "seed", "step")


def show_training(record: JobRecord) -> Response:
    """The page, or the part of it that changes during the training."""
    page, known = _page(record), TrainingQuery.parse(request.args).known
    if not partial_is_wanted():
        known = None
    step = page.chosen.step if page.chosen else None
    whole = known is None or (known == 0 and step is not None) or not page.is_active
    opening = _opening(page) if whole or step != known else None
    if whole:
        response = render("lab/training.html", "lab/_training.html", training=page, opening=opening)
        response.headers["HX-Retarget"] = "#training"  # also if only the curve was requested
        return response
    return render("lab/training.html", "lab/_live.html", training=page, opening=opening)


@train.get("/jobs/<job_id>/opening")
def opening(job_id: str) -> Response:
    """The analysis of the opening position at the chosen step."""
    record = find_training(job_id)
    service(RateLimits).spend()
    page = _page(record)
    opening = _opening(page)
    if opening is None:
        raise UnknownJobError("nothing of this training is kept yet")
    return render(
        "lab/training.html", "lab/_opening.html", training=page, opening=opening, apart=False
    )


def _opening(page: TrainingPage) -> Opening | None:
    """What the chosen ancestor thinks of the start, as far as it has answered; None without one."""
    if page.chosen_spec is None:
        return None
    game, spec = page.plan.game, page.chosen_spec
    client = service(WorkerClient)
    answer = client.answer(opening_request(game, spec), Rank.PANEL)
    weakness = None
    if answer is not None and can_be_searched(load_game(game)):
        weakness = client.answer(WeaknessRequest(game, spec), Rank.STORY)
    return Opening.of(game, spec, answer, weakness, page.survived)


@train.post("/jobs/<job_id>/play")
def play(job_id: str) -> Response:
    """Start a match against the brain of a step, or the latest one.

    A brain that is not stored is recomputed first, by a job of the visitor.
    """
    record = find_training(job_id)
    service(RateLimits).spend()
    step = RunFields.parse(request.form).step
    plan = TrainingPlan.of(record)
    if step is None:
        spec = _latest_spec(record)
    else:
        check_single(plan)
        points = service(JobStore).points(job_id)
        point = find_point(points, step)
        if point.digest not in service(BrainStore).there(job_id):
            again = _retrain(record, points, point)
            return go_to(url_for("jobs.show", job_id=again.id))
        spec = f"{learner_key(plan)}:brain={point.digest}"
    service(BrainStore).ensure(spec)
    match = Match.begin(load_game(plan.game))
    return start(new_record(player_of_this_request(), match, (PERSON, spec)))


def _retrain(record: JobRecord, points: tuple[Point, ...], point: Point) -> JobRecord:
    """Start the job that ends with the brain of this point, from the last one stored before it."""
    owner, brains = player_of_this_request(), service(BrainStore)
    brains.check_room(owner)
    before = kept_before(points, brains.there(record.id), point.step)
    data = None if before is None else brains.data(before.digest or "")
    if before is None or data is None:
        return admit(retraining_job(record, point, 0, owner), {}, ())
    # The job's own points: whoever sent this brain first may have told others in its file.
    curve = tuple(replace(each, digest=None) for each in points if each.step <= before.step)
    job = retraining_job(record, point, before.step, owner)
    brain = to_bytes(replace(from_bytes(data), curve=curve))
    return admit(job, {0: Checkpoint(before.step, brain)}, curve)


@train.post("/jobs/<job_id>/keep")
def keep(job_id: str) -> Response:
    """Store the latest brain of one of several runs in the visitor's list."""
    record = find_training(job_id)
    service(RateLimits).spend()
    lane = RunFields.parse(request.form).run - 1
    checkpoint = service(JobStore).checkpoint(job_id, lane) if 0 <= lane < MAX_RUNS else None
    if checkpoint is None:
        raise UnknownJobError("this run has learned nothing yet: give it a moment")
    seed = TrainingPlan.of(record).runs[lane].seed
    name = f"{describe_brain(checkpoint.data).name}, seed {seed}"
    brain = describe_brain(checkpoint.data, name)
    owner = player_of_this_request()
    kept = service(BrainStore).keep(owner, brain, checkpoint.data, job_id)
    return go_to(url_for("brains.show", brain_id=kept.id))


def check_single(plan: TrainingPlan) -> None:
    """Raise UnknownJobError for several runs, which have several brains per step."""
    if len(plan.runs) > 1:
        raise UnknownJobError("of several runs, keep one and play its brain")


@train.get("/jobs/<job_id>/curve.csv")
def as_csv(job_id: str) -> Response:
    """Every point of every run as CSV."""
    record = find_training(job_id)
    plan, points = TrainingPlan.of(record), service(JobStore).points(job_id)
    names = list(dict.fromkeys(name for point in points for name in point.metrics))
    rows = []
    for point in points:
        run = plan.runs[point.lane]
        figures = [repr(point.metrics[name]) if name in point.metrics else "" for name in names]
        rows.append((point.lane + 1, run.agent, run.seed, point.step, *figures, point.digest))
    return csv_response((*COLUMNS, *names, "digest"), rows, "curve.csv")


def training_json(record: JobRecord) -> dict[str, Any]:
    """What the job's JSON adds to its row: the curve."""
    return {
        "points": [
            {"run": p.lane + 1, "step": p.step, "digest": p.digest, **p.metrics}
            for p in service(JobStore).points(record.id)
        ]
    }


def find_training(job_id: str) -> JobRecord:
    return service(JobStore).find(job_id, TRAINING.name)


def _page(record: JobRecord) -> TrainingPage:
    kept = service(BrainStore).there(record.id)
    points = service(JobStore).points(record.id)
    query, question = TrainingQuery.parse(request.args), _question_url(record, points, kept)
    path = url_for("jobs.show", job_id=record.id)
    return TrainingPage(path, record, points, kept, query, current_player(), question)


def _question_url(record: JobRecord, points: tuple[Point, ...], kept: frozenset[str]) -> str | None:
    """Link to ask a class about the curve of a finished training.

    None before its end, and for several runs, each of which has a curve of its own.
    """
    plan = TrainingPlan.of(record)
    if not record.state.is_over or len(plan.runs) > 1 or not points:
        return None
    last, checkpoint = points[-1], service(JobStore).checkpoint(record.id, 0)
    if last.digest not in kept or checkpoint is None:
        return None
    spec = f"{learner_key(plan)}:brain={last.digest}"
    return question_url(service(BrainStore), plan.game, spec, facts_of(from_bytes(checkpoint.data)))


def _latest_spec(record: JobRecord) -> str:
    """The agent with the latest brain, stored for this match."""
    checkpoint = service(JobStore).checkpoint(record.id, 0)
    if checkpoint is None:
        raise UnknownJobError("it has learned nothing yet: give it a moment")
    digest = from_bytes(checkpoint.data).digest
    service(BrainStore).keep_file(digest, checkpoint.data)
    return f"{learner_key(TrainingPlan.of(record))}:brain={digest}"


@train.get("/train")
def form() -> Response:
    """The form, filled in from the query."""
    return _form_page(request.args.to_dict())


@train.post("/train")
def begin() -> Response:
    """Start a training and redirect to its page."""
    fields = request.form.to_dict()
    show_errors_on(lambda message, status: _form_page(fields, message, status))
    service(RateLimits).spend()
    owner = player_of_this_request()
    plan = chosen_plan(fields)
    if isinstance(plan, Grid):
        if fields.get("origin"):
            raise InvalidFormError(fields["origin"], "a brain goes on in one run, not in several")
        grid = admit(grid_job(owner, grid_title(plan), plan))
        return _show(grid, fields)
    service(BrainStore).check_room(owner)
    checkpoints: dict[int, Checkpoint] | None = None
    points: tuple[Point, ...] = ()
    if fields.get("origin"):
        plan, checkpoints, points = _continued(plan, fields["origin"])
    record = admit(training_job(owner, training_title(plan), plan), checkpoints, points)
    return _show(record, fields)


def _show(record: JobRecord, fields: Fields) -> Response:
    """Redirect to the page of a job, on the projector if it was begun there."""
    present = on_projector(fields).get("present")
    return go_to(url_for("jobs.show", job_id=record.id, present=present))


def _continued(
    plan: TrainingPlan, origin: str
) -> tuple[TrainingPlan, dict[int, Checkpoint], tuple[Point, ...]]:
    """The plan continued from a brain: with its seed, and its steps added."""
    kept = service(BrainStore).find(origin)
    data = service(BrainStore).data(kept.digest)
    if data is None:
        raise InvalidFormError(origin, "this brain is not kept any more")
    data = own_file(data, kept.facts)
    brain = from_bytes(data).check(learner_key(plan), plan.game)
    if len(plan.runs) != 1:
        raise InvalidFormError(origin, "a brain goes on in one run, not in several")
    runs = (replace(plan.runs[0], seed=brain.seed),)
    longer = TrainingPlan(plan.game, runs, brain.steps + plan.length, brain.steps)
    points = tuple(
        replace(point, digest=brain.digest if point.step == brain.steps else None)
        for point in brain.curve
    )
    return longer, {0: Checkpoint(brain.steps, data)}, points


def _form_page(fields: Fields, message: Message | None = None, status: int = 200) -> Response:
    name = ""
    if fields.get("origin"):
        try:
            kept = service(BrainStore).find(fields["origin"])
            filled = (
                {"game": kept.game, "learner": kept.agent}
                | _setting_fields(kept.agent, kept.facts)
                | dict(fields)
            )
            # Another game or learner starts from scratch.
            if (chosen_game(filled).spec, filled["learner"]) == (kept.game, kept.agent):
                fields, name = filled, kept.name
        except ZermeloError:
            name = ""
    page = TrainForm(fields, message, name)
    return render("lab/train.html", "lab/_train.html", status, form=page)


def _setting_fields(agent: str, facts: object) -> dict[str, str]:
    """The parameters of a brain as fields of the form."""
    parameters = facts["parameters"] if isinstance(facts, dict) else {}
    return {
        f"{agent}.{name}": _setting_text(value)
        for name, value in parameters.items()
        if value is not None
    }


def _setting_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "-".join(map(str, value))
    return str(value)
