"""The agents that follow a rule."""

from agents.entry import Entry, Strength, Technique
from agents.rules.opportunist import Opportunist
from agents.rules.uniform import HeapRandom, UniformRandom
from engine.options import Kind, Option

RULES = (
    Entry(
        key="random",
        title="Random",
        technique=Technique.RULES,
        strength=Strength.GENTLE,
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
        make=lambda game, options: (
            HeapRandom.for_game(game) if options["by"] == "heap" else UniformRandom()
        ),
    ),
    Entry(
        key="opportunist",
        title="Opportunist",
        technique=Technique.RULES,
        strength=Strength.GENTLE,
        description=(
            "Wins at once when it can and otherwise plays any legal move. "
            "It never looks at what you are about to do."
        ),
        make=lambda game, options: Opportunist(),
    ),
)
