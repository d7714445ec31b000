"""Counted answers of a class: both votes side by side, with the value of each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agents import Candidate
from webapp.boards.grid import Badge, badge
from webapp.classroom.models import AnswerRecord, RoundRecord
from webapp.questions.models import Judgement

EXPLAIN_BELOW, MOVE_ON_ABOVE = (
    0.35,
    0.7,
)  # shares that are right: below explain, above go on, between let them talk


@dataclass(frozen=True, slots=True)
class Bar:
    """One answer with its counts per vote and its value."""

    answer: str
    counts: tuple[int, ...]  # by vote
    shares: tuple[float, ...]  # of all answers in that vote
    worth: Badge | None  # None: unknown, or not public yet
    best: bool
    hidden: bool


@dataclass(frozen=True, slots=True)
class BallotCount:
    """Counted answers to a round."""

    bars: tuple[Bar, ...]  # most given first
    totals: tuple[int, ...]  # by vote
    unsaid: tuple[str, ...]  # the best answers that nobody gave

    @property
    def favourite(self) -> str | None:
        """Most frequent answer in the last vote; among equals the first on the board."""
        given = [bar for bar in self.bars if bar.counts[-1]]
        return max(given, key=lambda bar: bar.counts[-1]).answer if given else None


def tally(
    current: RoundRecord,
    answers: Sequence[AnswerRecord],
    removed: Collection[int] = (),
    *,
    worths: bool = True,
) -> BallotCount:
    """Count the answers, except those of removed seats."""
    counted = [answer for answer in answers if answer.seat not in removed]
    votes = [
        Counter(answer.answer for answer in counted if answer.vote == vote)
        for vote in range(1, current.vote + 1)
    ]
    totals = tuple(sum(vote.values()) for vote in votes)
    hidden = {answer.answer for answer in counted if answer.hidden}
    order = {answer: place for place, answer in enumerate(current.question.answers)}
    given = {answer for vote in votes for answer in vote}
    listed = {choice.text for choice in current.question.choices} | given

    def sort_key(answer: str) -> tuple[int, int]:
        return -max(vote[answer] for vote in votes), order.get(answer, len(order))

    bars = tuple(
        Bar(
            answer,
            tuple(vote[answer] for vote in votes),
            tuple(vote[answer] / max(1, total) for vote, total in zip(votes, totals, strict=True)),
            worth=worth_badge(current.judgement_on(answer)) if worths else None,
            best=worths and answer in current.best,
            hidden=answer in hidden,
        )
        for answer in sorted(listed, key=sort_key)
    )
    return BallotCount(bars, totals, tuple(best for best in current.best if best not in given))


def worth_badge(verdict: Judgement | None) -> Badge | None:
    """Badge with the value of an answer; of a choice, whether it is right."""
    if verdict is None:
        return None
    if verdict.value is None:
        return Badge("win", "✓", "right") if verdict.right else Badge("loss", "✗", "not right")
    seen = Candidate(verdict.text, verdict.value, proven=verdict.proven, plies=verdict.plies)
    return badge(seen)


def share_right(current: RoundRecord, answers: Sequence[AnswerRecord], vote: int) -> float | None:
    """Share of best answers in a vote; None if unknown or if every answer is best."""
    given = [answer.answer for answer in answers if answer.vote == vote]
    if not given or not current.judgements or len(current.best) == len(current.question.answers):
        return None
    return sum(answer in current.best for answer in given) / len(given)


def teaching_advice(share: float) -> str:
    """What to do next, after Crouch and Mazur (2001)."""
    if share < EXPLAIN_BELOW:
        return "Few are right: explain before you go on."
    if share <= MOVE_ON_ABOVE:
        return "Let them talk to each other, then vote again."
    return "Most are right: go on."


def headline(current: RoundRecord, votes: int) -> str:
    """`27 votes: nobody could have won here`."""
    said = "1 vote" if votes == 1 else f"{votes} votes"
    if not current.judgements:
        return f"{said}: nothing was right or wrong"
    return f"{said}: {_right_answer_text(current)}"


def _right_answer_text(current: RoundRecord) -> str:
    best = current.best
    top = next(one for one in current.judgements if one.right)
    if top.value is None:
        return f"“{best[0]}” is right"
    names = _joined(best)
    if not top.proven:
        return f"{names} looks best" if len(best) == 1 else f"{names} look best"
    if top.value > 0:
        return f"{names} wins" if len(best) == 1 else f"{names} win"
    if top.value < 0:
        return "nobody could have won here"
    if len(best) == len(current.question.answers):
        return "every move draws"
    return f"{names} holds the draw" if len(best) == 1 else f"{names} hold the draw"


def _joined(answers: Sequence[str]) -> str:
    if len(answers) > 4:
        return f"{answers[0]}, {answers[1]} and {len(answers) - 2} more moves"
    return " and ".join([", ".join(answers[:-1]), answers[-1]] if len(answers) > 1 else answers)
