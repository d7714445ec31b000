"""What an evolution plays against, and when it begins anew: options that name several agents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

from agents.errors import UnsuitableAgentError
from agents.tabular.exact import Policy
from agents.training.opponents import SELF, Opponents
from engine.core import Game
from engine.errors import InvalidSpecError, quoted
from engine.options import Kind, Option, Values

JOIN = "+"  # between agents
NEVER = 1 << 62  # generations

OPPONENTS_OPTION = Option(
    "opponents",
    Kind.TEXT,
    SELF,
    "whom every generation plays: self for each other, agents, or several joined by +",
)
UNTIL = Option(
    "until",
    Kind.TEXT,
    "",
    "begin anew unless it wins more than this, as in random>0.65+nim-sum>0.4; empty: never",
)
RESTART = Option(
    "restart", Kind.INTEGER, 100, "generations before that is looked at", low=1, high=100_000
)


def named_opponents(options: Values) -> tuple[str, ...]:
    """The agents of the option `opponents`."""
    return tuple(options.text("opponents").split(JOIN))


def read_until(text: str) -> tuple[tuple[str, float], ...]:
    """`random>0.65+nim-sum:leave=nonzero>0.4` -> each agent with the share to exceed.

    Raises InvalidSpecError.
    """
    found = []
    for part in text.split(JOIN) if text else ():
        spec, _, share = part.rpartition(">")
        try:
            wanted = float(share)
        except ValueError:
            wanted = -1.0
        if not (spec and 0 <= wanted < 1):
            why = f"{quoted(part)} in until is no agent with a share below 1, as in random>0.65"
            raise InvalidSpecError(text, why)
        found.append((spec, wanted))
    return tuple(found)


def check_named(opponents: Opponents, game: Game[Any, Any], options: Values) -> None:
    """Raises for an agent in these options that is not there, or that would think too long."""
    named = [spec for spec in named_opponents(options) if spec != SELF]
    for spec in (*named, *(spec for spec, _ in read_until(options.text("until")))):
        if not isfinite(opponents.seconds(spec, game)):
            why = f"{spec} thinks too long about every position to be trained against"
            raise UnsuitableAgentError(why)


@dataclass(frozen=True, slots=True)
class Restarts:
    """When an evolution begins anew: every so many generations, unless it wins enough."""

    opponents: Opponents
    game: Game[Any, Any]
    until: tuple[tuple[str, float], ...]
    every: int

    @classmethod
    def of(cls, opponents: Opponents, game: Game[Any, Any], options: Values) -> Restarts:
        until = read_until(options.text("until"))
        return cls(opponents, game, until, options.integer("restart") if until else NEVER)

    def stretches(self, first: int, count: int) -> Iterator[tuple[int, int]]:
        """(first, count) of each part of these generations within one attempt."""
        end = first + count
        while first < end:
            part = min(end, (first // self.every + 1) * self.every) - first
            yield first, part
            first += part

    def begins_attempt(self, generation: int) -> bool:
        """Whether an attempt ended before this generation."""
        return generation > 0 and generation % self.every == 0

    def enough(self, policy: Policy) -> bool:
        """Whether this policy wins more than asked against each; exact, half in either seat."""
        return all(
            self.opponents.results(spec, self.game, policy)["wins"] > share
            for spec, share in self.until
        )
