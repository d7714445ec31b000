"""What runs in the process of a guard: the games it is sent, one by one.

Before each thought it says how the game stands if that never ends (`agents.contest.guarded`).
"""

from __future__ import annotations

import os
import pickle
import sys
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

from agents.contest.arena import Fixture, Played, play_game


def main() -> None:
    said = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what an agent prints is no answer

    def say(over: bool, played: Played) -> None:
        pickle.dump((over, played), said)
        said.flush()

    asked: SimpleQueue[Fixture] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, asked), daemon=True).start()
    while True:
        say(True, play_game(asked.get(), lambda forfeit: say(False, forfeit)))


def _listen(line: BinaryIO, asked: SimpleQueue[Fixture]) -> None:
    """Nobody is left to play for once the line ends, in the middle of a thought too."""
    try:
        while True:
            asked.put(pickle.load(line))  # noqa: S301 - from whoever started us
    except EOFError:
        os._exit(0)


if __name__ == "__main__":
    main()
