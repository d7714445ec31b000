"""A player from outside asked once in every position of a small game: an opponent to train against.

What it answered is kept under its digest, so that a training repeats and goes on without the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from agents.compute.paths import data_dir, keep
from agents.core import Analysis, Candidate, Limit, Measure
from agents.errors import BrokenAgentError, UnsuitableAgentError
from agents.players.agent import MOVE_S, analysis_of, turn_document
from agents.players.process import PlayerProcess
from agents.players.spec import FILE_KEY, OutsidePlayer, file_key
from agents.tabular.tables import tabulate, why_too_many
from engine.core import Game, State
from engine.errors import InvalidSpecError

MAX_STATES = 10_000  # of a game in which a file is asked everywhere
SEED = 1
DIGEST_CHARS = 16
SPEC = re.compile(rf"{FILE_KEY}[a-z0-9-]+@(?P<digest>[0-9a-f]{{{DIGEST_CHARS}}})")

Watch = Callable[[Iterable[Any], int], Iterable[Any]]  # of states and their number


def is_recorded(spec: str) -> bool:
    """Whether it names what a player was recorded to answer: `file-mybot@3f2a9c0b7d1e4a55`."""
    return SPEC.fullmatch(spec) is not None


@dataclass(frozen=True, slots=True)
class RecordedPlayer:
    """Plays what a player answered when it was asked."""

    answers: Mapping[str, str]  # state -> move
    game: Game[Any, Any]

    def analyse(
        self, state: State[Any], *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Any]:
        move = self.game.parse_move(self.answers[str(state)])
        reason = f"It played {move} when it was asked."
        return Analysis((Candidate(move, chance=1.0),), reason, move, measure=Measure.CHANCE)


def record_player(
    player: OutsidePlayer, game: Game[Any, Any], watched: Watch = lambda states, _: states
) -> str:
    """Ask it in every position with a fixed seed, keep the answers, and give their spec.

    Raises UnsuitableAgentError for a game that is too large, and BrokenAgentError where it fails.
    """
    if (why := why_too_many(game, MAX_STATES, "ask a player's file in each")) is not None:
        raise UnsuitableAgentError(f"{player.spec} cannot be trained against: {why}")
    tables = tabulate(game)
    states = [state for at, state in enumerate(tables.states) if not tables.over[at]]
    answers = dict(_answers(player, game, watched(states, len(states))))
    text = json.dumps({"game": game.spec, "answers": answers}, sort_keys=True, indent=0)
    digest = sha256(text.encode()).hexdigest()[:DIGEST_CHARS]
    keep(text.encode(), _path(digest))
    name = "player" if player.path is None else player.path.stem
    return f"{file_key(name)}@{digest}"


def recorded_player(spec: str, game: Game[Any, Any]) -> RecordedPlayer:
    """What was recorded; raises InvalidSpecError where it is not here, or of another game."""
    found = SPEC.fullmatch(spec)
    path = None if found is None else _path(found["digest"])
    if path is None or not path.is_file():
        why = f"what {spec} answered is not on this machine: train against its file again"
        raise InvalidSpecError(spec, why)
    document = json.loads(path.read_bytes())
    if document["game"] != game.spec:
        raise InvalidSpecError(spec, f"{spec} was asked in {document['game']}, not in {game.spec}")
    return RecordedPlayer(document["answers"], game)


def _answers(
    player: OutsidePlayer, game: Game[Any, Any], states: Iterable[State[Any]]
) -> Iterator[tuple[str, str]]:
    """(state, move) for each state; a process for each seat."""
    processes: dict[int, PlayerProcess] = {}
    try:
        for state in states:
            seat = int(state.to_move)
            try:
                if seat not in processes:
                    processes[seat] = PlayerProcess(player, game.spec, seat)
                    processes[seat].start(SEED)
                reply = processes[seat].ask(turn_document(game, (state,), SEED), MOVE_S)
                yield str(state), str(analysis_of(reply, state, game).choice)
            except BrokenAgentError as error:
                why = f"{player.spec} cannot be trained against: in {state} {error}"
                raise BrokenAgentError(why) from error
    finally:
        for process in processes.values():
            process.end()


def _path(digest: str) -> Path:
    place = data_dir() / "players"
    place.mkdir(exist_ok=True)
    return place / f"{digest}.json"
