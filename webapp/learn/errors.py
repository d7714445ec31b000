"""What can be wrong with a lesson, and with what is asked of one."""

from __future__ import annotations

from engine.errors import ZermeloError, quoted


class LessonTextError(ZermeloError):
    """A text that is no lesson: where, and why."""

    def __init__(self, source: str, line: int, why: str) -> None:
        super().__init__(f"{source}, line {line}: {why}")
        self.source = source
        self.line = line


class UnknownFigureError(ZermeloError):
    """A figure that nothing computes, or that was not computed yet."""

    def __init__(self, figure: str, why: str) -> None:
        super().__init__(f"figure {quoted(figure)}: {why}")
        self.figure = figure
