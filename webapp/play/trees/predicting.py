"""What a class can be asked at a moment of the search: will it look at this move?"""

from __future__ import annotations

from agents.search.trace import Algorithm, Order
from webapp.play.trees.unfolding import Unfolding
from webapp.questions.models import PosedQuestion

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
