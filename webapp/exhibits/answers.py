"""Exact values of moves, and the share of replies to each that are mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.exhibits import Answering, Answers
from agents.formats import counted, proven_text
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView

MAX_ROWS = 24
GLYPHS = {1: ("win", "▲"), 0: ("draw", "="), -1: ("loss", "▼")}


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A move with its exact result and the share of wrong replies."""

    move: str
    tone: str
    glyph: str
    end: str  # win in 5
    width: float
    wrong: str  # 3 of 7 replies
    chosen: bool


class AnswersView(ExhibitView):
    """The chosen move, then the others: best first, among equals the hardest to answer."""

    title = "What is certain, and what is easy to get wrong"
    template = "exhibits/answers.html"

    def __init__(self, exhibit: Answers, context: ExhibitContext) -> None:
        answers = sorted(
            exhibit.answers, key=lambda each: (not context.plays((each.move,)), _order(each))
        )
        drawn, rest = answers[:MAX_ROWS], answers[MAX_ROWS:]
        ends = _counts_text(exhibit.answers, "move", "moves")
        self.sentence = f"{ends}. Bars show how many of the replies would give something away."
        self.source = f"Known from {exhibit.source}."
        self.rows = tuple(_row(each, chosen=context.plays((each.move,))) for each in drawn)
        # 8 more moves draw, 12 more moves lose.
        self.rest = f"{_counts_text(rest, 'more move', 'more moves')}." if rest else ""


def _share(answer: Answering) -> float:
    return answer.wrong / answer.replies if answer.replies else 0.0


def _order(answer: Answering) -> tuple[int, int, float]:
    """The perfect player's order of preference."""
    return -answer.value, answer.value * (answer.plies or 0), -_share(answer)


def _counts_text(answers: Sequence[Answering], one: str, many: str) -> str:
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
        end=proven_text(answer.value, answer.plies),
        width=round(_share(answer), 4),
        wrong=f"{answer.wrong} of {replies}" if answer.replies else "ends the game",
        chosen=chosen,
    )
