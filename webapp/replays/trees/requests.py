"""The tree that an address asks for: searched by a worker, unfolded for whoever looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agents.formats import counted
from agents.search.common import evaluation_for, nothing
from agents.search.trace import MOST, Algorithm, Order, Plan, Recording
from agents.search.trace_view import TITLES, count_words
from engine import Match
from webapp.boards import picture_for
from webapp.questions.models import PosedQuestion
from webapp.questions.query import ask_url
from webapp.replays.models import Record
from webapp.replays.query import Look, Visit, ask_address, child_of, place_fields, with_query
from webapp.replays.seats import PlayerKind, players_of
from webapp.replays.trees.page import Unfolding
from webapp.replays.trees.query import DEEPEST, TreeLook, plan_for
from webapp.replays.trees.views import CountBar, TreeView
from webapp.services import service
from webapp.web.forms import Choice
from webapp.web.navigation import keys_address
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import TreeQuestion

MOST_PLIES = 12  # of a line that a question tells whole


def prediction(unfolding: Unfolding) -> PosedQuestion | None:
    """About the first move of the open position that alpha-beta has not looked at by then.

    None where it has looked at all of them, as it always does at its root.
    """
    plan, spots = unfolding.plan, unfolding.spots
    line = tuple(crumb.text for crumb in unfolding.crumbs())
    if plan.algorithm is not Algorithm.ALPHABETA or not 0 < len(line) <= MOST_PLIES:
        return None
    waiting = [one.move for one in unfolding.tree.tried(spots[-1]) if one.spot is None]
    if not waiting:
        return None
    mark = spots[-1].state.to_move.mark
    order = "" if plan.order is Order.BOARD else f" order={plan.order}"
    return PosedQuestion(
        game=unfolding.game.spec,
        prompt=f"After {' '.join(line)}: will alpha-beta look at {waiting[0]} for {mark}?",
        truth=f"looks-at {waiting[0]} depth={plan.depth}{order}",
        start=str(unfolding.root),
        moves=line,
        machine=f"alphabeta:depth={plan.depth},evaluation={plan.evaluation}",
    )


SECONDS = 15.0  # in which even the largest search that is kept is done
DEPTHS = (*range(1, 11), 12, 15, 20)
ORDERS = {
    Order.BOARD: "as the game lists them",
    Order.BACKWARDS: "the other way round",
    Order.BEST: "promising ones first",
    Order.WORST: "promising ones last",
}
BESIDES = {
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


def tree_view(record: Record, ply: int, look: TreeLook, visit: Visit) -> TreeView:
    """The page as far as the search is done."""
    plan = plan_for(record, ply, look)
    match = record.match.at(ply)
    path = visit.place or record.path
    view = _frame(record, match, look, plan, visit, path)
    if match.state.outcome() is not None:
        return replace(view, failed="The game is over here: there is nothing left to search.")
    question = TreeQuestion(
        record.game, record.start, tuple(done.text for done in record.plies[:ply]), plan
    )
    answer = service(WorkerClient).answer(question, Rank.STORY, SECONDS)
    if answer is None:
        return replace(view, pending=True)
    if answer.result is None:
        why = "The search could not be worked out this time. A smaller depth is quicker."
        return replace(view, failed=why, offers=_smaller(path, look, plan.depth - 1))
    if not answer.result.is_whole:
        return _refused(view, answer.result, plan, look, path)
    return _filled(view, answer.result, match, plan, look, path)


def _frame(
    record: Record, match: Match[Any, Any], look: TreeLook, plan: Plan, visit: Visit, path: str
) -> TreeView:
    """What is there before anything is searched: where we are, and what can be chosen."""
    ply = match.ply
    mover = next((p for p in players_of(record, ply, visit.actor) if p.to_move), None)
    anew = look.anew
    depths = sorted({*DEPTHS, plan.depth})
    who = "" if mover is None else f"{mover.title}, {mover.mark}, to move"
    if mover is not None and mover.kind is PlayerKind.YOU:
        who = f"You are {mover.mark}, and to move"
    return TreeView(
        title=f"How {TITLES[plan.algorithm].lower()} searches this position",
        game=match.game.key,
        action=child_of(path, "tree").partition("?")[0],
        url=look.address(path),
        requested=visit.address,
        match_url=with_query(path, Look(ply=ply, present=look.present)),
        keys_url=keys_address(with_query(path, Look(ply=ply))),
        back="Back to the match" if visit.place is None else "Back to the position",
        ask_url=ask_address(record.game, record.start, map(str, match.moves)),
        present=look.present,
        present_url=replace(look, present=not look.present).address(path),
        position=picture_for(match.game, match.state, match.moves[-1] if ply else None),
        status=f"{who}, after {counted(ply, 'move', 'moves')}".removeprefix(", "),
        algorithms=tuple(
            (TITLES[name], replace(anew, algorithm=name).address(path), name is plan.algorithm)
            for name in reversed(Algorithm)
        ),
        depths=tuple(Choice(str(n), f"{n}", chosen=n == plan.depth) for n in depths),
        orders=tuple(Choice(name, ORDERS[name], chosen=name is plan.order) for name in Order),
        settings=(*place_fields(path), *replace(anew, depth=None, order=Order.BOARD).fields),
    )


def _filled(
    view: TreeView,
    recording: Recording,
    match: Match[Any, Any],
    plan: Plan,
    look: TreeLook,
    path: str,
) -> TreeView:
    unfolding = Unfolding(recording, match.game, match.state, plan, look, path)
    if (posed := prediction(unfolding)) is not None:
        move = posed.truth.split()[1]
        view = replace(view, ask_url=ask_url(posed), ask=f"Ask the class: will it look at {move}?")
    return replace(
        view,
        counts=_counts(recording, plan),
        measured=_measured(recording, plan),
        answer=unfolding.answer(),
        besides=BESIDES[plan.algorithm],
        horizon=_horizon(plan, match) if 0 in recording.certain else "",
        walk=unfolding.walk(),
        crumbs=unfolding.crumbs(),
        rows=unfolding.rows(),
        fields=(*place_fields(path), *look.following.fields),
    )


def _counts(recording: Recording, plan: Plan) -> str:
    """What both look at, in words."""
    mine = count_words(plan.algorithm, recording.looked_at[plan.algorithm])
    other = next(name for name in Algorithm if name is not plan.algorithm)
    theirs = count_words(other, recording.looked_at[other])
    plies = counted(plan.depth, "ply", "plies")
    return f"{mine} positions, at most {plies} deep. {theirs} for the same answer."


def _refused(
    view: TreeView, recording: Recording, plan: Plan, look: TreeLook, path: str
) -> TreeView:
    """What is known of a search that is too large: both counts, and the depths at which it fits."""
    return replace(
        view,
        counts=_counts(recording, plan),
        measured=_measured(recording, plan),
        failed=_too_large(recording, plan),
        offers=_smaller(path, look, recording.deepest or plan.depth - 1),
    )


def _measured(recording: Recording, plan: Plan) -> tuple[CountBar, ...]:
    """Both counts; one that is too large to be taken is as long as the bar can be."""
    counts = {name: recording.looked_at[name] for name in reversed(Algorithm)}
    most = max(MOST if count is None else count for count in counts.values())
    return tuple(
        CountBar(
            TITLES[name],
            f"more than {MOST:,}" if count is None else f"{count:,}",
            1.0 if count is None else round(count / most, 4),
            name is plan.algorithm,
        )
        for name, count in counts.items()
    )


def _horizon(plan: Plan, match: Match[Any, Any]) -> str:
    """What an open position counts where the search ends."""
    if evaluation_for(plan.evaluation, match.game) is nothing:
        return "Where its depth ends a position that is not over counts 0: nothing is known of it."
    source = "theory says of it" if plan.evaluation == "theory" else "its game makes of it"
    return f"Where its depth ends a position that is not over counts what {source}."


def _too_large(recording: Recording, plan: Plan) -> str:
    count = recording.looked_at[plan.algorithm]
    return (
        f"{count_words(plan.algorithm, count)} positions {counted(plan.depth, 'ply', 'plies')} "
        f"deep. That is more than the {MOST:,} that can be kept and walked through."
    )


def _smaller(path: str, look: TreeLook, deepest: int) -> tuple[tuple[str, str], ...]:
    """Smaller depths, the largest first."""
    anew = look.anew
    deepest = min(deepest, DEEPEST - 1)
    depths = range(deepest, max(0, deepest - 3), -1)
    return tuple(
        (counted(depth, "ply", "plies"), replace(anew, depth=depth).address(path))
        for depth in depths
    )
