"""The learners of tic-tac-toe: exact results against their references, and the fallback."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from agents import Limit, load_agent
from agents.errors import UnsuitableBrainError
from agents.learning.fallback import one_move_ahead
from agents.learning.menace import Matchboxes
from agents.learning.menace_kernel import boxes_of
from agents.learning.reward_table import learn as learn_rewards
from agents.learning.state_value import learn as learn_values
from agents.roster import OPPONENTS
from agents.tabular.exact import chances, over_seats
from agents.tabular.graph import graph_of
from engine.core import Seat
from tests.agents.learning.helpers import TICTACTOE, after, policy_of, tables_of, trained


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "opponent", "wins", "losses"),
    [
        ("reward-table", "opportunist", (0.80, 1.0), (0.0, 0.10)),
        # Paying the last move alone stops short of it.
        ("reward-table:preset=published", "opportunist", (0.769, 0.773), (0.082, 0.086)),
        ("reward-table:credit=0,epsilon=0", "opportunist", (0.769, 0.773), (0.082, 0.086)),
        ("menace", "perfect", (0.0, 0.0), (0.0, 0.01)),
        ("menace:opponent=random", "perfect", (0.0, 0.0), (0.25, 1.0)),
    ],
)
def test_a_learner_reaches_its_mark_and_one_taught_less_stays_below(
    spec: str, opponent: str, wins: tuple[float, float], losses: tuple[float, float]
) -> None:
    seen = over_seats(
        tables_of("tictactoe"), policy_of("tictactoe", spec), policy_of("tictactoe", opponent)
    )
    assert wins[0] <= seen.wins <= wins[1]
    assert losses[0] <= seen.losses <= losses[1]


@pytest.mark.slow
def test_state_values_win_97_percent_as_first_against_random() -> None:
    learned, random = policy_of("tictactoe", "state-value"), policy_of("tictactoe", "random")
    assert chances(tables_of("tictactoe"), learned, random, Seat.FIRST).wins >= 0.97


def test_menace_has_a_box_for_every_kind_of_position_and_a_colour_for_every_kind_of_move() -> None:
    boxes = boxes_of(TICTACTOE)
    edges = boxes.graph.edges(0)
    assert boxes.count == 627  # of the 765 kinds of position, those that are not over
    assert sorted(np.unique(boxes.folding.twins[edges])) == [1, 4]  # the centre; corners, edges
    assert len(set(boxes.folding.colour[edges])) == 3


def test_a_new_box_holds_fewer_beads_the_later_it_is_opened() -> None:
    boxes = boxes_of(TICTACTOE)
    tables = boxes.graph.tables
    texts = ["", "b2", "b2 a1", "b2 a1 c3 a3", "b2 a1 c3 a3 a2 c2"]
    numbers = [tables.number[after(TICTACTOE, moves)] for moves in texts]
    colours = [boxes.folding.colour[boxes.graph.edges(at)][0] for at in numbers]
    assert [int(boxes.folding.full[colour]) for colour in colours] == [4, 4, 3, 2, 1]


def test_menace_shows_its_beads_and_the_same_in_the_mirror() -> None:
    agent = load_agent("menace", TICTACTOE)
    for_a1, for_c3 = (agent.analyse(after(TICTACTOE, cell)) for cell in ("a1", "c3"))
    assert "beads" in for_a1.reason
    assert for_a1.candidate(TICTACTOE.parse_move("c3")).share == pytest.approx(
        for_c3.candidate(TICTACTOE.parse_move("a1")).share
    )
    assert sum(candidate.share or 0 for candidate in for_a1.candidates) == pytest.approx(1)


def test_the_first_bead_of_a_won_game_is_paid_three() -> None:
    # A single game: whatever was played, the boxes opened changed by 3, 1 or -1 and no others.
    beads = trained("tictactoe", "menace:games=1,opponent=random").arrays["beads"]
    change = beads - boxes_of(TICTACTOE).folding.full
    assert len(set(change[change != 0])) == 1
    assert set(change) <= {0, 3, 1, -1}


def test_a_brain_of_empty_boxes_is_refused() -> None:
    brain = trained("tictactoe", "menace:games=1,opponent=random")
    emptied = replace(brain, arrays=brain.arrays | {"beads": brain.arrays["beads"] * 0})
    with pytest.raises(UnsuitableBrainError, match="a box of this brain is empty"):
        Matchboxes(OPPONENTS).read(TICTACTOE, emptied)


@pytest.mark.parametrize(("game", "result"), [(7, 1), (11, -1), (8, 0)])
def test_a_game_is_paid_back_over_its_moves_as_the_formulas_say(game: int, result: int) -> None:
    graph, odds = graph_of(TICTACTOE), OPPONENTS.odds("random", TICTACTOE)
    earned, tried = np.zeros(len(graph.state)), np.zeros(len(graph.state), np.int32)
    learn_rewards(graph.board, odds, earned, tried, game, 1, 1, 0.5, 1.0, graph.max_plies)
    pay = {1: 2.0, 0: 0.0, -1: -1.0}[result]  # to the last move, and a share to those before
    assert earned[tried > 0] == pytest.approx([pay * 0.5**n for n in (3, 2, 1, 0)])
    states = len(graph.tables.states)
    v, left = np.zeros(states, np.float32), np.zeros(states, np.int32)
    learn_values(graph.board, odds, v, left, game, 1, 1, 0.5, 0.8, 1.0, graph.max_plies)
    # From V = 0: first 0.5 * 0.8 * R, then 0.5 * 0.8 of that, and so on.
    assert v[left > 0] == pytest.approx([result * 0.4**n for n in (4, 3, 2, 1)])


@pytest.mark.parametrize("spec", ["reward-table", "state-value", "menace"])
def test_the_reason_names_the_next_best_and_the_only_move_left_is_explained(spec: str) -> None:
    agent = load_agent(spec, TICTACTOE)
    analysis = agent.analyse(after(TICTACTOE, "b2 a1"))
    assert spec == "menace" or str(analysis.candidates[1].move) in analysis.reason
    last = agent.analyse(after(TICTACTOE, "a1 b2 c3 c2 a2 a3 c1 b1"))
    assert (str(last.choice), bool(last.reason)) == ("b3", True)


def test_the_fallback_is_the_same_on_states_and_on_edges() -> None:
    graph = graph_of(TICTACTOE)
    numbers = [at for at in range(0, len(graph.tables.states), 7) if not graph.tables.over[at]]
    for at in numbers:
        state = graph.tables.states[at]
        said = one_move_ahead(state, Limit(), Random(0))
        chances = [said.candidate(move).chance for move in state.legal_moves()]
        assert chances == pytest.approx(graph.fallback[graph.edges(at)])


@pytest.mark.parametrize(
    ("state", "sensible"),
    [
        pytest.param("xx./oo./..x o", "c2", id="wins"),
        pytest.param("xx./o../... o", "c3", id="blocks"),
        pytest.param("xx./.o./x.o o", "a2 b1 c2 c3", id="cannot block both"),
    ],
)
def test_the_fallback_wins_blocks_or_plays_anything(state: str, sensible: str) -> None:
    analysis = one_move_ahead(TICTACTOE.parse_state(state), Limit(), Random(0))
    played = sorted(str(c.move) for c in analysis.candidates if c.chance > 0)
    assert played == sensible.split()


@pytest.mark.parametrize(
    ("limit", "nodes", "depth"),
    [(Limit(nodes=10), 10, 2), (Limit(depth=1), 8, 1), (Limit(), 8 + 8 * 7, 2)],
    ids=["nodes", "depth", "none"],
)
def test_the_fallback_keeps_within_the_limit(limit: Limit, nodes: int, depth: int) -> None:
    analysis = one_move_ahead(after(TICTACTOE, "b2"), limit, Random(0))
    assert (analysis.effort.nodes, analysis.effort.depth) == (nodes, depth)


def test_a_curve_as_published_begins_where_chance_does() -> None:
    """It looked one move ahead in positions it had never met, and so won 77 % after one game."""
    random, looking = (
        trained("tictactoe", f"reward-table:games=1,credit=0,epsilon=0,unmet={unmet}")
        for unmet in ("random", "look")
    )
    assert random.curve[-1].metrics["wins"] < 0.5 < 0.7 < looking.curve[-1].metrics["wins"]
    assert random.parameters["unmet"] == "random"
    assert np.array_equal(random.arrays["earned"], looking.arrays["earned"])
