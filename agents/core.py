"""What a player is: something that analyses a state, and the analysis it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from agents.errors import BrokenAgentError, CrashedAgentError
from agents.exhibits import Exhibit
from engine.core import State
from engine.match import Match

M_co = TypeVar("M_co", covariant=True)
S_contra = TypeVar("S_contra", bound="State[Any]", contravariant=True)
Move = TypeVar("Move")


@dataclass(frozen=True, slots=True)
class Limit:
    """How far an agent may think; what is None is not limited.

    Whoever searches keeps within it. One look at the position and at each legal move is always
    allowed: with less, nobody who goes by what they know could answer at all.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def tighter(self, other: Limit) -> Limit:
        """The smaller of each; an agent's own parameters meet the caller's limit here."""
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
    """One named figure of an agent's evidence."""

    name: str
    value: str | int | float


@dataclass(frozen=True, slots=True)
class Effort:
    """What an analysis cost. The time is no part of equality: it never repeats."""

    nodes: int = 0
    depth: int = 0
    seconds: float = field(default=0.0, compare=False)


class Measure(StrEnum):
    """What a technique goes by, and so what the bars beside its moves show."""

    VALUE = "value"  # what a move is worth to the side to move
    VISITS = "visits"  # the share of games played out that began with it, or one like it
    BEADS = "beads"  # the share of a matchbox
    CHANCE = "chance"  # of being played: all there is to say
    FITNESS = "fitness"  # as far as the highest there can be
    PAY = "pay"  # what it has earned, from the most lost to the most won


@dataclass(frozen=True, slots=True)
class Candidate(Generic[M_co]):
    """One move as the agent sees it; `value` is for the side to move, -1 to 1."""

    move: M_co
    value: float | None = None  # None where the technique has none for this move: never 0
    chance: float = 0.0  # of being played; all candidates' chances sum to 1
    proven: bool = False  # a win (1), draw (0) or loss (-1) for certain
    plies: int | None = None  # to that end
    share: float | None = None  # 0 to 1: of visits, beads or tries, or along another measure
    figure: float | None = None  # the measure in its own unit: beads, fitness, what was earned
    line: tuple[M_co, ...] = ()  # what the agent expects, this move first


@dataclass(frozen=True, slots=True)
class Analysis(Generic[M_co]):
    """Everything an agent has to say about a state, and the move it plays."""

    candidates: tuple[Candidate[M_co], ...]  # best first
    reason: str
    choice: M_co
    evidence: tuple[Fact, ...] = ()
    effort: Effort = Effort()
    measure: Measure = Measure.VALUE
    exhibit: Exhibit | None = None  # where the technique has one and it was asked for

    @property
    def chosen(self) -> Candidate[M_co]:
        """What it says of the move it plays."""
        return self.candidate(self.choice)

    def extent(self, candidate: Candidate[Any]) -> float | None:
        """How far the candidate's bar reaches, 0 to 1; None where there is nothing to show."""
        if self.measure is Measure.VALUE:
            return None if candidate.value is None else (1 + candidate.value) / 2
        return candidate.chance if self.measure is Measure.CHANCE else candidate.share

    def candidate(self, move: object) -> Candidate[M_co]:
        """What it says of this move; raises KeyError for one it says nothing of."""
        for candidate in self.candidates:
            if candidate.move == move:
                return candidate
        raise KeyError(move)


class Agent(Protocol[S_contra, M_co]):
    """A player. Keeps what it has learned, never what it is playing."""

    def analyse(
        self,
        state: S_contra,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
    ) -> Analysis[M_co]:
        """What it thinks of a state that is not over.

        `history` holds the states that stood before in this match, for games that can repeat.
        """


class Exhibitor(Agent[S_contra, M_co], Protocol[S_contra, M_co]):
    """An agent whose roster entry says that it `shows`: it can be asked for its exhibit too."""

    def analyse(
        self,
        state: S_contra,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[M_co]:
        """The same analysis; with `show` it has an exhibit."""


def rank(candidate: Candidate[Any]) -> tuple[float, float, float, float]:
    """Sorts best first: by value, then the quicker win or the slower loss, then the chance.

    A move without a value stands between those that are worth something and those that cost it.
    """
    value = candidate.value or 0.0
    haste = 0.0
    if candidate.proven and candidate.plies is not None:
        haste = candidate.plies * value
    return (-value, haste, -candidate.chance, -(candidate.share or 0.0))


def even_chances(moves: Iterable[Move], among: Iterable[Move]) -> dict[Move, float]:
    """The same chance for every move in `among`, none for the rest."""
    chosen = set(among)
    return {move: 1 / len(chosen) if move in chosen else 0.0 for move in moves}


def draw(chances: Mapping[Move, float], rng: Random) -> Move:
    """A move at random, each with its chance; always takes one number from `rng`."""
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
    """Order the candidates best first, draw the choice from their chances, say why this one."""
    ordered = tuple(sorted(candidates, key=rank))
    choice = draw({candidate.move: candidate.chance for candidate in ordered}, rng)
    return Analysis(ordered, reason(choice), choice, tuple(evidence), effort, measure, exhibit)


def ask(
    agent: Agent[Any, Any], match: Match[Any, Any], limit: Limit, rng: Random, *, show: bool = False
) -> Analysis[Any]:
    """What the agent says of the match; raises BrokenAgentError if it fails or cannot be played.

    Only an `Exhibitor` may be asked to `show`.
    """
    shown = {"show": True} if show else {}
    try:
        analysis = agent.analyse(
            match.state, limit=limit, rng=rng, history=match.states[:-1], **shown
        )
    except BrokenAgentError:
        raise
    except Exception as error:
        raise CrashedAgentError(f"it failed with {type(error).__name__}: {error}") from error
    if analysis.choice not in match.state.legal_moves():
        raise BrokenAgentError(f"it answered {analysis.choice}, which cannot be played")
    return analysis
