"""`zermelo assignment`: check the text of an assignment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from webapp.commands.options import json_option
from webapp.commands.output import show_json

if TYPE_CHECKING:
    from webapp.questions.assignments import AssignmentText

BAD_TEXT = 2


@click.group()
def assignment() -> None:
    """Prepare an assignment: see docs/teaching.md."""


@assignment.command()
@click.argument("file", type=click.File("rb"))
@json_option
def check(file: BinaryIO, as_json: bool) -> None:
    """Read a prepared assignment and say what each of its tasks comes to.

    FILE is a text, or - for what is typed. Whatever is wrong is told line by line, with exit
    code 2; else each task is printed with the puzzles that were chosen and what best play comes
    to in its position. Codes of leagues are looked up when the assignment is made.
    """
    from webapp.learn.models import lesson_titles
    from webapp.questions.assignments import MAX_TEXT_BYTES, assignment_from_bytes, overview
    from webapp.questions.models import InvalidLessonError

    try:
        found = assignment_from_bytes(file.read(MAX_TEXT_BYTES + 1), lesson_titles())
    except InvalidLessonError as error:
        for problem in error.problems:
            click.echo(f"zermelo: {file.name}: {problem}", err=True)
        raise click.exceptions.Exit(BAD_TEXT) from error
    if as_json:
        show_json(_as_json(found))
        return
    students = f"{len(found.names)} names" if found.names else "made-up names"
    click.echo(f"{found.title}: {len(found.tasks)} tasks, {students}\n")
    for line in overview(found):
        click.echo(line)


def _as_json(found: AssignmentText) -> dict[str, Any]:
    from webapp.questions.assignments import task_details

    return {
        "title": found.title,
        "due": found.due,
        "names": list(found.names),
        "tasks": [
            {
                "title": task.title,
                "kind": str(task.kind),
                "summary": task.summary,
                "details": task_details(task),
            }
            for task in found.tasks
        ],
    }
