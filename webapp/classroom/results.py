"""Results of a round: both votes counted side by side, with the value of each answer.

Callers check the phase: the projector and phones show these only after the reveal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agents import Candidate
from agents.formats import counted
from agents.puzzles.collection import shipped_puzzle
from agents.puzzles.models import Puzzle, position_id
from webapp.boards.grid import Badge, badge
from webapp.charts import Chart, Curve, chart
from webapp.classroom.models import AnswerRecord, Phase, RoundRecord, SeatRecord
from webapp.questions.facts import join_texts
from webapp.questions.models import Judgement, Question

# Shares that are right: below explain, above go on, between let them talk.
EXPLAIN_BELOW, MOVE_ON_ABOVE = 0.35, 0.7
MOST_WRONG_BELOW = 0.5
MAX_BARS = 6  # that fit on the projector
LONG_CHOICE_CHARS = 16


@dataclass(frozen=True, slots=True)
class Bar:
    """One answer with its counts per vote and its value."""

    answer: str
    shown: str  # `b1`, or `b1 or a2` where mirror images were given
    counts: tuple[int, ...]  # by vote
    shares: tuple[float, ...]  # of all answers in that vote
    worth: Badge | None  # None: unknown
    best: bool
    hidden: bool


def _alike(question: Question, given: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The answers given, by the first on the board of those that a symmetry makes the same."""
    if not question.wants_move:
        return {answer: (answer,) for answer in given}
    match = question.match
    groups: dict[object, list[str]] = {}
    for move in match.state.legal_moves():
        if str(move) in given:
            after = match.game.canonical(match.state.play(move))
            groups.setdefault(after, []).append(str(move))
    known = {move for group in groups.values() for move in group}
    groups |= {answer: [answer] for answer in given if answer not in known}
    return {group[0]: tuple(group) for group in groups.values()}


def _either(answers: Sequence[str]) -> str:
    """`b1`, `b1 or a2`; of more, `b1 or alike`."""
    if len(answers) > 2:
        return f"{answers[0]} or alike"
    return " or ".join(answers)


class Result:
    """The result of a round, as control, projector and report show it.

    Answers of removed students do not count.
    """

    sketched = False  # whether a curve was drawn, which has no bars

    def __init__(
        self, current: RoundRecord, answers: Sequence[AnswerRecord], seats: Sequence[SeatRecord]
    ) -> None:
        removed = {seat.number for seat in seats if seat.removed}
        counted_answers = [answer for answer in answers if answer.seat not in removed]
        self._round = current
        self._hidden = {answer.answer for answer in counted_answers if answer.hidden}
        self._said = [  # by vote, as they were given
            Counter(answer.answer for answer in counted_answers if answer.vote == vote)
            for vote in range(1, current.vote + 1)
        ]
        self._given = {answer for vote in self._said for answer in vote}
        self._alike = _alike(current.question, self._given)
        self._votes = [
            Counter(
                {
                    name: sum(vote[answer] for answer in alike)
                    for name, alike in self._alike.items()
                    if any(vote[answer] for answer in alike)
                }
            )
            for vote in self._said
        ]
        self.totals = tuple(sum(vote.values()) for vote in self._votes)  # by vote
        self.in_words = not current.question.wants_move  # the answers are choices, not moves
        self.why = current.truth.sentence if current.truth else ""
        self.source = current.truth.source if current.truth else ""

    @cached_property
    def bars(self) -> tuple[Bar, ...]:
        """Choices in their order, moves most given first; mirror images of a move are one."""
        question = self._round.question
        order = {answer: place for place, answer in enumerate(question.answers)}

        def sort_key(answer: str) -> tuple[int, int]:
            count = 0 if question.choices else max(vote[answer] for vote in self._votes)
            return -count, order.get(answer, len(order))

        listed = {choice.text for choice in question.choices} | self._alike.keys()
        return tuple(self._bar(answer) for answer in sorted(listed, key=sort_key))

    def _bar(self, answer: str) -> Bar:
        counts = tuple(vote[answer] for vote in self._votes)
        return Bar(
            answer,
            _either(self._alike.get(answer, (answer,))),
            counts,
            tuple(count / max(1, all_) for count, all_ in zip(counts, self.totals, strict=True)),
            worth=worth_badge(self._round.judgement_on(answer)),
            best=answer in self._round.best,
            hidden=not self._hidden.isdisjoint(self._alike.get(answer, ())),
        )

    @cached_property
    def _visible(self) -> list[Bar]:
        return [bar for bar in self.bars if not bar.hidden]

    @cached_property
    def chart(self) -> Chart | None:
        """The curve that was asked about, if one was."""
        trace = None if self._round.truth is None else self._round.truth.curve
        if trace is None:
            return None
        tone = {"wins": "win", "draws": "draw", "losses": "loss"}.get(trace.metric, "first")
        title = f"{trace.learner}: {trace.metric} by {trace.unit}"
        line = Curve(trace.metric, tone, trace.points)
        return chart(title, [line], x_name=trace.unit, log=trace.points[0][0] > 0)

    @property
    def last_vote(self) -> Mapping[str, int]:
        """How often each answer was given in the last vote, but for hidden ones."""
        return {
            answer: count for answer, count in self._said[-1].items() if answer not in self._hidden
        }

    @property
    def shown(self) -> list[Bar]:
        """The bars that fit on the projector."""
        return self._visible[:MAX_BARS]

    @property
    def favourite(self) -> str | None:
        """Most frequent answer in the last vote, mirror images counted together.

        Of these the one that was given most; among equals the first on the board.
        """
        given = [bar for bar in self.bars if bar.counts[-1]]
        if not given:
            return None
        chosen = max(given, key=lambda bar: bar.counts[-1]).answer
        return max(self._alike[chosen], key=lambda answer: self._said[-1][answer])

    @property
    def headline(self) -> str:
        """`27 votes: nobody could have won here`."""
        votes = counted(self.totals[-1], "vote", "votes")
        is_judged = bool(self._round.judgements)
        right = _right_answer_text(self._round) if is_judged else "nothing was right or wrong"
        return f"{votes}: {right}"

    @property
    def more(self) -> str:
        rest = len(self._visible) - MAX_BARS
        return f"and {counted(rest, 'more answer', 'more answers')}" if rest > 0 else ""

    @property
    def is_wordy(self) -> bool:
        """Whether some choice is too long to fit beside its bar."""
        return any(len(bar.answer) > LONG_CHOICE_CHARS for bar in self.shown)

    @cached_property
    def note(self) -> str:
        """A remark on the answers as a whole, or nothing."""
        current = self._round
        best = [one for one in current.judgements if one.right]
        unsaid = [answer for answer in current.best if answer not in self._given]
        if not best or best[0].value is None:
            return ""
        lost = best[0].proven and best[0].value < 0
        favourite = self.favourite and current.judgement_on(self.favourite)
        if lost and favourite:
            soon = f", the class’s favourite in {favourite.plies} plies" if favourite.plies else ""
            return f"▼ every move loses{soon}"
        if unsaid and len(unsaid) == len(best):
            return f"Nobody said {', '.join(unsaid[:3])}" + (" …" if len(unsaid) > 3 else "")
        return ""


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


def missed_puzzle(current: RoundRecord, answers: Sequence[AnswerRecord]) -> Puzzle | None:
    """The shipped puzzle of a revealed position whose move most of the class got wrong at last."""
    question = current.question
    if current.phase is not Phase.REVEALED or not question.wants_move:
        return None
    share = share_right(current, answers, current.vote)
    if share is None or share >= MOST_WRONG_BELOW:
        return None
    match = question.match
    return shipped_puzzle(position_id(match.game.spec, str(match.state)))


def teaching_advice(share: float) -> str:
    """What to do next, after Crouch and Mazur (2001)."""
    if share < EXPLAIN_BELOW:
        return "Few are right: explain before you go on."
    if share <= MOVE_ON_ABOVE:
        return "Let them talk to each other, then vote again."
    return "Most are right: go on."


def _right_answer_text(current: RoundRecord) -> str:
    best = current.best
    top = next(one for one in current.judgements if one.right)
    if top.value is None:
        return f"“{best[0]}” is right"
    more = [f"{len(best) - 2} more moves"] if len(best) > 4 else []
    names = join_texts([*best[:2], *more] if more else best)
    if not top.proven and 2 * len(best) > len(current.question.answers):
        return "no move stands out"
    if not top.proven:
        return f"{names} looks best" if len(best) == 1 else f"{names} look best"
    if top.value > 0:
        return f"{names} wins" if len(best) == 1 else f"{names} win"
    if top.value < 0:
        return "nobody could have won here"
    if len(best) == len(current.question.answers):
        return "every move draws"
    return f"{names} holds the draw" if len(best) == 1 else f"{names} hold the draw"


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
