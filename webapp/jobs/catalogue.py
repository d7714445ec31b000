"""Every kind of job, written out by hand."""

from __future__ import annotations

from webapp.jobs.contests import ARENA
from webapp.jobs.kinds import JobKind
from webapp.jobs.searching import SEARCHING
from webapp.jobs.training import TRAINING

KINDS: dict[str, JobKind] = {kind.name: kind for kind in (TRAINING, ARENA, SEARCHING)}
