"""An analysis summed up: rows of equal candidates, who is ahead, how much work it took."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agents import Analysis, Candidate, Measure
from agents.formats import NO_FIGURE, counted, portion
from engine.core import Seat, State

GLYPHS = {"win": "▲", "draw": "=", "loss": "▼", "open": "~"}
MAX_OTHERS_CHARS = 8  # of equal moves listed beside the first; more are counted in a note
ROUNDING_DIGITS = 9  # to which two figures are equal
EVEN_BELOW = 0.05
MIN_SAID_S = 0.05  # a shorter thought is not timed
LEADS = ((0.6, "far "), (0.25, ""), (0.0, "a little "))  # estimated value, from which it is so
VALUE_MEASURES = (Measure.VALUE, Measure.VISITS)  # whose best value is the position's

# The headings of the bar's and the figure's column.
HEADINGS = {
    Measure.VALUE: ("", "value"),
    Measure.VISITS: ("visits", "value"),
    Measure.POLICY: ("", "policy"),
    Measure.BEADS: ("", "beads"),
    Measure.CHANCE: ("", "chance"),
    Measure.FITNESS: ("", "fitness"),
    Measure.PAY: ("", "pay"),
}


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A group of moves that an agent rates equal."""

    move: str  # the chosen one, if it is in the group
    others: tuple[str, ...]
    note: (
        str  # and 41 more moves that it rates the same; empty where the others fit beside the move
    )
    glyph: str  # ▲ win, = draw, ▼ loss, ~ not proven
    meaning: str  # win, draw, loss or open: the class and the glyph's name
    value: str  # win in 5, draw, 0.22, −0.12; or the technique's own measure
    fraction: float  # 0 to 1, length of the bar
    chance: str  # 31 %, for each move of the group
    chosen: bool


@dataclass(frozen=True, slots=True)
class Headings:
    """Column headings; a column without one is left out."""

    bar: str  # visits
    figure: str  # value
    chance: str  # played


def column_headings(analysis: Analysis[Any]) -> Headings:
    """The column headings; the chance column only for mixed strategies without a chance bar."""
    bar, figure = HEADINGS[analysis.measure]
    mixed = any(0 < candidate.chance < 1 for candidate in analysis.candidates)
    in_bar = analysis.measure is Measure.CHANCE
    return Headings(bar, figure, "played" if mixed and not in_bar else "")


def candidate_rows(analysis: Analysis[Any], state: State[Any]) -> tuple[CandidateRow, ...]:
    """A row for each group of equal candidates: the chosen move's first, then best first."""
    alike: dict[Hashable, list[Candidate[Any]]] = {}
    for candidate in analysis.candidates:
        alike.setdefault(_row_key(analysis, candidate), []).append(candidate)
    chosen = _row_key(analysis, analysis.chosen)
    first = [analysis.chosen, *(each for each in alike.pop(chosen) if each != analysis.chosen)]
    return tuple(_row(analysis, state, group) for group in (first, *alike.values()))


def proven_result(candidate: Candidate[Any]) -> str:
    """`win`, `draw` or `loss` where it is proven, else `open`."""
    if not candidate.proven or candidate.value is None:
        return "open"
    return "win" if candidate.value > 0 else "loss" if candidate.value < 0 else "draw"


def _row_key(analysis: Analysis[Any], candidate: Candidate[Any]) -> Hashable:
    """Everything a row shows except the move: candidates with equal keys share a row."""
    extent = analysis.extent(candidate)
    figures = (candidate.value, extent, candidate.figure, candidate.chance)
    rounded = tuple(
        None if figure is None else round(figure, ROUNDING_DIGITS) for figure in figures
    )
    return (*rounded, candidate.proven, candidate.plies)


def _row(analysis: Analysis[Any], state: State[Any], group: list[Candidate[Any]]) -> CandidateRow:
    candidate = group[0]
    meaning = proven_result(candidate)
    extent = analysis.extent(candidate)
    others = tuple(str(other.move) for other in group[1:])
    return CandidateRow(
        move=str(candidate.move),
        others=others,
        note=_note(state, group) if len(" ".join(others)) > MAX_OTHERS_CHARS else "",
        glyph="" if candidate.value is None else GLYPHS[meaning],
        meaning=meaning,
        value=analysis.text(candidate),
        fraction=0.0 if extent is None else round(extent, 3),
        chance=portion(candidate.chance) if candidate.chance else NO_FIGURE,
        chosen=candidate.move == analysis.choice,
    )


def _note(state: State[Any], group: list[Candidate[Any]]) -> str:
    more = f"and {counted(len(group) - 1, 'more move', 'more moves')}"
    if len({state.play(candidate.move) for candidate in group}) == 1:
        return f"{more} to the same board"
    return f"{more} that it rates the same"


def outlook_text(candidate: Candidate[Any]) -> str:
    """What a move leads to, for you: `that wins`, `that leaves you a little ahead`."""
    match proven_result(candidate):
        case "win":
            return "that wins"
        case "draw":
            return "that holds the draw"
        case "loss":
            return "every move loses, and this one holds out longest"
    if candidate.value is None:
        return "that looks best"
    return f"that leaves you {_standing(candidate.value)}"


def _standing(value: float) -> str:
    """An estimated value in words."""
    size = abs(value)
    if size < EVEN_BELOW:
        return "even"
    much = next(word for least, word in LEADS if size >= least)
    return f"{much}{'ahead' if value > 0 else 'behind'}"


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
    if effort.nodes < 2:  # the position itself
        return ""
    deep = f", {counted(effort.depth, 'move', 'moves')} deep" if effort.depth else ""
    if analysis.measure is Measure.VISITS and _ends_early(analysis):
        work = f"ran {counted(effort.nodes, 'simulation', 'simulations')}"
    elif analysis.measure is Measure.VISITS:
        work = f"played out {counted(effort.nodes, 'game', 'games')}"
    else:
        work = f"looked at {counted(effort.nodes, 'position', 'positions')}"
    took = f", in {effort.seconds:.1f} s" if timed and effort.seconds >= MIN_SAID_S else ""
    return f"It {work}{deep}{took}."


def _ends_early(analysis: Analysis[Any]) -> bool:
    """Whether its simulations end in a network's value, not in the end of a game."""
    return any(fact.name == "network's value" for fact in analysis.evidence)
