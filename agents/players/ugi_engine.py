"""An agent of ours as an engine of the Universal Game Interface, for runners such as cutegames."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from random import Random
from threading import Event, Thread
from typing import Any

from agents.core import Analysis, Limit, ask
from agents.errors import BrokenAgentError
from agents.players.ugi import (
    BEST_MOVE,
    HELLO_REPLY,
    NO_MOVE,
    READY_REPLY,
    SEED_OPTION,
)
from agents.wrappers import LoadedAgent
from engine.core import Seat
from engine.errors import ZermeloError
from engine.match import Match

CENTI = 100  # a value of 1, a certain win, is `score cp 100`
CLOCK_SHARE = 20  # of the time left on a clock, a move takes one part
WARM_UP = Limit(depth=1, nodes=1, seconds=0.1)
RESULTS = {Seat.FIRST: "p1win", Seat.SECOND: "p2win", None: "draw"}
MAX_SEED = 2**31 - 1


class UgiEngine:
    """Answers the lines of a runner; a search runs beside it, so that it always listens."""

    def __init__(self, agent: LoadedAgent, write: Callable[[str], None], seed: int = 0) -> None:
        self._agent, self._write = agent, write
        self._match: Match[Any, Any] = Match.begin(agent.game)
        self._seed = seed
        self._warm = False
        self._search: Thread | None = None
        self._stopped = Event()

    def run(self, lines: Iterable[str]) -> None:
        """Until `quit` or the end of the lines."""
        for line in lines:
            head, *words = line.split() or [""]
            if head == "quit":
                return
            try:
                self._obey(head, words)
            except (ZermeloError, ValueError, IndexError) as error:
                self._write(f"info string {head}: {' '.join(str(error).split())}")
        self._finish()

    def _obey(self, head: str, words: list[str]) -> None:
        match head:
            case "ugi":
                self._write(f"id name Zermelo {self._agent.spec}")
                self._write("id author Zermelo")
                self._write(f"option name {SEED_OPTION} type spin default 0 min 0 max {MAX_SEED}")
                self._write(HELLO_REPLY)
            case "isready":
                self._warm_up()
                self._write(READY_REPLY)
            case "setoption":
                self._set_option(words)
            case "uginewgame":
                self._finish()
                self._match = Match.begin(self._agent.game)
            case "position":
                self._finish()
                self._match = self._position(words)
            case "query":
                self._write(f"response {self._response(words[0])}")
            case "go":
                self._finish()
                self._begin(words)
            case "stop":
                self._finish()
            case "":
                pass
            case _:
                raise ValueError("no such command")

    def _warm_up(self) -> None:
        """Compile what it needs, which may take long: `isready` is when an engine may."""
        if not self._warm and self._search is None:
            self._warm = True
            start = Match.begin(self._agent.game)
            ask(self._agent, start, WARM_UP, Random(0))

    def _set_option(self, words: list[str]) -> None:
        name, _, value = " ".join(words[1:]).partition(" value ")
        if name.lower() != SEED_OPTION:
            raise ValueError(f"there is no option {name!r}")
        self._seed = int(value)

    def _position(self, words: list[str]) -> Match[Any, Any]:
        game = self._agent.game
        place, _, texts = " ".join(words).partition(" moves")
        if place == "startpos":
            start = None
        elif place.startswith("fen "):
            start = game.parse_state(place.removeprefix("fen "))
        else:
            raise ValueError("write startpos, or fen and a state")
        return Match.replay(game, map(game.parse_move, texts.split()), start)

    def _response(self, question: str) -> str:
        outcome = self._match.outcome()
        match question:
            case "gameover":
                return str(outcome is not None).lower()
            case "p1turn":
                return str(self._match.state.to_move is Seat.FIRST).lower()
            case "result":
                return "none" if outcome is None else RESULTS[outcome.winner]
            case _:
                raise ValueError(f"no such query: {question}")

    def _begin(self, words: list[str]) -> None:
        """Search in a thread; one that is `infinite` tells its move when it is stopped."""
        if self._match.outcome() is not None:
            self._write(f"{BEST_MOVE} {NO_MOVE}")
            return
        limit, patient = self._limit(words), "infinite" in words
        rng = Random(f"{self._seed} {self._match.ply}")
        self._stopped.clear()
        self._search = Thread(target=self._think, args=(limit, rng, patient), daemon=True)
        self._search.start()

    def _think(self, limit: Limit, rng: Random, patient: bool) -> None:
        try:
            analysis = ask(self._agent, self._match, limit, rng)
        except BrokenAgentError as error:
            self._write(f"info string {error}")
            self._write(f"{BEST_MOVE} {NO_MOVE}")
            return
        if patient:
            self._stopped.wait()
        for line in info_lines(analysis):
            self._write(line)
        self._write(f"{BEST_MOVE} {analysis.choice}")

    def _finish(self) -> None:
        """Wait for the search under way: it ends by its limit, and cannot be cut short."""
        self._stopped.set()
        if self._search is not None:
            self._search.join()
            self._search = None

    def _limit(self, words: list[str]) -> Limit:
        """Of `go`: by depth, nodes, time of a move, or the mover's clock."""
        given = {name: int(value) for name, value in pairwise(words) if value.isdecimal()}
        seconds = given["movetime"] / 1000 if "movetime" in given else None
        player = "p1" if self._match.state.to_move is Seat.FIRST else "p2"
        if seconds is None and f"{player}time" in given:
            left, gained = given[f"{player}time"], given.get(f"{player}inc", 0)
            seconds = min(left / 2, left / CLOCK_SHARE + gained) / 1000
        return Limit(given.get("depth"), given.get("nodes"), seconds)


def info_lines(analysis: Analysis[Any]) -> list[str]:
    """What it looked at and expects, and its reason in words."""
    chosen, effort = analysis.chosen, analysis.effort
    parts = ["info"]
    if effort.depth:
        parts.append(f"depth {effort.depth}")
    if chosen.value is not None:
        parts.append(f"score cp {round(CENTI * chosen.value)}")
    if effort.nodes:
        parts.append(f"nodes {effort.nodes}")
    parts.append(f"pv {' '.join(map(str, chosen.line or (chosen.move,)))}")
    return [" ".join(parts), f"info string {' '.join(analysis.reason.split())}"]
