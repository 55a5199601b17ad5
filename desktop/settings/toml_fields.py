"""Reads and validates the fields of a table of the settings file."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from desktop.settings.settings import DIGITS, Number

Choice = TypeVar("Choice", bound=StrEnum)
T = TypeVar("T")


class FieldInvalidError(ValueError):
    """`place`: the invalid field, as "endpoints[0].kind"."""

    def __init__(self, place: str) -> None:
        super().__init__(f"settings field {place} is not valid")
        self.place = place


class Fields:
    """One table. A missing field has its default; an invalid one is named in the error."""

    def __init__(self, table: Mapping[str, object], place: str = "") -> None:
        self._table = table
        self._place = place

    def place(self, name: str) -> str:
        return f"{self._place}.{name}" if self._place else name

    def names(self) -> list[str]:
        return list(self._table)

    def invalid(self, name: str) -> FieldInvalidError:
        return FieldInvalidError(self.place(name))

    def text(self, name: str) -> str:
        """Return a text that must exist and must not be blank."""
        value = self.text_or_empty(name)
        if not value.strip():
            raise self.invalid(name)
        return value

    def text_or_none(self, name: str) -> str | None:
        return self.text(name) if name in self._table else None

    def text_or_empty(self, name: str) -> str:
        return self._value(name, str, "")

    def flag(self, name: str, *, otherwise: bool) -> bool:
        return self._value(name, bool, otherwise)

    def whole(self, name: str, within: range) -> int | None:
        """Return an integer in the range; None if missing."""
        value = self._table.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value not in within:
            raise self.invalid(name)
        return value

    def number(self, name: str, numbers: Number) -> float | None:
        """Return a number, an integer if the numbers are whole; None if missing."""
        value = self._table.get(name)
        if value is None:
            return None
        kinds = int if numbers.is_whole else int | float
        if isinstance(value, bool) or not isinstance(value, kinds) or value not in numbers:
            raise self.invalid(name)
        return value if numbers.is_whole else round(float(value), DIGITS)

    def choice(self, name: str, otherwise: Choice) -> Choice:
        value = self._table.get(name, otherwise)
        for choice in type(otherwise):
            if choice == value:
                return choice
        raise self.invalid(name)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._value(name, list, [])
        texts = [text for text in value if isinstance(text, str) and text.strip()]
        if len(texts) != len(value):
            raise self.invalid(name)
        return tuple(texts)

    def texts_or_blank(self, name: str) -> tuple[str, ...]:
        """Return texts of which each but the first may be empty."""
        value = self._value(name, list, [])
        texts = [text for text in value if isinstance(text, str)]
        if len(texts) != len(value) or (texts and not texts[0].strip()):
            raise self.invalid(name)
        return tuple(texts)

    def values(self) -> Mapping[str, object]:
        """Return the whole table, which nobody has checked."""
        return self._table

    def table(self, name: str) -> "Fields":
        return Fields(self._value(name, dict, {}), self.place(name))

    def tables(self, name: str) -> "list[Fields]":
        entries = self._value(name, list, [])
        for index, table in enumerate(entries):
            if not isinstance(table, dict):
                raise self.invalid(f"{name}[{index}]")
        return [Fields(table, self.place(f"{name}[{n}]")) for n, table in enumerate(entries)]

    def _value(self, name: str, kind: type[T], otherwise: T) -> T:
        value = self._table.get(name, otherwise)
        if not isinstance(value, kind):
            raise self.invalid(name)
        return value
