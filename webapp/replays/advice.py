"""What the workers are asked about a match: replies, hints and analyses of a ply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from agents import Analysis
from agents.contest.strength import strongest_agent
from agents.exhibits import Matchbox
from agents.roster import agent_title, find_agent
from engine.errors import sentence
from webapp.analysis.panel import (
    FAILED,
    Panel,
    PanelLinks,
    ready_analyst,
    with_settings,
)
from webapp.analysis.summary import outlook_text
from webapp.boards import move_text
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView, Paths, Settings
from webapp.exhibits.lines import ExpectedLine, expected_line
from webapp.exhibits.matchbox import TrainingView, bead_counts
from webapp.replays.analysis_store import AnalysisStore
from webapp.replays.models import Record
from webapp.replays.query import agent_tree_url, path_fields
from webapp.replays.view import MatchView
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.client import WorkerClient
from webapp.workers.pool import SHORT_S, Pending
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import MoveAnswer

RATED_NODES = 500  # positions a move of a machine in games that count, as its strength was measured
HINT_SECONDS = SHORT_S  # to think: no worker is too busy for it, and it is there within 1.2 s
HINT_TRIGGER = "load delay:150ms, every 300ms"
HINT_SEED = "hint"  # of its own: a panel, which thinks longer, is not to get this answer


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
        nodes=RATED_NODES if record.rated else None,
    )


def reply_question(record: Record, *, show: bool = False) -> AnalysisRequest:
    """The question for the agent to move; with `show`, the same as the panel's."""
    agent = record.seats[record.match.state.to_move]
    return question_at(record, len(record.plies), agent, show=show and has_exhibit(agent))


def begin_reply(client: WorkerClient, record: Record, *, show: bool = False) -> None:
    """Queue the agent's move, which a later request fetches."""
    if record.agent_is_to_move:
        try:
            client.ask(reply_question(record, show=show), Rank.REPLY)
        except BusyError:  # the later request will report it
            return


def has_exhibit(agent: str) -> bool:
    """Whether this agent's technique has an exhibit."""
    return find_agent(agent.partition(":")[0]).shows


def chosen_analyst(viewing: MatchView) -> str:
    """The spec of the agent named in the query, else of the mover, the opponent or the strongest.

    Raises for a spec or settings that cannot be used.
    """
    query, game = viewing.query, viewing.match.game
    if query.agent is None and not query.settings:
        return _default_analyst(viewing)
    return ready_analyst(query.agent or _default_analyst(viewing), game, query.settings)


def _default_analyst(viewing: MatchView) -> str:
    record = viewing.record
    to_move = viewing.match.states[viewing.ply].to_move
    ours = [seat for seat in record.agents if seat not in record.guests]
    if to_move in ours:
        return record.seats[to_move]
    return record.seats[ours[0]] if ours else strongest_agent(record.game)


@dataclass(frozen=True, slots=True)
class Hint:
    """A suggested move and what it leads to; `move` is None while it is pending."""

    move: str | None
    text: str  # Take 4 from row d: that wins.
    retry: str | None = None  # GET with `trigger` while `move` is pending

    trigger: ClassVar[str] = HINT_TRIGGER


@dataclass(frozen=True, slots=True)
class Why:
    """The question why the opponent made its last move, and its answer."""

    move: str
    panel: Panel | None  # None: not asked
    url: str  # asks, or puts the answer away


def empty_panel(
    view: MatchView, agent: str, target: str, *, asked: bool = True, **state: Any
) -> Panel:
    """The panel with links into this match; without more it is neither ready nor pending."""
    query = replace(view.query, ply=view.ply, values=False, hint=False, story=False, pick=None)
    links = PanelLinks(
        retry=view.here if target == "#match" else query.url(view.child("analysis")),
        target=target,
        show_url=_show_url(view) if has_exhibit(agent) else None,
        lesson_url=_show_url(view) if _would_learn(view, agent) else None,
        tree=agent_tree_url(view.path, view.ply, agent, present=view.query.present),
    )
    return Panel(
        agent=agent,
        game=view.match.game,
        links=links,
        sides=view.players,
        asked=asked,
        present=view.query.present,
        versus=view.query.versus,
        opened=view.query.show,
        advises=view.state.outcome() is None and view.record.seats[view.state.to_move] != agent,
        alone=[view.record.seats[seat] for seat in view.record.agents] == [agent],
        state=view.state,
        **state,
    )


def _would_learn(view: MatchView, agent: str) -> bool:
    """Whether the match is over and this agent can show what it would learn from it."""
    over = view.outcome is not None and not view.query.show
    return over and find_agent(agent.partition(":")[0]).lessons


def _show_url(view: MatchView) -> str:
    query = view.query
    turned = replace(query, values=True, show=not query.show, part=None, step=None, open=())
    return turned.url(view.path)


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
            return empty_panel(view, agent, target, asked=False, mover=self._guest_name(view))
        if view.advice_refusal:
            return empty_panel(view, agent, target, failed=sentence(view.advice_refusal))
        if view.state.outcome() is not None:
            over = "The game is over here: there is nothing left to think about."
            training, awaited = self._training_view(view, agent)
            return empty_panel(view, agent, target, failed=over, exhibit=training, pending=awaited)
        if view.query.agent is None and (said := self._said_by_guest(view, agent, target)):
            return said
        stored = self._analysis_of_played_move(view, agent)
        show = view.query.show and has_exhibit(agent)
        if stored is not None and not show:
            line = line_of(view, agent, stored)
            return empty_panel(view, agent, target, analysis=stored, line=line)
        pending = self._queue_analysis(view, agent, show=show)
        answer = self.client.wait_for(pending)
        if answer is None:
            before = self._analysis_of_last_move(view)
            if before is not None:
                return _panel_before(view, agent, target, before)
            return empty_panel(view, agent, target, pending=True)
        if answer.analysis is None:
            return empty_panel(view, agent, target, failed=FAILED)
        exhibit = answer.analysis.exhibit
        return empty_panel(
            view,
            agent,
            target,
            analysis=answer.analysis,
            again=not view.live and not _is_same(answer.analysis, stored),
            hurried=pending.seconds < self.think_seconds,
            exhibit=exhibit_of(view, agent, answer.analysis),
            tallies=bead_counts(exhibit, view.match.game) if isinstance(exhibit, Matchbox) else {},
            line=line_of(view, agent, answer.analysis),
        )

    def why(self, view: MatchView) -> Why | None:
        """Why the opponent made the move that led to the shown position; None if it did not."""
        record, ply = view.record, view.ply - 1
        if ply < 0 or record.place or not (record.people and view.advice_allowed):
            return None
        state = view.match.states[ply]
        if state.to_move not in record.agents:
            return None
        agent = record.seats[state.to_move]
        stored = self._stored_analysis(view, ply) if view.query.why else None
        panel = replace(empty_panel(view, agent, "#match", analysis=stored), state=state)
        url = replace(view.query, hint=False, pick=None).url(view.path, why=not view.query.why)
        return Why(str(view.match.moves[ply]), panel if view.query.why else None, url)

    def hint(self, view: MatchView) -> Hint | None:
        """A hint from the strongest agent, if one is requested and allowed."""
        if not (view.query.hint and view.hint_allowed):
            return None
        agent = strongest_agent(view.record.game)
        question = replace(question_at(view.record, view.ply, agent), seed=HINT_SEED)
        answer = self.client.answer(question, Rank.PANEL, min(HINT_SECONDS, self.think_seconds))
        if answer is None:
            return Hint(None, "Looking for a hint…", view.here)
        if answer.analysis is None:
            return Hint(None, "There is no hint this time.")
        chosen, game = answer.analysis.chosen, view.match.game
        does = move_text(game, view.state, chosen.move)
        return Hint(answer.move, f"{does}: {outlook_text(chosen)}.")

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
        return (TrainingView(opened, outcome.score(seat), context) if opened else None), False

    def _said_by_guest(self, view: MatchView, agent: str, target: str) -> Panel | None:
        """What a bot or a player from outside said with the next move, at the last ply its last.

        It is never asked again.
        """
        record, ply = view.record, view.ply - 1 if view.live else view.ply
        if ply < 0 or (seat := view.match.states[ply].to_move) not in record.guests:
            return None
        stored = self._stored_analysis(view, ply)
        if stored is None:
            return None
        panel = empty_panel(view, agent, target, analysis=stored, mover=view.players[seat].name)
        if not view.live:
            return panel
        told = f"Of its move {view.match.moves[ply]}:"
        return replace(panel, state=view.match.states[ply], before=told)

    def _guest_name(self, view: MatchView) -> str:
        """Who said something with the move that is shown, if a guest made it."""
        ply = view.ply - 1 if view.live else view.ply
        seat = view.match.states[max(0, ply)].to_move
        spoke = view.query.agent is None and ply >= 0 and seat in view.record.guests
        return view.players[seat].name if spoke else ""

    def _analysis_of_played_move(self, view: MatchView, agent: str) -> Analysis[Any] | None:
        """The analysis with which this agent played the next move, if it did."""
        record, ply = view.record, view.ply
        if ply == len(record.plies) or record.seats[view.state.to_move] != agent:
            return None
        return self._stored_analysis(view, ply)

    def _analysis_of_last_move(self, view: MatchView) -> Analysis[Any] | None:
        """Between two agents, the analysis of the last move, shown until the next is ready."""
        watched = view.live and view.ply and len(view.record.agents) == len(view.players)
        return self._stored_analysis(view, view.ply - 1) if watched else None

    def _stored_analysis(self, view: MatchView, ply: int) -> Analysis[Any] | None:
        return self.analyses.find(view.record.id, ply + 1, view.match.game)


def _is_same(analysis: Analysis[Any], stored: Analysis[Any] | None) -> bool:
    """Whether a new analysis equals the stored one, which has no exhibit."""
    return stored is not None and replace(analysis, exhibit=None) == stored


def _panel_before(view: MatchView, agent: str, target: str, analysis: Analysis[Any]) -> Panel:
    """The analysis of the last move, shown while the next one is pending."""
    state = view.match.states[view.ply - 1]
    thinks = f"{agent_title(agent, view.record.game)} is thinking."
    return replace(
        empty_panel(view, agent, target, analysis=analysis, pending=True),
        state=state,
        before=f"{thinks} Before, of {view.match.moves[view.ply - 1]}:",
        mover=agent_title(view.record.seats[state.to_move], view.record.game),
    )


def exhibit_of(view: MatchView, agent: str, analysis: Analysis[Any]) -> ExhibitView | None:
    """The view of the agent's exhibit with links into this match."""
    if analysis.exhibit is None:
        return None
    context = replace(exhibit_context(view, agent), choice=str(analysis.choice))
    return exhibit_view(analysis.exhibit, context)


def line_of(view: MatchView, agent: str, analysis: Analysis[Any]) -> ExpectedLine | None:
    """The line the agent expects after its move, with links that step through it."""
    return expected_line(analysis.chosen.line, exhibit_context(view, agent))


def exhibit_context(view: MatchView, agent: str) -> ExhibitContext:
    """The context of this agent's exhibits: position, selection, and links into the match."""
    query, game = view.query, view.match.game

    def spec_of(settings: Settings) -> str:
        return with_settings(agent, game, settings)

    def look_at(settings: Settings) -> str:
        return query.of_agent(spec_of(settings)).url(view.path)

    def turn_to(part: str | None, step: int | None) -> str:
        return replace(query, part=part, step=step, open=()).url(view.path)

    def open_at(path: tuple[int, ...]) -> str:
        return replace(query, open=path).url(view.path)

    unopened = replace(query, open=())
    return ExhibitContext(
        game=game,
        state=view.state,
        part=query.part,
        step=query.step,
        turn_to=turn_to,
        look_at=look_at,
        spec_of=spec_of,
        paths=Paths(
            query.open,
            open_at,
            view.path.partition("?")[0],
            (*path_fields(view.path), *unopened.pairs()),
        ),
    )
