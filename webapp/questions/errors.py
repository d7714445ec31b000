"""What can be wrong with a question, and what nobody can know."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import InvalidTextError, ZermeloError


class InvalidQuestionError(InvalidTextError):
    """A question that cannot be asked so; its text says what would be right."""


class UnknowableError(ZermeloError):
    """A truth that cannot be had here, although the question makes sense."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a text, and where."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


class InvalidLessonError(InvalidTextError):
    """A text that is no lesson; everything that is wrong with it, by line."""

    def __init__(self, text: str, problems: Sequence[Problem]) -> None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(text, f"{problems[0]}{more}")
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.problems)
