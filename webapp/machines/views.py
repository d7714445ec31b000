"""What the machines' templates are given; everything is decided and worded here."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.boards.scene import Board
from webapp.charts import Chart
from webapp.charts.meter import Meter
from webapp.exhibits.exhibit import ExhibitView, Link
from webapp.exhibits.lines import ExpectedLine
from webapp.machines.origins import Origin


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """How strong a machine is at one game or variant; a note where there is no figure."""

    title: str
    meter: Meter | None
    note: str


@dataclass(frozen=True, slots=True)
class MachineCard:
    """One machine in the gallery."""

    key: str
    title: str
    line: str
    url: str
    play_url: str
    rows: tuple[StrengthRow, ...]


@dataclass(frozen=True, slots=True)
class TechniqueGroup:
    """The machines of one technique."""

    name: str
    title: str
    tagline: str
    cards: tuple[MachineCard, ...]


@dataclass(frozen=True, slots=True)
class GalleryView:
    """`GET /machines`."""

    count: str  # Nineteen ways to play
    filters: tuple[Link, ...]
    orders: tuple[Link, ...]
    groups: tuple[TechniqueGroup, ...]
    present: bool


@dataclass(frozen=True, slots=True)
class SeenMove:
    """One move, or several that a machine cannot tell apart."""

    moves: str
    share: float  # how far its bar reaches
    figure: str
    chance: str


@dataclass(frozen=True, slots=True)
class ThoughtView:
    """What the machine makes of the position (`machines/_match.html`).

    The root has the id `match`, because exhibits turn within what has it.
    """

    url: str  # to ask again
    title: str
    pending: bool = False
    failed: str = ""
    reason: str = ""
    effort: str = ""
    figure_name: str = ""
    rows: tuple[SeenMove, ...] = ()  # where it has nothing of its own to show
    more: str = ""
    exhibit: ExhibitView | None = None
    tree: str = ""  # the address of its search, recorded, where it searches by the book
    line: ExpectedLine | None = None
    chart: Chart | None = None  # how it learned, where its exhibit does not tell


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """A machine's games against one opponent."""

    title: str
    url: str
    share: float
    points: str
    record: str  # 7 wins, 2 draws, 1 loss


@dataclass(frozen=True, slots=True)
class VariantResults:
    """What a machine has won in one variant, against whom."""

    title: str
    meter: Meter
    extremes: str  # Best against …. Worst against ….
    rows: tuple[OpponentRow, ...]  # best first
    play_url: str


@dataclass(frozen=True, slots=True)
class LevelRow:
    """One level of a machine."""

    title: str
    description: str
    meter: Meter | None
    play_url: str


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """One parameter, as the roster declares it."""

    name: str
    help: str
    values: str
    usual: str


@dataclass(frozen=True, slots=True)
class MachineView:
    """`GET /machines/<key>`."""

    key: str
    title: str
    technique: str
    tagline: str
    description: str
    games: tuple[Link, ...]
    variant: str  # the title of the game and the variant that is shown
    why: str
    picture: Board
    thought: ThoughtView
    results: tuple[VariantResults, ...]
    unmeasured: str
    levels: tuple[LevelRow, ...]
    parameters: tuple[ParameterRow, ...]
    origin: Origin | None
    game: str  # the variant's spec
    play_url: str
    watch_url: str
    think_url: str  # POST
    ask_url: str | None  # where a class is asked how it learned; None where that is not known
    gallery_url: str
    present: bool
