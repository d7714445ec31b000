"""What is taken along: every answer as a row, and each round with its histograms."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from webapp.classroom.records import AnswerRecord, RoundRecord, SeatRecord

HEADER = ("round", "vote", "student", "answer", "value", "best")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would work out


@dataclass(frozen=True, slots=True)
class _Worth:
    value: str
    best: str


def answers_csv(
    rounds: Sequence[RoundRecord], seats: Sequence[SeatRecord], answers: Sequence[AnswerRecord]
) -> str:
    """One row an answer, as they were given; what is not known of one is left empty."""
    names = {seat.number: seat.name for seat in seats}
    asked = {each.number: each for each in rounds}
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEADER)
    for answer in answers:
        worth = _worth(asked[answer.round], answer.answer)
        student = names.get(answer.seat, "")
        row = (answer.round, answer.vote, _plain(student), _plain(answer.answer))
        writer.writerow((*row, worth.value, worth.best))
    return out.getvalue()


def _worth(current: RoundRecord, answer: str) -> _Worth:
    judged = current.judgement_on(answer)
    if judged is None:
        return _Worth("", "")
    value = "" if judged.value is None else f"{judged.value:g}"
    return _Worth(value, "yes" if judged.best else "no")


def _plain(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text
