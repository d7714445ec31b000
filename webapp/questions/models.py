"""Questions for people, their computed truths, and the errors in texts that hold them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine import Match, Seat
from engine.errors import InvalidTextError, ZermeloError
from engine.transcript import replayed

SKETCH = "sketch"  # the truth that is drawn before it is shown


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible answer: its text, and the claim that is compared with the truth.

    Mostly the two are the same (`x wins`); "It makes no difference" claims `a draw`.
    """

    text: str
    claim: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question for people, in a class or in a lesson. Equal questions have equal truths.

    It is about the position after the moves, about a game or about neither
    (`webapp.questions.facts.About`). Without choices the answer is a move.
    """

    game: str  # spec; empty if it is about no game
    prompt: str
    truth: str = "best"  # name and arguments: `looks-at b1`; `right A*`, `poll` (empty: the same)
    start: str | None = None  # a state, unless the game's own start
    moves: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    machine: str = ""  # whose analysis or curve it is about, or whose analysis is shown with it

    @property
    def match(self) -> Match[Any, Any]:
        """The match up to the position; raises InvalidTextError or IllegalMoveError."""
        return replayed(self.game, self.start, self.moves)

    @property
    def to_move(self) -> Seat:
        mover: Seat = self.match.state.to_move
        return mover

    @property
    def position(self) -> str:
        """The position before the moves, as texts write it: `SPEC` or `SPEC STATE`."""
        return self.game if self.start is None else f"{self.game} {self.start}"

    @property
    def wants_sketch(self) -> bool:
        """Whether the answer is a curve, drawn by a few points."""
        return self.truth.startswith(f"{SKETCH} ")

    @property
    def wants_move(self) -> bool:
        """Whether the answer is a move on the board."""
        return not self.choices and not self.wants_sketch

    @property
    def answers(self) -> tuple[str, ...]:
        """Every valid answer, where they can be counted: not of a sketch."""
        if self.wants_sketch:
            return ()
        if self.choices:
            return tuple(choice.text for choice in self.choices)
        return tuple(str(move) for move in self.match.state.legal_moves())


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of one answer."""

    text: str  # the move, or the text of the choice
    right: bool  # of a move: among the best
    says: str = ""  # `win in 5`, `right`
    value: float | None = None  # of a move, for the mover, as far as it is known
    plies: int | None = None  # to the end with best play, if known
    proven: bool = True  # the value is exact


@dataclass(frozen=True, slots=True)
class CurveTrace:
    """The curve that a truth was read from, shares from 0 to 1."""

    learner: str
    metric: str  # draws
    unit: str  # games
    points: tuple[tuple[float, float], ...]  # step, figure


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth of a question, with the judgement of every answer and the reason."""

    answers: tuple[Judgement, ...] = ()  # moves best first; empty: unknown, or a poll
    sentence: str = ""  # the reason
    source: str = ""  # how it was computed
    shown: str = ""  # `x wins`, `44`, `c1 and d3`
    curve: CurveTrace | None = None

    @property
    def right(self) -> tuple[str, ...]:
        return tuple(one.text for one in self.answers if one.right)

    def answer(self, text: str) -> Judgement | None:
        """The judgement of an answer; None if it is not possible."""
        return next((one for one in self.answers if one.text == text), None)

    def to_json(self) -> str:
        """What a class stores of it."""
        judgements = [
            {
                "answer": one.text,
                "best": one.right,
                "value": one.value,
                "proven": one.proven and one.value is not None,
                "plies": one.plies,
            }
            for one in self.answers
        ]
        curve = None if self.curve is None else asdict(self.curve)
        stored = {"judgements": judgements, "why": self.sentence, "source": self.source}
        return json.dumps(stored | ({} if curve is None else {"curve": curve}))

    @classmethod
    def from_json(cls, text: str) -> Truth:
        values = json.loads(text)
        answers = tuple(
            Judgement(
                one["answer"],
                one["best"],
                value=one["value"],
                plies=one["plies"],
                proven=one["proven"],
            )
            for one in values["judgements"]
        )
        curve = None
        if (stored := values.get("curve")) is not None:
            points = tuple((float(step), float(figure)) for step, figure in stored["points"])
            curve = CurveTrace(**stored | {"points": points})
        return cls(answers, values["why"], values["source"], curve=curve)


class InvalidQuestionError(InvalidTextError):
    """A malformed question; the text says how to write it."""


class UnknowableError(ZermeloError):
    """A truth that cannot be computed here."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in a text, and its line."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


class InvalidLessonError(InvalidTextError):
    """An invalid lesson or plan of a class, with all errors by line."""

    def __init__(self, text: str, problems: Sequence[Problem], source: str = "") -> None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(text, f"{source}{', ' * bool(source)}{problems[0]}{more}")
        self.problems = tuple(problems)
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.problems, self.source)
