"""`/train`: choose who learns what, and begin."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, request, url_for

from agents.training.brains import from_bytes
from engine.errors import ZermeloError
from webapp.jobs.kinds.training import TrainingPlan, training_job
from webapp.jobs.models import JobPoint, Strand
from webapp.lab.forms import chosen_game, chosen_plan, title_of, train_form
from webapp.lab.pages.training import curve_csv, keep_run, play_ancestor, show_opening
from webapp.services import services
from webapp.web.cookies import player_of_this_request
from webapp.web.errors import InvalidFormError, show_errors_on
from webapp.web.forms import Fields
from webapp.web.htmx import go_to, render
from webapp.web.messages import Message

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
    services().spend()
    owner = player_of_this_request()
    plan = chosen_plan(fields)
    services().brains.check_room(owner, services().config.brains_bytes)
    strands: dict[int, Strand] | None = None
    points: tuple[JobPoint, ...] = ()
    if fields.get("origin"):
        plan, strands, points = _going_on(plan, fields["origin"])
    record = services().begin_job(training_job(owner, title_of(plan), plan), strands, points)
    return go_to(url_for("jobs.show", job_id=record.id))


def _going_on(
    plan: TrainingPlan, origin: str
) -> tuple[TrainingPlan, dict[int, Strand], tuple[JobPoint, ...]]:
    """The plan from a brain on: its own seed, and so many steps more than it has."""
    kept = services().brains.find(origin)
    data = services().brains.data(kept.digest)
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
            kept = services().brains.find(fields["origin"])
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
