"""The panel: what an agent thinks of a position, in words, glyphs and bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents import Analysis, Candidate, Measure
from agents.formats import counted, portion
from agents.roster import agent_title, find_agent
from engine import Seat
from webapp.replays.analysts import analysts, rivals, settings_of
from webapp.replays.ply_view import Viewing
from webapp.replays.query import with_query
from webapp.replays.rows import headings_of, meaning_of, rows_of
from webapp.replays.seats import Player, PlayerKind, says
from webapp.replays.trees.query import tree_address
from webapp.replays.views import Comparison, Hint, Panel

AGAIN = "load delay:300ms"
VALUED = (Measure.VALUE, Measure.VISITS)  # what says how a position stands


def offer(viewing: Viewing, agent: str, target: str, *, asked: bool = True, **state: Any) -> Panel:
    """The panel without figures: not asked yet, not ready, or nothing to say."""
    look = replace(viewing.look, ply=viewing.ply, values=False, hint=False, story=False, pick=None)
    here = with_query(viewing.path, viewing.look)
    return Panel(
        title=f"What {agent_title(agent, viewing.record.game)} is thinking",
        agent=agent,
        analysts=analysts(viewing.match.game, agent) if asked or viewing.look.present else (),
        settings=settings_of(agent) if asked else (),
        rivals=rivals(viewing.match.game, viewing.look.versus) if asked else (),
        retry=here if target == "#match" else with_query(viewing.child("analysis"), look),
        target=target,
        trigger=AGAIN,
        asked=asked,
        show_url=_show_url(viewing) if asked and shows(agent) else None,
        opened=viewing.look.show,
        lesson_url=_show_url(viewing) if _has_lessons(viewing, agent) else None,
        tree=tree_address(viewing.path, viewing.ply, agent, present=viewing.look.present),
        **state,
    )


def shows(agent: str) -> bool:
    """Whether there is more to see of this agent than its candidates."""
    return find_agent(agent.partition(":")[0]).shows


def _has_lessons(viewing: Viewing, agent: str) -> bool:
    """Whether the match is over and its agent can say what it would learn from it."""
    over = viewing.outcome is not None and not viewing.look.show
    return over and find_agent(agent.partition(":")[0]).lessons


def _show_url(viewing: Viewing) -> str:
    look = viewing.look
    turned = replace(look, values=True, show=not look.show, part=None, step=None, open=())
    return with_query(viewing.path, turned)


def panel(
    viewing: Viewing,
    agent: str,
    target: str,
    analysis: Analysis[Any],
    **state: Any,
) -> Panel:
    """The panel with everything the agent has to say of the shown position."""
    return said_of(viewing.ply, viewing, agent, target, analysis, **state)


def panel_before(viewing: Viewing, agent: str, target: str, analysis: Analysis[Any]) -> Panel:
    """While the next move is being thought about: what was said of the one before it."""
    ply = viewing.ply - 1
    move = viewing.match.moves[ply]
    mover = agent_title(
        viewing.record.seats[viewing.match.states[ply].to_move], viewing.record.game
    )
    before = f"{agent_title(agent, viewing.record.game)} is thinking. Before, of {move}:"
    said = said_of(ply, viewing, agent, target, analysis, pending=True, before=before)
    return replace(said, title=f"What {mover} thought", values={})


def said_of(
    ply: int, viewing: Viewing, agent: str, target: str, analysis: Analysis[Any], **state: Any
) -> Panel:
    """What was said of the position before that ply."""
    position = viewing.match.states[ply]
    mover: Seat = position.to_move
    speaks = speaks_for(analysis)
    return offer(
        viewing,
        agent,
        target,
        **state,
        reason=analysis.reason,
        balance=None if speaks is None else _balance(speaks, mover),
        verdict=verdict_of(analysis, mover, viewing.players),
        headings=headings_of(analysis),
        rows=rows_of(analysis, position),
        evidence=tuple((fact.name, _figure(fact.value)) for fact in analysis.evidence),
        effort=told_of(analysis),
        values={str(candidate.move): candidate for candidate in analysis.candidates},
    )


def known_of(
    viewing: Viewing, panel: Panel, hint: Hint | None, comparison: Comparison | None = None
) -> str:
    """Names what is known and what is awaited; another name: the page has changed."""
    hinting = hint is not None and hint.retry is not None
    comparing = "c" if comparison is not None and comparison.pending else ""
    return f"{viewing.record.revision}-{int(panel.pending)}{int(hinting)}{comparing}"


def speaks_for(analysis: Analysis[Any]) -> Candidate[Any] | None:
    """The candidate whose value is the position's: the best, if it has one that means that.

    What a technique without values has proven is certain all the same.
    """
    best = analysis.candidates[0]
    if best.value is None:
        return None
    return best if analysis.measure in VALUED or (best.proven and best.value) else None


def _balance(best: Candidate[Any], mover: Seat) -> float:
    assert best.value is not None
    return (1 + (best.value if mover is Seat.FIRST else -best.value)) / 2


def verdict_of(analysis: Analysis[Any], mover: Seat, players: Sequence[Player]) -> str:
    """How it stands by its values; where they do not say, how sure it is of its move."""
    best = speaks_for(analysis)
    if best is None:
        return _leaning(analysis)
    if not any(candidate.value or candidate.proven for candidate in analysis.candidates):
        return "It sees no difference between the moves."
    value = best.value or 0.0
    ahead = players[mover if value > 0 else mover.other]
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
            lead = f"{ahead.title} {verb} ahead ({abs(value):.2f})."
            return f"{lead} {_in_ten(ahead, value)}" if counts_games(analysis) else lead


def counts_games(analysis: Analysis[Any]) -> bool:
    """Whether its values are results of games, so that they can be told as so many in ten.

    Those of a search at its horizon, or of a learner's table, are judgements, and cannot.
    """
    return analysis.measure is Measure.VISITS


def _in_ten(ahead: Player, value: float) -> str:
    """The average result of the games it played out, as so many won; a draw is half of one."""
    won = round(10 * (1 + abs(value)) / 2)
    round_ones = {5: "a little more than half of the time", 10: "nearly always"}
    often = round_ones.get(won, f"{won} times in 10")
    return f"{says(ahead, 'win')} {often} from here in its playouts, a draw counting half."


def _leaning(analysis: Analysis[Any]) -> str:
    """What its chances say: they are all it has, or what its beads or genes come to."""
    chances = [candidate.chance for candidate in analysis.candidates]
    move, chance = analysis.choice, analysis.chosen.chance
    if chance > 1 - 1e-9:
        return f"It always plays {move} here."
    if max(chances) - min(chances) < 1e-9:
        return f"It plays any of these {len(chances)} moves, each as often as the next."
    return f"It plays {move} here {portion(chance)} of the time."


def told_of(analysis: Analysis[Any]) -> str:
    """What the thought took."""
    effort = analysis.effort
    if not effort.nodes:
        return ""
    deep = f", {counted(effort.depth, 'ply', 'plies')} deep" if effort.depth else ""
    if analysis.measure is Measure.VISITS:
        told = f"played out {counted(effort.nodes, 'game', 'games')}"
    else:
        told = f"looked at {counted(effort.nodes, 'position', 'positions')}"
    return f"It {told}{deep}, in {effort.seconds:.2f} s."


def _figure(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}".replace("-", "−")
