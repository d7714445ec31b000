"""`zermelo class`: check the plan of a class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from webapp.commands.options import json_option
from webapp.commands.output import show_json

if TYPE_CHECKING:
    from webapp.questions.models import Truth
    from webapp.questions.plans import ClassPlan, PlanStep

BAD_PLAN = 2


@click.group("class")
def classroom() -> None:
    """Prepare a class: see docs/teaching.md."""


@classroom.command()
@click.argument("file", type=click.File("rb"))
@json_option
def check(file: BinaryIO, as_json: bool) -> None:
    """Read a prepared lesson and work out what is true in each of its rounds.

    FILE is a text, or - for what is typed. Whatever is wrong is told line by line, with exit
    code 2; else each step is printed with its minute and the truth of its question.
    """
    from webapp.questions.models import InvalidLessonError
    from webapp.questions.plans import MAX_PLAN_BYTES, overview, plan_from_bytes, truths_in

    try:
        plan = plan_from_bytes(file.read(MAX_PLAN_BYTES + 1))
        truths = truths_in(plan)
    except InvalidLessonError as error:
        for problem in error.problems:
            click.echo(f"zermelo: {file.name}: {problem}", err=True)
        raise click.exceptions.Exit(BAD_PLAN) from error
    if as_json:
        show_json(_as_json(plan, truths))
        return
    steps = f"{len(plan.steps)} steps, {len(plan.rounds)} of them rounds"
    click.echo(f"{plan.title}: {plan.minutes} minutes, {steps}\n")
    for line in overview(plan, truths):
        click.echo(line)


def _as_json(plan: ClassPlan, truths: dict[PlanStep, Truth]) -> dict[str, Any]:
    return {
        "title": plan.title,
        "minutes": plan.minutes,
        "steps": [
            {
                "title": step.title,
                "minutes": step.minutes,
                "kind": str(step.kind),
                "link": step.link,
                **_round(step, truths),
            }
            for step in plan.steps
        ],
    }


def _round(step: PlanStep, truths: dict[PlanStep, Truth]) -> dict[str, Any]:
    if step.question is None:
        return {}
    from webapp.questions.query import ask_url

    truth = truths[step]
    return {
        "ask": step.question.prompt,
        "url": ask_url(step.question),
        "truth": truth.shown,
        "why": truth.sentence,
        "answers": [
            {"answer": one.text, "right": one.right, "value": one.value, "plies": one.plies}
            for one in truth.answers
        ],
    }
