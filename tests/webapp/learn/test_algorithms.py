"""The programs shown in lessons run as they are shown, and find what the solver finds."""

import sys
from random import Random

import pytest

from agents import load_agent
from engine import load_game
from webapp.learn.algorithms import listing
from webapp.learn.lesson import LessonCode, lessons

SHOWN = {
    block.functions: block.source
    for lesson in lessons()
    for block in lesson.blocks
    if isinstance(block, LessonCode)
}
HEAPS = range(1, 15)


def as_copied(name):
    """The functions of the listing that has this one, run from its text alone."""
    source = next(source for names, source in SHOWN.items() if name in names.split())
    scope = {}
    exec(source, scope)
    return scope


@pytest.fixture(scope="module")
def best():
    """By number of matches: the value, and the takes that keep it, by our solver."""
    found = {}
    for left in HEAPS:
        game = load_game(f"nim:heaps={left},max_take=3,last=wins")
        analysis = load_agent("perfect", game).analyse(game.start)
        value = max(each.value for each in analysis.candidates)
        keeps = {each.move.count for each in analysis.candidates if each.value == value}
        found[left] = (value, keeps)
    return found


def calls(function, left):
    """How often the function is entered, from this position on."""
    counted = 0

    def profile(frame, event, _):
        nonlocal counted
        counted += event == "call" and frame.f_code is function.__code__

    sys.setprofile(profile)
    try:
        function(left)
    finally:
        sys.setprofile(None)
    return counted


def test_lessons_4_to_8_show_a_program_each():
    with_code = [
        lesson.number
        for lesson in lessons()
        if any(isinstance(block, LessonCode) for block in lesson.blocks)
    ]
    assert with_code == [4, 5, 6, 7, 8]
    assert all(source.count("\n") <= 35 for source in SHOWN.values())


def test_minimax_and_its_best_take_are_the_solvers(best):
    shown = as_copied("minimax")
    assert {left: shown["minimax"](left) for left in HEAPS} == {n: best[n][0] for n in HEAPS}
    assert all(shown["best_take"](left) in best[left][1] for left in HEAPS)


def test_alphabeta_finds_the_same_for_less_work(best):
    alphabeta, minimax = as_copied("alphabeta")["alphabeta"], as_copied("minimax")["minimax"]
    assert {left: alphabeta(left) for left in HEAPS} == {n: best[n][0] for n in HEAPS}
    assert calls(alphabeta, 14) < calls(minimax, 14) / 4


def test_tree_search_comes_to_the_right_take(best):
    search = as_copied("tree_search")["tree_search"]
    won = [left for left in HEAPS if best[left][0] > 0]
    assert all(search(left, 2000, Random(1)) in best[left][1] for left in won)


def test_q_learning_learns_the_right_take_in_every_won_position(best):
    q = as_copied("q_learning")["q_learning"](12, 5000, Random(1))
    for left in range(1, 13):
        takes = [take for take in (1, 2, 3) if take <= left]
        if best[left][0] > 0:
            assert max(takes, key=lambda take: q[left, take]) in best[left][1]


def test_evolution_keeps_its_best_and_comes_close_to_the_top():
    evolve = as_copied("evolve")["evolve"]
    by_length = [sum(evolve(sum, 5, length, Random(3))) for length in (0, 10, 50, 200)]
    assert by_length == sorted(by_length)
    assert by_length[-1] > 4.5


def test_a_listing_has_the_imports_it_needs_and_no_more():
    assert listing("minimax").startswith("def minimax")
    assert listing("tree_search").startswith("from collections import Counter\n")
