"""Players that are asked again because their answer is not legal."""

from itertools import count

import pytest

from agents.players.guest.answers import IllegalAnswerError, NotAMoveError, ask_again
from agents.players.guest.nim_strategy import take_fault, take_text
from agents.players.guest.turn import Turn


def turn(seconds=60.0):
    return Turn(
        {
            "game": "nim:heaps=1-3",
            "seat": "x",
            "state": "1-3 x",
            "legal": ["a1", "b1", "b2", "b3"],
            "seconds": seconds,
        }
    )


def asked(answers, seconds=60.0):
    answers = iter(answers)
    fault = lambda move: take_fault([1, 3], None, move)
    return ask_again(turn(seconds), lambda: next(answers), take_text, fault)


def test_the_first_legal_answer_counts():
    assert asked([(0, 1)]) == "a1"
    assert asked([(0, 2), None, "b1", (7, 7), (1, 2)]) == "b2"
    assert asked([*[(0, 2)] * 19, (1, 3)]) == "b3"
    assert asked([*([(0, 2)] * 19 + [(0, 3)]) * 49, (1, 1)]) == "b1"


def test_the_same_answer_twenty_times_in_a_row_is_given_up_with_its_reason():
    with pytest.raises(IllegalAnswerError, match=r"^20 times in a row it said \(0, 2\): row 0 hol"):
        asked([(0, 2)] * 20)
    with pytest.raises(IllegalAnswerError, match="20 times in a row it said None: None are not"):
        asked([None] * 20)


def test_a_thousand_answers_are_enough():
    given = count()
    with pytest.raises(IllegalAnswerError, match="1000 answers and none was legal, the last was"):
        asked((2, number) for number in given)
    assert next(given) == 1000


def test_nobody_is_asked_again_when_the_time_is_over():
    with pytest.raises(IllegalAnswerError, match="1 answers in 0 s and none was legal"):
        asked([(0, 2), (0, 1)], seconds=0.0)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("c1", "there is no row 2, they run from 0 to 1"),
        ("a0", "at least one object is taken"),
        ("b4", "row 1 holds 3"),
        ("b3", "at most 2 are taken in a turn"),
    ],
)
def test_the_reason_is_in_the_players_own_numbers(move, why):
    assert take_fault([1, 3], 2, move) == why


@pytest.mark.parametrize("answer", [(1, 2), [1, 2], {"row": 1, "num_objects": 2}, (1.0, 2)])
def test_a_take_may_be_a_pair_or_a_dict(answer):
    assert take_text(answer) == "b2"


@pytest.mark.parametrize("answer", [None, 3, "b2", (1,), {"row": 1}, (1, 2.5), (-1, 2), (1, "2x")])
def test_anything_else_is_no_take(answer):
    with pytest.raises(NotAMoveError):
        take_text(answer)
