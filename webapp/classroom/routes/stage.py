"""Actions of the control on what the screen shows instead of the votes."""

from __future__ import annotations

from dataclasses import replace

from flask import request

from agents.contest.strength import strongest_agent
from webapp.classroom import rules
from webapp.classroom.forms import shown_page
from webapp.classroom.models import ClassSession, ClosedVoteError, Phase, RoundRecord
from webapp.classroom.routes.session import update
from webapp.classroom.stage import COMMANDS, Stage, StageKind, stage_of
from webapp.questions.plans import MAX_LINK_CHARS
from webapp.questions.requests import analysis_request
from webapp.services import service
from webapp.web.errors import InvalidFormError
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank


def set_stage(session: ClassSession) -> ClassSession | None:
    """Show an exhibit, a line of play or a page on the screen, go on with it, or take it back."""
    wanted, stage = request.form.get("do", ""), stage_of(session.record)
    match wanted:
        case "back":
            return update(session, shown=None)
        case "page":
            path = shown_page(request.form.get("path", "")[:MAX_LINK_CHARS])
            return show(session, Stage(StageKind.PAGE, path))
        case "exhibit":
            return show(session, Stage(StageKind.EXHIBIT))
        case "line":
            current = _revealed_round(session)
            move = rules.read_answer(current.question, request.form.get("move", "")[:16])
            return show(session, Stage(StageKind.LINE, moves=(move,), wanted=1))
        case "settle" if stage is not None and stage.pending:
            return _play_out(session, stage)
        case _ if wanted in COMMANDS and stage is not None:
            after = show(session, stage.ordered(wanted))
            ordered = stage_of(after.record)
            return (_play_out(after, ordered) if ordered and ordered.pending else None) or after
        case _:
            raise InvalidFormError(wanted[:20], "that cannot be shown")


def _revealed_round(session: ClassSession) -> RoundRecord:
    current = session.round
    if session.phase != Phase.REVEALED or current is None or not current.question.wants_move:
        raise ClosedVoteError("reveal a vote on a move first")
    return current


def _play_out(session: ClassSession, stage: Stage) -> ClassSession | None:
    """Add the best answer to the line, by the strongest machine; None while it thinks."""
    question = _revealed_round(session).question
    after = replace(question, moves=(*question.moves, *stage.moves))
    if after.match.outcome() is not None:
        return show(session, replace(stage, wanted=len(stage.moves)))
    try:
        asked = analysis_request(after, strongest_agent(question.game))
        answer = service(WorkerClient).answer(asked, Rank.PANEL)
    except BusyError:
        return None
    if answer is None:
        return None
    moves = stage.moves if answer.analysis is None else (*stage.moves, str(answer.analysis.choice))
    return show(session, replace(stage, moves=moves, wanted=len(moves)))


def show(session: ClassSession, stage: Stage) -> ClassSession:
    """Put this on the screen."""
    rules.check_not_over(session)
    return update(session, shown=stage.to_json())
