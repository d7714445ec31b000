"""A network's policy and value, what a search makes of them, and the positions it gets wrong."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from agents.exhibits import Policy, Preference, WrongPosition
from agents.formats import counted, portion, signed
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView, Link, course_chart

MAX_ROWS = 12
OPEN_WRONG = 4  # boards before "all of them"
MAX_WRONG_SHAPES = 1_600  # SVG shapes of all boards
WRONG_PART = "wrong"
EXACT_TEXTS = {1: "a win", 0: "a draw", -1: "a loss"}
PROVEN_TEXTS = {"win": "▲ proven", "loss": "▼ proven", "draw": "= proven", "": ""}


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """A move with its share of the policy or of the simulations."""

    move: str
    share: str
    width: float  # of its bar, 0 to 1
    value: str
    proven: str
    tone: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class WrongBoard:
    """A position that the network alone gets wrong, to open and to play."""

    board: Board
    label: str
    url: str


class PolicyView(ExhibitView):
    """The moves at the context's number of simulations, the value, and what is still wrong."""

    title = "What the network sees"
    template = "exhibits/policy.html"
    sheets = ("charts/chart",)

    def __init__(self, exhibit: Policy, context: ExhibitContext) -> None:
        numbers = [count for count, _ in exhibit.stages]
        at = numbers.index(context.step) if context.step in numbers else 0
        count, found = exhibit.stages[at]
        all_wrong = context.part == WRONG_PART
        self.steps = tuple(
            Link(f"{number}", context.turn_to(None, number), current=number == count)
            for number in numbers
        )
        mover = context.state.to_move.mark
        self.sentence = _policy_text(mover, count, found)
        self.value = _value_text(mover, exhibit)
        self.balance = round((1 + exhibit.value) / 2, 3)
        most = max((each.share for each in found), default=0.0) or 1.0
        self.rows = tuple(
            _row(each, most, chosen=context.plays((each.move,))) for each in found[:MAX_ROWS]
        )
        rest = found[MAX_ROWS:]
        self.rest = (
            f"{counted(len(rest), 'more move', 'more moves')} share "
            f"{portion(sum(each.share for each in rest))}."
            if rest
            else ""
        )
        self.measure = "simulations" if count else "policy"
        self.faults = _faults_text(exhibit)
        self.wrong = tuple(_boards(exhibit.wrong, context, all_wrong=all_wrong))
        self.all = None
        if exhibit.wrongs > OPEN_WRONG:
            label = "Only the surest" if all_wrong else _all_text(exhibit)
            self.all = Link(label, context.turn_to(None if all_wrong else WRONG_PART, None))
        self.charts = tuple(map(course_chart, exhibit.courses))


def _policy_text(mover: str, count: int, found: tuple[Preference, ...]) -> str:
    best = found[0]
    if not count:
        return (
            f"{mover} to move: before any search the network gives {best.move} "
            f"{portion(best.share)}."
        )
    if best.share:
        return (
            f"{mover} to move: of {count} simulations at most, {portion(best.share)} began with "
            f"{best.move}."
        )
    return f"{mover} to move: what is certain is seen at once, without a simulation."


def _value_text(mover: str, exhibit: Policy) -> str:
    wins = (1 + exhibit.value) * 5
    expects = f"It expects {mover} to score {wins:.1f} of 10 points ({signed(exhibit.value)})"
    if exhibit.exact is None:
        return f"{expects}; what is true, nobody has worked out."
    return f"{expects}; exactly it is {EXACT_TEXTS[exhibit.exact]} for {mover}."


def _row(each: Preference, most: float, *, chosen: bool) -> PreferenceRow:
    value = each.value or 0.0
    tone = each.proven or ("win" if value > 0.1 else "loss" if value < -0.1 else "draw")
    return PreferenceRow(
        move=each.move,
        share=portion(each.share),
        width=round(each.share / most, 4),
        value="–" if each.value is None else signed(each.value),
        proven=PROVEN_TEXTS[each.proven],
        tone=tone,
        chosen=chosen,
    )


def _faults_text(exhibit: Policy) -> str:
    if not exhibit.positions:
        return "Nobody knows every right move on this board, so its faults cannot be counted."
    where = "" if exhibit.whole else " looked at, a sample"
    right = exhibit.positions - exhibit.wrongs
    alone = f"Of {exhibit.positions:,} positions{where}, the network alone plays {right:,} right."
    if not exhibit.wrongs:
        return alone
    left = exhibit.wrongs_searched
    searched = "none is" if not left else f"{left:,} {'is' if left == 1 else 'are'}"
    return f"{alone} With {exhibit.searched} simulations {searched} wrong."


def _all_text(exhibit: Policy) -> str:
    shown = len(exhibit.wrong)
    return (
        f"All {shown}" if shown == exhibit.wrongs else f"The {shown} surest of {exhibit.wrongs:,}"
    )


def _boards(
    wrong: tuple[WrongPosition, ...], context: ExhibitContext, *, all_wrong: bool
) -> list[WrongBoard]:
    found: list[WrongBoard] = []
    shapes = 0
    for each in wrong if all_wrong else wrong[:OPEN_WRONG]:
        state = context.game.parse_state(each.state)
        picture = picture_for(context.game, state)
        shapes += picture.parts
        if shapes > MAX_WRONG_SHAPES:
            break
        right = ", ".join(each.right[:3]) + (" …" if len(each.right) > 3 else "")
        fields = {"game": context.game.spec, "state": each.state}
        found.append(
            WrongBoard(
                picture,
                f"{state.to_move.mark} to move: plays {each.plays}, right is {right}",
                f"/positions?{urlencode(fields, safe=':,=/')}",
            )
        )
    return found
