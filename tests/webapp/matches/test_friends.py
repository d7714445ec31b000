"""Matches with a friend on another device: invitations, presence, offers, permissions."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
import segno

from engine import Seat
from tests.webapp.visitor import HTMX, OWN_PAGE, Visitor
from webapp.config import Rate
from webapp.matches.store import MatchStore
from webapp.replays.models import INVITED
from webapp.replays.presence import MatchAttendance
from webapp.services import NAME, Clock
from webapp.web.qr import MASK


@pytest.fixture
def friend(app):
    return Visitor(app)


@pytest.fixture
def invited(visitor):
    """A match whose second seat is free, and the address of the invitation to it."""
    match = visitor.begins("tictactoe", INVITED)
    return "/invitations/" + match.company.invitation.link.rpartition("/")[2]


@pytest.fixture
def together(visitor, friend, invited):
    """Both at the board: the visitor has x, the friend o."""
    friend.path = friend.post(invited).location
    assert friend.path == visitor.path
    return visitor, friend


def follows(visitor, match=None):
    """The response to the page's poll."""
    return visitor.get((match or visitor.match).company.follow, **HTMX)


def test_whoever_invites_sees_a_free_seat_and_a_link_which_the_code_says(visitor, invited):
    # The modules of the drawn path are those of segno's code.
    match = visitor.match
    shown = match.company.invitation
    assert [player.title for player in match.players] == ["You", "Your friend"]
    assert (shown.link, shown.only_here) == (f"http://localhost{invited}", True)
    dark = {
        (int(x) + at, int(y))
        for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1", shown.code.path)
        for at in range(int(width))
    }
    matrix = segno.make(shown.link, error="m", micro=False, mask=MASK).matrix_iter(border=4)
    assert dark == {(x, y) for y, row in enumerate(matrix) for x, on in enumerate(row) if on}


def test_whoever_is_invited_looks_at_it_and_the_rules_and_takes_nothing(visitor, friend, invited):
    assert "How to play" in friend.get(invited).text
    page = friend.seen["invitation"]
    assert page.mark == "o"
    assert visitor.match.players[Seat.SECOND].title == "Your friend"
    friend.get(page.rules_url)
    assert friend.seen["sheet"].title.startswith("Tic-tac-toe")
    assert friend.seen["back"] == (invited, "Back to the invitation")


def test_the_one_who_invites_may_begin_before_the_friend_is_there(visitor, friend, invited):
    assert visitor.moves("b2").status == "Waiting for a friend"
    friend.path = friend.post(invited).location
    assert friend.match.status == "Your move"


@pytest.mark.stores
def test_a_seat_is_taken_and_each_moves_for_their_own(together):
    visitor, friend = together
    assert [player.title for player in visitor.match.players] == ["You", "Friend"]
    assert [player.title for player in friend.match.players] == ["Friend", "You"]
    assert friend.does("moves", move="b2").status_code == 409
    visitor.moves("b2")
    assert visitor.does("moves", move="a1").status_code == 409
    assert friend.moves("a1").status == "Friend to move"


def test_an_invitation_is_taken_once(together, stranger, invited):
    _, friend = together
    assert stranger.get(invited).status_code == 409
    assert stranger.post(invited).status_code == 409
    assert stranger.get(f"{friend.path}.json").status_code == 200
    assert friend.match.may_move is False


@pytest.mark.stores
def test_of_many_who_take_it_at_once_one_sits_down(app, visitor, invited):
    many = [Visitor(app) for _ in range(8)]

    def take(one):
        return one.client.post(invited, headers=OWN_PAGE).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(take, many))
    assert statuses == [303] + [409] * 7
    for one in many:
        one.path = visitor.path
    assert sum(one.match.players[Seat.SECOND].title == "You" for one in many) == 1


def test_who_has_a_seat_comes_back_by_the_link_and_nothing_changes(visitor, friend, invited):
    assert visitor.post(invited).location == visitor.path
    assert visitor.match.players[Seat.SECOND].title == "Your friend"
    before, taken = visitor.record, friend.post(invited).location
    assert friend.post(invited).location == taken
    assert friend.get(invited).status_code == 200
    assert friend.seen["invitation"].own
    assert visitor.record == before


@pytest.mark.stores
def test_a_withdrawn_invitation_leads_nowhere(visitor, friend, invited):
    visitor.does("uninvite")
    assert friend.get(invited).status_code == 404
    assert friend.post(invited).status_code == 404
    assert [player.title for player in visitor.match.players] == ["Player x", "Player o"]


def test_two_at_one_screen_may_go_on_at_two(visitor, friend):
    visitor.begins("tictactoe", "person")
    visitor.moves("b2")
    visitor.does("invite")
    match = visitor.match
    assert match.players[Seat.SECOND].title == "You"
    assert match.players[Seat.FIRST].title == "Your friend"
    friend.path = friend.post("/invitations/" + match.company.invitation.link[-22:]).location
    visitor.moves("a1")
    assert friend.match.may_move


@pytest.mark.parametrize("opponent", ["random", "person"])
def test_nobody_else_can_give_a_seat_away(visitor, stranger, opponent):
    visitor.begins("tictactoe", opponent)
    stranger.path = visitor.path
    assert stranger.does("invite").status_code == 403
    expected = {"random": 409, "person": 303}[opponent]
    assert visitor.does("invite").status_code == expected


@pytest.mark.parametrize(
    "action",
    ["moves", "undo", "resign", "swap", "rematch", "accept", "decline", "invite", "uninvite"],
)
def test_whoever_only_watches_changes_nothing(together, stranger, action):
    visitor, _ = together
    visitor.moves("b2")
    visitor.does("undo")
    before = visitor.record
    stranger.path = visitor.path
    assert stranger.does(action, move="a1").status_code == 403
    assert visitor.record == before
    assert visitor.match.company.offer is not None


def test_taking_back_takes_both_and_who_asks_for_the_same_agrees(together):
    visitor, friend = together
    visitor.moves("b2")
    visitor.does("undo")
    assert visitor.record["moves"] == ["b2"]
    assert visitor.match.company.offer.accept is None
    assert friend.match.company.offer.text == "Friend would like to take back a move."
    assert visitor.does("accept").status_code == 409  # not one's own
    assert friend.does("accept").status_code == 303
    assert visitor.record["moves"] == []
    assert friend.does("accept").status_code == 409
    visitor.moves("b2")
    friend.moves("a1")
    visitor.does("undo")
    friend.does("undo")
    assert visitor.record["moves"] == []


def test_an_offer_is_declined_withdrawn_or_overtaken_by_a_move(together):
    visitor, friend = together
    visitor.moves("b2")
    visitor.does("undo")
    friend.does("decline")
    assert visitor.match.company.offer is None
    visitor.does("undo")
    visitor.does("decline")
    assert friend.match.company.offer is None
    visitor.does("undo")
    friend.moves("a1")
    assert visitor.match.company.offer is None
    assert visitor.record["moves"] == ["b2", "a1"]


def test_a_move_made_while_the_friend_sits_down_or_asks_is_not_stale(visitor, friend, invited):
    friend.path = friend.post(invited).location
    assert visitor.does("moves", move="b2", revision=0).status_code == 303
    visitor.does("undo")
    assert friend.does("moves", move="a1", revision=1).status_code == 303


@pytest.fixture
def finished(together):
    visitor, friend = together
    for mover, move in zip((visitor, friend) * 3, ("a1", "b1", "a2", "b2", "a3"), strict=False):
        mover.moves(move)
    return visitor, friend


@pytest.mark.stores
@pytest.mark.parametrize(("action", "title"), [("rematch", "You"), ("swap", "Friend")])
def test_a_rematch_takes_both_and_leads_both_there(finished, action, title):
    visitor, friend = finished
    assert visitor.match.result == "You win: three in column a"
    assert friend.match.result == "Friend wins: three in column a"
    assert visitor.does(action).location == visitor.path
    known = visitor.match
    begun = friend.does("accept").location
    assert begun != friend.path
    assert follows(visitor, known).headers["HX-Redirect"] == begun
    assert visitor.match.company.next_url == begun
    assert visitor.match.actions.rematch is None
    assert visitor.does("rematch").status_code == 409
    visitor.path = begun
    assert visitor.match.players[Seat.FIRST].title == title


def test_sides_are_not_changed_in_the_middle_and_each_resigns_for_themselves(together):
    visitor, friend = together
    assert visitor.match.actions.swap is None
    assert visitor.does("swap").status_code == 409
    assert visitor.does("rematch").status_code == 409
    friend.does("resign")
    assert visitor.match.result == "You win: Friend resigned"


def test_who_follows_hears_nothing_until_something_happens(together):
    visitor, friend = together
    known = friend.match
    assert known.company.trigger.startswith("every 1s")
    assert follows(friend, known).status_code == 204
    visitor.moves("b2")
    assert follows(friend, known).status_code == 200
    assert friend.seen["match"].last_move == "b2"
    known = friend.match
    visitor.does("undo")
    assert follows(friend, known).status_code == 200
    assert friend.get(known.company.follow).status_code == 200  # without htmx: the page itself
    assert friend.template == "replays/page.html"
    assert friend.get("/matches/nothing/follow").status_code == 404


def test_a_spectator_follows_any_match_until_it_is_over(visitor, stranger):
    visitor.begins("tictactoe", "person")
    stranger.path = visitor.path
    known = stranger.match
    assert follows(stranger, known).status_code == 204
    visitor.moves("b2")
    assert follows(stranger, known).status_code == 200
    visitor.does("resign")
    assert stranger.match.company.follow is None
    assert stranger.at("?ply=0").company.follow is None
    assert visitor.match.company.follow is None


@pytest.mark.stores
def test_each_sees_whether_the_other_is_there_and_who_watches_does_not(app, together, stranger):
    visitor, friend = together
    stranger.path = visitor.path
    services = app.extensions[NAME]
    now = int(services[Clock].now())
    friend.match  # noqa: B018 - looks at it
    services[MatchAttendance].flush()
    assert visitor.match.players[Seat.SECOND].presence == "here"
    assert [player.presence for player in stranger.match.players] == ["", ""]
    services[MatchStore].saw({(visitor.path.rpartition("/")[2], Seat.SECOND): now - 30})
    assert visitor.match.players[Seat.SECOND].presence == "away for 20 s"
    services[MatchStore].saw({(visitor.path.rpartition("/")[2], Seat.SECOND): now - 4000})
    assert visitor.match.players[Seat.SECOND].presence == "away for an hour"


@pytest.mark.parametrize(
    "path", ["/invitations/nothing", "/invitations/%00", "/invitations/" + "x" * 900]
)
def test_an_invitation_there_is_not_is_404(visitor, path):
    assert visitor.get(path).status_code == 404
    assert visitor.post(path).status_code == 404


def test_taking_seats_is_counted_as_beginning_matches_is(start):
    app = start(rates_newcomer=Rate(0.001, 2))
    owner, first, second = Visitor(app), Visitor(app), Visitor(app)
    link = owner.begins("tictactoe", INVITED).company.invitation.link.partition("localhost")[2]
    assert first.post(link).status_code == 303
    assert second.post(link).status_code == 429


def test_from_a_position_a_friend_is_invited_too(visitor):
    fields = {"game": "nim", "state": "1-2-3-0-0 x", "opponent": INVITED, "seat": "o"}
    visitor.path = visitor.post("/positions", fields).location
    assert visitor.match.company.invitation is not None
    assert visitor.match.players[Seat.FIRST].title == "Your friend"


@pytest.mark.parametrize(
    "query", ["?values=1", "?hint=1", "?values=1&versus=random", "?ply=0&values=1", "?story=1"]
)
def test_while_friends_play_no_machine_advises_either_of_them(together, query):
    visitor, friend = together
    visitor.moves("b2")
    for one in together:
        one.get(one.path + query)
        match = one.seen["match"]
        assert (match.hint, match.comparison, match.analysis.rows) == (None, None, ())
        assert (match.actions.hint, match.tree_url, match.story) == (None, None, None)
        assert one.get(f"{one.path}/story").status_code == 409
    assert friend.at("?values=1").analysis.failed.startswith("While you play a friend")
    answer = friend.get(f"{friend.path}/tree")
    assert (answer.status_code, friend.seen["match"].message.text) == (
        409,
        friend.at("?values=1").analysis.failed,
    )


def test_after_the_end_and_to_whoever_watches_machines_speak(together, stranger):
    visitor, friend = together
    stranger.path = visitor.path
    visitor.moves("b2")
    assert stranger.at("?values=1").analysis.rows
    friend.does("resign")
    assert visitor.at("?ply=0&values=1").analysis.rows
    assert friend.get(f"{friend.path}/tree").status_code == 200
