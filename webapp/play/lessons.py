"""After a match: what an agent of matchboxes would learn from it, asked ply by ply."""

from __future__ import annotations

from agents.exhibits import Matchbox
from webapp.exhibits.exhibit import ExhibitView
from webapp.exhibits.matchbox import lessons_view
from webapp.play.exhibiting import stand_of
from webapp.play.questions import question_at
from webapp.play.viewing import Viewing
from webapp.services import services
from webapp.web.errors import BusyError
from webapp.workers.queue import Rank


def lessons_for(viewing: Viewing, agent: str) -> tuple[ExhibitView | None, bool]:
    """What it would learn, if anything, and whether boxes are still being looked into."""
    record, outcome = viewing.record, viewing.outcome
    if not viewing.look.show or outcome is None or agent not in record.seats:
        return None, False
    seat = next(seat for seat in record.agents if record.seats[seat] == agent)
    opened = []
    for ply, move in enumerate(viewing.match.moves):
        if viewing.match.states[ply].to_move is not seat:
            continue
        try:
            asked = services().ask(question_at(record, ply, agent, show=True), Rank.PANEL)
        except BusyError:
            return None, True
        answer = services().wait_for(asked)
        if answer is None:
            return None, True
        box = None if answer.analysis is None else answer.analysis.exhibit
        if not isinstance(box, Matchbox):
            return None, False
        opened.append((ply + 1, str(move), box))
    stand = stand_of(viewing, agent)
    return (lessons_view(opened, outcome.score(seat), stand) if opened else None), False
