"""What the templates of a class are given."""

from __future__ import annotations

from dataclasses import dataclass, field

from webapp.boards.scene import Board
from webapp.classroom.tallies import BallotCount, Bar
from webapp.exhibits.exhibit import ExhibitView
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.web.qr import Code

LONG = 75  # letters of what is asked
WORDY = 16  # letters of a choice


@dataclass(frozen=True, slots=True)
class NoThoughts:
    """A board in a class has no thoughts laid over it."""

    line: None = None


@dataclass(frozen=True, slots=True)
class ClassTable:
    """What a board's template has to know of the page around it (there it is called `match`)."""

    game: str
    url: str = ""
    moves_url: str = ""
    aid_url: str | None = None
    reply: None = None
    watching: bool = False
    analysis: NoThoughts = field(default_factory=NoThoughts)


@dataclass(frozen=True, slots=True)
class QuestionView:
    """What is asked, with the board it is asked about, if it is about one."""

    number: int
    vote: int
    prompt: str
    game: str  # spec; empty where it is about no game
    about: str  # Nim · Marienbad, last loses. x is to move.
    title: str  # Nim · Marienbad, last loses
    table: ClassTable
    board: Board | None
    choices: tuple[Choice, ...]
    seconds_left: int | None  # of a vote with a countdown

    @property
    def is_long(self) -> bool:
        """Whether what is asked needs smaller letters to fit on a wall."""
        return len(self.prompt) > LONG


@dataclass(frozen=True, slots=True)
class TurnoutView:
    """19 of 27 have answered."""

    answered: int
    here: int
    text: str
    share: float


@dataclass(frozen=True, slots=True)
class SaidView:
    """What a machine says of the position, with what only it can show."""

    machine: str
    title: str
    reason: str = ""
    exhibit: ExhibitView | None = None
    pending: bool = False


@dataclass(frozen=True, slots=True)
class ResultView:
    """What a round came to."""

    headline: str
    tally: BallotCount
    shown: tuple[Bar, ...]  # of its bars those that fit
    in_words: bool  # choices, which are longer than moves
    more: str
    note: str
    why: str  # what is true, in a sentence
    source: str  # and how that is known

    @property
    def is_wordy(self) -> bool:
        """Whether some choice is too long to stand beside its bar."""
        return any(len(bar.answer) > WORDY for bar in self.shown)


@dataclass(frozen=True, slots=True)
class MatchStory:
    """How the class's match ended, and where it turned."""

    result: str
    sentence: str
    before: str
    tally: str
    pending: bool
    url: str  # the match, to go through


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
    """The cup: what is entered, and its table as it fills."""

    title: str
    entered: str  # 12 students have entered 5 different machines
    known: str  # another text, and there is something new to show
    begun: bool
    ready: bool = False  # it can begin
    expected: str = ""  # 40 games, about 2 min at most
    progress: str = ""
    rows: tuple[CupRow, ...] = ()
    url: str = ""  # the arena, with every game to watch
    over: bool = False


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of a prepared lesson, on the control alone."""

    number: int
    count: int
    title: str
    minutes: int
    say: str
    notes: str
    link: str
    action: str  # what a press does: Ask it, Begin; empty where the link is all
    prompt: str


@dataclass(frozen=True, slots=True)
class PlanView:
    """A prepared lesson on the control."""

    title: str
    minutes: int
    step: StepView
    following: str  # the title of the next one


@dataclass(frozen=True, slots=True)
class InviteView:
    """How one joins."""

    code: str
    address: str  # 192.168.1.7:8000/join
    link: str
    qr: Code


@dataclass(frozen=True, slots=True)
class ScreenView:
    """The projector."""

    path: str
    follow: str
    invite: InviteView | None  # None: the class is over
    announcement: str
    phase: str  # waiting, open, closed, talk, revealed, over, story, cup
    here: str  # 27
    question: QuestionView | None
    turnout: TurnoutView | None
    result: ResultView | None
    said: SaidView | None
    story: MatchStory | None
    cup: CupView | None
    watch_at: str  # once the cup is over, the address of its games
    opponent: str  # of the class, where it plays a match
    drives: bool  # the teacher's own: the match goes on from here as well


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
    refused: bool  # the status says why what was pressed is no move
    question: QuestionView | None
    rules_url: str  # a sheet: how the game that is asked about is played
    answer: str | None  # in the vote that is on
    told: tuple[str, ...]  # what came of one's answers, when it is shown
    best: str
    entering: tuple[Choice, ...]  # machines for the cup
    train_url: str  # where one is trained for the cup
    machine: str  # what was entered
    watch_url: str  # the games of the cup, once it has begun
    naming: bool  # students may say who they are
    message: Message | None


@dataclass(frozen=True, slots=True)
class StudentView:
    """A seat, as the teacher sees it."""

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
    """The teacher's control."""

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
    said: SaidView | None
    right: str  # 41 % are right
    advice: str
    settling: bool  # what the answers are worth is being worked out
    talk: bool  # may talk and vote again
    plays: bool  # the round is a move in the class's match
    opponent: str
    plays_in: float | None  # seconds until what was voted is played by itself
    story: MatchStory | None
    cup: CupView | None
    lesson: PlanView | None
    opponents: tuple[Choice, ...]  # whom the class could play
    variants: tuple[Choice, ...]
    favourite: str | None  # to be played
    best: str | None
    machines: tuple[Choice, ...]
    starts: tuple[tuple[str, str], ...]  # where a question is easily asked: its name and address
    students: tuple[StudentView, ...]
    here: int
    names: bool
    kept: bool
    over: bool
    ends: str
    addresses: tuple[AddressView, ...]
    only_here: bool  # served to this computer alone
    rounds: int
    message: Message | None
