"""Exact values, and how easily each move is answered wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.exhibits import Answering, Answers
from agents.formats import counted, end_in_sight
from webapp.exhibits.exhibit import Stand

MOST_ROWS = 24
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
    rest: str  # 8 more moves draw, 12 more moves lose.
    title: str = "What is certain, and what is easy to get wrong"
    template: str = "exhibits/answers.html"
    sheets: tuple[str, ...] = ()
    press: str | None = None


def answers_view(shown: Answers, stand: Stand) -> AnswersView:
    ordered = sorted(shown.answers, key=lambda each: (not stand.plays((each.move,)), _order(each)))
    return AnswersView(
        sentence=_sentence(shown),
        source=f"Known from {shown.source}.",
        rows=tuple(_row(each, chosen=stand.plays((each.move,))) for each in ordered[:MOST_ROWS]),
        rest=_rest(ordered[MOST_ROWS:]),
    )


def _share(answer: Answering) -> float:
    return answer.wrong / answer.replies if answer.replies else 0.0


def _order(answer: Answering) -> tuple[int, int, float]:
    """As the perfect player chooses."""
    return -answer.value, answer.value * (answer.plies or 0), -_share(answer)


def _sentence(shown: Answers) -> str:
    ends = _ends(shown.answers, "move", "moves")
    return f"{ends}. Bars show how many of the replies would give something away."


def _rest(left: Sequence[Answering]) -> str:
    """How those that have no row end."""
    return f"{_ends(left, 'more move', 'more moves')}." if left else ""


def _ends(answers: Sequence[Answering], one: str, many: str) -> str:
    """3 moves win, 1 move loses."""
    counts = {value: sum(each.value == value for each in answers) for value in GLYPHS}
    return ", ".join(
        counted(counts[value], f"{one} {does}", f"{many} {do}")
        for value, does, do in ((1, "wins", "win"), (0, "draws", "draw"), (-1, "loses", "lose"))
        if counts[value]
    )


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
