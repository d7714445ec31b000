"""The format of a lesson's text."""

import pytest

from webapp.learn.lesson import (
    Headline,
    LessonOpponent,
    LessonQuestion,
    LessonWidget,
    Prose,
    read_lesson,
)
from webapp.questions.models import Choice, InvalidLessonError, Question

TEXT = """# A title

Words over
two lines.

## Then

predict: first
ask: Who?
choices: x wins | Nobody = a draw
truth: value
position: tictactoe
why: Because.

widget: board cells tictactoe x../.../... o
title: Try it

beat: tictactoe
against: random
seat: x
say: Go on.

source: Somebody, 1913.
"""

ASKED = "# T\n\npredict: a\nask: Who?\ntruth: best\nwhy: w"


def test_blank_lines_keep_blocks_apart() -> None:
    lesson = read_lesson(TEXT, 4, "some")
    choices = (Choice("x wins", "x wins"), Choice("Nobody", "a draw"))
    question = Question("tictactoe", "Who?", "value", choices=choices)
    assert lesson.title == "A title"
    assert lesson.sources == ("Somebody, 1913.",)
    assert lesson.blocks == (
        Prose("Words over two lines."),
        Headline("Then"),
        LessonQuestion("first", "predict", question, "Because.", "tictactoe"),
        LessonWidget("board", "cells", "tictactoe x../.../... o", "Try it"),
        LessonOpponent("beat-1", "tictactoe", "random", "x", "Go on."),
    )


def test_what_shows_after_an_answer_is_counted_too_and_a_figure_is_a_word() -> None:
    lesson = read_lesson("# One two\n\nThree {value tictactoe} [five six](/machines).", 1, "some")
    assert lesson.words == 6


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("No title", 1, "begins with its title"),
        ("# T\n\npredict: a\nask: Who?\ntruth: best\nposition: nim\nwhy: w", 3, "has choices"),
        ("# T\n\npredict: a\nask: Who?\nchoices: A | B\nwhy: w", 3, "lacks its `truth:`"),
        (f"{ASKED}\nposition: chess", 7, "unknown game"),
        (f"{ASKED}\nposition: nim\nmoves: z9", 8, "z9"),
        ("# T\n\nwidget: a cells\ntitle: T\nask: no", 5, "ask: means nothing beside widget:"),
        ("# T\n\nwidget: a cells\ntitle: T\nlabel: no", 5, "unknown field 'label'"),
        ("# T\n\nwidget: a cells\ntitle: T\ntitle: U", 5, "was there already, in line 4"),
        ("# T\n\nwidget: a cells\ntitle: T\nand so on", 5, "no `field: text`"),
        ("# T\n\nwidget: cells\ntitle: T", 3, "NAME KIND ABOUT"),
        ("# T\n\nwidget: a cells\ntitle: T\n\nwidget: a cells\ntitle: T", 1, "called a"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(InvalidLessonError, match=why) as refused:
        read_lesson(text, 1, "some")
    assert refused.value.problems[0].line == line
