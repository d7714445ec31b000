"""The `Query` base: reading never fails, writing is canonical, and both agree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from webapp.web.query import Query, choice, flag, number, path, text, texts


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Sample(Query):
    ply: int | None = number(unreadable=-1)
    depth: int = number(3, low=1, high=9)
    games: int | None = number(high=5_000_000)
    agent: str | None = text(8)
    colour: Colour = choice(Colour, Colour.RED)
    linear: bool = flag("axis", "linear")
    compared: tuple[str, ...] = texts(4, 2, name="compare")
    open: tuple[int, ...] | None = path(None)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("", Sample()),
        ("ply=12&depth=99&axis=linear", Sample(ply=12, depth=9, linear=True)),
        ("ply=x&depth=x&axis=log", Sample(ply=-1)),
        ("ply=&agent=&colour=green&open=1.x", Sample()),
        ("ply=1234567&depth=0", Sample(ply=-1, depth=1)),
        ("games=1234567", Sample(games=1234567)),
        ("games=9999999", Sample(games=5_000_000)),
        ("games=12345678", Sample()),
        ("agent=minimax:depth", Sample(agent="minimax:")),
        ("compare=a&compare=&compare=bcdefg&compare=c", Sample(compared=("a", "bcde"))),
        ("open=", Sample(open=())),
        ("open=0.4.2&colour=blue", Sample(open=(0, 4, 2), colour=Colour.BLUE)),
    ],
)
def test_what_cannot_be_read_is_left_at_its_default(address: str, expected: Sample) -> None:
    assert Sample.parse(MultiDict(parse_qsl(address, keep_blank_values=True))) == expected


def test_an_address_keeps_its_path_and_holds_only_what_differs() -> None:
    query = Sample(ply=0, agent="a:b=1,2", compared=("x", "y"))
    assert query.url("/tree") == "/tree?ply=0&agent=a:b=1,2&compare=x&compare=y"
    assert query.url("/tree?v=1", ply=None, agent=None, compared=()) == "/tree?v=1"
    assert query.pairs("agent", "compare") == (("ply", "0"),)
    assert Sample(ply=3).toggled("/", "linear") == "/?ply=3&axis=linear"
    assert Sample(linear=True).toggled("/", "linear") == "/"


@given(
    st.dictionaries(
        st.sampled_from(["ply", "depth", "games", "agent", "colour", "axis", "compare", "open"]),
        st.one_of(st.text(max_size=12), st.from_regex(r"[0-9.]{0,9}", fullmatch=True)),
    )
)
def test_what_was_written_is_read_again(sent: dict[str, str]) -> None:
    query = Sample.parse(sent)
    held = parse_qsl(urlsplit(query.url("/")).query, keep_blank_values=True)
    assert Sample.parse(MultiDict(held)) == query
