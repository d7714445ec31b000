"""Pages that everyone may see: the projector, and the report of the revealed rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from webapp.classroom import rules
from webapp.classroom.cup import CupPage
from webapp.classroom.match import opponent_title, result_text
from webapp.classroom.models import AnswerRecord, Phase, RoundRecord, Scene, SeatRecord
from webapp.classroom.page import ClassData, ClassPage, context_text, position_picture
from webapp.classroom.results import Result, missed_puzzle
from webapp.classroom.sketches import result_of
from webapp.classroom.stage import Stage, StageKind
from webapp.replays.models import Record


class ScreenPage(ClassPage):
    """The projector page."""

    suffix = "/screen"

    def __init__(self, data: ClassData, player: str | None = None) -> None:
        super().__init__(data)
        self._player = player

    @cached_property
    def result(self) -> Result | None:
        """The votes: once they are revealed, and in a match once the move is played."""
        if self.round is None or self.phase not in (Phase.REVEALED, Scene.MATCH):
            return None
        if self.round.phase is not Phase.REVEALED:
            return None
        return result_of(self.round, self.data.answers, self.data.seats)

    @property
    def votes(self) -> Mapping[str, int] | None:
        return None if self.result is None else self.result.last_vote

    @property
    def shows_exhibit(self) -> bool:
        """Whether the machine's exhibit stands in the place of the votes."""
        is_asked = self.stage is not None and self.stage.kind is StageKind.EXHIBIT
        return is_asked and self.said is not None

    @property
    def page(self) -> Stage | None:
        """The page of this site that is shown, if one is."""
        is_page = self.stage is not None and self.stage.kind is StageKind.PAGE
        return self.stage if is_page else None

    @property
    def watch_at(self) -> str:
        """Once the cup is over, the address of its games."""
        if self.cup is None or not self.cup.over:
            return ""
        return f"{self.data.site.class_host(self.record)}{self.cup.url}"

    @property
    def drives(self) -> bool:
        """Whether it was opened by the teacher, and the match waits for the clock or the machine.

        Then this page also advances the match.
        """
        thinks = self.record.scene is Scene.MATCH and not self.record.is_over
        waits = thinks or rules.plays_at(self.session) is not None
        return waits and self.record.is_taught_by(self._player)

    @property
    def _version(self) -> tuple[object, ...]:
        return (
            self.record.version,
            self.turnout.answered,
            self.turnout.here,
            int(self.said is not None and self.said.pending),
            self.story.sentence if self.story else "",
            self.cup.known if self.cup else "",
            self.wall.known if self.wall else "",
        )


class ReportPage:
    """Every revealed round with its result, without names."""

    def __init__(
        self,
        rounds: Sequence[RoundRecord],
        seats: Sequence[SeatRecord],
        answers: Sequence[AnswerRecord],
        matches: Sequence[Record] = (),
        cup: CupPage | None = None,
    ) -> None:
        self.matches = tuple(
            (opponent_title(match), result_text(match) or "It was not played to its end", match)
            for match in matches
        )
        self.cup = cup
        of_round: dict[int, list[AnswerRecord]] = {each.number: [] for each in rounds}
        for answer in answers:
            of_round[answer.round].append(answer)
        self.rounds = tuple(
            (
                current,
                context_text(current.question),
                position_picture(current.question),
                result_of(current, of_round[current.number], seats),
                missed_puzzle(current, of_round[current.number]),
            )
            for current in rounds
            if current.phase is Phase.REVEALED
        )
