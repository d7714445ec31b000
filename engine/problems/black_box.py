"""The black box: 1,000 bits in, one number out.

Place i belongs to group i mod groups. The counts of ones of all groups tied for the largest count
are added up; of the others, in descending order, 10 %, 1 %, 0.1 % … are subtracted. So ones in a
group that is behind lower the value until it is level with the leaders.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import quoted
from engine.options import Values
from engine.problems.entry import InvalidGenomeError
from engine.problems.rng import shuffled, stream

BITS = 1_000
MAX_GROUPS = 64
MAX_CALLS = 200_000  # evaluations of a box in one run
# Groups behind the leaders that count: a 16th would change less than a float resolves.
RANKS = 15
DIGITS = BITS // 4


@dataclass(frozen=True, slots=True)
class BlackBox:
    """One box; in a sealed one places are shuffled and half of the bits inverted."""

    spec: str
    groups: tuple[int, ...]  # [group] -> the mask of its places, the first place highest
    inverted: int  # the mask of places where a zero counts as a one

    @property
    def bits(self) -> int:
        return BITS

    @property
    def goal(self) -> float:
        """1 where all groups have one size; else the better of all groups level at the smallest
        size and only the largest groups full."""
        sizes = [mask.bit_count() for mask in self.groups]
        level, full = min(sizes) * len(sizes), max(sizes) * sizes.count(max(sizes))
        return max(level, full) / BITS

    def value(self, genome: int) -> float:
        """The value of a genome; raises InvalidGenomeError."""
        if not 0 <= genome < 1 << BITS:
            raise InvalidGenomeError(hex(genome)[:40], f"a genome has {BITS:,} bits, not others")
        seen = genome ^ self.inverted
        counts = sorted(((seen & mask).bit_count() for mask in self.groups), reverse=True)
        tied = counts.count(counts[0])
        # In integers of the smallest share, so that nothing is rounded before the division.
        unit = 10 ** min(len(counts) - 1, RANKS)
        total = counts[0] * tied * unit
        for count in counts[tied : tied + RANKS]:
            unit //= 10
            total -= count * unit
        return float(total) / float(BITS * 10 ** min(len(counts) - 1, RANKS))


def read_genome(text: str) -> int:
    """Parse a genome from 250 hex digits, first bit highest; raises InvalidGenomeError."""
    if len(text) != DIGITS or not all(digit in "0123456789abcdef" for digit in text):
        why = f"a genome is {DIGITS} hex digits for {BITS:,} bits, not {quoted(text)}"
        raise InvalidGenomeError(text, f"{why} ({len(text):,} characters)")
    return int(text, 16)


def write_genome(genome: int, bits: int = BITS) -> str:
    """The genome as hex digits, first bit highest."""
    return f"{genome:0{-(-bits // 4)}x}"


def black_box(spec: str, options: Values) -> BlackBox:
    """The box with these options."""
    count = options.integer("groups")
    places, inverted = list(range(BITS)), 0
    if options.switch("sealed"):
        numbers = stream(options.integer("seed"))
        places = shuffled(BITS, numbers)
        for place in shuffled(BITS, numbers)[: BITS // 2]:
            inverted |= 1 << place
    groups = [0] * count
    for number, place in enumerate(places):
        groups[number % count] |= 1 << (BITS - 1 - place)
    return BlackBox(spec, tuple(groups), inverted)
