"""A player in a process of its own, asked directly, and games between it and random moves.

The process does what a parent relies on and no more: the package of guests under its own name,
chance seeded before the player's code is loaded and before each move, prints to standard error.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from agents.players import guest
from engine import Match, load_game
from engine.core import Outcome, Seat

DRIVER = """
import importlib, importlib.util, json, os, random, sys, traceback

channel, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
requests, sys.stdin = os.fdopen(os.dup(0)), open(os.devnull)
spec = importlib.util.spec_from_file_location(
    "zermelo_guest", sys.argv[1], submodule_search_locations=[os.path.dirname(sys.argv[1])])
sys.modules["zermelo_guest"] = importlib.util.module_from_spec(spec)
loader = importlib.import_module("zermelo_guest.loader")
turn = importlib.import_module("zermelo_guest.turn")
for line in requests:
    message = json.loads(line)
    random.seed(message["seed"])
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(message["seed"])
    try:
        if "path" in message:
            named = [message[key] for key in ("path", "name", "args", "game", "seat")]
            guest, reply = loader.load(*named), {"ready": True}
        else:
            reply = {"move": guest.choose(turn.Turn(message))}
    except Exception as error:
        reply = {
            "error": "{}: {}".format(type(error).__name__, error),
            "message": str(error),
            "unplayable": type(error).__name__ == "UnplayableError",
            "traceback": traceback.format_exc(),
        }
    sys.stdout.flush()
    channel.write(json.dumps(reply) + "\\n")
    channel.flush()
"""


class Child:
    """Sends a request and reads the reply, as long as the block lasts."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process, self.log = process, log

    def ask(self, **message: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        reply: dict[str, Any] = json.loads(self.process.stdout.readline())
        return reply

    def start(self, told: str, game: str, seat: int, seed: int = 0) -> dict[str, Any]:
        """Load the player that is named as on the command line: `main.py:Mine(2, SEAT)`."""
        path, _, rest = told.partition(":")
        name, bracket, args = rest.partition("(")
        return self.ask(
            path=path,
            name=name or None,
            args=args[:-1] if bracket else None,
            game=game,
            seat=seat,
            seed=seed,
        )


@contextmanager
def child(directory: Path, python: str = sys.executable, **environment: str) -> Iterator[Child]:
    """A process whose working directory is the player's."""
    log = directory / "log"
    with (
        log.open("wb") as told,
        subprocess.Popen(
            [python, "-c", DRIVER, guest.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=told,
            cwd=directory,
            env={**os.environ, "PYTHONHASHSEED": "0", **environment},
        ) as process,
    ):
        try:
            yield Child(process, log)
        finally:
            process.kill()


def play(one: Child, game: str, seat: Seat, seed: int) -> Outcome:
    """A match of a started player against random moves; its every answer has to be a move."""
    loaded = load_game(game)
    rng, match = Random(seed), Match.begin(loaded)
    while (outcome := match.outcome()) is None:
        state = match.state
        legal = {str(move): move for move in state.legal_moves()}
        if state.to_move is not seat:
            match = match.play(rng.choice(list(legal.values())))
            continue
        reply = one.ask(
            game=loaded.spec,
            seat=seat.mark,
            state=str(state),
            moves=list(map(str, match.moves)),
            legal=list(legal),
            seconds=60.0,
            seed=seed * 1000 + match.ply,
        )
        assert reply.get("move") in legal, reply
        match = match.play(legal[reply["move"]])
    return outcome
