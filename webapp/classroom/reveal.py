"""Results of a round: counted votes, a machine's analysis, the value of an answer.

Callers check the phase: the projector and phones show these only after the reveal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents.contest.strength import strongest_agent
from agents.formats import counted
from agents.roster import agent_title, find_agent, ready_spec
from engine.errors import ZermeloError
from webapp.classroom.models import AnswerRecord, ClassSession, RoundRecord
from webapp.classroom.store import ClassStore
from webapp.classroom.tallies import BallotCount, headline, tally, worth_badge
from webapp.classroom.views import MachineView, ResultView
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import ExhibitContext
from webapp.questions.models import Question
from webapp.questions.requests import analysis_request
from webapp.questions.truths import has_board
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import MAX_INLINE_TRAINING_S

MAX_BARS = 7  # that fit on the projector


def count_answers(
    session: ClassSession, current: RoundRecord, *, worths: bool = True
) -> BallotCount:
    """Count the answers to a round, without those of removed students."""
    store = service(ClassStore)
    removed = {seat.number for seat in store.seats(session.record.id) if seat.removed}
    return tally(current, store.answers(session.record.id, current.number), removed, worths=worths)


def result_view(session: ClassSession, current: RoundRecord, *, worths: bool = True) -> ResultView:
    counted_up = count_answers(session, current, worths=worths)
    bars = tuple(bar for bar in counted_up.bars if not bar.hidden)
    rest = len(bars) - MAX_BARS
    votes = counted_up.totals[-1]
    return ResultView(
        headline=headline(current, votes) if worths else counted(votes, "vote", "votes"),
        tally=counted_up,
        shown=bars[:MAX_BARS],
        in_words=bool(current.question.choices),
        more=f"and {counted(rest, 'more answer', 'more answers')}" if rest > 0 else "",
        note=result_note(current, counted_up) if worths else "",
        why=current.truth.sentence if worths and current.truth else "",
        source=current.truth.source if worths and current.truth else "",
    )


def result_note(current: RoundRecord, found: BallotCount) -> str:
    """A remark on the answers as a whole, or nothing."""
    best = [one for one in current.judgements if one.right]
    if not best or best[0].value is None:
        return ""
    lost = best[0].proven and best[0].value < 0
    favourite = None if found.favourite is None else current.judgement_on(found.favourite)
    if lost and favourite is not None:
        soon = favourite.plies
        return "▼ every move loses" + (f", the class’s favourite in {soon} plies" if soon else "")
    if found.unsaid and len(found.unsaid) == len(best):
        names = ", ".join(found.unsaid[:3])
        return f"Nobody said {names}" + (" …" if len(found.unsaid) > 3 else "")
    return ""


def machine_view(path: str, current: RoundRecord, part: str | None = None) -> MachineView | None:
    """The chosen machine's analysis, or a placeholder while it is pending."""
    question = current.question
    machine = machine_for(question)
    if machine is None or question.match.outcome() is not None:
        return None
    title = f"{agent_title(machine, question.game)} says"
    show = find_agent(machine.partition(":")[0]).shows
    try:
        pending = service(WorkerClient).ask(
            analysis_request(question, machine, show=show), Rank.PANEL
        )
        answer = service(WorkerClient).wait_for(pending)
    except BusyError:
        answer = None
    if answer is None:
        return MachineView(machine, title, pending=True)
    if answer.analysis is None:
        return MachineView(machine, title, "It could not be worked out this time.")
    shown = answer.analysis.exhibit
    stand = replace(exhibit_stand(path, question, machine), choice=str(answer.analysis.choice))
    exhibit = None if shown is None else exhibit_view(shown, stand)
    return MachineView(machine, title, answer.analysis.reason, exhibit)


def machine_for(question: Question) -> str | None:
    """The machine the teacher chose, else the strongest; None without a position."""
    if not has_board(question):
        return None
    game = question.match.game
    try:
        return ready_spec(
            question.machine or strongest_agent(question.game), game, MAX_INLINE_TRAINING_S
        )
    except ZermeloError:
        return None


def exhibit_stand(path: str, question: Question, machine: str) -> ExhibitContext:
    """Context of an exhibit in a class: its links lead nowhere else."""

    def nowhere(*_: Any) -> str:
        return path

    return ExhibitContext(
        question.match.game,
        question.match.state,
        None,
        None,
        turn_to=nowhere,
        look_at=nowhere,
        spec_of=lambda _: machine,
    )


def own_results(current: RoundRecord, own: dict[int, str]) -> tuple[str, ...]:
    """One line per answer of a student, with its value."""
    lines = []
    for vote, answer in sorted(own.items()):
        worth = worth_badge(current.judgement_on(answer))
        when = f" in vote {vote}" if current.vote > 1 else ""
        said = f"You said {answer}{when}"
        lines.append(f"{said}: {worth.text} {worth.label}" if worth else said)
    return tuple(lines) or ("You gave no answer.",)


def best_answers_text(current: RoundRecord) -> str:
    """The best answers in a line; empty if all are."""
    best = current.best
    if not best or len(best) == len(current.question.answers):
        return ""
    more = f" and {len(best) - 5} more" if len(best) > 5 else ""
    word = "Right" if bool(current.question.choices) else "Best"
    return f"{word}: {', '.join(best[:5])}{more}"


def answers_by_seat(answers: Sequence[AnswerRecord], vote: int) -> dict[int, str]:
    """Answers of a vote by seat number."""
    return {answer.seat: answer.answer for answer in answers if answer.vote == vote}
