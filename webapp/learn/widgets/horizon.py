"""Widget of the horizon: the same search at two depths side by side, beside what is true."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from agents.formats import counted
from agents.perfect.oracles import oracle_for
from agents.search.trace import Algorithm, Plan
from agents.search.trace_view import Spot, Tried, value_text
from engine.core import Seat
from engine.match import Match
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import START_AGAIN, Button, Widget
from webapp.questions.search import unfold

BOTH = "2"  # the state in which both depths are shown
ENDS = {1: "wins", 0: "draws", -1: "loses"}


@dataclass(frozen=True, slots=True)
class Sight:
    """What a search of one depth sees: every move with its value, its choice, and the truth."""

    title: str  # 2 plies ahead
    board: Board  # after its choice
    choice: str
    moves: tuple[tuple[str, str, bool], ...]  # move, value, chosen
    verdict: str  # In truth a1 loses: x answers c3.
    errs: bool
    url: str  # of its tree


class Horizon(Widget):
    """`SHALLOW DEEP POSITION`: what both searches play, the deep one once it is asked for."""

    template = "learn/widgets/horizon.html"

    def __init__(self, about: str, held: str) -> None:
        shallow, deep, position = about.split(maxsplit=2)
        self.position = read_position(position)
        depths = (int(shallow), int(deep))
        shown = depths if held == BOTH else depths[:1]
        self.sights = tuple(sight(position, depth) for depth in shown)
        more = Button(BOTH, f"Look {deep} plies ahead", look="primary")
        self.presses = (START_AGAIN if held == BOTH else more,)


@lru_cache(maxsize=32)
def sight(about: str, depth: int) -> Sight:
    """What minimax sees of a position at this depth, judged by exact values."""
    position = read_position(about)
    tree = unfold(Match.begin(position.game, position.state), Plan(Algorithm.MINIMAX, depth))
    tried = tree.tried(Spot(0, position.state))
    best = tree.recording.value[0]
    choice = next(one for one in tried if one.value == best)
    verdicts = oracle_for(position.game).verdicts(position.state)
    errs = verdicts[choice.move].value < max(verdict.value for verdict in verdicts.values())
    return Sight(
        title=f"{counted(depth, 'ply', 'plies')} ahead",
        board=picture_for(position.game, choice.state, choice.move),
        choice=str(choice.move),
        moves=tuple((str(one.move), _value(one), one is choice) for one in tried),
        verdict=_verdict(position, choice.move, verdicts[choice.move].value, errs=errs),
        errs=errs,
        url=_tree_url(position, depth),
    )


def _value(tried: Tried) -> str:
    assert tried.value is not None
    return value_text(tried.value, certain=tried.certain)


def _verdict(position: Position, move: Any, value: int, *, errs: bool) -> str:
    """What the choice comes to with best play, and the reply that the search did not see."""
    ends = f"{ENDS[value]} against best play"
    if not errs:
        return f"{move} is right: it {ends}."
    after = position.state.play(move)
    replies = oracle_for(position.game).verdicts(after)
    reply = max(replies, key=lambda each: (replies[each].value, -(replies[each].plies or 0)))
    mark = (after.to_move if value < 0 else Seat.FIRST).mark
    answer = f": {mark} answers {reply}" if value < 0 else ""
    return f"{move} is a mistake: it {ends}{answer}."


def _tree_url(position: Position, depth: int) -> str:
    fields = {"game": position.game.spec, "state": str(position.state)}
    fields |= {"algorithm": "minimax", "depth": str(depth)}
    return f"/positions/tree?{urlencode(fields, safe=':,/')}"


WIDGETS = {"horizon": Horizon}
