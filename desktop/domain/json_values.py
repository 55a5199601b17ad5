"""JSON that is received or described: values, numbers, schemas."""

from collections.abc import Mapping, Sequence
from math import inf

JsonValue = None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
_LONGEST_NUMBER = 40
"""Characters; Python itself refuses longer texts of digits with errors of many kinds."""


def number_in(low: float, value: object, high: float = inf) -> float | None:
    """Return a number that was received, also as text; None if it is invalid or out of range."""
    if isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        try:
            value = float(value)
        except ValueError:
            return None
    # NaN is in no range.
    return value if isinstance(value, int | float) and low <= value <= high else None


TEXT_SCHEMA: Mapping[str, JsonValue] = {"type": "string"}
NUMBER_SCHEMA: Mapping[str, JsonValue] = {"type": "integer"}


def object_schema(**properties: JsonValue) -> dict[str, JsonValue]:
    """Return the JSON schema of an object that has all of these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def list_schema(item: JsonValue) -> dict[str, JsonValue]:
    return {"type": "array", "items": item}
