"""Permissions and decisions about a match, from records alone."""

from dataclasses import replace

import pytest

from engine import Match, load_game
from webapp.matches import rules
from webapp.replays.models import (
    PERSON,
    NotYourMatchError,
    NotYourTurnError,
    Record,
    new_record,
)
from webapp.web.cookies import Actor

OWNER, FRIEND, STRANGER, NOBODY = Actor("owner"), Actor("friend"), Actor("stranger"), Actor()
CLASS = Actor(seat="class:7")


def shared() -> Record:
    """A match in which a friend has the second seat."""
    record = new_record("owner", Match.begin(load_game("tictactoe")), (PERSON, PERSON))
    return replace(record, id="shared", holders=("owner", "friend"))


def voted() -> Record:
    """A class against a machine, in a match that its teacher started."""
    record = new_record("owner", Match.begin(load_game("tictactoe")), ("class:7", "random"))
    return replace(record, id="voted")


def test_each_moves_for_the_seat_they_hold() -> None:
    before = shared()
    after = rules.moved(before, OWNER, "b2", 0)
    assert [before.may_move(actor) for actor in (OWNER, FRIEND)] == [True, False]
    assert [after.may_move(actor) for actor in (OWNER, FRIEND)] == [False, True]


def test_nobody_moves_for_another_seat() -> None:
    with pytest.raises(NotYourTurnError):
        rules.moved(shared(), FRIEND, "b2", 0)


@pytest.mark.parametrize("actor", [STRANGER, NOBODY, CLASS])
def test_who_has_no_seat_only_watches(actor: Actor) -> None:
    assert not shared().may_change(actor)
    with pytest.raises(NotYourMatchError):
        rules.moved(shared(), actor, "b2", 0)


def test_a_visitor_without_a_cookie_holds_no_seat_that_is_free() -> None:
    free = replace(shared(), holders=("owner", None))
    assert free.held_by(NOBODY) == ()
    assert not rules.moved(free, OWNER, "b2", 0).may_move(NOBODY)


@pytest.mark.parametrize(("asks", "agrees", "left"), [(OWNER, FRIEND, 0), (FRIEND, OWNER, 1)])
def test_where_both_agree_each_takes_back_to_their_own_last_turn(asks, agrees, left) -> None:
    record = rules.moved(rules.moved(shared(), OWNER, "b2", 0), FRIEND, "a1", 1)
    asked = rules.taken_back(record, asks, 2)
    assert asked.plies == record.plies
    assert len(rules.accepted(asked, agrees, 2).plies) == left
    with pytest.raises(NotYourTurnError):
        rules.accepted(asked, asks, 2)


def test_a_class_moves_for_its_seat_and_its_teacher_does_not() -> None:
    assert voted().may_move(CLASS)
    assert not voted().may_move(OWNER)
    assert not voted().may_move(Actor(seat="class:8"))


def test_changing_seats_takes_their_holders_along() -> None:
    over = rules.resigned(shared(), OWNER, 0)
    swapped = rules.accepted(rules.swapped(over, OWNER, 1), FRIEND, 1)
    assert swapped.holders == ("friend", "owner")
    assert swapped.follows == over.id
    assert swapped.may_move(FRIEND)


def test_a_match_of_ones_own_from_anothers_is_wholly_ones_own() -> None:
    own = rules.played_on(shared(), "stranger", None)
    assert (own.owner, own.holders) == ("stranger", ("stranger", "stranger"))
