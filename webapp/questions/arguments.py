"""What stands after the name of a truth: words in their order, and options `name=value`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import nearest, quoted
from webapp.questions.errors import InvalidQuestionError

LONGEST = 200
OPTION = re.compile(r"([a-z]+)=([\w.-]+)")


@dataclass(frozen=True, slots=True)
class Arguments:
    """A truth as it is written, taken apart."""

    text: str
    name: str
    words: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def one_of(self, at: int, names: Sequence[str]) -> str:
        """The word in that place, which is one of these."""
        return self._known(self.words[at], names)

    def option(self, name: str, names: Sequence[str]) -> str | None:
        """The value of an option, which is one of these; None where it is not given."""
        value = dict(self.options).get(name)
        return None if value is None else self._known(value, names)

    def whole(self, name: str, low: int, high: int) -> int | None:
        """The value of an option that is a whole number; None where it is not given."""
        value = dict(self.options).get(name)
        return None if value is None else self.count(value, name, low, high)

    def count(self, text: str, what: str, low: int, high: int) -> int:
        """A whole number within its bounds."""
        known = text.isascii() and text.isdecimal() and len(text) <= 12
        if not known or not low <= int(text) <= high:
            raise self.wrong(f"{what} is a whole number from {low} to {high:,}")
        return int(text)

    def wrong(self, why: str) -> InvalidQuestionError:
        """What to say of this truth."""
        return InvalidQuestionError(self.text, f"{quoted(self.text, 60)}: {why}")

    def _known(self, word: str, names: Sequence[str]) -> str:
        if word not in names:
            raise self.wrong(f"unknown {quoted(word)}: {nearest(word, map(str, names))}")
        return word


def arguments_in(text: str) -> Arguments:
    """A truth's name and what stands after it; raises InvalidQuestionError."""
    if len(text) > LONGEST:
        why = f"a truth has at most {LONGEST} characters, {quoted(text)} has {len(text):,}"
        raise InvalidQuestionError(text, why)
    name, *words = text.split() or [""]
    found = [(word, OPTION.fullmatch(word)) for word in words]
    options = tuple((option[1], option[2]) for _, option in found if option is not None)
    plain = tuple(word for word, option in found if option is None)
    return Arguments(text, name, plain, options)
