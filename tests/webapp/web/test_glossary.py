"""The words: one list, explained where they stand, once in a text, and never inside another."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from agents.roster import roster
from tests.soak import sampled
from tests.webapp.visitor import Visitor
from webapp.web.glossary import BY_FORM, BY_KEY, FORM_PATTERN, TERMS, explained


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


# --- on the pages where they occur

# Where nothing can be explained: what is pressed, chosen or drawn, names, and what only ears meet.
ELSEWHERE = {
    *("head", "script", "style", "svg", "template", "dialog", "title", "caption", "legend"),
    *("option", "textarea", "button", "a", "label", "summary", "h1", "h2", "h3"),
}
BY_LENGTH = sorted(BY_KEY, key=len, reverse=True)
VOID = {"input", "br", "meta", "link", "img", "hr", "path", "rect", "circle", "wbr", "col"}


class PageText(HTMLParser):
    """What a page says in running text, and which words it explains."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self._open: list[tuple[str, bool]] = []
        self.explained: set[str] = set()
        self.said: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        classes = (found.get("class") or "").split()
        if "meaning" in classes:
            self.explained.add((found["id"] or "").removeprefix("word-"))  # key-place
        hidden = tag in ELSEWHERE or bool({"word", "unseen"} & set(classes))
        if tag not in VOID:
            self._open.append((tag, hidden))

    def handle_endtag(self, tag: str) -> None:
        while any(tag == one for one, _ in self._open):
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if not any(hidden for _, hidden in self._open):
            self.said.append(data)

    @property
    def unexplained(self) -> set[str]:
        met = {
            BY_FORM[found.lower()].key for text in self.said for found in FORM_PATTERN.findall(text)
        }
        return {key for key in met if not any(one.startswith(key) for one in self.explained)}


LEARNERS = (
    *(("nim", "ea-table"), ("nim", "es-rules")),
    *(("tictactoe", "menace"), ("tictactoe", "q-learning")),
)
PAGES = (
    *("/machines", "/lab", "/arena", "/jobs", "/brains", "/join"),
    *(f"/train?game={game}&learner={learner}" for game, learner in LEARNERS),
    *("/optimise", "/optimise/set-cover", "/optimise/black-box"),
    *("/class", "/class/ask?game=tictactoe"),
)
MACHINES = tuple(f"/machines/{agent.key}" for agent in roster())
SOON = (*PAGES, "/machines/nim-sum", "/machines/es-move")
# On these a word of ours does occur, so that nothing is asked of a page that says none.
TELLING = ("/machines", "/arena", "/train?game=nim&learner=ea-table", "/machines/nim-sum")


@pytest.mark.parametrize("address", sampled({page: page for page in PAGES + MACHINES}, *SOON))
def test_a_word_on_a_page_is_explained_there_and_once(address: str, visitor: Visitor) -> None:
    page = visitor.get(address)
    assert page.status_code == 200
    text = PageText(page.text)
    keys = [next(key for key in BY_LENGTH if name.startswith(key)) for name in text.explained]
    assert text.unexplained == set()
    if address in TELLING:
        assert keys
        assert len(keys) == len(set(keys))
