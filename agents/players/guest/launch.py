"""Starts a player's program with resource limits: `python launch.py LIMITS PROGRAM ARGUMENTS…`.

LIMITS are JSON, by name: {"RLIMIT_DATA": 2147483648}. The program takes this process over.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Dict

PR_SET_PDEATHSIG = 1  # of prctl: the signal sent when the parent ends
PR_SET_CHILD_SUBREAPER = 36  # what it starts stays below it, even where its own parent has ended


def main() -> None:
    """Set the limits and become the program."""
    bind_to_parent()
    limit(json.loads(sys.argv[1]))
    try:
        os.execvp(sys.argv[2], sys.argv[2:])
    except OSError as error:
        sys.exit("{} cannot be started: {}".format(sys.argv[2], error.strerror))


def bind_to_parent() -> None:
    """On Linux the kernel kills this process when its parent ends, even in the middle of C code."""
    if sys.platform.startswith("linux"):
        import ctypes

        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)


def limit(limits: Dict[str, int]) -> None:
    """Set resource limits where the platform has them."""
    import resource

    for name, bound in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        _, hard = resource.getrlimit(kind)
        most = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main()
