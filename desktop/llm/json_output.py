"""JSON from a model that promises none: asked for in words, taken out of what surrounds it."""

import json
from collections.abc import Mapping
from dataclasses import replace

from desktop.domain.errors import ReplyInvalidError
from desktop.domain.model import JsonValue, ModelRequest

_THOUGHT_END = "</think>"


def asked_in_words(request: ModelRequest, schema: Mapping[str, JsonValue]) -> ModelRequest:
    """The request with the wish for JSON in its last, changing block."""
    wish = (
        "Reply with one JSON document and nothing else: no introduction, no code fence. "
        f"It must match this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )
    changing = f"{request.changing}\n\n{wish}" if request.changing else wish
    return replace(request, changing=changing)


def json_in(text: str) -> JsonValue:
    """The first whole JSON object or array in the text; ReplyInvalidError without one."""
    answer = text.rpartition(_THOUGHT_END)[2]
    decoder = json.JSONDecoder()
    for place, letter in enumerate(answer):
        if letter not in "{[":
            continue
        try:
            value: JsonValue = decoder.raw_decode(answer, place)[0]
        except json.JSONDecodeError:
            continue
        return value
    raise ReplyInvalidError
