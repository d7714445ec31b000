"""Which puzzle a position is, if any: theme, right moves, and the refutation of a wrong one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from agents.core import Limit
from agents.puzzles.models import Puzzle, Theme
from agents.puzzles.proof import Prover, Verdicts, best_reply, merit
from agents.quixo.bitboard import masks_of
from agents.roster import load_agent
from engine.core import Ending, Verdict
from engine.nim import NimState
from engine.nim_theory import nim_sum

MIN_CHOICES = 3  # different positions after one move; fewer are no puzzle
WIN_PLIES = (3, 5, 7, 9)  # of a win that is asked for by its length: two to five moves
MAX_LINE = 6  # plies of a refutation


@dataclass(frozen=True)
class Subject:
    """A position with what is proven of its moves."""

    prover: Prover
    state: Any

    @cached_property
    def verdicts(self) -> Verdicts:
        return self.prover.verdicts(self.state)

    @cached_property
    def after(self) -> dict[Any, list[Any]]:
        """The positions one move away, each with the moves that lead to it."""
        found: dict[Any, list[Any]] = {}
        for move in self.verdicts:
            found.setdefault(self.state.play(move), []).append(move)
        return found

    def moves(self, fits: Callable[[Verdict | None], bool]) -> list[list[Any]]:
        """The moves whose verdict fits, those to the same position together."""
        return [moves for moves in self.after.values() if fits(self.verdicts[moves[0]])]

    @cached_property
    def best(self) -> Verdict | None:
        return self.verdicts[best_reply(self.verdicts)]


@dataclass(frozen=True, slots=True)
class Finding:
    """A theme that fits: the right moves, and the plies that its task speaks of."""

    theme: Theme
    solutions: list[Any]
    plies: int | None = None


def puzzle_of(prover: Prover, state: Any) -> Puzzle | None:
    """The puzzle that a position is, or None; a pure function of the position."""
    if state.outcome() is not None:
        return None
    subject = Subject(prover, state)
    if len(subject.after) < MIN_CHOICES:
        return None
    finding = next(_findings(subject), None)
    if finding is None:
        return None
    theme, wrong = finding.theme, finding.solutions[0]
    if theme is not Theme.MISTAKE:
        wrong = tempting_move(subject, finding)
        if _completes_both_lines(state, wrong):
            theme = Theme.THEIR_LINE
    best = subject.best
    return Puzzle(
        game=prover.game.spec,
        state=str(state),
        theme=theme,
        task=task_text(finding),
        solutions=tuple(map(str, finding.solutions)),
        refutation=tuple(map(str, _refutation(subject, finding, wrong))),
        value=best.value if prover.exact and best is not None else None,
        plies=finding.plies,
        source=prover.source,
    )


def _findings(subject: Subject) -> Iterator[Finding]:
    """The themes that fit, the most telling first."""
    best = subject.best
    if best is not None and best.value > 0:
        yield from _wins(subject, best)
    elif subject.prover.exact and best is not None and best.value == 0:
        drawing = subject.moves(lambda verdict: verdict is not None and verdict.value == 0)
        if len(drawing) == 1:
            yield Finding(Theme.HOLD, drawing[0])
    elif not subject.prover.exact:
        open_moves = subject.moves(lambda verdict: verdict is None)
        losing = [each.plies for each in subject.verdicts.values() if each is not None]
        if len(open_moves) == 1:
            yield Finding(Theme.PARRY, open_moves[0], max(plies or 0 for plies in losing))
    if subject.prover.exact and best is not None and best.value >= 0:
        worse = subject.moves(lambda verdict: verdict is not None and verdict.value < best.value)
        if len(worse) == 1:
            yield Finding(Theme.MISTAKE, worse[0])


def _wins(subject: Subject, best: Verdict) -> Iterator[Finding]:
    winning = subject.moves(lambda verdict: verdict is not None and verdict.value > 0)
    only = len(winning) == 1 and subject.prover.exact
    if isinstance(subject.state, NimState):
        if only:
            yield Finding(_nim_theme(subject.state, winning[0][0]), winning[0])
        return
    quickest = subject.moves(lambda verdict: verdict == best)
    timed = best.plies in WIN_PLIES and len(quickest) == 1
    if timed and best.plies == 3 and _has_two_threats(subject, quickest[0][0]):
        yield Finding(Theme.THREATS, quickest[0], best.plies)
    if only:
        yield Finding(Theme.ONLY_MOVE, winning[0])
    if timed:
        yield Finding(Theme.WIN, quickest[0], best.plies)


def _nim_theme(state: NimState, move: Any) -> Theme:
    after = state.play(move)
    if after.outcome() is not None or sum(heap > 0 for heap in state.heaps) == 1:
        return Theme.ONLY_MOVE
    return Theme.NIM_SUM if nim_sum(after) == 0 else Theme.MISERE


def _has_two_threats(subject: Subject, move: Any) -> bool:
    """Whether the win needs an answer to the answer: no one move wins against every reply."""
    after = subject.state.play(move)
    common: set[str] | None = None
    for reply in after.legal_moves():
        then = after.play(reply)
        if then.outcome() is not None:  # the reply loses by itself
            continue
        wins = {str(each) for each in then.legal_moves() if _wins_at_once(then, each)}
        common = wins if common is None else common & wins
    return common is not None and not common


def _wins_at_once(state: Any, move: Any) -> bool:
    outcome = state.play(move).outcome()
    return outcome is not None and outcome.winner is state.to_move


def _completes_both_lines(state: Any, move: Any) -> bool:
    """Whether a push seems to win by a line, but completes one of the other's, and so loses."""
    after = state.play(move)
    outcome = after.outcome()
    if outcome is None or outcome.ending is not Ending.OPPONENT_LINE:
        return False
    _, own = masks_of(after)
    return any(own & line == line for line in after.table.lines)


def tempting_move(subject: Subject, finding: Finding) -> Any:
    """The wrong move that looks best to somebody who sees one move ahead; of several, the one
    whose harm shows last."""
    wrong = [move for move in subject.verdicts if move not in finding.solutions]
    appeal = _appeal(subject)
    return max(wrong, key=lambda move: (appeal[move], merit(subject.verdicts[move])))


def _appeal(subject: Subject) -> dict[Any, float]:
    state = subject.state
    if isinstance(state, NimState):  # the rule of normal play, which misère turns round
        return {move: float(nim_sum(state.play(move)) == 0) for move in subject.verdicts}
    shallow = load_agent("alphabeta:depth=1", subject.prover.game)
    analysis = shallow.analyse(state, limit=Limit(), rng=Random(0))
    seen = {each.move: each.value or 0.0 for each in analysis.candidates}
    return {move: 1.0 if _completes_both_lines(state, move) else seen[move] for move in seen}


def _refutation(subject: Subject, finding: Finding, wrong: Any) -> Iterator[Any]:
    """The wrong move and the best play that follows it, as far as it is proven."""
    yield wrong
    state = subject.state.play(wrong)
    if state.outcome() is not None:
        return
    if finding.plies is not None and not subject.prover.exact:
        yield from _spoiling_reply(subject, finding, state)
        return
    for _ in range(MAX_LINE - 1):
        if state.outcome() is not None:
            return
        move = best_reply(subject.prover.verdicts(state))
        yield move
        state = state.play(move)


def _spoiling_reply(subject: Subject, finding: Finding, state: Any) -> Iterator[Any]:
    """The first reply that wins, else one after which no win is left within the plies."""
    verdicts = subject.prover.verdicts(state)
    first = best_reply(verdicts)
    assert finding.plies is not None
    yield first
    verdict = verdicts[first]
    if verdict is None or verdict.value < 0:
        return
    state = state.play(first)
    for _ in range((verdict.plies or 1) - 1):
        if state.outcome() is not None:
            return
        move = best_reply(subject.prover.verdicts(state))
        yield move
        state = state.play(move)


def task_text(finding: Finding) -> str:
    """The task, for people."""
    match finding.theme:
        case Theme.HOLD:
            return "Only one move holds the draw."
        case Theme.WIN | Theme.THREATS:
            assert finding.plies is not None
            return f"Win in {(finding.plies + 1) // 2} moves."
        case Theme.PARRY:
            return "Only one move does not lose soon."
        case Theme.MISTAKE:
            return "Only one move is a mistake. Which one?"
        case _:
            return "Only one move wins."
