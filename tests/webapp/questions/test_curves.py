"""A class is asked how a learner learned before it sees the curve."""

from dataclasses import replace

import pytest

from agents.runs import shipped_games
from agents.training.brain_files import keep
from agents.training.brains import Point
from tests.webapp.questions.test_addresses import through_address
from tests.webapp.visitor import Never, Visitor
from webapp.questions.learning import brain_at_hand, curve_question, is_exact
from webapp.questions.query import ask_url
from webapp.questions.truths import truth_of

LEARNERS = [(game.spec, spec) for game, spec in shipped_games()]
EXACT = [pair for pair in LEARNERS if is_exact(pair[0])]


@pytest.mark.parametrize(("game", "spec"), EXACT)
def test_the_question_on_a_curve_has_one_right_answer(game, spec):
    posed = curve_question(game, spec)
    assert len(truth_of(posed).right) == 1
    assert through_address(posed) == posed


def test_of_a_learner_that_became_worse_it_is_asked_what_it_came_to():
    posed = curve_question("nim", "ea-table")
    assert posed.prompt.startswith("After 1 generation Evolved table would win 51 of 100 games")
    assert truth_of(posed).right == ("Fewer than 46",)


def test_of_a_learner_measured_without_an_opponent_it_is_asked_how_many_positions_it_gets_right():
    posed = curve_question("tictactoe", "network")
    assert posed.prompt == (
        "After how many games does Network play right in at least 94 of 100 positions, "
        "and keep to it?"
    )
    curve = brain_at_hand("tictactoe", "network").curve
    step = next(
        at.step
        for n, at in enumerate(curve)
        if all(later.metrics["right"] >= 0.94 for later in curve[n:])
    )
    low, high = (int(n.replace(",", "")) for n in truth_of(posed).right[0].split(" to "))
    assert low <= step <= high


@pytest.mark.parametrize(
    ("game", "spec"), [*[pair for pair in LEARNERS if pair not in EXACT], ("tictactoe", "minimax")]
)
def test_nothing_is_asked_where_nothing_is_known_exactly(game, spec):
    assert curve_question(game, spec) is None


def test_the_page_of_a_learner_leads_to_the_class(start):
    visitor = Visitor(start(Never))
    visitor.get("/machines/menace")
    assert visitor.seen["machine"].ask_url == ask_url(curve_question("tictactoe", "menace"))
    visitor.get("/machines/minimax")
    assert visitor.seen["machine"].ask_url is None


@pytest.mark.parametrize("share", [float("nan"), float("inf"), 17.0, 0.0])
def test_nothing_is_asked_about_a_curve_that_nobody_measured_so(tmp_path, monkeypatch, share):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    known = brain_at_hand("tictactoe", "menace")
    digest = keep(replace(known, curve=(*known.curve, Point(known.steps + 1, {"wins": share}))))
    assert curve_question("tictactoe", f"menace:brain={digest}") is None
