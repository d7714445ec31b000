"""The page of a student's phone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from urllib.parse import urlencode

from agents.roster import agent_title, agents_for
from engine import load_game
from engine.errors import ZermeloError
from engine.options import parse_spec
from webapp.boards import refusal_for
from webapp.charts import Chart
from webapp.classroom.cup import current_cup, machine_fields, open_cup
from webapp.classroom.match import PROMPT
from webapp.classroom.models import AnswerRecord, Phase, RoundRecord, Scene, SeatRecord
from webapp.classroom.page import ClassData, ClassPage, QuestionPart
from webapp.classroom.results import best_answers_text, own_results
from webapp.classroom.simultaneous import StudentGame, game_round, game_version, opponent_of
from webapp.classroom.sketches import SketchPoint, distance_text, own_chart, sketch_points
from webapp.jobs.models import KeptBrain
from webapp.web.forms import Choice, OptionField
from webapp.web.messages import Message
from webapp.web.navigation import rules_url

AT_ONCE = "Everyone plays at once"
STOPPED = "The games are over."
ANONYMOUS = "Nobody sees who said what."


def vote_key(round_: RoundRecord | None) -> str:
    """`3.1`: which vote of which round is on."""
    return "" if round_ is None else f"{round_.number}.{round_.vote}"


class PhonePage(ClassPage):
    """A student's phone: the question, their own answer, and its value after the reveal."""

    def __init__(
        self,
        data: ClassData,
        seat: SeatRecord,
        own: Sequence[AnswerRecord] = (),
        brains: Sequence[KeptBrain] = (),
        pick: str | None = None,
        message: Message | None = None,
        machine: str | None = None,  # chosen for the cup, not entered yet
    ) -> None:
        super().__init__(data)
        self.seat, self.message = seat, message
        self.code = self.record.code or ""
        self.url = f"/c/{self.code}"
        self._own = {answer.vote: answer.answer for answer in own}
        self._brains = brains
        self._pick = pick
        self._machine = machine

    @property
    def follow(self) -> str:
        chosen = {"machine": self._machine} if self._machine and self.entering else {}
        if self._pick and self.round is not None:  # so that the phone can say that it was no vote
            chosen |= {"pick": self._pick, "picked_in": vote_key(self.round)}
        return f"{self.url}/now?{urlencode({'known': self.known} | chosen)}"

    @property
    def known(self) -> str:
        """What the phone shows: the class's version, and how far its cup has got."""
        version = str(self.record.version)
        if self.record.scene is Scene.SIMULTANEOUS and self.data.match is not None:
            return f"{version}.{game_version(self.data.match)}"
        is_begun = self.cup is not None and self.cup.job is not None
        return f"{version}.{self.cup.known}" if self.cup is not None and is_begun else version

    @property
    def answer(self) -> str | None:
        """The answer in the current vote."""
        return self._own.get(self.round.vote) if self.round is not None else None

    @cached_property
    def question(self) -> QuestionPart | None:
        """The current question, with a board to press during a round."""
        if self.record.scene is Scene.SIMULTANEOUS and self.round is not None:
            if self.data.match is None:
                return QuestionPart(self.round, self.data.now)
            own = game_round(self.round, self.data.match)
            return QuestionPart(own, self.data.now, self.url, self._pick)
        if self.round is None or self.record.scene is not Scene.ROUND:
            shown = self._shown_round
            return None if shown is None else QuestionPart(shown, self.data.now)
        return QuestionPart(self.round, self.data.now, self.url, self._pick, self.answer)

    @property
    def title(self) -> str:
        scenes = {
            Scene.STORY: "The match is over",
            Scene.CUP: "The cup",
            Scene.SIMULTANEOUS: AT_ONCE,
            Scene.MATCH: PROMPT,
        }
        prompt = "Welcome" if self.round is None else self.round.question.prompt
        return scenes.get(self.record.scene, prompt)

    @cached_property
    def _refusal(self) -> str | None:
        """Why the pressed move is illegal, if it is."""
        board = self.question.board if self.question else None
        if self.phase != Phase.OPEN or self.round is None or board is None:
            return None
        question = self.round.question
        return refusal_for(question.match, board, self._pick) if question.wants_move else None

    @property
    def refused(self) -> bool:
        """Whether the status says why the pressed move is illegal."""
        return self._refusal is not None

    @property
    def status(self) -> str:
        board = self.question.board if self.question else None
        pressed = board.prompt if board is not None and self._pick else None
        if pressed and self.answer is not None:
            pressed = f"{pressed}. Until then your answer is {self.answer}."
        return self._refusal or pressed or self._scene_status or self._round_status

    @property
    def _half_told(self) -> str:
        """That half a move is no vote, for a student whose vote was closed meanwhile."""
        if not self._is_half or self.answer is not None:
            return ""
        return f"You had chosen {self._pick}, but not where it goes: that is no vote. "

    @property
    def _scene_status(self) -> str:
        match self.record.scene:
            case Scene.MATCH:
                return f"{self._half_told}{self.opponent} is thinking."
            case Scene.STORY:
                return "Where did it turn? Look at the screen."
            case Scene.CUP if self.cup is not None and self.cup.winner:
                return f"{self.cup.winner}."
            case Scene.CUP if self.watch_url:
                return "The machines have begun. Look at the screen."
            case Scene.CUP:
                return "Enter a machine."
            case Scene.SIMULTANEOUS:
                return self._game_status
            case Scene.ROUND:
                return ""

    @property
    def begins_game(self) -> bool:
        """Whether the student may begin a game of their own, or another one."""
        if self.record.scene is not Scene.SIMULTANEOUS or self.round is None:
            return False
        match = self.data.match
        return self.round.is_open and (match is None or match.outcome is not None)

    @property
    def _game_status(self) -> str:
        """How the student's own game stands."""
        assert self.round is not None
        if self.data.match is None:
            return "Begin your game." if self.round.is_open else "The games are over."
        opponent = opponent_of(self.round.question)
        texts = {
            "to move": f"Your move, against {opponent}." if self.round.is_open else STOPPED,
            "waits": f"{opponent[:1].upper()}{opponent[1:]} is to move.",
            "drawn": "A draw.",
            "won": "You have won!",
            "lost": "You have lost.",
        }
        game = StudentGame(self.seat.number, self.data.match)
        return f"Board {game.seat}. {texts[game.state]}"

    @property
    def _is_half(self) -> bool:
        """Whether only the first half of a move was pressed, such as a cube in Quixo."""
        begins = f"{self._pick}-"
        answers = () if self.round is None else self.round.question.answers
        return self._pick is not None and any(answer.startswith(begins) for answer in answers)

    @property
    def _round_status(self) -> str:
        current, answer = self.round, self.answer
        if current is None:
            return "You are in. Look at the screen: it begins soon."
        if current.question.wants_sketch and current.is_open:
            return "Draw it with the five sliders." if answer is None else "Your curve is in."
        said = "" if answer is None or self.sketch else f"You said {answer}. "
        match current.phase:
            case Phase.OPEN if answer is None:
                return "Choose your move." if current.question.wants_move else "Choose your answer."
            case Phase.OPEN:
                return f"Your answer: {answer}."
            case Phase.CLOSED:
                return f"The vote is closed. {said or self._half_told}Look at the screen."
            case Phase.TALK:
                return f"Talk to your neighbour. {said}Then we vote again."
            case Phase.REVEALED:
                return "Look at the screen."

    @property
    def privacy(self) -> str:
        """Who sees the answers to the question that is open."""
        if self.round is None or not self.round.is_open:
            return ""
        if self.round.named:
            return f"Your teacher sees your answers, as those of {self.seat.name}."
        if self.record.names:
            return f"{ANONYMOUS} From the next question on your teacher sees your answers."
        return ANONYMOUS

    @property
    def rules_url(self) -> str:
        """Rules of the game, opened as a dialog."""
        return (
            rules_url(self.question.game, self.url) if self.question and self.question.game else ""
        )

    @property
    def told(self) -> tuple[str, ...]:
        """The student's answers with their values, after the reveal."""
        if self.round is None or self.phase != Phase.REVEALED:
            return ()
        if self.sketch:
            return tuple(filter(None, (distance_text(self.round, self.answer),)))
        return own_results(self.round, self._own)

    @property
    def sketch(self) -> tuple[SketchPoint, ...]:
        """The points of the curve that is drawn, if one is."""
        if self.round is None or self.record.scene is not Scene.ROUND:
            return ()
        return sketch_points(self.round.question, self.answer)

    @property
    def chart(self) -> Chart | None:
        """The student's sketch beside the curve, after the reveal."""
        is_shown = self.round is not None and self.phase == Phase.REVEALED and self.sketch
        return own_chart(self.round, self.answer) if self.round and is_shown else None

    @property
    def best(self) -> str:
        if self.round is None or self.phase != Phase.REVEALED:
            return ""
        return best_answers_text(self.round)

    @property
    def entering(self) -> tuple[Choice, ...]:
        """Machines for the cup: the student's own brains, and all that play its game."""
        if (state := open_cup(self.session)) is None:
            return ()
        titles = {brain.spec: f"{brain.name}, trained by you" for brain in self._brains}
        titles |= {entry.key: entry.title for entry in agents_for(load_game(state.game))}
        chosen = self._chosen
        return tuple(Choice(spec, title, spec == chosen) for spec, title in titles.items())

    @property
    def _chosen(self) -> str:
        """The machine that the form shows: as chosen there, else as entered."""
        entered = self.seat.machine or ""
        is_own = any(brain.spec == entered for brain in self._brains)
        return self._machine or (entered if is_own else entered.partition(":")[0])

    @cached_property
    def settings(self) -> tuple[OptionField, ...]:
        """Fields for the settings of the chosen machine; none for a brain, which has learned."""
        options = self.entering
        key = self._chosen or (options[0].value if options else "")
        if not key or ":" in key or all(choice.value != key for choice in options):
            return ()
        entered, texts = parse_spec(self.seat.machine or key)
        return machine_fields(key, texts if entered == key else {})

    @property
    def place(self) -> str:
        """`You are 3rd of 27`, in the cup."""
        return "" if self.cup is None else self.cup.place_of(self.seat.machine)

    @property
    def train_url(self) -> str:
        """To train a machine for the cup, while machines can be entered."""
        if (state := open_cup(self.session)) is None:
            return ""
        learns = any(entry.train is not None for entry in agents_for(load_game(state.game)))
        return f"/train?{urlencode({'game': state.game})}" if learns else ""

    @property
    def machine(self) -> str:
        """Title of the machine entered."""
        if (state := current_cup(self.session)) is None or self.seat.machine is None:
            return ""
        try:
            return agent_title(self.seat.machine, state.game)
        except ZermeloError:
            return self.seat.machine

    @property
    def watch_url(self) -> str:
        """The games of the cup, once it has begun."""
        state = current_cup(self.session)
        return "" if state is None else state.url
