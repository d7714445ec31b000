"""The table of an arena as it stands, made once for all who look at it.

Games are only ever added, so a table is good until the job has gone on. What is kept here
another process works out again.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from agents.contest.standings import Standings, stand
from webapp.jobs.kinds.arena import ArenaPlan
from webapp.jobs.models import JobRecord
from webapp.services import services

KEPT = 16

_kept: OrderedDict[str, Standings] = OrderedDict()
_lock = Lock()


def table_of(record: JobRecord) -> Standings:
    """The table with all games that the record has counted, or a few more."""
    with _lock:
        known = _kept.get(record.id)
        if known is None or known.played < record.step:
            terms = ArenaPlan.of(record).terms
            known = stand(terms, services().games.results(record.id, terms))
            _kept[record.id] = known
        _kept.move_to_end(record.id)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return known
