"""The guide: sheets as pages and partials, offered once to newcomers."""

import pytest

from tests.webapp.visitor import HTMX
from webapp.web.shortcuts import KEYS, bindings

LISTED = [key for _, keys in KEYS for key in keys]


@pytest.mark.parametrize("path", ["/how-to-play?game=quixo:size=4", "/keys", "/words"])
def test_a_sheet_is_a_page_and_a_partial(visitor, path):
    page, partial = visitor.get(path), visitor.get(path, **HTMX)
    assert page.status_code == partial.status_code == 200
    assert "<!doctype html>" in page.text
    assert partial.text.startswith('<dialog id="sheet"')
    assert len(page.data) < 60_000
    assert visitor.get("/how-to-play?game=chess").status_code == 422


def test_the_way_back_leads_to_the_match_or_to_the_games(visitor):
    for back in ("//elsewhere.example", "https://a.example", "/matches/../x", ""):
        visitor.get(f"/keys?back={back}")
        assert visitor.seen["back"] == ("/", "To the games")
    visitor.begins("quixo")
    visitor.get(visitor.at("?ply=0&values=1").rules_url)
    assert visitor.seen["back"] == (f"{visitor.path}?ply=0&values=1", "Back to the board")


def test_the_rules_are_offered_until_the_first_move_and_never_again(visitor):
    assert visitor.begins("tictactoe").offers_rules
    assert visitor.match.offers_rules  # looking again changes nothing
    visitor.moves("b2")
    assert not visitor.match.offers_rules
    assert not visitor.begins("tictactoe").offers_rules
    assert visitor.begins("quixo").offers_rules


def test_whoever_has_read_the_rules_is_not_offered_them_and_nonsense_is_no_game(visitor):
    visitor.client.set_cookie("zermelo-met", "<script>..")
    assert visitor.begins("nim").offers_rules
    visitor.get("/how-to-play?game=nim")
    assert not visitor.begins("nim").offers_rules


def test_the_sheet_lists_every_key_that_the_script_reads(visitor):
    page = visitor.get("/keys").text
    assert bindings() == " ".join(f"{key.name}={key.presses}" for key in LISTED)
    assert [key for key in LISTED if f'data-name="{key.name}"' not in page] == []


def test_what_the_keys_press_is_on_the_page_of_a_match_once(visitor):
    visitor.begins("tictactoe", "person")
    visitor.moves("b2")
    for query in ("?ply=1", "?ply=1&present=1"):
        page = visitor.get(visitor.path + query).text
        assert {key.presses: page.count(f'id="{key.presses}"') for key in LISTED} == {
            key.presses: 1 for key in LISTED
        }
