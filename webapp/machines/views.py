"""Values that the templates of machines read."""

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
    """A machine's strength in one game or variant, or a note why there is none."""

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
    """A group of moves that a machine rates equal."""

    moves: str
    share: float  # length of its bar, 0 to 1
    figure: str
    chance: str


@dataclass(frozen=True, slots=True)
class ThoughtView:
    """The machine's analysis of the position (`machines/_match.html`).

    Its root element has the id `match`, which links of exhibits target.
    """

    url: str  # GET again while it is pending
    title: str
    pending: bool = False
    failed: str = ""
    reason: str = ""
    effort: str = ""
    figure_name: str = ""
    rows: tuple[SeenMove, ...] = ()  # if there is no exhibit
    more: str = ""
    exhibit: ExhibitView | None = None
    tree: str = ""  # the address of its search tree, if it is a textbook search
    line: ExpectedLine | None = None
    chart: Chart | None = None  # the learning curve, if the exhibit has none


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
    """A machine's results in one variant, by opponent."""

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
    """An option that the roster declares."""

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
    variant: str  # title of the shown game and variant
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
    ask_url: str | None  # asks a class how it learned; None without a learning curve
    gallery_url: str
    present: bool
