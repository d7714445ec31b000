"""The `zermelo` command, called within this process: what it prints and how it ends."""

from __future__ import annotations

import io
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from benchmarks.guard import adapter
from benchmarks.guard.record import Recorder

# Other processes have the clock of this machine.
MANY = re.compile(r"--workers [2-9]")
SECONDS = re.compile(r"\s*\b\d[\d.]* (ms|s|µs)\b|(?<=\"seconds_per_move\": )[\d.e-]+")


@dataclass(frozen=True)
class Ended:
    """One command when it is over."""

    code: int
    out: str
    err: str


def run(*arguments: object, typed: str = "") -> Ended:
    """`zermelo` with these arguments; raises whatever is not an exit."""
    out, err = Terminal(), Terminal()
    code: object = 0
    with (
        patch.object(sys, "argv", ["zermelo", *map(str, arguments)]),
        patch.object(sys, "stdin", Terminal(typed)),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            adapter.command()()
        except SystemExit as ended:
            code = ended.code
    return Ended(code if isinstance(code, int) else int(code is not None), out.text, err.text)


class Terminal(io.TextIOWrapper):
    """A stream in UTF-8 of which everything is kept."""

    def __init__(self, typed: str = "") -> None:
        super().__init__(io.BytesIO(typed.encode()), "utf-8", write_through=True)

    @property
    def text(self) -> str:
        self.flush()
        held: io.BytesIO = self.buffer  # type: ignore[assignment]
        return held.getvalue().decode("utf-8", "replace")


def record(recorder: Recorder, *arguments: object, typed: str = "", about: str = "") -> Ended:
    """Run a command and write down what came of it; `about` says what else was set."""
    ended = run(*arguments, typed=typed)
    out = ended.out
    if "--json" in arguments and ended.code == 0:
        out = json.dumps(json.loads(out), indent=1, sort_keys=True, ensure_ascii=False)
    said = " ".join(map(str, arguments))
    if MANY.search(said):
        out = SECONDS.sub("S", out)
    parts = [f"zermelo {said}", f"exit code {ended.code}"]
    parts += [f"typed: {typed!r}"] if typed else []
    parts += [f"set: {about}"] if about else []
    parts += ["", out.rstrip(), "", "stderr:", ended.err.rstrip()] if ended.err else ["", out]
    recorder.write(f"zermelo {said}", "\n".join(parts))
    return ended
