"""The tree page: the search is recorded by a worker, then opened at the step of the query."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agents.formats import counted
from agents.search.common import evaluation_for, zero_evaluation
from agents.search.trace import MAX_POSITIONS, Algorithm, Order, Plan, Recording
from agents.search.trace_view import TITLES, count_text
from engine import Match
from webapp.boards import picture_for
from webapp.questions.models import Question
from webapp.questions.query import ask_url
from webapp.replays.models import Record
from webapp.replays.query import (
    MatchQuery,
    Visit,
    ask_class_url,
    child_url,
    path_fields,
    with_query,
)
from webapp.replays.seats import PlayerKind, players_at
from webapp.replays.trees.page import OpenTree
from webapp.replays.trees.query import MAX_DEPTH, TreeQuery, plan_for
from webapp.replays.trees.views import CountBar, TreeView
from webapp.services import service
from webapp.web.forms import Choice
from webapp.web.navigation import keys_url
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import TreeRequest

MAX_QUESTION_PLIES = 12  # of a line quoted in a question
SEARCH_TIMEOUT_S = 15.0  # enough for the largest search that is recorded
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


def tree_view(record: Record, ply: int, query: TreeQuery, visit: Visit) -> TreeView:
    """Build the page; pending until the search is recorded."""
    plan = plan_for(record, ply, query)
    match = record.match.at(ply)
    path = visit.place or record.path
    view = _frame(record, match, query, plan, visit, path)
    if match.state.outcome() is not None:
        return replace(view, failed="The game is over here: there is nothing left to search.")
    question = TreeRequest(
        record.game, record.start, tuple(done.text for done in record.plies[:ply]), plan
    )
    answer = service(WorkerClient).answer(question, Rank.STORY, SEARCH_TIMEOUT_S)
    if answer is None:
        return replace(view, pending=True)
    if answer.result is None:
        why = "The search could not be worked out this time. A smaller depth is quicker."
        return replace(view, failed=why, offers=_smaller_depths(path, query, plan.depth - 1))
    if not answer.result.is_whole:
        return _refused(view, answer.result, plan, query, path)
    return _filled(view, answer.result, match, plan, query, path)


def _frame(
    record: Record, match: Match[Any, Any], query: TreeQuery, plan: Plan, visit: Visit, path: str
) -> TreeView:
    """What is there before anything is searched: where we are, and what can be chosen."""
    ply = match.ply
    mover = next((p for p in players_at(record, ply, visit.actor) if p.to_move), None)
    restarted = query.restarted
    depths = sorted({*DEPTH_CHOICES, plan.depth})
    who = "" if mover is None else f"{mover.title}, {mover.mark}, to move"
    if mover is not None and mover.kind is PlayerKind.YOU:
        who = f"You are {mover.mark}, and to move"
    return TreeView(
        title=f"How {TITLES[plan.algorithm].lower()} searches this position",
        game=match.game.key,
        action=child_url(path, "tree").partition("?")[0],
        url=query.address(path),
        requested=visit.address,
        match_url=with_query(path, MatchQuery(ply=ply, present=query.present)),
        keys_url=keys_url(with_query(path, MatchQuery(ply=ply))),
        back="Back to the match" if visit.place is None else "Back to the position",
        ask_url=ask_class_url(record.game, record.start, map(str, match.moves)),
        present=query.present,
        present_url=replace(query, present=not query.present).address(path),
        position=picture_for(match.game, match.state, match.moves[-1] if ply else None),
        status=f"{who}, after {counted(ply, 'move', 'moves')}".removeprefix(", "),
        algorithms=tuple(
            (TITLES[name], replace(restarted, algorithm=name).address(path), name is plan.algorithm)
            for name in reversed(Algorithm)
        ),
        depths=tuple(Choice(str(n), f"{n}", chosen=n == plan.depth) for n in depths),
        orders=tuple(Choice(name, ORDER_LABELS[name], chosen=name is plan.order) for name in Order),
        settings=(*path_fields(path), *replace(restarted, depth=None, order=Order.BOARD).pairs()),
    )


def _filled(
    view: TreeView,
    recording: Recording,
    match: Match[Any, Any],
    plan: Plan,
    query: TreeQuery,
    path: str,
) -> TreeView:
    tree = OpenTree(recording, match.game, match.state, plan, query, path)
    if (posed := _prediction(tree)) is not None:
        move = posed.truth.split()[1]
        view = replace(view, ask_url=ask_url(posed), ask=f"Ask the class: will it look at {move}?")
    return replace(
        view,
        counts=_counts(recording, plan),
        measured=_measured(recording, plan),
        answer=tree.answer(),
        besides=PLAYER_DIFFERENCES[plan.algorithm],
        horizon=_horizon(plan, match) if 0 in recording.certain else "",
        walk=tree.walk(),
        crumbs=tree.crumbs(),
        rows=tree.rows(),
        fields=(*path_fields(path), *query.following.pairs()),
    )


def _prediction(tree: OpenTree) -> Question | None:
    """A question about the first move of the open node that alpha-beta has not visited yet.

    None where it has visited all of them, as it always does at the root.
    """
    plan, spots = tree.plan, tree.spots
    line = tuple(crumb.text for crumb in tree.crumbs())
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


def _counts(recording: Recording, plan: Plan) -> str:
    """How many nodes both algorithms visit."""
    mine = count_text(plan.algorithm, recording.looked_at[plan.algorithm])
    other = next(name for name in Algorithm if name is not plan.algorithm)
    theirs = count_text(other, recording.looked_at[other])
    plies = counted(plan.depth, "ply", "plies")
    return f"{mine} positions, at most {plies} deep. {theirs} for the same answer."


def _refused(
    view: TreeView, recording: Recording, plan: Plan, query: TreeQuery, path: str
) -> TreeView:
    """The page of a search that is too large: both counts and smaller depths."""
    return replace(
        view,
        counts=_counts(recording, plan),
        measured=_measured(recording, plan),
        failed=_too_large(recording, plan),
        offers=_smaller_depths(path, query, recording.deepest or plan.depth - 1),
    )


def _measured(recording: Recording, plan: Plan) -> tuple[CountBar, ...]:
    """Bars of both counts; a full one for a search that is too large."""
    counts = {name: recording.looked_at[name] for name in reversed(Algorithm)}
    most = max(MAX_POSITIONS if count is None else count for count in counts.values())
    return tuple(
        CountBar(
            TITLES[name],
            f"more than {MAX_POSITIONS:,}" if count is None else f"{count:,}",
            1.0 if count is None else round(count / most, 4),
            name is plan.algorithm,
        )
        for name, count in counts.items()
    )


def _horizon(plan: Plan, match: Match[Any, Any]) -> str:
    """How unfinished positions at the horizon are valued."""
    if evaluation_for(plan.evaluation, match.game) is zero_evaluation:
        return "Where its depth ends a position that is not over counts 0: nothing is known of it."
    source = "theory says of it" if plan.evaluation == "theory" else "its game makes of it"
    return f"Where its depth ends a position that is not over counts what {source}."


def _too_large(recording: Recording, plan: Plan) -> str:
    count = recording.looked_at[plan.algorithm]
    return (
        f"{count_text(plan.algorithm, count)} positions {counted(plan.depth, 'ply', 'plies')} "
        f"deep. That is more than the {MAX_POSITIONS:,} that can be kept and walked through."
    )


def _smaller_depths(path: str, query: TreeQuery, deepest: int) -> tuple[tuple[str, str], ...]:
    """Smaller depths, the largest first."""
    restarted = query.restarted
    deepest = min(deepest, MAX_DEPTH - 1)
    depths = range(deepest, max(0, deepest - 3), -1)
    return tuple(
        (counted(depth, "ply", "plies"), replace(restarted, depth=depth).address(path))
        for depth in depths
    )
