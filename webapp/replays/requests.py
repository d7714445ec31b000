"""What a match asks of agents: the reply to a move, a hint, what one of them thinks of a ply."""

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
from webapp.exhibits.matchbox import lessons_view
from webapp.replays import permissions
from webapp.replays.analyses import AnalysisStore
from webapp.replays.analysts import analyst_of
from webapp.replays.models import Record, unpack
from webapp.replays.panel import AGAIN, offer, panel, panel_before, shows
from webapp.replays.ply_view import Viewing
from webapp.replays.query import with_query
from webapp.replays.rows import exhibit_of, line_of, stand_of, tallies_on_board
from webapp.replays.views import Hint, Panel
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.pool import Pending, WorkerPool
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import Answer, Question


def question_at(record: Record, ply: int, agent: str, *, show: bool = False) -> Question:
    """What is asked about a ply. The reply and the panel ask the same, so they get the same.

    The seed is the revision in which that ply was, or will be, played: one thought for each.
    """
    played = record.plies[ply].revision if ply < len(record.plies) else record.revision
    return Question(
        game=record.game,
        start=record.start,
        moves=tuple(done.text for done in record.plies[:ply]),
        agent=agent,
        seed=f"{record.id}:{played}",
        show=show,
    )


def lessons_for(viewing: Viewing, agent: str) -> tuple[ExhibitView | None, bool]:
    """What it would learn, if anything, and whether boxes are still being looked into."""
    record, outcome = viewing.record, viewing.outcome
    if not viewing.look.show or outcome is None or agent not in record.seats:
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
    stand = stand_of(viewing, agent)
    return (lessons_view(opened, outcome.score(seat), stand) if opened else None), False


def reply_question(record: Record, *, show: bool = False) -> Question:
    """The question that the agent to move has to answer; with its head open, the panel's own."""
    agent = record.seats[record.match.state.to_move]
    return question_at(record, len(record.plies), agent, show=show and shows(agent))


def begin_reply(record: Record, *, show: bool = False) -> None:
    """Let the agent start as soon as it can; its reply is asked for by another request."""
    if permissions.agent_is_to_move(record):
        try:
            service(WorkerClient).ask(reply_question(record, show=show), Rank.REPLY)
        except BusyError:  # the request for the reply will say so
            return


def reply_to(record: Record, *, show: bool = False) -> Answer | None:
    """The agent's move, or None while it is still thinking; raises BusyError."""
    return service(WorkerClient).answer(reply_question(record, show=show), Rank.REPLY)


def is_warming(record: Record) -> bool:
    """Whether the agent to move may first have to be compiled."""
    if not permissions.agent_is_to_move(record):
        return False
    return not service(WorkerPool).has_answered(reply_question(record).agent)


def panel_for(viewing: Viewing, *, asked: bool, target: str = "#match") -> Panel:
    """What the chosen agent thinks of the shown position, as far as it was asked and is ready.

    Where it made the move that was played here, that is the analysis which made it.
    """
    agent = analyst_of(viewing)
    if not asked:
        return offer(viewing, agent, target, asked=False)
    if viewing.unadvised:
        return offer(viewing, agent, target, failed=sentence(viewing.unadvised))
    if viewing.match.states[viewing.ply].outcome() is not None:
        over = "The game is over here: there is nothing left to think about."
        lessons, awaited = lessons_for(viewing, agent)
        return offer(viewing, agent, target, failed=over, exhibit=lessons, pending=awaited)
    kept = _kept(viewing, agent)
    show = viewing.look.show and shows(agent)
    if kept is not None and not show:
        return panel(viewing, agent, target, kept, line=line_of(viewing, agent, kept))
    pending = _look_at(viewing, agent, show=show)
    answer = service(WorkerClient).wait_for(pending)
    if answer is None:
        before = _kept_before(viewing)
        if before is not None:
            return panel_before(viewing, agent, target, before)
        return offer(viewing, agent, target, pending=True)
    if answer.analysis is None:
        return offer(viewing, agent, target, failed="It could not be worked out this time.")
    return panel(
        viewing,
        agent,
        target,
        answer.analysis,
        again=not viewing.live and not _is_the_same(answer.analysis, kept),
        hurried=pending.seconds < service(Config).think_seconds,
        exhibit=exhibit_of(viewing, agent, answer.analysis),
        tallies=tallies_on_board(answer.analysis.exhibit),
        line=line_of(viewing, agent, answer.analysis),
    )


def hint_for(viewing: Viewing) -> Hint | None:
    """A move worth considering, from the strongest agent there is."""
    if not (viewing.look.hint and viewing.may_be_hinted):
        return None
    agent = strongest_agent(viewing.record.game)
    source = agent_title(agent, viewing.record.game)
    answer = service(WorkerClient).wait_for(_look_at(viewing, agent))
    if answer is None:
        reason = f"{source} is looking at it."
        return Hint(None, reason, source, with_query(viewing.path, viewing.look), AGAIN)
    if answer.analysis is None:
        return Hint(None, f"{source} has no advice here.", source, None, AGAIN)
    return Hint(answer.move, answer.analysis.reason, source, None, AGAIN)


def _look_at(viewing: Viewing, agent: str, *, show: bool = False) -> Pending:
    """A thought for someone who looks; on the move to come it is the reply's own."""
    question = question_at(viewing.record, viewing.ply, agent, show=show)
    return service(WorkerClient).ask(question, Rank.PANEL)


def _is_the_same(analysis: Analysis[Any], kept: Analysis[Any] | None) -> bool:
    """Whether a thought thought again came out as the one that moved, which has no exhibit."""
    return kept is not None and replace(analysis, exhibit=None) == kept


def _kept(viewing: Viewing, agent: str) -> Analysis[Any] | None:
    """What this agent said when it made the move that was played here, if it did."""
    record, ply = viewing.record, viewing.ply
    if ply == len(record.plies) or record.seats[viewing.match.states[ply].to_move] != agent:
        return None
    return _kept_at(viewing, ply)


def _kept_before(viewing: Viewing) -> Analysis[Any] | None:
    """Where two agents are watched, what was said of the move before the one that is awaited."""
    watched = viewing.live and viewing.ply and not viewing.record.people
    return _kept_at(viewing, viewing.ply - 1) if watched else None


def _kept_at(viewing: Viewing, ply: int) -> Analysis[Any] | None:
    packed = service(AnalysisStore).find(viewing.record.id, ply + 1)
    return None if packed is None else unpack(packed, viewing.match.game)
