"""What the searches share: values of positions, budgets, evaluations, draws by repetition, and the
analysis of a search that values every move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from agents.core import Analysis, Candidate, Effort, Fact, Limit, conclude, even_chances
from agents.formats import counted, signed
from engine.catalog import find_entry
from engine.core import Game, State
from engine.entry import Theory
from engine.options import Kind, Option
from engine.square import Evaluation

CLOCK_INTERVAL = 64  # positions between two readings of the clock, which cost as much as a move
EVALUATIONS = ("none", "game", "theory")
THEORY_VALUE = 0.9  # of a win known by theory, less than that of a win found by a search


class Worth(NamedTuple):
    """The value of a position for the side to move, with the plies of a win or loss found."""

    value: float
    plies: int | None = None  # to a win (1) or loss (-1)
    height: int | None = None  # the depth from which on the value is final; None: unknown
    line: tuple[Any, ...] = ()  # best play from here

    @property
    def proven(self) -> bool:
        return self.height is not None

    @property
    def merit(self) -> tuple[float, float]:
        """More is better: by value, then the quicker win or the slower loss."""
        return self.value, 0.0 if self.plies is None else -self.value * self.plies

    def after_move(self, move: Any) -> Worth:
        """The worth of the move that led here, for the side that made it."""
        return Worth(
            0.0 - self.value,  # never -0.0
            None if self.plies is None else self.plies + 1,
            None if self.height is None else self.height + 1,
            (move, *self.line),
        )


def best(worths: Mapping[Any, Worth]) -> Worth:
    """The worth of a position, given that of its moves."""
    top = max(worths.values(), key=lambda worth: worth.merit)
    if top.plies is not None:  # a win or loss found at one depth is found at every greater one
        return top._replace(height=top.plies)
    heights = [worth.height for worth in worths.values() if worth.height is not None]
    return top._replace(height=max(heights) if len(heights) == len(worths) else None)


class OutOfBudget(Exception):  # noqa: N818 - nothing is wrong, a search just ends here
    """The limit is reached; unfinished results are dropped."""


class Budget:
    """Counts the positions of one analysis, and stops it at the limit."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.spent = 0
        self._begun = perf_counter()
        self._next_stop = 0.0  # the number of positions at which to check the limit next

    def spend(self) -> None:
        """Count one more position; raises OutOfBudget where it exceeds the limit."""
        if self.spent >= self._next_stop:
            self._check()
        self.spent += 1

    def effort(self, depth: int) -> Effort:
        return Effort(self.spent, depth, perf_counter() - self._begun)

    def _check(self) -> None:
        limit = self.limit
        if limit.nodes is not None and self.spent >= limit.nodes:
            raise OutOfBudget
        if limit.seconds is not None and perf_counter() - self._begun >= limit.seconds:
            raise OutOfBudget
        soon = inf if limit.seconds is None else self.spent + CLOCK_INTERVAL
        self._next_stop = soon if limit.nodes is None else min(soon, limit.nodes)


def deepened(
    search: Callable[[int], dict[Any, Worth]], deepest: int, limit: Limit
) -> list[tuple[int, dict[Any, Worth]]]:
    """(depth, worth of every move) of each search in turn, at first (0, none).

    Under a budget it deepens ply by ply, so that there is always an answer.
    """
    found: list[tuple[int, dict[Any, Worth]]] = [(0, {})]
    limited = limit.nodes is not None or limit.seconds is not None
    with suppress(OutOfBudget):
        for depth in range(1 if limited else deepest, deepest + 1):
            found.append((depth, search(depth)))
            if all(worth.proven for worth in found[-1][1].values()):
                break
    return found


def evaluation_option(default: str) -> Option:
    return Option(
        "evaluation",
        Kind.CHOICE,
        default,
        "what an open position counts at the horizon: nothing, what its game makes of it (on "
        "boards its lines, c·3^c), or what theory says (Nim)",
        choices=EVALUATIONS,
    )


def evaluation_for(name: str, game: Game[Any, Any]) -> Evaluation:
    """One of EVALUATIONS by its name; where the game has none such, every position counts 0."""
    entry = find_entry(game.key)
    if name == "theory" and entry.theory is not None:
        return by_theory(entry.theory)
    if name == "game" and entry.evaluation is not None:
        return entry.evaluation
    return zero_evaluation


def zero_evaluation(state: object) -> float:
    """The evaluation by which every position counts 0."""
    return 0.0


def by_theory(theory: Theory) -> Evaluation:
    """The evaluation by a theory's verdicts; 0 where it has none."""

    def evaluate(state: Any) -> float:
        verdict = theory.verdict(state)
        return 0.0 if verdict is None else THEORY_VALUE * verdict.value

    return evaluate


def drawn_states(
    game: Game[Any, Any], state: State[Any], history: Sequence[State[Any]]
) -> frozenset[State[Any]]:
    """The states whose next repetition is a draw."""
    if not game.repetition:
        return frozenset()
    counts = Counter((*history, state))
    return frozenset(seen for seen, times in counts.items() if times >= game.repetition - 1)


def report(
    state: State[Any],
    worths: Mapping[Any, Worth],
    effort: Effort,
    rng: Random,
    evidence: Iterable[Fact] = (),
) -> Analysis[Any]:
    """The analysis of a position, given the worth of its moves: one of the best is drawn."""
    found = worths or {move: Worth(0.0) for move in state.legal_moves()}
    top = max(worth.merit for worth in found.values())
    chances = even_chances(found, [move for move in found if found[move].merit == top])
    candidates = [
        Candidate(
            move,
            float(worth.value),
            chances[move],
            proven=worth.proven,
            plies=worth.plies,
            line=worth.line,
        )
        for move, worth in found.items()
    ]
    facts = [
        Fact("positions looked at", effort.nodes),
        Fact("plies ahead", effort.depth),
        *evidence,
    ]
    return conclude(
        candidates,
        lambda move: reason(found, move, effort.depth),
        rng,
        evidence=facts,
        effort=effort,
    )


def reason(found: Mapping[Any, Worth], move: Any, depth: int) -> str:
    """A sentence on why this move was chosen."""
    if not depth:
        return f"It had no time to look ahead, so it picked {move} out of {len(found)} moves."
    worth = found[move]
    if worth.plies is not None:
        return _wins(found, move) if worth.value > 0 else _loses(found, move)
    losing = sum(other.plies is not None for other in found.values())
    losses = f"; {counted(losing, 'other move loses', 'other moves lose')} by force" * bool(losing)
    if worth.height is not None:
        return f"{move} holds the draw: it looked to every end{losses}."
    ahead = counted(depth, "move", "moves")
    alike = sum(other.merit == worth.merit for other in found.values())
    if worth.value == 0 and alike > 1:
        return f"It looked {ahead} ahead: {alike} moves look equal; it picked {move}{losses}."
    rivals = (
        "" if alike == 1 else f" and {counted(alike - 1, 'other move', 'other moves')} the same"
    )
    reply = f"; it expects {worth.line[1]}" if len(worth.line) > 1 else ""
    rated = f"it rates {move} {signed(worth.value)} (+1 is a win)"
    return f"Looking {ahead} ahead, {rated}{rivals}{reply}{losses}."


def _wins(found: Mapping[Any, Worth], move: Any) -> str:
    worth = found[move]
    winning = sum(other.plies is not None and other.value > 0 for other in found.values())
    others = "it sees no other that does" if winning == 1 else f"{winning} of {len(found)} moves do"
    if worth.plies == 1:
        return f"{move} wins at once; {others}."
    reply = f" {worth.line[1]} is answered by {worth.line[2]}." if len(worth.line) > 2 else ""
    return f"{move} wins in {worth.plies} moves, whatever the reply; {others}.{reply}"


def _loses(found: Mapping[Any, Worth], move: Any) -> str:
    plies = counted(found[move].plies or 0, "move", "moves")
    if len({other.plies for other in found.values()}) == 1:
        return f"Every move loses in {plies} against best play, {move} no sooner than the others."
    return f"Every move loses against best play; {move} holds out longest, {plies}."
