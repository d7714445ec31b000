"""The page of a tree: a textbook search of a position, opened at the step of the query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from agents.errors import UnsuitableAgentError
from agents.formats import counted
from agents.roster import read_agent
from agents.search.common import evaluation_for, zero_evaluation
from agents.search.trace import MAX_POSITIONS, Algorithm, Order, Plan, Recording, usual_depth
from agents.search.trace_view import TITLES, count_text, transpositions_text
from engine.errors import InvalidTextError
from webapp.questions.models import Question
from webapp.questions.query import ask_url
from webapp.replays.models import Record
from webapp.replays.query import MAX_DEPTH, TreeQuery, is_textbook_search, path_fields
from webapp.replays.search_page import ASK, Chooser, SearchPage
from webapp.replays.tree import OpenTree
from webapp.web.forms import Choice
from webapp.web.query import Pairs
from webapp.workers.recordings import TreeRequest

MAX_QUESTION_PLIES = 12  # of a line quoted in a question
DEPTH_CHOICES = (*range(1, 11), 12, 15, 20)
ORDER_LABELS = {
    Order.BOARD: "as the game lists them",
    Order.BACKWARDS: "the other way round",
    Order.BEST: "promising ones first",
    Order.WORST: "promising ones last",
}
PLAYER_DIFFERENCES = {
    Algorithm.MINIMAX: (
        "This is the search as textbooks have it. The Minimax that plays looks only once at a "
        "position it meets again, and under a limit one ply deeper at a time."
    ),
    Algorithm.ALPHABETA: (
        "This is the search as textbooks have it. The Alpha-beta that plays also tries first what "
        "has cut before, keeps a table of positions it has met, looks once at moves that lead to "
        "the same board, and under a limit looks deeper and deeper. At the top it gives each move "
        "an open window, so that the panel knows what each is worth exactly."
    ),
}


@dataclass(frozen=True, slots=True)
class CountBar:
    """How many nodes an algorithm visits, as a bar beside the other's."""

    title: str
    count: str  # 1,053
    width: float  # of its bar, 0 to 1
    chosen: bool


@dataclass(frozen=True)  # no slots: cached properties
class TreePage(SearchPage[TreeQuery, Plan, Recording]):
    """What `replays/_tree.html` reads."""

    query_type = TreeQuery
    template = "replays/_tree.html"
    heading = "The search of a position"
    request_for = TreeRequest
    searching = "Searching: every position is kept as it is looked at…"
    leap = "Next cut"
    moment = "Looked at"

    @staticmethod
    def plan_for(record: Record, ply: int, query: TreeQuery) -> Plan:
        """The search plan of the query, completed by the settings of an agent that searches."""
        algorithm, depth, evaluation = _settings(record, ply, query.agent)
        return Plan(
            query.algorithm or algorithm,
            query.depth or depth or usual_depth(record.match.states[ply]),
            query.order,
            evaluation,
        )

    @property
    def title(self) -> str:
        return f"How {TITLES[self.plan.algorithm].lower()} searches this position"

    @cached_property
    def search(self) -> OpenTree | None:
        """The search at the step of the query, if it was recorded whole."""
        if self.recording is None or not self.recording.is_whole:
            return None
        view = self.view
        return OpenTree(
            self.recording, view.match.game, view.state, self.plan, self.query, self._path
        )

    @property
    def chosen(self) -> Algorithm:
        return self.plan.algorithm

    @property
    def choosers(self) -> tuple[Chooser, ...]:
        depth, order = self.plan.depth, self.plan.order
        depths = sorted({*DEPTH_CHOICES, depth})
        return (
            (
                "depth",
                "Plies deep",
                tuple(Choice(str(n), f"{n}", chosen=n == depth) for n in depths),
            ),
            (
                "order",
                "Moves are tried",
                tuple(Choice(name, ORDER_LABELS[name], chosen=name is order) for name in Order),
            ),
        )

    @property
    def settings(self) -> Pairs:
        """Hidden fields of the form with depth and order."""
        others = replace(self.query.restarted, depth=None, order=Order.BOARD)
        return (*path_fields(self._path), *others.pairs())

    @property
    def why_not(self) -> str:
        if self.recording is None:
            return "The search could not be worked out this time. A smaller depth is quicker."
        count = count_text(self.plan.algorithm, self.recording.looked_at[self.plan.algorithm])
        return (
            f"{count} positions {counted(self.plan.depth, 'ply', 'plies')} deep. "
            f"That is more than the {MAX_POSITIONS:,} that can be kept and walked through."
        )

    @property
    def offers(self) -> tuple[tuple[str, str], ...]:
        """Smaller depths for a search that failed, the largest first: label and address."""
        if not self.failed or self.view.state.outcome() is not None:
            return ()
        deepest = self.recording.deepest if self.recording is not None else None
        deepest = min(deepest or self.plan.depth - 1, MAX_DEPTH - 1)
        restarted = self.query.restarted
        return tuple(
            (counted(depth, "ply", "plies"), replace(restarted, depth=depth).address(self._path))
            for depth in range(deepest, max(0, deepest - 3), -1)
        )

    @property
    def counts(self) -> str:
        """How many nodes both algorithms visit: Alpha-beta looked at 241 positions …"""
        if self.recording is None:
            return ""
        looked_at, own = self.recording.looked_at, self.plan.algorithm
        other = next(name for name in Algorithm if name is not own)
        plies = counted(self.plan.depth, "ply", "plies")
        mine, theirs = count_text(own, looked_at[own]), count_text(other, looked_at[other])
        return f"{mine} positions, at most {plies} deep. {theirs} for the same answer."

    @property
    def transpositions(self) -> str:
        """How many of the positions had been met before."""
        return "" if self.search is None else transpositions_text(self.search.recording)

    @property
    def measured(self) -> tuple[CountBar, ...]:
        """Bars of both counts, a full one for a search that is too large, and of what differs."""
        if self.recording is None:
            return ()
        own = self.plan.algorithm
        counts = {name: self.recording.looked_at[name] for name in reversed(Algorithm)}
        bars = [(TITLES[name], count, name is own) for name, count in counts.items()]
        if self.recording.is_whole:  # of the positions of the search that is shown
            bars.append(("different", self.recording.distinct, True))
        most = max(MAX_POSITIONS if count is None else count for _, count, _ in bars)
        return tuple(
            CountBar(
                title,
                f"more than {MAX_POSITIONS:,}" if count is None else f"{count:,}",
                1.0 if count is None else round(count / most, 4),
                chosen,
            )
            for title, count, chosen in bars
        )

    @property
    def answer(self) -> str:
        return "" if self.search is None else self.search.answer

    @property
    def besides(self) -> str:
        """How the agent that plays differs."""
        return "" if self.search is None else PLAYER_DIFFERENCES[self.plan.algorithm]

    @property
    def horizon(self) -> str:
        """How unfinished positions at the horizon are valued."""
        if self.search is None or 0 not in self.search.recording.certain:
            return ""
        evaluation, game = self.plan.evaluation, self.view.match.game
        if evaluation_for(evaluation, game) is zero_evaluation:
            return "At the last level, unfinished positions count as 0."
        how = "by the theory of Nim" if evaluation == "theory" else "by their lines"
        return f"At the last level, unfinished positions are estimated {how}."

    @property
    def ask(self) -> str:
        if self._posed is None:
            return ASK
        return f"Ask the class: will it look at {self._posed.truth.split()[1]}?"

    @property
    def ask_url(self) -> str:
        """Asks a class about the position, or what comes next."""
        if self._posed is not None:
            return ask_url(self._posed)
        return super().ask_url

    @cached_property
    def _posed(self) -> Question | None:
        return None if self.search is None else _prediction(self.search)


def _settings(record: Record, ply: int, agent: str | None) -> tuple[Algorithm, int | None, str]:
    """Settings of the agent in the query, else of a player that searches, the mover first."""
    mover = record.match.states[ply].to_move
    specs = [agent] if agent else [record.seats[mover], record.seats[mover.other]]
    for spec in filter(is_textbook_search, specs):
        try:
            entry, values = read_agent(spec, record.match.game)
        except (InvalidTextError, UnsuitableAgentError):
            continue
        depth = values.optional_integer("depth")
        return Algorithm(entry.key), depth, values.text("evaluation")
    return Algorithm.ALPHABETA, None, "game"


def _prediction(tree: OpenTree) -> Question | None:
    """A question about the first move of the open node that alpha-beta has not visited yet.

    None where it has visited all of them, as it always does at the root.
    """
    plan, spots = tree.plan, tree.spots
    line = tuple(crumb.text for crumb in tree.crumbs)
    if plan.algorithm is not Algorithm.ALPHABETA or not 0 < len(line) <= MAX_QUESTION_PLIES:
        return None
    unvisited = [one.move for one in tree.tree.tried(spots[-1]) if one.spot is None]
    if not unvisited:
        return None
    mark = spots[-1].state.to_move.mark
    order = "" if plan.order is Order.BOARD else f" order={plan.order}"
    return Question(
        game=tree.game.spec,
        prompt=f"After {' '.join(line)}: will alpha-beta look at {unvisited[0]} for {mark}?",
        truth=f"looks-at {unvisited[0]} depth={plan.depth}{order}",
        start=str(tree.root),
        moves=line,
        machine=f"alphabeta:depth={plan.depth},evaluation={plan.evaluation}",
    )
