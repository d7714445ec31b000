"""What the workers are asked about a match: replies, hints and analyses of a ply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from agents import Analysis
from agents.contest.strength import strongest_agent
from agents.exhibits import Matchbox
from agents.roster import agent_title
from engine.errors import sentence
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
from webapp.replays.rows import exhibit_context, exhibit_of, line_of
from webapp.replays.view import MatchView
from webapp.replays.views import Hint, Panel
from webapp.workers.client import WorkerClient
from webapp.workers.pool import Pending
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


def reply_question(record: Record, *, show: bool = False) -> AnalysisRequest:
    """The question for the agent to move; with `show`, the same as the panel's."""
    agent = record.seats[record.match.state.to_move]
    return question_at(record, len(record.plies), agent, show=show and has_exhibit(agent))


def begin_reply(client: WorkerClient, record: Record, *, show: bool = False) -> None:
    """Queue the agent's move, which a later request fetches."""
    if permissions.agent_is_to_move(record):
        try:
            client.ask(reply_question(record, show=show), Rank.REPLY)
        except BusyError:  # the later request will report it
            return


@dataclass(frozen=True, slots=True)
class Adviser:
    """Asks the workers, and the store of analyses, what the panels of a match show."""

    client: WorkerClient
    analyses: AnalysisStore
    think_seconds: float  # where no queue cuts it

    def panel(self, view: MatchView, *, asked: bool, target: str = "#match") -> Panel:
        """The panel of the chosen analyst for the shown position, as far as it is ready.

        Where the analyst played the next move, its stored analysis is shown.
        """
        agent = chosen_analyst(view)
        if not asked:
            return empty_panel(view, agent, target, asked=False)
        if view.advice_refusal:
            return empty_panel(view, agent, target, failed=sentence(view.advice_refusal))
        if view.state.outcome() is not None:
            over = "The game is over here: there is nothing left to think about."
            training, awaited = self._training_view(view, agent)
            return empty_panel(view, agent, target, failed=over, exhibit=training, pending=awaited)
        stored = self._analysis_of_played_move(view, agent)
        show = view.query.show and has_exhibit(agent)
        if stored is not None and not show:
            return analysis_panel(view, agent, target, stored, line=line_of(view, agent, stored))
        pending = self._queue_analysis(view, agent, show=show)
        answer = self.client.wait_for(pending)
        if answer is None:
            before = self._analysis_of_last_move(view)
            if before is not None:
                return panel_before(view, agent, target, before)
            return empty_panel(view, agent, target, pending=True)
        if answer.analysis is None:
            why = "It could not be worked out this time."
            return empty_panel(view, agent, target, failed=why)
        exhibit = answer.analysis.exhibit
        return analysis_panel(
            view,
            agent,
            target,
            answer.analysis,
            again=not view.live and not _is_same(answer.analysis, stored),
            hurried=pending.seconds < self.think_seconds,
            exhibit=exhibit_of(view, agent, answer.analysis),
            tallies=bead_counts(exhibit) if isinstance(exhibit, Matchbox) else {},
            line=line_of(view, agent, answer.analysis),
        )

    def hint(self, view: MatchView) -> Hint | None:
        """A hint from the strongest agent, if one is requested and allowed."""
        if not (view.query.hint and view.hint_allowed):
            return None
        agent = strongest_agent(view.record.game)
        source = agent_title(agent, view.record.game)
        answer = self.client.wait_for(self._queue_analysis(view, agent))
        if answer is None:
            return Hint(None, f"{source} is looking at it.", source, view.here, RETRY_TRIGGER)
        if answer.analysis is None:
            return Hint(None, f"{source} has no advice here.", source, None, RETRY_TRIGGER)
        return Hint(answer.move, answer.analysis.reason, source, None, RETRY_TRIGGER)

    def _queue_analysis(
        self, view: MatchView, agent: str, *, show: bool = False
    ) -> Pending[MoveAnswer]:
        """Queue the analysis of the shown ply; at the last ply it is the reply's own question."""
        return self.client.ask(question_at(view.record, view.ply, agent, show=show), Rank.PANEL)

    def _training_view(self, view: MatchView, agent: str) -> tuple[ExhibitView | None, bool]:
        """What a matchbox machine would learn from the match, and whether that is pending."""
        record, outcome = view.record, view.outcome
        if not view.query.show or outcome is None or agent not in record.seats:
            return None, False
        seat = next(seat for seat in record.agents if record.seats[seat] == agent)
        opened = []
        for ply, move in enumerate(view.match.moves):
            if view.match.states[ply].to_move is not seat:
                continue
            try:
                asked = self.client.ask(question_at(record, ply, agent, show=True), Rank.PANEL)
            except BusyError:
                return None, True
            answer = self.client.wait_for(asked)
            if answer is None:
                return None, True
            box = None if answer.analysis is None else answer.analysis.exhibit
            if not isinstance(box, Matchbox):
                return None, False
            opened.append((ply + 1, str(move), box))
        context = exhibit_context(view, agent)
        return (training_view(opened, outcome.score(seat), context) if opened else None), False

    def _analysis_of_played_move(self, view: MatchView, agent: str) -> Analysis[Any] | None:
        """The analysis with which this agent played the next move, if it did."""
        record, ply = view.record, view.ply
        if ply == len(record.plies) or record.seats[view.state.to_move] != agent:
            return None
        return self._stored_analysis(view, ply)

    def _analysis_of_last_move(self, view: MatchView) -> Analysis[Any] | None:
        """Between two agents, the analysis of the last move, shown until the next is ready."""
        watched = view.live and view.ply and not view.record.people
        return self._stored_analysis(view, view.ply - 1) if watched else None

    def _stored_analysis(self, view: MatchView, ply: int) -> Analysis[Any] | None:
        packed = self.analyses.find(view.record.id, ply + 1)
        return None if packed is None else unpack_analysis(packed, view.match.game)


def _is_same(analysis: Analysis[Any], stored: Analysis[Any] | None) -> bool:
    """Whether a new analysis equals the stored one, which has no exhibit."""
    return stored is not None and replace(analysis, exhibit=None) == stored
