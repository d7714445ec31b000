"""A matchbox machine: the box of a position, all boxes, and what it would learn from a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from agents.exhibits import Bead, Matchbox
from agents.formats import counted, portion
from agents.roster import agent_title
from engine.core import Game
from webapp.boards import picture_for, place_of
from webapp.boards.grid import BeadCount, Board
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView, Link, course_chart

MAX_DRAWN_BEADS = 180  # if there are more, each drawn one stands for several
LET_IT_MOVE = "Let it move"
LETTERS = "ABCDEFGHI"
BOXES_PER_PAGE = 24


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour of beads."""

    number: int
    letter: str
    moves: str  # a3 c3
    count: str
    chance: str
    chosen: bool = False  # the chosen move's colour


@dataclass(frozen=True, slots=True)
class BeadSpot:
    """A dot on the picture, in the cell of a move."""

    x: int
    y: int
    number: int
    letter: str


@dataclass(frozen=True, slots=True)
class SmallBox:
    """A box in the list of all boxes."""

    picture: Board
    label: str
    beads: tuple[tuple[int, str], ...]  # colour and count
    opened: bool


@dataclass(frozen=True, slots=True)
class Shelf:
    """A page of the list of all boxes."""

    boxes: tuple[SmallBox, ...]
    pages: tuple[Link, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class BoxChange:
    """A box that was opened and how its beads would change."""

    ply: int
    picture: Board
    colour: Colour
    after: str  # beads of that colour
    share: str  # of the box, before and after
    short: bool  # it holds fewer beads of that colour than a loss takes


class MatchboxView(ExhibitView):
    """The box of the position with its beads, or the list of all boxes."""

    title = "The matchbox"
    template = "exhibits/matchbox.html"
    sheets = ("charts/chart",)

    def __init__(self, box: Matchbox, context: ExhibitContext) -> None:
        total = sum(bead.count for bead in box.beads)
        each = -(-total // MAX_DRAWN_BEADS)
        self.sentence = _sentence(box, total, agent_title(box.opponent, context.game.spec))
        self.rule = _rule(box)
        self.shared = _shared(box)
        self.colours = tuple(
            replace(_colour(bead, context.game), chosen=context.plays(bead.moves))
            for bead in box.beads
        )
        self.picture = picture_for(context.game, context.state)
        self.spots = _spots(box, context)
        self.beads = _shuffled_beads(
            box, each, context.game
        )  # colours, in the order they are drawn
        self.scale = f"Each dot stands for {each} beads." if each > 1 else ""
        self.shelf = shelf = _shelf(box, context) if context.part == "boxes" else None
        self.ways = (
            Link("Its box", context.turn_to(None, None), current=shelf is None),
            Link("All its boxes", context.turn_to("boxes", 1), current=shelf is not None),
        )
        self.ages = tuple(
            context.earlier(age, current=dict(age.settings)["games"] == str(box.games))
            for age in box.ages
        )
        self.begin = context.begin  # hidden fields of the form that starts a match
        self.chart = None if box.course is None else course_chart(box.course)
        self.chose = "drawn" if box.met else "picked"
        self.press = "Draw a bead" if box.met else LET_IT_MOVE


class TrainingView(ExhibitView):
    """What the machine would learn from a finished game, whose result for it is `score`.

    `opened` has the ply, the move and the box of each of its turns.
    """

    title = "What it would learn"
    template = "exhibits/lessons.html"
    sheets = ("charts/chart",)

    def __init__(
        self, opened: Sequence[tuple[int, str, Matchbox]], score: int, context: ExhibitContext
    ) -> None:
        self.lessons = tuple(
            _box_change(ply, move, box, score, context) for ply, move, box in opened if box.met
        )
        self.sentence = _result_text(opened[0][2], score)
        if any(lesson.short for lesson in self.lessons):
            self.sentence += " Where it has fewer, all of that colour go."
        self.sentence += " Nothing of this is kept: a match does not train it."
        if unmet := len(opened) - len(self.lessons):
            boxes = counted(unmet, "box", "boxes")
            self.sentence += f" {boxes} it had never opened: it moved there without a bead."


def bead_counts(box: Matchbox, game: Game[Any, Any]) -> dict[str, BeadCount]:
    """The beads of each move, for the board: symmetric moves share theirs; none are drawn from a
    box that was never opened."""
    if not box.met:
        return {}
    return {
        move: BeadCount(colour_of(bead.moves[0], game), f"{bead.count:,}", _beads_text(bead))
        for bead in box.beads
        for move in bead.moves
    }


def colour_of(move: str, game: Game[Any, Any]) -> int:
    """The colour of a move and of those that are its mirror images, of which it is the first.

    It is the move's own, so that it is the same after every training and in every box.
    """
    return next(at for at, each in enumerate(game.all_moves) if str(each) == move)


def _beads_text(bead: Bead) -> str:
    """`2 beads, shared by a3 and c3`."""
    beads = counted(bead.count, "bead", "beads")
    if len(bead.moves) == 1:
        return beads
    return f"{beads}, shared by {', '.join(bead.moves[:-1])} and {bead.moves[-1]}"


def _sentence(box: Matchbox, total: int, opponent: str) -> str:
    colours = counted(sum(bead.count > 0 for bead in box.beads), "colour", "colours")
    beads = counted(total, "bead", "beads")
    if not box.met:
        return (
            f"It never opened the box of this position: {opponent} never led it here in "
            f"{counted(box.games, 'game', 'games')} of training, and it knows only what came up "
            f"in them. The box is as new: {beads} of {colours}. "
            "So it draws no bead: it wins at once if it can, stops a loss if it can, and otherwise "
            "plays any move, each as likely. The chances here are of that, not of beads."
        )
    return f"Its box for this position holds {beads} of {colours}. One is drawn at random."


def _rule(box: Matchbox) -> str:
    win, drawn, loss = box.pay
    return (
        f"If it wins, every box it opened gets {counted(win, 'more bead', 'more beads')} of the "
        f"colour it drew; a draw adds {drawn}; a loss takes {loss} away. "
        "So what worked is drawn more often. It learned in training: this match changes nothing."
    )


def _shared(box: Matchbox) -> str:
    times = counted(box.met, "time", "times")
    met = f"It met this position {times} in {counted(box.games, 'game', 'games')}."
    mirrored = any(len(bead.moves) > 1 for bead in box.beads)
    return f"Moves that are mirror images share a colour. {met}" if mirrored else met


def _colour(bead: Bead, game: Game[Any, Any]) -> Colour:
    at = colour_of(bead.moves[0], game)
    return Colour(at, LETTERS[at], " ".join(bead.moves), f"{bead.count:,}", portion(bead.chance))


def _spots(box: Matchbox, context: ExhibitContext) -> tuple[BeadSpot, ...]:
    return tuple(
        BeadSpot(*place, at := colour_of(bead.moves[0], context.game), LETTERS[at])
        for bead in box.beads
        for move in bead.moves
        if (place := place_of(context.game, move)) is not None
    )


def _shuffled_beads(box: Matchbox, each: int, game: Game[Any, Any]) -> tuple[int, ...]:
    """The beads in a random order that is the same for each position."""
    beads = [
        colour_of(bead.moves[0], game)
        for bead in box.beads
        for _ in range(round(bead.count / each))
    ]
    Random(box.state).shuffle(beads)
    return tuple(beads)


def _shelf(box: Matchbox, context: ExhibitContext) -> Shelf:
    lines = box.shelf.split("\n")
    pages = -(-len(lines) // BOXES_PER_PAGE)
    page = min(max(context.step or 1, 1), pages)
    return Shelf(
        boxes=tuple(
            _small_box(line, context)
            for line in lines[(page - 1) * BOXES_PER_PAGE : page * BOXES_PER_PAGE]
        ),
        pages=_pages(page, pages, context),
        sentence=f"{box.counted} Page {page} of {pages}.",
    )


def _small_box(line: str, context: ExhibitContext) -> SmallBox:
    star, beads, state = line.split(" ", 2)
    counts = dict(pair.split("=") for pair in beads.split(","))
    position = context.game.parse_state(state)
    return SmallBox(
        picture=picture_for(context.game, position),
        label=f"{state}: {', '.join(f'{move} {count}' for move, count in counts.items())}",
        beads=tuple(
            (colour_of(move, context.game), f"{int(count):,}") for move, count in counts.items()
        ),
        opened=star == "*",
    )


def _pages(page: int, pages: int, context: ExhibitContext) -> tuple[Link, ...]:
    """Links to the first, the neighbouring and the last page."""
    shown = sorted({1, page - 1, page, page + 1, pages} & set(range(1, pages + 1)))
    return tuple(
        Link(f"{number}", context.turn_to("boxes", number), current=number == page)
        for number in shown
    )


def _result_text(box: Matchbox, score: int) -> str:
    win, drawn, loss = box.pay
    if score < 0:
        gone = counted(loss, "bead", "beads")
        return f"It lost: {gone} of the colour it drew would be taken out of each box it opened."
    word, more = ("won", win) if score else ("drew", drawn)
    come = counted(more, "bead", "beads")
    return f"It {word}: of the colour it drew, {come} would come into each box."


def _box_change(
    ply: int, move: str, box: Matchbox, score: int, context: ExhibitContext
) -> BoxChange:
    bead = next(bead for bead in box.beads if move in bead.moves)
    win, drawn, loss = box.pay
    change = {1: win, 0: drawn, -1: -loss}[score]
    after = max(0, bead.count + change)
    total = sum(each.count for each in box.beads)
    rest = total - bead.count + after
    share = f"{bead.count / total:.1%} → {after / rest:.1%}" if rest else "empty: filled anew"
    state = context.game.parse_state(box.state)
    return BoxChange(
        ply,
        picture_for(context.game, state),
        _colour(bead, context.game),
        f"{after:,}",
        share,
        short=bead.count + change < 0,
    )
