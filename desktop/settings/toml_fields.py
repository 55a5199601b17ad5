"""Reads and validates the fields of a table of the settings file."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from desktop.settings.settings import DIGITS, Number

Choice = TypeVar("Choice", bound=StrEnum)


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

    def text(self, name: str) -> str:
        """Return a text that must exist and must not be blank."""
        value = self._table.get(name)
        if not isinstance(value, str) or not value.strip():
            raise FieldInvalidError(self.place(name))
        return value

    def text_or_none(self, name: str) -> str | None:
        return self.text(name) if name in self._table else None

    def text_or_empty(self, name: str) -> str:
        value = self._table.get(name, "")
        if not isinstance(value, str):
            raise FieldInvalidError(self.place(name))
        return value

    def flag(self, name: str, *, otherwise: bool) -> bool:
        value = self._table.get(name, otherwise)
        if not isinstance(value, bool):
            raise FieldInvalidError(self.place(name))
        return value

    def whole(self, name: str, within: range) -> int | None:
        """Return an integer in the range; None if missing."""
        value = self._table.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value not in within:
            raise FieldInvalidError(self.place(name))
        return value

    def number(self, name: str, numbers: Number) -> float | None:
        """Return a number, an integer if the numbers are whole; None if missing."""
        value = self._table.get(name)
        if value is None:
            return None
        kinds = int if numbers.is_whole else int | float
        if isinstance(value, bool) or not isinstance(value, kinds) or value not in numbers:
            raise FieldInvalidError(self.place(name))
        return value if numbers.is_whole else round(float(value), DIGITS)

    def choice(self, name: str, otherwise: Choice) -> Choice:
        value = self._table.get(name, otherwise)
        for choice in type(otherwise):
            if choice == value:
                return choice
        raise FieldInvalidError(self.place(name))

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._table.get(name, [])
        if not isinstance(value, list):
            raise FieldInvalidError(self.place(name))
        texts = [text for text in value if isinstance(text, str) and text.strip()]
        if len(texts) != len(value):
            raise FieldInvalidError(self.place(name))
        return tuple(texts)

    def table(self, name: str) -> "Fields":
        value = self._table.get(name, {})
        if not isinstance(value, dict):
            raise FieldInvalidError(self.place(name))
        return Fields(value, self.place(name))

    def tables(self, name: str) -> "list[Fields]":
        value = self._table.get(name, [])
        if not isinstance(value, list):
            raise FieldInvalidError(self.place(name))
        for index, table in enumerate(value):
            if not isinstance(table, dict):
                raise FieldInvalidError(f"{self.place(name)}[{index}]")
        return [Fields(table, f"{self.place(name)}[{index}]") for index, table in enumerate(value)]
