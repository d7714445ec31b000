"""Bots over HTTP: joining, turns, answers, lives, the clock, practice, and leaving."""

import json
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace
from random import Random

import pytest

from engine import Match, load_game
from engine.catalog import all_variants
from tests.webapp.bots.program import Program, fixed_clock, owner
from tests.webapp.visitor import Never, Visitor, use_pool
from webapp.bots.game_store import BotGameStore
from webapp.bots.models import BotRecord
from webapp.bots.page import MAX_AWAY, BotsPage, BotState
from webapp.bots.store import BotStore
from webapp.services import NAME
from webapp.serving.turns import WAITING_BOTS
from webapp.web.owner import owner_key

NOW = 2_000_000_000.0


def rows(config, statement):
    path = config.database_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path)) as database:
        return database.execute(statement).fetchall()


@pytest.fixture
def ada(app):
    return Program(app)


def test_a_bot_joins_and_is_told_to_ask_again(ada):
    assert ada.joined["token"].startswith("zb_")
    assert ada.joined["page"] == f"/bots/{ada.id}"
    assert ada.turn() == {"turn": None, "again": 1.0}


def test_a_bot_without_a_turn_is_told_to_come_later_while_others_wait(ada):
    waiting = {"environ_overrides": {WAITING_BOTS: 40}}
    headers = {"Authorization": f"Bearer {ada.token}"}
    asked = ada.client.get("/api/1/turn", headers=headers, **waiting)
    assert asked.json == {"turn": None, "again": 1.4}
    ada.practises()
    assert ada.client.get("/api/1/turn", headers=headers, **waiting).json["turn"]


def test_a_turn_says_all_that_the_engine_says(ada):
    match = ada.practises("nim:heaps=1-3-5-7", "perfect").json
    turn = ada.turn()
    game = load_game("nim:heaps=1-3-5-7")
    assert turn["match"] == match["match"]
    assert turn["page"] == match["page"] == f"/matches/{match['match']}"
    assert (turn["seat"], turn["ply"], turn["moves"]) == ("x", 0, [])
    assert turn["state"] == str(game.start)
    assert turn["legal"] == [str(move) for move in game.start.legal_moves()]
    assert (turn["clock"], turn["lives"], turn["rated"]) == (None, 3, False)
    assert turn["last"] == {"took": None, "error": None}


@pytest.mark.stores
@pytest.mark.parametrize(
    ("game", "seat"), [(game.spec, "xo"[at % 2]) for at, game in enumerate(all_variants())]
)
def test_a_whole_game_is_played_by_answers_alone(ada, game, seat):
    ada.practises(game, "random", seat)
    rng, turn, played = Random(seat), ada.turn(), []
    while turn is not None and turn.get("turn"):
        replayed = Match.replay(load_game(game), map(load_game(game).parse_move, turn["moves"]))
        assert str(replayed.state) == turn["state"]
        answer = ada.plays(rng.choice(turn["legal"]), turn["turn"])
        assert answer.status_code == 200, answer.text
        played.append(answer.json["played"])
        turn = answer.json["next"]
    (game_row,) = ada.call("GET", f"/api/1/bots/{ada.id}/games").json["games"]
    record = Visitor(ada.app).get(f"{game_row['page']}.json").json
    mine = record["moves"][0 if seat == "x" else 1 :: 2]
    assert mine == played
    winner = record["result"].partition(" ")[0]
    told = {"draw:": "drawn", "first": "won" if seat == "x" else "lost"}
    told["second"] = "lost" if seat == "x" else "won"
    assert game_row["result"] == told[winner]


@pytest.mark.stores
def test_the_same_answer_twice_plays_once(ada):
    ada.practises(opponent="random")
    turn = ada.turn()["turn"]
    first, again = ada.plays("b2", turn), ada.plays("b2", turn)
    assert first.json == again.json
    assert (again.status_code, again.json["played"]) == (200, "b2")
    assert again.json["next"]["moves"][0] == "b2"
    assert len(again.json["next"]["moves"]) == 2


def test_another_answer_to_a_turn_that_was_played_is_late(ada):
    ada.practises()
    turn = ada.turn()["turn"]
    ada.plays("b2", turn)
    answer = ada.plays("a1", turn)
    assert (answer.status_code, answer.json["error"]) == (409, "late")
    assert "b2" in answer.json["message"]


@pytest.mark.stores
def test_illegal_moves_cost_lives_and_the_third_the_game(ada):
    ada.practises()
    turn = ada.turn()["turn"]
    for lives, move in ((2, "zz"), (1, "e9")):
        answer = ada.plays(move, turn)
        assert (answer.status_code, answer.json["error"]) == (422, "illegal")
        assert answer.json["lives"] == lives
        assert answer.json["message"].startswith(move)
    assert ada.turn()["turn"] == turn
    assert ada.turn()["last"]["error"].startswith("e9")
    answer = ada.plays("zz", turn)
    assert (answer.status_code, answer.json["lives"]) == (422, 0)
    late = ada.plays("b2", turn)
    assert (late.status_code, late.json["error"]) == (409, "over")
    (game,) = ada.call("GET", f"/api/1/bots/{ada.id}/games").json["games"]
    assert game["result"] == "lost"
    assert "last life" in game["fault"]


@pytest.mark.parametrize("text", ["", " ", "\n", "b2" * 1000, "ü" * 50])
def test_any_text_that_is_no_move_costs_a_life(ada, text):
    """Else a program that answers so would be asked for ever."""
    ada.practises()
    answer = ada.plays(text)
    assert (answer.status_code, answer.json["error"], answer.json["lives"]) == (422, "illegal", 2)
    assert len(answer.json["message"]) < 200


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ({}, "move"),
        ({"move": 7}, "move"),
        ({"move": None}, "move"),
        ({"move": "b2", "values": [1]}, "values"),
        ({"move": "b2", "values": {"b2": 3}}, "values"),
        ({"move": "b2", "values": {"b2": float("nan")}}, "values"),
        ({"move": "b2", "values": {"b2": 10**400}}, "values"),  # beyond any float
        ({"move": "b2", "values": {"b2": True}}, "values"),
        ({"move": "b2", "log": {}}, "log"),
        ({"move": "b2", "reason": []}, "reason"),
    ],
)
def test_what_cannot_be_read_costs_no_life(ada, body, word):
    ada.practises()
    turn = ada.turn()
    answer = ada.call("POST", f"/api/1/turn/{turn['turn']}", body)
    assert (answer.status_code, answer.json["error"]) == (422, "invalid")
    assert word in answer.json["message"].lower()
    assert ada.turn() == turn


def test_what_a_bot_says_of_its_move_is_in_the_panel(ada, visitor):
    ada.practises()
    ada.plays("b2", values={"b2": 0.4, "a1": -0.2}, reason="the centre has four lines")
    (game,) = ada.call("GET", f"/api/1/bots/{ada.id}/games").json["games"]
    visitor.path = game["page"]
    panel = visitor.at("?ply=0&values=1").analysis
    assert panel.title == "What Ada thought"
    assert (panel.rows[0].move, panel.rows[0].value, panel.rows[0].chosen) == ("b2", "0.40", True)
    assert panel.reason == "The centre has four lines."
    assert panel.values["a1"].value == -0.2


@pytest.mark.stores
def test_a_bot_that_fails_loses_with_its_reason_and_a_log_for_its_owner(ada, visitor):
    ada.practises()
    turn = ada.turn()["turn"]
    body = {"reason": "ZeroDivisionError: division by zero (line 12)", "log": "Traceback …"}
    assert ada.call("POST", f"/api/1/turn/{turn}/resign", body).status_code == 200
    assert ada.call("POST", f"/api/1/turn/{turn}/resign", body).status_code == 200
    (game,) = ada.call("GET", f"/api/1/bots/{ada.id}/games").json["games"]
    assert game["fault"] == "failed: ZeroDivisionError: division by zero (line 12)"
    visitor.path = game["page"]
    assert visitor.match.result == "Random wins: Ada · bot failed"
    assert visitor.match.message.text.startswith("ZeroDivisionError")
    page = owner(ada.app).get(f"/bots/{ada.id}").text
    assert "Traceback …" in page
    assert ".../.../... x" in page
    for stranger in (visitor, Visitor(ada.app)):  # who sits at the computer that serves
        assert "Traceback …" not in stranger.get(f"/bots/{ada.id}").text
        assert stranger.post(f"/bots/{ada.id}/end").status_code == 403


def test_a_machine_that_is_not_ready_is_asked_for_again(app, ada):
    use_pool(app, Never())
    ada.practises(opponent="perfect", seat="o")
    assert ada.turn() == {"turn": None, "again": 0.1}


# --- the clock


@pytest.fixture
def timed(app):
    """Two bots in a game with a clock, and the clock's hand."""
    hand = fixed_clock(app, NOW)
    ada, eve = Program(app, "Ada").arrives(), Program(app, "Eve").arrives()
    visitor = Visitor(app)
    begin(visitor, ada, eve)
    return ada, eve, hand, visitor


def begin(visitor, *bots, game="tictactoe"):
    """A game between two bots that someone wants to watch."""
    from engine import Match
    from webapp.replays.models import bot_seat, new_record

    store = visitor.app.extensions[NAME][BotGameStore]
    seats = tuple(bot_seat(bot.id, "x") for bot in bots)
    record = store.begin_game(new_record("someone", Match.begin(load_game(game)), seats))
    visitor.path = record.path
    return record


@pytest.mark.stores
def test_the_clock_starts_with_the_turn_and_takes_from_the_bank(timed):
    ada, eve, hand, _ = timed
    hand.now += 20  # nobody has asked for the turn yet
    turn = ada.turn()
    assert turn["clock"] == {"move": 2.0, "bank": 30.0, "left": 30.0}
    assert turn["opponent"] == "Eve"
    hand.now += 4.5
    assert ada.plays("b2", turn["turn"]).json == {"played": "b2", "next": None, "again": 0.1}
    eve.plays("a1")
    turn = ada.turn()
    assert turn["clock"]["left"] == 27.5
    assert turn["last"]["took"] == 4.5


def test_a_turn_asked_for_again_is_the_same_with_its_clock_running(timed):
    ada, _, hand, _ = timed
    turn = ada.turn()
    hand.now += 3
    assert ada.turn() == turn
    hand.now += 30
    answer = ada.plays("b2", turn["turn"])
    assert (answer.status_code, answer.json["error"]) == (409, "late")
    assert "timed out after 32.0 s, time bank empty" in answer.json["message"]


@pytest.mark.stores
def test_a_bot_that_never_answers_is_timed_out_by_the_referee(timed):
    ada, _, hand, visitor = timed
    ada.turn()
    store = ada.app.extensions[NAME][BotGameStore]
    hand.now += 32
    assert store.forfeit_overdue() == 0
    hand.now += 0.1
    assert store.forfeit_overdue() == 1
    assert store.forfeit_overdue() == 0
    assert visitor.match.result.endswith("Ada · bot timed out after 32.0 s, time bank empty")


@pytest.mark.stores
def test_a_bot_that_is_away_loses_only_after_a_while(timed):
    _, eve, hand, visitor = timed
    store = eve.app.extensions[NAME][BotGameStore]
    hand.now += 299
    assert store.forfeit_overdue() == 0
    hand.now += 2
    assert store.forfeit_overdue() == 1
    assert "Ada · bot was away for 5 minutes" in visitor.match.result


@pytest.mark.stores
def test_after_a_restart_turns_are_handed_out_again_and_nobody_was_away(timed):
    ada, _, hand, _ = timed
    turn = ada.turn()["turn"]
    hand.now += 1000
    store = ada.app.extensions[NAME][BotGameStore]
    store.stop_clocks()
    store.started = hand.now
    assert store.forfeit_overdue() == 0
    assert ada.plays("b2", turn).status_code == 200


@pytest.mark.stores
def test_a_bot_has_two_games_at_once_and_not_three(timed):
    ada, eve, _, visitor = timed
    begin(visitor, ada, eve)
    answer = ada.practises()
    assert (answer.status_code, answer.json["error"]) == (409, "busy")
    assert "2 games already" in answer.json["message"]


@pytest.mark.stores
def test_two_games_are_handed_out_one_after_the_other(timed):
    ada, eve, _, visitor = timed
    begin(visitor, ada, eve)
    first = ada.turn()
    following = ada.plays("b2", first["turn"]).json["next"]
    assert following["match"] != first["match"]
    assert ada.turn() == following


@pytest.mark.stores
def test_who_leaves_loses_its_games_and_its_token(timed):
    ada, _, _, visitor = timed
    assert ada.call("DELETE", f"/api/1/bots/{ada.id}").status_code == 204
    assert ada.call("GET", "/api/1/turn").status_code == 401
    assert "Ada · bot left" in visitor.match.result


def test_no_machine_advises_while_a_rated_game_is_played(timed):
    ada, eve, _, visitor = timed
    from webapp.replays.models import bot_seat, new_record

    store = ada.app.extensions[NAME][BotGameStore]
    seats = (bot_seat(ada.id, ""), bot_seat(eve.id, ""))
    made = replace(new_record("someone", Match.begin(load_game("tictactoe")), seats), rated=True)
    record = store.begin_game(made)
    visitor.path = record.path
    assert store.matches.find(record.id).rated
    assert "once it is over" in visitor.at("?values=1").unadvised
    assert visitor.get(f"{record.path}/tree").status_code == 409
    assert visitor.get(f"{record.path}/story").status_code == 409


# --- who may what


def test_tokens_are_kept_as_hashes(app, config, ada):
    kept = json.dumps(rows(config, "select * from bots") + rows(config, "select * from bot_tokens"))
    assert ada.token not in kept
    assert ada.joined["claim"].rpartition("/")[2] not in kept
    assert rows(config, "select bot_id from bot_tokens") == [(ada.id,)]


def test_without_a_token_with_a_wrong_one_or_after_its_time_nothing_is_told(app):
    hand = fixed_clock(app, NOW)
    ada = Program(app)
    assert ada.call("GET", "/api/1/turn", token="zb_wrong").status_code == 401
    nobody = app.test_client().get("/api/1/turn")
    assert (nobody.status_code, nobody.json["error"]) == (401, "token")
    hand.now += 24 * 3600 + 1
    ended = ada.call("GET", "/api/1/turn")
    assert (ended.status_code, ended.json["error"]) == (410, "gone")


def test_a_bot_cannot_move_for_another_nor_read_or_end_it(timed):
    ada, eve, _, _ = timed
    turn = ada.turn()["turn"]
    mallory = Program(ada.app, "Mallory")
    for one in (eve, mallory):
        assert one.plays("b2", turn).status_code == 404
        assert one.call("POST", f"/api/1/turn/{turn}/resign").status_code == 404
        assert one.call("GET", f"/api/1/bots/{ada.id}/games").status_code == 403
        assert one.call("DELETE", f"/api/1/bots/{ada.id}").status_code == 403
    assert ada.plays("b2", turn).status_code == 200


def test_a_revoked_token_is_worth_nothing(app, ada):
    assert owner(app).post(f"/bots/{ada.id}/end").status_code == 303
    assert ada.call("GET", "/api/1/turn").status_code == 401
    assert Visitor(app).get(f"/bots/{ada.id}").status_code == 200


def test_the_owner_is_known_by_the_link_alone(app, ada):
    stranger = Visitor(app)
    assert stranger.get("/owner/" + 40 * "0").status_code == 403
    assert stranger.post("/leagues", {"title": "Mine", "game": "nim"}).status_code == 403
    boss = owner(app)
    key = next(cookie.value for cookie in boss.client._cookies.values() if "owner" in cookie.key)
    assert key not in boss.get("/bots").text
    far = f"/owner/{owner_key(app.secret_key)}?page=//evil.example/"
    assert boss.get(far).location == "/bots"
    answer = boss.client.get("/api/1/turn")  # the API knows no cookie
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "headers", [{"X-Forwarded-For": "192.0.2.7"}, {"Via": "1.1 proxy"}, {"Host": "10.0.0.5:8000"}]
)
def test_through_a_proxy_or_by_another_name_a_code_is_needed(start, headers):
    app = start(trusted_hosts=("10.0.0.5", "localhost"))
    joined = app.test_client().post("/api/1/bots", json={"name": "Bob"}, headers=headers)
    assert joined.status_code == 403


@pytest.mark.parametrize("turn", ["t", "x", "tabc.-1", "tabc.99999999", "t../..", "tabc.1"])
def test_a_turn_of_nobody_is_unknown(ada, turn):
    answer = ada.plays("b2", turn)
    assert answer.status_code == 404
    assert answer.json is None or answer.json["error"] == "unknown"


def test_a_token_opens_no_page_of_a_person(app, visitor, ada):
    visitor.begins()
    record = visitor.client.get(f"{visitor.path}.json").json
    form = {"move": "a1", "revision": record["revision"]}
    headers = {"Authorization": f"Bearer {ada.token}", "Sec-Fetch-Site": "same-origin"}
    sent = app.test_client().post(f"{visitor.path}/moves", data=form, headers=headers)
    assert sent.status_code == 403
    assert ada.call("GET", "/matches").status_code == 200  # a list without a game in it
    assert visitor.path not in ada.call("GET", "/matches").text


def test_the_api_sets_and_reads_no_cookie(app, visitor, ada):
    visitor.begins()
    answer = visitor.client.get("/api/1/turn")
    assert answer.status_code == 401
    assert "Set-Cookie" not in answer.headers
    joined = visitor.client.post("/api/1/bots", json={"name": "Bob"})
    assert joined.status_code == 201
    assert "Set-Cookie" not in joined.headers
    assert "Access-Control-Allow-Origin" not in joined.headers


def test_a_form_of_another_site_cannot_join(app):
    answer = app.test_client().post(
        "/api/1/bots", data=json.dumps({"name": "Bob"}), headers={"Content-Type": "text/plain"}
    )
    assert (answer.status_code, answer.json["error"]) == (415, "type")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/api/1/nothing", 404), ("GET", "/api/1/bots", 405), ("PUT", "/api/1/turn", 405)],
)
def test_every_error_is_json(ada, method, path, status):
    answer = ada.call(method, path)
    assert answer.status_code == status
    assert set(answer.json) == {"error", "message"}


@pytest.mark.parametrize("body", [b"{", b"[]", b"7", b"\xff", b'{"name": ""}', b'{"name": 7}'])
def test_bad_bodies_get_one_line(app, body):
    answer = app.test_client().post(
        "/api/1/bots", data=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422
    assert "\n" not in answer.json["message"]


def test_rates_are_told_and_kept_by_token_and_by_address(start):
    from webapp.config import Rate

    app = start(rates_token=Rate(0.001, 3), rates_address_token=Rate(0.001, 12))
    ada, eve = Program(app), Program(app, "Eve")
    answer = ada.call("GET", "/api/1/turn")
    assert answer.headers["RateLimit-Limit"] == "3"
    assert answer.headers["RateLimit-Remaining"] == "2"
    ada.turn(), ada.turn()
    slow = ada.call("GET", "/api/1/turn")
    assert (slow.status_code, slow.json["error"]) == (429, "slow")
    assert int(slow.headers["Retry-After"]) > 0
    assert slow.headers["RateLimit-Remaining"] == "0"
    assert eve.call("GET", "/api/1/turn").status_code == 200
    wrong = [eve.call("GET", "/api/1/turn", token="zb_no").status_code for _ in range(8)]
    assert wrong[:2] == [401, 401]
    assert wrong[-1] == 429


@pytest.mark.stores
def test_there_is_an_end_to_bots(app):
    store = app.extensions[NAME][BotStore]
    store._most = 1
    Program(app)
    answer = app.test_client().post("/api/1/bots", json={"name": "Eve"})
    assert (answer.status_code, answer.json["error"]) == (503, "full")


@pytest.mark.stores
def test_two_bots_of_a_name_are_told_apart(app):
    names = [Program(app, "A_da").joined["name"] for _ in range(3)]
    assert names == ["A_da", "A_da 2", "A_da 3"]


def test_a_long_log_is_cut_and_old_games_are_forgotten(app, config, ada):
    for _ in range(12):
        ada.practises()
        turn = ada.turn()["turn"]
        ada.call("POST", f"/api/1/turn/{turn}/resign", {"log": "x" * 50_000, "reason": "no"})
    logs = rows(config, "select length(log) from bot_turns")
    assert {length for (length,) in logs} == {4096}
    assert len(logs) <= 10


def test_the_analysis_of_a_bot_is_kept_small(app, config, ada):
    ada.practises("quixo", "random")
    legal = ada.turn()["legal"]
    ada.plays(legal[0], values=dict.fromkeys(legal, 0.1), reason="y" * 5000)
    (packed,) = rows(config, "select packed from analyses where ply = 1")[0]
    assert len(json.loads(zlib.decompress(packed))["reason"]) <= 301


# --- opponents


def test_a_bot_that_is_here_is_an_opponent_in_the_lobby(app, visitor, ada):
    visitor.get("/?game=tictactoe")
    assert "Bots here now" not in [group.title for group in visitor.seen["setup"].opponent.groups]
    ada.arrives()
    visitor.get("/?game=tictactoe")
    (group,) = [g for g in visitor.seen["setup"].opponent.groups if g.title == "Bots here now"]
    match = visitor.begins(opponent=group.choices[0].value, starts="you")
    assert match.title == "You against Ada · bot"
    visitor.moves("b2")
    assert visitor.match.status == "Ada is thinking"
    turn = ada.turn()
    assert (turn["opponent"], turn["moves"], turn["seat"]) == ("a person", ["b2"], "o")
    ada.plays("a1", turn["turn"])
    assert visitor.match.may_move
    assert visitor.does("undo").status_code == 409
    assert visitor.match.actions.undo is None
    visitor.does("resign")
    assert ada.turn()["turn"] is None
    again = visitor.post(visitor.match.actions.swap)
    assert again.status_code == 303
    assert ada.turn()["seat"] == "x"


def test_a_bot_is_watched_against_a_machine_and_against_a_bot(app, visitor, ada):
    eve = Program(app, "Eve").arrives()
    ada.arrives()
    seat = {one.id: f"bot:{one.id}:" for one in (ada, eve)}
    visitor.begins(mode="watch", opponent=seat[ada.id], rival="random")
    ada.plays("b2")
    assert len(ada.turn()["moves"]) == 2
    visitor.begins(mode="watch", opponent=seat[eve.id], rival=seat[ada.id])
    assert visitor.match.title == "Eve · bot against Ada · bot"
    eve.plays("b2")
    assert visitor.match.company.trigger


def test_a_bot_that_is_away_or_unknown_is_no_opponent(app, visitor, ada):
    for seat in (f"bot:{ada.id}:Ada", "bot:nobody:x", "bot:"):
        answer = visitor.post("/matches", {"game": "tictactoe", "opponent": seat})
        assert answer.status_code in (404, 409)


def test_a_bot_says_what_it_plays(app, visitor):
    Program(app, "Q", plays=["quixo"]).arrives()
    titles = []
    for game in ("quixo", "nim"):
        visitor.get(f"/?game={game}")
        titles.append([group.title for group in visitor.seen["setup"].opponent.groups][-1])
    assert titles[0] == "Bots here now"
    assert titles[1] != "Bots here now"


# --- codes and pages


def test_from_elsewhere_a_code_is_needed(app, visitor):
    from tests.webapp.bots.program import ELSEWHERE
    from webapp.bots.admission import server_code

    away = {"REMOTE_ADDR": ELSEWHERE}
    client = app.test_client()
    for code in ("", "KXWQ", "nonsense"):
        answer = client.post(
            "/api/1/bots", json={"name": "Bob", "code": code}, environ_overrides=away
        )
        assert (answer.status_code, answer.json["error"]) == (403, "code")
    code = server_code(app.secret_key)
    assert Program(app, "Bob", address=ELSEWHERE, code=code.lower())
    page = app.test_client().get("/bots", environ_overrides=away).text
    assert code not in page
    assert code not in visitor.get("/bots").text  # an address makes nobody the owner
    assert code in owner(app).get("/bots").text


def test_a_bot_of_a_class_ends_with_it(app, visitor):
    visitor.post("/class", {})
    from tests.webapp.bots.program import ELSEWHERE
    from webapp.classroom.store import ClassStore

    record = app.extensions[NAME][ClassStore].begin("teacher")
    bob = Program(app, "Bob", address=ELSEWHERE, code=record.code)
    found = app.extensions[NAME][BotStore].find(bob.id)
    assert (found.until, found.class_id) == (record.ends, record.id)


@pytest.mark.stores
def test_only_the_owner_reads_the_log_keeps_or_ends_a_bot(app, ada):
    from tests.webapp.bots.program import ELSEWHERE
    from tests.webapp.visitor import OWN_PAGE

    ada.practises()
    ada.plays("b2", log="secret thoughts")
    owner, other = app.test_client(), app.test_client()
    away = {"environ_overrides": {"REMOTE_ADDR": ELSEWHERE}}
    claim = ada.joined["claim"]
    assert owner.get(claim, **away).status_code == 200
    assert "secret" not in owner.get(f"/bots/{ada.id}", **away).text
    assert owner.post(claim, headers=OWN_PAGE, **away).status_code == 303
    assert "secret thoughts" in owner.get(f"/bots/{ada.id}", **away).text
    assert other.post(f"{claim}x", headers=OWN_PAGE, **away).status_code == 403
    assert "secret" not in other.get(f"/bots/{ada.id}", **away).text
    for action in ("keep", "end"):
        path = f"/bots/{ada.id}/{action}"
        assert other.post(path, headers=OWN_PAGE, **away).status_code == 403
        assert owner.post(path, headers=OWN_PAGE, **away).status_code == 303
    assert ada.call("GET", "/api/1/turn").status_code == 401


def test_the_page_of_bots_says_who_is_here(app, visitor, ada):
    ada.arrives()
    page = visitor.get("/bots").text
    assert "Ada" in page
    assert "waiting" in page
    assert visitor.get("/lab").text.count('href="/bots"') == 1


def test_of_bots_that_are_away_the_own_and_the_last_are_listed():
    record = BotRecord("b0", "Bot 0", 0, int(NOW) + 1000, seen=int(NOW) - 5)
    away = [replace(record, id=f"b{n}", name=f"Bot {n}", seen=int(NOW) - 60) for n in range(1, 9)]
    states = [BotState(bot) for bot in (*away, record)]
    page = BotsPage("http://here", None, True, states, frozenset({"b7"}), int(NOW))
    assert [line.name for line in page.lines[:3]] == ["Bot 0", "Bot 7", "Bot 1"]
    assert len(page.lines) == 1 + MAX_AWAY
    assert page.more == "3 more are away."
    assert replace(page, states=states[:2]).more == ""
