"""What a failed agent's author is told: the line at fault and the traceback, without our frames."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from types import TracebackType

from engine.errors import without_controls

OURS = Path(__file__).parent
CALLERS = {
    OURS / name
    for name in ("core.py", "wrappers.py", "roster.py", "contest/arena.py", "player_loader.py")
}
MAX_FRAMES = 20
MAX_TRACEBACK_CHARS = 4_000
MAX_ERROR_CHARS = 160
# Folders of this machine: of a traceback's files, and in texts, where a space ends a path.
FILE_FOLDERS = re.compile(r'(?<=File ")[^"\n]*/(?=[^"/\n]+")')
FOLDERS = re.compile(r"(?<![\w.])/(?:[^\s/'\":]+/)+")


def without_folders(text: str) -> str:
    """The text with files by their names alone: where they are is nobody else's business."""
    return FOLDERS.sub("", FILE_FOLDERS.sub("", text))


def error_text(error: BaseException) -> str:
    """`ZeroDivisionError: division by zero (mybot.py, line 3)`, on one line."""
    try:
        message = " ".join(without_controls(str(error)).split())
    except Exception:  # noqa: BLE001 - an error may fail to say what it is
        message = ""
    if len(message) > MAX_ERROR_CHARS:
        message = f"{message[:MAX_ERROR_CHARS]}…"
    kind = type(error).__name__
    return f"{kind}: {message}" if message else kind


def line_text(error: BaseException) -> str:
    """` (mybot.py, line 3)`: the deepest line in the file that we called, if there is one."""
    frames = traceback.extract_tb(_without_callers(error.__traceback__))
    if not frames:
        return ""
    deepest = [frame for frame in frames if frame.filename == frames[0].filename][-1]
    return f" ({Path(deepest.filename).name}, line {deepest.lineno})"


def traceback_text(error: BaseException) -> str:
    """The traceback from the agent's own code on, bounded."""
    trace = _without_callers(error.__traceback__)
    try:
        lines = traceback.format_exception(
            type(error), error, trace, limit=-MAX_FRAMES, chain=False
        )
    except Exception:  # noqa: BLE001 - an error may fail to say what it is
        lines = traceback.format_tb(trace, limit=-MAX_FRAMES)
    text = without_controls("".join(lines), "\n")
    return text if len(text) <= MAX_TRACEBACK_CHARS else f"…{text[-MAX_TRACEBACK_CHARS:]}"


def _without_callers(trace: TracebackType | None) -> TracebackType | None:
    """The traceback after the frames of whoever asked the agent."""
    while trace is not None and Path(trace.tb_frame.f_code.co_filename) in CALLERS:
        trace = trace.tb_next
    return trace
