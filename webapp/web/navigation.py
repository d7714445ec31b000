"""The words at the head of every page: a room whose page exists adds its own to the list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Flask, request, url_for


@dataclass(frozen=True, slots=True)
class Word:
    """One word, the page it opens, and the blueprints whose pages stand under it."""

    title: str
    endpoint: str
    blueprints: frozenset[str]


@dataclass(frozen=True, slots=True)
class Heading:
    """A word as a page shows it."""

    title: str
    url: str
    current: str  # for aria-current: `page`, `true` for another page of its room, or nothing


WORDS = (
    Word(
        "Play",
        "lobby.show",
        frozenset(
            {
                "lobby",
                "matches",
                "asides",
                "exchange",
                "positions",
                "company",
                "invitations",
                "own_games",
            }
        ),
    ),
    Word("Machines", "machines.gallery", frozenset({"machines"})),
    Word("Lab", "lab.front", frozenset({"lab", "jobs", "train", "brains", "arena", "optimise"})),
    Word("Learn", "learn.front", frozenset({"learn"})),
    Word("Class", "classroom.front", frozenset({"classroom", "teaching", "afterwards", "joining"})),
)


def register(app: Flask) -> None:
    """Give every template the masthead."""
    app.jinja_env.globals["masthead"] = headings


def headings() -> Iterator[Heading]:
    """The words, with the one marked under which the page of this request stands."""
    for word in WORDS:
        here = request.blueprint in word.blueprints
        current = "page" if request.endpoint == word.endpoint else "true" if here else ""
        yield Heading(word.title, url_for(word.endpoint), current)


def rules_address(spec: str, back: str = "") -> str:
    """How this variant is played, with the way back to a match."""
    return _with("/how-to-play", game=spec, back=back)


def keys_address(back: str = "") -> str:
    """Every key."""
    return _with("/keys", back=back)


def _with(path: str, **fields: str) -> str:
    query = urlencode({name: value for name, value in fields.items() if value})
    return f"{path}?{query}" if query else path
