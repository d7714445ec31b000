"""The levels of a machine as a ladder, each with how often it won when it was measured."""

from __future__ import annotations

from dataclasses import dataclass

from agents.contest.strength import usual_strength
from agents.formats import portion
from agents.roster import agent_spec, find_agent
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import Widget


@dataclass(frozen=True, slots=True)
class LadderRung:
    """One level, to be played."""

    title: str
    says: str
    strength: str  # nothing where it was never measured
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LadderView:
    """The levels, the gentlest first."""

    rungs: tuple[LadderRung, ...]
    position: Position
    template: str = "learn/widgets/ladder.html"
    sheets: tuple[str, ...] = ()


def ladder_view(about: str, held: str) -> LadderView:
    """`quixo-deep quixo`: the machine, and what it plays."""
    agent, _, rest = about.partition(" ")
    position = read_position(rest)
    game = position.game
    rungs = []
    for level in find_agent(agent).levels:
        spec = agent_spec(f"{agent}:level={level.name}", game)
        found = usual_strength(spec, game.spec)
        fields = (
            ("game", game.spec),
            ("state", str(position.state)),
            ("opponent", spec),
            ("seat", position.state.to_move.mark),
        )
        strength = "" if found is None else portion(found)
        rungs.append(LadderRung(level.title, level.description, strength, fields))
    return LadderView(tuple(rungs), position)


LADDER = Widget(ladder_view)
