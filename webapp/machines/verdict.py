"""What the measured games of a machine show that a share of the points hides."""

from __future__ import annotations

from agents.contest.strength import STEPS, measured_fields, strength_of
from agents.entry import Technique
from agents.roster import find_agent
from engine.options import parse_spec

NEVER_LOST = "never lost"  # where many games are drawn, half of the points are all there is
OTHER_ENDING = "plays by the rule for the other ending"


def verdict(agent: str, variant: str) -> str:
    """`never lost`, why it loses nearly always, or nothing."""
    strength = strength_of(agent, variant)
    if strength is None:
        return ""
    if strength.score.losses == 0:
        return NEVER_LOST
    return OTHER_ENDING if plays_other_ending(agent, variant) else ""


def plays_other_ending(agent: str, variant: str) -> bool:
    """Whether it is a rule among the weakest here, and among the strongest with the other ending.

    A learner may be so for other reasons: what it learned differs from variant to variant.
    """
    if find_agent(agent).technique is not Technique.RULES:
        return False
    here = strength_of(agent, variant)
    others = [
        strength_of(agent, game)
        for game in measured_fields()
        if game.partition(":")[0] == variant.partition(":")[0] and _ending(game) != _ending(variant)
    ]
    return here is not None and here.step == 1 and any(s and s.step == STEPS for s in others)


def _ending(variant: str) -> str:
    """What a Nim variant says of the last object; empty: the default, or another game."""
    return parse_spec(variant)[1].get("last", "")
