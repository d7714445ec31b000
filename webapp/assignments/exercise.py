"""What a student does in one item of a task, by the kind of the task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from agents.puzzles.answers import judge
from agents.puzzles.models import Puzzle
from engine import Match, load_game
from webapp.assignments import rules
from webapp.assignments.rules import ItemProgress
from webapp.boards import Picture, board_for, has_marks, picture_for, refusal_for
from webapp.boards.grid import Board
from webapp.learn.models import LessonItem
from webapp.questions.assignments import MATCHES, Task, TaskKind, game_title
from webapp.web.forms import Choice


@dataclass(frozen=True)  # no slots: cached properties
class Exercise(ABC):
    """A puzzle, a question, a match or a bot; each kind overrides what it has."""

    task: Task
    item: ItemProgress
    may_answer: bool
    pick: str | None = None  # the part of a move that was pressed

    open_text: ClassVar[str]  # before the first try
    done: ClassVar[str] = "Done"

    @property
    def prompt(self) -> str:
        """What is to be done here."""
        return self.task.summary

    @property
    def about(self) -> str:
        """What is known about game and player to move."""
        return ""

    @property
    def game(self) -> str:
        """The key of the board's game."""
        return ""

    @property
    def board(self) -> Board | None:
        """To press until it is solved."""
        return None

    @property
    def picture(self) -> Picture | None:
        """Where a match begins, or what a question is about."""
        return None

    @property
    def question(self) -> LessonItem | None:
        return None

    @property
    def choices(self) -> tuple[Choice, ...]:
        return ()

    @property
    def why(self) -> object:
        """The reason of a lesson's answer once it is known; its hint after a wrong one."""
        return ""

    @property
    def refusal(self) -> str | None:
        """Why what was pressed is no move."""
        return None

    @property
    def solved_text(self) -> str:
        """`Solved at the first try`, `Right at try 3`: what comes before the answer."""
        solving = self.item.solving
        assert solving is not None
        how = "at the first try" if self.item.at_first else f"at try {solving.number}"
        return f"{self.done} {how}"

    @property
    @abstractmethod
    def wrong_text(self) -> str:
        """What the last try came to, which did not solve it."""


class PuzzleExercise(Exercise):
    """A puzzle, solved on its board."""

    open_text = "Your move."
    done = "Solved"

    @cached_property
    def puzzle(self) -> Puzzle:
        return rules.find_puzzle(self.item.name)

    @cached_property
    def match(self) -> Match[Any, Any]:
        game = load_game(self.puzzle.game)
        return Match.begin(game, game.parse_state(self.puzzle.state))

    @property
    def prompt(self) -> str:
        return self.puzzle.task

    @property
    def about(self) -> str:
        game, state = self.match.game, self.match.state
        mover = f" {state.to_move.mark} is to move." if has_marks(game) else ""
        return f"{game_title(game.spec)}.{mover}"

    @property
    def game(self) -> str:
        return self.match.game.key

    @cached_property
    def board(self) -> Board:
        answer = self.item.tries[-1].answer if self.item.tries else None
        return board_for(
            self.match,
            ply=self.match.ply,
            may_move=self.may_answer,
            pick=self.pick if self.may_answer else None,
            answer=answer if self.item.solved else None,
        )

    @property
    def refusal(self) -> str | None:
        return refusal_for(self.match, self.board, self.pick) if self.may_answer else None

    @property
    def wrong_text(self) -> str:
        answer = self.item.tries[-1].answer
        line = judge(self.puzzle, answer).line
        after = f" After {line[0]} comes {' '.join(line[1:])}." if line[1:] else ""
        return f"{answer} is not it.{after} Try again."


class LessonExercise(Exercise):
    """A question of a lesson."""

    open_text = "Choose your answer."
    done = "Right"

    @cached_property
    def question(self) -> LessonItem:
        return rules.find_question(self.task, self.item.name)

    @property
    def prompt(self) -> str:
        return self.question.question.prompt

    @property
    def picture(self) -> Picture | None:
        question = self.question.question
        if not question.game or (not question.start and not question.moves):
            return None
        return picture_for(question.match.game, question.match.state)

    @property
    def choices(self) -> tuple[Choice, ...]:
        said = self.item.tries[-1].answer if self.item.tries else ""
        texts = (choice.text for choice in self.question.question.choices)
        return tuple(Choice(text, text, text == said) for text in texts)

    @property
    def why(self) -> object:
        if not self.item.tries:
            return ""
        return self.question.why if self.item.is_done else self.question.hint or ""

    @property
    def wrong_text(self) -> str:
        answer = self.item.tries[-1].answer
        if self.item.is_done:
            return f"You said {answer}. The answer: {self.question.right}."
        return f"{answer}: not this one. Try again."


class MatchExercise(Exercise):
    """A match against a machine, played on its own page."""

    open_text = "Not played yet."

    @property
    def about(self) -> str:
        """With the rule of its board, if that says one."""
        match = self.task.position.match
        rule = getattr(board_for(match, ply=match.ply, may_move=False), "rule", "")
        return " ".join(filter(None, (f"{game_title(self.task.game)}.", rule)))

    @property
    def picture(self) -> Picture:
        match = self.task.position.match
        return picture_for(match.game, match.state, match.moves[-1] if match.moves else None)

    @property
    def wrong_text(self) -> str:
        last = self.item.tries[-1]
        if last.solved is None:
            return "Your game is not over yet."
        return f"Not yet: {last.answer}. Play again."


class BotExercise(Exercise):
    """A bot, rated in its league."""

    open_text = "Not reached yet."

    @property
    def solved_text(self) -> str:
        return self.done

    @property
    def wrong_text(self) -> str:
        return f"Not reached yet: {self.item.tries[-1].answer}."


EXERCISES: Mapping[TaskKind, type[Exercise]] = {
    TaskKind.PUZZLES: PuzzleExercise,
    TaskKind.LESSON: LessonExercise,
    TaskKind.BOT: BotExercise,
    **dict.fromkeys(MATCHES, MatchExercise),
}
