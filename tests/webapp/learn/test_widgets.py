"""Widgets: what they show is what the rules, the theory and the searches say."""

import re
from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from agents.evolution.rules_exhibit import generation
from agents.formats import portion
from agents.roster import find_agent
from agents.search.trace import Algorithm, Order
from engine import Seat, load_game
from engine.catalog import find_entry
from engine.nim_theory import is_lost
from engine.problems.catalog import load_problem
from webapp.learn.lesson import Prose, find_lesson
from webapp.learn.markup import figure_value
from webapp.learn.widgets.alphabeta import Cutting, Orders, counted_nodes, decisions, searched
from webapp.learn.widgets.board import Cells, Columns, Heaps
from webapp.learn.widgets.evolution import Landscape
from webapp.learn.widgets.horizon import Horizon
from webapp.learn.widgets.learning import PAY, BoxByHand
from webapp.learn.widgets.minimax import Filling, backward_rounds
from webapp.learn.widgets.problems import AskedBox, Covering
from webapp.learn.widgets.symmetry import Openings

FIVE = "nim:heaps=5,max_take=2,last=wins"
ORDERED = (Order.BEST, Order.BACKWARDS, Order.BOARD, Order.WORST)
CUT = "tictactoe .../.xx/xoo o"


@pytest.mark.parametrize("spec", ["nim:heaps=1-3-5,last=wins", "nim:heaps=1-3-5", "nim:heaps=2-2"])
def test_backward_finds_what_theory_knows(spec: str) -> None:
    found = [one for each in backward_rounds(load_game(spec).spec) for one in each]
    playing = [(state, value) for state, value in found if state.outcome() is None]
    assert len(playing) >= 5
    assert [(state, value) for state, value in playing if is_lost(state) != (value < 0)] == []


def test_columns_follow_the_matches() -> None:
    before = Columns("nim:heaps=3-4-5,last=wins", "")
    after = Columns("nim:heaps=3-4-5,last=wins", "a2")
    assert [digit for digit, _ in before.total] == ["0", "1", "0"]
    assert before.verdict == "Not every column is even."
    assert not any(lit for _, lit in after.total)
    assert after.status == "o to move"


def test_heaps_leave_out_what_cannot_be_played_and_say_who_wins_when_asked() -> None:
    view = Heaps("nim:heaps=1-1-4", "c3.c9.a1")
    assert (str(view.position.state), view.verdict) == ("1-1-1 o", "")
    assert "The last match loses" in view.rule
    assert Heaps("nim:heaps=1-1-4", "!").verdict == "▲ x wins from here, by c3."


def test_cells_show_one_good_answer_to_a_corner() -> None:
    view = Cells("tictactoe .../.../x.. o", "!")
    badges = {cell.name: cell.badge for _, cells in view.rows for cell in cells if cell.badge}
    assert [name for name, badge in badges.items() if badge.meaning == "draw"] == ["b2"]
    assert view.verdict == "= A draw with best play. 7 moves lose."


def test_a_tree_is_filled_from_the_ends_upwards() -> None:
    new, done = Filling(FIVE, ""), Filling(FIVE, "!")
    assert new.status == "12 values to fill in."
    assert done.root.value == "x wins"
    assert done.choices == ()
    wrong = Filling(FIVE, "o")  # with one match left x takes it
    assert wrong.status == "0 of 1 right; 11 to go."


def test_every_decision_of_alpha_beta_is_asked_once() -> None:
    found = searched(CUT, Algorithm.ALPHABETA)
    answers = [one.looks for one in decisions(found, (found.root,))]
    assert answers == [True] * 4 + [False] * 3
    right = "".join("y" if looks else "n" for looks in answers)
    assert Cutting(CUT, right).status == (
        "Alpha-beta looked at 18 positions, minimax at 40, and both give the same answer. "
        "You had 7 of 7 right."
    )
    assert "never looked at" in Cutting(CUT, right[:5]).told


def test_a_better_order_looks_at_less() -> None:
    about = "tictactoe x../.o./... x"
    counts = [counted_nodes(about, order)[Algorithm.ALPHABETA] for order in ORDERED]
    assert counts == sorted(counts)
    assert [count for _, count, _ in Orders(about, "best.board").rows] == ["7,331", "1,668", "416"]


@pytest.mark.parametrize(
    ("played", "counts"), [("0w1l2d", ["7", "3", "5"]), ("0l1l2l" * 4, ["4"] * 3)]
)
def test_a_box_by_hand_is_paid_as_menace_is_and_filled_anew(played: str, counts: list[str]) -> None:
    box = BoxByHand("tictactoe", played)
    assert [colour.count for colour in box.exhibit.colours] == counts
    assert BoxByHand("tictactoe", "0w1").results[2].held == "0w1l"
    defaults = {option.name: option.default for option in find_agent("menace").options}
    assert {"w": defaults["win"], "d": defaults["draw"], "l": -defaults["loss"]} == PAY


def test_the_lesson_names_the_colours_of_its_box_by_their_letters() -> None:
    letter_by_move = {
        move: colour.letter
        for colour in BoxByHand("tictactoe", "").exhibit.colours
        for move in colour.moves.split()
    }
    corner, side, middle = (letter_by_move[move] for move in ("a1", "a2", "b2"))
    (told,) = (
        block.text
        for block in find_lesson("learning").blocks
        if isinstance(block, Prose) and "four beads each" in block.text
    )
    assert f"{corner} is a corner, {side} a side, {middle} the middle" in told


def test_a_bead_is_drawn_by_its_share_and_leaves_the_box() -> None:
    drawn = [BoxByHand("tictactoe", f"n{box}.0w0w").draws[0].held[-1] for box in range(300)]
    share = [drawn.count(colour) / 300 for colour in "012"]  # of 10, 4 and 4 beads
    assert all(
        abs(found - beads / 18) < 0.1 for found, beads in zip(share, (10, 4, 4), strict=True)
    )
    out = BoxByHand("tictactoe", "n7.0w0w1")
    assert [colour.count for colour in out.exhibit.colours] == ["10", "3", "4"]
    assert (out.drawn.letter, out.draws) == ("B", ())
    assert BoxByHand("tictactoe", "n7.0w").presses[0].held == "n8."


def test_forty_four_first_moves_are_three() -> None:
    counts = [count for _, count, _ in Openings("quixo", "2").groups]
    assert counts == ["32 moves", "8 moves", "4 moves"]
    assert len(Openings("quixo", "1").groups) == 16


def test_a_cover_by_hand_counts_what_is_missing() -> None:
    about = "set-cover:things=12,sets=9,seed=48"
    assert Covering(about, "EHI").status == "Covered with 3 sets."
    assert Covering(about, "EHI!").answer.startswith("A* took 3 sets, E, H, I")
    assert Covering(about, "A").sets[0].press.held == ""
    problem = load_problem(about)
    for column, mask in zip(Covering(about, "A").sets, problem.masks, strict=True):
        assert column.adds == (mask & ~problem.masks[0]).bit_count()


def test_the_box_is_asked_with_so_many_ones() -> None:
    box = load_problem("black-box:groups=2")
    everything = (1 << 1000) - 1
    assert AskedBox("black-box:groups=2", "500.500").number == f"{box.value(everything):.4g}"
    assert AskedBox("black-box:groups=2", "500.0").number == "0.5"
    assert AskedBox("black-box:groups=2", "500.50").number == "0.495"


HORIZON = "2 4 tictactoe x../.o./..x o"


def minimax_value(state, depth, ply=0):
    """Plain minimax for x with the game's estimate at its last level."""
    outcome = state.outcome()
    if outcome is not None:
        return outcome.score(Seat.FIRST) * (1_000 - ply)
    if depth == 0:
        sign = 1 if state.to_move is Seat.FIRST else -1
        return sign * find_entry("tictactoe").evaluation(state)
    values = [minimax_value(state.play(move), depth - 1, ply + 1) for move in state.legal_moves()]
    return max(values) if state.to_move is Seat.FIRST else min(values)


def test_the_shipped_horizon_is_an_error_at_two_plies_and_none_at_four() -> None:
    """By a plain minimax of each depth, and one to the end of the game for the truth."""
    view = Horizon(HORIZON, "2")
    state, exact = view.position.state, {}
    for move in state.legal_moves():
        exact[str(move)] = minimax_value(state.play(move), 9)
    for sight, depth, errs in zip(view.sights, (2, 4), (True, False), strict=True):
        seen = {
            str(move): minimax_value(state.play(move), depth - 1, 1) for move in state.legal_moves()
        }
        lowest = min(seen.values())  # o is to move
        assert seen[sight.choice] == lowest
        assert sight.errs is errs
        right = exact[sight.choice] == 0 == min(map(abs, exact.values()))
        assert right is not errs
        if errs:
            assert all(exact[move] > 0 for move, value in seen.items() if value == lowest)
        else:
            assert all(exact[move] == 0 for move, value in seen.items() if value == lowest)
    assert "is a mistake: it loses against best play: x answers " in view.sights[0].verdict
    reply = view.sights[0].verdict.removesuffix(".").split()[-1]
    cell = view.position.game.parse_move
    after = state.play(cell(view.sights[0].choice)).play(cell(reply))
    assert minimax_value(after, 9) > 0


def test_the_deeper_search_is_shown_when_it_is_asked_for() -> None:
    assert len(Horizon(HORIZON, "").sights) == 1
    assert [press.held for press in Horizon(HORIZON, "").presses] == ["2"]


MAP = "nim:heaps=1-3-5"


def wins_by_hand(odd, first, take_all):
    """The exact share of games won against a random player, by the words of the lesson."""

    @cache
    def chance(heaps, own):
        if sum(heaps) == 0:
            return float(own)  # whoever took the last match has lost
        moves = [(at, n) for at, heap in enumerate(heaps) for n in range(1, heap + 1)]
        chances = dict.fromkeys(moves, 1 / len(moves))
        if own:
            odds = [at for at, heap in enumerate(heaps) if heap % 2]
            filled = [at for at, heap in enumerate(heaps) if heap]
            picks = {filled[0]: first, filled[-1]: 1 - first}
            if filled[0] == filled[-1]:
                picks = {filled[0]: 1.0}
            if len(odds) / len(heaps) > odd:
                picks = {odds[0]: 1.0}
            chances = defaultdict(float)
            for at, share in picks.items():
                chances[at, heaps[at]] += share * take_all
                chances[at, 1] += share * (1 - take_all)
        return sum(
            share * chance((*heaps[:at], heaps[at] - n, *heaps[at + 1 :]), not own)
            for (at, n), share in chances.items()
        )

    return (chance((1, 3, 5), True) + chance((1, 3, 5), False)) / 2


def test_the_landscape_is_the_share_of_wins_at_every_point() -> None:
    found = figure_value(f"landscape {MAP}")
    assert [len(found), len(found[0]), len(found[0][0])] == [4, 11, 11]
    for number, odd in enumerate((0.1, 0.4, 0.9, 1.0)):
        for up in (0, 3, 10):
            for across in (0, 4, 10):
                exact = wins_by_hand(odd, across / 10, up / 10)
                assert found[number][up][across] == pytest.approx(exact, abs=0.0001)


def test_dots_stand_at_the_genes_of_the_generation_and_diversity_is_their_mean_distance() -> None:
    for number in (0, 3, 7):
        living, view = generation(MAP, number), Landscape(MAP, str(number))
        placed = {(round(5 + 100 * g[1], 1), round(105 - 100 * g[2], 1)) for g in genes_of(living)}
        assert {(dot.x, dot.y) for dot in view.dots} == placed
        pairs = [
            np.abs(np.subtract(one, other)).mean()
            for at, one in enumerate(genes_of(living))
            for other in genes_of(living)[at + 1 :]
        ]
        said = float(re.search(r"differ by ([\d.]+) a gene", view.status)[1])
        assert said == pytest.approx(np.mean(pairs), abs=0.0051)
        best = max(wins_by_hand(*genes) for genes in genes_of(living))
        assert f"the best wins {portion(best)}" in view.status


def genes_of(living):
    return [(one.genome.odd, one.genome.first, one.genome.all) for one in living]


def test_the_curves_of_diversity_and_wins_have_every_generation() -> None:
    chart = Landscape(MAP, "6").chart
    assert [row[0] for row in chart.rows] == [str(number) for number in range(7)]


def test_a_followed_child_has_the_genes_of_its_parents_but_those_drawn_anew() -> None:
    titles = set()
    for number in range(1, 9):
        before = generation(MAP, number - 1)
        for descent in Landscape(MAP, str(number)).followed:
            titles.add(descent.title)
            places = [int(name.removeprefix("player ")) - 1 for name in descent.parents]
            whose = set()
            for at, (_, one, other, child, origin) in enumerate(descent.rows):
                assert [one, other] == [f"{genes_of(before)[place][at]:.0%}" for place in places]
                whose.add(origin)
                if origin != "drawn anew":
                    donor = int(origin.removeprefix("from player ")) - 1
                    assert donor in places
                    assert child == f"{genes_of(before)[donor][at]:.0%}"
            assert ("drawn anew" in whose) == (descent.title == "A mutation")
            assert descent.title == "A mutation" or len(whose) == 2
    assert titles == {"A crossover", "A mutation"}
