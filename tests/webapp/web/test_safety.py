"""Who may change what: cookies, cross-site requests, headers, hosts, limits."""

import re
from hashlib import sha256

import pytest
from sqlalchemy.exc import OperationalError

from tests.webapp.visitor import HTMX, OWN_PAGE, Visitor
from webapp.matches.store import MatchStore
from webapp.web import assets
from webapp.web.security import ALWAYS

WRITES = ["moves", "reply", "undo", "resign", "rematch", "swap"]


def test_a_player_is_remembered_by_a_cookie_scripts_cannot_read(visitor):
    answer = visitor.post("/matches", {"game": "tictactoe"})
    cookie = answer.headers["Set-Cookie"]
    assert re.match(r"zermelo-player=[0-9a-f]{32}\.[\w-]+; ", cookie)
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_over_https_the_cookie_is_bound_to_the_host(app):
    answer = app.test_client().post(
        "/matches", data={"game": "nim"}, headers=OWN_PAGE, base_url="https://localhost"
    )
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-zermelo-player=")
    assert "Secure" in cookie
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=")


def test_looking_around_sets_no_cookie(visitor):
    assert "Set-Cookie" not in visitor.get("/").headers


def test_a_second_match_keeps_the_player(visitor):
    visitor.begins()
    assert "Set-Cookie" not in visitor.post("/matches", {"game": "nim"}).headers


def test_anyone_with_the_address_can_look(visitor, stranger):
    visitor.begins("tictactoe", "perfect")
    stranger.path = visitor.path
    match = stranger.match
    assert (match.may_change, match.may_move, match.reply) == (False, False, None)
    assert match.actions.play_on == f"{visitor.path}/play-on"


@pytest.mark.parametrize("action", WRITES)
def test_a_stranger_changes_nothing(visitor, stranger, action):
    visitor.begins("tictactoe", "perfect")
    before = visitor.record
    stranger.path = visitor.path
    answer = stranger.does(action, headers=OWN_PAGE | HTMX, move="b2")
    assert answer.status_code == 403
    assert stranger.seen["match"].read_only
    assert visitor.record == before


@pytest.mark.stores
@pytest.mark.parametrize("cookie", ["", "x", "f" * 32, "é", f"{'f' * 32}.AAAA", "a" * 4000])
def test_a_cookie_that_we_did_not_sign_is_nobodys(visitor, stranger, cookie):
    visitor.begins()
    stranger.client.set_cookie("zermelo-player", cookie)
    stranger.path = visitor.path
    assert stranger.does("resign").status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Origin": "http://localhost"}, 303),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, 403),
        ({"Origin": "http://elsewhere.example"}, 403),
        ({"Origin": "https://localhost"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 403),
    ],
    ids=str,
)
def test_only_a_page_of_our_own_may_begin_a_match(visitor, headers, status):
    answer = visitor.post("/matches", {"game": "tictactoe"}, headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize(
    "path", ["/", "/nowhere", "/matches/nothing", "/healthz", "/static/css/web/theme.css"]
)
def test_every_answer_carries_the_headers_of_safety(visitor, path):
    answer = visitor.get(path)
    assert {name: answer.headers[name] for name in ALWAYS} == ALWAYS
    answer.close()


def test_a_host_that_is_not_ours_is_turned_away(app):
    answer = app.test_client().get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert answer.headers["Content-Security-Policy"]


def test_a_body_beyond_the_limit_is_refused(visitor):
    answer = visitor.post("/matches", {"game": "x" * 70_000})
    assert answer.status_code == 413
    assert visitor.template == "web/error.html"


def test_too_many_fields_are_refused(visitor):
    fields = {f"field{number}": "x" for number in range(5000)}
    assert visitor.post("/matches", fields).status_code in (413, 422)


@pytest.mark.parametrize(
    ("method", "path"),
    [("post", "/"), ("put", "/matches"), ("delete", "/matches/x")],
)
def test_a_wrong_method_says_which_are_right(app, method, path):
    answer = app.test_client().open(path, method=method, headers=OWN_PAGE)
    assert answer.status_code == 405
    assert answer.headers["Allow"]


@pytest.mark.stores
@pytest.mark.parametrize("path", ["/nowhere", "/matches/none", "/matches/none.json", "/%00"])
def test_an_unknown_address_has_a_page_that_leads_on(visitor, path):
    answer = visitor.get(path)
    assert answer.status_code == 404
    assert 'href="/"' in answer.text


def test_a_player_who_is_too_fast_sees_the_board_and_when_to_go_on(start):
    visitor = Visitor(start(player_rate=0.5, player_burst=1))
    visitor.begins("tictactoe", "person")
    visitor.moves("a1")
    answer = visitor.does("moves", headers=OWN_PAGE | HTMX, move="b1")
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "2"
    assert visitor.seen["match"].message.text == "That was too fast: go on in 2 seconds."


def test_a_class_shares_one_address_without_getting_in_its_own_way(start):
    app = start(player_rate=0.01, player_burst=2)
    class_of_thirty = [Visitor(app) for _ in range(30)]
    assert len({visitor.begins().id for visitor in class_of_thirty}) == 30


def test_one_address_has_a_limit_too(start):
    visitor = Visitor(start(address_rate=0.01, address_burst=3))
    codes = [Visitor(visitor.app).post("/matches", {"game": "nim"}).status_code for _ in range(4)]
    assert codes == [303, 303, 303, 429]


def test_behind_a_proxy_its_word_on_the_address_counts(start):
    app = start(behind_proxy=True, trusted_hosts=("zermelo.example",))
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "zermelo.example"}
    answer = app.test_client().get("/", headers=forwarded)
    assert answer.status_code == 200
    assert "Strict-Transport-Security" in answer.headers


THEME = "/static/css/web/theme.css"


def test_a_static_file_with_its_own_hash_may_be_kept_for_ever(app):
    content = (assets.folder("static") / "css/web/theme.css").read_bytes()
    version = sha256(content).hexdigest()[:12]
    client = app.test_client()
    with client.get(f"{THEME}?v={version}") as answer:
        assert "immutable" in answer.headers["Cache-Control"]
        again = {"If-None-Match": answer.headers["ETag"]}
    with client.get(f"{THEME}?v={version}", headers=again) as answer:
        assert answer.status_code == 304
        assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    "path",
    [
        THEME,
        f"{THEME}?v=1",
        f"{THEME}?v=",
        "/static/nope.js?v=1",
        "/static/nope.js?v=None",
        "/static/../../etc/passwd?v=1",
        "/games/nope.js?v=1",
    ],
)
def test_nothing_else_is_kept_without_asking(app, path):
    with app.test_client().get(path) as answer:
        assert "immutable" not in answer.headers["Cache-Control"]
        assert "no-cache" in answer.headers["Cache-Control"]


def test_a_database_that_fails_is_a_reason_to_try_again_later(visitor, monkeypatch):
    def fails(_, match_id):
        raise OperationalError("select", {}, Exception("database is locked"))

    visitor.begins()
    monkeypatch.setattr(MatchStore, "find", fails)
    answer = visitor.get(visitor.path)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert visitor.template == "web/error.html"


def test_what_nobody_expected_is_a_page_too(visitor, monkeypatch):
    def fails(_, match_id):
        raise ZeroDivisionError

    visitor.begins()
    monkeypatch.setattr(MatchStore, "find", fails)
    answer = visitor.get(visitor.path)
    assert answer.status_code == 500
    assert "Your match is safe" in answer.text
    assert answer.headers["Content-Security-Policy"]


@pytest.mark.stores
@pytest.mark.parametrize("name", ["%00", "a%00b", "%ff", "x" * 5000])
def test_a_name_that_no_match_can_have_is_not_found(visitor, name):
    assert visitor.get(f"/matches/{name}").status_code == 404
