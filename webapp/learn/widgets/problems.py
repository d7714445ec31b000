"""Widgets of optimisation: a black box of two groups, and a set cover."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

from agents.formats import counted
from engine.problems.black_box import BlackBox
from engine.problems.catalog import load_problem
from engine.problems.set_cover import SetCover, members
from webapp.learn.markup import figure_value
from webapp.learn.widgets.widget import REVEAL, START_AGAIN, Button, Widget
from webapp.questions.facts import join_texts
from webapp.questions.models import Choice, Question
from webapp.questions.problems import genome_of

STEP = 50  # ones per press
CHOICES = 4


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """One group of the box: how full it is, and buttons to change it."""

    name: str
    ones: str
    width: float
    less: Button | None
    more: Button | None


class AskedBox(Widget):
    """The value of the box; the state is `300.250`: the number of ones in each group."""

    template = "learn/widgets/asked_box.html"
    sheets = ("exhibits/exhibits",)

    def __init__(self, about: str, held: str) -> None:
        box = _box(about)
        sizes, ones = _sizes(box), _ones(box, held)
        self.rows = tuple(_box_row(at, ones, sizes) for at in range(len(sizes)))
        self.number, self.best = _value_text(box, ones), f"{box.goal:g}"
        self.presses = (START_AGAIN,) if held else ()

    @staticmethod
    def asks(about: str, held: str) -> Question:
        """Whether one step in the smaller group raises the value."""
        box = _box(about)
        sizes, ones = _sizes(box), _ones(box, held)
        behind = min(range(len(ones)), key=lambda at: (ones[at], -at))
        count = ones[behind] + (STEP if ones[behind] + STEP <= sizes[behind] else -STEP)
        after = [*ones[:behind], count, *ones[behind + 1 :]]
        now, then = (" ".join(map(str, counts)) for counts in (ones, after))
        return Question(
            game="",
            prompt=f"A box has {_listed(sizes)} places in its groups. With {_listed(ones)} ones it "
            f"says {_value_text(box, ones)}. Does it say more with {_listed(after)}?",
            truth=f"is box-value {then} {about} > box-value {now} {about}",
            choices=(Choice("Yes, more", "yes"), Choice("No, as much or less", "no")),
        )


def _box(about: str) -> BlackBox:
    box = load_problem(about)
    assert isinstance(box, BlackBox), f"{about} is no black box"
    return box


def _sizes(box: BlackBox) -> list[int]:
    return [mask.bit_count() for mask in box.groups]


def _ones(box: BlackBox, held: str) -> list[int]:
    """The counts in the state, else the first group ahead."""
    sizes = _sizes(box)
    found = [int(part) for part in held.split(".") if part.isdecimal() and len(part) < 5]
    ones = [min(count, size) for count, size in zip(found, sizes, strict=False)]
    if len(ones) == len(sizes):
        return ones
    return [size // 2 + (STEP if at == 0 else 0) for at, size in enumerate(sizes)]


def _value_text(box: BlackBox, ones: list[int]) -> str:
    return f"{box.value(genome_of(box, ones)):.4g}"


def _listed(counts: list[int]) -> str:
    return join_texts([str(count) for count in counts])


def _box_row(at: int, ones: list[int], sizes: list[int]) -> BoxGroup:
    def changed(by: int) -> Button | None:
        count = ones[at] + by
        if not 0 <= count <= sizes[at]:
            return None
        held = ".".join(map(str, (*ones[:at], count, *ones[at + 1 :])))
        label = f"{by:+d}".replace("-", "−")
        return Button(held, label, f"{label} ones in group {at + 1}")

    return BoxGroup(
        f"group {at + 1}",
        str(ones[at]),
        round(ones[at] / sizes[at], 4),
        changed(-STEP),
        changed(STEP),
    )


@dataclass(frozen=True, slots=True)
class SetColumn:
    """One set: its things, and the button that takes it or puts it back."""

    press: Button
    cells: tuple[str, ...]  # CSS class by thing: `in` the set, `new` if not covered yet
    adds: int  # things that it would cover now
    taken: bool


class Covering(Widget):
    """Sets as columns, things as rows, as in the workshop; the state is the sets taken."""

    template = "learn/widgets/covering.html"

    def __init__(self, about: str, held: str) -> None:
        problem = _set_cover(about)
        letters = ascii_uppercase[: len(problem.masks)]
        shown = held.endswith(REVEAL)
        taken = [letter for letter in letters if letter in held]
        left = problem.missing(letters.index(letter) for letter in taken)
        self.sets = tuple(
            _cover_set(problem, at, letters, taken, left, REVEAL * shown)
            for at in range(len(letters))
        )
        self.things = (
            tuple(  # number, whether it is covered, and by set the cell and if it is taken
                (
                    at + 1,
                    not left >> at & 1,
                    [(column.cells[at], column.taken) for column in self.sets],
                )
                for at in range(problem.things)
            )
        )
        self.status = _cover_status(taken, left)
        self.answer = figure_value(self.needs(about)[0]) if shown else ""
        ask = Button("".join(taken) + REVEAL, "What did A* take?")
        presses = () if shown else (ask,)
        self.presses = (*presses, Button("", "Put all back")) if held else presses

    @staticmethod
    def needs(about: str) -> tuple[str, str]:
        """The cover that A* found, and the lower bound by sizes."""
        return f"cover astar {about}", f"least-sets {about}"

    @staticmethod
    def asks(about: str, held: str) -> Question:
        """The size of a smallest cover; choices start at the lower bound by sizes."""
        problem = _set_cover(about)
        least = int(figure_value(Covering.needs(about)[1]))
        last = least + CHOICES - 1
        counts = [Choice(str(number), str(number)) for number in range(least, last)]
        return Question(
            game="",
            prompt=f"{problem.things} things lie in {len(problem.masks)} sets, some of them in "
            "several. How many sets are the fewest that cover all things?",
            truth=f"sets fewest on {about}",
            choices=(*counts, Choice(f"{last} or more", f"at least {last}")),
        )


def _set_cover(about: str) -> SetCover:
    problem = load_problem(about)
    assert isinstance(problem, SetCover), f"{about} is no set cover"
    return problem


def _cover_set(
    problem: SetCover, at: int, letters: str, taken: list[str], left: int, rest: str
) -> SetColumn:
    letter, mask = letters[at], problem.masks[at]
    is_taken = letter in taken
    after = [one for one in letters if (one in taken) != (one == letter)]
    things = [thing + 1 for thing in members(mask)]
    verb = "Put back" if is_taken else "Take"
    return SetColumn(
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
        adds=(mask & left).bit_count(),
        taken=is_taken,
    )


def _cover_status(taken: list[str], left: int) -> str:
    sets = counted(len(taken), "set", "sets")
    if not left:
        return f"Covered with {sets}."
    return f"{sets} taken, {counted(left.bit_count(), 'thing', 'things')} still missing."


WIDGETS = {"asked-box": AskedBox, "covering": Covering}
