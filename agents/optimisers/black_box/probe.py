"""Probe: ask about a random genome, then about its neighbours, and read each bit off the change.

While one group leads by two or more, flipping a bit of it changes the value by a whole share,
upwards if the bit was wrong. A bit of a group behind changes it by a tenth of that or less, and
downwards if the bit was wrong. So the size and the sign of a change suffice. Whether a group leads
by two follows from the values of the start and of its complement, where those give the counts;
where they do not, a useless start shows by a change far too large, and is abandoned.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from agents.compute.rng import Stream
from agents.optimisers.black_box.batches import Batches, BatchSearch
from agents.optimisers.black_box.counts import counts_of_pair, groups_behind, shares
from agents.optimisers.black_box.genomes import packed, random_genomes, unpacked
from agents.optimisers.entry import Answers, Genomes, box_search

FIRST_BATCH, LATER_BATCH = 10, 100  # neighbours asked at once: until TRUSTED of them, and after
TRUSTED = 100  # neighbours after which a start is known to be useful
MAX_STARTS = 1_000
# Changes, in shares of one bit.
TOO_LARGE, LEADING = 3.0, 0.5
UNSEEN = 1e-10  # too small to say anything: of groups far behind, where there are many

Places = NDArray[np.bool_]
Changes = Generator[Genomes, Answers, NDArray[np.float64] | None]


def probe(bits: int, rng: Stream) -> Batches:
    """Find the bits whose change shows, set them wrong so that other groups lead, and repeat."""
    right = np.zeros(bits, np.bool_)  # the right value of each known place
    known = np.zeros(bits, np.bool_)
    for _ in range(MAX_STARTS):
        start = unpacked(random_genomes(1, bits, rng), bits)[0]
        start[known] = ~right[known]
        changes = yield from _changes(start, np.flatnonzero(~known))
        if changes is None:
            continue
        seen = np.abs(changes) > UNSEEN
        places, changes = np.flatnonzero(~known)[seen], changes[seen]
        wrong = (changes > 0) == (np.abs(changes) > LEADING)
        right[places] = start[places] ^ wrong
        known[places] = True
        if known.all():
            yield packed(right[None])
            return


def _changes(start: Places, places: NDArray[np.int64]) -> Changes:
    """The change by flipping each of these places, in shares; None: the start is useless."""
    bits = len(start)
    answers = yield packed(np.stack([start, ~start]))
    if _misleads(answers, bits):
        return None
    found: list[float] = []
    while len(found) < len(places):
        many = FIRST_BATCH if len(found) < TRUSTED else LATER_BATCH
        batch = places[len(found) : len(found) + many]
        neighbours = np.repeat(start[None], len(batch), axis=0)
        neighbours[np.arange(len(batch)), batch] ^= True
        changed = ((yield packed(neighbours)) - answers[0]) * bits
        if np.abs(changed).max() > TOO_LARGE:
            return None
        found += changed.tolist()
    return np.array(found)


def _misleads(answers: Answers, bits: int) -> bool:
    """Whether the values of a genome and its complement show that no group leads by two."""
    numbers = shares(answers, bits)
    if numbers is None or bits % (groups := groups_behind(numbers)) or groups == 1:
        return False
    counts = counts_of_pair(numbers[0], numbers[1], groups, bits // groups)
    return counts is not None and counts[0] - counts[1] < 2


ENTRIES = (
    box_search(
        key="probe",
        title="Probe",
        order=10,
        description=(
            "Asks about random bits, then flips them one at a time. "
            "The size and direction of each change tell whether the bit was right."
        ),
        make=lambda _: BatchSearch(probe),
    ),
)
