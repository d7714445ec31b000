"""The agents that play by a fixed rule."""

from typing import Any

from agents.entry import Entry, Technique, only
from agents.rules.baselines import GreedyHeap, HeapRandom, Opportunist, UniformRandom
from agents.rules.nim_expert import NimExpert
from agents.rules.nim_sum import NimSum
from engine.core import Game
from engine.options import Kind, Option, Values


def _random(game: Game[Any, Any], options: Values) -> UniformRandom | HeapRandom:
    return HeapRandom.for_game(game) if options.text("by") == "heap" else UniformRandom()


def _random_suits(game: Game[Any, Any], options: Values) -> None:
    _random(game, options)


RULES = (
    Entry(
        key="random",
        title="Random",
        technique=Technique.RULES,
        description=(
            "Picks any legal move, each as likely as the next. "
            "Anyone can beat it, which makes it the yardstick for everyone else."
        ),
        options=(
            Option(
                "by",
                Kind.CHOICE,
                "move",
                "every move alike, or in Nim first a heap and then a count",
                choices=("move", "heap"),
            ),
        ),
        make=_random,
        suits=_random_suits,
    ),
    Entry(
        key="opportunist",
        title="Opportunist",
        technique=Technique.RULES,
        description=(
            "Wins at once when it can and otherwise plays any legal move. "
            "It never looks at what you are about to do."
        ),
        make=lambda game, options: Opportunist(),
    ),
    Entry(
        key="greedy-heap",
        title="Greedy heap",
        technique=Technique.RULES,
        description=(
            "Takes all it may of the first heap that is not empty, every time. "
            "Knowing that, you can plan the whole game ahead."
        ),
        make=lambda game, options: GreedyHeap(),
        refuses=only("nim"),
        shows=True,
    ),
    Entry(
        key="nim-sum",
        title="Nim-sum",
        technique=Technique.RULES,
        description=(
            "Leaves a nim-sum of zero whenever it can, the classic rule for Nim. "
            "It forgets that in misère play whoever takes the last object loses."
        ),
        options=(
            Option(
                "leave",
                Kind.CHOICE,
                "zero",
                "the nim-sum it tries to leave",
                choices=("zero", "nonzero"),
            ),
        ),
        make=lambda game, options: NimSum("zero" if options.text("leave") == "zero" else "nonzero"),
        refuses=only("nim"),
        shows=True,
    ),
    Entry(
        key="nim-expert",
        title="Nim expert",
        technique=Technique.RULES,
        description=(
            "Knows the whole theory of Nim, whoever takes the last object and whatever a turn may "
            "take. Where it stands lost, it plays the move that is hardest to answer."
        ),
        make=lambda game, options: NimExpert(),
        refuses=only("nim"),
        shows=True,
    ),
)
