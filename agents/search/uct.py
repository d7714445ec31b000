"""UCT recorded: every game of the search by its four steps, select, expand, play out, back up.

As in textbooks (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006): a tree of lines
of play, which shares no positions and proves nothing. Results are 1, 0 or -1 for the side that
moved into a node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from random import Random
from typing import Any

from agents.search.common import drawn_states
from engine.core import Seat, State
from engine.match import Match

MAX_GAMES = 200
MAX_PLAYOUT_PLIES = 200  # a game that is not over by then counts as a draw

Path = tuple[int, ...]  # indices of moves from the root, as the game lists them


@dataclass(frozen=True, slots=True)
class UctPlan:
    """The parameters of a search: the same plan for the same match is the same recording."""

    games: int
    exploration: float
    seed: int


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game: the line through the tree, and what followed it at random."""

    path: Path  # to the node from which it was played out
    is_new: bool  # whether that node joined the tree in this game
    moves: tuple[str, ...]  # played at random from there
    result: int  # for the first seat

    @property
    def selected(self) -> Path:
        """The path as far as the tree had grown before."""
        return self.path[:-1] if self.is_new else self.path


@dataclass(frozen=True, slots=True)
class UctRecording:
    """The games of a search in their order."""

    games: tuple[RecordedGame, ...]

    @property
    def size(self) -> int:
        """In bytes, roughly."""
        return sum(100 + 8 * len(game.path) + 60 * len(game.moves) for game in self.games)


@dataclass(slots=True)
class Tally:
    """What a node has seen: games, and their results for the side that moved into it."""

    visits: int = 0
    total: int = 0

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0


@dataclass(frozen=True)
class UctTree:
    """The tree after some games."""

    root: State[Any]
    exploration: float
    drawn: frozenset[State[Any]] = frozenset()  # positions that end the match by repetition
    tallies: dict[Path, Tally] = field(default_factory=lambda: {(): Tally()})

    def bonus(self, path: Path) -> float:
        """c·√(ln N / n): N games through the node above, n through this one; ∞ without any."""
        visits = self.tallies[path].visits
        if not visits:
            return inf
        return self.exploration * sqrt(log(self.tallies[path[:-1]].visits) / visits)

    def bound(self, path: Path) -> float:
        """The upper confidence bound: the mean result and the bonus of what is little tried."""
        return self.tallies[path].mean + self.bonus(path)

    def children(self, path: Path) -> list[Path]:
        """The nodes below this one, in the order of the moves, which is that of their growth."""
        found: list[Path] = []
        while (child := (*path, len(found))) in self.tallies:
            found.append(child)
        return found

    def is_end(self, state: State[Any], path: Path) -> bool:
        return state.outcome() is not None or (bool(path) and state in self.drawn)

    def select(self) -> tuple[Path, State[Any]]:
        """Go down by the highest bound until a move is untried, or the game is over."""
        path: Path = ()
        state = self.root
        while not self.is_end(state, path):
            moves, children = state.legal_moves(), self.children(path)
            if len(children) < len(moves):
                break
            path = max(children, key=self.bound)  # of equals the first
            state = state.play(moves[path[-1]])
        return path, state

    def back_up(self, game: RecordedGame) -> None:
        """Count the game in every node from the root to where it left the tree."""
        seat = self.root.to_move.other  # moved into the root
        for plies in range(len(game.path) + 1):
            tally = self.tallies.setdefault(game.path[:plies], Tally())
            tally.visits += 1
            tally.total += game.result if seat is Seat.FIRST else -game.result
            seat = seat.other

    def play_game(self, rng: Random) -> RecordedGame:
        """Select, expand, play out; the result is not backed up yet."""
        path, state = self.select()
        is_new = not self.is_end(state, path)
        if is_new:
            path = (*path, len(self.children(path)))
            state = state.play(state.legal_moves()[path[-1]])
        moves: list[str] = []
        while not self.is_end(state, path) and len(moves) < MAX_PLAYOUT_PLIES:
            move = rng.choice(state.legal_moves())
            moves.append(str(move))
            state = state.play(move)
        outcome = state.outcome()
        result = 0 if outcome is None else outcome.score(Seat.FIRST)
        return RecordedGame(path, is_new, tuple(moves), result)


def record_uct(match: Match[Any, Any], plan: UctPlan) -> UctRecording:
    """Record the search of the match's current position, which is not over."""
    tree, rng, games = begin_tree(match, plan.exploration), Random(plan.seed), []
    for _ in range(plan.games):
        games.append(tree.play_game(rng))
        tree.back_up(games[-1])
    return UctRecording(tuple(games))


def begin_tree(match: Match[Any, Any], exploration: float) -> UctTree:
    """The tree before the first game."""
    drawn = drawn_states(match.game, match.state, match.states[:-1])
    return UctTree(match.state, exploration, drawn)


def tree_after(
    match: Match[Any, Any], exploration: float, games: Sequence[RecordedGame]
) -> UctTree:
    """The tree after these games."""
    tree = begin_tree(match, exploration)
    for game in games:
        tree.back_up(game)
    return tree
