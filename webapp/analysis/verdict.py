"""What an analysis says of a position, in words: who is ahead, how sure, after how much work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from agents import Analysis, Candidate, Measure
from agents.formats import counted, portion
from engine import Seat
from webapp.analysis.rows import proven_result

VALUE_MEASURES = (Measure.VALUE, Measure.VISITS)  # whose best value is the position's


class Side(Protocol):
    """A player as sentences name it."""

    @property
    def title(self) -> str: ...

    @property
    def is_you(self) -> bool: ...


def with_verb(side: Side, verb: str) -> str:
    """`You win`, `Perfect wins`."""
    return f"{side.title} {verb if side.is_you else f'{verb}s'}"


def position_candidate(analysis: Analysis[Any]) -> Candidate[Any] | None:
    """The candidate whose value is the position's: the best one, where its value means that.

    Other measures count only where the technique has proven a win or a loss.
    """
    best = analysis.candidates[0]
    if best.value is None:
        return None
    return best if analysis.measure in VALUE_MEASURES or (best.proven and best.value) else None


def balance(best: Candidate[Any], mover: Seat) -> float:
    """The first seat's share, 0 to 1."""
    assert best.value is not None
    return (1 + (best.value if mover is Seat.FIRST else -best.value)) / 2


def verdict_text(analysis: Analysis[Any], mover: Seat, sides: Sequence[Side]) -> str:
    """Who is ahead by the values; without values, how often the agent plays its choice."""
    best = position_candidate(analysis)
    if best is None:
        return _preference_text(analysis)
    if not any(candidate.value or candidate.proven for candidate in analysis.candidates):
        return "It sees no difference between the moves."
    value = best.value or 0.0
    ahead = sides[mover if value > 0 else mover.other]
    match proven_result(best):
        case "draw":
            return "A draw with best play."
        case "win" | "loss":
            plies = "" if best.plies is None else f" in {best.plies}"
            return f"{with_verb(ahead, 'win')}{plies} with best play."
        case _ if abs(value) < 0.005:
            return "Even."
        case _:
            verb = "are" if ahead.is_you else "is"
            lead = f"{ahead.title} {verb} ahead ({abs(value):.2f})."
            # Values of a search or table are estimates, which no count of wins can express.
            is_average = analysis.measure is Measure.VISITS
            return f"{lead} {_wins_in_ten_text(ahead, value)}" if is_average else lead


def _wins_in_ten_text(ahead: Side, value: float) -> str:
    """The average result of the playouts as wins in ten games."""
    won = round(10 * (1 + abs(value)) / 2)
    rounded = {5: "a little more than half of the time", 10: "nearly always"}
    often = rounded.get(won, f"{won} times in 10")
    return f"{with_verb(ahead, 'win')} {often} from here in its playouts, a draw counting half."


def _preference_text(analysis: Analysis[Any]) -> str:
    """How often the agent plays its choice, where probabilities are all there is."""
    chances = [candidate.chance for candidate in analysis.candidates]
    move, chance = analysis.choice, analysis.chosen.chance
    if chance > 1 - 1e-9:
        return f"It always plays {move} here."
    if max(chances) - min(chances) < 1e-9:
        return f"It plays any of these {len(chances)} moves, each as often as the next."
    return f"It plays {move} here {portion(chance)} of the time."


def effort_text(analysis: Analysis[Any], *, timed: bool = True) -> str:
    """How many positions or games the analysis took, how deep and how long."""
    effort = analysis.effort
    if not effort.nodes:
        return ""
    deep = f", {counted(effort.depth, 'ply', 'plies')} deep" if effort.depth else ""
    if analysis.measure is Measure.VISITS:
        work = f"played out {counted(effort.nodes, 'game', 'games')}"
    else:
        work = f"looked at {counted(effort.nodes, 'position', 'positions')}"
    took = f", in {effort.seconds:.2f} s" if timed else ""
    return f"It {work}{deep}{took}."
