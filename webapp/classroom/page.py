"""What control, projector and phones show alike: the question, its board, a machine's comment.

Routes read the class (`ClassData`); a page reads nothing. Before the reveal the answers of others
are not even among the data of projector and phones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from agents import Candidate
from agents.contest.strength import strongest_agent
from agents.roster import ready_spec
from engine.errors import ZermeloError
from webapp.analysis.panel import FAILED, Panel
from webapp.boards import board_for, picture_for
from webapp.boards.grid import Board, BoardContext
from webapp.classroom.addresses import Invitation, Site
from webapp.classroom.cup import CupPage
from webapp.classroom.match import match_question, match_text, opponent_title, result_text
from webapp.classroom.models import (
    AnswerRecord,
    ClassSession,
    Phase,
    RoundRecord,
    Scene,
    SeatRecord,
    Turnout,
    game_title,
)
from webapp.classroom.simultaneous import Wall
from webapp.classroom.stage import Stage, StageKind, stage_of
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import fixed_context
from webapp.questions.models import Question
from webapp.questions.plain import is_plain
from webapp.questions.truths import has_board
from webapp.replays.models import Record
from webapp.replays.story import Story
from webapp.web.forms import Choice
from webapp.workers.analyses import MAX_INLINE_TRAINING_S
from webapp.workers.requests import MoveAnswer

LONG_PROMPT_CHARS = 75
NOBODY = Turnout(0, 0)


@dataclass(frozen=True, slots=True)
class ClassData:
    """What a route has read of a class for one of its pages."""

    session: ClassSession
    site: Site
    now: float
    turnout: Turnout = NOBODY
    seats: tuple[SeatRecord, ...] = ()
    answers: tuple[AnswerRecord, ...] = ()  # to the current round, where the page may show them
    match: Record | None = None  # the class's match, while it is played or told
    story: Story | None = None  # of the finished match
    machine: str | None = None  # the one that comments on the revealed question
    comment: MoveAnswer | None = None  # its analysis; None: still pending
    cup: CupPage | None = None
    wall: Wall | None = None  # the boards of games that are played at once


@dataclass(frozen=True, slots=True)
class Reveal:
    """What is drawn on the board of a revealed question, by the texts of moves."""

    values: Mapping[str, Candidate[Any]]
    votes: Mapping[str, int]
    best: str | None  # None: every move is
    line: tuple[str, ...] = ()  # played on it


def reveal_of(current: RoundRecord, votes: Mapping[str, int], stage: Stage | None) -> Reveal:
    """What is drawn on the board once the round is revealed."""
    question, values = current.question, dict[str, Candidate[Any]]()
    for one in current.judgements if question.wants_move else ():
        if one.value is not None:
            worth = Candidate(one.text, one.value, proven=one.proven, plies=one.plies)
            values[one.text] = worth
    best = current.best if values else ()
    stands_out = bool(best) and 2 * len(best) <= len(question.answers)
    line = stage.moves if stage is not None and stage.kind is StageKind.LINE else ()
    return Reveal(
        values, votes if question.wants_move else {}, best[0] if stands_out else None, line
    )


class QuestionPart:
    """A question with its board, if it has one.

    With a `url` the board accepts an answer while the vote is open.
    """

    def __init__(
        self,
        current: RoundRecord,
        now: float = 0.0,
        url: str = "",
        pick: str | None = None,
        answer: str | None = None,
        reveal: Reveal | None = None,
    ) -> None:
        question = current.question
        self.number, self.vote, self.prompt = current.number, current.vote, question.prompt
        self.game = question.game
        self.title = game_title(question.game) if question.game else ""
        self.about = context_text(question)
        self.is_long = len(question.prompt) > LONG_PROMPT_CHARS  # for the projector
        self.table = BoardContext(question.game.partition(":")[0], url, f"{url}/answer")
        self.choices = tuple(
            Choice(one.text, one.text, one.text == answer) for one in question.choices
        )
        self.seconds_left = None  # of the countdown
        if current.deadline is not None and current.seconds is not None and current.is_open:
            self.seconds_left = max(0, round(current.deadline - now))
        may = bool(url) and current.is_open and question.wants_move
        self.board: Board | None = None
        if reveal is not None and has_board(question):
            self.board = _revealed_board(question, reveal)
        elif has_board(question):
            self.board = _board(question, may, pick, answer)
        self.line = "" if reveal is None else " ".join(reveal.line)


def _revealed_board(question: Question, reveal: Reveal) -> Board:
    """The board with votes and values and the best move ringed, or with a line played on it."""
    match = question.match
    for text in reveal.line:
        match = match.play(match.game.parse_move(text))
    return board_for(
        match,
        ply=match.ply,
        may_move=False,
        last_move=match.moves[-1] if match.moves else None,
        outcome=match.outcome(),
        values=None if reveal.line else reveal.values,
        votes=None if reveal.line else reveal.votes,
        hint=None if reveal.line else reveal.best,
    )


def _board(question: Question, may: bool, pick: str | None, answer: str | None) -> Board:
    match = question.match
    return board_for(
        match,
        ply=match.ply,
        may_move=may,
        pick=pick if may else None,
        last_move=match.moves[-1] if match.moves else None,
        outcome=match.outcome(),
        answer=answer if question.wants_move else None,
        one_tap=True,
    )


def position_picture(question: Question) -> Board | None:
    """The position of a question as a picture, if it has one."""
    if not has_board(question):
        return None
    match = question.match
    return picture_for(match.game, match.state, match.moves[-1] if match.moves else None)


def context_text(question: Question) -> str:
    """Game and player to move, as far as the question has them."""
    title = f"{game_title(question.game)}." if question.game else ""
    is_over = not has_board(question) or question.match.outcome() is not None
    mover = "" if is_over else f"{question.to_move.mark} is to move."
    return " ".join(filter(None, (title, mover)))


def machine_for(question: Question) -> str | None:
    """The machine the teacher chose, else the strongest where best play is asked about.

    None without a position. Of a question about a search the strongest would say what the search
    does not look at.
    """
    is_about_play = is_plain(question.truth) or question.truth in ("best", "value")
    if not has_board(question) or not (question.machine or is_about_play):
        return None
    spec = question.machine or strongest_agent(question.game)
    try:
        return ready_spec(spec, question.match.game, MAX_INLINE_TRAINING_S)
    except ZermeloError:
        return None


def machine_panel(url: str, question: Question, machine: str, answer: MoveAnswer | None) -> Panel:
    """What a machine thinks of the position; the links of its exhibit lead to this page."""
    match = question.match
    panel = Panel(machine, match.game, state=match.state)
    if answer is None:
        return replace(panel, pending=True)
    analysis = answer.analysis
    if analysis is None or analysis.exhibit is None:
        return replace(panel, analysis=analysis, failed=FAILED if analysis is None else None)
    context = fixed_context(match.game, match.state, url=url, spec=machine)
    exhibit = exhibit_view(analysis.exhibit, replace(context, choice=str(analysis.choice)))
    return replace(panel, analysis=analysis, exhibit=exhibit)


class ClassPage:
    """What control, projector and phones show alike."""

    suffix = ""  # of the page's path below that of the class

    def __init__(self, data: ClassData) -> None:
        self.data = data
        self.session, self.record, self.round = (
            data.session,
            data.session.record,
            data.session.round,
        )
        self.phase = data.session.phase
        self.turnout, self.story, self.cup = data.turnout, data.story, data.cup
        self.wall = data.wall

    @property
    def only_here(self) -> bool:
        """Whether the server listens on loopback only."""
        return self.data.site.is_local_only

    @cached_property
    def invite(self) -> Invitation | None:
        """How to join; None once the class is over."""
        return self.data.site.invitation(self.record)

    @cached_property
    def question(self) -> QuestionPart | None:
        """The current question; during a match, its board."""
        shown = self._shown_round
        if shown is None:
            return None
        reveal = None
        if shown.phase is Phase.REVEALED and self.votes is not None:
            reveal = reveal_of(shown, self.votes, self.stage)
        return QuestionPart(shown, self.data.now, reveal=reveal)

    @property
    def votes(self) -> Mapping[str, int] | None:
        """How often each answer was given in the last vote, where the page may show it."""
        return None

    @cached_property
    def stage(self) -> Stage | None:
        """What the screen shows instead of the votes."""
        return stage_of(self.record)

    @property
    def _shown_round(self) -> RoundRecord | None:
        match self.record.scene:
            case Scene.MATCH | Scene.STORY if self.data.match is not None:
                question = match_question(self.data.match)
                return RoundRecord(self.record.round, question, Phase.CLOSED)
            case Scene.CUP | Scene.SIMULTANEOUS:
                return None
            case _:
                return self.round

    @property
    def opponent(self) -> str:
        """Title of the machine the class plays, if it does."""
        return opponent_title(self.data.match) if self.data.match is not None else ""

    @property
    def match_text(self) -> str:
        """Whom the class plays and what was played last, while it votes on a move."""
        return match_text(self.data.match) if self.data.match is not None else ""

    @property
    def match_result(self) -> str:
        return result_text(self.data.match) if self.data.match is not None else ""

    @property
    def match_url(self) -> str:
        """The finished match with its story."""
        return f"{self.data.match.path}?story=1" if self.data.match is not None else ""

    @property
    def announcement(self) -> str:
        """The latest change, for screen readers."""
        if self.round is None:
            return ""
        texts = {
            Phase.OPEN: f"{self.round.question.prompt} The vote is open.",
            Phase.CLOSED: "The vote is closed.",
            Phase.TALK: "Talk to your neighbour.",
            Phase.REVEALED: "The answers are shown.",
        }
        return texts[self.round.phase]

    @cached_property
    def said(self) -> Panel | None:
        """What a machine says about the revealed question."""
        if self.round is None or self.data.machine is None:
            return None
        url = f"{self.record.path}{self.suffix}"
        return machine_panel(url, self.round.question, self.data.machine, self.data.comment)

    @property
    def known(self) -> str:
        """Version key: changes with what the page shows."""
        return ".".join(map(str, self._version))

    @property
    def follow(self) -> str:
        """The address that is polled."""
        return f"{self.record.path}{self.suffix}?{urlencode({'known': self.known})}"

    @property
    def _version(self) -> tuple[object, ...]:
        return (self.record.version,)
