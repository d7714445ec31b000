"""What a player is told when it is to move."""

from __future__ import annotations

import random
from time import monotonic
from typing import Any, Dict, List

DEFAULT_SECONDS = 5.0  # of a turn that does not say how long it lasts


class Turn:
    """A position, the moves that can be played in it, and the time there is."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.game: str = document["game"]  # its spec: `nim:heaps=1-3-5-7`
        self.seat: str = document["seat"]  # `x`, who moved first, or `o`
        self.state: str = document["state"]  # `x.o/.x./..o x`: rows from the top, who is to move
        self.moves: List[str] = list(document.get("moves") or [])  # played so far
        self.legal: List[str] = list(document["legal"])  # what can be played now
        self.start: str = document.get("start") or ""  # where the match began, unless as usual
        self.ply: int = int(document.get("ply", len(self.moves)))
        self.seed: int = int(document.get("seed") or 0)
        self.rng = random.Random(self.seed)
        seconds = document.get("seconds")
        self.seconds: float = DEFAULT_SECONDS if seconds is None else float(seconds)
        self._deadline = monotonic() + self.seconds

    @property
    def seconds_left(self) -> float:
        """Until the answer is due; 0 when it is late."""
        return max(0.0, self._deadline - monotonic())

    @property
    def key(self) -> str:
        """The game without its options: `nim`."""
        return self.game.partition(":")[0]

    @property
    def seat_index(self) -> int:
        """0 for `x`, who moved first, 1 for `o`."""
        return 0 if self.seat == "x" else 1

    @property
    def board(self) -> List[str]:
        """The rows as texts, from the top: `x.o`; of Nim a `|` for each match of a row."""
        rows = self.state.rpartition(" ")[0]
        if self.key == "nim":
            return ["|" * int(heap) for heap in rows.split("-")]
        return rows.split("/")

    def __repr__(self) -> str:
        return "Turn({}, {!r}, seat {})".format(self.game, self.state, self.seat)
