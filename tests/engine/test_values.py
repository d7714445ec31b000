"""The values of options, read by the type they were declared with."""

import pytest

from engine.options import Kind, Option, Role, Values

OPTIONS = (
    Option("games", Kind.INTEGER, 100, "how long", role=Role.LENGTH),
    Option("cap", Kind.INTEGER, None, "most", optional=True),
    Option("alpha", Kind.NUMBER, 0.5, "how far"),
    Option("seconds", Kind.NUMBER, None, "how long it thinks", optional=True, role=Role.PLAYING),
    Option("opponent", Kind.TEXT, "self", "whom"),
    Option("fold", Kind.SWITCH, True, "whether"),
    Option("heaps", Kind.INTEGERS, (1, 3), "which"),
)
VALUES = Values.defaults(OPTIONS)


def test_each_is_read_by_its_type() -> None:
    assert (VALUES.integer("games"), VALUES.number("alpha")) == (100, 0.5)
    assert (VALUES.text("opponent"), VALUES.switch("fold")) == ("self", True)
    assert VALUES.integers("heaps") == (1, 3)


def test_what_may_be_left_open_is_none_or_a_value() -> None:
    chosen = VALUES.but({"cap": 3, "seconds": 0.5})
    assert (VALUES.optional_integer("cap"), VALUES.optional_number("seconds")) == (None, None)
    assert (chosen.optional_integer("cap"), chosen.optional_number("seconds")) == (3, 0.5)


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        (Values.integer, "alpha", "option alpha is no whole number, it is 0.5"),
        (Values.number, "opponent", "option opponent is no number, it is 'self'"),
        (Values.text, "games", "option games is no text, it is 100"),
        (Values.switch, "games", "option games is no switch, it is 100"),
        (Values.integers, "games", "option games is no row of whole numbers, it is 100"),
    ],
)
def test_asked_for_another_type_they_say_what_they_are(kind, name: str, why: str) -> None:
    with pytest.raises(TypeError) as caught:
        kind(VALUES, name)
    assert str(caught.value) == why


def test_an_option_nobody_declared_is_no_value() -> None:
    with pytest.raises(KeyError, match="depth"):
        VALUES.integer("depth")


def test_values_are_a_mapping() -> None:
    assert dict(VALUES) == {option.name: option.default for option in OPTIONS}
    assert (len(VALUES), "alpha" in VALUES) == (7, True)
    assert repr(Values(OPTIONS[:1], VALUES)) == "Values({'games': 100})"


def test_equal_values_are_one_key() -> None:
    assert len({VALUES, Values.defaults(reversed(OPTIONS)), VALUES.but({"games": 7})}) == 2


def test_changed_values_leave_the_others_as_they_were() -> None:
    assert VALUES.but({"alpha": 0.1}).number("alpha") == 0.1
    assert VALUES.number("alpha") == 0.5


def test_options_say_themselves_what_they_are_about() -> None:
    assert VALUES.of(Role.LENGTH) == {"games": 100}
    assert VALUES.of(Role.PLAYING) == {"seconds": None}
    assert VALUES.of(Role.TRAINING).keys() == {"cap", "alpha", "opponent", "fold", "heaps"}
