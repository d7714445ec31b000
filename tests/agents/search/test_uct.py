"""Recorded UCT against a plain one, node by node and figure by figure."""

from math import log, sqrt
from random import Random

import pytest

from agents.search.uct import UctPlan, record_uct, tree_after
from engine import Match, Seat, load_game
from tests.positions import random_match

GAMES = 120
SPECS = ["tictactoe", "nim:heaps=3-4-5,last=wins", "nim", "quixo:size=3"]


class PlainNode:
    """A node as textbooks draw it: its children by move, how often, and how well."""

    def __init__(self, state, parent=None):
        self.state, self.parent = state, parent
        self.children = {}
        self.untried = [] if state.outcome() is not None else list(state.legal_moves())
        self.wins, self.losses, self.visits = 0, 0, 0

    def ucb(self, c):
        return (self.wins - self.losses) / self.visits + c * sqrt(
            log(self.parent.visits) / self.visits
        )


def plain_uct(state, games, c, rng):
    """UCT by the book with linked nodes; yields the root and the bounds compared in each game."""
    root = PlainNode(state)
    for _ in range(games):
        node, compared = root, []
        while not node.untried and node.children:  # select
            bounds = [child.ucb(c) for child in node.children.values()]
            compared.append(bounds)
            node = list(node.children.values())[bounds.index(max(bounds))]
        if node.untried:  # expand
            move = node.untried.pop(0)
            node.children[move] = PlainNode(node.state.play(move), node)
            node = node.children[move]
        board, played = node.state, []
        while board.outcome() is None and len(played) < 200:  # play out
            played.append(rng.choice(board.legal_moves()))
            board = board.play(played[-1])
        winner = board.outcome().winner if board.outcome() is not None else None
        while node is not None:  # back up
            node.visits += 1
            node.wins += winner is node.state.to_move.other
            node.losses += winner is node.state.to_move
            node = node.parent
        yield root, compared, [str(move) for move in played]


def figures(node, path=()):
    """{path: (visits, total)} of a plain tree, by the indices of moves."""
    found = {path: (node.visits, node.wins - node.losses)}
    for turn, child in enumerate(node.children.values()):
        found |= figures(child, (*path, turn))
    return found


def positions(spec):
    game, rng = load_game(spec), Random(5)
    found = [Match.begin(game)] + [random_match(game, plies, rng) for plies in (1, 2, 3, 4)]
    return [Match.begin(game, match.state) for match in found if match.outcome() is None]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("c", [0.0, 1.2])
def test_every_recorded_game_is_that_of_a_plain_uct_node_by_node(spec, c):
    for match in positions(spec):
        recording = record_uct(match, UctPlan(GAMES, c, 7))
        book = plain_uct(match.state, GAMES, c, Random(7))
        for number, (game, (root, compared, played)) in enumerate(
            zip(recording.games, book, strict=True)
        ):
            before = tree_after(match, c, recording.games[:number])
            bounds = [
                [before.bound(child) for child in before.children(game.path[:plies])]
                for plies in range(len(game.selected))
            ]
            assert bounds == [pytest.approx(each) for each in compared]
            assert list(game.moves) == played
            after = tree_after(match, c, recording.games[: number + 1])
            assert {
                path: (tally.visits, tally.total) for path, tally in after.tallies.items()
            } == figures(root)


def test_the_games_through_a_node_are_its_own_and_those_of_its_children():
    match = Match.begin(load_game("tictactoe"))
    recording = record_uct(match, UctPlan(GAMES, 1.2, 1))
    tree = tree_after(match, 1.2, recording.games)
    assert tree.tallies[()].visits == GAMES
    for path, tally in tree.tallies.items():
        below = sum(tree.tallies[child].visits for child in tree.children(path))
        ends = sum(game.path == path for game in recording.games)
        assert tally.visits == below + ends


def test_a_result_counts_for_the_side_that_moved():
    """x wins with b1 at once: every game through it is won for x, and lost one ply above."""
    game = load_game("tictactoe")
    match = Match.replay(game, map(game.parse_move, ["a1", "a3", "c1", "b3"]))
    recording = record_uct(match, UctPlan(30, 1.2, 1))
    tree = tree_after(match, 1.2, recording.games)
    moves = [str(move) for move in match.state.legal_moves()]
    winning = (moves.index("b1"),)
    assert match.state.to_move is Seat.FIRST
    assert tree.tallies[winning].mean == 1.0
    assert max(tree.children(()), key=lambda path: tree.tallies[path].visits) == winning
