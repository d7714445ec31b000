"""Puzzles from a match that is over: found in a worker, kept for its player, and gone to."""

from __future__ import annotations

from flask import Blueprint, Response

from webapp.matches.changes import find
from webapp.puzzles.models import FROM_MATCH
from webapp.puzzles.requests import TIMEOUT_S, MatchPuzzlesRequest
from webapp.puzzles.store import PuzzleStore
from webapp.replays.models import NotYourTurnError, Record
from webapp.replays.query import match_path
from webapp.replays.routes import no_content
from webapp.services import service
from webapp.web.cookies import current_actor, player_of_this_request
from webapp.web.htmx import go_to, partial_is_wanted, render
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank

own_puzzles = Blueprint("own_puzzles", __name__, url_prefix="/matches")


@own_puzzles.post("/<match_id>/puzzles")
def make(match_id: str) -> Response:
    """Go to the first puzzle from this match; while they are looked for, a page that waits."""
    service(RateLimits).spend()
    record = find(match_id)
    question = _request(record)
    answer = service(WorkerClient).answer(question, Rank.STORY, TIMEOUT_S)
    path = match_path(match_id)
    if answer is None:
        if partial_is_wanted():
            return no_content()
        return _waiting(path, "Looking for puzzles in your game", "")
    if not answer.result:
        why = answer.note or "No position of this game has exactly one right move."
        return _waiting(path, "No puzzles in this game", why)
    puzzles = [found.puzzle for found in answer.result]
    missed = [found.puzzle.id for found in answer.result if found.missed]
    service(RateLimits).spend_on("puzzles")
    service(PuzzleStore).keep_own(player_of_this_request(), puzzles, missed, FROM_MATCH)
    ids = ".".join(puzzle.id for puzzle in puzzles)
    return go_to(f"/puzzles/{puzzles[0].id}?set={ids}")


def _request(record: Record) -> MatchPuzzlesRequest:
    """What is asked of a worker; raises unless the match is over and the visitor's."""
    actor = current_actor()
    record.check_actor(actor)
    if record.outcome is None:
        raise NotYourTurnError("puzzles are made from a game that is over")
    moves = tuple(ply.text for ply in record.plies)
    seats = record.held_by(actor) or record.people
    return MatchPuzzlesRequest(record.game, record.start, moves, tuple(int(seat) for seat in seats))


def _waiting(path: str, title: str, why: str) -> Response:
    template = "puzzles/from_match.html"
    return render(template, template, 200, path=path, title=title, why=why)
