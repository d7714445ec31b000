"""Arenas: entered by a form, played by a coordinator, shown as a table."""

import json
from dataclasses import replace
from itertools import permutations
from urllib.parse import urlencode

import pytest
from werkzeug.datastructures import MultiDict

from agents.contest.export import document
from agents.contest.series import play_arena
from agents.contest.standings import standings_of
from agents.runs import train_slice
from engine import load_game
from tests.webapp.commands.command_line import zermelo
from tests.webapp.jobs.working import HereAndNow, worked_off
from tests.webapp.visitor import HTMX, filled_in
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.kinds.arena import ArenaPlan, arena_job, results_of
from webapp.jobs.store import JobStore
from webapp.lab.arena.forms import ArenaEntry, ArenaForm
from webapp.lab.arena.page import ArenaPage, bracket_lanes
from webapp.lab.query import ArenaQuery

FIELD = ["random", "perfect", "opportunist"]
FORM = {"game": "tictactoe", "machine": FIELD, "games": "6", "seed": "3", "opening": "1"}


@pytest.fixture
def entered(visitor):
    """The path of an arena that has not been played yet."""
    answer = visitor.post("/arena", FORM)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


@pytest.fixture
def played(entered, services):
    worked_off(services[JobStore])
    return entered


def job_id(path):
    return path.rpartition("/")[2]


def test_the_page_and_the_command_line_write_the_same_files(visitor, played, tmp_path):
    file = tmp_path / "cup.csv"
    options = ["--games", 6, "--seed", 3, "--opening", 1, "--workers", 1, "--csv", file]
    assert zermelo("arena", "tictactoe", *FIELD, *options).exit_code == 0
    assert visitor.get(f"{played}/standings.csv").data == file.read_bytes()
    meetings = tmp_path / "cup-meetings.csv"
    assert visitor.get(f"{played}/meetings.csv").data == meetings.read_bytes()
    timed = visitor.get(f"{played}/standings.csv?times=1")
    assert float(timed.text.splitlines()[1].rpartition(",")[2]) > 0
    assert "text/csv" in timed.content_type


@pytest.mark.parametrize(
    ("limited", "amount", "limit", "there"),
    [
        ("nodes", "100000", "depth", ""),
        ("nodes", "100000", "nodes", "100000"),
        ("nodes", "8", "depth", "8"),
        ("depth", "99", "depth", "99"),  # out of range: to be corrected
    ],
)
def test_how_much_of_a_limit_lasts_while_it_fits(visitor, services, limited, amount, limit, there):
    form = filled_in(visitor.get(f"/arena?limit={limited}").text, "/arena")
    answer = visitor.get(f"/arena?{urlencode(form | {'limit': limit, 'amount': amount})}")
    assert filled_in(answer.text, "/arena")["amount"] == there


def test_the_table_is_that_of_the_games(visitor, played, services):
    table = play_arena(load_game("tictactoe"), FIELD, games=6, seed=3, opening=1)
    visitor.get(played)
    rows = visitor.seen["arena"].rows
    assert [row.spec for row in rows] == [standing.spec for standing in table.standings]
    assert [row.rating for row in rows] == [
        f"{standing.rating.elo:+.0f}".replace("-", "−") for standing in table.standings
    ]
    data = json.loads(visitor.get(f"{played}.json").data)
    assert (data["state"], data["step"], data["total"]) == ("done", 18, 18)
    assert untimed(data["arena"]) == untimed(document(table))


def untimed(data):
    return data | {"players": [p | {"seconds_per_move": None} for p in data["players"]]}


def test_partial_results_are_shown_at_once_and_say_so(visitor, entered, services):
    visitor.get(entered)
    assert {row.rating for row in visitor.seen["arena"].rows} == {"–"}
    coordinator = Coordinator(services[JobStore], HereAndNow())
    coordinator.turn()
    page = visitor.get(entered)
    view, record = visitor.seen["arena"], services[JobStore].find(job_id(entered))
    terms = ArenaPlan.of(record).terms
    results = list(results_of(terms, services[JobStore].games(record.id)))
    assert 0 < len(results) == record.step < 18
    assert view.so_far
    assert "So far" in page.text
    assert "data-poll data-follow" in page.text  # a hidden tab does not poll
    assert [row.spec for row in view.rows] == [
        standing.spec for standing in standings_of(terms, results).standings
    ]
    known = view.known
    assert visitor.get(f"{entered}?known={known}", **HTMX).status_code == 204
    coordinator.turn()
    assert visitor.get(f"{entered}?known={known}", **HTMX).status_code == 200


def test_a_job_in_any_batches_plays_the_same_games(services):
    def games(lanes):
        plan = ArenaPlan(replace(TERMS, players=tuple(FIELD)))
        job = services[JobStore].begin(arena_job("0" * 32, "cup", plan))
        worked_off(services[JobStore], HereAndNow(lanes))
        found = services[JobStore].games(job.id)
        return [(game.key, game.moves, game.winner, game.ending) for game in found]

    assert games(1) == games(5)


TERMS = play_arena(load_game("tictactoe"), ["random", "perfect"], games=7, seed=5).terms


def test_each_cell_opens_its_games_fifty_a_page(visitor, services):
    form = {"game": "tictactoe", "machine": ["random", "random:skill=0.5"], "games": "53"}
    path = visitor.post("/arena", form).headers["Location"]
    worked_off(services[JobStore])
    page = visitor.get(path)
    (cell,) = [cell for cell in visitor.seen["arena"].rows[0].cells if cell]
    assert f'href="{cell.url}"' in page.text
    first = visitor.get(f"/jobs/{cell.url}")
    assert first.status_code == 200
    assert len(visitor.seen["games"].lines) == 50
    assert "More games" in first.text
    visitor.get(f"/jobs/{cell.url}?page=2")
    assert len(visitor.seen["games"].lines) == 3
    assert visitor.seen["games"].listing.following is None


def test_a_game_is_watched_ply_by_ply_and_asked_where_it_turned(visitor, played, services):
    game = services[JobStore].games(job_id(played))[0]
    address = f"{played}/games/1"
    assert visitor.get(address).status_code == 200
    match = visitor.seen["match"]
    assert not match.may_change
    assert match.last_ply == len(game.moves.split())
    assert match.steps[1] == f"{address}?ply={match.last_ply - 1}"
    assert visitor.get(f"{address}?ply=2").status_code == 200
    assert visitor.seen["match"].last_move == game.moves.split()[1]
    assert visitor.get(f"{address}/story").status_code == 200
    assert not visitor.seen["match"].story.pending
    assert visitor.get(f"{address}.txt").text.startswith("game tictactoe")
    assert json.loads(visitor.get(f"{address}.json").data)["moves"] == game.moves.split()
    assert visitor.get(f"{address}?ply=1&values=1").status_code == 200
    assert visitor.get(f"{address}/tree?ply=3&depth=2&algorithm=minimax").status_code == 200
    begun = visitor.post(f"{address}/play-on", {"ply": "2"})
    assert begun.headers["Location"].startswith("/matches/")
    assert visitor.get(begun.headers["Location"]).status_code == 200


@pytest.mark.parametrize("beyond", ["games/0", "games/19", "1-1", "1-9", "machines/4"])
def test_what_an_arena_has_not_is_not_found(visitor, played, beyond):
    assert visitor.get(f"{played}/{beyond}").status_code == 404
    visitor.get(f"{played}/machines/2")  # and what it has opens whom it has met
    assert {name for name, *_ in visitor.seen["games"].meetings} == {"Random", "Opportunist"}


def test_seats_are_told_apart_on_demand():
    table = play_arena(load_game("tictactoe"), FIELD, games=2, seed=3)
    record = replace(arena_job("", "cup", ArenaPlan(table.terms)), id="cup")
    pages = [ArenaPage("/cup", record, table, ArenaQuery(seats=seats)) for seats in (True, False)]
    cells = [[cell for row in page.rows for cell in row.cells if cell] for page in pages]
    assert [{bool(cell.seats) for cell in found} for found in cells] == [{True}, {False}]
    assert {cell.url for cell in cells[0]} == {
        f"cup/{one}-{two}" for one, two in permutations((1, 2, 3), 2)
    }


def test_again_takes_another_seed_and_adding_a_machine_fills_in_the_form(visitor, played, services):
    answer = visitor.post(f"{played}/again")
    record = services[JobStore].find(job_id(answer.headers["Location"]))
    before = services[JobStore].find(job_id(played))
    assert record.seed == before.seed + 1
    assert record.parameters == dict(before.parameters) | {"seed": record.seed}
    visitor.get(f"/arena?like={before.id}")
    form = visitor.seen["form"]
    assert {each.value for _, group in form.groups for each in group if each.chosen} == set(FIELD)
    assert form.number == {"games": "6", "opening": "1", "seed": "3"}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"machine": ["random"]}, "2 to 32 agents"),
        ({"machine": [f"random:skill=0.{n:02}" for n in range(33)]}, "2 to 32 agents"),
        ({"machine": ["random", "random"]}, "named twice"),
        ({"machine": ["random", "nobody"]}, "nobody"),
        ({"games": "1001"}, "Games"),
        ({"games": "0"}, "Games"),
        ({"machine": [f"random:skill=0.{n}" for n in range(1, 9)], "games": "500"}, "14,000 games"),
        ({"opening": "21"}, "Opening"),
        ({"seed": "-1"}, "Seed"),
        ({"limit": "nodes", "amount": ""}, "wants a number"),
        ({"limit": "seconds", "amount": "6"}, "Seconds"),
        ({"limit": "seconds", "amount": "5", "games": "1000"}, "hours"),
        ({"limit": "luck"}, "limit"),
        ({"variant": "chess"}, "chess"),
    ],
)
def test_what_cannot_be_entered_is_said_on_the_form_and_nothing_is_stored(
    visitor, services, wrong, why
):
    answer = visitor.post("/arena", FORM | wrong)
    assert answer.status_code == 422
    assert why in visitor.seen["form"].message.text
    assert "job-line" not in visitor.get("/jobs").text


@pytest.mark.parametrize(
    ("limit", "cost"),
    [
        ({"limit": "seconds", "amount": "1"}, "1 pair, 10 games, about "),
        ({}, "1 pair, 10 games. The time left"),
        ({"machine": ["random"]}, "Tick two machines or more"),
    ],
)
def test_the_form_says_what_it_comes_to(limit, cost):
    fields = {"game": "quixo", "machine": ["random", "opportunist"], "games": "10"} | limit
    form = ArenaForm(ArenaEntry.parse(MultiDict(fields)), (), workers=1)
    assert form.cost.startswith(cost)


@pytest.mark.slow
def test_no_page_is_too_large(visitor, services):
    field = [f"random:skill=0.{n:02}" for n in range(32)]
    path = visitor.post("/arena", {"game": "nim:heaps=2", "machine": field, "games": "4"})
    worked_off(services[JobStore])
    page = visitor.get(f"{path.headers['Location']}?seats=1")
    assert page.status_code == 200
    assert len(page.data) < 100_000
    assert len(visitor.get("/arena?game=quixo").data) < 60_000


def test_brackets_that_overlap_stand_side_by_side():
    assert bracket_lanes(((1, 3), (2, 4), (5, 6))) == [[(1, 3), (5, 6)], [(2, 4)]]


def test_a_brain_that_lies_in_the_database_alone_plays_in_an_arena(
    visitor, services, tmp_path, monkeypatch
):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    trained = train_slice("tictactoe", "menace", 1, None, until=20)
    services[BrainStore].keep_file(trained.digest, trained.brain)
    spec = f"menace:brain={trained.digest}"
    form = {"game": "tictactoe", "machine": ["random", spec], "games": "2"}
    path = visitor.post("/arena", form).headers["Location"]
    worked_off(services[JobStore])
    record = services[JobStore].find(job_id(path))
    assert (record.state.value, record.step) == ("done", 2)
    assert record.parameters["players"] == ["random", spec]


def test_a_forfeit_shows_its_author_where_the_code_failed(visitor, played, services, monkeypatch):
    store = services[JobStore]
    game = store.games(job_id(played))[0]
    failed = replace(
        game, moves="b2", winner=0, ending="resignation", fault="it failed", traceback="line <3>"
    )
    monkeypatch.setattr(store, "game", lambda *_: failed)
    page = visitor.get(f"{played}/games/1").text
    assert "forfeits: it failed." in page
    assert "line &lt;3&gt;</pre>" in page
    assert "line &lt;3&gt;" not in visitor.get(f"{played}/games/1?ply=0").text
