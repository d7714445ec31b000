"""Errors and options in words for a person."""

import pytest

from engine.errors import sentence
from engine.options import Kind, Option


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("b2 is taken", "b2 is taken."),
        ("the game is over", "The game is over."),
        ("unknown game 'nimm': did you mean 'nim'?", "Unknown game 'nimm': did you mean 'nim'?"),
        ("over", "over."),
    ],
)
def test_an_error_is_told_as_a_sentence_in_which_a_move_keeps_its_small_letter(
    text: str, told: str
) -> None:
    assert sentence(text) == told


def test_an_option_has_its_name_as_words() -> None:
    assert Option("max_take", Kind.INTEGER, 1, "at most").label == "Max take"
