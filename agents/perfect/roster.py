"""The exact players."""

from agents.entry import Entry, Technique
from agents.perfect.oracles import oracle_for, part_solved, why_unsolved
from agents.perfect.solver import Perfect

PERFECT = (
    Entry(
        key="perfect",
        title="Perfect",
        technique=Technique.PERFECT,
        description=(
            "Has worked out every position to its end, so it never loses one that is not lost. "
            "Among equal moves it plays the one that is easiest to go wrong against."
        ),
        make=lambda game, options: Perfect(oracle_for(game)),
        refuses=why_unsolved,
        knows_only=part_solved,
        shows=True,
    ),
)
