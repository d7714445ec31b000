"""What a match asks about one of its plies."""

from __future__ import annotations

from webapp.play.records import Record
from webapp.workers.requests import Question


def question_at(record: Record, ply: int, agent: str, *, show: bool = False) -> Question:
    """What is asked about a ply. The reply and the panel ask the same, so they get the same.

    The seed is the revision in which that ply was, or will be, played: one thought for each.
    """
    played = record.plies[ply].revision if ply < len(record.plies) else record.revision
    return Question(
        game=record.game,
        start=record.start,
        moves=tuple(done.text for done in record.plies[:ply]),
        agent=agent,
        seed=f"{record.id}:{played}",
        show=show,
    )
