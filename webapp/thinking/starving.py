"""Whether a process wants the processor and others have it: then its time is not over yet."""

from __future__ import annotations

import os
from dataclasses import dataclass

RUNNABLE = "R"
FAIR = 0.5  # of the time that passed: whoever got less, and wanted more, was kept from it


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process has had of the processor by now, and whether it wants more."""

    seconds: float
    wants_more: bool

    def starved(self, before: Usage, passed: float) -> bool:
        """Whether, since before, it was kept from what it would have used."""
        return self.wants_more and self.seconds - before.seconds < FAIR * passed


def usage_of(pid: int | None) -> Usage:
    """As the system tells; on systems that do not, nobody ever wants more."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            # Its name may hold anything, so count from the bracket after it: fields 3, 14, 15.
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return Usage(0.0, wants_more=False)
    ticks = int(fields[11]) + int(fields[12])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), fields[0] == RUNNABLE)
