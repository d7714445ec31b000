"""The analysis of a search that values every move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from agents.core import Analysis, Candidate, Effort, Fact, conclude, even_chances
from agents.formats import counted, signed
from agents.search.common import Worth
from engine.core import State


def report(
    state: State[Any],
    worths: Mapping[Any, Worth],
    effort: Effort,
    rng: Random,
    evidence: Iterable[Fact] = (),
) -> Analysis[Any]:
    """The analysis of a position, given the worth of its moves: one of the best is drawn."""
    found = worths or {move: Worth(0.0) for move in state.legal_moves()}
    top = max(worth.merit for worth in found.values())
    chances = even_chances(found, [move for move in found if found[move].merit == top])
    candidates = [
        Candidate(
            move,
            float(worth.value),
            chances[move],
            proven=worth.proven,
            plies=worth.plies,
            line=worth.line,
        )
        for move, worth in found.items()
    ]
    facts = [
        Fact("positions looked at", effort.nodes),
        Fact("plies ahead", effort.depth),
        *evidence,
    ]
    return conclude(
        candidates,
        lambda move: reason(found, move, effort.depth),
        rng,
        evidence=facts,
        effort=effort,
    )


def reason(found: Mapping[Any, Worth], move: Any, depth: int) -> str:
    """A sentence on why this move was chosen."""
    if not depth:
        return f"There was no time to look ahead, so {move} was drawn from {len(found)} moves."
    worth = found[move]
    if worth.plies is not None:
        return _wins(found, move) if worth.value > 0 else _loses(found, move)
    losing = sum(other.plies is not None for other in found.values())
    losses = f"; {counted(losing, 'other move loses', 'other moves lose')} by force" * bool(losing)
    if worth.height is not None:
        return f"{move} holds the draw, seen to every end{losses}."
    ahead = counted(depth, "ply", "plies")
    alike = sum(other.merit == worth.merit for other in found.values())
    if worth.value == 0 and alike > 1:
        drawn = f"{move} was drawn from {alike} moves that are alike so far"
        return f"Nothing is won or lost within {ahead}, so {drawn}{losses}."
    rivals = f", as do {alike - 1} others" if alike > 2 else ", as does one other" * (alike - 1)
    reply = f"; it expects {worth.line[1]}" if len(worth.line) > 1 else ""
    leads = f"{move} leads to a position worth {signed(worth.value)}, {ahead} ahead"
    return f"{leads}{rivals}{reply}{losses}."


def _wins(found: Mapping[Any, Worth], move: Any) -> str:
    worth = found[move]
    winning = sum(other.plies is not None and other.value > 0 for other in found.values())
    others = "no other move is seen to" if winning == 1 else f"{winning} of {len(found)} moves do"
    if worth.plies == 1:
        return f"{move} wins at once; {others}."
    reply = f" Against {worth.line[1]} comes {worth.line[2]}." if len(worth.line) > 2 else ""
    return f"{move} wins in {worth.plies} plies whatever you play; {others}.{reply}"


def _loses(found: Mapping[Any, Worth], move: Any) -> str:
    plies = counted(found[move].plies or 0, "ply", "plies")
    if len({other.plies for other in found.values()}) == 1:
        return f"Every move loses in {plies} against best play, {move} no sooner than the others."
    return f"Every move loses against best play; {move} holds out longest, {plies}."
