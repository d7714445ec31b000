"""The Universal Game Interface, as spoken to an engine: its handshake, its turns, its answers.

UCI for any game (github.com/kz04px/cutegames, ugi.md): positions are `startpos` or `fen` with the
text of a state, moves are our moves' texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from time import perf_counter
from typing import Any

HELLO, HELLO_REPLY = "ugi", "ugiok"
READY, READY_REPLY = "isready", "readyok"
NEW_GAME = "uginewgame"
BEST_MOVE = "bestmove"
NO_MOVE = "0000"
# Options that an engine for several games, or one that draws lots, may offer.
GAME_OPTION, SEED_OPTION = "game", "seed"
MAX_PV_MOVES = 8  # of a reason


class Handshake:
    """Reads an engine's lines until it says `ugiok`, and notes the options it offers."""

    def __init__(self) -> None:
        self.options: dict[str, str] = {}  # as it writes them, by their names in small letters

    def read(self, line: str) -> bool | None:
        words = line.split()
        if words[:2] == ["option", "name"] and "type" in words:
            name = " ".join(words[2 : words.index("type")])
            self.options[name.lower()] = name
        return True if words == [HELLO_REPLY] else None

    def settings(self, game: str, seed: int) -> list[str]:
        """The lines that tell it the game and the seed, where it has options for them."""
        values = {GAME_OPTION: game, SEED_OPTION: seed}
        return [
            f"setoption name {self.options[name]} value {value}"
            for name, value in values.items()
            if name in self.options
        ]


def read_ready(line: str) -> bool | None:
    return True if line.split() == [READY_REPLY] else None


def position_line(start: str | None, moves: Sequence[str]) -> str:
    """`position startpos moves a1-e1`; `position fen x../... o` where it began elsewhere."""
    place = "startpos" if start is None else f"fen {start}"
    return " ".join(["position", place, *(["moves"] if moves else []), *moves])


def turn_lines(turn: Mapping[str, Any], seconds: float) -> list[str]:
    """The lines of a turn."""
    milliseconds = max(1, round(1000 * seconds))
    return [position_line(turn.get("start"), turn["moves"]), f"go movetime {milliseconds}"]


class Search:
    """Reads an engine's lines until it names its move; the answer as of any player."""

    def __init__(self) -> None:
        self._begun = perf_counter()
        self._info: dict[str, str] = {}  # the last figures
        self._line: list[str] = []  # that it expects
        self._words = ""  # of `info string`

    def read(self, line: str) -> dict[str, Any] | None:
        head, *words = line.split() or [""]
        if head == "info":
            self._note(words)
        if head != BEST_MOVE:
            return None
        return {
            "move": words[0] if words else "",
            "reason": self._reason(),
            "seconds": perf_counter() - self._begun,
        }

    def _note(self, words: list[str]) -> None:
        if words[:1] == ["string"]:
            self._words = " ".join(words[1:])
            return
        if "pv" in words:
            at = words.index("pv")
            words, self._line = words[:at], words[at + 1 :]
        figures = {"depth", "nodes"}
        pairs = pairwise(words)
        self._info |= {name: value for name, value in pairs if name in figures}

    def _reason(self) -> str | None:
        """What it said in words, else what it looked at."""
        if self._words:
            return self._words
        units = {"depth": "{} plies ahead", "nodes": "at {} positions"}
        looked = [units[name].format(value) for name, value in sorted(self._info.items())]
        parts = [f"looked {' '.join(looked)}"] if looked else []
        if len(self._line) > 1:
            parts.append(f"expects {' '.join(self._line[:MAX_PV_MOVES])}")
        return f"It {' and '.join(parts)}." if parts else None
