"""A set cover by hand: take sets until every thing is in one, then see what a search took."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

from agents.formats import counted
from engine.problems.catalog import load_problem
from engine.problems.set_cover import SetCover, members
from webapp.learn.figures import told
from webapp.learn.positions import Position
from webapp.learn.widgets.widget import Button, Widget
from webapp.questions.models import Pick, PosedQuestion

ANSWER = "!"
MOST_CHOICES = 4


@dataclass(frozen=True, slots=True)
class SetRow:
    """One set: which things it has, and the press that takes it or puts it back."""

    press: Button
    cells: tuple[str, ...]  # by thing: `in` where the set has it, `new` where nothing else does
    says: str
    taken: bool


@dataclass(frozen=True, slots=True)
class CoveringView:
    """The sets as rows, the things as columns."""

    things: tuple[tuple[str, bool], ...]  # number, covered
    rows: tuple[SetRow, ...]
    status: str
    answer: str
    presses: tuple[Button, ...]
    position: Position | None = None
    template: str = "learn/widgets/covering.html"
    sheets: tuple[str, ...] = ()


def covering_view(about: str, held: str) -> CoveringView:
    """What is taken is held by the letters of the sets."""
    problem = load_problem(about)
    assert isinstance(problem, SetCover), f"{about} is no set cover"
    letters = ascii_uppercase[: len(problem.masks)]
    shown = held.endswith(ANSWER)
    taken = [letter for letter in letters if letter in held]
    left = problem.missing(letters.index(letter) for letter in taken)
    now = "".join(taken)
    presses = [] if shown else [Button(now + ANSWER, "What did A* take?")]
    if held:
        presses.append(Button("", "Put all back"))
    return CoveringView(
        things=tuple((str(at + 1), not left >> at & 1) for at in range(problem.things)),
        rows=tuple(
            _row(problem, at, letters, taken, left, ANSWER * shown) for at in range(len(letters))
        ),
        status=_status(taken, left),
        answer=told(_figure(about)) if shown else "",
        presses=tuple(presses),
    )


def _row(
    problem: SetCover, at: int, letters: str, taken: list[str], left: int, rest: str
) -> SetRow:
    letter, mask = letters[at], problem.masks[at]
    is_taken = letter in taken
    after = [one for one in letters if (one in taken) != (one == letter)]
    things = [thing + 1 for thing in members(mask)]
    verb = "Put back" if is_taken else "Take"
    return SetRow(
        press=Button(
            "".join(after) + rest,
            letter,
            f"{verb} set {letter}: {', '.join(map(str, things)) or 'nothing'}",
            current=is_taken,
        ),
        cells=tuple(
            ("new" if left >> thing & 1 else "in") if mask >> thing & 1 else ""
            for thing in range(problem.things)
        ),
        says=counted((mask & left).bit_count(), "new", "new"),
        taken=is_taken,
    )


def _status(taken: list[str], left: int) -> str:
    sets = counted(len(taken), "set", "sets")
    if not left:
        return f"Covered with {sets}."
    return f"{sets} taken, {counted(left.bit_count(), 'thing', 'things')} still missing."


def _figure(about: str) -> str:
    return f"cover astar {about}"


def covering_question(about: str, _: str) -> PosedQuestion:
    """How few sets are enough; the choices begin with what sizes alone promise."""
    problem = load_problem(about)
    assert isinstance(problem, SetCover), f"{about} is no set cover"
    least = int(told(f"least-sets {about}"))
    last = least + MOST_CHOICES - 1
    counts = [Pick(str(number), str(number)) for number in range(least, last)]
    return PosedQuestion(
        game="",
        prompt=f"{problem.things} things lie in {len(problem.masks)} sets, some of them in "
        "several. How many sets are the fewest that cover all things?",
        truth=f"sets fewest on {about}",
        picks=(*counts, Pick(f"{last} or more", f"at least {last}")),
    )


COVERING = Widget(
    covering_view, lambda about: (_figure(about), f"least-sets {about}"), covering_question
)
