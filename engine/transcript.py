"""Matches read from transcripts or from the texts of their moves."""

from functools import lru_cache
from typing import Any

from engine.catalog import load_game
from engine.core import Ending, Seat
from engine.errors import InvalidTranscriptError, ZermeloError, quoted
from engine.match import Match

MAX_TRANSCRIPT_CHARS = 20_000
STRIDE = 64  # plies per recursive call chain, well within Python's recursion limit


def replayed(game: str, start: str | None, moves: tuple[str, ...]) -> Match[Any, Any]:
    """The match with these moves from this state, or from the game's own start (cached)."""
    for plies in range(STRIDE, len(moves), STRIDE):
        _replay(game, start, moves[:plies])
    return _replay(game, start, moves)


@lru_cache(maxsize=4096)
def _replay(game: str, start: str | None, moves: tuple[str, ...]) -> Match[Any, Any]:
    rules = load_game(game)
    if not moves:
        return Match.begin(rules, None if start is None else rules.parse_state(start))
    return _replay(game, start, moves[:-1]).play(rules.parse_move(moves[-1]))


def read_transcript(text: str) -> Match[Any, Any]:
    """Parse the text of `Match.transcript`, checking every move."""
    if len(text) > MAX_TRANSCRIPT_CHARS:
        raise InvalidTranscriptError(text, f"longer than {MAX_TRANSCRIPT_CHARS} characters")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or not lines[0].startswith("game "):
        raise InvalidTranscriptError(text, "a transcript begins with a line 'game' and its spec")
    game = load_game(lines[0].removeprefix("game ").strip())
    turns, result, start = lines[1:], "unfinished", None
    if turns and turns[0].startswith("state "):
        start = game.parse_state(turns.pop(0).removeprefix("state ").strip())
    match = Match.begin(game, start)
    if turns and not turns[-1][0].isdecimal():
        result = turns.pop()
    for line in turns:
        for ply in _plies(line):
            match = _play(match, ply)
    match = _with_resignation(match, result)
    if result not in ("unfinished", match.result()):
        why = f"it ends with {quoted(result)}, but by the rules with {match.result()!r}"
        raise InvalidTranscriptError(text, why)
    return match


def _plies(line: str) -> list[str]:
    number, _, plies = line.partition(".")
    texts = plies.split()
    if not (number.isdecimal() and 1 <= len(texts) <= 2):
        why = f"{quoted(line)} is no turn: write it as 1. and one or two moves"
        raise InvalidTranscriptError(line, why)
    return texts


def _with_resignation(match: Match[Any, Any], result: str) -> Match[Any, Any]:
    for seat in Seat:
        if result == f"{seat.other} wins: {Ending.RESIGNATION}" and match.outcome() is None:
            return match.resign(seat)
    return match


def _play(match: Match[Any, Any], text: str) -> Match[Any, Any]:
    try:
        return match.play(match.game.parse_move(text))
    except ZermeloError as error:
        ply = match.ply + 1
        raise InvalidTranscriptError(text, f"ply {ply}, {quoted(text)}: {error}") from error
