"""Measuring strength as a run that can be stopped: what was played is kept, what is missing or no
longer true is played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

from agents.compute.paths import keep
from agents.contest.strength import Encounter, MeasuredField, from_text, to_text
from agents.errors import BrokenAgentError
from benchmarks.strength.field import Appointment, empty_field, measured_variants, meet, meetings

Pair = tuple[str, str]


class StrengthRun:
    """The fields of some variants on their way to being whole, and the file they are kept in."""

    def __init__(self, path: Path, games: Iterable[str], anew: bool = False) -> None:
        self.path = path
        before = from_text(path.read_text(encoding="utf-8")) if path.exists() else {}
        self.chosen = tuple(games)
        self.fields: dict[str, MeasuredField] = {}
        for game in measured_variants():
            known = before.get(game)
            if game not in self.chosen:
                if known is not None:
                    self.fields[game] = known
            else:
                self.fields[game] = still_true(empty_field(game), None if anew else known)

    def missing(self) -> list[Appointment]:
        """The pairs that have yet to meet."""
        return [
            meeting
            for game in self.chosen
            for meeting in meetings(self.fields[game])
            if (meeting.one, meeting.two) not in _pairs(self.fields[game])
        ]

    def play(
        self, missing: Iterable[Appointment], executor: Executor | None
    ) -> Iterator[Appointment]:
        """Has them meet, each kept as soon as it is over."""
        self.write()
        for meeting, encounter in _played(missing, executor):
            field = self.fields[meeting.game]
            self.fields[meeting.game] = replace(
                field, encounters=_in_order(field, (*field.encounters, encounter))
            )
            self.write()
            yield meeting

    def write(self) -> None:
        """Whole or not at all."""
        keep(to_text(self.fields.values()).encode(), self.path)
        self.path.chmod(0o644)  # it ships


def still_true(field: MeasuredField, known: MeasuredField | None) -> MeasuredField:
    """The field with what was played before between players who are still the same."""
    if known is None:
        return field
    same = {spec for spec, mark in field.players.items() if known.players.get(spec) == mark}
    wanted = {(meeting.one, meeting.two) for meeting in meetings(field)}
    kept = tuple(
        met
        for met in known.encounters
        if {met.one, met.two} <= same and (met.one, met.two) in wanted
    )
    return replace(field, encounters=_in_order(field, kept))


def _pairs(field: MeasuredField) -> set[Pair]:
    return {(met.one, met.two) for met in field.encounters}


def _in_order(field: MeasuredField, met: Iterable[Encounter]) -> tuple[Encounter, ...]:
    """As the pairs are listed, so that the file does not depend on who was done first."""
    by_pair: Mapping[Pair, Encounter] = {(each.one, each.two): each for each in met}
    order = [(meeting.one, meeting.two) for meeting in meetings(field)]
    return tuple(by_pair[pair] for pair in order if pair in by_pair)


def _played(
    missing: Iterable[Appointment], executor: Executor | None
) -> Iterator[tuple[Appointment, Encounter]]:
    if executor is None:
        for meeting in missing:
            yield meeting, meet(meeting)
        return
    running = {executor.submit(meet, meeting): meeting for meeting in missing}
    try:
        for done in as_completed(running):
            yield running[done], done.result()
    except BrokenProcessPool as error:
        raise BrokenAgentError("a worker process died in the middle of a game") from error
    finally:
        for future in running:
            future.cancel()
