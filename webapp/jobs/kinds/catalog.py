"""All kinds of jobs by name."""

from __future__ import annotations

from webapp.jobs.kinds.arena import ARENA
from webapp.jobs.kinds.kind import JobKind
from webapp.jobs.kinds.optimisation import SEARCHING
from webapp.jobs.kinds.training import TRAINING

KINDS: dict[str, JobKind] = {kind.name: kind for kind in (TRAINING, ARENA, SEARCHING)}
