"""A training game shown update by update: the figures of the page against the learner's own."""

import re

import pytest

from agents.q_trace import Replay
from engine import load_game
from tests.webapp.lab.trainings import trained

AGENT = "qlearning:games=200"
ADDRESS = f"/train/updates?game=tictactoe&agent={AGENT.replace('=', '%3D')}"
NUMBER = r"−?[\d.]+"


def number(text):
    return float(text.replace("−", "-").replace("+", ""))


def shown(visitor, query=""):
    assert visitor.get(ADDRESS + query).status_code == 200
    return visitor.seen["updates"]


def episode(ahead=0):
    return Replay(AGENT, load_game("tictactoe"), ahead).next_game()


def test_every_update_of_the_page_is_the_formula_with_its_numbers(visitor):
    for ahead in range(6):
        real = episode(ahead)
        for step, update in enumerate(real.updates, 1):
            page = shown(visitor, f"&ahead={ahead}&step={step}")
            one = page.shown
            assert number(one.before) == pytest.approx(update.before, abs=0.0006)
            assert number(one.after) == pytest.approx(update.after, abs=0.0006)
            assert number(one.best_next) == pytest.approx(update.best_next, abs=0.0006)
            assert number(one.reward) == update.reward
            alpha, before, _, reward, gamma, best, after = map(
                number, re.findall(rf"(?<![\d.]){NUMBER}", one.formula.removeprefix("(1 − "))
            )
            worked_out = (1 - alpha) * before + alpha * (reward + gamma * best)
            assert after == pytest.approx(worked_out, abs=0.002)
            assert one.title.endswith(f"plays {real.plies[update.ply].move}")


def test_the_trace_has_every_move_and_updates_appear_as_they_are_made(visitor):
    real = episode()
    last = len(real.updates)
    for step in range(last + 1):
        page = shown(visitor, f"&step={step}")
        assert [row.move for row in page.trace] == [ply.move for ply in real.plies]
        changed = [row for row in page.trace if "→" in row.change]
        assert len(changed) == step
        assert [row.state for row in page.trace].count("now") == min(step, 1)
    explored = [ply.explored for ply in real.plies]
    assert [row.how == "at random" for row in shown(visitor).trace] == explored


def test_later_games_are_those_its_training_goes_on_with(visitor):
    page = shown(visitor, "&ahead=3")
    assert page.about.startswith("Game 204 of its training")
    assert [url.partition("ahead=")[2] for _, url in page.leaps] == ["4", "13", "103", "1003"]


def test_a_training_leads_to_its_own_next_game(visitor, services):
    page = visitor.get(trained(visitor, services, learner="qlearning"))
    link = re.search(r'id="updates-link" class="btn" href="([^"]+)"', page.text)[1]
    address = link.replace("&amp;", "&")
    assert "brain" in address
    assert visitor.get(address).status_code == 200
    assert visitor.seen["updates"].episode.updates


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?agent=random", 200),
        ("?game=quixo&agent=qlearning", 200),
        ("?game=nothing", 404),
        ("?agent=nobody", 404),
        ("?ahead=99999999&step=99999", 200),
    ],
)
def test_whoever_keeps_no_table_is_told_so(visitor, query, status):
    answer = visitor.get(f"/train/updates{query}")
    assert answer.status_code in (status, 422, 400)
    if answer.status_code == 200:
        assert visitor.seen["updates"].note or visitor.seen["updates"].episode
