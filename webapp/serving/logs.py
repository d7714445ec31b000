"""Logging: one line for each event, which no visitor's input can forge."""

from __future__ import annotations

import json
import logging
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from types import TracebackType

from webapp.config import ConfigError
from webapp.web.access_log import log as requests
from webapp.web.access_log import request_id

MAX_LINE_CHARS = 2000
MAX_FRAMES = 8  # of a traceback, the innermost first
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s%(request)s"
VARIABLE = "ZERMELO_LOG"
# What is logged: what went wrong; every request too; the same as JSON.
STYLES = ("errors", "requests", "json")


class RequestIds(logging.Filter):
    """Adds the id of the request that a record is about."""

    def filter(self, record: logging.LogRecord) -> bool:
        found = request_id()
        record.__dict__ |= {"request_id": found, "request": f" (request {found})" if found else ""}
        return True


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


class OneObject(OneLine):
    """A JSON object on a line: time, level, logger, message, request and fields of its own."""

    def format(self, record: logging.LogRecord) -> str:
        said = record.getMessage()
        if record.exc_info:
            said = f"{said} {self.formatException(record.exc_info)}"
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": said[:MAX_LINE_CHARS],
        }
        if (found := getattr(record, "request_id", None)) is not None:
            entry["request"] = found
        return json.dumps(entry | getattr(record, "fields", {}))


def printable(text: str) -> str:
    """The text with unprintable characters escaped: a newline as \\n."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def write_logs(style: str | None = None) -> None:
    """Log to stderr in this style, else that of the environment; unless logging is set up."""
    if logging.root.handlers:
        return
    chosen = style or os.environ.get(VARIABLE) or STYLES[0]
    if chosen not in STYLES:
        raise ConfigError(f"{VARIABLE} is one of {', '.join(STYLES)}, not {chosen!r}")
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(RequestIds())
    handler.setFormatter(OneObject() if chosen == "json" else OneLine(FORMAT))
    logging.root.addHandler(handler)
    if chosen != "errors":
        requests.setLevel(logging.INFO)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of every short queue
