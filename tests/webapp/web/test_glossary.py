"""The words: one list, explained where they stand, once in a text, and never inside another."""

from __future__ import annotations

import pytest

from webapp.web.glossary import BY_FORM, TERMS, explained


def test_a_word_is_explained_where_it_first_occurs() -> None:
    text = str(explained("It looked 6 plies deep, 4 plies more than before.", "panel"))
    assert text.count('class="word"') == 1
    assert text.startswith('It looked 6 <span class="word" tabindex="0"')
    assert 'aria-describedby="word-ply-panel"' in text
    assert "plies more than before." in text


@pytest.mark.parametrize("text", ["It plays b2.", "reply", "displayed", "exactly", "values"])
def test_a_word_within_another_is_left_alone(text: str) -> None:
    assert str(explained(text, "panel")) == text


def test_what_it_is_given_is_escaped() -> None:
    assert "<b>" not in str(explained("<b>", "panel"))


@pytest.mark.parametrize("word", TERMS, ids=lambda word: word.key)
def test_every_word_is_explained_in_every_form(word) -> None:
    for form in word.forms:
        assert word.meaning.split("'")[0][:20] in str(explained(f"the {form} of it", "x"))


def test_no_two_words_share_a_form() -> None:
    assert len(BY_FORM) == sum(len(word.forms) for word in TERMS)
