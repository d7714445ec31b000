"""The format of a lesson's text."""

import pytest

from webapp.learn.parser import (
    Alternative,
    Headline,
    LessonOpponent,
    LessonQuestion,
    LessonTextError,
    LessonWidget,
    Prose,
    read_lesson,
)

TEXT = """# A title

Words over
two lines.

## Then

predict: first
ask: Who?
choice: x wins = win
choice: Nobody
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


def test_blank_lines_keep_blocks_apart() -> None:
    lesson = read_lesson(TEXT, 4, "some")
    choices = (Alternative("x wins", "win"), Alternative("Nobody", "Nobody"))
    assert lesson.title == "A title"
    assert lesson.sources == ("Somebody, 1913.",)
    assert lesson.blocks == (
        Prose("Words over two lines."),
        Headline("Then"),
        LessonQuestion("first", "predict", "Who?", choices, "value", "Because.", "tictactoe"),
        LessonWidget("board", "cells", "tictactoe x../.../... o", "Try it"),
        LessonOpponent("tictactoe", "random", "x", "Go on."),
    )


def test_what_shows_after_an_answer_is_counted_too_and_a_figure_is_a_word() -> None:
    lesson = read_lesson("# One two\n\nThree {value tictactoe} [five six](/machines).", 1, "some")
    assert lesson.words == 6


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("No title", 1, "begins with"),
        ("# T\n\npredict: a\nask: Who?\ntruth: t\nwhy: w", 3, "two at least"),
        ("# T\n\npredict: a\nask: Who?\nchoice: A\nchoice: B\nwhy: w", 3, "lacks its `truth:`"),
        ("# T\n\nwidget: a cells\ntitle: T\nlabel: no", 5, "no field `label:`"),
        ("# T\n\nwidget: a cells\ntitle: T\ntitle: U", 5, "twice"),
        ("# T\n\nwidget: a cells\ntitle: T\nand so on", 5, "field: words"),
        ("# T\n\nwidget: cells\ntitle: T", 3, "NAME KIND ABOUT"),
        ("# T\n\nwidget: a cells\ntitle: T\n\nwidget: a cells\ntitle: T", 1, "called a"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(LessonTextError, match=why) as refused:
        read_lesson(text, 1, "some")
    assert refused.value.line == line
