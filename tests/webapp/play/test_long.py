"""Matches longer than Python likes to recurse, read after a restart."""

import pytest

from webapp.thinking import replay

HEAPS = "-".join(["50"] * 10)
MOVES = [f"{heap}1" for heap in "abcdefghij" for _ in range(50)]
LONG = MOVES[:-2]


@pytest.fixture
def long(visitor):
    """A match of 498 plies, of which a server that has just started knows nothing."""
    turns = "\n".join(f"{ply}. {move}" for ply, move in enumerate(LONG, start=1))
    text = f"game nim:heaps={HEAPS}\n{turns}\n"
    answer = visitor.post("/matches/import", {"text": text})
    assert answer.status_code == 303, answer.text
    visitor.path = answer.location
    replay._played_on.cache_clear()
    return visitor


def test_its_page_is_shown(long):
    assert long.match.ply == len(LONG)


def test_it_stands_in_its_owners_lobby(long):
    assert long.get("/").status_code == 200
    (line,) = long.seen["lobby"].unfinished
    assert line.text.endswith(f"after {len(LONG)} moves")
    assert line.offer == "Continue"


def test_it_is_played_to_its_end(long):
    assert long.moves(*MOVES[len(LONG) :]).over
