"""The panel: what an agent thinks of a position, in words, glyphs and bars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents import Analysis, Candidate
from agents.roster import agent_title, agents_for
from agents.wording import counted, decimal
from engine import Match, Seat
from webapp.play.seats import says
from webapp.play.views import AnalysisView, CandidateRow, Player, PlayerKind
from webapp.web.fields import Choice

GLYPHS = {"win": "▲", "draw": "=", "loss": "▼", "open": "~"}
AGAIN = "load delay:300ms"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Where a panel stands: whom it asks about which ply, and where to ask again."""

    agent: str
    ply: int
    url: str
    retry: str
    target: str


def offer(
    match: Match[Any, Any], inquiry: Inquiry, *, asked: bool = True, **state: Any
) -> AnalysisView:
    """The panel without figures: not asked yet, not ready, or nothing to say."""
    return AnalysisView(
        title=f"What {agent_title(inquiry.agent, match.game.spec)} is thinking",
        url=inquiry.url,
        ply=inquiry.ply,
        analysts=analysts(match, inquiry.agent) if asked else (),
        retry=inquiry.retry,
        target=inquiry.target,
        trigger=AGAIN,
        asked=asked,
        **state,
    )


def panel(
    match: Match[Any, Any],
    inquiry: Inquiry,
    analysis: Analysis[Any],
    players: tuple[Player, Player],
) -> AnalysisView:
    """The panel with everything the agent has to say."""
    best = analysis.candidates[0]
    mover: Seat = match.states[inquiry.ply].to_move
    lead = best.value if mover is Seat.FIRST else -best.value
    return offer(
        match,
        inquiry,
        reason=analysis.reason,
        balance=(1 + lead) / 2,
        verdict=_verdict(analysis, mover, players),
        rows=tuple(_row(candidate, analysis.choice) for candidate in analysis.candidates),
        expects=_expected(analysis),
        evidence=tuple((fact.name, _figure(fact.value)) for fact in analysis.evidence),
        effort=_effort(analysis),
    )


def analysts(match: Match[Any, Any], chosen: str) -> tuple[Choice, ...]:
    """Every agent that can play this game; the chosen one as it is set."""
    key = chosen.partition(":")[0]
    return tuple(
        Choice(chosen, agent_title(chosen, match.game.spec), chosen=True)
        if entry.key == key
        else Choice(entry.key, entry.title, chosen=False)
        for entry in agents_for(match.game)
    )


def values_by_move(analysis: Analysis[Any]) -> Mapping[str, Candidate[Any]]:
    """The candidates by the text of their move, as boards want them."""
    return {str(candidate.move): candidate for candidate in analysis.candidates}


def meaning_of(candidate: Candidate[Any]) -> str:
    """Win, draw or loss where that is certain, else open."""
    if not candidate.proven:
        return "open"
    return "win" if candidate.value > 0 else "loss" if candidate.value < 0 else "draw"


def _row(candidate: Candidate[Any], choice: object) -> CandidateRow:
    meaning = meaning_of(candidate)
    return CandidateRow(
        move=str(candidate.move),
        glyph=GLYPHS[meaning],
        meaning=meaning,
        value=_value(candidate, meaning),
        fraction=round((1 + candidate.value) / 2, 3),
        chosen=candidate.move == choice,
    )


def _value(candidate: Candidate[Any], meaning: str) -> str:
    if meaning == "open":
        return decimal(candidate.value)
    if meaning == "draw" or candidate.plies is None:
        return meaning
    return f"{meaning} in {candidate.plies}"


def _expected(analysis: Analysis[Any]) -> str:
    """What it expects after the move it chose, if it looked further than that."""
    lines = {candidate.move: candidate.line for candidate in analysis.candidates}
    line = lines[analysis.choice]
    return " · ".join(map(str, line)) if len(line) > 1 else ""


def _verdict(analysis: Analysis[Any], mover: Seat, players: tuple[Player, Player]) -> str:
    best = analysis.candidates[0]
    if not any(candidate.value or candidate.proven for candidate in analysis.candidates):
        return "It sees no difference between the moves."
    ahead = players[mover if best.value > 0 else mover.other]
    match meaning_of(best):
        case "draw":
            return "A draw with best play."
        case "win" | "loss":
            plies = "" if best.plies is None else f" in {best.plies}"
            return f"{says(ahead, 'win')}{plies} with best play."
        case _ if abs(best.value) < 0.005:
            return "Even."
        case _:
            verb = "are" if ahead.kind is PlayerKind.YOU else "is"
            return f"{ahead.title} {verb} ahead ({abs(best.value):.2f})."


def _effort(analysis: Analysis[Any]) -> str:
    effort = analysis.effort
    if not effort.nodes:
        return ""
    deep = f", {counted(effort.depth, 'ply', 'plies')} deep" if effort.depth else ""
    return f"It looked at {effort.nodes:,} positions{deep}, in {effort.seconds:.2f} s."


def _figure(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}".replace("-", "−")
