"""How many matches one may begin: a player, an address, and whoever comes without a cookie."""

from operator import attrgetter

import pytest

from engine import Match, load_game
from tests.webapp.visitor import HTMX, OWN_PAGE, Visitor
from webapp.config import Config, ConfigError, Rate

SLOWLY = 0.001


def long_match(plies):
    """The text of a match of Nim with so many plies."""
    game = load_game("nim:heaps=" + "-".join(["50"] * 10))
    moves = [f"{heap}1" for heap in "abcdefghij" for _ in range(50)][:plies]
    return Match.replay(game, map(game.parse_move, moves)).transcript()


def begin(visitor):
    return visitor.post("/matches", {"game": "tictactoe", "opponent": "person"})


@pytest.mark.parametrize("whose", ["newcomer", "address_match", "address"])
def test_one_address_begins_only_so_many_whatever_it_is_counted_by(start, whose):
    app = start(**{f"rates_{whose}": Rate(SLOWLY, 3)})
    assert [begin(Visitor(app)).status_code for _ in range(5)] == [303] * 3 + [429] * 2


def test_whoever_came_before_is_no_newcomer(start):
    app = start(rates_newcomer=Rate(SLOWLY, 1))
    known = Visitor(app)
    assert [begin(known).status_code for _ in range(4)] == [303] * 4
    assert begin(Visitor(app)).status_code == 429


def test_one_player_begins_only_so_many_and_nobody_else_is_held_up(start):
    app = start(rates_match=Rate(SLOWLY, 2))
    visitor = Visitor(app)
    codes = [begin(visitor).status_code for _ in range(4)]
    assert codes == [303, 303, 303, 429]  # the first was a newcomer's
    assert begin(Visitor(app)).status_code == 303


def test_a_player_who_is_too_fast_sees_the_board_and_when_to_go_on(start):
    visitor = Visitor(start(rates_player=Rate(0.5, 1)))
    visitor.begins("tictactoe", "person")
    visitor.moves("a1")
    answer = visitor.does("moves", headers=OWN_PAGE | HTMX, move="b1")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "2"
    assert visitor.seen["match"].message.text == "That was too fast: go on in 2 seconds."


def test_a_class_shares_one_address_without_getting_in_its_own_way(start):
    app = start(rates_player=Rate(0.01, 2))
    class_of_thirty = [Visitor(app) for _ in range(30)]
    for student in class_of_thirty:
        student.begins()
    assert len({student.path for student in class_of_thirty}) == 30


def test_the_refusal_says_when_to_come_back_and_keeps_the_form(start):
    app = start(rates_newcomer=Rate(0.5, 1))
    begin(Visitor(app))
    visitor = Visitor(app)
    answer = begin(visitor)
    assert answer.headers["Retry-After"] == "2"
    assert visitor.template == "lobby/page.html"


@pytest.mark.parametrize(("plies", "begun"), [(0, 5), (50, 5), (150, 2), (450, 1)])
def test_a_match_that_is_imported_counts_the_more_the_longer_it_is(start, plies, begun):
    visitor = Visitor(start(rates_match=Rate(SLOWLY, 5)))
    begin(visitor)
    text = long_match(plies)
    codes = [visitor.post("/matches/import", {"text": text}).status_code for _ in range(6)]
    assert codes == [303] * begun + [429] * (6 - begun)


def test_an_import_counts_before_it_is_read(start):
    app = start(rates_newcomer=Rate(SLOWLY, 2))
    codes = [Visitor(app).post("/matches/import", {"text": "?"}).status_code for _ in range(4)]
    assert codes == [422, 422, 429, 429]


@pytest.mark.parametrize("action", ["play-on", "rematch"])
def test_playing_on_and_playing_again_begin_matches_too(start, action):
    visitor = Visitor(start(rates_match=Rate(SLOWLY, 1)))
    visitor.begins("tictactoe", "person")
    visitor.moves("b2")
    codes = [visitor.does(action, ply="1").status_code for _ in range(2)]
    assert codes == [303, 429]


def test_moves_are_not_counted_as_matches(start):
    visitor = Visitor(start(rates_newcomer=Rate(SLOWLY, 1), rates_match=Rate(10_000, 1)))
    visitor.begins("tictactoe", "person")
    assert visitor.moves("a1", "b1", "a2", "b2", "a3").over


def test_where_more_may_be_sent_the_app_takes_more(start):
    visitor = Visitor(start(http_larger_bodies=(("/matches/import", 200_000),)))
    assert visitor.post("/matches/import", {"text": "x" * 70_000}).status_code == 422
    assert visitor.post("/matches", {"game": "x" * 70_000}).status_code == 413


@pytest.mark.parametrize(
    ("setting", "text", "name", "value"),
    [
        ("PLAYER_REQUESTS", "1/2", "rates.player", Rate(1, 2)),
        ("ADDRESS_REQUESTS", "3/4", "rates.address", Rate(3, 4)),
        ("PLAYER_MATCHES", "0.5/6", "rates.match", Rate(0.5, 6)),
        ("ADDRESS_MATCHES", "7/8", "rates.address_match", Rate(7, 8)),
        ("ADDRESS_NEWCOMERS", "9/10", "rates.newcomer", Rate(9, 10)),
        ("LARGEST_BODY", "2048", "http.largest_body", 2048),
        ("CONNECTIONS", "50", "http.connections", 50),
        ("REQUEST_SECONDS", "11", "http.request", 11),
        ("IDLE_SECONDS", "12", "http.idle", 12),
        ("KEEP_UNFINISHED_DAYS", "90", "keep_unfinished_days", 90),
        ("KEEP_UNFINISHED_DAYS", "", "keep_unfinished_days", None),
    ],
)
@pytest.mark.usefixtures("own_data")
def test_every_bound_can_be_set(setting, text, name, value):
    config = Config.from_environment({f"ZERMELO_{setting}": text})
    assert attrgetter(name)(config) == value


@pytest.mark.parametrize("text", ["8", "8/", "/60", "0/60", "8/0", "-1/5", "x/y", "nan/5", "1e9/5"])
@pytest.mark.usefixtures("own_data")
def test_a_rate_that_makes_no_sense_is_named(text):
    with pytest.raises(ConfigError, match="ZERMELO_PLAYER_MATCHES is a rate such as 8/60"):
        Config.from_environment({"ZERMELO_PLAYER_MATCHES": text})


def test_a_form_of_another_page_costs_nothing(start):
    stranger = Visitor(start(rates_newcomer=Rate(SLOWLY, 1)))
    for _ in range(3):
        stranger.post("/matches", {"game": "nim"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert begin(stranger).status_code == 303
