"""Jobs begun and removed by visitors, within their bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.training.brains import Point
from webapp.config import JobSettings
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.models import JobRecord, Strand
from webapp.jobs.store import JobStore

MAX_REMOVED_AT_ONCE = 20  # finished jobs of one visitor, when another is begun


@dataclass(frozen=True, slots=True)
class JobQueue:
    """Begins jobs and removes them with what they wrote."""

    jobs: JobStore
    brains: BrainStore
    limits: JobSettings

    def begin(
        self,
        record: JobRecord,
        strands: Mapping[int, Strand] | None = None,
        points: Sequence[Point] = (),
    ) -> JobRecord:
        """Store the job as queued, and remove the owner's oldest finished jobs beyond the bound.

        Raises TooManyJobsError and FullQueueError.
        """
        begun = self.jobs.create(
            record, each=self.limits.each, queue=self.limits.queue, strands=strands, points=points
        )
        for old in self.jobs.over(begun.owner, MAX_REMOVED_AT_ONCE, self.limits.kept):
            self.remove(old)
        return begun

    def remove(self, job_id: str) -> None:
        """Delete the job and all it wrote, except brains that have a name or are played with."""
        digests = self.brains.there(job_id)
        self.jobs.remove(job_id)
        self.brains.sweep(digests)
