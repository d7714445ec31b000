"""What is said in a class: one answer per round, vote and student."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from time import time

from sqlalchemy import insert

from webapp.classroom.columns import answer_in, seat_in
from webapp.classroom.records import HERE, AnswerRecord, Room, SeatRecord, Turnout
from webapp.classroom.rooms import ClassRooms
from webapp.classroom.statements import (
    ANSWERED,
    ANSWERS,
    HIDE,
    OF_ROUND,
    OWN,
    PRESENT,
    THIS_ANSWER,
)
from webapp.storage.database import Database
from webapp.storage.tables import ClassAnswerRow


class ClassBallots(ClassRooms):
    """The answers in classes, kept."""

    def __init__(self, database: Database, clock: Callable[[], float] = time) -> None:
        super().__init__(database, clock)
        written = database.written
        self._answers, self._of_round = written(ANSWERS), written(OF_ROUND)
        self._own = written(OWN)
        self._answered, self._present = written(ANSWERED), written(PRESENT)
        self._add_answer = written(insert(ClassAnswerRow))
        self._change_answer = written(THIS_ANSWER, "answer", "hidden", "given")
        self._hide = written(HIDE, "hidden")

    def answer(
        self, code: str, player: str, accept: Callable[[Room, SeatRecord | None], AnswerRecord]
    ) -> AnswerRecord:
        """What `accept` makes of it, in the transaction that sees whether the vote is open.

        The same student's answer in the same vote takes the place of the one before.
        """
        now = int(self._clock())
        with self.database.write() as cursor:
            row = self._row(cursor, self._by_code_to_change, {"code": code})
            room = self._room(cursor, row)
            wanted = {"wanted": room.record.id}
            cursor.execute(self._a_seat, wanted | {"player": player})
            found = cursor.fetchone()
            answer = replace(accept(room, None if found is None else seat_in(found)), given=now)
            key = {"number": answer.round, "ballot": answer.vote, "place": answer.seat}
            told = {"answer": answer.answer, "hidden": False, "given": now}
            cursor.execute(self._change_answer, wanted | key | told)
            if not cursor.rowcount:
                cursor.execute(self._add_answer, {"class_id": room.record.id} | asdict(answer))
            return answer

    def own_answers(self, class_id: str, number: int, seat: int) -> tuple[AnswerRecord, ...]:
        """What one student said in a round."""
        with self.database.read() as cursor:
            cursor.execute(self._own, {"wanted": class_id, "number": number, "place": seat})
            return tuple(answer_in(row) for row in cursor.fetchall())

    def answers(self, class_id: str, number: int | None = None) -> tuple[AnswerRecord, ...]:
        """What everyone said in a round, or in all."""
        with self.database.read() as cursor:
            if number is None:
                cursor.execute(self._answers, {"wanted": class_id})
            else:
                cursor.execute(self._of_round, {"wanted": class_id, "number": number})
            return tuple(answer_in(row) for row in cursor.fetchall())

    def hide(self, class_id: str, number: int, answer: str, *, hidden: bool) -> None:
        """An answer the teacher does not want shown, or does again."""
        with self.database.write() as cursor:
            told = {"wanted": class_id, "number": number, "said": answer, "hidden": hidden}
            cursor.execute(self._hide, told)
            cursor.execute(self._touch, {"wanted": class_id})

    def turnout(self, class_id: str, number: int, vote: int) -> Turnout:
        """How many are here, and how many of them have answered."""
        since = int(self._clock()) - HERE
        ballot = {"wanted": class_id, "number": number, "ballot": vote}
        with self.database.read() as cursor:
            cursor.execute(self._answered, ballot)
            answered = int(cursor.fetchall()[0][0])
            cursor.execute(self._present, ballot | {"since": since})
            return Turnout(answered, int(cursor.fetchall()[0][0]))
