"""The clock of a move: whoever exceeds its seconds by more than the grace forfeits."""

from __future__ import annotations

from time import perf_counter

from agents.core import GRACE_S, Limit
from agents.errors import BrokenAgentError

FIRST_GRACE_S = 90.0  # the same for an agent's first move in a process, as kernels are compiled


class MoveClock:
    """Runs from its creation; time in which the process waited for a processor is not counted."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._begun = perf_counter()
        self._waited = 0.0 if limit.seconds is None else _waited()

    @property
    def passed(self) -> float:
        """Seconds of wall-clock time."""
        return perf_counter() - self._begun

    def check(self, *, is_first: bool = False) -> None:
        """Raises BrokenAgentError if the move came too late."""
        seconds = self._limit.seconds
        if seconds is None:
            return
        passed = self.passed
        grace = FIRST_GRACE_S if is_first else GRACE_S
        if passed > seconds + grace and passed - (_waited() - self._waited) > seconds + grace:
            raise BrokenAgentError(late_text(passed, seconds, grace))


def late_text(passed: float, seconds: float, grace: float) -> str:
    return f"it took {passed:.1f} s, with {seconds:g} s for a move and {grace:g} s of grace"


def _waited() -> float:
    """Seconds this thread was ready to run and did not, from /proc; 0 where there is none."""
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
