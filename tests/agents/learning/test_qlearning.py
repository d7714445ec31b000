"""Q-learning: the textbook's update, and results that are exact, not sampled."""

from typing import Any

import numpy as np
import pytest

from agents import load_agent
from agents.compute.rng import new_stream, random, seed_stream
from agents.learning.qlearning import SQUARES, learn, share
from agents.perfect.oracles import solve
from agents.roster import OPPONENTS
from agents.tabular.exact import best_response, chances
from agents.tabular.graph import graph_of
from agents.training.opponents import NOBODY
from engine import load_game
from engine.core import Seat
from tests.agents.learning.helpers import after, can_lose, policy_of, tables_of, trained

ALPHA, GAMMA, EPSILON = 0.5, 0.9, 0.3


class PlainQ:
    """Q-learning with a dictionary, as a book writes it, on the engine's own states.

    Draws the kernel's random numbers, in the kernel's order.
    """

    def __init__(self, game: Any, seed: int) -> None:
        self.game = game
        self.seed, self.games, self.state = seed, 0, new_stream()
        self.q: dict[tuple[Any, Any], np.float32] = {}

    def draw(self) -> float:
        return random(self.state)

    def begin(self) -> None:
        seed_stream(self.state, self.seed, self.games)
        self.games += 1

    def value(self, state: Any, move: Any) -> float:
        return float(self.q.get((state, move), 0.0))

    def best(self, state: Any) -> float:
        return max((self.value(state, move) for move in state.legal_moves()), default=0.0)

    def choose(self, state: Any) -> Any:
        moves = state.legal_moves()
        if self.draw() < EPSILON:
            return moves[int(self.draw() * len(moves))]
        return max(moves, key=lambda move: self.value(state, move))  # the first of equals

    def reply(self, state: Any) -> Any:
        moves = state.legal_moves()
        chance, at = self.draw(), 0
        while (at + 1) / len(moves) <= chance:
            at += 1
        return moves[at]

    def play_against_random(self) -> None:
        self.begin()
        seat = Seat(int(self.draw() < 0.5))
        state, own = self.game.start, []
        while state.outcome() is None:
            if state.to_move is seat:
                move = self.choose(state)
                own.append((state, move))
            else:
                move = self.reply(state)
            state = state.play(move)
        nexts = [*own[1:], (state, None)]
        result = state.outcome().score(seat)
        rewards = [0.0] * (len(own) - 1) + [float(result)]
        for pair, (later, _), reward in reversed(list(zip(own, nexts, rewards, strict=True))):
            future = 0.0 if later.outcome() else self.best(later)
            old = self.value(*pair)
            self.q[pair] = np.float32((1 - ALPHA) * old + ALPHA * (reward + GAMMA * future))

    def play_itself(self) -> None:
        self.begin()
        self.draw()  # the seat, which here is both
        state, steps = self.game.start, []
        while state.outcome() is None:
            move = self.choose(state)
            steps.append((state, move))
            state = state.play(move)
        for ply in reversed(range(len(steps))):
            here, move = steps[ply]
            replied = steps[ply + 1 : ply + 2]
            if any(self.value(*pair) < self.best(pair[0]) for pair in replied):
                continue
            later = steps[ply + 2 : ply + 3]
            future = max((self.best(pair[0]) for pair in later), default=0.0)
            reward = 0 if later else state.outcome().score(here.to_move)
            old = self.value(here, move)
            self.q[here, move] = np.float32((1 - ALPHA) * old + ALPHA * (reward + GAMMA * future))


def by_edge(game: Any, plain: PlainQ) -> list[float]:
    """The dictionary in the order of the kernel's edges."""
    return [
        plain.value(state, move)
        for state in graph_of(game).tables.states
        for move in state.legal_moves()
    ]


def kernel_q(
    game: Any, odds: Any, games: int, seed: int, first: int = 0, half: float = np.inf
) -> list[float]:
    graph = graph_of(game)
    q, tried = np.zeros(len(graph.state), np.float32), np.zeros(len(graph.state), np.int32)
    learn(
        graph.board, odds, q, tried, first, games, seed, np.zeros(len(q)),
        ALPHA, half, GAMMA, EPSILON, False, False, graph.max_plies,
    )  # fmt: skip
    return [float(value) for value in q]


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=2-3", "nim:preset=twenty-one"])
@pytest.mark.parametrize("games", [1, 2, 500])
@pytest.mark.parametrize("opponent", ["random", "itself"])
def test_the_kernel_learns_what_the_textbook_loop_learns(
    spec: str, games: int, opponent: str
) -> None:
    game = load_game(spec)
    plain = PlainQ(game, seed=7)
    play = plain.play_itself if opponent == "itself" else plain.play_against_random
    [play() for _ in range(games)]
    odds = NOBODY if opponent == "itself" else OPPONENTS.odds("random", game)
    learned = kernel_q(game, odds, games, seed=7)
    assert learned == pytest.approx(by_edge(game, plain), abs=1e-6)
    assert any(learned)


@pytest.mark.parametrize(("number", "share"), [(0, 1.0), (100, 0.5), (900, 0.1)])
def test_alpha_has_come_down_by_the_number_of_the_game(number: int, share: float) -> None:
    game = load_game("nim:heaps=1,last=wins")  # one move, and it wins
    learned = kernel_q(game, NOBODY, 1, seed=1, first=number, half=100.0)
    assert learned[0] == pytest.approx(ALPHA * share)


def test_a_draw_pays_each_seat_by_its_option() -> None:
    brain = trained("tictactoe", "qlearning:games=20000,draw_first=0.1,draw_second=-0.3")
    graph = graph_of(load_game("tictactoe"))
    drawn = graph.board.over & (graph.board.outcome == 0)
    forced = np.diff(graph.board.first) == 1  # one reply is left,
    forced[forced] = drawn[graph.board.after[graph.board.first[:-1][forced]]]  # and it draws
    tried = brain.arrays["tried"] > 20
    by_first, by_second = tried & drawn[graph.board.after], tried & forced[graph.board.after]
    assert min(by_first.sum(), by_second.sum()) > 10
    np.testing.assert_allclose(brain.arrays["q"][by_first], 0.1, atol=1e-3)
    np.testing.assert_allclose(brain.arrays["q"][by_second], -0.3, atol=1e-3)


@pytest.mark.parametrize("plies", range(2, 10))
@pytest.mark.parametrize("seat", [0, 1])
def test_a_reward_is_spread_growing_towards_the_end_or_goes_to_the_last_move(
    plies: int, seat: int
) -> None:
    spread, last = ([share(ply, plies, way) for ply in range(seat, plies, 2)] for way in (1, 0))
    squares = np.arange(1, len(spread) + 1) ** 2
    assert spread == pytest.approx(list(squares / squares.sum()))
    assert last == [0.0] * (len(last) - 1) + [1.0]
    published = [share(ply, plies, SQUARES) for ply in range(seat, plies, 2)]
    assert published[-1] == pytest.approx(1.0)
    if len(published) == 4:
        assert published == pytest.approx([0.01, 0.16, 0.49, 1.0])


def test_as_published_a_draw_pays_its_last_move_alone() -> None:
    spec = "qlearning:preset=published,gamma=0,alpha=1,opponent=self,epsilon=1,games=3000"
    brain = trained("tictactoe", spec)
    paid = set(np.round(brain.arrays["q"][brain.arrays["tried"] > 0].astype(float), 4).tolist())
    wins = {0.01, 0.09, 0.1225, 0.16, 0.3025, 0.3249, 0.4225, 0.49, 0.6006, 1.0}  # squares
    assert {0.01, 0.09} <= paid  # what draws pay
    assert max(paid) == 1.0
    assert min(paid) == -1.0
    assert len(paid - {-each for each in wins} - wins - {0.0}) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("seat", list(Seat))
def test_trained_against_random_it_is_within_a_point_of_the_best_response(seat: Seat) -> None:
    tables, random = tables_of("tictactoe"), policy_of("tictactoe", "random")
    limit, _ = best_response(tables, random, seat)
    learned = policy_of("tictactoe", "qlearning:opponent=random")
    assert chances(tables, learned, random, seat).score >= limit - 0.01


@pytest.mark.parametrize("seat", list(Seat))
@pytest.mark.parametrize(
    "spec", ["qlearning", pytest.param("qlearning:games=1500000", marks=pytest.mark.slow)]
)
def test_trained_by_itself_it_never_loses_to_anyone(spec: str, seat: Seat) -> None:
    assert not can_lose(tables_of("tictactoe"), policy_of("tictactoe", spec), seat)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    ["nim", "nim:preset=marienbad", "nim:preset=twenty-one", "nim:preset=normal", "nim:heaps=4-4"],
)
def test_trained_by_itself_it_makes_the_right_move_in_every_won_position_of_nim(game: str) -> None:
    solution = solve(load_game(game))
    tables, policy = solution.tables, policy_of(game, "qlearning")
    state, move = np.nonzero(policy)
    won = solution.value[state] == 1
    kept = solution.value[tables.successor[state, move]] == -1
    wrong = {str(tables.states[at]) for at in state[won & ~kept]}
    assert wrong == set()


@pytest.mark.soak
def test_on_the_smallest_quixo_it_cannot_be_beaten_as_first() -> None:
    tables, policy = tables_of("quixo:size=3"), policy_of("quixo:size=3", "qlearning")
    assert not can_lose(tables, policy, Seat.FIRST)


def test_the_reason_and_the_evidence_are_about_the_position() -> None:
    game = load_game("tictactoe")
    analysis = load_agent("qlearning", game).analyse(after(game, "a1 b2 c1"))
    names = [fact.name for fact in analysis.evidence]
    assert str(analysis.choice) == str(analysis.candidates[0].move) == "b1"
    assert " tries here it expects 0.00 from b1 (+1 is a win)" in analysis.reason
    assert analysis.reason.endswith("−1.00.")
    assert names == ["times met", "moves tried", "games learned from", "trained against"]


def test_moves_alike_are_drawn_and_the_reason_says_so() -> None:
    game = load_game("nim:preset=twenty-one")
    analysis = load_agent("qlearning", game).analyse(game.parse_state("9 o"))
    assert [candidate.chance for candidate in analysis.candidates] == pytest.approx([1 / 3] * 3)
    assert analysis.candidates[0].value < 0
    assert "3 of 3 moves look equal, and it picked one." in analysis.reason
