"""Records come back from their rows as they went."""

import pytest

from agents.training.brains import Point
from engine import Seat
from webapp.classroom import seat_store as seats
from webapp.classroom import store as classes
from webapp.classroom.models import (
    AnswerRecord,
    ClassRecord,
    Phase,
    RoundRecord,
    Scene,
    SeatRecord,
)
from webapp.jobs import brain_store, store
from webapp.jobs.models import JobGame, JobRecord, JobState, KeptBrain
from webapp.matches import store as matches
from webapp.questions.models import Choice, Judgement, Question, Truth
from webapp.replays.models import Proposal, Record, Wish

CHOICES = (Choice("I", "win"), Choice("you", "loss"))
CHOSEN = Question("nim", "Who?", "value", "1-1+x", ("a1",), CHOICES)
TRUTH = Truth((Judgement("I", True, value=1.0),), "so", "by play")
KEPT = [
    (store.JOBS, JobRecord("me", "arena", "cup", {"a": [1]}, 1, 9, state=JobState.DONE)),
    (store.POINTS, Point(5, {"wins": 0.5}, "d")),
    (store.GAMES, JobGame(1, 2, "a1", 0, "line", None, 0.5, None, 3, None)),
    (brain_store.BRAINS, KeptBrain("one", "d", "menace", "nim", 4, {"seed": 1})),
    (classes.CLASSES, ClassRecord("c", "me", "k", None, scene=Scene.CUP, names=True)),
    (seats.SEATS, SeatRecord(1, "you", "Otter", 5, 6, removed=True)),
    (seats.ANSWERS, AnswerRecord(1, 2, 3, "b2", hidden=True, given=7)),
    (classes.ROUNDS, RoundRecord(1, Question("nim", "Best?"))),
    (
        classes.ROUNDS,
        RoundRecord(2, CHOSEN, Phase.TALK, 2, 30, 1.5, TRUTH, 4),
    ),
    (
        matches.MATCHES,
        Record(
            "m",
            "me",
            "nim",
            ("person", "mcts"),
            ("me", None),
            resigned=Seat.SECOND,
            offer=Proposal(Wish.SWAP, Seat.FIRST),
            seen=(5, None),
        ),
    ),
]


@pytest.mark.parametrize(("mapper", "record"), KEPT, ids=lambda each: type(each).__name__)
def test_a_record_comes_back_as_it_went(mapper, record):
    row = mapper.write(record)
    assert all(value is None or type(value) in (str, int, float, bool) for value in row.values())
    stored = [row[column.key] for column in mapper.columns]
    assert mapper.read([int(each) if isinstance(each, bool) else each for each in stored]) == record
