"""Values on the board agree with the solver at every ply."""

from functools import cache
from random import Random

import pytest

from agents import Candidate
from agents.perfect.oracles import solve
from engine import load_game
from tests.positions import random_match
from tests.webapp.visitor import Never, Visitor
from webapp.boards.grid import badge, badges

GAMES = {"tictactoe": 12, "nim:preset=normal": 12, "nim": 4, "quixo:size=3": 10}  # matches of each
SEATS = {
    "owner": ["person", "random"],
    "visitor": ["person", "person"],
    "watcher": ["random", "random"],
}


@cache
def solved(spec):
    return solve(load_game(spec))


def worths(state, spec):
    """Every move with the solver's value and plies, for the side to move."""
    solution = solved(spec)
    found = {}
    for move in state.legal_moves():
        at = solution.tables.number[state.play(move)]
        found[str(move)] = (-int(solution.value[at]), int(solution.plies[at]) + 1)
    return found


def told(value, plies):
    """The text of a badge."""
    return "draw" if value == 0 else f"{'win' if value > 0 else 'loss'} in {plies}"


def best_of(options):
    """The best value; of equal ones the quickest win or the slowest loss."""
    return max(options, key=lambda worth: (worth[0], -worth[0] * worth[1]))


def expected(state, spec):
    """The expected badges by place."""
    moves = worths(state, spec)
    places = {}
    for text, worth in moves.items():
        places.setdefault(text.partition("-")[0], []).append(worth)
    return {place: told(*best_of(options)) for place, options in places.items()}


def on_board(board):
    """The badges on the board by place."""
    if hasattr(board, "heaps"):
        return {s.value: s.badge.label for heap in board.heaps for s in heap.sticks if s.badge}
    return {c.name: c.badge.label for row in board.rows for c in row.cells if c.badge}


@pytest.mark.slow
@pytest.mark.parametrize("who", SEATS)
@pytest.mark.parametrize("spec", GAMES)
def test_the_board_says_what_the_solver_says_of_every_move(visitor, stranger, spec, who):
    rng, looker = Random(spec), stranger if who == "visitor" else visitor
    said, solvers = [], []
    for _ in range(GAMES[spec]):
        match = random_match(load_game(spec), 12, rng)
        visitor.opens(spec, match.moves, SEATS[who])
        looker.path = visitor.path
        plies = [ply for ply, state in enumerate(match.states) if state.outcome() is None]
        said += [on_board(looker.at(f"?ply={n}&values=1&agent=perfect").board) for n in plies]
        solvers += [expected(match.states[n], spec) for n in plies]
    assert len(said) >= 20
    assert said == solvers


def test_without_asking_the_board_says_nothing(visitor):
    visitor.begins("nim", "perfect")
    assert on_board(visitor.match.board) == {}


def test_a_large_heap_shows_its_best_takes(visitor):
    visitor.begins("nim", "perfect", preset="twenty-one")
    (heap,) = visitor.at("?values=1").board.heaps
    assert [(count, shown.text[0]) for count, shown in heap.best] == [
        ("1", "▼"),
        ("2", "▼"),
        ("3", "▼"),
    ]


@pytest.mark.slow
def test_a_picked_cube_shows_what_each_of_its_ends_is_worth(visitor):
    visitor.begins("quixo", "person", preset="tiny")
    board = visitor.at("?values=1&agent=perfect&pick=a1").board
    state = load_game("quixo:size=3").start
    pushes = worths(state, "quixo:size=3")
    assert on_board(board) == {
        text.partition("-")[2]: told(*worth)
        for text, worth in pushes.items()
        if text.startswith("a1-")
    }


@pytest.mark.parametrize(
    ("value", "text"), [(-0.04, "~ −.04"), (-0.05, "~ −.05"), (0.004, "~ .00"), (0.995, "~ .99")]
)
def test_a_value_that_is_not_proven_has_two_digits(value, text):
    assert badge(Candidate("m", value)).text.replace("\u202f", " ") == text


def test_values_that_tell_no_move_from_another_are_not_shown():
    alike = {name: Candidate(name, 0.001) for name in "abc"}
    assert badges(alike) == {}
    assert set(badges(alike | {"d": Candidate("d", 0.2)})) == set("abcd")


def test_the_best_few_are_marked_and_all_that_are_as_good_as_the_best():
    worth = {str(n): Candidate(str(n), 0.9 - n / 10) for n in range(9)}
    assert {name for name, one in badges(worth).items() if one.is_top} == set("0123")
    level = {str(n): Candidate(str(n), -1.0 if n > 6 else 0.0, proven=True) for n in range(9)}
    assert {name for name, one in badges(level).items() if one.is_top} == set("0123456")


def test_a_hint_stays_while_a_cube_is_picked(start):
    visitor = Visitor(start(Never))
    visitor.begins("quixo", "person")
    page = visitor.get(f"{visitor.path}?hint=1").text
    assert '<input type="hidden" name="hint" value="1">' in page


def test_with_its_box_open_the_beads_of_menace_lie_on_the_board(visitor):
    visitor.begins("tictactoe", "menace")
    visitor.moves("a3")
    match = visitor.at("?values=1&show=1")
    assert beads_on(match.board) == {
        move: (colour.count, f"tally bead-{colour.number}")
        for colour in match.analysis.exhibit.colours
        for move in colour.moves.split()
    }
    assert len(beads_on(match.board)) == 8
    assert visitor.at("?values=1").analysis.tallies == {}


def test_no_beads_lie_on_the_board_where_the_box_was_never_opened(visitor):
    visitor.begins("tictactoe", "menace")
    visitor.moves("b2")
    match = visitor.at("?values=1&show=1")
    assert "never opened the box" in match.analysis.exhibit.sentence
    assert beads_on(match.board) == {}


def beads_on(board):
    return {
        cell.name: (cell.badge.text, cell.badge.meaning)
        for row in board.rows
        for cell in row.cells
        if cell.badge
    }
