"""What a server and its processes have used."""

from __future__ import annotations

import os
from pathlib import Path


def processor_seconds(pid: int, *, forks: bool = False) -> dict[str, float]:
    """What the server and the processes that think for it have used so far; Linux only.

    Of a server that forks, the children of its first process are web processes.
    """
    used = {"server": 0.0, "workers": 0.0}
    parents = {pid}
    for place in sorted(Path("/proc").glob("[0-9]*"), key=lambda place: int(place.name)):
        try:
            rest = (place / "stat").read_text().rpartition(") ")[2].split()
        except OSError:  # it has ended
            continue
        if int(place.name) != pid and int(rest[1]) not in parents:
            continue
        parents.add(int(place.name))
        is_web = int(place.name) == pid or (forks and int(rest[1]) == pid)
        name = "server" if is_web else "workers"
        used[name] += (int(rest[11]) + int(rest[12])) / os.sysconf("SC_CLK_TCK")
    return used
