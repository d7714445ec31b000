"""Exact values, and how easily each move is answered wrongly."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import Answering, Answers
from agents.wording import counted, end_in_sight
from webapp.exhibits.stand import Stand

GLYPHS = {1: ("win", "▲"), 0: ("draw", "="), -1: ("loss", "▼")}


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One move: how it ends, and the share of replies that go wrong after it."""

    move: str
    tone: str
    glyph: str
    end: str  # win in 5
    width: float
    wrong: str  # 3 of 7 replies
    chosen: bool


@dataclass(frozen=True, slots=True)
class AnswersView:
    """The move it plays, then the others: best first, among equals the hardest to answer."""

    sentence: str
    source: str
    rows: tuple[AnswerRow, ...]
    title: str = "What is certain, and what is easy to get wrong"
    template: str = "exhibits/answers.html"
    sheets: tuple[str, ...] = ("exhibits/samples",)
    press: str | None = None


def answers_view(shown: Answers, stand: Stand) -> AnswersView:
    ordered = sorted(shown.answers, key=lambda each: (not stand.plays((each.move,)), _order(each)))
    return AnswersView(
        sentence=_sentence(shown),
        source=f"Known from {shown.source}.",
        rows=tuple(_row(each, chosen=stand.plays((each.move,))) for each in ordered),
    )


def _share(answer: Answering) -> float:
    return answer.wrong / answer.replies if answer.replies else 0.0


def _order(answer: Answering) -> tuple[int, int, float]:
    """As the perfect player chooses."""
    return -answer.value, answer.value * (answer.plies or 0), -_share(answer)


def _sentence(shown: Answers) -> str:
    counts = {value: sum(each.value == value for each in shown.answers) for value in GLYPHS}
    parts = [
        counted(counts[value], f"move {one}", f"moves {many}")
        for value, one, many in ((1, "wins", "win"), (0, "draws", "draw"), (-1, "loses", "lose"))
        if counts[value]
    ]
    return f"{', '.join(parts)}. Bars show how many of the replies would give something away."


def _row(answer: Answering, *, chosen: bool) -> AnswerRow:
    tone, glyph = GLYPHS[answer.value]
    replies = counted(answer.replies, "reply", "replies")
    return AnswerRow(
        move=answer.move,
        tone=tone,
        glyph=glyph,
        end=end_in_sight(answer.value, answer.plies),
        width=round(_share(answer), 4),
        wrong=f"{answer.wrong} of {replies}" if answer.replies else "ends the game",
        chosen=chosen,
    )
