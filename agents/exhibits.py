"""What only one technique has to show, beside the table of candidates that all of them have.

An exhibit is a frozen value of one of a few kinds. A kind knows no game and no agent: a page
chooses its template by it, as it chooses a board's, and a technique from another package uses
the same kinds. It is made only when asked for, and asking changes neither candidates nor choice.
Moves and states are their texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

GENERATIONS = "generations"  # the unit of a course along which ancestors lived


class Exhibit(Protocol):
    """One of the kinds."""

    @property
    def kind(self) -> str:
        """The kind's name, which its template has too."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The same agent, set otherwise."""

    label: str
    settings: tuple[tuple[str, str], ...]  # over those it has


@dataclass(frozen=True, slots=True)
class CourseLine:
    """One line of a chart."""

    name: str
    tone: str  # what its colour means: first, second, win, draw, loss or muted
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Course:
    """How a technique came to be what it is, step by step."""

    title: str
    unit: str  # of a step: games, generations, plies
    lines: tuple[CourseLine, ...]
    ceilings: tuple[tuple[str, float], ...] = ()  # named and exact
    cloud: tuple[tuple[float, float], ...] = ()  # individuals
    stacked: bool = False  # the lines are shares of a whole
    shares: bool = True  # from 0 to 1, written in per cent
    powers: bool = False  # its steps go by powers of ten
    note: str = ""  # what is to be seen in it


@dataclass(frozen=True, slots=True)
class BinaryHeap:
    """A heap as a sum of powers of two."""

    name: str
    count: int
    digits: str  # of what counts of it, as long as every other heap's
    leaves: tuple[str, ...]  # the total that is left after taking 1, 2, …, as many as one may
    wanted: tuple[int, ...]  # how many to take so as to leave what is wanted


@dataclass(frozen=True, slots=True)
class Columns:
    """Heaps in binary: the columns are added without carrying."""

    heaps: tuple[BinaryHeap, ...]
    total: str  # of the columns
    total_name: str  # nim-sum
    wants: str  # leaves nim-sum 0
    turn: str  # where the end is played otherwise than the rest: how that stands here
    kind: str = "columns"


@dataclass(frozen=True, slots=True)
class Bead:
    """The beads of one colour: for moves that are mirror images of each other."""

    moves: tuple[str, ...]
    count: int
    chance: float  # of a bead of this colour


@dataclass(frozen=True, slots=True)
class Matchbox:
    """A box of beads: one is drawn, and its colour is the move."""

    state: str  # the position it is the box of
    beads: tuple[Bead, ...]  # most first
    met: int  # how often it was opened in training; 0: it is as new, and nothing is drawn from it
    pay: tuple[int, int, int]  # beads that come after a win and a draw, and go after a loss
    games: int  # it has played
    shelf: str  # all its boxes, a line each: the position, then its beads colour by colour
    counted: str  # how many there are and of which kinds, in a sentence
    ages: tuple[Offer, ...]  # the same machine when it was younger
    course: Course | None
    kind: str = "matchbox"


@dataclass(frozen=True, slots=True)
class LearnedNumber:
    """What a learner knows of one move."""

    move: str
    value: float | None  # None: never tried
    tries: int


@dataclass(frozen=True, slots=True)
class Numbers:
    """A learner's numbers for this position, and how it came by them."""

    numbers: tuple[LearnedNumber, ...]
    name: str  # of such a number: Q
    says: str  # what it is, in a sentence
    high: float  # they lie between minus this and this
    known: str  # how much of the game it has met, in a sentence
    course: Course | None
    kind: str = "numbers"


@dataclass(frozen=True, slots=True)
class Sample:
    """The games played out that began with one move."""

    move: str
    visits: int
    mean: float  # -1 to 1, for the side to move
    proven: str  # win, loss, draw or nothing


@dataclass(frozen=True, slots=True)
class SampledNode:
    """A position of the tree that grew while games were played out."""

    above: int  # the place of the position it answers; -1: of the one that was asked about
    moves: tuple[str, ...]  # that lead to it
    visits: int
    mean: float  # -1 to 1, for whoever moves to it
    proven: str  # win, loss, draw or nothing, for the same


@dataclass(frozen=True, slots=True)
class Samples:
    """How games played out at random grew into an opinion."""

    stages: tuple[tuple[int, tuple[Sample, ...]], ...]  # after so many games
    more: tuple[Offer, ...]
    tree: tuple[SampledNode, ...] = ()  # what was visited most; answers by visits, most first
    kind: str = "samples"


@dataclass(frozen=True, slots=True)
class Gene:
    """One gene in words."""

    name: str
    says: str
    worth: str  # 62 %
    spoke: bool  # it decided here
    changes: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class Genes:
    """What evolution has made: its genes, which of them spoke here, and how they came to be."""

    title: str
    sentence: str  # about this position
    genes: tuple[Gene, ...]
    courses: tuple[Course, ...]
    consequence: str = ""  # of genes that were changed
    ancestors: tuple[Offer, ...] = ()
    columns: tuple[str, str, str] = ("gene", "says", "worth")  # what a gene has
    kind: str = "genes"


@dataclass(frozen=True, slots=True)
class DepthReached:
    """What a search thought when it had looked so deep."""

    depth: int
    value: float
    move: str
    positions: int  # looked at until then


@dataclass(frozen=True, slots=True)
class Branching:
    """Moves that come to the same: to one board, or to its mirror images."""

    boards: tuple[tuple[str, ...], ...]  # the moves by the board they lead to, its own move first
    value: float
    sure: str  # win, loss, draw or nothing


@dataclass(frozen=True, slots=True)
class Deepening:
    """A search that looks one ply deeper at a time."""

    depths: tuple[DepthReached, ...]
    branches: tuple[Branching, ...]  # best first
    line: tuple[str, ...]  # what it expects
    kind: str = "deepening"


@dataclass(frozen=True, slots=True)
class Answering:
    """What can be answered to one move."""

    move: str
    value: int  # 1, 0 or -1 for whoever moves now
    plies: int | None  # to the end
    replies: int
    wrong: int  # of them that give something away


@dataclass(frozen=True, slots=True)
class Answers:
    """Every move with its exact value, and how easily it is answered wrongly."""

    answers: tuple[Answering, ...]
    source: str  # where the values come from
    kind: str = "answers"


KINDS = (Columns, Matchbox, Numbers, Samples, Genes, Deepening, Answers)
