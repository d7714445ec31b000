"""Kinds of jobs: training, arenas, searches."""

from __future__ import annotations

from webapp.jobs.kinds.arena import ARENA
from webapp.jobs.kinds.optimisation import SEARCHING
from webapp.jobs.kinds.training import TRAINING
from webapp.jobs.models import JobKind

KINDS: dict[str, JobKind] = {kind.name: kind for kind in (TRAINING, ARENA, SEARCHING)}
