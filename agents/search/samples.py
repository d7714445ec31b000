"""What Monte Carlo has to show: how the games it played out grew into an opinion."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from agents.exhibits import Offer, Sample, Samples

SURE = {1: "win", 0: "draw", -1: "loss"}


def milestones() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 …: after so many games it is worth a look."""
    return (times * 10**power for power in count() for times in (1, 2, 5))


def samples_of(stages: dict[int, tuple[Sample, ...]], simulations: int) -> Samples:
    """The looks taken, and what a longer look would be."""
    return Samples(
        stages=tuple(stages.items()),
        more=tuple(
            Offer(label, (("simulations", str(number)),))
            for label, number in (
                ("100 more", simulations + 100),
                ("ten times as many", simulations * 10),
            )
        ),
    )
