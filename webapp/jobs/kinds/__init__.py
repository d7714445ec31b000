"""Kinds of jobs: training, grids, arenas, searches."""

from __future__ import annotations

from webapp.jobs.kinds.arena import ARENA
from webapp.jobs.kinds.grid import GRID
from webapp.jobs.kinds.optimisation import SEARCHING
from webapp.jobs.kinds.training import TRAINING
from webapp.jobs.models import JobKind

KINDS: dict[str, JobKind] = {kind.name: kind for kind in (TRAINING, GRID, ARENA, SEARCHING)}
