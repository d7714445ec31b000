"""What was chosen for declared options, read by the type it was declared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NoReturn

from engine.core import Options, OptionValue

if TYPE_CHECKING:
    from engine.options import Option, Role


class Values(Mapping[str, OptionValue]):
    """A value for every declared option.

    Asking for an option that is not declared raises KeyError; for one of another kind, TypeError.
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
        """The same with some other values."""
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
