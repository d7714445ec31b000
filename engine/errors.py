"""What can be wrong with a text or a move, each as its own type with the value it is about."""

from __future__ import annotations

import logging
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


class ZermeloError(Exception):
    """Anything a person or a program can put right; its text is for them."""

    advice = ""  # what goes after it for someone at this machine alone: names of its files


class InvalidTextError(ZermeloError):
    """A text that cannot be read at all."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(why)
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, str(self))


class InvalidMoveError(InvalidTextError):
    """A text that is no move of this game."""


class InvalidStateError(InvalidTextError):
    """A text that is no state of this game."""


class InvalidSpecError(InvalidTextError):
    """A spec, or one of its options, that names nothing we have."""


class BrokenGameError(InvalidTextError):
    """A spec that can be read, of a game whose own code fails to make it."""


class InvalidTranscriptError(InvalidTextError):
    """A text that is no record of a match."""


class IllegalMoveError(ZermeloError):
    """A move that can be read but not played here."""

    def __init__(self, move: object, state: object, why: str) -> None:
        super().__init__(why)
        self.move = move
        self.state = state

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.move, self.state, str(self))


def quoted(text: str, longest: int = 40) -> str:
    """The text as an error shows it: on one line, and short however long it was."""
    return repr(text if len(text) <= longest else f"{text[:longest]}…")


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """`unknown agent 'minmax': did you mean 'minimax'?`, or the list where none is near."""
    return f"unknown {what} {quoted(name)}: {nearest(name, known)}"


def nearest(name: str, known: Iterable[str]) -> str:
    """What was probably meant, or the list where none is near."""
    names = list(known)
    near = get_close_matches(name[:80].lower(), names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there is {', '.join(names) or 'none'}"


def sentence(text: str) -> str:
    """An error's text as a sentence: a move's name keeps its small letter."""
    first, _, rest = text.partition(" ")
    shown = f"{first.capitalize()} {rest}" if first.isalpha() and rest else text
    return shown if shown.endswith((".", "?", "!")) else f"{shown}."


@lru_cache(maxsize=1024)
def tell_once(where: str, what: str) -> None:
    """A line in the log named `where`; the same line again is no news."""
    logging.getLogger(where).warning("%s", what)
