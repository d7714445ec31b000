"""A network's policy and value, what a search makes of them, and the positions it gets wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from agents.exhibits import Policy, Preference, WrongPosition
from agents.formats import counted, portion, signed
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.boards.heat import Heat, heat_for
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView, Link, course_chart

MAX_ROWS = 12
MAX_LABELLED = 5  # moves that are read out of a board
FIRST_WRONG = 4  # boards before "all of them"
WRONG_PER_PAGE = 60
WRONG_PART = "wrong"
NO_LINES = "none"
EXACT_TEXTS = {1: "a win", 0: "a draw", -1: "a loss"}
PROVEN_TEXTS = {"win": "▲ proven", "loss": "▼ proven", "draw": "= proven", "": ""}

Stages = tuple[tuple[int, tuple[Preference, ...]], ...]  # (simulations, moves, best first)


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
class HeatBoard:
    """The position with the moves' shares on it."""

    title: str
    heat: Heat


@dataclass(frozen=True, slots=True)
class WrongBoard:
    """A position that the network alone gets wrong, to open and to play."""

    board: Board
    mover: str
    plays: str
    right: str
    url: str


class PolicyView(ExhibitView):
    """The moves at the context's number of simulations, the value, and what is still wrong."""

    title = "What the network sees"
    template = "exhibits/policy.html"
    sheets = ("charts/chart", "exhibits/policy")

    def __init__(self, exhibit: Policy, context: ExhibitContext) -> None:
        self.page = _wrong_page(exhibit, context) if context.part == WRONG_PART else 0
        numbers = [count for count, _ in exhibit.stages]
        at = numbers.index(context.step) if context.step in numbers and not self.page else 0
        count, found = exhibit.stages[at]
        self.steps = tuple(
            Link(
                f"{number}" if number else NO_LINES,
                context.turn_to(None, number),
                current=number == count,
            )
            for number in numbers
        )
        self.looks_ahead = bool(exhibit.simulations)
        self.lead = _lead_text(exhibit)
        mover = context.state.to_move.mark
        self.sentence = _stage_text(mover, count, exhibit.stages[0][1][0], found)
        self.value = _value_text(mover, exhibit)
        self.balance = None if exhibit.value is None else round((1 + exhibit.value) / 2, 3)
        self.mover = mover
        stages = exhibit.stages[:1] + exhibit.stages[at : at + 1] * bool(at)
        self.boards = _heat_boards(stages, context)
        most = max((each.share for each in found), default=0.0) or 1.0
        self.rows = tuple(
            _row(each, most, chosen=context.plays((each.move,))) for each in found[:MAX_ROWS]
        )
        self.rest = _rest_text(found[MAX_ROWS:])
        is_q = not count and bool(_q_texts(found))
        self.measure = "lines" if count else "share" if is_q else "policy"
        self.worth = "Q" if is_q else "result"
        self.faults = _faults_text(exhibit)
        first = (self.page - 1) * WRONG_PER_PAGE if self.page else 0
        last = first + (WRONG_PER_PAGE if self.page else FIRST_WRONG)
        self.wrong = tuple(_boards(exhibit.wrong[first:last], context))
        self.all = self.back = None
        if self.page:
            self.back = Link("Back to what it sees", context.turn_to(None, None))
        elif len(exhibit.wrong) > FIRST_WRONG:
            self.all = Link(_all_text(exhibit), context.turn_to(WRONG_PART, None))
        self.pages = _pages(self.page, len(exhibit.wrong), context) if self.page else ()
        self.charts = tuple(map(course_chart, exhibit.courses))
        self.notes = tuple(course.note for course in exhibit.courses if course.note)


def _heat_boards(stages: Stages, context: ExhibitContext) -> tuple[HeatBoard, ...]:
    """The stages on boards of equal size; none for a game whose moves have no place on it."""
    found = {}
    for count, moves in stages:
        if count and not moves[0].share:  # settled without a simulation
            continue
        title = f"After trying {count} lines" if count else "At first sight"
        texts = {} if count else _q_texts(moves)
        named = ", ".join(
            f"{each.move} {texts.get(each.move) or portion(each.share)}"
            for each in moves[:MAX_LABELLED]
        )
        heat = heat_for(
            context.game,
            context.state,
            {each.move: each.share for each in moves},
            choice=moves[0].move,
            label=f"{title}: {named}",
            texts=texts,
        )
        if heat is not None:
            found[title] = heat
    margin = max((heat.margin for heat in found.values()), default=0)
    return tuple(HeatBoard(title, replace(heat, margin=margin)) for title, heat in found.items())


def _q_texts(moves: tuple[Preference, ...]) -> dict[str, str]:
    """What each move is worth to a network that has a Q for it; none to one with a policy."""
    found = {each.move: signed(each.value) for each in moves if each.value is not None}
    return found if len(found) == len(moves) else {}


def _lead_text(exhibit: Policy) -> str:
    """How it comes to its move."""
    has_q = bool(_q_texts(exhibit.stages[0][1]))
    gives = "says what result it expects from every move" if has_q else "gives every move a score"
    if not exhibit.simulations:
        return (
            f"This machine looks at the board and {gives}; it plays the highest. "
            "It does not look ahead."
        )
    return (
        f"This machine looks at the board and {gives}. Then it looks ahead: it tries up to "
        f"{exhibit.simulations:,} lines in its head, mostly of moves that it likes, and plays the "
        "move it tried most, or one that it has proven to be best."
    )


def _stage_text(mover: str, count: int, alone: Preference, found: tuple[Preference, ...]) -> str:
    """What the network likes, or how a search changes that."""
    best = found[0]
    if not count and (worth := _q_texts(found)):
        return (
            f"{mover} to move: at first sight {best.move} is worth most to the network, "
            f"{worth[best.move]}."
        )
    if not count:
        return (
            f"{mover} to move: at first sight the network gives {best.move} {portion(best.share)}."
        )
    if not best.share:
        return f"{mover} to move: what is certain is seen at once, without trying a line."
    looked = f"of {count} lines at most, {portion(best.share)} began with {best.move}"
    if best.move == alone.move:
        return f"{mover} to move: {looked}. Looking ahead does not change its mind."
    return f"{mover} to move: {looked}. At first sight it would rather play {alone.move}."


def _value_text(mover: str, exhibit: Policy) -> str:
    if exhibit.value is None:
        if exhibit.exact is None:
            return "This network has no opinion who wins: it only ranks moves."
        exact = EXACT_TEXTS[exhibit.exact]
        return (
            "This network has no opinion who wins: it only ranks moves. "
            f"With best play this is {exact} for {mover}."
        )
    points = (1 + exhibit.value) * 5
    expects = f"It expects {mover} to score {points:.1f} of 10 points ({signed(exhibit.value)})"
    if exhibit.exact is None:
        return f"{expects}; the truth, nobody has worked out."
    return f"{expects}; with best play it is {EXACT_TEXTS[exhibit.exact]} for {mover}."


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


def _rest_text(rest: tuple[Preference, ...]) -> str:
    if not rest:
        return ""
    share = portion(sum(each.share for each in rest))
    return f"{counted(len(rest), 'more move', 'more moves')} share {share}."


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
    order = "" if exhibit.wrongs == 1 else " Those it is surest of come first."
    return f"{alone} Looking ahead, {exhibit.searched} lines, {searched} wrong.{order}"


def _all_text(exhibit: Policy) -> str:
    shown = f"{len(exhibit.wrong):,}"
    all_shown = len(exhibit.wrong) == exhibit.wrongs
    return f"All {shown}" if all_shown else f"The {shown} surest of {exhibit.wrongs:,}"


def _boards(wrong: tuple[WrongPosition, ...], context: ExhibitContext) -> Iterator[WrongBoard]:
    spec = context.spec_of(())
    for each in wrong:
        state = context.game.parse_state(each.state)
        right = ", ".join(each.right[:3]) + (" …" if len(each.right) > 3 else "")
        fields = {"game": context.game.spec, "state": each.state, "agent": spec}
        query = urlencode(fields | {"values": "1", "show": "1"}, safe=":,=/")
        picture = picture_for(context.game, state)
        mover = state.to_move.mark
        yield WrongBoard(picture, mover, each.plays, right, f"/positions?{query}")


def _wrong_page(exhibit: Policy, context: ExhibitContext) -> int:
    """The page of wrong positions that is asked for, from 1; 0 if there are none."""
    pages = -(-len(exhibit.wrong) // WRONG_PER_PAGE)
    return min(max(context.step or 1, 1), pages)


def _pages(page: int, count: int, context: ExhibitContext) -> tuple[Link, ...]:
    """Links to the first, the neighbouring and the last page; none if there is one only."""
    last = -(-count // WRONG_PER_PAGE)
    shown = sorted({1, page - 1, page, page + 1, last} & set(range(1, last + 1)))
    return tuple(
        Link(f"{number}", context.turn_to(WRONG_PART, number), current=number == page)
        for number in shown
        if last > 1
    )
