"""Numbers are computed or given, and never just typed."""

import pytest

from tests.webapp.learn import linter
from tests.webapp.learn.linter import TYPED, typed_numbers
from webapp.learn.lesson import lessons, read_lesson


def typed(words: str) -> list[str]:
    return list(typed_numbers(read_lesson(f"# A title\n\n{words}", 1, "some")))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("It has 44 moves.", ["44"]),
        ("It has 43,046,721 boards.", ["43,046,721"]),
        ("Forty-four moves, a thousand bits.", ["Forty-four", "thousand"]),
        ("Twelve things.", ["Twelve"]),
        ("It has {moves quixo} moves.", []),
        ("In 1913 there were two players, and b2 was free.", []),
        ("[Three heaps](nim:heaps=3-4-15) of 3, 4 and fifteen.", []),
        ("[Three heaps](nim:heaps=3-4-15) of 3, 4 and 16.", ["16"]),
    ],
)
def test_a_number_is_typed_where_nothing_gives_it(words: str, found: list[str]) -> None:
    assert typed(words) == found


def test_the_title_of_a_widget_is_looked_at_and_a_wrong_answer_gives_nothing() -> None:
    asked = "predict: a\nposition: quixo\nask: Who?\nchoices: A = 44 | B = 3\n"
    widget = "widget: first openings quixo\ntitle: Forty-four moves"
    text = f"{asked}truth: distinct-moves\nwhy: So.\n\n{widget}"
    assert typed(text) == ["Forty-four"]
    lesson = read_lesson("# A title\n\nIt has 44 moves.", 1, "some")
    assert any("the number 44 is typed" in fault for fault in linter.faults(lesson))


def test_what_may_be_typed_is_typed_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.webapp.learn.linter.TYPED", {})
    found = {lesson.slug: set(typed_numbers(lesson)) for lesson in lessons()}
    assert {slug: set(numbers) for slug, numbers in TYPED.items()} == {
        slug: numbers for slug, numbers in found.items() if numbers
    }
