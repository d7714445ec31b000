"""What a network's exhibit says, computed again: policy, value, visits, and where it is wrong."""

from functools import cache
from random import Random

import numpy as np
import pytest

from agents.core import Limit
from agents.formats import portion, signed
from agents.networks.layers import views
from agents.perfect.oracles import oracle_for
from agents.roster import load_agent
from agents.tabular.tables import tabulate
from engine import load_game
from engine.core import Seat
from tests.agents.networks.plain_search import searched
from tests.positions import reachable_states
from webapp.boards.heat import MAX_STRENGTH
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import ExhibitContext
from webapp.exhibits.policy import FIRST_WRONG, WRONG_PER_PAGE
from webapp.workers.analyses import AnalysisRequest, checked

TICTACTOE = load_game("tictactoe")
EXACT = {1: "a win", 0: "a draw", -1: "a loss"}


@cache
def player(key="network"):
    return load_agent(key, TICTACTOE).agent


def outputs(state, key="network"):
    """(output of each legal move, value): the network as any textbook writes it."""
    parts = views(player(key).flat, player(key).shape)
    own, other = (state.x, state.o) if state.to_move is Seat.FIRST else (state.o, state.x)
    inputs = np.array([mask >> bit & 1 for mask in (own, other) for bit in range(9)])
    first = np.maximum(inputs @ parts.first + parts.first_bias, 0)
    second = np.maximum(first @ parts.second + parts.second_bias, 0)
    logits = second @ parts.policy + parts.policy_bias
    legal = {move: logits[TICTACTOE.all_moves.index(move)] for move in state.legal_moves()}
    return legal, float(np.tanh(second @ parts.value + parts.value_bias[0]))


@cache
def evaluate(state):
    """(policy by move, value)."""
    logits, value = outputs(state)
    whole = sum(np.exp(logit) for logit in logits.values())
    return {move: float(np.exp(logit) / whole) for move, logit in logits.items()}, value


@cache
def said_of(state, key="network"):
    return player(key).analyse(state, limit=Limit(), rng=Random(1), show=True)


def view_of(state, part=None, step=None, key="network"):
    context = ExhibitContext(
        TICTACTOE,
        state,
        part,
        step,
        turn_to=lambda part, step: f"?part={part}&step={step}",
        look_at=lambda _: "",
        spec_of=lambda _: "network",
        choice=str(said_of(state, key).choice),
    )
    return exhibit_view(said_of(state, key).exhibit, context)


def spots(board):
    """The spot of each cell."""
    found = {}
    for spot in board.heat.spots:
        column, row = (spot.x + spot.width // 2) // 100, (spot.y + spot.height // 2) // 100
        found[f"{'abc'[column]}{3 - row}"] = spot
    return found


def heat(board):
    """The tint of each cell, as a share."""
    return {cell: spot.strength / MAX_STRENGTH for cell, spot in spots(board).items()}


def close_to(shares):
    return pytest.approx({str(move): share for move, share in shares.items()}, abs=2e-3)


POSITIONS = [TICTACTOE.start, *reachable_states(TICTACTOE, 25, seed=3)]


def test_the_heat_is_the_policy_and_the_value_stands_beside_the_exact_one():
    for state in POSITIONS:
        policy, value = evaluate(state)
        view = view_of(state)
        (board,) = view.boards
        assert heat(board) == close_to(policy), state
        best = max(policy, key=lambda move: policy[move])
        assert f"gives {best} {portion(policy[best])}." in view.sentence
        exact = EXACT[oracle_for(TICTACTOE).probe(state).value]
        assert signed(value) in view.value
        assert f"{(1 + value) * 5:.1f} of 10 points" in view.value
        assert view.value.endswith(f"with best play it is {exact} for {state.to_move.mark}.")


def test_of_a_deep_q_learner_the_board_has_the_q_of_each_move():
    for state in POSITIONS:
        found, _ = outputs(state, "dqn")
        worths = {move: float(np.clip(q, -1, 1)) for move, q in found.items()}
        view = view_of(state, key="dqn")
        shown = {cell: spot.text for cell, spot in spots(view.boards[0]).items()}
        near = {
            str(move): {signed(q - 1e-4), signed(q), signed(q + 1e-4)} for move, q in worths.items()
        }
        assert shown.keys() == near.keys()
        assert [cell for cell, text in shown.items() if text not in near[cell]] == [], state
        best = max(found, key=lambda move: found[move])
        assert f"{best} is worth most to the network, {shown[str(best)]}" in view.sentence


@pytest.mark.parametrize("count", [8, 32, 128])
def test_the_visits_are_those_of_a_plain_search_with_the_same_network(count):
    compared = 0
    for state in POSITIONS:
        root = searched(TICTACTOE, state, count, evaluate)
        visits = {move: child.visits for move, child in root.children.items()}
        boards = view_of(state, step=count).boards
        if not sum(visits.values()):  # nothing to simulate: all is proven at once
            assert len(boards) == 1
            continue
        whole = sum(visits.values())
        assert [board.title for board in boards] == [
            "At first sight",
            f"After trying {count} lines",
        ]
        shares = {move: found / whole for move, found in visits.items()}
        assert heat(boards[1]) == close_to(shares), state
        compared += 1
    assert compared > 10


def test_it_says_whether_it_looks_ahead_and_how_far():
    for key, ahead in (("neuroevolution", 0), ("network", 0), ("network:search=32", 32)):
        view = view_of(TICTACTOE.start, key=key)
        assert view.looks_ahead == bool(ahead)
        assert view.lead.endswith("It does not look ahead.") == (not ahead)
        assert (f"tries up to {ahead} lines" in view.lead) == bool(ahead)


def test_where_looking_ahead_got_worse_by_learning_a_note_says_why():
    for key in ("neuroevolution", "network"):
        curve = [point.metrics["searched"] for point in player(key).brain.curve]
        notes = view_of(TICTACTOE.start, key=key).notes
        assert bool(notes) == (curve[0] - curve[-1] >= 0.01), key
    assert "falls because" in view_of(TICTACTOE.start, key="neuroevolution").notes[0]


def test_all_positions_that_it_gets_wrong_are_shown_the_surest_first_and_each_can_be_opened():
    wrong = {}
    for state in tabulate(TICTACTOE).states:
        if state.outcome() is None:
            verdicts = oracle_for(TICTACTOE).verdicts(state)
            best = max(verdict.value for verdict in verdicts.values())
            policy, _ = evaluate(state)
            played = max(policy, key=lambda move: policy[move])
            if verdicts[played].value < best:
                right = [str(m) for m, verdict in verdicts.items() if verdict.value == best]
                wrong[str(state)] = (str(played), set(right), policy[played])
    exhibit = said_of(TICTACTOE.start).exhibit
    seen = {each.state: (each.plays, set(each.right)) for each in exhibit.wrong}
    assert seen == {state: found[:2] for state, found in wrong.items()}
    sureness = [wrong[each.state][2] for each in exhibit.wrong]
    assert sureness == pytest.approx(sorted(sureness, reverse=True), abs=1e-5)
    first = view_of(TICTACTOE.start)
    everything = view_of(TICTACTOE.start, part="wrong")
    assert f"plays {exhibit.positions - len(wrong):,} right" in first.faults
    assert first.all.label == f"All {len(wrong)}"
    assert len(first.wrong) == FIRST_WRONG
    assert len(everything.wrong) == min(len(wrong), WRONG_PER_PAGE)
    for board, each in zip(everything.wrong, exhibit.wrong, strict=False):
        state = each.state.replace(" ", "+")
        assert board.url == f"/positions?game=tictactoe&state={state}&agent=network&values=1&show=1"


@pytest.mark.parametrize(
    ("spec", "key"),
    [("tictactoe", "network:games=1"), ("nim", "reinforce"), ("quixo:size=3", "neuroevolution")],
)
def test_of_a_bad_network_all_positions_that_it_gets_wrong_come_to_the_page(spec, key):
    game = load_game(spec)
    analysis = load_agent(key, game).analyse(game.start, limit=Limit(), rng=Random(1), show=True)
    answer = AnalysisRequest(spec, None, (), key, "").answer(checked(analysis))
    assert len(answer.result.exhibit.wrong) == answer.result.exhibit.wrongs > 1_600
    assert answer.weight > 25 * 1_600  # so the cache counts it


def test_how_many_a_search_still_gets_wrong_is_what_its_moves_come_to():
    agent, oracle, left = load_agent("network:search=32", TICTACTOE), oracle_for(TICTACTOE), 0
    exhibit = said_of(TICTACTOE.start).exhibit
    states = [state for state in tabulate(TICTACTOE).states if state.outcome() is None]
    for state in states:
        verdicts = oracle.verdicts(state)
        choice = agent.analyse(state, rng=Random(1)).choice
        left += verdicts[choice].value < max(verdict.value for verdict in verdicts.values())
    assert (exhibit.positions, exhibit.wrongs_searched) == (len(states), left)


def test_the_last_point_of_each_first_move_is_what_the_network_thinks_of_it_now():
    courses = said_of(TICTACTOE.start).exhibit.courses
    chart = next(each for each in courses if "each first move" in each.title)
    thought = {line.name: line.points[-1][1] for line in chart.lines}
    for move in TICTACTOE.start.legal_moves():
        images = {str(symmetry.move(move)) for symmetry in TICTACTOE.symmetries}
        assert len(images & thought.keys()) == 1, move  # one line for each kind of first move
    for move, value in thought.items():
        _, after = evaluate(TICTACTOE.start.play(TICTACTOE.parse_move(move)))
        assert value == pytest.approx(-after, abs=1e-5)
    assert chart.ceilings == (("exactly: a draw", 0.0),)
