"""One machine, or the teacher, against every phone at once.

It is a round whose answers are the ids of the students' matches: each student begins one, and
moves first in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from agents.formats import counted
from agents.roster import agent_title, player_spec, ready_spec
from engine import Seat
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.classroom import rules
from webapp.classroom.game_store import GameStore
from webapp.classroom.models import (
    AnswerRecord,
    ClassSession,
    ClosedVoteError,
    NotYourClassError,
    Phase,
    RoundRecord,
    Scene,
    SeatRecord,
)
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.store import ClassStore
from webapp.matches import rules as match_rules
from webapp.matches.store import MatchStore
from webapp.questions.models import Question
from webapp.questions.plain import POLL
from webapp.replays.advice import begin_reply, reply_question
from webapp.replays.models import (
    PERSON,
    PlyRecord,
    Record,
    UnknownMatchError,
    new_record,
    one_line,
)
from webapp.web.cookies import Actor
from webapp.workers.analyses import MAX_INLINE_TRAINING_S
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank

MAX_BOARDS = 40  # on the screen
AWAITED = "w"
RESULTS = ("won", "drawn", "lost")
NOT_ON = "no games are played at once just now"


@dataclass(frozen=True)
class StudentGame:
    """The match of one student."""

    seat: int
    match: Record

    @cached_property
    def state(self) -> str:
        """How it stands, for the student."""
        outcome = self.match.outcome
        if outcome is None:
            return "to move" if self.match.match.state.to_move is Seat.FIRST else "waits"
        if outcome.winner is None:
            return "drawn"
        return "won" if outcome.winner is Seat.FIRST else "lost"

    @property
    def is_over(self) -> bool:
        return self.state in RESULTS

    @property
    def picture(self) -> Board:
        match = self.match.match
        return picture_for(match.game, match.state, match.moves[-1] if match.moves else None)


class Wall:
    """The boards of a class, those that are still played first; loaded when they are shown."""

    def __init__(
        self,
        opponent: str,
        is_on: bool,
        known: str,
        load: Callable[[], Iterable[tuple[int, Record]]],
    ) -> None:
        self.opponent, self.is_on = opponent, is_on
        self.known = known  # changes with every move
        self._load = load

    @cached_property
    def games(self) -> tuple[StudentGame, ...]:
        return tuple(StudentGame(seat, match) for seat, match in self._load())

    @property
    def title(self) -> str:
        return f"Everyone plays {self.opponent} at once"

    @cached_property
    def shown(self) -> tuple[StudentGame, ...]:
        return tuple(sorted(self.games, key=lambda game: (game.is_over, game.seat)))[:MAX_BOARDS]

    @property
    def size(self) -> str:
        """How large the boards are drawn: a class of the template."""
        return "large" if len(self.shown) <= 8 else "middle" if len(self.shown) <= 18 else "small"

    @property
    def tally(self) -> str:
        """`12 boards: 5 played, 3 won, 4 lost`."""
        states = [game.state for game in self.games]
        counts = {state: states.count(state) for state in RESULTS}
        on = len(states) - sum(counts.values())
        parts = [f"{on} still played", *(f"{n} {state}" for state, n in counts.items() if n)]
        return f"{counted(len(states), 'board', 'boards')}: {', '.join(parts)}"

    @cached_property
    def waiting(self) -> tuple[StudentGame, ...]:
        """The games in which the teacher is to move."""
        return tuple(game for game in self.games if game.state == "waits")


def game_version(match: Record | None) -> str:
    """How far a student's own game has got, and whether a machine's move is awaited."""
    if match is None:
        return ""
    return f"game{match.revision}{AWAITED if match.agent_is_to_move else ''}"


def opponent_of(question: Question) -> str:
    """Whom everyone plays, as phones call it."""
    return agent_title(question.machine, question.game) if question.machine else "your teacher"


def game_round(current: RoundRecord, match: Record) -> RoundRecord:
    """The round as one student's board, where a move answers the revision it was made for."""
    question = replace(current.question, moves=tuple(ply.text for ply in match.plies))
    may = current.is_open and match.outcome is None and match.match.state.to_move is Seat.FIRST
    phase = Phase.OPEN if may else Phase.CLOSED
    return RoundRecord(current.number, question, phase, vote=match.revision)


@dataclass(frozen=True, slots=True)
class SimultaneousGames:
    """Plays the games of a class at once."""

    classes: ClassStore
    seats: SeatStore
    matches: MatchStore
    games: GameStore
    workers: WorkerClient
    now: Callable[[], float]

    def open(self, session: ClassSession, position: Question, machine: str) -> ClassSession:
        """Let every student begin a game against this machine; against the teacher without one."""
        game = position.match.game
        spec = ""
        if machine:
            spec = ready_spec(player_spec(machine, game), game, MAX_INLINE_TRAINING_S)
        question = replace(position, prompt="Everyone plays at once", truth=POLL, machine=spec)
        at = self.now()

        def opened(now: ClassSession) -> ClassSession:
            return rules.asked(now, question, at).with_record(scene=Scene.SIMULTANEOUS)

        return self.classes.change(session.record.id, opened)

    def stop(self, session: ClassSession) -> ClassSession:
        """Accept no more moves."""
        current = _round(session)
        return self.classes.change(
            session.record.id, lambda now: rules.closed(now, current.number, current.vote)
        )

    def begin(self, session: ClassSession, seat: SeatRecord, count: Callable[[], None]) -> Record:
        """The student's game: the one that is on, else a new one, once `count` has admitted it."""
        current = _open_round(session, seat)
        found = self.find(session, seat.number)
        if found is not None and found.outcome is None:
            return found
        count()
        question, teacher = current.question, session.record.owner
        seats = (PERSON, question.machine or PERSON)
        holders = (seat.player, None if question.machine else teacher)
        fresh = new_record(seat.player, question.match, seats, holders)
        match = self.matches.create(replace(fresh, rated=True))  # no machine advises in it

        def accept(now: ClassSession, taken: SeatRecord | None) -> AnswerRecord:
            if taken is None:
                raise NotYourClassError("join the class first")
            on = _open_round(now, taken)
            return AnswerRecord(on.number, on.vote, taken.number, match.id)

        self.seats.answer(str(session.record.code), seat.player, accept)
        return match

    def move(self, session: ClassSession, seat: SeatRecord, text: str, revision: int) -> Record:
        """Play the student's move, and ask the machine for its reply."""
        _open_round(session, seat)
        found = self.find(session, seat.number)
        if found is None:
            raise ClosedVoteError("begin your game first")
        actor = Actor(player=seat.player)
        after = self.matches.change(
            found.id, lambda now: match_rules.moved(now, actor, text, revision)
        )
        begin_reply(self.workers, after)
        return after

    def find(self, session: ClassSession, seat: int) -> Record | None:
        """A student's game, with the machine's reply once it is there; None before it begins."""
        current = _round(session)
        own = self.seats.own_answers(session.record.id, current.number, seat)
        if not own:
            return None
        try:
            record = self.matches.find(own[-1].answer)
        except UnknownMatchError:
            return None
        return self._replied(record) if record.agent_is_to_move and current.is_open else record

    def wall(self, session: ClassSession) -> Wall:
        """The games of all students who are in the class."""
        current, class_id = _round(session), session.record.id
        return Wall(
            opponent_of(current.question),
            current.is_open,
            self.games.known(class_id, current.number),
            lambda: self.games.games(class_id, current.number),
        )

    def version(self, session: ClassSession, seat: int, known: str) -> str:
        """How far a student's game has got, for a phone that shows it as `known`.

        A machine that is awaited is asked for its move; else the revision says it.
        """
        current = _round(session)
        if not known.endswith(AWAITED):
            revision = self.games.revision(session.record.id, current.number, seat)
            return "" if revision is None else f"game{revision}"
        return game_version(self.find(session, seat))

    def _replied(self, record: Record) -> Record:
        """With the machine's move, unless it still thinks."""
        try:
            answer = self.workers.answer(reply_question(record), Rank.REPLY)
        except BusyError:
            return record
        if answer is None or answer.forfeits:
            return record
        ply = PlyRecord(answer.move, record.revision, one_line(answer.note))
        actor = Actor(player=record.owner)
        return self.matches.change(record.id, lambda now: match_rules.answered(now, actor, ply))


def _round(session: ClassSession) -> RoundRecord:
    if session.record.scene is not Scene.SIMULTANEOUS or session.round is None:
        raise ClosedVoteError(NOT_ON)
    return session.round


def _open_round(session: ClassSession, seat: SeatRecord) -> RoundRecord:
    """The round, while moves are accepted from this student."""
    if seat.removed:
        raise NotYourClassError("your teacher has taken you out of this class")
    current = _round(session)
    if not current.is_open or session.record.is_over:
        raise ClosedVoteError("your teacher has stopped the games")
    return current
