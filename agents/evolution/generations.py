"""The loop every evolution shares: some generations, a look at the best of them, a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from numpy.typing import NDArray

from agents.core import Fact
from agents.training.brains import Brain
from agents.training.course import lessons
from agents.training.trainer import Checkpoint
from engine.core import Options
from engine.options import Kind, Option

Arrays = dict[str, NDArray[Any]]


def generations_option(default: int) -> Option:
    return Option(
        "generations", Kind.INTEGER, default, "how many generations it evolves", low=1, high=100_000
    )


def whole(options: Options, name: str) -> int:
    """The value of an option that is a whole number."""
    value = options[name]
    assert isinstance(value, int)
    return value


def generations(
    brain: Brain,
    total: int,
    arrays: Callable[[], Arrays],
    breed: Callable[[int, int], None],
    measure: Callable[[], Mapping[str, float]],
    stretches: int = 50,
) -> Iterator[Checkpoint]:
    """Evolve to the total; breed(generations, seed) changes what `arrays` gives."""
    return lessons(
        brain, total, arrays, lambda count, seed, _: breed(count, seed), measure, stretches
    )


def ancestry(brain: Brain) -> list[Fact]:
    """Where an evolved agent comes from."""
    facts = [Fact("generations", brain.steps)]
    if brain.curve:
        first, last = brain.curve[0], brain.curve[-1]
        facts.append(
            Fact(
                f"wins against {brain.reference}",
                f"{first.metrics['wins']:.1%} after {first.step}, "
                f"{last.metrics['wins']:.1%} after {last.step} generations",
            )
        )
    return facts
