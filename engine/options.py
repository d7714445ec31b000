"""Options as data, and specs, which name values for them: `key:option=value,option=value`.

Games, agents, problems and searches declare their options this way; the command line, web forms,
docs and tests are generated from the declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from engine.core import Options, OptionValue
from engine.errors import InvalidSpecError, quoted, unknown_text

MAX_SPEC_CHARS = 500  # characters


class Values(Mapping[str, OptionValue]):
    """A value for every declared option, with typed accessors.

    They raise KeyError for an undeclared option and TypeError for one of another kind.
    """

    __slots__ = ("_values", "options")

    def __init__(self, options: Iterable[Option], values: Options) -> None:
        self.options = tuple(options)
        self._values = {option.name: values[option.name] for option in self.options}

    @classmethod
    def defaults(cls, options: Iterable[Option]) -> Values:
        declared = tuple(options)
        return cls(declared, {option.name: option.default for option in declared})

    def __getitem__(self, name: str) -> OptionValue:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"Values({self._values})"

    def but(self, changes: Options) -> Values:
        """A copy with these values changed."""
        return Values(self.options, self._values | dict(changes))

    def of(self, role: Role) -> Options:
        """The values of the options that have this role."""
        return {
            option.name: self._values[option.name] for option in self.options if option.role is role
        }

    def integer(self, name: str) -> int:
        value = self._values[name]
        return value if isinstance(value, int) else self._not("whole number", name)

    def optional_integer(self, name: str) -> int | None:
        return None if self._values[name] is None else self.integer(name)

    def number(self, name: str) -> float:
        value = self._values[name]
        return value if isinstance(value, int | float) else self._not("number", name)

    def optional_number(self, name: str) -> float | None:
        return None if self._values[name] is None else self.number(name)

    def text(self, name: str) -> str:
        value = self._values[name]
        return value if isinstance(value, str) else self._not("text", name)

    def switch(self, name: str) -> bool:
        value = self._values[name]
        return value if isinstance(value, bool) else self._not("switch", name)

    def integers(self, name: str) -> tuple[int, ...]:
        value = self._values[name]
        return value if isinstance(value, tuple) else self._not("row of whole numbers", name)

    def _not(self, kind: str, name: str) -> NoReturn:
        raise TypeError(f"option {name} is no {kind}, it is {self._values[name]!r}")


class Kind(StrEnum):
    """The type of an option's value."""

    INTEGER = "integer"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    INTEGERS = "integers"
    TEXT = "text"


class Role(StrEnum):
    """What an option of a learner affects; ignored for other agents."""

    TRAINING = "training"  # how it learns: another value gives another brain
    LENGTH = "length"  # how long it learns: another value stops the same training elsewhere
    PLAYING = "playing"  # how it plays with its brain


@dataclass(frozen=True, slots=True)
class Option:
    """The declaration of one option: name, type, default, help line and bounds."""

    name: str
    kind: Kind
    default: OptionValue
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    optional: bool = False
    role: Role = Role.TRAINING
    technical: bool = False  # left out of forms for players
    title: str = ""  # its name for a form, where the option's own says little

    def read(self, text: str) -> OptionValue:
        """Parse a value; raises InvalidSpecError naming the option and what it accepts."""
        if self.optional and text in ("", "none"):
            return None
        match self.kind:
            case Kind.CHOICE:
                if text not in self.choices:
                    raise self._wrong(text)
                return text
            case Kind.SWITCH:
                if text not in ("yes", "no"):
                    raise self._wrong(text)
                return text == "yes"
            case Kind.TEXT:
                return text
            case Kind.INTEGERS:
                return tuple(self._number(part, text) for part in text.split("-"))
            case Kind.INTEGER:
                return self._number(text, text)
            case _:
                return self._within(_as_float(text), text)

    def write(self, value: OptionValue) -> str:
        """The text that `read` turns into this value."""
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, tuple):
            return "-".join(str(part) for part in value)
        if isinstance(value, float):
            return _number_text(value)
        return str(value)

    @property
    def label(self) -> str:
        """Its name for a form: `Max take`."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def wants(self) -> str:
        """The accepted values as text: `a whole number from 1 to 50`."""
        match self.kind:
            case Kind.CHOICE:
                text = f"one of {', '.join(self.choices)}"
            case Kind.SWITCH:
                text = "yes or no"
            case Kind.TEXT:
                text = "a text"
            case Kind.INTEGERS:
                text = f"whole numbers{self._range} joined by '-'"
            case Kind.INTEGER:
                text = f"a whole number{self._range}"
            case _:
                text = f"a number{self._range}"
        return f"{text}, or none" if self.optional else text

    @property
    def _range(self) -> str:
        if self.low is not None and self.high is not None:
            return f" from {self.low:,.15g} to {self.high:,.15g}"
        return "" if self.low is None else f" of at least {self.low:,.15g}"

    def _number(self, part: str, text: str) -> int:
        # isdecimal alone also accepts digits of other scripts.
        if not (part.isascii() and part.isdecimal() and len(part) <= 18):
            raise self._wrong(text)
        return int(self._within(int(part), text))

    def _within(self, value: float | None, text: str) -> float:
        low_enough = value is not None and (self.high is None or value <= self.high)
        if value is None or not low_enough or (self.low is not None and value < self.low):
            raise self._wrong(text)
        return value

    def _wrong(self, text: str) -> InvalidSpecError:
        return InvalidSpecError(text, f"{self.name} must be {self.wants}, not {quoted(text)}")


def _number_text(value: float) -> str:
    """The number as text that parses to the same value, without a trailing `.0`."""
    return repr(value).removesuffix(".0")


def _as_float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def parse_spec(text: str, longest: int = MAX_SPEC_CHARS) -> tuple[str, dict[str, str]]:
    """Split `nim:last=wins,max_take=3` into its key and the texts of its options."""
    if len(text) > longest:
        why = f"a spec has at most {longest:,} characters, {quoted(text)} has {len(text):,}"
        raise InvalidSpecError(text, why)
    if not text.isprintable():
        why = f"a spec is of characters that can be shown, unlike {quoted(text)}"
        raise InvalidSpecError(text, why)
    key, _, rest = text.partition(":")
    texts: dict[str, str] = {}
    for part in rest.split(",") if rest else ():
        name, equals, value = part.partition("=")
        if not (name and equals):
            raise InvalidSpecError(text, f"{quoted(part)} in {quoted(text)} is not option=value")
        if name in texts:
            raise InvalidSpecError(text, f"{quoted(text)} gives {name} twice")
        texts[name] = value
    return key, texts


def read_options(owner: str, options: Sequence[Option], texts: Mapping[str, str]) -> Values:
    """The values of all declared options: those given, else the defaults."""
    known = {option.name: option for option in options}
    for name in texts:
        if name not in known:
            raise InvalidSpecError(name, unknown_text(f"option of {owner}", name, known))
    given = {name: known[name].read(text) for name, text in texts.items()}
    return Values.defaults(options).but(given)


def write_spec(key: str, options: Iterable[Option], values: Options) -> str:
    """The canonical spec: without defaults, in declared order."""
    parts = [
        f"{option.name}={option.write(values[option.name])}"
        for option in options
        if values[option.name] != option.default
    ]
    return f"{key}:{','.join(parts)}" if parts else key
