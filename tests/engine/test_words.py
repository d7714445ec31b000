"""Words the rules lend to those who show them: names of variants and of options, sentences."""

import pytest

from engine.catalog import variant_title
from engine.errors import sentence
from engine.options import Kind, Option


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("nim:preset=marienbad", "Marienbad, last loses"),
        ("nim:heaps=2-3,max_take=2", "heaps 2-3, max take 2"),
    ],
)
def test_a_variant_goes_by_its_name_or_by_its_settings(spec: str, title: str) -> None:
    assert variant_title(spec) == title


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("row b holds 3", "Row b holds 3."),
        ("b2 is taken", "b2 is taken."),
        ("unknown agent: did you mean 'random'?", "Unknown agent: did you mean 'random'?"),
    ],
)
def test_an_error_becomes_a_sentence_and_a_move_keeps_its_small_letter(
    text: str, said: str
) -> None:
    assert sentence(text) == said


def test_an_option_is_labelled_with_its_name_as_words() -> None:
    assert Option("max_take", Kind.INTEGER, 3, "the most").label == "Max take"
