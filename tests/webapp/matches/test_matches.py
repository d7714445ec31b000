"""Playing a match: start, moves, replies, undo, resignation, rematch."""

import pytest

from agents.contest.ladder import difficulties, easier_rung, next_rung
from agents.contest.strength import measured_fields
from engine import Seat
from tests.webapp.visitor import HTMX, OWN_PAGE, Never, Visitor
from webapp.replays.query import MatchQuery
from webapp.replays.view import PlayerKind

THREE = "a1 b1 a2 b2 a3"
FULL = "a1 b2 c3 c1 a3 a2 c2 b3 b1"
THRICE = "e1-a1 e5-a5 e1-a1 e5-a5 b1-a1 b5-a5 b1-a1 b5-a5"


@pytest.mark.stores
def test_a_match_begins_a_move_is_made_and_answered(visitor):
    match = visitor.begins("tictactoe", "perfect")
    assert (match.ply, match.may_move, match.status) == (0, True, "Your move")
    assert [player.title for player in match.players] == ["You", "Perfect"]
    match = visitor.moves("b2")
    assert (match.last_move, match.mover.title) == ("b2", "Perfect")
    assert match.reply.automatic
    match = visitor.hears()
    assert (match.ply, match.may_move, match.reply) == (2, True, None)


def test_the_opponent_may_start_and_its_move_is_not_the_persons_to_take_back(visitor):
    match = visitor.begins("tictactoe", "perfect", starts="opponent")
    assert match.players[Seat.SECOND].kind is PlayerKind.YOU
    assert (match.may_move, match.reply.automatic) == (False, True)
    assert visitor.hears().actions.undo is None
    assert visitor.does("undo").status_code == 409


def test_htmx_gets_the_board_and_a_browser_its_page(visitor):
    visitor.begins("tictactoe", "random")
    restored = HTMX | {"HX-History-Restore-Request": "true"}
    looks = (HTMX, "_answer"), ({}, "page"), (restored, "page")
    for headers, template in looks:
        assert "HX-Request" in visitor.get(visitor.path, **headers).vary
        assert visitor.template == f"replays/{template}.html"


def test_a_page_carries_the_address_it_was_asked_for(visitor):
    """Going back or forward is noticed by it, however early."""
    visitor.begins("tictactoe", "random")
    assert visitor.at("?ply=0&x=%22").visit.address == f"{visitor.path}?ply=0&x=%22"
    assert visitor.at("").visit.address == visitor.path


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("b2", "b2 is taken."),
        ("z9", "'z9' is no cell: they run from a1 to c3."),
        ("", "'' is no cell: they run from a1 to c3."),
        ("b" * 10_000, f"'{'b' * 40}…' is no cell: they run from a1 to c3."),
        ("🙂", "'🙂' is no cell: they run from a1 to c3."),
    ],
    ids=["taken", "nowhere", "empty", "long", "emoji"],
)
def test_a_move_that_cannot_be_made_is_a_state_of_the_board(visitor, move, reason):
    visitor.begins("tictactoe", "person")
    visitor.moves("b2")
    answer = visitor.does("moves", headers=OWN_PAGE | HTMX, move=move)
    assert answer.status_code == 422
    match = visitor.seen["match"]
    assert visitor.template == "replays/_answer.html"
    assert (match.status, match.refusal, match.message) == (reason, reason, None)
    assert visitor.record["moves"] == ["b2"]


@pytest.mark.stores
def test_the_same_move_sent_twice_is_made_once_and_answered_with_the_board(visitor):
    visitor.begins("tictactoe", "perfect")
    answers = [visitor.does("moves", move="b2", revision=0) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert visitor.record["moves"] == ["b2"]
    visitor.hears()
    answer = visitor.does("moves", headers=OWN_PAGE | HTMX, move="b2", revision=0)
    assert (answer.status_code, visitor.seen["match"].last_ply) == (200, 2)


@pytest.mark.stores
def test_another_move_for_an_old_board_or_one_that_was_taken_back_is_stale(visitor):
    visitor.begins("tictactoe", "person")
    visitor.moves("b2")
    answer = visitor.does("moves", headers=OWN_PAGE | HTMX, move="a1", revision=0)
    assert (answer.status_code, visitor.seen["match"].record.revision) == (409, 1)
    assert visitor.record["moves"] == ["b2"]
    visitor.does("undo")
    assert visitor.does("moves", move="b2", revision=0).status_code == 409
    assert visitor.record["moves"] == []


@pytest.mark.stores
def test_taking_back_returns_to_the_persons_last_turn(visitor):
    visitor.begins("tictactoe", "perfect")
    visitor.moves("b2")
    visitor.hears()
    visitor.does("undo")
    assert visitor.record["moves"] == []


def test_taking_back_while_the_agent_thinks_takes_back_one_move(start):
    visitor = Visitor(start(Never))
    visitor.begins("tictactoe", "perfect")
    visitor.moves("b2")
    visitor.does("undo")
    assert visitor.match.may_move


def test_a_reply_that_is_not_there_yet_leaves_the_page_as_it_is(start):
    visitor = Visitor(start(Never))
    visitor.begins("tictactoe", "perfect")
    visitor.moves("b2")
    assert visitor.does("reply", headers=OWN_PAGE | HTMX).status_code == 204
    assert visitor.does("reply").status_code == 303
    assert visitor.record["moves"] == ["b2"]


@pytest.mark.stores
def test_asking_twice_for_a_reply_moves_once(visitor):
    visitor.begins("tictactoe", "perfect")
    visitor.moves("b2")
    answers = [visitor.does("reply", revision=1) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert len(visitor.record["moves"]) == 2


@pytest.mark.parametrize(("fields", "action"), [({}, "reply"), ({"starts": "opponent"}, "moves")])
def test_nobody_acts_out_of_turn(visitor, fields, action):
    visitor.begins("tictactoe", "perfect", **fields)
    assert visitor.does(action, move="a1").status_code == 409


@pytest.mark.parametrize(
    ("game", "moves", "winner", "result"),
    [
        ("tictactoe", THREE, Seat.FIRST, "Player x wins: three in column a"),
        ("tictactoe", FULL, None, "A draw: "),
        ("quixo", THRICE, None, "A draw: the same position stood 3 times"),
        ("nim:heaps=2,last=loses", "a2", Seat.SECOND, "Orange wins: "),
    ],
    ids=["three", "full", "thrice", "last"],
)
def test_the_ending_says_why(visitor, game, moves, winner, result):
    visitor.opens(game, moves)
    match = visitor.match
    assert (match.over, match.outcome.winner) == (True, winner)
    assert match.result.startswith(result)
    assert bool(match.actions.play_on) is (moves == THRICE)  # elsewhere nothing can be played


def test_htmx_is_told_where_the_new_match_is(visitor):
    answer = visitor.post("/matches", {"game": "nim"}, headers=OWN_PAGE | HTMX)
    assert answer.status_code == 204
    assert answer.headers["HX-Redirect"].startswith("/matches/")


def test_a_match_that_is_over_takes_no_move(visitor):
    visitor.opens("tictactoe", THREE)
    answer = visitor.does("moves", headers=OWN_PAGE | HTMX, move="c3")
    assert answer.status_code == 409
    assert visitor.seen["match"].message.text == "The match is over."


@pytest.mark.stores
def test_resigning_gives_the_match_to_the_opponent_until_it_is_taken_back(visitor):
    visitor.begins("tictactoe", "perfect")
    visitor.does("resign")
    assert visitor.match.result == "Perfect wins: you resigned"
    visitor.does("undo")
    assert visitor.match.may_move


@pytest.mark.stores
def test_a_rematch_has_the_same_seats_and_a_swap_the_other(visitor):
    visitor.begins("tictactoe", "perfect")
    visitor.does("resign")
    path = visitor.path
    visitor.path = visitor.does("rematch").location
    assert visitor.record["players"] == ["person", "perfect"]
    visitor.path = path
    visitor.path = visitor.does("swap").location
    assert visitor.record["players"] == ["perfect", "person"]


@pytest.mark.stores
def test_after_a_loss_the_next_opponent_is_easier_and_sits_where_the_last_one_did(visitor):
    visitor.begins("quixo", "quixo-deep:level=learner", starts="opponent")
    assert visitor.match.actions.next is None  # it goes on
    assert visitor.does("next").status_code == 409
    visitor.does("resign")
    assert "Easier opponent: Newcomer, level 2 of 15" in visitor.get(visitor.path).text
    visitor.path = visitor.does("next").location
    assert visitor.record["players"] == ["quixo-deep:level=newcomer", "person"]


def test_after_a_win_the_next_opponent_is_harder(visitor):
    visitor.opens("tictactoe", "a1 b1 a2 b2 a3", ("person", "random"))
    rung = next_rung("tictactoe", "random")
    assert visitor.match.actions.next_label == f"Harder opponent: {rung.short}"
    visitor.path = visitor.does("next").location
    assert visitor.record["players"] == ["person", rung.spec]


@pytest.mark.parametrize("game", measured_fields())
def test_easier_opponents_lead_from_the_top_to_one_that_nobody_is_below(game):
    *_, top = difficulties(game)
    rung, met = top.rung, []
    while rung is not None:
        met.append(rung)
        rung = easier_rung(game, rung.spec)
    rates = [measured_fields()[game].scores[rung.spec].rate for rung in met]
    assert rates == sorted(set(rates), reverse=True)
    assert {each.rung.spec for each in difficulties(game)} <= {rung.spec for rung in met}


@pytest.mark.parametrize("game", measured_fields())
def test_next_opponents_lead_from_easy_to_the_top(game):
    """Each of them is a difficulty of the lobby, or the next level of the same machine."""
    first, *_, top = difficulties(game)
    rung, met = first.rung, []
    while rung is not None:
        met.append(rung)
        rung = next_rung(game, rung.spec)
    assert met[-1].spec == top.rung.spec
    rates = [measured_fields()[game].scores[rung.spec].rate for rung in met]
    assert rates == sorted(set(rates))
    offered = {each.value for each in difficulties(game)}
    assert [rung.label for rung in met if rung.value not in offered and not rung.entry.levels] == []


@pytest.mark.parametrize(
    ("opponent", "look"),
    [("opportunist", ""), ("person", ""), ("minimax", "?lesson=nim.beat-1")],
    ids=["a loss to the weakest", "a friend", "in a lesson, which is gone back to"],
)
def test_no_opponent_comes_next_after(visitor, opponent, look):
    visitor.begins("nim", opponent)
    visitor.does("resign")
    visitor.get(visitor.path + look)
    assert visitor.seen["match"].actions.next is None


@pytest.mark.stores
def test_swapping_sides_in_play_gives_the_turn_to_the_agent(visitor):
    visitor.begins("tictactoe", "perfect")
    visitor.does("swap")
    match = visitor.match
    assert match.players[Seat.SECOND].kind is PlayerKind.YOU
    assert match.reply is not None


def test_two_agents_move_when_next_is_pressed(visitor):
    visitor.begins("tictactoe", "random", mode="watch", rival="perfect")
    assert visitor.match.next_reply
    assert not visitor.match.reply.automatic
    match = visitor.hears()
    assert (match.ply, match.watching, match.may_move) == (1, True, False)


def test_every_ply_has_its_address(visitor):
    visitor.begins("tictactoe", "person")
    visitor.moves("a1", "b1", "a2")
    match = visitor.at("?ply=1")
    assert (match.ply, match.live, match.may_move, match.last_move) == (1, False, False, "a1")
    path = visitor.path
    assert match.steps == (f"{path}?ply=0", f"{path}?ply=0", f"{path}?ply=2", path)


@pytest.mark.parametrize("ply", ["4", "-1", "x", "999999999999999999999"])
def test_a_ply_that_was_never_played_is_nowhere(visitor, ply):
    visitor.begins("tictactoe", "person")
    assert visitor.get(f"{visitor.path}?ply={ply}").status_code == 404


def test_the_address_follows_after_a_move_made_from_a_picked_cube(visitor):
    visitor.begins("quixo", "person")
    here = {"HX-Current-URL": f"http://localhost{visitor.path}?pick=a1"}
    answer = visitor.does("moves", headers=OWN_PAGE | HTMX | here, move="a1-a5")
    assert answer.headers["HX-Replace-Url"] == visitor.path


def test_a_move_may_come_in_parts(visitor):
    visitor.begins("nim", "person")
    answer = visitor.post(f"{visitor.path}/moves", {"revision": 0, "move": ["e", "3"]})
    assert answer.status_code == 303
    assert visitor.record["moves"] == ["e3"]


@pytest.mark.parametrize("shown", ["present", "values"])
def test_what_is_shown_beside_the_board_goes_on_after_a_move(visitor, shown):
    visitor.begins("tictactoe", "person")
    answer = visitor.does("moves", move="b2", **{shown: "1"})
    assert answer.location == f"{visitor.path}?{shown}=1"


def test_the_variant_is_shown_by_its_name(visitor):
    visitor.begins("nim", "perfect", preset="marienbad")
    assert visitor.match.variant == "Marienbad, last loses"


@pytest.mark.parametrize("action", ["", "/hint", "/story", "/moves", "/reply", "/undo", "/play-on"])
def test_a_request_reads_its_query_once(visitor, monkeypatch, action):
    visitor.begins("tictactoe", "perfect")
    visitor.moves("b2")
    read, parse = [], MatchQuery.parse
    monkeypatch.setattr(MatchQuery, "parse", lambda fields: read.append(fields) or parse(fields))
    path, sent = visitor.path + action, {"revision": 1, "ply": 1}
    get = action in ("", "/hint", "/story")
    answer = visitor.get(path, **HTMX) if get else visitor.post(path, sent, OWN_PAGE | HTMX)
    assert answer.status_code < 500
    assert len(read) == 1
