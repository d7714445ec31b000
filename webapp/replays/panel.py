"""The analysis panel: an agent's candidates, verdict and effort for a position of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents import Analysis, Candidate, Measure
from agents.formats import counted, portion
from agents.roster import agent_title, find_agent
from engine import Seat
from webapp.replays.analysts import analyst_choices, rival_choices, setting_fields
from webapp.replays.rows import candidate_rows, column_headings, proven_result
from webapp.replays.seats import Player, PlayerKind, with_verb
from webapp.replays.trees.query import agent_tree_url
from webapp.replays.view import MatchView
from webapp.replays.views import Comparison, Hint, Panel

RETRY_TRIGGER = "load delay:300ms"
VALUE_MEASURES = (Measure.VALUE, Measure.VISITS)  # whose best value is the position's


def empty_panel(
    viewing: MatchView, agent: str, target: str, *, asked: bool = True, **state: Any
) -> Panel:
    """The panel without an analysis: not requested, pending, or failed."""
    query = replace(
        viewing.query, ply=viewing.ply, values=False, hint=False, story=False, pick=None
    )
    here = viewing.query.url(viewing.path)
    return Panel(
        title=f"What {agent_title(agent, viewing.record.game)} is thinking",
        agent=agent,
        analysts=analyst_choices(viewing.match.game, agent)
        if asked or viewing.query.present
        else (),
        settings=setting_fields(agent) if asked else (),
        rivals=rival_choices(viewing.match.game, viewing.query.versus) if asked else (),
        retry=here if target == "#match" else query.url(viewing.child("analysis")),
        target=target,
        trigger=RETRY_TRIGGER,
        asked=asked,
        show_url=_show_url(viewing) if asked and has_exhibit(agent) else None,
        opened=viewing.query.show,
        lesson_url=_show_url(viewing) if _would_learn(viewing, agent) else None,
        tree=agent_tree_url(viewing.path, viewing.ply, agent, present=viewing.query.present),
        **state,
    )


def has_exhibit(agent: str) -> bool:
    """Whether this agent's technique has an exhibit."""
    return find_agent(agent.partition(":")[0]).shows


def analysis_panel(
    viewing: MatchView,
    agent: str,
    target: str,
    analysis: Analysis[Any],
    *,
    ply: int | None = None,
    **state: Any,
) -> Panel:
    """The panel with an analysis of the position at `ply`; None: the shown one."""
    position = viewing.match.states[viewing.ply if ply is None else ply]
    mover: Seat = position.to_move
    best = position_candidate(analysis)
    return empty_panel(
        viewing,
        agent,
        target,
        **state,
        reason=analysis.reason,
        balance=None if best is None else _balance(best, mover),
        verdict=verdict_text(analysis, mover, viewing.players),
        headings=column_headings(analysis),
        rows=candidate_rows(analysis, position),
        evidence=tuple((fact.name, _number_text(fact.value)) for fact in analysis.evidence),
        effort=effort_text(analysis),
        values={str(candidate.move): candidate for candidate in analysis.candidates},
    )


def panel_before(viewing: MatchView, agent: str, target: str, analysis: Analysis[Any]) -> Panel:
    """The analysis of the last move, shown while the next one is pending."""
    ply = viewing.ply - 1
    move = viewing.match.moves[ply]
    mover = agent_title(
        viewing.record.seats[viewing.match.states[ply].to_move], viewing.record.game
    )
    before = f"{agent_title(agent, viewing.record.game)} is thinking. Before, of {move}:"
    view = analysis_panel(viewing, agent, target, analysis, ply=ply, pending=True, before=before)
    return replace(view, title=f"What {mover} thought", values={})


def advice_key(
    viewing: MatchView, panel: Panel, hint: Hint | None, comparison: Comparison | None = None
) -> str:
    """A key of what is ready and what is pending: the page has to change when it does."""
    hinting = hint is not None and hint.retry is not None
    comparing = "c" if comparison is not None and comparison.pending else ""
    return f"{viewing.record.revision}-{int(panel.pending)}{int(hinting)}{comparing}"


def position_candidate(analysis: Analysis[Any]) -> Candidate[Any] | None:
    """The candidate whose value is the position's: the best one, where its value means that.

    Other measures count only where the technique has proven a win or a loss.
    """
    best = analysis.candidates[0]
    if best.value is None:
        return None
    return best if analysis.measure in VALUE_MEASURES or (best.proven and best.value) else None


def _balance(best: Candidate[Any], mover: Seat) -> float:
    assert best.value is not None
    return (1 + (best.value if mover is Seat.FIRST else -best.value)) / 2


def verdict_text(analysis: Analysis[Any], mover: Seat, players: Sequence[Player]) -> str:
    """Who is ahead by the values; without values, how often the agent plays its choice."""
    best = position_candidate(analysis)
    if best is None:
        return _preference_text(analysis)
    if not any(candidate.value or candidate.proven for candidate in analysis.candidates):
        return "It sees no difference between the moves."
    value = best.value or 0.0
    ahead = players[mover if value > 0 else mover.other]
    match proven_result(best):
        case "draw":
            return "A draw with best play."
        case "win" | "loss":
            plies = "" if best.plies is None else f" in {best.plies}"
            return f"{with_verb(ahead, 'win')}{plies} with best play."
        case _ if abs(value) < 0.005:
            return "Even."
        case _:
            verb = "are" if ahead.kind is PlayerKind.YOU else "is"
            lead = f"{ahead.title} {verb} ahead ({abs(value):.2f})."
            # Values of a search or table are estimates, which no count of wins can express.
            is_average = analysis.measure is Measure.VISITS
            return f"{lead} {_wins_in_ten_text(ahead, value)}" if is_average else lead


def _wins_in_ten_text(ahead: Player, value: float) -> str:
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


def effort_text(analysis: Analysis[Any]) -> str:
    """How many positions or games the analysis took, how deep and how long."""
    effort = analysis.effort
    if not effort.nodes:
        return ""
    deep = f", {counted(effort.depth, 'ply', 'plies')} deep" if effort.depth else ""
    if analysis.measure is Measure.VISITS:
        work = f"played out {counted(effort.nodes, 'game', 'games')}"
    else:
        work = f"looked at {counted(effort.nodes, 'position', 'positions')}"
    return f"It {work}{deep}, in {effort.seconds:.2f} s."


def _would_learn(viewing: MatchView, agent: str) -> bool:
    """Whether the match is over and this agent can show what it would learn from it."""
    over = viewing.outcome is not None and not viewing.query.show
    return over and find_agent(agent.partition(":")[0]).lessons


def _show_url(viewing: MatchView) -> str:
    query = viewing.query
    turned = replace(query, values=True, show=not query.show, part=None, step=None, open=())
    return turned.url(viewing.path)


def _number_text(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}".replace("-", "−")
