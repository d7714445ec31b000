"""A matchbox of beads: the box of this position, all of them, and what a game would teach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from agents.exhibits import Bead, Matchbox
from agents.formats import counted, portion
from webapp.boards import picture_for, place_of
from webapp.boards.scene import BeadCount, Board
from webapp.charts import Chart
from webapp.exhibits.exhibit import Link, Settings, Stand, course_chart

MOST_BEADS = 180  # that are drawn; beyond that each stands for several
LETTERS = "ABCDEFGHI"
PAGE = 24  # boxes
SHEETS = ("charts/chart",)


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour of beads."""

    number: int
    letter: str
    moves: str  # a3 c3
    count: str
    chance: str
    chosen: bool = False  # the move it plays is of this colour


@dataclass(frozen=True, slots=True)
class BeadSpot:
    """A dot on the drawn position, where a move lies."""

    x: int
    y: int
    number: int
    letter: str


@dataclass(frozen=True, slots=True)
class Age:
    """The machine after so many games: to look at, and to play."""

    link: Link
    spec: str


@dataclass(frozen=True, slots=True)
class SmallBox:
    """One box of the shelf."""

    picture: Board
    label: str
    beads: tuple[tuple[int, str], ...]  # colour and count
    opened: bool


@dataclass(frozen=True, slots=True)
class Shelf:
    """A page of all its boxes."""

    boxes: tuple[SmallBox, ...]
    pages: tuple[Link, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class MatchboxView:
    """The box with its beads, or the shelf it stands on."""

    sentence: str
    rule: str
    shared: str
    colours: tuple[Colour, ...]
    picture: Board
    spots: tuple[BeadSpot, ...]
    beads: tuple[int, ...]  # colours, in the order they lie
    scale: str
    ways: tuple[Link, ...]
    ages: tuple[Age, ...]
    begin: Settings  # fields of the form that begins a match
    shelf: Shelf | None
    chart: Chart | None
    press: str | None
    title: str = "The matchbox"
    template: str = "exhibits/matchbox.html"
    sheets: tuple[str, ...] = SHEETS


def matchbox_view(box: Matchbox, stand: Stand) -> MatchboxView:
    held = sum(bead.count for bead in box.beads)
    each = -(-held // MOST_BEADS)
    shelf = _shelf(box, stand) if stand.part == "boxes" else None
    return MatchboxView(
        sentence=_sentence(box, held),
        rule=_rule(box),
        shared=_shared(box),
        colours=tuple(
            replace(colour_of(at, bead), chosen=stand.plays(bead.moves))
            for at, bead in enumerate(box.beads)
        ),
        picture=picture_for(stand.game, stand.state),
        spots=_spots(box, stand),
        beads=_lying(box, each),
        scale=f"Each bead drawn stands for {each}." if each > 1 else "",
        ways=(
            Link("Its box", stand.turn_to(None, None), current=shelf is None),
            Link("All its boxes", stand.turn_to("boxes", 1), current=shelf is not None),
        ),
        ages=tuple(
            Age(
                Link(
                    age.label,
                    stand.look_at(age.settings),
                    dict(age.settings)["games"] == str(box.games),
                ),
                stand.spec_of(age.settings),
            )
            for age in box.ages
        ),
        begin=stand.begin,
        shelf=shelf,
        chart=None if box.course is None else course_chart(box.course),
        press="Draw a bead" if box.met else "Let it look ahead",
    )


def tallies_of(box: Matchbox) -> dict[str, BeadCount]:
    """By move, the beads of its colour, for the board."""
    return {
        move: BeadCount(at, f"{bead.count:,}")
        for at, bead in enumerate(box.beads)
        for move in bead.moves
    }


def _sentence(box: Matchbox, held: int) -> str:
    colours = counted(len(box.beads), "colour", "colours")
    beads = counted(held, "bead", "beads")
    if not box.met:
        return (
            f"It never opened the box of this position, which is as new: {beads} of {colours}. "
            "It draws nothing from it, and only looks one move ahead."
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


def colour_of(at: int, bead: Bead) -> Colour:
    """The colour with that place in its box."""
    return Colour(at, LETTERS[at], " ".join(bead.moves), f"{bead.count:,}", portion(bead.chance))


def _spots(box: Matchbox, stand: Stand) -> tuple[BeadSpot, ...]:
    return tuple(
        BeadSpot(*place, at, LETTERS[at])
        for at, bead in enumerate(box.beads)
        for move in bead.moves
        if (place := place_of(stand.game, move)) is not None
    )


def _lying(box: Matchbox, each: int) -> tuple[int, ...]:
    """The beads as they lie in the box: mixed, but the same each time one looks."""
    beads = [at for at, bead in enumerate(box.beads) for _ in range(round(bead.count / each))]
    Random(box.state).shuffle(beads)
    return tuple(beads)


def _shelf(box: Matchbox, stand: Stand) -> Shelf:
    lines = box.shelf.split("\n")
    pages = -(-len(lines) // PAGE)
    page = min(max(stand.step or 1, 1), pages)
    return Shelf(
        boxes=tuple(_small(line, stand) for line in lines[(page - 1) * PAGE : page * PAGE]),
        pages=_pages(page, pages, stand),
        sentence=f"{box.counted} Page {page} of {pages}.",
    )


def _small(line: str, stand: Stand) -> SmallBox:
    star, beads, state = line.split(" ", 2)
    counts = [int(count) for count in beads.split(",")]
    position = stand.game.parse_state(state)
    return SmallBox(
        picture=picture_for(stand.game, position),
        label=f"{state}: {', '.join(map(str, counts))}",
        beads=tuple((at, f"{count:,}") for at, count in enumerate(sorted(counts, reverse=True))),
        opened=star == "*",
    )


def _pages(page: int, pages: int, stand: Stand) -> tuple[Link, ...]:
    """The first, those about this one, and the last."""
    shown = sorted({1, page - 1, page, page + 1, pages} & set(range(1, pages + 1)))
    return tuple(
        Link(f"{number}", stand.turn_to("boxes", number), current=number == page)
        for number in shown
    )


@dataclass(frozen=True, slots=True)
class Lesson:
    """One box that was opened, and what would become of it."""

    ply: int
    picture: Board
    colour: Colour
    after: str  # beads of that colour
    share: str  # of the box, before and after


@dataclass(frozen=True, slots=True)
class LessonsView:
    """After a game: the boxes it opened with the beads that would come and go."""

    sentence: str
    lessons: tuple[Lesson, ...]
    title: str = "What it would learn"
    template: str = "exhibits/lessons.html"
    sheets: tuple[str, ...] = SHEETS
    press: str | None = None


def lessons_view(
    opened: Sequence[tuple[int, str, Matchbox]], score: int, stand: Stand
) -> LessonsView:
    """`opened` has the ply, the move and the box of each of its turns; `score` is its result."""
    lessons = tuple(_lesson(ply, move, box, score, stand) for ply, move, box in opened if box.met)
    fresh = len(opened) - len(lessons)
    never = f" {counted(fresh, 'box', 'boxes')} it had never opened: nothing was drawn there."
    kept = "Nothing of this is kept: a match does not train it."
    told = f"{_told(opened[0][2], score)} {kept}"
    return LessonsView(f"{told}{never}" if fresh else told, lessons)


def _told(box: Matchbox, score: int) -> str:
    win, drawn, loss = box.pay
    if score < 0:
        gone = counted(loss, "bead", "beads")
        return f"It lost: of the colour it drew, {gone} would go from each box that has as many."
    word, more = ("won", win) if score else ("drew", drawn)
    come = counted(more, "bead", "beads")
    return f"It {word}: of the colour it drew, {come} would come into each box."


def _lesson(ply: int, move: str, box: Matchbox, score: int, stand: Stand) -> Lesson:
    at, bead = next((at, bead) for at, bead in enumerate(box.beads) if move in bead.moves)
    win, drawn, loss = box.pay
    change = {1: win, 0: drawn, -1: -loss}[score]
    after = max(0, bead.count + change)
    held = sum(each.count for each in box.beads)
    rest = held - bead.count + after
    share = f"{bead.count / held:.1%} → {after / rest:.1%}" if rest else "empty: filled anew"
    state = stand.game.parse_state(box.state)
    return Lesson(ply, picture_for(stand.game, state), colour_of(at, bead), f"{after:,}", share)
