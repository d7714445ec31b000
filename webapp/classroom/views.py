"""View objects that the class templates read."""

from __future__ import annotations

from dataclasses import dataclass, field

from webapp.boards.scene import Board
from webapp.classroom.tallies import BallotCount, Bar
from webapp.exhibits.exhibit import ExhibitView
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.web.qr import Code

LONG_PROMPT_CHARS = 75
LONG_CHOICE_CHARS = 16


@dataclass(frozen=True, slots=True)
class NoAnalysis:
    """No analysis is drawn over a board in a class."""

    line: None = None


@dataclass(frozen=True, slots=True)
class BoardContext:
    """What the board template reads from the surrounding page (as `match`)."""

    game: str
    url: str = ""
    moves_url: str = ""
    aid_url: str | None = None
    reply: None = None
    watching: bool = False
    analysis: NoAnalysis = field(default_factory=NoAnalysis)


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question with its board, if it has one."""

    number: int
    vote: int
    prompt: str
    game: str  # spec; empty for a question about no game
    about: str  # Nim · Marienbad, last loses. x is to move.
    title: str  # Nim · Marienbad, last loses
    table: BoardContext
    board: Board | None
    choices: tuple[Choice, ...]
    seconds_left: int | None  # of the countdown

    @property
    def is_long(self) -> bool:
        """Whether the prompt needs a smaller font on the projector."""
        return len(self.prompt) > LONG_PROMPT_CHARS


@dataclass(frozen=True, slots=True)
class TurnoutView:
    """`19 of 27`: answers given and students present."""

    answered: int
    here: int
    text: str
    share: float


@dataclass(frozen=True, slots=True)
class MachineView:
    """A machine's analysis of the position, with its exhibit."""

    machine: str
    title: str
    reason: str = ""
    exhibit: ExhibitView | None = None
    pending: bool = False


@dataclass(frozen=True, slots=True)
class ResultView:
    """Result of a round."""

    headline: str
    tally: BallotCount
    shown: tuple[Bar, ...]  # the first MAX_BARS bars
    in_words: bool  # the answers are choices, not moves
    more: str
    note: str
    why: str  # the truth in a sentence
    source: str  # where it comes from

    @property
    def is_wordy(self) -> bool:
        """Whether some choice is too long to fit beside its bar."""
        return any(len(bar.answer) > LONG_CHOICE_CHARS for bar in self.shown)


@dataclass(frozen=True, slots=True)
class MatchStory:
    """Result and turning point of the class's match."""

    result: str
    sentence: str
    before: str
    tally: str
    pending: bool
    url: str  # of the match


@dataclass(frozen=True, slots=True)
class CupRow:
    """A machine in the cup's table."""

    rank: int
    name: str
    students: list[str]  # who entered it, where names are on
    points: str
    cells: tuple[str, ...]  # against each, in the order of the ranks


@dataclass(frozen=True, slots=True)
class CupView:
    """The cup: its entries, then the table of its arena."""

    title: str
    entered: str  # 12 students have entered 5 different machines
    known: str  # version key: changes with the content
    begun: bool
    ready: bool = False  # enough machines to start
    expected: str = ""  # 40 games, about 2 min at most
    progress: str = ""
    rows: tuple[CupRow, ...] = ()
    url: str = ""  # the arena, with every game to watch
    over: bool = False


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of the class's plan, for the teacher only."""

    number: int
    count: int
    title: str
    minutes: int
    say: str
    notes: str
    link: str
    action: str  # label of the button; empty if the step is only a link
    prompt: str


@dataclass(frozen=True, slots=True)
class PlanView:
    """The class's plan on the control page."""

    title: str
    minutes: int
    step: StepView
    following: str  # the title of the next one


@dataclass(frozen=True, slots=True)
class InviteView:
    """How to join."""

    code: str
    address: str  # 192.168.1.7:8000/join
    link: str
    qr: Code


@dataclass(frozen=True, slots=True)
class ScreenView:
    """The projector page."""

    path: str
    follow: str
    invite: InviteView | None  # None: the class is over
    announcement: str
    phase: str  # waiting, open, closed, talk, revealed, over, story, cup
    here: str  # 27
    question: QuestionView | None
    turnout: TurnoutView | None
    result: ResultView | None
    said: MachineView | None
    story: MatchStory | None
    cup: CupView | None
    watch_at: str  # once the cup is over, the address of its games
    opponent: str  # in the class's match
    drives: bool  # opened by the teacher: this page also advances the match


@dataclass(frozen=True, slots=True)
class PhoneView:
    """A student's phone."""

    url: str
    code: str
    name: str
    follow: str
    phase: str
    title: str
    status: str
    refused: bool  # the status says why the pressed move is illegal
    question: QuestionView | None
    rules_url: str  # rules of the game, opened as a dialog
    answer: str | None  # in the current vote
    told: tuple[str, ...]  # the student's answers with their values, after the reveal
    best: str
    entering: tuple[Choice, ...]  # machines for the cup
    train_url: str  # to train one for the cup
    machine: str  # title of the one entered
    watch_url: str  # the games of the cup, once it has begun
    naming: bool  # students may choose a name
    message: Message | None


@dataclass(frozen=True, slots=True)
class StudentView:
    """A student in the teacher's list."""

    number: int
    name: str
    here: bool
    removed: bool
    answer: str  # where names are on, and the vote is closed


@dataclass(frozen=True, slots=True)
class AddressView:
    """An address that phones may reach, to choose from."""

    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ControlView:
    """The teacher's control page."""

    path: str
    follow: str
    version: int
    announcement: str
    invite: InviteView | None
    screen_url: str
    key_url: str
    key_code: Code
    phase: str
    question: QuestionView | None
    turnout: TurnoutView | None
    result: ResultView | None
    said: MachineView | None
    right: str  # 41 % are right
    advice: str
    settling: bool  # the ruling is being computed
    talk: bool  # a discussion and a second vote are possible
    plays: bool  # the round votes on a move in the class's match
    opponent: str
    plays_in: float | None  # seconds until the favourite is played automatically
    story: MatchStory | None
    cup: CupView | None
    lesson: PlanView | None
    opponents: tuple[Choice, ...]
    variants: tuple[Choice, ...]
    favourite: str | None  # to be played
    best: str | None
    machines: tuple[Choice, ...]
    starts: tuple[tuple[str, str], ...]  # title and address of positions to ask about
    students: tuple[StudentView, ...]
    here: int
    names: bool
    kept: bool
    over: bool
    ends: str
    addresses: tuple[AddressView, ...]
    only_here: bool  # the server listens on loopback only
    rounds: int
    message: Message | None
