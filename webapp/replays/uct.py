"""Recorded UCT as rows of small boards: four steps a game, each with its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agents.formats import counted, decimal, signed
from agents.search.uct import Path, RecordedGame, Tally, UctPlan, UctRecording, UctTree, tree_after
from engine.core import Seat, State
from engine.match import Match
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.replays.query import UctQuery
from webapp.replays.search_walk import Crumb, SearchWalk
from webapp.replays.tree import MAX_ROW_BOARDS, MAX_ROW_SHAPES, MAX_ROWS

PHASES = ("Select", "Expand", "Play out", "Back up")
SELECT, EXPAND, PLAY_OUT, BACK_UP = range(4)
MAX_PRESENTED_ROWS, MAX_PRESENTED_BOARDS = 2, 4  # that fit on a projector
MAX_NAMED_MOVES = 12  # of a game played out


@dataclass(frozen=True, slots=True)
class UctNode:
    """One board of a row: the position after a move and the figures of its node."""

    path: str
    move: str
    board: Board
    state: str  # seen, now (on the path of this game), later (not in the tree)
    games: str = ""  # 4 games
    bound: str = ""  # +0.25 + 0.95 = 1.20: mean, bonus, UCB
    highest: bool = False  # of the row, so that it is selected
    framed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether one can look below it."""
        return self.state != "later"

    @property
    def look(self) -> str:
        return f"{self.state} highest" if self.highest else self.state


@dataclass(frozen=True, slots=True)
class UctRow:
    """The moves of one position, with the figures by which one of them is selected."""

    title: str  # x to move
    above: str  # 14 games came here
    nodes: tuple[UctNode, ...]
    more: str  # and 4 more


@dataclass(frozen=True)  # no slots: cached properties
class UctWalk(SearchWalk):
    """A recorded search at the step of a query."""

    recording: UctRecording
    match: Match[Any, Any]
    plan: UctPlan
    query: UctQuery
    path: str  # of the match

    @cached_property
    def last(self) -> int:
        return len(PHASES) * len(self.recording.games)

    @property
    def number(self) -> int:
        """The number of the current game, from 1; 0 before the first."""
        return -(-self.moment // len(PHASES))

    @property
    def phase(self) -> int | None:
        return (self.moment - 1) % len(PHASES) if self.moment else None

    @property
    def game(self) -> RecordedGame | None:
        return self.recording.games[self.number - 1] if self.moment else None

    @cached_property
    def before(self) -> UctTree:
        """The tree before the current game."""
        return tree_after(
            self.match, self.plan.exploration, self.recording.games[: max(0, self.number - 1)]
        )

    @cached_property
    def tree(self) -> UctTree:
        """The tree as it is at this step: a game counts when it is backed up."""
        if self.game is None or self.phase == SELECT:
            return self.before
        games = self.recording.games[: self.number]
        if self.phase == BACK_UP:
            return tree_after(self.match, self.plan.exploration, games)
        tree = tree_after(self.match, self.plan.exploration, games[:-1])
        tree.tallies.setdefault(self.game.path, Tally())
        return tree

    @cached_property
    def line(self) -> Path:
        """The nodes of the current game, as far as this step has come."""
        if self.game is None:
            return ()
        return self.game.selected if self.phase == SELECT else self.game.path

    @cached_property
    def opened(self) -> Path:
        """The open path: the query's, as far as it is in the tree, else that of the game."""
        if self.query.open is None:
            return () if self.query.step is None else self.line
        wanted = self.query.open
        return next(
            wanted[:plies]
            for plies in range(len(wanted), -1, -1)
            if wanted[:plies] in self.tree.tallies
        )

    def states(self, path: Path) -> list[State[Any]]:
        """The position of each node from the root along a path."""
        states = [self.match.state]
        for turn in path:
            states.append(states[-1].play(states[-1].legal_moves()[turn]))
        return states

    def moves(self, path: Path) -> list[str]:
        states = self.states(path)
        return [str(state.legal_moves()[turn]) for state, turn in zip(states, path, strict=False)]

    # --- what was done

    @property
    def status(self) -> str:
        """Game 14 of 50."""
        return f"Game {self.number} of {len(self.recording.games)}" if self.moment else "Before"

    @property
    def phases(self) -> tuple[tuple[str, bool], ...]:
        """Name, current."""
        return tuple((name, at == self.phase) for at, name in enumerate(PHASES))

    @property
    def sentence(self) -> str:
        game = self.game
        if game is None:
            return "The tree holds this position alone. Each game adds one position to it."
        return (self._selected, self._expanded, self._played_out, self._backed_up)[self.phase or 0](
            game
        )

    def _selected(self, game: RecordedGame) -> str:
        moves, path = self.moves(game.selected), game.selected
        mover = self.states(path)[-1].to_move.mark
        over = not game.is_new
        if not moves:
            return f"{mover} has moves that were never tried, so there is nothing to choose yet."
        bounds = [
            f"{move} ({decimal(self.before.bound(path[: at + 1]))})"
            for at, move in enumerate(moves)
        ]
        end = "there the game is over" if over else f"there {mover} has moves never tried"
        return f"The highest UCB each time: {', then '.join(bounds)}; {end}."

    def _expanded(self, game: RecordedGame) -> str:
        if not game.is_new:
            return "The game is over there: nothing joins the tree."
        return f"{self.moves(game.path)[-1]} joins the tree: the next move never tried."

    def _played_out(self, game: RecordedGame) -> str:
        if not game.moves:
            return f"There is nothing to play: {self._result(game)}."
        named = " ".join(game.moves[:MAX_NAMED_MOVES])
        rest = len(game.moves) - MAX_NAMED_MOVES
        more = f" and {rest} more" if rest > 0 else ""
        count = counted(len(game.moves), "move", "moves")
        return f"{count} at random: {named}{more}. Result: {self._result(game)}."

    def _backed_up(self, game: RecordedGame) -> str:
        if not game.result:
            return "A draw: one game more, worth 0, for every position on the way."
        moves, states = self.moves(game.path), self.states(game.path)
        marks = [state.to_move.mark for state in states[:-1]]
        winner = (Seat.FIRST if game.result > 0 else Seat.SECOND).mark
        paid = [
            f"{'+1' if mark == winner else '−1'} for {move}"
            for move, mark in zip(moves, marks, strict=True)
        ]
        return f"{winner} won. One game more on the way: {', '.join(paid)}."

    @staticmethod
    def _result(game: RecordedGame) -> str:
        if not game.result:
            return "a draw"
        return f"{(Seat.FIRST if game.result > 0 else Seat.SECOND).mark} wins"

    @cached_property
    def end(self) -> Board | None:
        """The board at the end of the game that is played out."""
        game = self.game
        if game is None or self.phase != PLAY_OUT or not game.moves:
            return None
        state = self.states(game.path)[-1]
        for text in game.moves:
            move = self.match.game.parse_move(text)
            state = state.play(move)
        return picture_for(self.match.game, state, move)

    @property
    def answer(self) -> str:
        """The move with the most games, once all are played."""
        if self.moment < self.last:
            return ""
        best = max(self.tree.children(()), key=lambda path: self.tree.tallies[path].visits)
        tally, (move,) = self.tree.tallies[best], self.moves(best)
        games = counted(tally.visits, "game", "games")
        return (
            f"It plays {move}, which most games went through: {games}, mean {signed(tally.mean)}."
        )

    # --- where to go

    @property
    def announcement(self) -> str:
        return f"{self.status}. {self.sentence}"

    @property
    def leap(self) -> str | None:
        """The address of the end of the next game."""
        return self.step_url(len(PHASES) * (self.moment // len(PHASES) + 1))

    @property
    def crumbs(self) -> tuple[Crumb, ...]:
        moves = self.moves(self.opened)
        return tuple(
            Crumb(move, replace(self.query, open=self.opened[: at + 1]).address(self.path))
            for at, move in enumerate(moves)
        )

    # --- the rows

    @cached_property
    def rows(self) -> tuple[UctRow, ...]:
        """The moves of each position on the open path, the last few of them."""
        states = self.states(self.opened)
        rows = [
            self._row(self.opened[:plies], states[plies])
            for plies in range(len(self.opened) + 1)
            if not self.tree.is_end(states[plies], self.opened[:plies])
            and (plies == 0 or self.tree.children(self.opened[:plies]))
        ]
        return tuple(rows[-(MAX_PRESENTED_ROWS if self.query.present else MAX_ROWS) :])

    def _row(self, path: Path, state: State[Any]) -> UctRow:
        moves, grown = state.legal_moves(), self.tree.children(path)
        bounds = [self.tree.bound(child) for child in grown]
        best = bounds.index(max(bounds)) if len(grown) == len(moves) else None
        framed = self.opened[len(path)] if len(path) < len(self.opened) else None
        drawn = self._drawn(moves, framed if framed is not None else best)
        turn = "to move" if not path else "answers" if len(path) % 2 else "goes on"
        left = len(moves) - len(drawn)
        return UctRow(
            title=f"{state.to_move.mark} {turn}",
            above=f"{counted(self.tree.tallies[path].visits, 'game', 'games')} came here",
            nodes=tuple(
                self._node(path, state, at, highest=at == best, framed=at == framed) for at in drawn
            ),
            more=f"and {left} more" if left else "",
        )

    def _drawn(self, moves: Sequence[Any], wanted: int | None) -> range:
        """The indices of the moves that fit in a row, the wanted one among them."""
        shapes = max(1, picture_for(self.match.game, self.match.state).parts)
        most = min(MAX_ROW_BOARDS, max(3, MAX_ROW_SHAPES // shapes))
        most = min(most, MAX_PRESENTED_BOARDS) if self.query.present else most
        first = 0 if wanted is None or wanted < most else wanted - most + 1
        return range(first, min(len(moves), first + most))

    def _node(
        self, above: Path, state: State[Any], at: int, *, highest: bool, framed: bool
    ) -> UctNode:
        path, move = (*above, at), state.legal_moves()[at]
        board = picture_for(self.match.game, state.play(move), move)
        name = ".".join(map(str, path))
        tally = self.tree.tallies.get(path)
        if tally is None:
            return UctNode(name, str(move), board, "later", games="not tried yet")
        on_line = self.query.step is not None and path == self.line[: len(path)]
        if not tally.visits:
            return UctNode(name, str(move), board, "now", games="new", framed=framed)
        bonus = self.tree.bonus(path)
        total = decimal(tally.mean + bonus)
        return UctNode(
            path=name,
            move=str(move),
            board=board,
            state="now" if on_line else "seen",
            games=counted(tally.visits, "game", "games"),
            bound=f"{signed(tally.mean)} + {decimal(bonus)} = {total}",
            highest=highest,
            framed=framed,
        )
