"""Typed errors for texts and moves, each with the value it is about, and helpers for messages."""

from __future__ import annotations

import logging
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


class ZermeloError(Exception):
    """An error that the caller can correct; its text is shown to people."""

    advice = ""  # appended for users of this machine only, as it may name local files

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by text and attributes, whatever the arguments of a subclass."""
        return _restored, (type(self), str(self), vars(self))


def _restored(cls: type[ZermeloError], text: str, attributes: dict[str, Any]) -> ZermeloError:
    error = cls.__new__(cls, text)
    vars(error).update(attributes)
    return error


class InvalidTextError(ZermeloError):
    """A text that cannot be read at all."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(why)
        self.text = text


class InvalidMoveError(InvalidTextError):
    """A text that is no move of this game."""


class InvalidStateError(InvalidTextError):
    """A text that is no state of this game."""


class InvalidSpecError(InvalidTextError):
    """A spec with an unknown key or option, or a value out of range."""


class BrokenGameError(InvalidTextError):
    """A spec that can be read, of a game whose own code fails to make it."""


class InvalidTranscriptError(InvalidTextError):
    """A text that is no transcript of a match."""


class IllegalMoveError(ZermeloError):
    """A move that can be read but not played here."""

    def __init__(self, move: object, state: object, why: str) -> None:
        super().__init__(why)
        self.move = move
        self.state = state


def without_controls(text: str, kept: str = "") -> str:
    """The text with a space for what a terminal would obey, or nobody could show or store."""
    return "".join(c if c.isprintable() or c in kept else " " for c in text)


def quoted(text: str, longest: int = 40) -> str:
    """The text quoted for an error message: on one line, shortened."""
    return repr(text if len(text) <= longest else f"{text[:longest]}…")


def unknown_text(what: str, name: str, known: Iterable[str]) -> str:
    """`unknown agent 'minmax': did you mean 'minimax'?`, or the list if none is similar."""
    return f"unknown {what} {quoted(name)}: {suggestion_text(name, known)}"


def suggestion_text(name: str, known: Iterable[str]) -> str:
    """`did you mean 'minimax'?`, or the list of names if none is similar."""
    names = list(known)
    near = get_close_matches(name[:80].lower(), names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there is {', '.join(names) or 'none'}"


def sentence(text: str) -> str:
    """The message as a sentence; a first word with a digit, such as a move, keeps its case."""
    first, _, rest = text.partition(" ")
    written = f"{first.capitalize()} {rest}" if first.isalpha() and rest else text
    return written if written.endswith((".", "?", "!")) else f"{written}."


@lru_cache(maxsize=1024)
def warn_once(logger: str, message: str) -> None:
    """Log a warning, once per logger and message."""
    logging.getLogger(logger).warning("%s", message)
