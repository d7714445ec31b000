"""A box asked by hand: a genome is a word, or its 250 hex digits."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import quoted
from engine.problems.black_box import BITS, BlackBox, read_genome
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
CHANCE = "r"  # r7: by chance, from the seed 7
LONGEST_SEED = 9  # digits
FIGURES = 4  # of a number, after the point


@dataclass(frozen=True, slots=True)
class AskedRow:
    """One question and its answer."""

    name: str
    figure: str
    share: float  # of a meter, 0 to 1
    best: bool


def check_token(token: str) -> None:
    """Raises where this names no genome, and says what would."""
    if token in GENOMES or _seed_of(token) is not None:
        return
    if len(token) < 10:
        names = ", ".join(GENOMES)
        why = f"a genome is one of {names}, r7 for one by chance, or 250 hex digits"
        raise InvalidFormError(token, f"{why}, not {quoted(token)}")
    read_genome(token)


def genome_of(token: str) -> int:
    """The bits that a token names, which was checked before."""
    if token in GENOMES:
        return GENOMES[token][1]
    seed = _seed_of(token)
    return read_genome(token) if seed is None else by_chance(seed)


def by_chance(seed: int) -> int:
    """Each bit by the toss of a coin."""
    numbers, genome = stream(seed), 0
    for _ in range(-(-BITS // 64)):
        genome = genome * WORD + next(numbers)
    return genome & ALL


def asked_rows(box: BlackBox, tokens: tuple[str, ...]) -> tuple[AskedRow, ...]:
    """What the box said to each."""
    values = [box.value(genome_of(token)) for token in tokens]
    best = max(values, default=0.0)
    return tuple(
        AskedRow(name_of(token), f"{value:.{FIGURES}f}", round(value, FIGURES), value == best)
        for token, value in zip(tokens, values, strict=True)
    )


def best_of(box: BlackBox, tokens: tuple[str, ...]) -> int | None:
    """The genome that did best."""
    return max(map(genome_of, tokens), key=box.value, default=None)


def name_of(token: str) -> str:
    """What a person calls it."""
    if token in GENOMES:
        return GENOMES[token][0]
    seed = _seed_of(token)
    return f"Bits of your own, {token[:6]}…" if seed is None else f"By chance, seed {seed}"


def _seed_of(token: str) -> int | None:
    digits = token.removeprefix(CHANCE)
    by_seed = token.startswith(CHANCE) and digits.isascii() and digits.isdecimal()
    return int(digits) if by_seed and len(digits) <= LONGEST_SEED else None
