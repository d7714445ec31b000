"""What an operator reads: one line for each event, whatever a visitor put into a name."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from traceback import extract_tb
from types import TracebackType

LONGEST = 2000  # characters of a line
FRAMES = 8  # of a stack, the innermost first
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class OneLine(logging.Formatter):
    """Everything that is no printable character is escaped, and a stack is told in one breath."""

    def format(self, record: logging.LogRecord) -> str:
        line = " ".join(part for part in super().format(record).split("\n") if part)
        return printable(line)[:LONGEST]

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as logging has it
        record.message = printable(record.message)
        return super().formatMessage(record)

    def formatException(  # noqa: N802 - as logging has it
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        kind, error, stack = ei
        if kind is None:
            return ""
        frames = [
            f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in reversed(extract_tb(stack))
        ]
        return printable(f"[{kind.__name__}: {error}] at {' < '.join(frames[:FRAMES])}")


def printable(text: str) -> str:
    """The text on one line: a newline shows as \\n and begins no line of its own."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def write_logs() -> None:
    """Warnings and worse to stderr, in lines that nobody can forge, where nobody set up others."""
    if logging.root.handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine(FORMAT))
    logging.root.addHandler(handler)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short queue is no news
