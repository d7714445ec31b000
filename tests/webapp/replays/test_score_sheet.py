"""A match as a printable sheet."""

from dataclasses import replace

import pytest

from engine import read_transcript
from webapp.replays.models import PERSON, new_record
from webapp.replays.query import MatchQuery
from webapp.replays.score_sheet import MAX_DIAGRAMS, ScoreSheet, SheetQuery
from webapp.replays.view import MatchView, Visit
from webapp.web.cookies import Actor

WON = read_transcript("game tictactoe\n1. b2 a1\n2. c3 a3\n3. a2 c1\n4. c2\nfirst wins: line")
RECORD = replace(new_record("somebody", WON, (PERSON, "perfect")), created=1_700_000_000)


def sheet(plies="", record=RECORD):
    query = SheetQuery.parse({"plies": plies})
    return ScoreSheet(MatchView(record, Visit(Actor(), MatchQuery())), query)


def test_a_sheet_names_players_date_and_result_and_lists_every_move():
    page = sheet()
    assert [player.title for player in page.view.players] == ["A person", "Perfect"]
    assert page.date == "14 November 2023"
    assert page.result == "A person wins: three in row 2"
    texts = [[ply and ply.text for ply in turn.plies] for turn in page.view.all_turns]
    assert texts == [["b2", "a1"], ["c3", "a3"], ["a2", "c1"], ["c2", None]]


def test_an_unfinished_match_says_so():
    begun = replace(RECORD, plies=RECORD.plies[:1], created=0)
    assert (sheet(record=begun).result, sheet(record=begun).date) == (
        "Not finished, after 1 move",
        "",
    )


@pytest.mark.parametrize(
    ("plies", "drawn"),
    [
        ("", (7,)),
        ("2, 0;2 8", (2, 0)),
        ("-9 nonsense ²", (7,)),
        ("9" * 99, (7,)),
    ],
)
def test_the_plies_that_are_named_and_were_played_are_drawn(plies, drawn):
    assert sheet(plies).plies == drawn
    captions = [caption for caption, _ in sheet(plies).diagrams]
    texts = {0: "Before the first move", 2: "After move 2, a1", 7: "After move 7, c2"}
    assert captions == [texts[ply] for ply in drawn]


def test_a_long_match_has_all_its_moves_and_at_most_twelve_diagrams(visitor):
    visitor.opens("nim:heaps=30-20,last=wins", ["a1"] * 30 + ["b1"] * 20)
    text = visitor.get(f"{visitor.path}/sheet?plies={'+'.join(map(str, range(15)))}").text
    assert text.count("<td>") == 50
    assert text.count("<figcaption") == MAX_DIAGRAMS


def test_the_share_panel_leads_to_it_and_any_visitor_sees_the_same(visitor, stranger):
    visitor.begins("tictactoe", "random")
    visitor.moves("b2")
    own = visitor.get(f"{visitor.path}/sheet?plies=0+1").text
    assert f'href="{visitor.path}/sheet"' in visitor.get(visitor.path).text
    assert own == stranger.get(f"{visitor.path}/sheet?plies=0+1").text
    assert visitor.get("/matches/nowhere/sheet").status_code == 404
