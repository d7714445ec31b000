"""The page of a puzzle: its board, what was answered, and ways on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agents.contest.strength import strongest_agent
from agents.puzzles.answers import Judgement, judge
from agents.puzzles.collection import shipped_puzzle
from agents.puzzles.models import Puzzle
from engine import Game, Match, Seat, load_game
from engine.catalog import find_entry, variant_title
from webapp.boards import board_for, has_marks, refusal_for
from webapp.boards.grid import Board, BoardContext
from webapp.puzzles.models import Attempt, PuzzleScore, nearest_level
from webapp.puzzles.progress_page import Chooser, ProgressPart
from webapp.puzzles.query import PATH, PuzzleQuery
from webapp.puzzles.rules import Standing
from webapp.puzzles.words import (
    hint_text,
    move_text,
    others_text,
    right_text,
    same_text,
    turn_text,
    verdict_text,
    wrong_text,
)
from webapp.questions.puzzles import puzzle_question
from webapp.questions.query import ask_url
from webapp.replays.query import ask_class_url, child_url, position_url
from webapp.web.messages import Message, Tone
from webapp.web.navigation import keys_url, rules_url
from webapp.web.query import Pairs

TITLES = {True: "Right!", False: "Not this one"}


@dataclass(frozen=True)  # no slots: cached properties
class PuzzlePage:
    """What `puzzles/_puzzle.html` reads. Its root is `#match`, as that of every board."""

    puzzle: Puzzle
    standing: Standing
    query: PuzzleQuery
    progress: ProgressPart
    address: str = ""
    message: Message | None = None

    @cached_property
    def game(self) -> Game[Any, Any]:
        return load_game(self.puzzle.game)

    @property
    def attempt(self) -> Attempt:
        return self.standing.attempt

    @property
    def path(self) -> str:
        return f"{PATH}/{self.puzzle.id}"

    @property
    def is_open(self) -> bool:
        """Whether an answer is awaited: nothing of the solution is on the page then."""
        return self.query.again or self.attempt.is_open

    @cached_property
    def judged(self) -> Judgement | None:
        """The answer that is shown: the last one, or the solution if it was asked for."""
        if self.is_open:
            return None
        return judge(self.puzzle, self.attempt.move or self.puzzle.solutions[0])

    @property
    def is_right(self) -> bool:
        return self.judged is not None and self.judged.right

    @property
    def is_shown(self) -> bool:
        """Whether the solution stands there because it was asked for."""
        return self.judged is not None and self.attempt.move is None

    # --- the board

    @cached_property
    def line(self) -> tuple[str, ...]:
        return () if self.judged is None else self.judged.line

    @cached_property
    def step(self) -> int:
        """How many moves of the line stand on the board; the answer itself without a wish."""
        wished = 1 if self.query.step is None else self.query.step
        return min(wished, len(self.line))

    @cached_property
    def match(self) -> Match[Any, Any]:
        match = Match.begin(self.game, self.game.parse_state(self.puzzle.state))
        for text in self.line[: self.step]:
            match = match.play(match.game.parse_move(text))
        return match

    @cached_property
    def board(self) -> Board:
        match = self.match
        return board_for(
            match,
            ply=match.ply,
            may_move=self.is_open,
            pick=self.query.pick if self.is_open else None,
            last_move=match.moves[-1] if match.moves else None,
            outcome=match.outcome(),
        )

    @property
    def table(self) -> BoardContext:
        """What the board's template reads as `match`."""
        url = self._asking.url(self.path)
        return BoardContext(self.game.key, url, f"{self.path}/answer")

    @property
    def _asking(self) -> PuzzleQuery:
        """The query while an answer is given: it says since when."""
        since = self.query.since or self.progress.now
        return replace(self.query, since=since, pick=None, step=None)

    @property
    def carried(self) -> Pairs:
        """Hidden fields of every form about this puzzle."""
        return self._asking.pairs()

    @property
    def last_move(self) -> str:
        return str(self.match.moves[-1]) if self.match.moves else ""

    @property
    def steps(self) -> tuple[str | None, ...]:
        """Addresses of first, previous, next and last; None where it is shown."""
        wanted = (0, self.step - 1, self.step + 1, len(self.line))
        return tuple(map(self._step_url, wanted))

    def _step_url(self, step: int) -> str | None:
        if not 0 <= step <= len(self.line) or step == self.step:
            return None
        return replace(self.query.here, step=step).url(self.path)

    # --- words

    @cached_property
    def _to_move(self) -> Seat:
        seat: Seat = self.game.parse_state(self.puzzle.state).to_move
        return seat

    @property
    def mover(self) -> str:
        return str(self._to_move.mark)

    @property
    def glyph(self) -> str:
        """The mark of whoever is to move on the board that is shown, or yours at the end."""
        return str(self._seat.mark) if has_marks(self.game) else ""

    @property
    def seat(self) -> str:
        return str(self._seat)

    @property
    def _seat(self) -> Seat:
        """Of whom `turn` speaks."""
        to_move: Seat = self.match.state.to_move
        return to_move if self.match.outcome() is None else self._to_move

    @property
    def turn(self) -> str:
        """Whose turn it is on the board that is shown, which may stand within a line."""
        return turn_text(self.match, self._to_move)

    @property
    def about(self) -> str:
        title = f"{find_entry(self.game.key).title} · {variant_title(self.puzzle.game)}"
        return f"{title} · you are {self.mover}" if has_marks(self.game) else title

    @property
    def title(self) -> str:
        if self.puzzle.id in self.query.set:
            return f"Puzzle {self.query.set.index(self.puzzle.id) + 1} of {len(self.query.set)}"
        return "Puzzle of the day" if self.query.today else "Puzzle"

    @property
    def task(self) -> str:
        return self.puzzle.task.removesuffix(".")

    @cached_property
    def refusal(self) -> str | None:
        """Why what was pressed is no move."""
        if self.message is not None and self.message.tone is Tone.REFUSAL:
            return self.message.text
        return refusal_for(self.match, self.board, self.query.pick) if self.is_open else None

    @property
    def shown_message(self) -> Message | None:
        """A message that does not stand in the status."""
        return None if self.refusal is not None else self.message

    @property
    def status(self) -> str:
        if self.refusal is not None:
            return self.refusal
        if self.judged is not None and self.step:
            return self._shown_text(self.judged)
        if self.query.pick and self.board.prompt:
            return self.board.prompt
        mark = "" if self.task.endswith("?") else "."
        return f"{self.task}{mark} {self.hint}" if self.hint else self.task

    def _shown_text(self, judged: Judgement) -> str:
        """What the move says that stands on the board: the answer's verdict, or who moved."""
        if self.step > 1:
            return move_text(self.match, self._to_move)
        if self.is_right or self.is_shown:
            return self.result_title
        return f"{self.result_title}: {verdict_text(self.puzzle, judged.answer)}"

    @property
    def hint(self) -> str:
        return hint_text(self.puzzle) if self.attempt.hinted and self.is_open else ""

    @property
    def announcement(self) -> str:
        texts = (self.status, *(self.explanation if self.step == 1 else ()))
        return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in texts)

    @cached_property
    def explanation(self) -> tuple[str, ...]:
        """Sentences about the answer that is shown."""
        if self.judged is None:
            return ()
        if self.is_right:
            said = (right_text, same_text)
            texts = (*(say(self.puzzle, self.judged) for say in said), others_text(self.puzzle))
            return tuple(filter(None, texts))
        return (wrong_text(self.puzzle, self.judged),)

    @property
    def result_title(self) -> str:
        return "The solution" if self.is_shown else TITLES[self.is_right]

    @property
    def proof(self) -> str:
        """Where the truth comes from, and the time taken."""
        seconds = self.attempt.seconds
        took = "" if seconds is None or self.is_shown else f" Your time: {time_text(seconds)}."
        return f"Proven: {self.puzzle.source}.{took}"

    @property
    def level(self) -> str:
        return f"level {level_of(self.puzzle, self.standing.score)}"

    @property
    def level_source(self) -> str:
        """How the level is known."""
        score = self.standing.score
        if not score.is_known and self.puzzle.missed is None:
            return "Its level is measured: how deep a search must look."
        if not score.is_known:
            return "Its level is measured: how deep a search must look, and how many machines miss."
        return f"Its level comes from the {score.tried} visitors who tried it."

    # --- ways on

    @property
    def next_url(self) -> str:
        if (following := self.query.next_in_set(self.puzzle.id)) is not None:
            return self.query.kept.url(f"{PATH}/{following}")
        if self.query.set:  # the last of them
            return PuzzleQuery(present=self.query.present).url(PATH, after=self.puzzle.id)
        if self.query.missed:
            return self.query.kept.url(f"{PATH}/again", missed=False)
        return self.query.kept.url(PATH, after=self.puzzle.id)

    @property
    def again_url(self) -> str:
        return replace(self.query.here, again=True).url(self.path)

    @property
    def hint_url(self) -> str:
        return f"{self.path}/hint"

    @property
    def show_url(self) -> str:
        return f"{self.path}/show"

    @property
    def tree_url(self) -> str:
        return child_url(position_url(self.puzzle.game, self.puzzle.state), "tree")

    @property
    def ask_url(self) -> str:
        if shipped_puzzle(self.puzzle.id) is None:  # the truth of a fresh one is not at hand
            return ask_class_url(self.puzzle.game, self.puzzle.state, ())
        return ask_url(puzzle_question(self.puzzle))

    @property
    def assign_fields(self) -> Mapping[str, str]:
        """The form of an assignment with this puzzle; none for one that does not ship."""
        if shipped_puzzle(self.puzzle.id) is None:
            return {}
        return {"tasks": f"## {self.puzzle.task}\npuzzles: {self.puzzle.id}\n"}

    @property
    def play_fields(self) -> Pairs:
        """A match from the position against the strongest machine."""
        return (
            ("game", self.puzzle.game),
            ("state", self.puzzle.state),
            ("opponent", strongest_agent(self.puzzle.game)),
            ("seat", self.mover),
        )

    @property
    def present_url(self) -> str:
        return self.query.url(self.path, present=not self.query.present)

    @property
    def rules_url(self) -> str:
        return rules_url(self.puzzle.game, self.path)

    @property
    def keys_url(self) -> str:
        return keys_url(self.path)

    @property
    def chooser(self) -> Chooser:
        return Chooser(self.query, self.progress.shelf.games, self.progress.shelf.themes)

    # --- three minutes

    @property
    def seconds_left(self) -> int | None:
        """Of the three minutes, while they run."""
        ends = self.standing.progress.sprint_ends
        return max(0, ends - self.progress.now) if self.query.sprint and ends else None

    @property
    def sprint_text(self) -> str:
        progress = self.standing.progress
        return f"{progress.sprint_solved} solved, {progress.sprint_missed} missed"


def level_of(puzzle: Puzzle, score: PuzzleScore) -> int:
    """By how visitors fared where enough tried it, else by depth and machines."""
    return nearest_level(score.rating) if score.is_known else puzzle.level


def time_text(seconds: int) -> str:
    """`14 s`, `2 min 5 s`."""
    minutes, rest = divmod(seconds, 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
