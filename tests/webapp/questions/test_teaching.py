"""docs/teaching.md says what there is, and its example is a lesson."""

import re
from pathlib import Path

from webapp.questions.plans import ALL_NAMES, StepKind, read_plan, truths_in
from webapp.questions.truths import TRUTHS

TEACHING = (Path(__file__).parents[3] / "docs" / "teaching.md").read_text(encoding="utf-8")


def test_every_truth_is_documented_as_it_is_written():
    rows = [f"| `{kind.usage}` | {kind.tells} |" for kind in TRUTHS]
    assert [row for row in rows if row not in TEACHING] == []


def test_every_field_is_documented():
    assert [name for name in ALL_NAMES if f"`{name}" not in TEACHING] == []
    assert [kind for kind in StepKind if f"| `{kind}: " not in TEACHING] == []


def test_the_example_is_a_lesson():
    example = re.search(r"```\n(# How machines play.*?)```", TEACHING, re.DOTALL)
    assert example is not None
    lesson = read_plan(example[1])
    assert len(truths_in(lesson)) == len(lesson.steps) == 2
