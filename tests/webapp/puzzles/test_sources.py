"""Where puzzles come from: one's own games, and a supply that is made in the background."""

import json
from dataclasses import fields, replace
from math import nan

import pytest

from agents.puzzles.check import check_puzzles
from agents.puzzles.collection import SHIPPED, shipped_puzzles
from tests.webapp.puzzles.test_pages import PUZZLE, answers, comes
from tests.webapp.visitor import HTMX, OWN_PAGE, Never, Visitor, use_pool
from webapp.puzzles.forms import MAX_COUNT, RANGES
from webapp.puzzles.models import FRESH, Progress
from webapp.puzzles.store import PuzzleStore
from webapp.puzzles.supply import BATCH, PuzzleSupply
from webapp.services import NAME
from webapp.workers.pool import WorkerPool

pytestmark = pytest.mark.stores
OTHER = next(each for each in shipped_puzzles() if each.game == PUZZLE.game and each != PUZZLE)
COUNTS = ("tries", "seconds", "due", "repeats", "answered")  # numbers of an attempt
LOST = "a1 b1 b2 c1 c3"


def store_of(app):
    return app.extensions[NAME][PuzzleStore]


def test_where_something_was_given_away_becomes_a_puzzle_of_ones_own(visitor):
    visitor.opens("tictactoe", LOST, ("random", "person"))
    assert "Up to 3 puzzles from this game" in visitor.get(visitor.path).text
    answer = visitor.post(f"{visitor.path}/puzzles")
    assert answer.status_code == 303
    first = comes(visitor, answer.location)
    assert (first.state, first.solutions) == (".../.../x.. o", ("b2",))
    page = visitor.seen["puzzle"]
    assert page.title.startswith("Puzzle 1 of ")
    assert comes(visitor, "/puzzles?mine=1") == first
    answers(visitor, first, "b2", set=".".join(page.query.set))
    following = visitor.seen["puzzle"].next_url
    assert comes(visitor, following) != first
    assert check_puzzles([first]) == []


def test_while_they_are_looked_for_the_page_waits(app, visitor):
    visitor.opens("tictactoe", LOST, ("random", "person"))
    use_pool(app, Never())
    answer = visitor.post(f"{visitor.path}/puzzles")
    assert "Looking for puzzles in your game" in answer.text
    assert visitor.post(f"{visitor.path}/puzzles", {}, OWN_PAGE | HTMX).status_code == 204


def test_a_game_that_goes_on_or_is_anothers_has_none(visitor, stranger):
    visitor.opens("tictactoe", "a1 b1", ("person", "person"))
    assert "puzzles from this game" not in visitor.get(visitor.path).text
    assert visitor.post(f"{visitor.path}/puzzles").status_code == 409
    visitor.opens("tictactoe", LOST, ("random", "person"))
    assert stranger.post(f"{visitor.path}/puzzles").status_code == 403
    assert stranger.post("/matches/nothing/puzzles").status_code == 404


def test_what_cannot_be_solved_says_so(visitor):
    heaps = "nim:heaps=30-30-30-30-30-30,max_take=7"
    visitor.opens(heaps, "a7 " * 1, ("person", "person"))
    assert visitor.does("resign").status_code == 303
    assert visitor.post(f"{visitor.path}/puzzles").status_code in (200, 303)


def test_the_supply_has_fresh_puzzles_that_do_not_ship_and_are_proven(app, visitor):
    supply = PuzzleSupply(store_of(app), app.extensions[NAME][WorkerPool])
    assert 1 <= supply.add_some() <= BATCH
    (game,) = store_of(app).supply()
    assert game in SHIPPED
    shipped = {each.id for each in shipped_puzzles()}
    fresh = [each for each in store_of(app).entries("me", None) if each.id not in shipped]
    assert fresh
    found = [store_of(app).find(each.id) for each in fresh]
    assert check_puzzles([replace(each, level=0) for each in found]) == []
    assert supply.add_some() > 0
    assert len(store_of(app).supply()) == 2


def test_a_fresh_one_comes_once_what_ships_was_tried(app, visitor):
    made = replace(PUZZLE, state="xo./.../... x", game="nim:heaps=21,max_take=3", level=5)
    store_of(app).keep([made], FRESH)
    seen = set()
    for _ in range(9):  # eight of it ship
        visitor.get("/puzzles?game=nim:heaps=21,max_take=3&level=1&theme=only+move")
        puzzle = visitor.seen["puzzle"].puzzle if visitor.seen else made
        seen.add(puzzle.id)
        if puzzle.id != made.id:
            answers(visitor, puzzle, puzzle.solutions[0])
    assert len(seen) == 8


def test_progress_goes_with_the_file_of_ones_games(app, visitor):
    visitor.opens("tictactoe", LOST, ("random", "person"))
    answers(visitor, PUZZLE, PUZZLE.refutation[0])
    file = visitor.get("/matches/export").json
    assert file["puzzles"]["progress"]["tried"] == 1
    assert "id" not in file["puzzles"]["progress"]
    other = Visitor(app)
    assert other.post("/matches/import", {"text": json.dumps(file)}).status_code == 303
    other.get(f"/puzzles/{PUZZLE.id}")
    page = other.seen["puzzle"]
    assert page.status.startswith("Not this one: ")
    assert page.progress.results == (("▼", "missed"),)
    before = page.standing.progress
    assert other.post("/matches/import", {"text": json.dumps(file)}).status_code == 303
    other.get(f"/puzzles/{PUZZLE.id}")
    assert other.seen["puzzle"].standing.progress.tried == before.tried


@pytest.mark.parametrize(
    "spoiled",
    [
        [],
        {"progress": {}, "attempts": 3},
        {"progress": {"rating": "high"}, "attempts": []},
        {"progress": {"rating": 1e300}, "attempts": []},
        {"progress": {"wealth": 1}, "attempts": []},
        {"progress": {"streak": -1}, "attempts": []},
        {"progress": {"streak": 2**31}, "attempts": []},
        {"progress": {"rating": 10**400}, "attempts": []},
        {"progress": {"rating": nan}, "attempts": []},
        {"progress": {"deviation": 5e-324}, "attempts": []},
        {"progress": {}, "attempts": [{"puzzle": PUZZLE.id, "repeats": 2**15}]},
        {"progress": {}, "attempts": [{"puzzle": PUZZLE.id, "seconds": 2**31}]},
        {"progress": {}, "attempts": [{"puzzle": PUZZLE.id, "move": "\0"}]},
        {"progress": {}, "attempts": [{"puzzle": "../../x"}]},
        {"progress": {}, "attempts": [{"puzzle": "00000000", "solved": 1}]},
        {"progress": {}, "attempts": [{"puzzle": "00000000", "move": "x" * 99}]},
    ],
)
def test_progress_that_makes_no_sense_is_refused_whole(visitor, spoiled):
    file = {"format": "zermelo matches 1", "matches": [], "puzzles": spoiled}
    assert visitor.post("/matches/import", {"text": json.dumps(file)}).status_code == 422


@pytest.mark.parametrize("name", ["low", "high"])
def test_progress_at_its_bounds_is_gone_on_with(visitor, name):
    """In both databases: numbers that one of them does not hold would be a fault of ours."""
    which = ("low", "high").index(name)
    record = {each.name: RANGES.get(each.name, (0, MAX_COUNT)) for each in fields(Progress)[1:]}
    attempt = {each: RANGES.get(each, (0, MAX_COUNT))[which] for each in COUNTS}
    file = {"format": "zermelo matches 1", "matches": []}
    file["puzzles"] = {
        "progress": {each: ends[which] for each, ends in record.items()},
        "attempts": [attempt | {"puzzle": PUZZLE.id, "move": PUZZLE.refutation[0]}],
    }
    assert visitor.post("/matches/import", {"text": json.dumps(file)}).status_code == 303
    for puzzle in (PUZZLE, OTHER):
        for action in ("answer", "hint", "show"):
            answer = visitor.post(f"/puzzles/{puzzle.id}/{action}", {"move": puzzle.solutions[0]})
            assert answer.status_code < 500, answer.text
        assert visitor.get(f"/puzzles/{puzzle.id}").status_code == 200
    assert visitor.get("/puzzles").status_code == 200


def test_unknown_puzzles_of_a_file_are_left_out(app, visitor):
    attempts = [{"puzzle": "00000000", "tries": 1}, {"puzzle": PUZZLE.id, "tries": 1, "move": "a1"}]
    file = {"format": "zermelo matches 1", "matches": []}
    file["puzzles"] = {"progress": {"tried": 2}, "attempts": attempts}
    assert visitor.post("/matches/import", {"text": json.dumps(file)}).status_code == 303
    exported = visitor.get("/matches/export").json["puzzles"]["attempts"]
    assert [each["puzzle"] for each in exported] == [PUZZLE.id]


def test_the_store_keeps_a_puzzle_once(app):
    made = replace(PUZZLE, state="xo./.../... x")
    for _ in range(2):
        store_of(app).keep([made, PUZZLE], FRESH)
    assert store_of(app).supply() == {"tictactoe": (1, 0)}
    assert store_of(app).find(made.id) == made
    (entry,) = (each for each in store_of(app).entries("me", "tictactoe") if each.id == made.id)
    assert entry.level == made.level
