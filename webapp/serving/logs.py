"""Logging: one line for each event, which no visitor's input can forge."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from traceback import extract_tb
from types import TracebackType

MAX_LINE_CHARS = 2000
MAX_FRAMES = 8  # of a traceback, the innermost first
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class OneLine(logging.Formatter):
    """Escapes unprintable characters, and writes a traceback on the same line."""

    def format(self, record: logging.LogRecord) -> str:
        line = " ".join(part for part in super().format(record).split("\n") if part)
        return printable(line)[:MAX_LINE_CHARS]

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
        return printable(f"[{kind.__name__}: {error}] at {' < '.join(frames[:MAX_FRAMES])}")


def printable(text: str) -> str:
    """The text with unprintable characters escaped: a newline as \\n."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def write_logs() -> None:
    """Log warnings and worse to stderr, unless logging is set up already."""
    if logging.root.handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine(FORMAT))
    logging.root.addHandler(handler)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of every short queue
