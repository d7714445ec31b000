"""Page objects are made of values alone: no app, no request, no worker."""

from dataclasses import replace

import pytest
from flask import has_app_context

from agents.search.trace import Algorithm
from agents.search.trace import record as record_search
from engine import load_game, read_transcript
from webapp.analysis.panel import Panel, PanelLinks
from webapp.positions.page import PositionPage
from webapp.positions.query import Draft
from webapp.replays.actions import Actions
from webapp.replays.models import PERSON, new_record
from webapp.replays.page import MatchPage
from webapp.replays.query import MatchQuery, TreeQuery
from webapp.replays.tree_page import TreePage
from webapp.replays.view import MatchView, Visit
from webapp.web.cookies import Actor
from webapp.web.messages import Message, Tone

PLAYER = Actor("somebody")
STRANGER = Actor("somebody else")
MATCH = read_transcript("game tictactoe\n1. b2 a1\nunfinished")
RECORD = replace(new_record("somebody", MATCH, (PERSON, "perfect")), id="id")
LAST = {1: "You played b2.", 2: "Perfect plays a1."}
LINKS = PanelLinks("", "#match", None, None, "")
PANEL = Panel("perfect", load_game("tictactoe"), LINKS, ())


@pytest.fixture(autouse=True)
def nowhere():
    """Nothing is left of another test's app."""
    assert not has_app_context()


def read_all(page):
    """Every property, as the template reads them."""
    kind = type(page)
    names = [name for name in dir(kind) if not name.startswith("_")]
    return {name: getattr(page, name) for name in names if not callable(getattr(kind, name))}


def match_page(actor, query="", record=RECORD, **parts):
    fields = dict(part.split("=") for part in query.split("&") if part)
    return MatchPage(record, Visit(actor, MatchQuery.parse(fields)), PANEL, **parts)


@pytest.mark.parametrize(
    ("actor", "query", "status", "may"),
    [
        (PLAYER, "", "Your move", {"undo", "hint", "resign", "swap"}),
        (PLAYER, "ply=1", "After 1 of 2 moves", {"undo", "swap", "resign", "play_on"}),
        (PLAYER, "pick=b2", "b2 is taken.", {"undo", "hint", "resign", "swap"}),
    ],
)
def test_a_match_says_whose_turn_it_is_and_what_one_may_do(actor, query, status, may):
    page = match_page(actor, query)
    actions = {name for name in type(page.actions).__slots__ if getattr(page.actions, name)}
    assert (page.status, actions) == (status, may)
    assert page.announcement == (status if page.refusal else f"{LAST[page.ply]} {status}.")
    assert read_all(page)["moves_url"] == "/matches/id/moves"


@pytest.mark.parametrize("query", ["", "pick=b2"])
def test_whoever_only_watches_is_told_who_is_to_move(query):
    page = match_page(STRANGER, query)
    assert (page.status, page.refusal, page.actions) == (
        "A person to move",
        None,
        Actions(play_on="/matches/id/play-on"),
    )


def test_an_error_is_a_message_unless_it_is_about_the_move():
    busy, refused = Message(Tone.WARNING, "Busy."), Message(Tone.REFUSAL, "b2 is taken.")
    page = match_page(PLAYER, error=busy)
    assert (page.status, page.message) == ("Your move", busy)
    page = match_page(PLAYER, error=refused)
    assert (page.status, page.message) == ("b2 is taken.", None)
    assert match_page(STRANGER, error=refused).message == refused


def test_whoever_waits_for_an_agent_is_told_why():
    record = replace(RECORD, plies=RECORD.plies[:1])
    texts = [match_page(PLAYER, record=record, warming=cold).status for cold in (False, True)]
    assert texts == ["Perfect is thinking", "Perfect is warming up"]


@pytest.mark.parametrize(
    ("upto", "steps"),
    [(0, (None, None, 1, 49)), (1, (0, 0, 2, 49)), (None, (0, 48, None, None))],
)
def test_a_tree_is_stepped_through(upto, steps):
    """Two plies deep minimax looks at 7 moves and 6 answers to each: at 49 positions."""
    view = MatchView(RECORD, Visit(PLAYER, MatchQuery(ply=2)))
    query = TreeQuery(ply=2, algorithm=Algorithm.MINIMAX, depth=2, upto=upto)
    plan = TreePage.plan_for(RECORD, 2, query)
    page = TreePage(view, query, plan, record_search(MATCH, plan))
    urls = [None if at is None else replace(query, upto=at).address("/matches/id") for at in steps]
    assert list(page.search.steps) == urls
    assert read_all(page)["failed"] == ""


def test_a_tree_that_is_not_there_says_why():
    view = MatchView(RECORD, Visit(PLAYER, MatchQuery(ply=2)))
    plan = TreePage.plan_for(RECORD, 2, TreeQuery(depth=3))
    page = TreePage(view, TreeQuery(), plan, None)
    assert page.failed.endswith("A smaller depth is quicker.")
    assert [label for label, _ in page.offers] == ["2 plies", "1 ply"]
    assert replace(page, pending=True).failed == ""


@pytest.mark.parametrize(
    ("state", "status", "message", "playable"),
    [
        ("xx./oo./... x", "x to move", None, True),
        ("xxx/oo./... o", "Over", "It is over already. Player x wins: three in row 3.", False),
        ("xxx/xxx/... x", "Not a position yet", "This cannot happen: ", False),
        ("nonsense", "Not a position yet", "", False),
    ],
)
def test_a_position_is_shown_as_far_as_it_is_one(state, status, message, playable):
    draft = Draft.parse({"game": "tictactoe", "state": state})
    visit = Visit(STRANGER, MatchQuery())
    match = None if draft.error else MatchPage(draft.record, visit, PANEL)
    page = PositionPage(draft, visit, match)
    assert (page.status, page.playable) == (status, playable)
    assert page.message is None if message is None else page.message.text.startswith(message)
    assert page.editor is not None


def test_a_position_that_has_stood_twice_is_announced_before_it_is_a_draw(visitor):
    opening = "a2-a5 d5-d1 c5-a5 d1-a1 a4-a1 c5-a5"
    there_and_back = "a1-e1 a2-e2 e1-a1 e2-a2"
    visitor.opens("quixo", opening)
    assert "stood" not in visitor.match.status
    visitor.opens("quixo", f"{opening} {there_and_back}")
    assert visitor.match.status == (
        "Player x to move. This position has stood twice: once more is a draw"
    )
    visitor.opens("quixo", f"{opening} {there_and_back} {there_and_back}")
    assert visitor.match.result == "A draw: the same position stood 3 times"


def test_moves_are_counted_in_one_way_in_list_status_and_stepper(visitor):
    visitor.opens("tictactoe", "a1 b1 a2 b2")
    page = visitor.at("?ply=3")
    assert page.status == "After 3 of 4 moves"
    assert [(turn.number, turn.plies[0].number) for turn in page.turns] == [(1, 1), (3, 3)]


def test_players_of_nim_are_colours(visitor):
    assert [player.title for player in visitor.begins("nim", "person").players] == [
        "Blue",
        "Orange",
    ]
    assert {player.glyph for player in visitor.match.players} == {""}
    assert {player.glyph for player in visitor.begins("quixo", "person").players} == {"x", "o"}


def test_two_machines_begin_by_themselves_but_a_game_seen_again_does_not(visitor):
    assert visitor.begins("tictactoe", "random", mode="watch", rival="random").starts_itself
    visitor.does("reply")
    assert not visitor.match.starts_itself
    assert not visitor.at("?ply=0").starts_itself
    assert not visitor.begins("tictactoe", "person").starts_itself
