"""Form fields made from the declarations of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine import Game
from engine.catalog import catalog
from engine.entry import GameEntry
from engine.errors import InvalidSpecError, ZermeloError
from engine.options import Kind, Option

Fields = Mapping[str, str]  # what a form sent, by name


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry of a <select> or a group of radio buttons."""

    value: str
    label: str
    chosen: bool
    about: str = ""  # a line of explanation, where there is room for one


@dataclass(frozen=True, slots=True)
class OptionField:
    """One form field made from an option's declaration."""

    name: str  # of the field: nim.heaps, opponent.minimax.depth
    id: str
    option: Option
    label: str
    value: str
    choices: tuple[Choice, ...] = ()  # for a choice or a switch
    input: str = "text"  # text, number, range, select
    step: str | None = None
    low: str | None = None
    high: str | None = None

    @property
    def bounds(self) -> str:
        """`0 to 1`, where a number has both ends."""
        low, high = self.option.low, self.option.high
        if self.low is None or self.high is None or low is None or high is None:
            return ""
        return f"{low:,.15g} to {high:,.15g}"


def option_fields(
    options: tuple[Option, ...], fields: Fields, prefix: str, texts: Mapping[str, str]
) -> tuple[OptionField, ...]:
    """A form field for each option, filled with what is given, else with the default."""
    return tuple(_field(option, fields, prefix, texts.get(option.name)) for option in options)


def field_value(option: Option, text: str) -> Any:
    """The value that a field's text says, or the default without any; raises InvalidSpecError."""
    text = text.strip()
    if text and not fits(option, text):
        raise InvalidSpecError(text, f"“{option.label}” must be {option.wants}")
    return option.read(text) if text else option.default


def fits(option: Option, text: str) -> bool:
    """Whether the option can be set to what this text says."""
    try:
        option.read(text)
    except ZermeloError:
        return False
    return True


def _field(option: Option, fields: Fields, prefix: str, text: str | None) -> OptionField:
    name = f"{prefix}.{option.name}"
    usual = "" if option.default is None else option.write(option.default)
    value = fields.get(name) or text or usual
    answers = ("yes", "no") if option.kind is Kind.SWITCH else option.choices
    number = option.kind in (Kind.INTEGER, Kind.NUMBER)
    return OptionField(
        name=name,
        id=name.replace(".", "-").replace("_", "-"),
        option=option,
        label=option.label,
        value=value,
        choices=tuple(Choice(answer, answer, chosen=answer == value) for answer in answers),
        input="select" if answers else "number" if number else "text",
        step={Kind.INTEGER: "1", Kind.NUMBER: "any"}.get(option.kind),
        low=f"{option.low:g}" if number and option.low is not None else None,
        high=f"{option.high:g}" if number and option.high is not None else None,
    )


def named_variants() -> Iterator[tuple[GameEntry, list[tuple[Game[Any, Any], str]]]]:
    """Every game with its named variants; a package that fails hides only its own game."""
    for entry in catalog():
        with suppress(ZermeloError):
            named = [(entry.load({"preset": each.name}), each.title) for each in entry.presets]
            yield entry, named
