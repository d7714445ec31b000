"""Exhibits: what a technique shows besides the candidates that every analysis has.

An exhibit is a frozen value of one of a few kinds, each with its template. Kinds are independent
of games and agents, so that plug-ins can use them; moves and states in them are texts. Exhibits
are made on request only, which changes neither candidates nor choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

GENERATIONS = "generations"  # the unit of a course with ancestors


class Exhibit(Protocol):
    """Any of the kinds below."""

    @property
    def kind(self) -> str:
        """The name of the kind and of its template."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A link to the same agent with other settings."""

    label: str
    settings: tuple[tuple[str, str], ...]  # (option, text) that replace its own


@dataclass(frozen=True, slots=True)
class CourseLine:
    """One line of a chart."""

    name: str
    tone: str  # colour: first, second, win, draw, loss or muted
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Course:
    """A chart over the steps of training or of a search."""

    title: str
    unit: str  # of a step: games, generations, plies
    lines: tuple[CourseLine, ...]
    ceilings: tuple[tuple[str, float], ...] = ()  # (name, exact upper bound)
    cloud: tuple[tuple[float, float], ...] = ()  # points of individuals
    stacked: bool = False  # the lines are shares of a whole
    shares: bool = True  # values are 0 to 1, written in per cent
    powers: bool = False  # logarithmic x-axis
    note: str = ""  # caption


@dataclass(frozen=True, slots=True)
class BinaryHeap:
    """A heap in binary."""

    name: str
    count: int
    digits: str  # binary, of its remainder, padded to the width of the others
    leaves: tuple[str, ...]  # the total after taking 1, 2, … objects
    wanted: tuple[int, ...]  # counts to take that leave the wanted total


@dataclass(frozen=True, slots=True)
class Columns:
    """Heaps in binary, whose columns are added without carrying (xor)."""

    heaps: tuple[BinaryHeap, ...]
    total: str  # of the columns
    total_name: str  # nim-sum
    wants: str  # leaves nim-sum 0
    turn: str  # in misère play: a sentence on the reversal near the end
    kind: str = "columns"


@dataclass(frozen=True, slots=True)
class Bead:
    """The beads of one colour, which stands for moves symmetric to each other."""

    moves: tuple[str, ...]
    count: int
    chance: float  # that one of its moves is played, drawn or not


@dataclass(frozen=True, slots=True)
class Matchbox:
    """A box of beads, from which the move is drawn."""

    state: str
    beads: tuple[Bead, ...]  # most first
    met: int  # how often it was opened in training; at 0 it is not drawn from
    pay: tuple[int, int, int]  # beads added after a win and a draw, removed after a loss
    games: int  # played in training
    opponent: str  # spec of the opponent of its training
    shelf: str  # all boxes, a line each: a star if opened, `a1=4,b2=7`, the position
    counted: str  # a sentence on the number of boxes
    ages: tuple[Offer, ...]  # the same machine after fewer games
    course: Course | None
    kind: str = "matchbox"


@dataclass(frozen=True, slots=True)
class LearnedNumber:
    """A learned value of one move."""

    move: str
    value: float | None  # None: never tried
    tries: int  # 0 for all where tries are not counted


@dataclass(frozen=True, slots=True)
class Numbers:
    """A learner's values for a position, and its learning curve."""

    numbers: tuple[LearnedNumber, ...]
    name: str  # of the quantity: Q
    says: str  # a sentence that explains it
    high: float  # values are from -high to high
    known: str  # a sentence on how much of the game it has met
    course: Course | None
    kind: str = "numbers"


@dataclass(frozen=True, slots=True)
class Sample:
    """The playouts that began with one move."""

    move: str
    visits: int
    mean: float  # -1 to 1, for the side to move
    proven: str  # win, loss, draw or empty


@dataclass(frozen=True, slots=True)
class SampledNode:
    """A node of a Monte Carlo search tree."""

    above: int  # index of its parent; -1 for the root
    moves: tuple[str, ...]  # that lead to it
    visits: int
    mean: float  # -1 to 1, for the player who moves to it
    proven: str  # win, loss, draw or empty, for the same player


@dataclass(frozen=True, slots=True)
class Samples:
    """How playouts accumulated, in stages."""

    stages: tuple[tuple[int, tuple[Sample, ...]], ...]  # (number of playouts, samples)
    more: tuple[Offer, ...]
    tree: tuple[SampledNode, ...] = ()  # the most visited nodes; siblings by visits, most first
    kind: str = "samples"


@dataclass(frozen=True, slots=True)
class Gene:
    """One gene and its meaning."""

    name: str
    says: str
    worth: str  # 62 %
    spoke: bool  # it affected this move
    changes: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class Genes:
    """An evolved genome, the genes that affected this move, and the history of its evolution."""

    title: str
    sentence: str  # about this position
    genes: tuple[Gene, ...]
    courses: tuple[Course, ...]
    consequence: str = ""  # a sentence on the effect of changed genes
    ancestors: tuple[Offer, ...] = ()
    columns: tuple[str, str, str] = ("gene", "says", "worth")  # table headings
    kind: str = "genes"


@dataclass(frozen=True, slots=True)
class DepthReached:
    """The result of a search at one depth."""

    depth: int
    value: float
    move: str
    positions: int  # searched so far


@dataclass(frozen=True, slots=True)
class Branching:
    """Moves to the same board or to symmetric boards."""

    boards: tuple[tuple[str, ...], ...]  # moves grouped by board, the representative first
    value: float
    sure: str  # win, loss, draw or empty


@dataclass(frozen=True, slots=True)
class Deepening:
    """An iterative deepening search."""

    depths: tuple[DepthReached, ...]
    branches: tuple[Branching, ...]  # best first
    line: tuple[str, ...]  # principal variation
    kind: str = "deepening"


@dataclass(frozen=True, slots=True)
class Answering:
    """The replies to one move."""

    move: str
    value: int  # 1, 0 or -1 for the side to move
    plies: int | None  # to the end
    replies: int
    wrong: int  # replies that lower the replier's value


@dataclass(frozen=True, slots=True)
class Answers:
    """Every move with its exact value and the number of wrong replies."""

    answers: tuple[Answering, ...]
    source: str  # of the values, as text
    kind: str = "answers"


@dataclass(frozen=True, slots=True)
class Preference:
    """What a network, or a search it guides, makes of one move."""

    move: str
    share: float  # of the network's policy, or of the simulations
    value: float | None  # -1 to 1, for the side to move; None where the search did not look
    proven: str  # win, draw, loss or empty


@dataclass(frozen=True, slots=True)
class WrongPosition:
    """A position in which a network alone plays a move that gives something away."""

    state: str
    plays: str
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """A network's policy and value of a position, what a search makes of them, and its faults."""

    stages: tuple[tuple[int, tuple[Preference, ...]], ...]  # (simulations, moves, best first)
    value: float | None  # the network's, for the side to move; None where it has none
    exact: int | None  # 1, 0 or -1; None where nobody knows
    wrong: tuple[WrongPosition, ...] = ()  # the surest first, some of them
    wrongs: int = 0  # all of them
    wrongs_searched: int = 0  # of the same positions, with a search
    positions: int = 0  # looked at; 0: not a solved game
    whole: bool = True  # those are all positions of the game
    searched: int = 0  # simulations of that search
    simulations: int = 0  # that it plays with; 0: it does not look ahead
    courses: tuple[Course, ...] = ()
    kind: str = "policy"


KINDS = (Policy, Columns, Matchbox, Numbers, Samples, Genes, Deepening, Answers)
