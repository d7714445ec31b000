"""The words at the head of every page."""

import re

import pytest

from webapp.web.navigation import NAV_ITEMS


def words(html):
    """title -> what its link says of being current, as the page shows them."""
    nav = re.search(r'<nav aria-label="Pages">(.*?)</nav>', html, re.DOTALL)
    links = re.findall(r'<a href="[^"]*"(?: aria-current="(\w+)")?>([^<]+)</a>', nav[1])
    return {title: current for current, title in links}


def test_every_word_opens_a_page_that_marks_it_alone(app):
    client = app.test_client()
    with app.test_request_context():
        pages = {word.title: app.url_for(word.endpoint) for word in NAV_ITEMS}
    for title, url in pages.items():
        shown = words(client.get(url).text)
        assert list(shown) == list(pages)
        assert {word for word, current in shown.items() if current} == {title}
        assert shown[title] == "page"


def test_a_page_stands_under_the_word_of_its_room(visitor):
    visitor.begins("tictactoe", "random")
    assert words(visitor.client.get(visitor.path).text)["Play"] == "true"


@pytest.mark.parametrize("word", NAV_ITEMS, ids=lambda word: word.title)
def test_a_word_names_blueprints_that_there_are(app, word):
    assert word.blueprints <= set(app.blueprints)


def test_a_page_that_is_not_there_stands_under_no_word(app):
    assert set(words(app.test_client().get("/nowhere").text).values()) == {""}
