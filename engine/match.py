"""The history of one game, and the endings that depend on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from typing import Generic

from engine.core import Ending, Game, M, Outcome, S, Seat
from engine.drawing import Theme, svg
from engine.errors import IllegalMoveError


@dataclass(frozen=True, slots=True)
class Match(Generic[S, M]):
    """A game being played, from its start or any other state. Every change is a new match.

    `states` is one longer than `moves`: states[n] stood after n plies. Repetition and the ply
    limit count from the first of them.
    """

    game: Game[S, M]
    states: tuple[S, ...]
    moves: tuple[M, ...] = ()
    resigned: Seat | None = None

    @classmethod
    def begin(cls, game: Game[S, M], start: S | None = None) -> Match[S, M]:
        return cls(game, (game.start if start is None else start,))

    @classmethod
    def replay(cls, game: Game[S, M], moves: Iterable[M], start: S | None = None) -> Match[S, M]:
        """The match with these moves played."""
        match = cls.begin(game, start)
        for move in moves:
            match = match.play(move)
        return match

    @property
    def start(self) -> S | None:
        """The first state, or None if it is the start of the game."""
        return None if self.states[0] == self.game.start else self.states[0]

    @property
    def state(self) -> S:
        return self.states[-1]

    @property
    def ply(self) -> int:
        return len(self.moves)

    def play(self, move: M) -> Match[S, M]:
        """The match after the move; raises IllegalMoveError, also when the match is over."""
        if self.outcome() is not None:
            raise IllegalMoveError(move, self.state, "the match is over")
        return replace(
            self, states=(*self.states, self.state.play(move)), moves=(*self.moves, move)
        )

    def undo(self, plies: int = 1) -> Match[S, M]:
        """The match as it stood that many plies ago, nobody having resigned."""
        if not 0 <= plies <= self.ply:
            raise ValueError(f"{plies} plies cannot be taken back, {self.ply} were played")
        return self.at(self.ply - plies)

    def at(self, ply: int) -> Match[S, M]:
        """The match as it stood after that many plies, nobody having resigned."""
        if not 0 <= ply <= self.ply:
            raise ValueError(f"there is no ply {ply}, {self.ply} were played")
        return replace(self, states=self.states[: ply + 1], moves=self.moves[:ply], resigned=None)

    def resign(self, seat: Seat) -> Match[S, M]:
        """The match resigned by that seat; raises IllegalMoveError when it is already over."""
        if self.outcome() is not None:
            raise IllegalMoveError("resign", self.state, "the match is over")
        return replace(self, resigned=seat)

    def svg(self, theme: Theme | None = None) -> str:
        """The position as an SVG image with the last move marked."""
        last = self.moves[-1] if self.moves else None
        over = self.outcome() is not None
        now = self.result() if over else f"{self.state.to_move.mark} to move"
        after = f" after ply {self.ply}" if self.ply else ""
        title = f"{self.game.title}{after}: {now}"
        return svg(self.state, last, start=self.states[0], title=title, theme=theme)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        moves = escape(self.transcript())
        return f"<figure>{self.svg()}<figcaption><pre>{moves}</pre></figcaption></figure>"

    def outcome(self) -> Outcome | None:
        """How the match ended: on the board, by resignation, by repetition or by length."""
        if (on_board := self.state.outcome()) is not None:
            return on_board
        if self.resigned is not None:
            return Outcome(self.resigned.other, Ending.RESIGNATION)
        if self.game.repetition and self.states.count(self.state) >= self.game.repetition:
            return Outcome(None, Ending.REPETITION)
        if self.game.ply_limit and self.ply >= self.game.ply_limit:
            return Outcome(None, Ending.PLY_LIMIT)
        return None

    def transcript(self) -> str:
        """The match as text, two plies a line; `engine.read_transcript` reads it back."""
        texts = [str(move) for move in self.moves]
        turns = [
            f"{number}. {' '.join(texts[ply : ply + 2])}"
            for number, ply in enumerate(range(0, len(texts), 2), start=1)
        ]
        start = [] if self.start is None else [f"state {self.start}"]
        return "\n".join([f"game {self.game.spec}", *start, *turns, self.result(), ""])

    def result(self) -> str:
        """The result as text: `first wins: line`, `draw: repetition`, `unfinished`."""
        outcome = self.outcome()
        if outcome is None:
            return "unfinished"
        result = "draw" if outcome.winner is None else f"{outcome.winner} wins"
        return f"{result}: {outcome.ending}"
