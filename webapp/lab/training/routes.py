"""`/train`: choose who learns what, and begin."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, make_response, request, url_for

from agents.training.brains import from_bytes
from engine import Match, load_game
from engine.errors import ZermeloError
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.training import TRAINING, TrainingPlan, described, training_job
from webapp.jobs.models import JobPoint, JobRecord, Strand, UnknownJobError
from webapp.jobs.queue import JobQueue
from webapp.jobs.store import JobStore
from webapp.lab.training.forms import chosen_game, chosen_plan, title_of, train_form
from webapp.lab.training.learners import MOST_RUNS
from webapp.lab.training.page import TrainingLook, TrainingView, training_view
from webapp.lab.training.snapshots import ask_about_training, opening_of, point_before, recall
from webapp.matches.changes import start
from webapp.replays.models import PERSON, new_record
from webapp.services import service
from webapp.web.cookies import current_player, player_of_this_request
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.forms import Fields
from webapp.web.htmx import go_to, partial_is_wanted, render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits

COLUMNS = ("run", "agent", "seed", "step")


def show_training(record: JobRecord) -> Response:
    """The page, or the part of it that changes while it learns."""
    view = _view(record)
    known = request.args.get("known", None, int) if partial_is_wanted() else None
    chosen = view.chosen
    opening = None
    if chosen is not None and chosen.step != known:
        opening = opening_of(view.game, _spec(record, chosen.step))
    if known is None or (chosen is not None and known == 0) or not view.job.is_active:
        if chosen is not None and opening is None:
            opening = opening_of(view.game, _spec(record, chosen.step))
        response = render("lab/training.html", "lab/_training.html", training=view, opening=opening)
        response.headers["HX-Retarget"] = "#training"  # also where only the curve was asked for
        return response
    return render("lab/training.html", "lab/_live.html", training=view, opening=opening)


def show_opening(job_id: str) -> Response:
    """What it thought after the chosen step."""
    record = found_training(job_id)
    service(RateLimits).spend()
    view = _view(record)
    if view.chosen is None:
        raise UnknownJobError("nothing of this training is kept yet")
    opening = opening_of(view.game, _spec(record, view.chosen.step))
    return render(
        "lab/training.html", "lab/_opening.html", training=view, opening=opening, apart=False
    )


def play_ancestor(job_id: str) -> Response:
    """A match against the brain of a step, or against what it knows by now.

    A point whose bytes are not kept is worked out again first, by a job of the visitor's.
    """
    record = found_training(job_id)
    service(RateLimits).spend()
    step = request.form.get("step", None, int)
    plan = TrainingPlan.of(record)
    if step is None:
        spec = _now(record)
    else:
        check_single(plan)
        points = service(JobStore).points(job_id)
        point = point_before(points, step)
        if point.digest not in service(BrainStore).there(job_id):
            again = recall(record, points, point, player_of_this_request())
            return go_to(url_for("jobs.show", job_id=again.id))
        spec = f"{_learner(record)}:brain={point.digest}"
    service(BrainStore).ensure(spec)
    match = Match.begin(load_game(plan.game))
    return start(new_record(player_of_this_request(), match, (PERSON, spec)))


def keep_run(job_id: str) -> Response:
    """What one of several runs has learned by now, in one's own list."""
    record = found_training(job_id)
    service(RateLimits).spend()
    lane = request.form.get("run", 0, int) - 1
    strand = service(JobStore).strand(job_id, lane) if 0 <= lane < MOST_RUNS else None
    if strand is None:
        raise UnknownJobError("this run has learned nothing yet: give it a moment")
    owner, quota = player_of_this_request(), service(Config).brains_bytes
    seed = TrainingPlan.of(record).runs[lane].seed
    name = f"{described(strand.data).name}, seed {seed}"
    brain = described(strand.data, name)
    kept = service(BrainStore).keep(owner, brain, strand.data, quota, job_id)
    return go_to(url_for("brains.show", brain_id=kept.id))


def check_single(plan: TrainingPlan) -> None:
    """Raises UnknownJobError where several runs have a brain at each step."""
    if len(plan.runs) > 1:
        raise UnknownJobError("of several runs, keep one and play its brain")


def curve_csv(job_id: str) -> Response:
    """Every point of every run, as a spreadsheet reads it."""
    record = found_training(job_id)
    plan, points = TrainingPlan.of(record), service(JobStore).points(job_id)
    names = list(dict.fromkeys(name for point in points for name in point.metrics))
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow((*COLUMNS, *names, "digest"))
    for point in points:
        run = plan.runs[point.lane]
        figures = [repr(point.metrics[name]) if name in point.metrics else "" for name in names]
        rows.writerow((point.lane + 1, run.agent, run.seed, point.step, *figures, point.digest))
    response = make_response(text.getvalue())
    response.mimetype = "text/csv"
    response.headers["Content-Disposition"] = 'attachment; filename="curve.csv"'
    return response


def training_figures(record: JobRecord) -> dict[str, Any]:
    """The curve, beside the row of the job."""
    return {
        "points": [
            {"run": p.lane + 1, "step": p.step, "digest": p.digest, **p.metrics}
            for p in service(JobStore).points(record.id)
        ]
    }


def found_training(job_id: str) -> JobRecord:
    """Raises UnknownJobError for a job of another kind too."""
    record = service(JobStore).find(job_id)
    if record.kind != TRAINING.name:
        raise UnknownJobError("this job is no training")
    return record


def _view(record: JobRecord) -> TrainingView:
    look = TrainingLook(
        linear=request.args.get("axis") == "linear",
        at=request.args.get("at", None, int),
        upto=request.args.get("upto", None, int),
        present=request.args.get("present") == "1",
    )
    kept = service(BrainStore).there(record.id)
    points = service(JobStore).points(record.id)
    if (place := request.args.get("place", None, int)) is not None:  # of the slider
        steps = sorted({point.step for point in points if point.digest in kept})
        chosen = steps[min(max(0, place), len(steps) - 1)] if steps else None
        look = replace(look, at=chosen)
    asked = ask_about_training(record, points, kept)
    return training_view(record, points, kept, look, current_player(), asked)


def _spec(record: JobRecord, step: int) -> str:
    """Who plays with the brain of this step; raises UnknownJobError where none is kept."""
    kept = service(BrainStore).there(record.id)
    found = [p for p in service(JobStore).points(record.id) if p.step == step and p.digest in kept]
    if not found:
        raise UnknownJobError(f"no brain is kept of the step {step:,}")
    return f"{_learner(record)}:brain={found[0].digest}"


def _now(record: JobRecord) -> str:
    """Who plays with what it knows by now, kept for this match."""
    strand = service(JobStore).strand(record.id, 0)
    if strand is None:
        raise UnknownJobError("it has learned nothing yet: give it a moment")
    digest = from_bytes(strand.data).digest
    service(BrainStore).keep_file(digest, strand.data)
    return f"{_learner(record)}:brain={digest}"


def _learner(record: JobRecord) -> str:
    return TrainingPlan.of(record).runs[0].agent.partition(":")[0]


train = Blueprint("train", __name__)


@train.get("/train")
def form() -> Response:
    """The form as its fields say."""
    return _shown(request.args.to_dict())


@train.post("/train")
def begin() -> Response:
    """A job that trains, and its page."""
    fields = request.form.to_dict()
    show_errors_on(lambda message, status: _shown(fields, message, status))
    service(RateLimits).spend()
    owner = player_of_this_request()
    plan = chosen_plan(fields)
    service(BrainStore).check_room(owner, service(Config).brains_bytes)
    strands: dict[int, Strand] | None = None
    points: tuple[JobPoint, ...] = ()
    if fields.get("origin"):
        plan, strands, points = _going_on(plan, fields["origin"])
    record = service(JobQueue).begin(training_job(owner, title_of(plan), plan), strands, points)
    return go_to(url_for("jobs.show", job_id=record.id))


def _going_on(
    plan: TrainingPlan, origin: str
) -> tuple[TrainingPlan, dict[int, Strand], tuple[JobPoint, ...]]:
    """The plan from a brain on: its own seed, and so many steps more than it has."""
    kept = service(BrainStore).find(origin)
    data = service(BrainStore).data(kept.digest)
    if data is None:
        raise InvalidFormError(origin, "this brain is not kept any more")
    brain = from_bytes(data).check(plan.runs[0].agent.partition(":")[0], plan.game)
    if len(plan.runs) != 1:
        raise InvalidFormError(origin, "a brain goes on in one run, not in several")
    runs = (replace(plan.runs[0], seed=brain.seed),)
    longer = TrainingPlan(plan.game, runs, brain.steps + plan.length, brain.steps)
    points = tuple(
        JobPoint(0, point.step, point.metrics, brain.digest if point.step == brain.steps else None)
        for point in brain.curve
    )
    return longer, {0: Strand(brain.steps, data)}, points


def _shown(fields: Fields, message: Message | None = None, status: int = 200) -> Response:
    name = ""
    if fields.get("origin"):
        try:
            kept = service(BrainStore).find(fields["origin"])
            filled = (
                {"game": kept.game, "learner": kept.agent}
                | _settings(kept.agent, kept.facts)
                | dict(fields)
            )
            # Whoever chooses another game or learner begins anew.
            if (chosen_game(filled).spec, filled["learner"]) == (kept.game, kept.agent):
                fields, name = filled, kept.name
        except ZermeloError:
            name = ""
    view = train_form(fields, message, name, refused=message is not None)
    return render("lab/train.html", "lab/_train.html", status, form=view)


def _settings(agent: str, facts: object) -> dict[str, str]:
    """A brain's parameters as fields of the form."""
    parameters = facts["parameters"] if isinstance(facts, dict) else {}
    return {
        f"{agent}.{name}": _text(value) for name, value in parameters.items() if value is not None
    }


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "-".join(map(str, value))
    return str(value)


@train.get("/jobs/<job_id>/opening")
def opening(job_id: str) -> Response:
    """What a learner thought of the opening position."""
    return show_opening(job_id)


@train.post("/jobs/<job_id>/play")
def play(job_id: str) -> Response:
    """Against a learner as it was, or as it is now."""
    return play_ancestor(job_id)


@train.post("/jobs/<job_id>/keep")
def keep(job_id: str) -> Response:
    """One of several runs as a brain of one's own."""
    return keep_run(job_id)


@train.get("/jobs/<job_id>/curve.csv")
def as_csv(job_id: str) -> Response:
    """The curve as a file."""
    return curve_csv(job_id)
