"""JSON that is received or described: values and schemas."""

from collections.abc import Mapping, Sequence

JsonValue = None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]

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
