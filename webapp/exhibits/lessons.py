"""What one game would teach a machine of matchboxes: which beads would come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.exhibits import Matchbox
from agents.formats import counted
from webapp.boards import picture_for
from webapp.boards.board import Board
from webapp.exhibits.matchbox import SHEETS, Colour, colour_of
from webapp.exhibits.stand import Stand


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
