"""Pages of puzzles: one after another, answers, what is shown and what is not before a try."""

import html
import re
from dataclasses import replace

import pytest

from agents.puzzles.collection import shipped_puzzles
from agents.puzzles.models import Theme
from tests.webapp.visitor import HTMX, OWN_PAGE, Visitor
from webapp.config import Rate, Share
from webapp.puzzles.models import DAY_S
from webapp.puzzles.store import PuzzleStore
from webapp.services import NAME, Clock

pytestmark = pytest.mark.stores
BY_HTMX = OWN_PAGE | HTMX
PUZZLE = next(each for each in shipped_puzzles() if each.theme is Theme.HOLD)
QUIXO = next(each for each in shipped_puzzles() if each.game == "quixo" and each.plies == 3)


def path(puzzle, action=""):
    return f"/puzzles/{puzzle.id}{action}"


def answers(visitor, puzzle, move, headers=BY_HTMX, **fields):
    return visitor.post(path(puzzle, "/answer"), {"move": move} | fields, headers)


def comes(visitor, address="/puzzles"):
    """The puzzle that stands at an address."""
    assert visitor.get(address).status_code == 200
    return visitor.seen["puzzle"].puzzle


@pytest.fixture
def clock(app):
    """The time, which a test moves on."""
    at = [1_800_000_000.0]
    app.extensions[NAME][Clock] = Clock(lambda: at[0])
    return at


def test_one_comes_after_another_and_none_twice(visitor):
    seen = []
    for _ in range(6):
        puzzle = comes(visitor, "/puzzles?game=tictactoe")
        assert puzzle.game == "tictactoe"
        seen.append(puzzle.id)
        assert answers(visitor, puzzle, puzzle.solutions[0]).status_code == 200
        assert visitor.seen["puzzle"].is_right
    assert len(set(seen)) == len(seen)
    part = visitor.seen["puzzle"].progress
    assert part.title == "Your streak: 6"
    assert part.results == (("▲", "solved"),) * 6
    assert "6 of 6 at the first try" in part.strength


def test_a_game_a_theme_and_a_level_can_be_chosen(visitor):
    shown = comes(visitor, "/puzzles?game=quixo:size=4&theme=only+move&level=4")
    assert (shown.game, shown.theme, shown.level) == ("quixo:size=4", Theme.ONLY_MOVE, 4)
    assert [each.label for each in visitor.seen["puzzle"].chooser.levels if each.chosen] == ["4"]


def test_skipping_leads_to_another_and_changes_nothing(visitor):
    first = comes(visitor)
    assert comes(visitor, visitor.seen["puzzle"].next_url) != first
    assert comes(visitor) == first


def test_a_wrong_answer_shows_its_refutation_move_by_move_and_can_be_tried_again(visitor):
    wrong, *line = PUZZLE.refutation
    assert answers(visitor, PUZZLE, wrong, OWN_PAGE).status_code == 303
    visitor.get(path(PUZZLE))
    page = visitor.seen["puzzle"]
    assert (page.status, page.step) == ("Not this one: it loses in 2 moves", 1)
    assert page.line == (wrong, *line)
    boards, said = [], []
    for step in range(len(page.line) + 1):
        visitor.get(f"{path(PUZZLE)}?step={step}")
        boards.append(str(visitor.seen["puzzle"].match.state))
        shown = visitor.seen["puzzle"]
        said.append((shown.status, shown.turn, shown.glyph))
    assert boards[0] == PUZZLE.state
    assert said == [
        ("Only one move holds the draw", "o to move", "o"),
        ("Not this one: it loses in 2 moves", "x to move", "x"),
        ("x answers c3 and wins", "You lose", "o"),
    ]
    assert len(set(boards)) == len(boards)
    again = visitor.get(page.again_url)
    assert visitor.seen["puzzle"].is_open
    assert 'name="move" value="c3"' in again.text
    answers(visitor, PUZZLE, PUZZLE.solutions[0], again="1")
    page = visitor.seen["puzzle"]
    assert page.status == "Right!"
    assert page.explanation == ("c3 holds the draw.", "3 other moves lose.")
    assert page.progress.title == "Your streak: 0"


def test_the_time_is_told_and_the_proof(visitor, clock):
    visitor.get(path(PUZZLE))
    since = visitor.seen["puzzle"].carried
    clock[0] += 14
    answers(visitor, PUZZLE, "c3", **dict(since))
    assert visitor.seen["puzzle"].proof == "Proven: 5,478 positions solved. Your time: 14 s."


def test_a_press_that_is_no_move_is_refused_on_the_board(visitor):
    taken = next(name for name in ("a1", "b1", "a2", "b2", "b3") if name not in PUZZLE.answers)
    assert answers(visitor, PUZZLE, taken).status_code == 422
    assert visitor.seen["puzzle"].refusal
    assert visitor.seen["puzzle"].attempt.tries == 0
    assert answers(visitor, PUZZLE, "z9").status_code == 422
    assert answers(visitor, PUZZLE, "").status_code == 422
    visitor.get(f"{path(PUZZLE)}?pick={taken}")
    assert visitor.seen["puzzle"].refusal


def test_the_same_answer_sent_twice_counts_once(visitor):
    for _ in range(2):
        answers(visitor, PUZZLE, PUZZLE.refutation[0], revision="0")
    assert visitor.seen["puzzle"].attempt.tries == 1
    answers(visitor, PUZZLE, PUZZLE.refutation[0], revision="1")
    assert visitor.seen["puzzle"].attempt.tries == 2


def test_a_hint_and_the_solution_are_shown_when_asked_for(visitor):
    visitor.post(path(PUZZLE, "/hint"), {}, BY_HTMX)
    page = visitor.seen["puzzle"]
    assert page.status == "Only one move holds the draw. Hint: look at column c."
    assert page.is_open
    visitor.post(path(PUZZLE, "/show"), {}, BY_HTMX)
    page = visitor.seen["puzzle"]
    assert (page.status, page.line[0]) == ("The solution", "c3")
    assert page.progress.results == (("▼", "missed"),)


def test_what_was_missed_is_asked_again_after_a_day(visitor, clock):
    answers(visitor, PUZZLE, PUZZLE.refutation[0])
    assert "Nothing to repeat now" in visitor.get("/puzzles/again").text
    clock[0] += DAY_S
    answer = visitor.get("/puzzles/again")
    assert answer.location == f"{path(PUZZLE)}?missed=1&again=1"
    visitor.get(answer.location)
    assert visitor.seen["puzzle"].is_open
    answers(visitor, PUZZLE, PUZZLE.solutions[0], missed="1", again="1")
    assert "in 7 days" in visitor.seen["puzzle"].progress.repetition
    assert "Nothing to repeat now" in visitor.get("/puzzles/again").text


def test_what_does_not_ship_any_more_is_not_asked_again(visitor, clock, monkeypatch):
    answers(visitor, QUIXO, QUIXO.refutation[0])
    clock[0] += 60
    answers(visitor, PUZZLE, PUZZLE.refutation[0])
    clock[0] += DAY_S
    assert QUIXO.id in visitor.get("/puzzles/again").location
    left = {PUZZLE.id: PUZZLE}.get
    monkeypatch.setattr("webapp.puzzles.store.shipped_puzzle", left)
    assert PUZZLE.id in visitor.get("/puzzles/again").location


def test_the_days_puzzle_is_the_same_for_everyone(visitor, stranger, clock):
    day = visitor.get("/puzzles/today").location
    assert stranger.get("/puzzles/today").location == day
    visitor.get(day)
    assert visitor.seen["puzzle"].title == "Puzzle of the day"
    clock[0] += DAY_S
    assert visitor.get("/puzzles/today").location != day


def test_three_minutes_as_many_as_you_can(visitor, clock):
    assert "Begin 3 minutes" in visitor.get("/puzzles/sprint").text
    answer = visitor.post("/puzzles/sprint")
    for right in (True, False, True):
        comes(visitor, answer.location)
        page = visitor.seen["puzzle"]
        assert page.seconds_left is not None
        wrong = next(move for move in page.puzzle.answers if move not in page.puzzle.solutions)
        move = page.puzzle.solutions[0] if right else wrong
        answer = answers(visitor, page.puzzle, move, OWN_PAGE, sprint="1")
        assert answer.status_code == 303
        clock[0] += 20
    clock[0] += 120
    answer = visitor.get(answer.location)
    assert answer.location == "/puzzles/sprint"
    assert "2 solved, 1 missed" in visitor.get("/puzzles/sprint").text


def test_a_player_without_games_has_no_mistakes_yet(visitor):
    assert "None of your own yet" in visitor.get("/puzzles?mine=1").text


def test_progress_can_be_forgotten(visitor):
    answers(visitor, PUZZLE, PUZZLE.solutions[0])
    assert visitor.post("/puzzles/forget").status_code == 303
    visitor.get(path(PUZZLE))
    assert visitor.seen["puzzle"].is_open
    assert visitor.seen["puzzle"].progress.title == "Your streak: 0"


def test_another_player_sees_nothing_of_it(visitor, stranger):
    answers(visitor, PUZZLE, PUZZLE.solutions[0])
    stranger.get(path(PUZZLE))
    assert stranger.seen["puzzle"].is_open
    answers(stranger, PUZZLE, PUZZLE.refutation[0])
    visitor.get(path(PUZZLE))
    assert visitor.seen["puzzle"].is_right


@pytest.mark.parametrize("address", ["/puzzles/00000000", "/puzzles/today/x", "/puzzles/%00"])
def test_what_is_no_puzzle_is_not_found(visitor, address):
    assert visitor.get(address).status_code in (400, 404)
    assert visitor.post("/puzzles/00000000/answer", {"move": "a1"}).status_code == 404


@pytest.mark.parametrize(
    "query", ["game=chess", "theme=x", "level=9", "step=99", "since=x", "pick=%C3%A9"]
)
def test_an_address_that_makes_no_sense_shows_the_puzzle_all_the_same(visitor, query):
    assert visitor.get(f"{path(PUZZLE)}?{query}").status_code == 200
    assert visitor.get(f"/puzzles?{query}").status_code == 200


def test_answers_are_counted(start):
    few = Share(Rate(0.001, 2), Rate(0.001, 2), Rate(0.001, 2))
    visitor = Visitor(start(rates_puzzles=few))
    statuses = [answers(visitor, PUZZLE, "a1").status_code for _ in range(4)]
    assert statuses[0] == 200
    assert statuses[-1] == 429


def test_puzzle_rows_and_scores_move(app, visitor):
    answers(visitor, PUZZLE, PUZZLE.refutation[0])
    store = app.extensions[NAME][PuzzleStore]
    score = store.standing("nobody", PUZZLE).score
    assert (score.tried, score.solved) == (1, 0)
    assert visitor.seen["puzzle"].level == "level 1"


def test_where_enough_visitors_tried_it_they_say_how_hard_it_is(app, visitor):
    store = app.extensions[NAME][PuzzleStore]

    def hard(standing):
        score = replace(standing.score, rating=1990.0, deviation=80.0, tried=40)
        return replace(standing, score=score)

    store.change("somebody", PUZZLE, hard)
    visitor.get(path(PUZZLE))
    assert visitor.seen["puzzle"].level == "level 5"
    assert "40 visitors" in visitor.seen["puzzle"].level_source
    (entry,) = (each for each in store.entries(None, None) if each.id == PUZZLE.id)
    assert entry.level == 5


def changed_solution(puzzle):
    """Another puzzle in its place: the same position and task, another right answer."""
    wrong = next(move for move in puzzle.answers if move not in puzzle.solutions)
    answers = dict(puzzle.answers)
    answers[wrong], answers[puzzle.solutions[0]] = answers[puzzle.solutions[0]], answers[wrong]
    return replace(puzzle, solutions=(wrong,), refutation=("a1",), answers=answers, source="x")


@pytest.mark.parametrize("puzzle", [PUZZLE, QUIXO], ids=lambda puzzle: puzzle.game)
def test_before_a_try_no_byte_of_a_page_depends_on_the_solution(
    visitor, clock, monkeypatch, puzzle
):
    """The puzzle is replaced by one with another solution: every page stays the same."""
    visitor.get("/puzzles/sprint")
    looks = ("", "?again=1", "?present=1", "?step=3", "?pick=a1", "?missed=1", "?today=1")

    def seen():
        pages = [visitor.get(path(puzzle) + look) for look in looks]
        pages.append(visitor.get(path(puzzle), **HTMX))
        stable = [re.sub(r"nonce=\S+", "", page.text) for page in pages]
        return stable, [page.headers.get("Link") for page in pages]

    before = seen()
    other = changed_solution(puzzle)
    monkeypatch.setattr("webapp.puzzles.store.shipped_puzzle", lambda which: other)
    assert seen() == before
    monkeypatch.undo()
    answers(visitor, puzzle, puzzle.solutions[0])
    assert visitor.seen["puzzle"].is_right


def test_the_progress_of_a_year_ago_is_removed_and_that_of_a_passer_by_after_a_month(
    app, visitor, clock
):
    answers(visitor, PUZZLE, PUZZLE.solutions[0])
    answers(visitor, QUIXO, QUIXO.solutions[0])
    store = app.extensions[NAME][PuzzleStore]
    assert store.remove_unused(100) == 0
    month = PuzzleStore(store.database, lambda: clock[0] + 31 * DAY_S)
    answers(Visitor(app), PUZZLE, PUZZLE.solutions[0])  # and never comes back
    assert (month.remove_unused(100), month.remove_unused(100)) == (1, 0)
    later = PuzzleStore(store.database, lambda: clock[0] + 366 * DAY_S)
    assert later.remove_unused(100) == 1
    visitor.get(path(PUZZLE))
    assert visitor.seen["puzzle"].is_open


def test_a_puzzle_and_a_kind_can_be_set_as_an_assignment(visitor):
    visitor.post("/class/tools", {"show": "1"})
    comes(visitor, "/puzzles?game=nim&theme=mis%C3%A8re+turn")
    page = visitor.get(visitor.seen["puzzle"].address).text
    link = re.search(r'id="assign" class="link" href="([^"]+)"', page)[1]
    visitor.get(html.unescape(link))
    assert "game: nim\ntheme: misère turn" in visitor.seen["front"].value("tasks")
    answers(visitor, PUZZLE, "c3")
    page = visitor.get(path(PUZZLE)).text
    link = re.search(r'id="assign-this" class="btn" href="([^"]+)"', page)[1]
    visitor.get(html.unescape(link))
    assert visitor.seen["front"].value("tasks") == (f"## {PUZZLE.task}\npuzzles: {PUZZLE.id}\n")


@pytest.mark.parametrize(
    ("address", "first"), [("sprint", "begin-sprint"), ("again", "next-puzzle")]
)
def test_where_there_is_no_puzzle_the_first_button_is_what_was_asked_for(visitor, address, first):
    page = visitor.get(f"/puzzles/{address}").text
    assert re.findall(r'id="([\w-]+)" class="btn primary"', page) == [first]
