"""The page of a training game: the update that was made last, and the trace of them all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agents.formats import decimal, signed
from agents.q_trace import MAX_AHEAD, Episode, Update
from agents.roster import agent_title
from engine.core import Game, Seat
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.lab.updates.query import UpdatesQuery

PLACES = 3  # of a Q
MAX_PRESENTED_PLIES = 9  # of the trace on a projector
LEAPS = (1, 10, 100, 1000)  # games to go on by


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One move of the game and what it did to Q."""

    number: int
    who: str  # x
    move: str
    how: str  # the highest Q, at random, the opponent
    change: str  # 0.120 → 0.250
    reward: str
    best_next: str
    state: str  # done, now, later, none


@dataclass(frozen=True, slots=True)
class Shown:
    """One update with its boards."""

    title: str  # x plays b2
    board: Board  # s with a played
    next: Board | None  # s', in which the learner moves again
    next_title: str
    before: str
    reward: str
    best_next: str
    target: str
    after: str
    formula: str


@dataclass(frozen=True)  # no slots: cached properties
class UpdatesPage:
    """What `lab/_updates.html` reads."""

    path: str
    game: Game[Any, Any]
    agent: str
    query: UpdatesQuery
    episode: Episode | None  # None: pending or failed
    note: str | None = None  # why there is none

    @property
    def pending(self) -> bool:
        return self.episode is None and self.note is None

    @property
    def url(self) -> str:
        return self.query.url(self.path)

    @property
    def poll_url(self) -> str:
        return self.query.url(self.path, known=True)

    @property
    def present_url(self) -> str:
        return self.query.toggled(self.path, "present")

    @property
    def title(self) -> str:
        return f"{agent_title(self.agent, self.game.spec)} on {self.game.title}"

    @property
    def about(self) -> str:
        """Game 201 of its training: x wins after 7 moves."""
        episode = self._episode
        ends = "it is a draw"
        if episode.result:
            ends = f"{(Seat.FIRST if episode.result > 0 else Seat.SECOND).mark} wins"
        return f"Game {episode.number:,} of its training: {ends} after {len(episode.plies)} moves."

    @property
    def settings(self) -> str:
        """α = 0.5, γ = 0.95, ε = 0.4"""
        episode = self._episode
        return f"α = {episode.alpha:.3g}, γ = {episode.gamma:.3g}, ε = {episode.epsilon:.3g}"

    @property
    def _episode(self) -> Episode:
        assert self.episode is not None
        return self.episode

    @cached_property
    def step(self) -> int:
        last = len(self._episode.updates)
        return last if self.query.step is None else min(self.query.step, last)

    @property
    def steps(self) -> tuple[str | None, ...]:
        """Addresses of the first, previous, next and last step; None where it is shown."""
        wanted = (0, self.step - 1, self.step + 1, len(self._episode.updates))
        return tuple(map(self._step_url, wanted))

    def _step_url(self, step: int) -> str | None:
        if not 0 <= step <= len(self._episode.updates) or step == self.step:
            return None
        return self.query.url(self.path, step=step)

    @property
    def count(self) -> str:
        return f"{self.step} of {len(self._episode.updates)} updates"

    @property
    def leaps(self) -> tuple[tuple[str, str], ...]:
        """Later games: label and address."""
        query = replace(self.query, step=None)
        return tuple(
            ("Next game" if leap == 1 else f"{leap:,} games on", query.url(self.path, ahead=ahead))
            for leap in LEAPS
            if (ahead := self.query.ahead + leap) <= MAX_AHEAD
        )

    @cached_property
    def states(self) -> list[Any]:
        texts = [ply.state for ply in self._episode.plies] + [self._episode.end]
        return [self.game.parse_state(text) for text in texts]

    @cached_property
    def shown(self) -> Shown | None:
        """The update that was made last."""
        if not self.step:
            return None
        update = self._episode.updates[self.step - 1]
        ply = self._episode.plies[update.ply]
        move = self.game.parse_move(ply.move)
        after, following = self.states[update.ply + 1], None
        mark = self.states[update.ply].to_move.mark
        told = "Then the game is over, so the best Q that follows is 0."
        if not update.ends:
            reply = self._episode.plies[update.ply + 1].move
            following = picture_for(
                self.game, self.states[update.ply + 2], self.game.parse_move(reply)
            )
            told = (
                f"After the reply {reply}, its best Q there is {decimal(update.best_next, PLACES)}."
            )
        return Shown(
            title=f"{mark} plays {move}",
            board=picture_for(self.game, after, move),
            next=following,
            next_title=told,
            before=decimal(update.before, PLACES),
            reward=signed(update.reward),
            best_next=decimal(update.best_next, PLACES),
            target=decimal(update.reward + self._episode.gamma * update.best_next, PLACES),
            after=decimal(update.after, PLACES),
            formula=self._formula(update),
        )

    def _formula(self, update: Update) -> str:
        """The update with its numbers: (1 − 0.5) · 0.120 + 0.5 · (0.00 + 0.95 · 0.400) = 0.250"""
        alpha, gamma = f"{self._episode.alpha:.3g}", f"{self._episode.gamma:.3g}"
        before, best = decimal(update.before, PLACES), decimal(update.best_next, PLACES)
        reward, after = decimal(update.reward), decimal(update.after, PLACES)
        return f"(1 − {alpha}) · {before} + {alpha} · ({reward} + {gamma} · {best}) = {after}"

    @cached_property
    def trace(self) -> tuple[TraceRow, ...]:
        """Every move of the game, in the order of play; updates go from the last one back."""
        made = {each.ply: at for at, each in enumerate(self._episode.updates, 1)}
        rows = []
        for at, ply in enumerate(self._episode.plies):
            how = "the opponent" if not ply.learns else "at random" if ply.explored else "highest Q"
            number = made.get(at)
            if number is None:
                state, change, reward, best = "none", ply.why_not or "", "", ""
            else:
                update = self._episode.updates[number - 1]
                state = "now" if number == self.step else "done" if number < self.step else "later"
                before, after = decimal(update.before, PLACES), decimal(update.after, PLACES)
                change = f"{before} → {after}" if number <= self.step else before
                reward, best = signed(update.reward), decimal(update.best_next, PLACES)
                if number > self.step:
                    reward = best = ""
            mark = self.states[at].to_move.mark
            rows.append(TraceRow(at + 1, mark, ply.move, how, change, reward, best, state))
        if self.query.present:
            now = next((at for at, row in enumerate(rows) if row.state == "now"), len(rows) - 1)
            first = max(0, min(now - MAX_PRESENTED_PLIES // 2, len(rows) - MAX_PRESENTED_PLIES))
            rows = rows[first : first + MAX_PRESENTED_PLIES]
        return tuple(rows)
