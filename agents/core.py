"""The `Agent` protocol, the `Analysis` it returns, and helpers to build one."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from agents.errors import BrokenAgentError, CrashedAgentError
from agents.exhibits import Exhibit
from agents.failures import error_text, line_text, traceback_text
from agents.formats import (
    NO_FIGURE,
    decimal,
    html_table,
    markdown_table,
    portion,
    proven_text,
    signed,
)
from engine.core import State
from engine.errors import quoted
from engine.match import Match

M_co = TypeVar("M_co", covariant=True)
S_contra = TypeVar("S_contra", bound="State[Any]", contravariant=True)
Move = TypeVar("Move")

GRACE_S = 1.0  # beyond its seconds, for a move that is under way when they end
MAX_ANSWER_CHARS = 80  # of an answer that is no analysis, in a message


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits of one analysis; None is unlimited.

    Looking up the position and each legal move is always allowed: agents without a search could
    not answer with less.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def tighter(self, other: Limit) -> Limit:
        """The smaller of each limit, to combine an agent's own with the caller's."""
        return Limit(
            depth=_smaller(self.depth, other.depth),
            nodes=_smaller(self.nodes, other.nodes),
            seconds=_smaller(self.seconds, other.seconds),
        )


UNLIMITED = Limit()

Bound = TypeVar("Bound", int, float)


def _smaller(one: Bound | None, other: Bound | None) -> Bound | None:
    given = [figure for figure in (one, other) if figure is not None]
    return min(given) if given else None


@dataclass(frozen=True, slots=True)
class Fact:
    """One named figure of an analysis' evidence."""

    name: str
    value: str | int | float


@dataclass(frozen=True, slots=True)
class Effort:
    """What an analysis cost; the time is not compared, as it never repeats."""

    nodes: int = 0
    depth: int = 0
    seconds: float = field(default=0.0, compare=False)


class Measure(StrEnum):
    """What a technique ranks moves by, shown as bars beside the moves."""

    VALUE = "value"  # for the side to move
    VISITS = "visits"  # share of the playouts that began with it or a symmetric move
    BEADS = "beads"  # share of a matchbox
    POLICY = "policy"  # share that a network gives a move
    CHANCE = "chance"  # of being played, where a technique has nothing else
    FITNESS = "fitness"  # relative to the highest possible
    PAY = "pay"  # reward earned, relative to the most lost or won


@dataclass(frozen=True, slots=True)
class Candidate(Generic[M_co]):
    """The evaluation of one move; `value` is for the side to move, -1 to 1."""

    move: M_co
    value: float | None = None  # None, not 0, where the technique has no value for this move
    chance: float = 0.0  # of being played; the chances of all candidates sum to 1
    proven: bool = False  # `value` is an exact win (1), draw (0) or loss (-1)
    plies: int | None = None  # to the proven end
    share: float | None = None  # 0 to 1: of visits, beads or tries, or along another measure
    figure: float | None = None  # the measure in its own unit: beads, fitness, reward
    line: tuple[M_co, ...] = ()  # expected continuation, this move first


@dataclass(frozen=True, slots=True)
class Analysis(Generic[M_co]):
    """An agent's evaluation of a state, and the move it plays."""

    candidates: tuple[Candidate[M_co], ...]  # best first
    reason: str
    choice: M_co
    evidence: tuple[Fact, ...] = ()
    effort: Effort = Effort()
    measure: Measure = Measure.VALUE
    exhibit: Exhibit | None = None  # if requested with `show`

    @property
    def chosen(self) -> Candidate[M_co]:
        """The candidate of the move it plays."""
        return self.candidate(self.choice)

    def extent(self, candidate: Candidate[Any]) -> float | None:
        """The length of the candidate's bar, 0 to 1; None without a figure."""
        if self.measure is Measure.VALUE:
            return None if candidate.value is None else (1 + candidate.value) / 2
        return candidate.chance if self.measure is Measure.CHANCE else candidate.share

    def text(self, candidate: Candidate[Any]) -> str:
        """The candidate's value, else its measure, in its own unit if it has one."""
        if candidate.value is not None:
            proven, plies = candidate.proven, candidate.plies
            return proven_text(candidate.value, plies) if proven else decimal(candidate.value)
        if candidate.figure is not None:
            pays = self.measure is Measure.PAY
            return signed(candidate.figure) if pays else f"{candidate.figure:,g}".replace("-", "−")
        extent = self.extent(candidate)
        return NO_FIGURE if extent is None else portion(extent)

    def _rows(self) -> list[tuple[str, str, str, str]]:
        """(move, value, chance, expected line) of every candidate, for a notebook."""
        return [
            (
                str(candidate.move),
                self.text(candidate),
                portion(candidate.chance) if candidate.chance else NO_FIGURE,
                " ".join(map(str, candidate.line)),
            )
            for candidate in self.candidates
        ]

    def _repr_markdown_(self) -> str:
        header = ("move", self.measure, "chance", "line")
        return f"**{self.choice}**: {self.reason}\n\n{markdown_table(header, self._rows())}\n"

    def _repr_html_(self) -> str:
        caption = f"{self.choice}: {self.reason}"
        return html_table(caption, ("move", self.measure, "chance", "line"), self._rows())

    def candidate(self, move: object) -> Candidate[M_co]:
        """The candidate of this move; raises KeyError."""
        for candidate in self.candidates:
            if candidate.move == move:
                return candidate
        raise KeyError(move)


class Agent(Protocol[S_contra, M_co]):
    """A player, stateless between moves."""

    def analyse(
        self, state: S_contra, *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[M_co]:
        """Analyse a state that is not over.

        `history` holds the earlier states of the match, for games with a repetition rule.
        """


class Exhibitor(Agent[S_contra, M_co], Protocol[S_contra, M_co]):
    """An agent whose roster entry has `shows`: its analyses can include an exhibit."""

    def analyse(
        self,
        state: S_contra,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[M_co]:
        """The same analysis, with an exhibit if `show`."""


def rank(candidate: Candidate[Any]) -> tuple[float, float, float, float]:
    """Sort key, best first: value, then the quicker win or slower loss, then chance.

    Moves without a value sort as 0, proven ends of unknown length after those of a known one.
    """
    value = candidate.value or 0.0
    haste = 0.0
    if candidate.proven and candidate.plies is not None:
        haste = candidate.plies * value
    elif candidate.proven and value > 0:
        haste = inf
    return (-value, haste, -candidate.chance, -(candidate.share or 0.0))


def even_chances(moves: Iterable[Move], among: Iterable[Move]) -> dict[Move, float]:
    """Equal chances for the moves in `among`, 0 for the others."""
    chosen = set(among)
    return {move: 1 / len(chosen) if move in chosen else 0.0 for move in moves}


def draw(chances: Mapping[Move, float], rng: Random) -> Move:
    """A random move by these chances; always draws exactly one number from `rng`."""
    return rng.choices(list(chances), weights=list(chances.values()))[0]


def conclude(
    candidates: Iterable[Candidate[Move]],
    reason: Callable[[Move], str],
    rng: Random,
    *,
    evidence: Iterable[Fact] = (),
    effort: Effort = Effort(),  # noqa: B008 - frozen
    measure: Measure = Measure.VALUE,
    exhibit: Exhibit | None = None,
) -> Analysis[Move]:
    """Build an analysis: sort the candidates, draw the choice by their chances, add its reason."""
    ordered = tuple(sorted(candidates, key=rank))
    choice = draw({candidate.move: candidate.chance for candidate in ordered}, rng)
    return Analysis(ordered, reason(choice), choice, tuple(evidence), effort, measure, exhibit)


def ask(
    agent: Agent[Any, Any], match: Match[Any, Any], limit: Limit, rng: Random, *, show: bool = False
) -> Analysis[Any]:
    """Let the agent analyse the match; raises BrokenAgentError if it fails or plays illegally.

    `show` requires an `Exhibitor`.
    """
    extra = {"show": True} if show else {}
    try:
        analysis: object = agent.analyse(
            match.state, limit=limit, rng=rng, history=match.states[:-1], **extra
        )
        if not isinstance(analysis, Analysis):
            raise BrokenAgentError(f"it answered {_quoted(analysis)}, which is no analysis")
        if analysis.choice not in match.state.legal_moves():
            raise BrokenAgentError(f"it answered {analysis.choice}, which cannot be played")
    except BrokenAgentError:
        raise
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise crash("it failed with", error) from error
    return analysis


def crash(what: str, error: BaseException) -> CrashedAgentError:
    """The error of an agent whose code raised, with the line and, for its author, the traceback."""
    crashed = CrashedAgentError(f"{what} {error_text(error)}{line_text(error)}")
    crashed.traceback = traceback_text(error)
    return crashed


def is_interrupt(error: BaseException) -> bool:
    """Whether it is Ctrl-C; where that signal is ignored, an agent raised it by itself."""
    heeds = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    return isinstance(error, KeyboardInterrupt) and heeds


def _quoted(answer: object) -> str:
    """What an agent answered, for a message."""
    try:
        return quoted(answer) if isinstance(answer, str) else repr(answer)[:MAX_ANSWER_CHARS]
    except Exception:  # noqa: BLE001 - its code
        return f"a {type(answer).__name__}"
