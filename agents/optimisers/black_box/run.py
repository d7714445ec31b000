"""Runs of a search on a box: the session that asks, counts the calls and keeps the best.

Nothing else holds both: a search only sees the numbers, so it cannot bypass the counter.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from math import isfinite
from time import perf_counter

import numpy as np

from agents.compute.rng import new_stream, seed_stream
from agents.optimisers.black_box.batches import Ask
from agents.optimisers.black_box.genomes import diversity, has_spare, to_int, words_for
from agents.optimisers.entry import (
    Arrays,
    BoxSearch,
    BrokenSearchError,
    Genomes,
    from_bytes,
    to_bytes,
)
from agents.training.loop import kernel_seed
from engine.problems.black_box import MAX_CALLS

PER_DECADE = 20  # points of a curve from one power of ten to the next
# Calls at which a curve has a point.
MARKS = sorted({round(10 ** (step / PER_DECADE)) for step in range(7 * PER_DECADE)})

Curve = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class BoxRun:
    """How far a search is."""

    rounds: int = 0
    calls: int = 0
    best: float = float("-inf")  # nothing asked yet
    genome: int = 0  # the best one, its first place highest
    curve: Curve = ()  # (calls, best by then), at fixed numbers of calls and at the end
    diversity: Curve = ()  # (calls, share of places in which two of the population differ)
    ended: bool = False
    seconds: float = field(default=0.0, compare=False)
    state: Arrays = field(default_factory=dict, repr=False, compare=False)

    @property
    def effort(self) -> int:
        return self.calls


@dataclass(frozen=True, slots=True)
class BoxSession:
    """A search at work on a box; all that changes is in the run it is given."""

    ask: Ask
    bits: int
    goal: float  # the best value there is: reaching it ends the run
    search: BoxSearch
    seed: int

    def start(self) -> BoxRun:
        return BoxRun()

    def advance(self, run: BoxRun, limit: int | None, seconds: float) -> BoxRun:
        """Ask for about so many seconds, one round at least, and at most `limit` calls in all.

        Where a run is cut changes nothing but its seconds: the random numbers of a round follow
        from the seed and the round's number.
        """
        begun, calls = perf_counter(), MAX_CALLS if limit is None else limit
        rng, seed = new_stream(), kernel_seed(self.seed)
        rounds, asked, best, state = run.rounds, run.calls, run.best, run.state
        best_genome: Genomes | None = None
        curve, spread = list(run.curve), list(run.diversity)
        ended = run.ended
        while not ended:
            seed_stream(rng, seed, rounds)
            genomes = self._checked(self.search.propose(state, self.bits, rng))[: calls - asked]
            if not len(genomes):
                ended = True
                break
            answers = self.ask(genomes)
            marks = MARKS[bisect_right(MARKS, asked) : bisect_right(MARKS, asked + len(genomes))]
            curve += [(mark, max(best, float(answers[: mark - asked].max()))) for mark in marks]
            top = int(answers.argmax())
            if answers[top] > best:
                best, best_genome = float(answers[top]), genomes[top]
            asked, rounds = asked + len(genomes), rounds + 1
            state = self.search.accept(state, genomes, answers, rng)
            if marks and len(living := self.search.living(state)) > 1:
                spread.append((asked, float(diversity(living, self.bits))))
            ended = best >= self.goal or asked >= calls
            if perf_counter() - begun >= seconds:
                break
        if ended and asked and (not curve or curve[-1][0] != asked):
            curve.append((asked, best))
        kept = run.genome if best_genome is None else to_int(best_genome, self.bits)
        return BoxRun(
            rounds,
            asked,
            best,
            kept,
            tuple(curve),
            tuple(spread),
            ended,
            run.seconds + perf_counter() - begun,
            state,
        )

    def write(self, run: BoxRun) -> bytes:
        """Serialise a run."""
        facts = {
            "rounds": run.rounds,
            "calls": run.calls,
            "best": run.best if isfinite(run.best) else None,
            "genome": f"{run.genome:x}",
            "curve": run.curve,
            "diversity": run.diversity,
            "ended": run.ended,
            "seconds": run.seconds,
        }
        return to_bytes(run.state, facts)

    def read(self, data: bytes) -> BoxRun:
        """Deserialise a run; raises UnreadableStateError."""
        state, facts = from_bytes(data)
        facts["best"] = float("-inf") if facts["best"] is None else facts["best"]
        facts["genome"] = int(facts["genome"], 16)
        for name in ("curve", "diversity"):
            facts[name] = tuple((calls, figure) for calls, figure in facts[name])
        return BoxRun(**facts, state=state)

    def warm_up(self) -> None:
        """Compile the kernels of the search, by two rounds that do not ask the box."""
        rng = new_stream()
        state: Arrays = {}
        for _ in range(2):
            genomes = self._checked(self.search.propose(state, self.bits, rng))
            state = self.search.accept(state, genomes, np.zeros(len(genomes)), rng)

    def _checked(self, genomes: Genomes) -> Genomes:
        """The proposed genomes; raises BrokenSearchError where they do not fit the box."""
        width = words_for(self.bits)
        if genomes.dtype != np.int64 or genomes.ndim != 2 or genomes.shape[1] != width:
            raise BrokenSearchError(
                f"a search asked for {genomes.dtype} of shape {genomes.shape}: "
                f"genomes of {self.bits:,} bits are int64 of shape (…, {width})"
            )
        if has_spare(genomes, self.bits):
            raise BrokenSearchError(f"a search asked for a genome of more than {self.bits:,} bits")
        return genomes


def stopped(run: BoxRun) -> BoxRun:
    """A run, perhaps interrupted, with its curve drawn up to its last call."""
    if run.ended or not run.calls or run.curve[-1][0] == run.calls:
        return run
    return replace(run, curve=(*run.curve, (run.calls, run.best)))
