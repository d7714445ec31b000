"""The panel: what an agent thinks of a position, in words, glyphs and bars."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agents import Analysis, Candidate, Measure
from agents.roster import agent_title, analysts_for
from agents.wording import counted, decimal, end_in_sight
from engine import Match, Seat
from webapp.play.look import with_query
from webapp.play.seats import PlayerKind, says
from webapp.play.trees.look import tree_address
from webapp.play.viewing import Viewing
from webapp.play.views import CandidateRow, Hint, Panel
from webapp.web.fields import Choice

GLYPHS = {"win": "▲", "draw": "=", "loss": "▼", "open": "~"}
AGAIN = "load delay:300ms"
NOTHING = "–"  # where a technique has nothing to say of a move


def offer(viewing: Viewing, agent: str, target: str, *, asked: bool = True, **state: Any) -> Panel:
    """The panel without figures: not asked yet, not ready, or nothing to say."""
    look = replace(viewing.look, ply=viewing.ply, values=False, hint=False, story=False, pick=None)
    here = with_query(viewing.path, viewing.look)
    return Panel(
        title=f"What {agent_title(agent, viewing.record.game)} is thinking",
        analysts=analysts(viewing.match, agent) if asked else (),
        retry=here if target == "#match" else with_query(viewing.child("analysis"), look),
        target=target,
        trigger=AGAIN,
        asked=asked,
        tree=tree_address(viewing.path, viewing.ply, agent, present=viewing.look.present),
        **state,
    )


def panel(
    viewing: Viewing,
    agent: str,
    target: str,
    analysis: Analysis[Any],
    *,
    again: bool = False,
    hurried: bool = False,
) -> Panel:
    """The panel with everything the agent has to say."""
    mover: Seat = viewing.match.states[viewing.ply].to_move
    return offer(
        viewing,
        agent,
        target,
        again=again,
        hurried=hurried,
        reason=analysis.reason,
        balance=_balance(analysis.candidates[0], mover),
        verdict=_verdict(analysis, mover, viewing),
        rows=tuple(_row(analysis, candidate) for candidate in analysis.candidates),
        expects=_expected(analysis),
        evidence=tuple((fact.name, _figure(fact.value)) for fact in analysis.evidence),
        effort=_effort(analysis),
        values={str(candidate.move): candidate for candidate in analysis.candidates},
    )


def known_of(viewing: Viewing, panel: Panel, hint: Hint | None) -> str:
    """Names what is known and what is awaited; another name: the page has changed."""
    hinting = hint is not None and hint.retry is not None
    return f"{viewing.record.revision}-{int(panel.pending)}{int(hinting)}"


def analysts(match: Match[Any, Any], chosen: str) -> tuple[Choice, ...]:
    """Every agent that can be asked about this game; the chosen one as it is set."""
    key = chosen.partition(":")[0]
    return tuple(
        Choice(chosen, agent_title(chosen, match.game.spec), chosen=True)
        if entry.key == key
        else Choice(entry.key, entry.title, chosen=False)
        for entry in analysts_for(match.game)
    )


def meaning_of(candidate: Candidate[Any]) -> str:
    """Win, draw or loss where that is certain, else open."""
    if not candidate.proven or candidate.value is None:
        return "open"
    return "win" if candidate.value > 0 else "loss" if candidate.value < 0 else "draw"


def _balance(best: Candidate[Any], mover: Seat) -> float | None:
    if best.value is None:
        return None
    return (1 + (best.value if mover is Seat.FIRST else -best.value)) / 2


def _row(analysis: Analysis[Any], candidate: Candidate[Any]) -> CandidateRow:
    meaning = meaning_of(candidate)
    extent = analysis.extent(candidate)
    return CandidateRow(
        move=str(candidate.move),
        glyph="" if candidate.value is None else GLYPHS[meaning],
        meaning=meaning,
        value=_value(analysis, candidate, meaning),
        fraction=0.0 if extent is None else round(extent, 3),
        chosen=candidate.move == analysis.choice,
    )


def _value(analysis: Analysis[Any], candidate: Candidate[Any], meaning: str) -> str:
    if candidate.value is not None and meaning == "open":
        return decimal(candidate.value)
    if candidate.value is not None:
        return end_in_sight(candidate.value, candidate.plies)
    extent = analysis.extent(candidate)
    return NOTHING if extent is None else f"{extent:.0%}"


def _expected(analysis: Analysis[Any]) -> str:
    """What it expects after the move it chose, if it looked further than that."""
    line = analysis.chosen.line
    return " · ".join(map(str, line)) if len(line) > 1 else ""


def _verdict(analysis: Analysis[Any], mover: Seat, viewing: Viewing) -> str:
    """How it stands by its values; without any, how sure it is of its move."""
    best = analysis.candidates[0]
    if all(candidate.value is None for candidate in analysis.candidates):
        return _leaning(analysis)
    if not any(candidate.value or candidate.proven for candidate in analysis.candidates):
        return "It sees no difference between the moves."
    value = best.value or 0.0
    ahead = viewing.players[mover if value > 0 else mover.other]
    match meaning_of(best):
        case "draw":
            return "A draw with best play."
        case "win" | "loss":
            plies = "" if best.plies is None else f" in {best.plies}"
            return f"{says(ahead, 'win')}{plies} with best play."
        case _ if abs(value) < 0.005:
            return "Even."
        case _:
            verb = "are" if ahead.kind is PlayerKind.YOU else "is"
            return f"{ahead.title} {verb} ahead ({abs(value):.2f})."


def _leaning(analysis: Analysis[Any]) -> str:
    """What its chances say: they are all it has, or what its beads or genes come to."""
    chances = [candidate.chance for candidate in analysis.candidates]
    move, chance = analysis.choice, analysis.chosen.chance
    if chance > 1 - 1e-9:
        return f"It always plays {move} here."
    if max(chances) - min(chances) < 1e-9:
        return f"It plays any of these {len(chances)} moves, each as often as the next."
    return f"It plays {move} here {chance:.0%} of the time."


def _effort(analysis: Analysis[Any]) -> str:
    effort = analysis.effort
    if not effort.nodes:
        return ""
    deep = f", {counted(effort.depth, 'ply', 'plies')} deep" if effort.depth else ""
    what = "played out" if analysis.measure is Measure.VISITS else "looked at"
    things = "games" if analysis.measure is Measure.VISITS else "positions"
    return f"It {what} {effort.nodes:,} {things}{deep}, in {effort.seconds:.2f} s."


def _figure(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}".replace("-", "−")
