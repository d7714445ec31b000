"""Options as data: reading, writing and refusing values, and the specs that carry them."""

import pickle

import pytest

from engine import IllegalMoveError, load_game
from engine.core import OptionValue
from engine.errors import InvalidMoveError, InvalidSpecError, sentence
from engine.options import Kind, Option, Role, Values, parse_spec, read_options, write_spec

WHOLE = Option("depth", Kind.INTEGER, 3, "plies", low=1, high=9)
ENDLESS = Option("games", Kind.INTEGER, 10, "games", low=1)
NUMBER = Option("rate", Kind.NUMBER, 0.5, "share", low=0, high=1)
SWITCH = Option("remember", Kind.SWITCH, False, "keep positions")
CHOICE = Option("leave", Kind.CHOICE, "zero", "what to leave", choices=("zero", "nonzero"))
TEXT = Option("brain", Kind.TEXT, "", "a brain's name")
LIST = Option("heaps", Kind.INTEGERS, (1, 2), "heaps", low=0, high=9)
MAYBE = Option("limit", Kind.INTEGER, None, "a limit", low=1, high=9, optional=True)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (WHOLE, "9", 9),
        (NUMBER, "0.25", 0.25),
        (NUMBER, "1e-3", 0.001),
        (SWITCH, "yes", True),
        (SWITCH, "no", False),
        (CHOICE, "nonzero", "nonzero"),
        (TEXT, "my-run", "my-run"),
        (LIST, "3-4-5", (3, 4, 5)),
        (MAYBE, "none", None),
        (MAYBE, "4", 4),
    ],
)
def test_a_value_is_read_from_its_text_and_written_back(
    option: Option, text: str, value: OptionValue
) -> None:
    assert option.read(text) == value
    assert option.read(option.write(value)) == value


@pytest.mark.parametrize(
    ("option", "text", "why"),
    [
        (WHOLE, "0", "depth must be a whole number from 1 to 9, not '0'"),
        (WHOLE, "10", "depth must be a whole number from 1 to 9"),
        (WHOLE, "2.5", "depth must be a whole number"),
        (WHOLE, "٣", "depth must be a whole number"),
        (WHOLE, "9" * 10_000, "depth must be a whole number"),
        (ENDLESS, "0", "games must be a whole number of at least 1, not '0'"),
        (NUMBER, "nan", "rate must be a number from 0 to 1, not 'nan'"),
        (NUMBER, "inf", "rate must be a number"),
        (NUMBER, "much", "rate must be a number"),
        (SWITCH, "true", "remember must be yes or no, not 'true'"),
        (CHOICE, "one", "leave must be one of zero, nonzero, not 'one'"),
        (LIST, "3--4", "heaps must be whole numbers from 0 to 9 joined by '-', not '3--4'"),
        (MAYBE, "0", "limit must be a whole number from 1 to 9, or none, not '0'"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_by_name(option: Option, text: str, why: str) -> None:
    with pytest.raises(InvalidSpecError) as caught:
        option.read(text)
    assert str(caught.value).startswith(why)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("value", "text"), [(0.123456789, "0.123456789"), (1.0, "1"), (2_500_000.0, "2500000")]
)
def test_a_number_is_written_in_full(value: float, text: str) -> None:
    option = Option("x", Kind.NUMBER, 0.0, "", low=0, high=5_000_000)
    assert option.write(value) == text
    assert option.read(text) == value
    assert option.wants == "a number from 0 to 5,000,000"


def test_an_option_says_what_it_takes_and_has_its_name_as_words() -> None:
    assert TEXT.wants == "a text"
    assert Option("n", Kind.INTEGER, 0, "any").wants == "a whole number"
    assert Option("max_take", Kind.INTEGER, 1, "at most").label == "Max take"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("b2 is taken", "b2 is taken."),
        ("row b holds 3", "Row b holds 3."),
        ("unknown game 'nimm': did you mean 'nim'?", "Unknown game 'nimm': did you mean 'nim'?"),
        ("over", "over."),
    ],
)
def test_an_error_is_told_as_a_sentence_in_which_a_move_keeps_its_small_letter(
    text: str, told: str
) -> None:
    assert sentence(text) == told


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nim:heaps", "'heaps' in 'nim:heaps' is not option=value"),
        ("nim:=3", "'=3' in 'nim:=3' is not option=value"),
        ("nim:last=wins,last=loses", "gives last twice"),
        ("n" * 501, "a spec has at most 500 characters"),
        ("nim:last=wins\n", r"characters that can be shown, unlike 'nim:last=wins\\n'"),
        ("nim:\ud800=1", "characters that can be shown"),
        ("nim\0", "characters that can be shown"),
    ],
)
def test_a_spec_that_cannot_be_read_says_where(text: str, why: str) -> None:
    with pytest.raises(InvalidSpecError, match=why):
        parse_spec(text)


def test_a_spec_leaves_defaults_out_and_keeps_the_declared_order() -> None:
    options = (WHOLE, NUMBER, SWITCH)
    values = read_options("agent", options, {"remember": "yes", "depth": "4", "rate": "0.5"})
    assert write_spec("agent", options, values) == "agent:depth=4,remember=yes"
    assert write_spec("agent", options, read_options("agent", options, {})) == "agent"


def test_the_shortest_spec_names_a_variant() -> None:
    specs = ["nim:preset=nim5", "quixo:size=5", "nim:preset=marienbad,last=loses"]
    assert [load_game(spec).spec for spec in specs] == ["nim", "quixo", "nim:heaps=1-3-5-7"]


def test_errors_travel_between_processes() -> None:
    unread = InvalidMoveError("z9", "no cell")
    unplayed = IllegalMoveError("a1", "x", "a1 is taken")
    assert str(pickle.loads(pickle.dumps(unread))) == "no cell"
    assert str(pickle.loads(pickle.dumps(unplayed))) == "a1 is taken"


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


def test_values_are_a_mapping_and_equal_ones_one_key() -> None:
    assert dict(VALUES) == {option.name: option.default for option in OPTIONS}
    assert (len(VALUES), "alpha" in VALUES) == (7, True)
    assert repr(Values(OPTIONS[:1], VALUES)) == "Values({'games': 100})"
    assert len({VALUES, Values.defaults(reversed(OPTIONS)), VALUES.but({"games": 7})}) == 2
    with pytest.raises(KeyError, match="depth"):
        VALUES.integer("depth")


def test_options_say_themselves_what_they_are_about() -> None:
    assert VALUES.of(Role.LENGTH) == {"games": 100}
    assert VALUES.of(Role.PLAYING) == {"seconds": None}
    assert VALUES.of(Role.TRAINING).keys() == {"cap", "alpha", "opponent", "fold", "heaps"}
