"""The recorded search: the values of minimax, the cuts of alpha-beta, the order of nodes."""

from functools import cache
from math import inf
from random import Random

import pytest

from agents import Limit, load_agent
from agents.search import trace
from agents.search.alphabeta import DECIDED, WIN
from agents.search.common import drawn_states, evaluation_for
from agents.search.trace import MAX_POSITIONS, Algorithm, Order, Plan, moves_in, record
from agents.search.trace_view import Spot, Unfolded
from engine import Match, Seat, load_game
from tests.positions import random_match

CASES = [  # spec, positions, fewest and most plies before, depth
    ("tictactoe", 110, 3, 8, 9),
    ("nim", 40, 0, 9, 2),
    ("nim:preset=marienbad", 50, 3, 8, 5),
    ("nim:heaps=4-4-3,max_take=2,last=wins", 50, 0, 6, 4),
    ("quixo", 20, 0, 60, 2),
    ("quixo:size=4", 30, 0, 40, 2),
    ("quixo:size=3", 60, 0, 12, 3),
]
every_game = pytest.mark.parametrize(
    "case",
    [
        *CASES[:1],
        *(pytest.param(case, marks=pytest.mark.slow) for case in CASES[1:-1]),
        pytest.param(CASES[-1], marks=pytest.mark.soak),
    ],
    ids=lambda case: case[0],
)
FEW = 12  # positions, where each takes long


@cache
def positions(spec, count, fewest, most, seed=3):
    """Matches after some random plies, none of them over."""
    rng, game = Random(seed), load_game(spec)
    found = []
    while len(found) < count:
        match = random_match(game, rng.randint(fewest, most), rng)
        found += [match] if match.outcome() is None else []
    return tuple(found)


def plan(algorithm, depth, order=Order.BOARD):
    return Plan(algorithm, depth, order, "game")


def paths(recording):
    """The indices of the moves that lead to each node, in preorder."""
    found, above = [], []
    for node, turn in enumerate(recording.turn):
        above = [at for at in above if node < recording.end[at]]
        found.append((*found[above[-1]], turn) if above else ())
        above.append(node)
    return found


class Textbook:
    """Alpha-beta as in AIMA, MAX-VALUE and MIN-VALUE apart, which records its positions."""

    def __init__(self, match, depth, order=Order.BOARD):
        self.evaluate = evaluation_for("game", match.game)
        self.moves = moves_in(order, match.game)
        self.drawn = drawn_states(match.game, match.state, match.states[:-1])
        self.seen = {}  # path: value, in the order in which they were begun
        search = self.max_value if match.state.to_move is Seat.FIRST else self.min_value
        self.value = search(match.state, (), depth, -inf, inf)

    def leaf(self, state, path, depth):
        """The value of a leaf, else None."""
        if (outcome := state.outcome()) is not None:
            return outcome.score(Seat.FIRST) * (WIN - len(path))
        if path and state in self.drawn:
            return 0
        sign = 1 if state.to_move is Seat.FIRST else -1
        return sign * self.evaluate(state) if len(path) == depth else None

    def max_value(self, state, path, depth, alpha, beta):
        self.seen[path] = self.leaf(state, path, depth)
        if self.seen[path] is not None:
            return self.seen[path]
        value = -inf
        for turn, move in enumerate(self.moves(state)):
            value = max(value, self.min_value(state.play(move), (*path, turn), depth, alpha, beta))
            self.seen[path] = value
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(self, state, path, depth, alpha, beta):
        self.seen[path] = self.leaf(state, path, depth)
        if self.seen[path] is not None:
            return self.seen[path]
        value = inf
        for turn, move in enumerate(self.moves(state)):
            value = min(value, self.max_value(state.play(move), (*path, turn), depth, alpha, beta))
            self.seen[path] = value
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value


def by_minimax(match, depth):
    """(value of each move for the first seat, positions searched) by the agent."""
    agent = load_agent(f"minimax:remember=no,depth={depth},evaluation=game", match.game)
    analysis = agent.analyse(match.state, limit=Limit(), rng=Random(1), history=match.states[:-1])
    sign = 1 if match.state.to_move is Seat.FIRST else -1
    values = {
        c.move: sign * c.value * (1 if c.plies is None else WIN - c.plies)
        for c in analysis.candidates
    }
    return values, analysis.effort.nodes


def by_recording(match, depth):
    recording = record(match, plan(Algorithm.MINIMAX, depth))
    tree = unfolded(recording, match, prunes=False)
    values = {tried.move: tried.value for tried in tree.tried(Spot(0, match.state))}
    return values, recording.looked_at[Algorithm.MINIMAX]


def unfolded(recording, match, upto=MAX_POSITIONS, order=Order.BOARD, *, prunes=True):
    return Unfolded(recording, match.state, moves_in(order, match.game), upto, prunes)


def matches_of(case, count=None):
    spec, positions_of_case, fewest, most, _ = case
    return positions(spec, positions_of_case, fewest, most)[:count]


@cache
def searches_of(case):
    """Each position with its recorded tree, and the textbook's own search of it."""
    return [
        (
            unfolded(record(match, plan(Algorithm.ALPHABETA, case[-1])), match),
            Textbook(match, case[-1]),
        )
        for match in matches_of(case)
    ]


def everything_tried(tree):
    """Every move of every position searched, with the path to it."""
    return [
        ((*path, one.turn), one)
        for path in paths(tree.recording)
        for one in tree.tried(tree.spots(path)[-1])
    ]


def cuts_of(case):
    """Every cut of some trees: the positions down to it, the cut, and the textbook's search."""
    return [
        (tree.spots(path), tree.cut(tree.spots(path)), book.seen)
        for tree, book in searches_of(case)[:FEW]
        for path in map(paths(tree.recording).__getitem__, tree.recording.cuts)
    ]


@pytest.mark.slow
@every_game
def test_recorded_minimax_is_minimax_in_values_and_counts(case):
    depth = case[-1]
    assert [by_recording(match, depth) for match in matches_of(case)] == [
        by_minimax(match, depth) for match in matches_of(case)
    ]


@every_game
def test_recorded_alphabeta_is_the_textbooks_node_by_node(case):
    found = [
        list(zip(paths(tree.recording), tree.recording.value, strict=True))
        for tree, _ in searches_of(case)
    ]
    assert found == [list(book.seen.items()) for _, book in searches_of(case)]
    plain = [record(match, plan(Algorithm.MINIMAX, case[-1])) for match in matches_of(case, FEW)]
    assert [one.value[0] for one in plain] == [book.value for _, book in searches_of(case)[:FEW]]


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("order", [Order.BACKWARDS, Order.BEST, Order.WORST])
def test_another_order_changes_what_is_looked_at_and_not_the_value(case, order):
    matches, depth = matches_of(case, FEW), case[-1]
    other = [record(match, plan(Algorithm.ALPHABETA, depth, order)) for match in matches]
    assert [one.value[0] for one in other] == [book.value for _, book in searches_of(case)[:FEW]]
    assert [paths(one) for one in other] == [
        list(Textbook(match, depth, order).seen) for match in matches
    ]


@every_game
def test_what_is_left_out_is_what_alphabeta_does_not_visit(case):
    """At every node: each legal move is either a node, or pruned by the textbook too."""
    tried = [(everything_tried(tree), set(book.seen)) for tree, book in searches_of(case)[:FEW]]
    assert all(
        {path for path, one in moves if one.spot is None}.isdisjoint(seen)
        and {path for path, one in moves if one.spot is not None} == seen - {()}
        for moves, seen in tried
    )


@every_game
def test_a_bound_is_true_of_what_by_minimax(case):
    holds = {"": float.__eq__, "≤": float.__le__, "≥": float.__ge__}
    pairs = [
        (exact[one.move], one)
        for match, (tree, _) in zip(matches_of(case, FEW), searches_of(case), strict=False)
        for exact, _ in [by_minimax(match, case[-1])]
        for one in tree.tried(Spot(0, match.state))
    ]
    assert all(holds[one.bound](float(exact), one.value) for exact, one in pairs)


@every_game
def test_every_cut_has_two_values_that_make_it_true_and_counts_what_it_left_out(case):
    """The answer is no better for the opponent than its alternative elsewhere."""
    cuts = cuts_of(case)
    sign = {Seat.FIRST: -1, Seat.SECOND: 1}
    assert len(cuts) > FEW
    assert all(
        sign[cut.mover] * seen[(*spots[-1].path, cut.answer.turn)]
        <= sign[cut.mover] * seen[(*spots[-1 - cut.above].path, cut.better.turn)]
        for spots, cut, seen in cuts
    )
    assert all(
        spots[-1 - cut.above].state.to_move is cut.mover.other is spots[-1].state.to_move.other
        for spots, cut, _ in cuts
    )
    assert all(
        cut.left_out == len(spots[-1].state.legal_moves()) - cut.answer.turn - 1 > 0
        for spots, cut, _ in cuts
    )


def test_a_value_is_certain_where_no_horizon_had_a_say():
    whole, short = (record(STEPS, plan(Algorithm.MINIMAX, depth)) for depth in (9, 1))
    assert set(whole.certain) == {1}
    assert [bool(certain) for certain in short.certain[1:]] == [
        abs(value) > DECIDED for value in short.value[1:]
    ]


def _cell(text):
    return load_game("tictactoe").parse_move(text)


@pytest.mark.slow
def test_tic_tac_toe_is_counted_whole_and_kept_only_pruned():
    match = Match.begin(load_game("tictactoe"))
    plain = record(match, plan(Algorithm.MINIMAX, 9))
    assert plain.looked_at[Algorithm.MINIMAX] == 549_945
    assert not plain.is_whole
    pruned = record(match, plan(Algorithm.ALPHABETA, 9))
    assert pruned.is_whole
    assert pruned.looked_at == plain.looked_at
    assert pruned.size < 20 * len(pruned.end)  # bytes


def test_a_search_that_is_too_large_says_so(monkeypatch):
    monkeypatch.setattr(trace, "MAX_POSITIONS", 1_000)
    recording = record(Match.begin(load_game("quixo")), plan(Algorithm.ALPHABETA, 4))
    assert not recording.is_whole
    assert set(recording.looked_at.values()) == {None}


@every_game
def test_what_is_met_before_is_the_same_position_by_another_way(case):
    """By the states along every path: equal positions, the first of them, and how many differ."""
    for tree, _ in searches_of(case)[:FEW]:
        every = paths(tree.recording)
        states = [tree.spots(path)[-1].state for path in every]
        firsts = {}
        for node, state in enumerate(states):
            firsts.setdefault(state, node)
        assert list(tree.recording.first) == [firsts[state] for state in states]
        assert tree.recording.distinct == len(set(states)) - 1
        again = [node for node in range(1, len(every)) if tree.recording.first[node] != node]
        for node in again[:20]:
            state = tree.root
            for move in tree.moves_to(tree.recording.first[node]):
                state = state.play(move)
            assert state == states[node]


STEPS = Match.replay(load_game("tictactoe"), map(_cell, ["a3", "b3", "b2", "c1"]))


@cache
def moments():
    """One small search as it stood after each of its positions."""
    recording = record(STEPS, plan(Algorithm.ALPHABETA, 9))
    return [unfolded(recording, STEPS, upto) for upto in range(len(recording.end))]


def test_at_every_step_one_more_position_is_seen():
    every = paths(moments()[0].recording)
    assert [tree.path_to(tree.upto) for tree in moments()] == every
    assert [tree.spots(path)[-1].path for tree, path in zip(moments(), every, strict=True)] == every
    assert all(
        tree.spots(path)[-1].path != path for tree, path in zip(moments(), every[1:], strict=False)
    )


def test_a_value_is_there_once_all_below_it_was_looked_at():
    end = moments()[0].recording.end
    tried = [
        (tree.upto, [one for one in tree.tried(Spot(0, STEPS.state)) if one.spot])
        for tree in moments()
    ]
    assert all(
        (one.value is not None) == (end[one.spot.node] <= upto + 1)
        for upto, seen in tried
        for one in seen
    )
    assert all(sum(one.looked_at for one in seen) == upto for upto, seen in tried)


def test_the_next_cut_is_the_first_to_come():
    recording = moments()[0].recording
    when = sorted(recording.end[node] - 1 for node in recording.cuts)
    found = [tree.next_cut() for tree in moments()]
    assert found == [next((step for step in when if step > tree.upto), None) for tree in moments()]
    assert len(set(found)) > 3
