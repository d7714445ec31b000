"""The API as a script uses it: lists, analyses, matches, tokens, limits, other sites.

Every answer is held against the description as well (`tests/webapp/api/schema.py`).
"""

import sqlite3
from contextlib import closing
from random import Random

import pytest

from agents import agents_for, load_agent
from agents.serialisation import to_document
from engine import Match, load_game
from engine.catalog import all_variants
from tests.webapp.api.script import Script
from tests.webapp.visitor import AtOnce, Never, Visitor, use_pool
from webapp.api.store import MAX_TOKENS, UNUSED_S, TokenStore
from webapp.config import Rate, Share


@pytest.fixture
def script(app):
    return Script(app)


@pytest.fixture
def anyone(app):
    return app.test_client(use_cookies=False)


# --- lists and analyses


def test_the_games_are_those_of_the_engine(anyone):
    games = anyone.get("/api/1/games").json["games"]
    listed = {each["spec"]: each["start"] for game in games for each in game["variants"]}
    assert listed == {game.spec: str(game.start) for game in all_variants()}


def test_the_agents_are_those_that_play_the_game(anyone):
    found = anyone.get("/api/1/agents?game=nim:heaps=3-4-5").json
    assert found["game"] == "nim:heaps=3-4-5"
    wanted = [entry.key for entry in agents_for(load_game("nim:heaps=3-4-5"))]
    assert [agent["key"] for agent in found["agents"]] == wanted
    assert len(anyone.get("/api/1/agents").json["agents"]) > len(wanted)


def test_an_analysis_is_the_agents_own(anyone):
    state = "xo./.x./..o x"
    asked = {"game": "tictactoe", "state": state, "agent": "perfect"}
    found = anyone.get("/api/1/analyse", query_string=asked).json
    game = load_game("tictactoe")
    own = to_document(load_agent("perfect", game).analyse(game.parse_state(state), rng=Random(0)))
    assert (found["state"], found["to_move"]) == (state, "x")
    assert found["choice"] in [each["move"] for each in own["candidates"] if each["chance"]]
    names = ("move", "value", "chance", "proven", "plies")  # lines are drawn by lot
    told, wanted = (
        [[each[name] for name in names] for each in analysis["candidates"]]
        for analysis in (found, own)
    )
    assert told == wanted


def test_without_more_the_strongest_says_what_it_thinks_of_the_start(anyone):
    found = anyone.get("/api/1/analyse?game=nim:heaps=1-3-5-7").json
    assert found["state"] == str(load_game("nim:heaps=1-3-5-7").start)
    assert found["agent"] == "perfect"
    assert found["seconds"] == 0.5


def test_other_seconds_and_another_seed_are_other_questions(app, anyone):
    asked = "/api/1/analyse?game=tictactoe&agent=mcts:simulations=50"
    first, again, other, longer = (
        anyone.get(asked + more).json for more in ("", "", "&seed=3", "&seconds=0.1")
    )
    assert first == again  # the same thought: even its time
    assert first["effort"] != other["effort"] or first["candidates"] != other["candidates"]
    assert longer["seconds"] == 0.1


def test_no_thread_waits_for_a_thought(app, anyone):
    pool = Never()
    use_pool(app, pool)
    asked = "/api/1/analyse?game=quixo&agent=alphabeta:depth=2&seconds=0.4"
    for _ in range(2):
        answer = anyone.get(asked)
        assert (answer.status_code, answer.headers["Retry-After"]) == (202, "1")
        assert answer.json["again"] == 0.5
    assert len(pool._pending) == 1
    use_pool(app, AtOnce())
    assert anyone.get(asked).status_code == 200


def test_one_address_has_so_many_thoughts_at_a_time(start):
    app = start(make_pool=Never, pool_each=2)
    ask = app.test_client(use_cookies=False).get
    answers = [ask(f"/api/1/analyse?game=tictactoe&seed={seed}") for seed in range(3)]
    assert [answer.status_code for answer in answers] == [202, 202, 503]
    assert answers[2].json["error"] == "busy"
    assert "Retry-After" in answers[2].headers


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("", "game"),
        ("game=chess", "chess"),
        ("game=tictactoe&state=abc", "abc"),
        ("game=tictactoe&state=xxx/oo./... o", "over"),
        ("game=tictactoe&state=" + "x" * 600, "500"),
        ("game=tictactoe&agent=nobody", "nobody"),
        ("game=tictactoe&agent=perfect:depth=1", "depth"),
        ("game=quixo&agent=menace", "tictactoe"),
        ("game=tictactoe&seconds=soon", "seconds"),
        ("game=tictactoe&seconds=nan", "seconds"),
        ("game=tictactoe&seconds=1e9", "seconds"),
        ("game=tictactoe&seed=-1", "seed"),
        ("game=tictactoe&seed=9" + "9" * 20, "seed"),
    ],
)
def test_a_question_that_cannot_be_read_is_answered_with_what_is_wrong(anyone, query, word):
    answer = anyone.get(f"/api/1/analyse?{query}")
    assert (answer.status_code, answer.json["error"]) == (422, "invalid")
    assert word in answer.json["message"]


def test_an_address_of_nothing_is_told_so_in_json(anyone):
    answer = anyone.get("/api/1/nothing")
    assert (answer.status_code, answer.json["error"]) == (404, "unknown")
    assert anyone.post("/api/1/games").json["error"] == "method"


# --- matches


@pytest.mark.parametrize("seat", ["x", "o"])
@pytest.mark.parametrize("game", ["tictactoe", "nim:heaps=1-3-5-7", "quixo:size=3"])
def test_a_script_plays_a_whole_match(script, game, seat):
    begun = script.post("/matches", {"game": game, "opponent": "random", "seat": seat})
    assert begun.status_code == 201
    match, rng = begun.json, Random(7)
    assert begun.headers["Location"].endswith(f"/api/1/matches/{match['id']}")
    while match["outcome"] is None:
        assert match["to_move"] == seat
        own = Match.replay(load_game(game), map(load_game(game).parse_move, match["moves"]))
        assert match["state"] == str(own.state)
        assert match["legal"] == [str(move) for move in own.state.legal_moves()]
        move = rng.choice(match["legal"])
        body = {"move": move, "revision": match["revision"]}
        answer = script.post(f"/matches/{match['id']}/moves", body)
        assert answer.status_code == 200, answer.text
        assert script.post(f"/matches/{match['id']}/moves", body).json == answer.json  # played once
        match = answer.json
    assert (match["to_move"], match["legal"], match["again"]) == (None, [], None)
    assert match["result"].startswith(
        {"x": "first", "o": "second", None: "draw"}[match["outcome"]["winner"]]
    )
    assert script.get(f"/matches/{match['id']}").json == match
    page = Visitor(script.app).get(f"/matches/{match['id']}.json").json
    assert match == page | {"again": None}


def test_its_matches_stand_among_the_games_of_the_person(script):
    match = script.post("/matches", {"opponent": "random"}).json
    script.person.path = f"/matches/{match['id']}"
    assert f'href="/matches/{match["id"]}"' in script.person.get("/matches").text
    assert script.person.moves("b2").ply >= 1
    assert script.get(f"/matches/{match['id']}").json["moves"][0] == "b2"


def test_a_machine_that_thinks_is_asked_for_its_move(app, script):
    use_pool(app, Never())
    match = script.post("/matches", {"opponent": "perfect", "seat": "o"}).json
    assert (match["moves"], match["again"], match["outcome"]) == ([], 0.5, None)
    path = f"/matches/{match['id']}"
    waiting = script.post(f"{path}/reply")
    assert (waiting.status_code, waiting.headers["Retry-After"]) == (202, "1")
    early = script.post(f"{path}/moves", {"move": "b2"})
    assert (early.status_code, early.json["error"]) == (409, "turn")
    use_pool(app, AtOnce())
    replied = script.post(f"{path}/reply")
    assert (replied.status_code, len(replied.json["moves"])) == (200, 1)
    assert replied.json["again"] is None
    assert script.post(f"{path}/reply").json == replied.json  # none is due: nothing changes


def test_a_match_begins_from_a_position_and_is_given_up(script):
    body = {"game": "tictactoe", "start": "xo./.x./..o x", "opponent": "perfect"}
    match = script.post("/matches", body).json
    assert (match["start"], match["state"], match["to_move"]) == (body["start"], body["start"], "x")
    path = f"/matches/{match['id']}"
    over = script.post(f"{path}/resign").json
    assert over["outcome"] == {"winner": "o", "ending": "resignation", "fault": None}
    again = script.post(f"{path}/resign")
    assert (again.status_code, again.json["error"]) == (409, "over")


@pytest.mark.parametrize(
    ("body", "status", "error", "word"),
    [
        ({}, 422, "invalid", "move"),
        ({"move": 5}, 422, "invalid", "move"),
        ({"move": "b2" * 20}, 422, "invalid", "move"),
        ({"move": "zz"}, 422, "invalid", "zz"),
        ({"move": "b2", "revision": "one"}, 422, "invalid", "revision"),
        ({"move": "b2", "revision": True}, 422, "invalid", "revision"),
        ({"move": "b2", "revision": 17}, 409, "stale", "changed"),
    ],
)
def test_a_move_that_cannot_be_played_changes_nothing(script, body, status, error, word):
    match = script.post("/matches").json
    answer = script.post(f"/matches/{match['id']}/moves", body)
    assert (answer.status_code, answer.json["error"]) == (status, error)
    assert word in answer.json["message"]
    assert script.get(f"/matches/{match['id']}").json == match


def test_a_cell_that_is_taken_is_an_illegal_move(script):
    match = script.post("/matches", {"start": "xo./.x./..o x"}).json
    answer = script.post(f"/matches/{match['id']}/moves", {"move": "b2"})
    assert (answer.status_code, answer.json["error"]) == (422, "illegal")


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"game": "chess"}, 422, "chess"),
        ({"opponent": "nobody"}, 422, "nobody"),
        ({"seat": "z"}, 422, "seat"),
        ({"start": "..."}, 422, "..."),
        ({"start": "xxx/oo./... o"}, 409, "over"),
        ({"game": ["nim"]}, 422, "game"),
    ],
)
def test_a_match_that_cannot_begin_is_answered_with_why(script, body, status, word):
    answer = script.post("/matches", body)
    assert (answer.status_code, word in answer.json["message"]) == (status, True)


def test_a_match_of_another_is_read_and_not_played(app, script):
    match = script.post("/matches").json
    other = Script(app)
    assert other.get(f"/matches/{match['id']}").json == match
    for action in ("moves", "reply", "resign"):
        answer = other.post(f"/matches/{match['id']}/{action}", {"move": "b2"})
        assert (answer.status_code, answer.json["error"]) == (403, "forbidden")
    assert other.post("/matches/nothing/moves", {"move": "b2"}).status_code == 404
    assert other.get("/matches/nothing").json["error"] == "unknown"


def test_a_body_that_is_no_json_is_refused(script):
    assert script.call("POST", "/matches", data="{").status_code == 415
    sent = {"data": "{", "content_type": "application/json"}
    assert script.call("POST", "/matches", **sent).status_code == 422
    sent["data"] = "[]"
    assert script.call("POST", "/matches", **sent).json["error"] == "invalid"


# --- tokens


def test_a_token_is_shown_once_and_stored_as_a_hash(script, config):
    assert script.token not in script.person.get("/matches").text
    with closing(sqlite3.connect(config.database_url.removeprefix("sqlite:///"))) as database:
        dump = "\n".join(database.iterdump())
    assert script.token not in dump
    assert "a test" in dump


def test_a_revoked_token_opens_nothing(script):
    page = script.person.get("/matches")
    (row,) = script.person.seen["games"].token_rows
    assert (row.name, row.used) == ("a test", "not used yet")
    assert row.revoke_url in page.text
    stranger = Visitor(script.app)
    stranger.begins()
    assert stranger.post(row.revoke_url).status_code == 404
    assert script.post("/matches").status_code == 201
    assert script.person.post(row.revoke_url).location == "/matches#tokens"
    answer = script.post("/matches")
    assert (answer.status_code, answer.json["error"]) == (401, "token")


@pytest.mark.parametrize("header", ["", "Bearer", "Basic eDp5", "Bearer zp_unknown", "Bearer zb_x"])
def test_without_a_token_of_a_person_no_match_begins(anyone, header):
    answer = anyone.post("/api/1/matches", json={}, headers={"Authorization": header})
    assert (answer.status_code, answer.json["error"]) == (401, "token")
    wrong = anyone.get("/api/1/games", headers={"Authorization": header})
    assert wrong.status_code == 401  # a wrong token is said to be wrong where none is needed


def test_a_cookie_is_no_token(visitor):
    visitor.begins()
    answer = visitor.client.post("/api/1/matches", json={})
    assert (answer.status_code, answer.json["error"]) == (401, "token")


def test_a_person_has_only_so_many_tokens(visitor):
    for _ in range(MAX_TOKENS):
        assert visitor.post("/matches/tokens").status_code == 201
    full = visitor.post("/matches/tokens")
    assert full.status_code == 409
    assert "revoke one" in full.text
    assert len(visitor.seen["games"].token_rows) == MAX_TOKENS
    long = visitor.post("/matches/tokens", {"name": "n" * 41})
    assert (long.status_code, "40 printable" in long.text) == (422, True)


def test_whoever_drops_their_cookies_has_no_more_tokens_than_others(start):
    """Each request would be a new person's, whose token is kept for a year."""
    often, seldom = Rate(100, 100), Rate(0.001, 3)
    app = start(rates_bots=Share(often, seldom, often))
    made = [Visitor(app).post("/matches/tokens").status_code for _ in range(5)]
    assert made == [201, 201, 201, 429, 429]


@pytest.mark.stores
def test_tokens_are_counted_noted_and_forgotten(opened):
    now = [2_000_000_000.0]
    store = TokenStore(opened, lambda: now[0])
    token = store.make("ada", "first")
    now[0] += 1
    store.make("ada", "second")
    store.make("eve", "hers")
    assert [each.name for each in store.of("ada")] == ["first", "second"]
    now[0] += UNUSED_S
    assert store.owner_of(token) == "ada"
    assert [each.used - each.created for each in store.of("ada")] == [UNUSED_S + 1, 0]
    now[0] += 1
    assert store.remove_unused(50) == 2
    assert [each.name for each in store.of("ada")] == ["first"]
    assert store.of("eve") == ()


# --- limits and other sites


def test_the_rate_headers_count(start):
    app = start(rates_address_token=Rate(0.001, 3))
    client = app.test_client(use_cookies=False)
    answers = [client.get("/api/1/games") for _ in range(4)]
    assert [each.headers["RateLimit-Remaining"] for each in answers] == ["2", "1", "0", "0"]
    assert {each.headers["RateLimit-Limit"] for each in answers} == {"3"}
    assert [each.status_code for each in answers] == [200, 200, 200, 429]
    assert int(answers[0].headers["RateLimit-Reset"]) in range(1000, 1003)
    assert int(answers[3].headers["Retry-After"]) > 900
    assert answers[3].json["error"] == "slow"


def test_a_token_has_a_limit_of_its_own(start):
    app = start(rates_token=Rate(0.001, 2))
    one, other = Script(app), Script(app)
    assert [one.get("/games").status_code for _ in range(3)] == [200, 200, 429]
    assert other.get("/games").headers["RateLimit-Remaining"] == "1"


SITE = {"Origin": "https://lab.school.example", "Sec-Fetch-Site": "cross-site"}


def test_pages_of_other_sites_are_not_served_unless_they_are_named(start):
    client = start().test_client(use_cookies=False)
    assert "Access-Control-Allow-Origin" not in client.get("/api/1/games", headers=SITE).headers
    answer = client.post("/api/1/matches", json={}, headers=SITE)
    assert (answer.status_code, answer.json["error"]) == (403, "forbidden")


def test_named_sites_may_ask_and_send(start):
    app = start(api_origins=("https://*.school.example",))
    token = Script(app).token
    client = app.test_client(use_cookies=False)
    asked = client.options("/api/1/matches", headers=SITE)
    assert asked.headers["Access-Control-Allow-Origin"] == SITE["Origin"]
    assert "POST" in asked.headers["Access-Control-Allow-Methods"]
    assert "Authorization" in asked.headers["Access-Control-Allow-Headers"]
    sent = client.post(
        "/api/1/matches", json={}, headers=SITE | {"Authorization": f"Bearer {token}"}
    )
    assert sent.status_code == 201
    assert sent.headers["Access-Control-Allow-Origin"] == SITE["Origin"]
    elsewhere = client.get("/api/1/games", headers={"Origin": "https://evil.example"})
    assert "Access-Control-Allow-Origin" not in elsewhere.headers
    assert "Origin" in elsewhere.headers["Vary"]
    form = client.post("/matches/tokens", headers=SITE)  # pages are not part of it
    assert form.status_code == 403
