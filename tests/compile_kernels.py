"""Every kernel compiled once, before many processes of a fresh clone would each compile it.

    python -m tests.compile_kernels

Numba keeps what it compiled on the disk, and whoever comes while another compiles does so too.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import chain
from tempfile import TemporaryDirectory
from typing import Any

from agents.compute.kernels import kernels_place
from agents.compute.processes import local_processes, processors
from agents.roster import find_agent
from webapp.jobs.coordinator_process import warm_up_tasks
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.warm_up import warm_up_analyses, warm_up_searches
from webapp.workers.worker import answer

BRIEFLY = 0.05  # seconds of a thought
DONE = "all-compiled"

Errand = Callable[[], Any]


def errands() -> list[list[Errand]]:
    """What compiles each kernel: one after the other in a room, whose kernels call each other."""
    once: dict[tuple[Any, ...], Errand] = {}
    for question in chain(warm_up_analyses(), warm_up_searches()):
        once.setdefault((_room(question), question.compile_key), partial(answer, question, BRIEFLY))
    for step, arguments, _ in warm_up_tasks():
        once[(find_agent(arguments[1]).technique, arguments)] = partial(step, *arguments)
    rooms = defaultdict(list)
    for (room, *_), errand in once.items():
        rooms[room].append(errand)
    return sorted(rooms.values(), key=len, reverse=True)


def _room(question: Any) -> Any:
    return (
        find_agent(question.compile_key[0]).technique
        if isinstance(question, AnalysisRequest)
        else "optimise"
    )


def run(room: list[Errand]) -> None:
    """All of a room's, in this process."""
    for errand in room:
        errand()


def compile_all() -> None:
    """Once for all that kernels are compiled from: a file beside them says that it was done."""
    place = kernels_place()
    if place and (place / DONE).exists():
        return
    with TemporaryDirectory() as data:
        os.environ["ZERMELO_DATA"] = data
        with local_processes(processors()) as executor:
            list(executor.map(run, errands()))
    if place:
        (place / DONE).touch()


if __name__ == "__main__":
    compile_all()
