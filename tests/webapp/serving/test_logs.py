"""The log: one line for each event, whatever stands in it."""

import logging
import sys

import pytest

from webapp.serving.logs import MAX_LINE_CHARS, OneLine, printable


def line(message, *arguments, error=None):
    record = logging.LogRecord("shop", logging.ERROR, "x.py", 1, message, arguments, error)
    return OneLine("%(levelname)s %(name)s: %(message)s").format(record)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\nERROR shop: forged", "a\\nERROR shop: forged"),
        ("a\r\nb", "a\\r\\nb"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("\u2028\u202e", "\\u2028\\u202e"),
        ("\ud800", "\\ud800"),
        ("Zoë: 5 × 5", "Zoë: 5 × 5"),
    ],
)
def test_a_name_cannot_begin_a_line_or_move_the_cursor(name, shown):
    assert line("agent %s failed", name) == f"ERROR shop: agent {shown} failed"
    assert printable(name) == shown


def test_a_stack_is_told_in_one_line_the_innermost_frame_first():
    try:
        int("x\ny")
    except ValueError:
        told = line("it broke", error=sys.exc_info())
    assert "\n" not in told
    assert told.startswith("ERROR shop: it broke [ValueError: invalid literal for int()")
    assert "at test_logs.py:" in told


def test_a_line_has_an_end():
    assert len(line("%s", "x" * 100_000)) == MAX_LINE_CHARS
