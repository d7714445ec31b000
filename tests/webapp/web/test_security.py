"""Who may change what: cookies, cross-site requests, headers, hosts, limits."""

import re
from hashlib import sha256

import pytest
from sqlalchemy.exc import OperationalError

from tests.webapp.visitor import HTMX, OWN_PAGE
from webapp.matches.store import MatchStore
from webapp.web import assets
from webapp.web.security import ALWAYS

THEME = "/static/css/web/theme.css"


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


def test_looking_around_sets_no_cookie_and_a_second_match_keeps_the_player(visitor):
    assert "Set-Cookie" not in visitor.get("/").headers
    visitor.begins()
    assert "Set-Cookie" not in visitor.post("/matches", {"game": "nim"}).headers


def test_anyone_with_the_address_can_look_and_changes_nothing(visitor, stranger):
    visitor.begins("tictactoe", "perfect")
    stranger.path, before = visitor.path, visitor.record
    match = stranger.match
    assert (match.may_change, match.may_move, match.reply) == (False, False, None)
    assert match.actions.play_on == f"{visitor.path}/play-on"
    for action in ("moves", "reply", "undo", "resign", "rematch", "swap"):
        answer = stranger.does(action, headers=OWN_PAGE | HTMX, move="b2")
        assert (answer.status_code, stranger.seen["match"].may_change) == (403, False), action
    assert visitor.record == before


def test_no_address_takes_another_sites_form(app):
    rules = [rule for rule in app.url_map.iter_rules() if "POST" in rule.methods]
    build, post = app.url_map.bind("localhost").build, app.test_client().post
    statuses = {
        str(rule): post(
            build(rule.endpoint, dict.fromkeys(rule.arguments, 1), "POST"),
            headers={"Sec-Fetch-Site": "cross-site"},
        ).status_code
        for rule in rules
    }
    assert "/invitations/<secret>" in statuses
    assert set(statuses.values()) == {403}


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


@pytest.mark.parametrize("path", ["/", "/nowhere", "/matches/nothing", "/healthz", THEME])
def test_every_answer_carries_the_headers_of_safety(visitor, path):
    answer = visitor.get(path)
    assert {name: answer.headers[name] for name in ALWAYS} == ALWAYS
    answer.close()


def test_a_host_that_is_not_ours_is_turned_away(app):
    answer = app.test_client().get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "fields", [{"game": "x" * 70_000}, {f"field{number}": "x" for number in range(5000)}]
)
def test_a_body_with_too_much_or_too_many_fields_is_refused(visitor, fields):
    assert visitor.post("/matches", fields).status_code in (413, 422)


@pytest.mark.parametrize(
    ("method", "path"), [("post", "/"), ("put", "/matches"), ("delete", "/matches/x")]
)
def test_a_wrong_method_says_which_are_right(app, method, path):
    answer = app.test_client().open(path, method=method, headers=OWN_PAGE)
    assert answer.status_code == 405
    assert answer.headers["Allow"]


@pytest.mark.stores
@pytest.mark.parametrize(
    "path",
    [
        *("/nowhere", "/matches/none", "/matches/none.json", "/%00"),
        *(f"/matches/{name}" for name in ("%00", "a%00b", "%ff", "x" * 5000)),
    ],
)
def test_an_unknown_address_has_a_page_that_leads_on(visitor, path):
    answer = visitor.get(path)
    assert answer.status_code == 404
    assert 'href="/"' in answer.text


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
        *(THEME, f"{THEME}?v=1", f"{THEME}?v=", "/static/nope.js?v=1", "/static/nope.js?v=None"),
        *("/static/../../etc/passwd?v=1", "/games/nope.js?v=1"),
    ],
)
def test_nothing_else_is_kept_without_asking(app, path):
    with app.test_client().get(path) as answer:
        assert "immutable" not in answer.headers["Cache-Control"]
        assert "no-cache" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("error", "status", "retry"),
    [
        (OperationalError("select", {}, Exception("database is locked")), 503, "5"),
        (ZeroDivisionError(), 500, None),
    ],
    ids=["database", "anything"],
)
def test_what_fails_is_a_page_too_and_says_when_to_try_again(
    visitor, monkeypatch, error, status, retry
):
    def fails(*_):
        raise error

    visitor.begins()
    monkeypatch.setattr(MatchStore, "find", fails)
    answer = visitor.get(visitor.path)
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, retry)
    assert visitor.template == "web/error.html"
    assert ("Your match is safe" in answer.text) == (status == 500)
    assert answer.headers["Content-Security-Policy"]
