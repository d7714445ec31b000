"""Pages of the teacher: the control, and a question about to be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from urllib.parse import quote_plus, urlencode

from agents.formats import counted, portion
from agents.roster import agents_for, limitation
from engine.catalog import all_variants
from webapp.analysis.panel import analyst_choices
from webapp.boards.grid import Board
from webapp.classroom import rules
from webapp.classroom.forms import PROMPTS, machines_for
from webapp.classroom.models import (
    DAY_S,
    MAX_VOTES,
    ClassRecord,
    Phase,
    Scene,
    SeatRecord,
    game_title,
)
from webapp.classroom.page import ClassData, ClassPage, context_text, machine_for, position_picture
from webapp.classroom.results import Result, share_right, teaching_advice
from webapp.classroom.sketches import result_of
from webapp.questions.models import Question
from webapp.questions.plans import ClassPlan, PlanStep, StepKind, read_plan
from webapp.questions.query import ask_url, question_fields
from webapp.questions.sketches import sketch_question
from webapp.questions.truths import has_board
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.web.qr import QrCode, qr_code

CURVE_TRUTHS = ("games-until ", "curve ")
ACTIONS = {
    StepKind.ASK: "Ask it",
    StepKind.PLAY: "Begin the match",
    StepKind.CUP: "Open the cup",
    StepKind.TRAIN: "Train it on the screen",
}


def class_plan(record: ClassRecord) -> ClassPlan | None:
    """The plan that the class was started with."""
    return None if record.plan is None else read_plan(record.plan)


class PlanPart:
    """The current step of the class's plan, for the teacher only."""

    def __init__(
        self, plan: ClassPlan, at: int, begun: float | None = None, now: float = 0.0
    ) -> None:
        self.plan = plan
        self.number = min(at, len(plan.steps) - 1) + 1
        self.step: PlanStep = plan.steps[self.number - 1]
        self.count = len(plan.steps)
        self.action = ACTIONS.get(self.step.kind, "")  # empty if the step is only a link
        if self.step.kind is StepKind.TRAIN and self.step.games is None:
            self.action = ""  # how long is chosen on the page of its link
        self.prompt = self.step.question.prompt if self.step.question else ""
        self.following = plan.steps[self.number].title if self.number < self.count else ""
        self._begun, self._now = begun, now

    @property
    def steps(self) -> tuple[tuple[int, int, str, bool], ...]:
        """Number, minute at which it begins, title, and whether it is the current step."""
        begins = [0]
        for step in self.plan.steps:
            begins.append(begins[-1] + step.minutes)
        return tuple(
            (number, begins[number - 1], step.title, number == self.number)
            for number, step in enumerate(self.plan.steps, start=1)
        )

    @property
    def clock(self) -> str:
        """How the class stands against the plan: `6 minutes late`; empty before it begins."""
        if self._begun is None:
            return ""
        minutes = int((self._now - self._begun) // 60)
        begins = self.steps[self.number - 1][1]
        late, early = minutes - begins - self.step.minutes, begins - minutes
        told = f"{counted(minutes, 'minute', 'minutes')} of {self.plan.minutes}"
        if late > 0:
            return f"{told}: {counted(late, 'minute', 'minutes')} late"
        if early > 0:
            return f"{told}: {counted(early, 'minute', 'minutes')} early"
        return f"{told}: on time"

    @cached_property
    def board(self) -> Board | None:
        """The position of the step, before it is asked."""
        step = self.step
        if step.question is not None:
            return position_picture(step.question)
        if step.kind is not StepKind.PLAY:
            return None
        return position_picture(Question(step.game, "", start=step.start, moves=step.moves))


class ControlPage(ClassPage):
    """The control."""

    def __init__(
        self, data: ClassData, message: Message | None = None, game: str | None = None
    ) -> None:
        super().__init__(data)
        self.message = message
        self._game = game  # chosen for a match that is not begun yet
        plan = class_plan(self.record)
        self.plan = (
            None
            if plan is None
            else PlanPart(plan, self.record.step, self.record.plan_begun, data.now)
        )

    @property
    def _version(self) -> tuple[object, ...]:
        return (
            self.record.version,
            self.turnout.answered,
            self.turnout.here,
            int(self.settling),
            len(self.data.seats),
            int(self.said is not None and self.said.pending),
            int(self.story is not None and self.story.pending),
            self.cup.known if self.cup else "",
            self.wall.known if self.wall else "",
            self.plan.clock if self.plan else "",
        )

    @property
    def key_url(self) -> str:
        """The address that gives control to another device."""
        host = self.data.site.class_host(self.record)
        return f"{self.data.site.scheme}://{host}{self.record.path}/key/{self.record.key}"

    @property
    def key_code(self) -> QrCode:
        return qr_code(self.key_url)

    @property
    def addresses(self) -> tuple[Choice, ...]:
        """Addresses that phones may reach, to choose from."""
        return self.data.site.choices(self.record)

    @cached_property
    def result(self) -> Result | None:
        """The counted votes, once the vote is closed."""
        if self.round is None or self.round.is_open or self.record.scene is not Scene.ROUND:
            return None
        return result_of(self.round, self.data.answers, self.data.seats)

    @property
    def votes(self) -> Mapping[str, int] | None:
        return None if self.result is None else self.result.last_vote

    @property
    def settling(self) -> bool:
        """Whether the truth is still being computed."""
        return self.result is not None and self.round is not None and self.round.truth is None

    @cached_property
    def _share_right(self) -> float | None:
        if self.round is None or self.round.is_open:
            return None
        return share_right(self.round, self.data.answers, self.round.vote)

    @property
    def right(self) -> str:
        """`41% are right`, in the last vote."""
        return "" if self._share_right is None else f"{portion(self._share_right)} are right"

    @property
    def advice(self) -> str:
        """What to do next."""
        is_revealed = self.round is not None and self.round.phase is Phase.REVEALED
        if self._share_right is None or is_revealed:
            return ""
        return teaching_advice(self._share_right)

    @property
    def talk(self) -> bool:
        """Whether a discussion and a second vote are possible."""
        current = self.round
        return current is not None and current.phase is Phase.CLOSED and current.vote < MAX_VOTES

    @property
    def plays(self) -> bool:
        """Whether the round votes on a move in the class's match."""
        return self.round is not None and self.round.match_ply is not None

    @property
    def plays_in(self) -> float | None:
        """Seconds until the favourite is played automatically, rounded up."""
        at = rules.plays_at(self.session)
        return None if at is None else max(0.1, round(at - self.data.now + 0.1, 1))

    @property
    def favourite(self) -> str | None:
        """The most voted move, which can be played for the class."""
        if self.round is None or self.result is None or self.round.question.choices:
            return None
        return self.result.favourite

    @property
    def best(self) -> str | None:
        """A best move, unless the favourite is one."""
        current = self.round
        if current is None or current.is_open or current.question.choices:
            return None
        return None if self.favourite in current.best else next(iter(current.best), None)

    @property
    def machines(self) -> tuple[Choice, ...]:
        """Machines whose analysis can be shown."""
        if self.round is None or not has_board(self.round.question):
            return ()
        question = self.round.question
        return analyst_choices(question.match.game, machine_for(question) or "")

    @property
    def opponents(self) -> tuple[Choice, ...]:
        """The machines that play all of the game that is chosen for a match."""
        game = next(game for game in all_variants() if game.spec == self._match_game)
        able = (entry for entry in agents_for(game) if limitation(entry, game) is None)
        return tuple(Choice(entry.key, entry.title, entry.key == "random") for entry in able)

    @property
    def _match_game(self) -> str:
        """The game chosen for a match, else the first there is."""
        specs = [game.spec for game in all_variants()]
        return self._game if self._game in specs else specs[0]

    @property
    def match_games(self) -> tuple[Choice, ...]:
        chosen = self._match_game
        return tuple(replace(each, chosen=each.value == chosen) for each in self.variants)

    @property
    def follow(self) -> str:
        chosen = {"game": self._game} if self._game else {}
        return f"{self.record.path}?{urlencode({'known': self.known} | chosen)}"

    @property
    def variants(self) -> tuple[Choice, ...]:
        return tuple(Choice(game.spec, game_title(game.spec), False) for game in all_variants())

    @property
    def starts(self) -> tuple[tuple[str, str], ...]:
        """Title and address to ask about the start of each named variant."""
        return tuple(
            (game_title(game.spec), f"/class/ask?game={quote_plus(game.spec)}")
            for game in all_variants()
        )

    @cached_property
    def students(self) -> tuple[tuple[SeatRecord, bool, str], ...]:
        """The students, whether each is here, and their answers in a round that was named.

        By name: the order in which they came would tell whose made-up name a name replaced.
        """
        given: dict[int, str] = {}
        if self.round is not None and self.round.named and not self.round.is_open:
            vote = self.round.vote
            given = {each.seat: each.answer for each in self.data.answers if each.vote == vote}
        return tuple(
            (seat, seat.is_here(self.data.now), given.get(seat.number, ""))
            for seat in sorted(self.data.seats, key=lambda seat: seat.name)
        )

    @property
    def kept(self) -> bool:
        return self.record.ends - self.record.created > DAY_S

    @property
    def ends(self) -> str:
        return f"{datetime.fromtimestamp(self.record.ends, UTC):%d %B, %H:%M} UTC"


class AskPage:
    """A question about to be asked."""

    def __init__(
        self,
        question: Question,
        is_complete: bool = False,  # it came with its prompt and truth
        classes: Sequence[ClassRecord] = (),  # of the teacher, not over
        query: str = "",  # of this page, to return to it with a class
    ) -> None:
        self.question = question
        self.given = tuple(question_fields(question)) if is_complete else ()
        self.classes = classes
        self.query = query
        self.prompts = tuple(PROMPTS.items())
        self.about = context_text(question)

    @cached_property
    def board(self) -> Board | None:
        return position_picture(self.question)

    @property
    def sketch_url(self) -> str:
        """To let the class draw the curve that is asked about, if one is."""
        question = self.question
        if not self.given or not question.truth.startswith(CURVE_TRUTHS):
            return ""
        drawn = sketch_question(question.game, question.machine)
        return "" if drawn is None else ask_url(drawn)

    @property
    def machines(self) -> tuple[Choice, ...]:
        return () if self.given or not self.question.game else machines_for(self.question)


class CurvesPage:
    """The learning curves that a class can draw, by game."""

    @cached_property
    def games(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Title of each game, with title and address of each of its learners."""
        found = []
        for game in all_variants():
            asked = (
                (entry.title, sketch_question(game.spec, entry.key))
                for entry in agents_for(game)
                if entry.train
            )
            links = tuple((title, ask_url(each)) for title, each in asked if each is not None)
            if links:
                found.append((game_title(game.spec), links))
        return tuple(found)
