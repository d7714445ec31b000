"""A search in somebody's own file, run against a box in a process of its own."""

from __future__ import annotations

import json
import os
import re
import sys
import weakref
from bisect import bisect_right
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Final

from agents.compute.child_process import Process, by_command, kill_group
from agents.optimisers.black_box.run import MARKS, BoxRun
from agents.optimisers.entry import BrokenSearchError
from agents.players import guest
from engine.problems.black_box import MAX_CALLS, BlackBox

SILENCE_S: Final = 60.0  # without a question, after which a search is given up
SPEC = re.compile(r"(?P<path>[^:]+)(?::(?P<name>\w+)(?:\((?P<args>.*)\))?)?", re.DOTALL)
# The guest package under a name of its own, in whatever directory it is.
BOOT = """
import importlib, importlib.util, os, sys
place = sys.argv[1]
spec = importlib.util.spec_from_file_location(
    "zermelo_guest", place, submodule_search_locations=[os.path.dirname(place)])
sys.modules["zermelo_guest"] = importlib.util.module_from_spec(spec)
importlib.import_module("zermelo_guest.box_search").main()
"""


def is_file(search: str) -> bool:
    """Whether a search is named by its path, `./search.py:ea(10)`."""
    return search.startswith(("./", "../", "/"))


class FileSession:
    """A file's search at work on a box, which stays on this side; like a `BoxSession`."""

    def __init__(self, box: BlackBox, search: str, seed: int) -> None:
        read = SPEC.fullmatch(search)
        if read is None or not os.path.isfile(read["path"]):
            raise BrokenSearchError(f"{search} is no file, nor PATH:FUNCTION(ARGUMENTS)")
        self.box, self.search = box, search
        self.request = {
            "path": os.path.abspath(read["path"]),
            "name": read["name"],
            "args": read["args"],
            "bits": box.bits,
            "groups": len(box.groups),
            "seed": seed,
        }
        self.channel: Connection | None = None

    def warm_up(self) -> None:
        """Nothing of ours is compiled for it."""

    def start(self) -> BoxRun:
        """Start its process, which is killed when this session is over."""
        self.channel, its = Pipe()
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-c", BOOT, str(guest.__file__)]
        process = by_command(command, environment)(its)
        its.close()
        self._end = weakref.finalize(self, _kill, process)
        self.channel.send_bytes(json.dumps(self.request).encode())
        return BoxRun()

    def advance(self, run: BoxRun, limit: int | None, seconds: float) -> BoxRun:
        """Answer for about so many seconds, and at most `limit` calls in all."""
        begun, most = perf_counter(), MAX_CALLS if limit is None else limit
        calls, best, genome, curve = run.calls, run.best, run.genome, list(run.curve)
        ended = False
        while not ended and perf_counter() - begun < seconds:
            asked = self._question()
            if asked is None:
                ended = True
                break
            value = self.box.value(asked)
            calls += 1
            if value > best:
                best, genome = value, asked
            if MARKS[bisect_right(MARKS, calls) - 1] == calls:
                curve.append((calls, best))
            ended = best >= self.box.goal or calls >= most
            if not ended:
                assert self.channel is not None
                self.channel.send_bytes(repr(value).encode())
        if ended:
            self._end()
            if calls == 0:
                raise BrokenSearchError(f"{self.search} ended without a question to the box")
            if curve[-1][0] != calls:
                curve.append((calls, best))
        return replace(
            run,
            calls=calls,
            best=best,
            genome=genome,
            curve=tuple(curve),
            ended=ended,
            seconds=run.seconds + perf_counter() - begun,
        )

    def _question(self) -> int | None:
        """The next genome; None at its end. Raises BrokenSearchError."""
        assert self.channel is not None
        try:
            if not self.channel.poll(SILENCE_S):
                raise BrokenSearchError(f"{self.search} asked nothing for {SILENCE_S:g} s")
            message = self.channel.recv_bytes()
        except (EOFError, OSError) as error:
            raise BrokenSearchError(f"{self.search}: its process died") from error
        if not message.startswith(b"{"):
            return int(message, 16)
        end = json.loads(message)
        if "error" in end:
            place = f"{end['place']}: " if end["place"] else ""
            raise BrokenSearchError(f"{self.search} failed: {place}{end['error']}")
        return None


def _kill(process: Process) -> None:
    kill_group(process)
    process.join()
