"""Asking agents on behalf of a page: the reply to a move, a hint, the panel's analysis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from agents import Candidate
from agents.roster import agent_spec, agent_title, strongest_agent
from webapp.play import referee
from webapp.play.look import with_query
from webapp.play.panel import AGAIN, Inquiry, offer, panel, values_by_move
from webapp.play.records import Record
from webapp.play.viewing import Viewing
from webapp.play.views import AnalysisView, Hint
from webapp.services import services
from webapp.thinking.pool import Answer
from webapp.thinking.questions import Question
from webapp.web.errors import BusyError


@dataclass(frozen=True, slots=True)
class Insight:
    """What the page shows of an agent's mind, beside the board and on it."""

    panel: AnalysisView
    values: Mapping[str, Candidate[Any]] | None = None


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What agents think of a scene, as far as a page shows it."""

    insight: Insight
    hint: Hint | None
    known: str  # names what is known and what is awaited; another name: the page has changed


def question_at(record: Record, ply: int, agent: str) -> Question:
    """What is asked about a ply. The reply and the panel ask the same, so they get the same.

    The seed is the revision in which that ply was, or will be, played: one thought for each.
    """
    played = record.plies[ply].revision if ply < len(record.plies) else record.revision
    return Question(
        game=record.game,
        moves=tuple(done.text for done in record.plies[:ply]),
        agent=agent,
        seconds=services().config.think_seconds,
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
            services().thinking.ask(reply_question(record))
        except BusyError:  # the request for the reply will say so
            return


def reply_to(record: Record) -> Answer | None:
    """The agent's move, or None while it is still thinking; raises BusyError."""
    return services().wait_for(services().thinking.ask(reply_question(record)))


def is_warming(record: Record) -> bool:
    """Whether the agent to move may first have to be compiled."""
    if not referee.agent_is_to_move(record):
        return False
    return not services().thinking.has_answered(reply_question(record).agent)


def thoughts_on(scene: Viewing) -> Thoughts:
    """What is known so far. What is awaited is asked for again by an address that names it."""
    insight = insight_for(scene, asked=scene.look.values)
    hint = hint_for(scene)
    hinting = hint is not None and hint.retry is not None
    known = f"{scene.record.revision}-{int(insight.panel.pending)}{int(hinting)}"
    view = replace(insight.panel, retry=f"{insight.panel.retry}&known={known}")
    if hint is not None and hint.retry is not None:
        hint = replace(hint, retry=f"{hint.retry}&known={known}")
    return Thoughts(replace(insight, panel=view) if view.pending else insight, hint, known)


def insight_for(scene: Viewing, *, asked: bool, target: str = "#match") -> Insight:
    """What the chosen agent thinks of the shown position, as far as it was asked and is ready."""
    inquiry = _inquiry(scene, target)
    if not asked:
        return Insight(offer(scene.match, inquiry, asked=False))
    if scene.match.states[scene.ply].outcome() is not None:
        over = "The game is over here: there is nothing left to think about."
        return Insight(offer(scene.match, inquiry, failed=over))
    answer = _ask(scene, inquiry.agent)
    if answer is None:
        return Insight(offer(scene.match, inquiry, pending=True))
    if answer.analysis is None:
        failed = "It could not be worked out this time."
        return Insight(offer(scene.match, inquiry, failed=failed))
    view = panel(scene.match, inquiry, answer.analysis, scene.players)
    return Insight(view, values_by_move(answer.analysis))


def hint_for(scene: Viewing) -> Hint | None:
    """A move worth considering, from the strongest agent there is."""
    if not (scene.look.hint and scene.may_move):
        return None
    agent = strongest_agent(scene.record.game)
    source = agent_title(agent, scene.match.game.spec)
    answer = _ask(scene, agent)
    if answer is None:
        reason = f"{source} is looking at it."
        return Hint(None, reason, source, with_query(scene.path, scene.look), AGAIN)
    if answer.analysis is None:
        return Hint(None, f"{source} has no advice here.", source, None, AGAIN)
    return Hint(answer.move, answer.analysis.reason, source, None, AGAIN)


def _ask(scene: Viewing, agent: str) -> Answer | None:
    question = question_at(scene.record, scene.ply, agent)
    return services().wait_for(services().thinking.ask(question))


def _inquiry(scene: Viewing, target: str) -> Inquiry:
    url = scene.child("analysis")
    look = replace(scene.look, ply=scene.ply, values=False, hint=False, story=False, pick=None)
    here = with_query(scene.path, scene.look)
    retry = here if target == "#match" else with_query(url, look)
    return Inquiry(_analyst(scene), scene.ply, url, retry, target)


def _analyst(scene: Viewing) -> str:
    """The agent named in the address, else the opponent, else the best there is."""
    if scene.look.agent is not None:
        return agent_spec(scene.look.agent, scene.match.game)
    agents = [scene.record.seats[seat] for seat in scene.record.agents]
    to_move = scene.record.seats[scene.match.states[scene.ply].to_move]
    if to_move in agents:
        return to_move
    return agents[0] if agents else strongest_agent(scene.record.game)
