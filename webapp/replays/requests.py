"""Requests to the workers for a match: replies, hints and analyses of a ply."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agents import Analysis
from agents.contest.strength import strongest_agent
from agents.exhibits import Matchbox
from agents.roster import agent_title
from engine.errors import sentence
from webapp.config import Config
from webapp.exhibits.exhibit import ExhibitView
from webapp.exhibits.matchbox import bead_counts, training_view
from webapp.replays import permissions
from webapp.replays.analyses import AnalysisStore
from webapp.replays.analysts import chosen_analyst
from webapp.replays.models import Record, unpack_analysis
from webapp.replays.panel import (
    RETRY_TRIGGER,
    analysis_panel,
    empty_panel,
    has_exhibit,
    panel_before,
)
from webapp.replays.ply_view import Viewing
from webapp.replays.query import with_query
from webapp.replays.rows import exhibit_context, exhibit_of, line_of
from webapp.replays.views import Hint, Panel
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.pool import Pending, WorkerPool
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import AnalysisRequest, MoveAnswer


def question_at(record: Record, ply: int, agent: str, *, show: bool = False) -> AnalysisRequest:
    """The question about a ply: equal for reply and panel, so that both get the same answer.

    The seed is the revision in which that ply was, or will be, played.
    """
    played = record.plies[ply].revision if ply < len(record.plies) else record.revision
    return AnalysisRequest(
        game=record.game,
        start=record.start,
        moves=tuple(done.text for done in record.plies[:ply]),
        agent=agent,
        seed=f"{record.id}:{played}",
        show=show,
    )


def _training_view(viewing: Viewing, agent: str) -> tuple[ExhibitView | None, bool]:
    """What a matchbox machine would learn from the finished match, and whether it is pending."""
    record, outcome = viewing.record, viewing.outcome
    if not viewing.query.show or outcome is None or agent not in record.seats:
        return None, False
    seat = next(seat for seat in record.agents if record.seats[seat] == agent)
    opened = []
    for ply, move in enumerate(viewing.match.moves):
        if viewing.match.states[ply].to_move is not seat:
            continue
        try:
            asked = service(WorkerClient).ask(
                question_at(record, ply, agent, show=True), Rank.PANEL
            )
        except BusyError:
            return None, True
        answer = service(WorkerClient).wait_for(asked)
        if answer is None:
            return None, True
        box = None if answer.analysis is None else answer.analysis.exhibit
        if not isinstance(box, Matchbox):
            return None, False
        opened.append((ply + 1, str(move), box))
    context = exhibit_context(viewing, agent)
    return (training_view(opened, outcome.score(seat), context) if opened else None), False


def reply_question(record: Record, *, show: bool = False) -> AnalysisRequest:
    """The question for the agent to move; with `show`, the same as the panel's."""
    agent = record.seats[record.match.state.to_move]
    return question_at(record, len(record.plies), agent, show=show and has_exhibit(agent))


def begin_reply(record: Record, *, show: bool = False) -> None:
    """Queue the agent's move, which a later request fetches."""
    if permissions.agent_is_to_move(record):
        try:
            service(WorkerClient).ask(reply_question(record, show=show), Rank.REPLY)
        except BusyError:  # the later request will report it
            return


def agent_reply(record: Record, *, show: bool = False) -> MoveAnswer | None:
    """The agent's move; None while it is pending; raises BusyError."""
    return service(WorkerClient).answer(reply_question(record, show=show), Rank.REPLY)


def is_warming(record: Record) -> bool:
    """Whether the agent to move may have to be compiled first."""
    if not permissions.agent_is_to_move(record):
        return False
    return not service(WorkerPool).has_answered(reply_question(record).agent)


def panel_for(viewing: Viewing, *, asked: bool, target: str = "#match") -> Panel:
    """The panel of the chosen analyst for the shown position, as far as it is ready.

    Where the analyst played the next move, its stored analysis is shown.
    """
    agent = chosen_analyst(viewing)
    if not asked:
        return empty_panel(viewing, agent, target, asked=False)
    if viewing.advice_refusal:
        return empty_panel(viewing, agent, target, failed=sentence(viewing.advice_refusal))
    if viewing.match.states[viewing.ply].outcome() is not None:
        over = "The game is over here: there is nothing left to think about."
        training, awaited = _training_view(viewing, agent)
        return empty_panel(viewing, agent, target, failed=over, exhibit=training, pending=awaited)
    stored = _analysis_of_played_move(viewing, agent)
    show = viewing.query.show and has_exhibit(agent)
    if stored is not None and not show:
        return analysis_panel(viewing, agent, target, stored, line=line_of(viewing, agent, stored))
    pending = _queue_analysis(viewing, agent, show=show)
    answer = service(WorkerClient).wait_for(pending)
    if answer is None:
        before = _analysis_of_last_move(viewing)
        if before is not None:
            return panel_before(viewing, agent, target, before)
        return empty_panel(viewing, agent, target, pending=True)
    if answer.analysis is None:
        return empty_panel(viewing, agent, target, failed="It could not be worked out this time.")
    exhibit = answer.analysis.exhibit
    return analysis_panel(
        viewing,
        agent,
        target,
        answer.analysis,
        again=not viewing.live and not _is_same(answer.analysis, stored),
        hurried=pending.seconds < service(Config).think_seconds,
        exhibit=exhibit_of(viewing, agent, answer.analysis),
        tallies=bead_counts(exhibit) if isinstance(exhibit, Matchbox) else {},
        line=line_of(viewing, agent, answer.analysis),
    )


def hint_for(viewing: Viewing) -> Hint | None:
    """A hint from the strongest agent, if one is requested and allowed."""
    if not (viewing.query.hint and viewing.hint_allowed):
        return None
    agent = strongest_agent(viewing.record.game)
    source = agent_title(agent, viewing.record.game)
    answer = service(WorkerClient).wait_for(_queue_analysis(viewing, agent))
    if answer is None:
        reason = f"{source} is looking at it."
        return Hint(None, reason, source, with_query(viewing.path, viewing.query), RETRY_TRIGGER)
    if answer.analysis is None:
        return Hint(None, f"{source} has no advice here.", source, None, RETRY_TRIGGER)
    return Hint(answer.move, answer.analysis.reason, source, None, RETRY_TRIGGER)


def _queue_analysis(viewing: Viewing, agent: str, *, show: bool = False) -> Pending[MoveAnswer]:
    """Queue the analysis of the shown ply; at the last ply it is the reply's own question."""
    question = question_at(viewing.record, viewing.ply, agent, show=show)
    return service(WorkerClient).ask(question, Rank.PANEL)


def _is_same(analysis: Analysis[Any], stored: Analysis[Any] | None) -> bool:
    """Whether a new analysis equals the stored one, which has no exhibit."""
    return stored is not None and replace(analysis, exhibit=None) == stored


def _analysis_of_played_move(viewing: Viewing, agent: str) -> Analysis[Any] | None:
    """The analysis with which this agent played the next move, if it did."""
    record, ply = viewing.record, viewing.ply
    if ply == len(record.plies) or record.seats[viewing.match.states[ply].to_move] != agent:
        return None
    return _stored_analysis(viewing, ply)


def _analysis_of_last_move(viewing: Viewing) -> Analysis[Any] | None:
    """Between two agents, the analysis of the last move, shown until the next is ready."""
    watched = viewing.live and viewing.ply and not viewing.record.people
    return _stored_analysis(viewing, viewing.ply - 1) if watched else None


def _stored_analysis(viewing: Viewing, ply: int) -> Analysis[Any] | None:
    packed = service(AnalysisStore).find(viewing.record.id, ply + 1)
    return None if packed is None else unpack_analysis(packed, viewing.match.game)
