"""No web thread searches: what pages of puzzles call, function by function."""

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

import agents
from agents.puzzles.collection import SHIPPED, shipped_puzzles
from agents.puzzles.proof import prover_for
from engine import load_game
from tests.webapp.puzzles.test_pages import answers, comes, path
from tests.webapp.visitor import Never, use_pool

ROOT = Path(agents.__file__).parent
SEARCHES = tuple(
    str(ROOT / name)
    for name in (
        *("search", "perfect", "tabular", "quixo"),
        *(f"puzzles/{name}.py" for name in ("difficulty", "finder", "forced", "proof")),
    )
)

# What says whether a game is solved, without solving it; the lines and pushes of a board.
FACTS = {"why_too_many", "why_unsolved", "part_solved", "_theory_of", "masks_of_lines", "slides_of"}


@contextmanager
def searches():
    """The functions that find, prove or search, as this thread calls them; not those it imports."""
    called = set()

    def note(frame, event, _):
        code = frame.f_code
        is_fact = code.co_name in FACTS or code.co_name.startswith("<")  # or an import
        if event == "call" and code.co_filename.startswith(SEARCHES) and not is_fact:
            called.add(f"{Path(code.co_filename).name}: {code.co_name}")

    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)


def test_a_search_would_be_seen():
    game = load_game("tictactoe")
    with searches() as called:
        prover_for(game).verdicts(game.start)
    assert called


@pytest.mark.parametrize("game", SHIPPED)
def test_no_page_of_puzzles_searches_in_its_own_thread(app, visitor, game):
    use_pool(app, Never())
    puzzle = next(each for each in shipped_puzzles() if each.game == game)
    comes(visitor, path(puzzle))  # what is imported or loaded once
    with searches() as called:
        assert comes(visitor, f"/puzzles?game={game}").game.startswith(game)
        for move in (puzzle.refutation[0], puzzle.solutions[0]):
            assert answers(visitor, puzzle, move).status_code == 200
        for address in ("/puzzles", "/puzzles/today", "/puzzles/again", path(puzzle)):
            assert visitor.get(address).status_code in (200, 303)
        for act in ("hint", "show"):
            assert visitor.post(path(puzzle, f"/{act}")).status_code in (200, 303)
    assert called == set()
