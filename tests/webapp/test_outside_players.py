"""Players from outside by every way in: bad ones forfeit, with why and where, and none is left."""

import json

import pytest

from agents import roster
from agents.contest.arena import Terms, _pinned_agent
from agents.contest.ladder import difficulties, ladder
from agents.core import Limit
from tests.agents.players.bad_players import (
    BAD,
    assert_none_left,
    bad_player,
    processes_in,
    seconds_for,
)
from tests.webapp.commands.command_line import document, zermelo
from tests.webapp.jobs.working import MANY, OWNER, worked_off
from tests.webapp.visitor import InProcess, Visitor
from webapp.jobs.kinds.arena import ArenaPlan, arena_job
from webapp.jobs.store import JobStore
from webapp.workers.player_worker import player_workers
from webapp.workers.pool import WorkerPool

pytestmark = pytest.mark.usefixtures("own_data")  # logs and brains
CACHES = (roster.roster, roster._agent_name, ladder, difficulties, _pinned_agent)


@pytest.fixture
def players(tmp_path, monkeypatch):
    """A directory whose files are on the roster."""
    place = tmp_path / "handed-in"
    place.mkdir()
    monkeypatch.setenv("ZERMELO_PLAYERS", str(place))
    for cached in CACHES:
        cached.cache_clear()
    yield place
    for cached in CACHES:
        cached.cache_clear()


@pytest.fixture
def visit(start):
    """Makes a visitor of a server whose players from outside think this long."""

    def visit(seconds):
        def make_pool(limits):
            return WorkerPool(InProcess, limits, outside=player_workers())

        return Visitor(start(make_pool, think_seconds=seconds))

    return visit


def hears_reply(visitor):
    """Ask until the agent has replied."""
    before = visitor.record["revision"]
    while visitor.record["revision"] == before:
        assert visitor.does("reply").status_code in (204, 303)
    return visitor.record


def by_match(path, seconds, _):
    return told(document("match", "tictactoe", path, "random", "--games", 1, *limit(seconds)))


def by_arena(path, seconds, _):
    arena = ("arena", "tictactoe", "random", path, "opportunist", "--games", 1, "--workers", 1)
    table = document(*arena, *limit(seconds))
    assert sum(player["wins"] + player["draws"] for player in table["players"][::2]) >= 2
    return told(table)


def by_bot_play(path, seconds, _):
    played = ("bot", "play", path, "--against", "random", "--games", 1, *limit(seconds))
    return told(document(*played))


def by_bot_check(path, seconds, monkeypatch):
    monkeypatch.setattr("agents.players.check.MAX_FAILURES", 1)
    checked = ("bot", "check", path, "--game", "tictactoe", *limit(seconds), "--json")
    result = zermelo(*checked)
    assert result.exit_code == 1
    (failure,) = json.loads(result.stdout)["games"][0]["failures"]
    return f"{failure['position']}: {failure['why']}"


def by_play(path, seconds, _):
    typed = "b2\nb1\na1\nc1\nb3\nc3\n"
    played = ("play", "tictactoe", "--against", path, "--second", *limit(seconds))
    return one_line(zermelo(*played, typed=typed).stdout)


def by_watch(path, seconds, _):
    return one_line(zermelo("watch", "tictactoe", path, "random", *limit(seconds)).stdout)


def told(series):
    fault = series["faults"][0]
    return f"{fault['position']}: {fault['fault']}"


def limit(seconds):
    return "--seconds", seconds


def one_line(text):
    return " ".join(text.split())


WAYS = (by_match, by_arena, by_bot_play, by_bot_check, by_play, by_watch)
KINDS = list(BAD)
IN_LOBBY = {"raises", "answers nothing", "crashes in C"}  # in the usual run
HEAVY = {"eats memory", "forks for ever", "writes a large file"}


def each_once_and_all_in_the_soak():
    """Each kind by one way in the usual run, and all by every way in the soak."""
    for number, kind in enumerate(KINDS):
        for at, way in enumerate(WAYS):
            usual = at == number % len(WAYS) and kind not in HEAVY
            mark = pytest.mark.slow if usual else pytest.mark.soak
            yield pytest.param(kind, way, marks=mark, id=f"{kind} {way.__name__}")


@pytest.mark.parametrize(("kind", "way"), list(each_once_and_all_in_the_soak()))
def test_on_the_command_line(kind, way, tmp_path, monkeypatch):
    said = way(bad_player(kind, tmp_path), seconds_for(kind), monkeypatch)
    assert BAD[kind][1] in said
    assert " x" in said or " o" in said  # the position
    assert_none_left(tmp_path)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=pytest.mark.slow if kind in IN_LOBBY else pytest.mark.soak)
        for kind in KINDS
    ],
)
def test_in_the_lobby_and_the_arena_of_a_server(kind, players, visit, opened, caplog):
    bad_player(kind, players)
    (players / "good.py").write_text("def choose(turn):\n    return turn.legal[-1]\n", "utf-8")
    visitor = visit(seconds_for(kind))
    visitor.begins(opponent="file-mybot", starts="opponent")
    hears_reply(visitor)
    visitor.moves("c1")
    record = hears_reply(visitor)
    assert record["result"] == "second wins: resignation"
    page = visitor.match
    assert page.result == "You win: mybot forfeited"
    assert BAD[kind][1][1:] in page.message.text  # it begins a sentence
    assert page.message.text.endswith("x.")  # the position
    assert "file-mybot forfeits in" in caplog.text
    assert str(players) not in visitor.get(visitor.path).text
    other = visit(5.0)
    other.begins(opponent="file-good", starts="opponent")
    assert len(hears_reply(other)["moves"]) == 1
    names = ("random", "file-good", "file-mybot")
    terms = Terms("tictactoe", names, 1, 3, Limit(seconds=seconds_for(kind)))
    store = JobStore(opened, MANY)
    job = store.begin(arena_job(OWNER, "cup", ArenaPlan(terms)))
    worked_off(store)
    games = {game.key: game for game in store.games(job.id)}
    assert len(games) == terms.total
    faults = [game.fault for game in games.values() if game.fault]
    assert faults
    assert {BAD[kind][1] in fault for fault in faults} == {True}, faults
    assert not [game for game in games.values() if str(players) in (game.traceback or "")]
    assert len(processes_in(players)) == 1  # that of the good one, whose match goes on


SPEAKS = (
    "def choose(turn):\n    print(turn.ply)\n"
    "    return turn.legal[0], {turn.legal[0]: 0.5, turn.legal[1]: -1}, 'It is the first.'\n"
)


@pytest.mark.slow
def test_the_panel_shows_what_a_good_one_said_and_does_not_ask_it_again(players, visit, tmp_path):
    (players / "good.py").write_text(SPEAKS, "utf-8")
    visitor = visit(5.0)
    visitor.begins(opponent="file-good", starts="opponent")
    hears_reply(visitor)
    panel = visitor.at("?values=1").analysis
    assert panel.title == "What good thought"
    assert panel.analysis.reason == "It is the first."
    values = {str(each.move): each.value for each in panel.analysis.candidates}
    assert values == {"a1": 0.5, "b1": -1.0}
    assert visitor.at("?ply=0&values=1").analysis.analysis == panel.analysis
    asked_for = visitor.get(f"{visitor.path}?values=1&agent=file-good")
    assert "is not asked again" in asked_for.text
    visitor.moves("c3")
    hears_reply(visitor)
    log = tmp_path / "players" / "good.log"
    assert log.read_text().split() == ["0", "2"]
    assert len(processes_in(players)) == 1
    for worker in visitor.app.extensions["zermelo"][WorkerPool].workers[-1:]:
        worker._players._clock = lambda: 1e12  # long after
        worker._players.end_idle()
    assert_none_left(players)
