"""Genomes of a black box: as texts that a visitor enters, and as pictures.

A genome is entered by name, as 250 hex digits, or as `r7` for random bits from the seed 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from agents.formats import counted
from engine.errors import quoted
from engine.problems.black_box import BITS, RANKS, BlackBox, read_genome
from engine.problems.rng import WORD, stream
from webapp.web.errors import InvalidFormError

ALL = (1 << BITS) - 1
ALTERNATE = ALL // 3  # 0101 …
GENOMES = {
    "ones": ("All ones", ALL),
    "zeros": ("All zeros", 0),
    "odd": ("Every other place", ALTERNATE << 1),
    "half": ("The first half", ALL ^ ((1 << BITS // 2) - 1)),
}
RANDOM_PREFIX = "r"
MAX_SEED_DIGITS = 9
DECIMALS = 4  # of a value
COLUMNS_PER_ROW = 40  # of the picture
TONES = 6  # colours of groups, repeated if there are more
SEALED_TEXT = (
    "Sealed: the places are shuffled and half of the bits inverted, so that a coloured place is "
    "one that is right. "
)


@dataclass(frozen=True, slots=True)
class AskedRow:
    """A genome asked by hand, with its value."""

    name: str
    figure: str
    share: float  # of a meter, 0 to 1
    best: bool


def check_token(token: str) -> None:
    """Raise InvalidFormError unless the token names a genome."""
    if token in GENOMES or _token_seed(token) is not None:
        return
    if len(token) < 10:
        names = ", ".join(GENOMES)
        why = f"a genome is one of {names}, r7 for one by chance, or 250 hex digits"
        raise InvalidFormError(token, f"{why}, not {quoted(token)}")
    read_genome(token)


def read_token(token: str) -> int:
    """The genome that a valid token names."""
    if token in GENOMES:
        return GENOMES[token][1]
    seed = _token_seed(token)
    return read_genome(token) if seed is None else random_genome(seed)


def random_genome(seed: int) -> int:
    """Random bits from a seed."""
    numbers, genome = stream(seed), 0
    for _ in range(-(-BITS // 64)):
        genome = genome * WORD + next(numbers)
    return genome & ALL


def asked_rows(box: BlackBox, tokens: tuple[str, ...]) -> tuple[AskedRow, ...]:
    """The value of each genome asked by hand."""
    values = [box.value(read_token(token)) for token in tokens]
    best = max(values, default=0.0)
    return tuple(
        AskedRow(token_title(token), f"{value:.{DECIMALS}f}", round(value, DECIMALS), value == best)
        for token, value in zip(tokens, values, strict=True)
    )


def best_genome(box: BlackBox, tokens: tuple[str, ...]) -> int | None:
    """The genome with the highest value."""
    return max(map(read_token, tokens), key=box.value, default=None)


def token_title(token: str) -> str:
    """Title of a token."""
    if token in GENOMES:
        return GENOMES[token][0]
    seed = _token_seed(token)
    return f"Bits of your own, {token[:6]}…" if seed is None else f"By chance, seed {seed}"


def _token_seed(token: str) -> int | None:
    digits = token.removeprefix(RANDOM_PREFIX)
    by_seed = token.startswith(RANDOM_PREFIX) and digits.isascii() and digits.isdecimal()
    return int(digits) if by_seed and len(digits) <= MAX_SEED_DIGITS else None


# One group of an opened box: number, tone, `371 of 500` right, `+371` or `−37.1` it gives.
GroupRow = tuple[int, int, str, str]


class GenomePicture:
    """A genome as asked (`optimise/_genome.html`); with the box opened, coloured by group."""

    width = COLUMNS_PER_ROW

    def __init__(self, box: BlackBox, genome: int, title: str, after: str, *, opened: bool) -> None:
        self._box, self._genome, self._opened = box, genome, opened
        self._ones = counted(genome.bit_count(), "one", "ones")
        self.title = title
        self.after = f"{after} · {self._ones}"  # `after 12,400 questions · 741 ones`
        self.height = -(-box.bits // COLUMNS_PER_ROW)

    @cached_property
    def figure(self) -> str:
        """`0.487`."""
        return f"{self._box.value(self._genome):.3f}"

    @property
    def label(self) -> str:
        """For screen readers."""
        return f"{self._ones} of {self._box.bits:,} places"

    @cached_property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """CSS class and SVG path of the places."""
        cells = _opened_cells if self._opened else _closed_cells
        return cells(self._box, self._genome)

    @property
    def inside(self) -> str:
        """How the box is made, once opened."""
        return inside_text(self._box) if self._opened else ""

    @cached_property
    def groups(self) -> tuple[GroupRow, ...]:
        return _groups(self._box, self._genome) if self._opened else ()


def inside_text(box: BlackBox) -> str:
    """How the box is made."""
    many = len(box.groups)
    sealed = SEALED_TEXT if box.inverted else ""
    if many == 1:
        return f"Opened. {sealed}Every place that is right counts, and nothing else."
    if box.inverted:
        where = f"the places are dealt to {many} groups"
    elif many == 2:
        where = "even and odd places are two groups"
    else:
        where = f"every {many}th place belongs to the same group"
    if many == 2:
        others = "the other one costs until it is exactly as full"
    else:
        others = "the others cost a tenth, a hundredth and so on until they are exactly as full"
    return (
        f"Opened: {where}. {sealed}The fuller group counts, {others}: a hill that leads away from "
        "the top."
    )


def _closed_cells(box: BlackBox, genome: int) -> tuple[tuple[str, str], ...]:
    every = (1 << box.bits) - 1
    return _paths(box.bits, [("zero", every & ~genome), ("one", genome)])


def _opened_cells(box: BlackBox, genome: int) -> tuple[tuple[str, str], ...]:
    right = genome ^ box.inverted
    wrong = ((1 << box.bits) - 1) & ~right
    masks = [0] * min(TONES, len(box.groups))
    for group, mask in enumerate(box.groups):
        masks[group % TONES] |= mask & right
    return _paths(box.bits, [("zero", wrong), *((f"group-{at}", m) for at, m in enumerate(masks))])


def _paths(bits: int, masks: list[tuple[str, int]]) -> tuple[tuple[str, str], ...]:
    found = []
    for name, mask in masks:
        places = (at for at in range(bits) if mask >> (bits - 1 - at) & 1)
        path = "".join(f"M{at % COLUMNS_PER_ROW} {at // COLUMNS_PER_ROW}h1" for at in places)
        if path:
            found.append((name, path))
    return tuple(found)


def _groups(box: BlackBox, genome: int) -> tuple[GroupRow, ...]:
    """Each group with what it adds or costs, in thousandths."""
    right = genome ^ box.inverted
    counts = [(right & mask).bit_count() for mask in box.groups]
    order = sorted(range(len(counts)), key=lambda group: (-counts[group], group))
    tied = counts.count(max(counts))
    rows = []
    for rank, group in enumerate(order):
        behind = rank - tied + 1
        cost = counts[group] / 10**behind if 1 <= behind <= RANKS else 0.0
        gives = f"+{counts[group]}" if rank < tied else f"−{cost:.3g}"
        size = box.groups[group].bit_count()
        rows.append((group + 1, group % TONES, f"{counts[group]} of {size}", gives))
    return tuple(rows)
