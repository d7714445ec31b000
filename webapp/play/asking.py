"""What a match asks of agents: the reply to a move, a hint, what one of them thinks of a ply."""

from __future__ import annotations

from typing import Any

from agents import Analysis
from agents.roster import agent_title, ready_spec, strongest_agent
from webapp.play import referee
from webapp.play.keeping import unpack
from webapp.play.look import with_query
from webapp.play.panel import AGAIN, offer, panel
from webapp.play.records import Record
from webapp.play.viewing import Viewing
from webapp.play.views import Hint, Panel
from webapp.services import services
from webapp.thinking.pool import Pending
from webapp.thinking.questions import ON_THE_SPOT, Answer, Question
from webapp.thinking.queueing import Rank
from webapp.web.errors import BusyError


def question_at(record: Record, ply: int, agent: str) -> Question:
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
    )


def reply_question(record: Record) -> Question:
    """The question that the agent to move has to answer."""
    to_move = record.match.state.to_move
    return question_at(record, len(record.plies), record.seats[to_move])


def begin_reply(record: Record) -> None:
    """Let the agent start as soon as it can; its reply is asked for by another request."""
    if referee.agent_is_to_move(record):
        try:
            services().ask(reply_question(record), Rank.REPLY)
        except BusyError:  # the request for the reply will say so
            return


def reply_to(record: Record) -> Answer | None:
    """The agent's move, or None while it is still thinking; raises BusyError."""
    return services().wait_for(services().ask(reply_question(record), Rank.REPLY))


def is_warming(record: Record) -> bool:
    """Whether the agent to move may first have to be compiled."""
    if not referee.agent_is_to_move(record):
        return False
    return not services().thinking.has_answered(reply_question(record).agent)


def panel_for(viewing: Viewing, *, asked: bool, target: str = "#match") -> Panel:
    """What the chosen agent thinks of the shown position, as far as it was asked and is ready.

    Where it made the move that was played here, that is the analysis which made it.
    """
    agent = _analyst(viewing)
    if not asked:
        return offer(viewing, agent, target, asked=False)
    if viewing.match.states[viewing.ply].outcome() is not None:
        over = "The game is over here: there is nothing left to think about."
        return offer(viewing, agent, target, failed=over)
    if (kept := _kept(viewing, agent)) is not None:
        return panel(viewing, agent, target, kept)
    pending = _look_at(viewing, agent)
    answer = services().wait_for(pending)
    if answer is None:
        return offer(viewing, agent, target, pending=True)
    if answer.analysis is None:
        return offer(viewing, agent, target, failed="It could not be worked out this time.")
    hurried = pending.seconds < services().config.think_seconds
    return panel(viewing, agent, target, answer.analysis, again=not viewing.live, hurried=hurried)


def hint_for(viewing: Viewing) -> Hint | None:
    """A move worth considering, from the strongest agent there is."""
    if not (viewing.look.hint and viewing.may_move):
        return None
    agent = strongest_agent(viewing.record.game)
    source = agent_title(agent, viewing.record.game)
    answer = services().wait_for(_look_at(viewing, agent))
    if answer is None:
        reason = f"{source} is looking at it."
        return Hint(None, reason, source, with_query(viewing.path, viewing.look), AGAIN)
    if answer.analysis is None:
        return Hint(None, f"{source} has no advice here.", source, None, AGAIN)
    return Hint(answer.move, answer.analysis.reason, source, None, AGAIN)


def _look_at(viewing: Viewing, agent: str) -> Pending:
    """A thought for someone who looks; on the move to come it is the reply's own."""
    return services().ask(question_at(viewing.record, viewing.ply, agent), Rank.PANEL)


def _kept(viewing: Viewing, agent: str) -> Analysis[Any] | None:
    """What this agent said when it made the move that was played here, if it did."""
    record, ply = viewing.record, viewing.ply
    if ply == len(record.plies) or record.seats[viewing.match.states[ply].to_move] != agent:
        return None
    packed = services().store.analysis(record.id, ply + 1)
    return None if packed is None else unpack(packed, viewing.match.game)


def _analyst(viewing: Viewing) -> str:
    """The agent named in the address, else the opponent, else the best there is."""
    record = viewing.record
    if viewing.look.agent is not None:
        return ready_spec(viewing.look.agent, viewing.match.game, ON_THE_SPOT)
    to_move = viewing.match.states[viewing.ply].to_move
    if to_move in record.agents:
        return record.seats[to_move]
    return record.seats[record.agents[0]] if record.agents else strongest_agent(record.game)
