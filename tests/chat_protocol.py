"""OpenAI's chat completions as a server speaks them, for the scripted server of the tests.

Tests see requests in the form of the Messages protocol, so that one test covers both.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

from desktop.domain.endpoints import EndpointKind
from desktop.domain.usage import Usage

Json = dict[str, Any]  # Any: whatever a client or a test wrote as JSON

CHAT_PATH = "/v1/chat/completions"
TESTED_KIND = (
    EndpointKind.CHAT if os.environ.get("BELLEK_TEST_PROTOCOL") == "chat" else EndpointKind.SERVER
)
"""The protocol that tests speak which hold for both."""

_CHANGING = ("Şu an: ", "It is now ")
"""How the block begins that changes from turn to turn."""
_REASONS = {
    "end_turn": "stop",
    "max_tokens": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


def address_for(url: str, kind: EndpointKind = TESTED_KIND) -> str:
    return f"{url}/v1" if kind is EndpointKind.CHAT else url


def as_messages(body: Json) -> Json:
    """A request in the form of the Messages protocol."""
    system = [one for one in body.get("messages", []) if one["role"] == "system"]
    tools = [one["function"] for one in body.get("tools", [])]
    limit = body.get("max_tokens") or body.get("max_completion_tokens")
    known = {**body, "max_tokens": limit, "messages": _turns(body.get("messages", []))}
    if system:
        known["system"] = [{"type": "text", "text": one["content"]} for one in system]
    if tools:
        known["tools"] = [{**one, "input_schema": one["parameters"]} for one in tools]
    return known


def _turns(messages: list[Json]) -> list[Json]:
    turns: list[Json] = []
    for message in messages:
        if message["role"] == "system":
            continue
        role = "assistant" if message["role"] == "assistant" else "user"
        # A result is in the user's turn, after the call.
        if not turns or turns[-1]["role"] != role:
            turns.append({"role": role, "content": []})
        turns[-1]["content"] += _blocks(message)
    return turns


def _blocks(message: Json) -> Iterator[Json]:
    content = message.get("content") or []
    if message["role"] == "tool":
        text = [{"type": "text", "text": content}]
        yield {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": text}
        return
    if isinstance(content, str):
        content = [{"type": "text", "text": text} for text in _texts(message["role"], content)]
    yield from content
    for call in message.get("tool_calls", []):
        function = call["function"]
        given = json.loads(function["arguments"])
        yield {"type": "tool_use", "id": call["id"], "name": function["name"], "input": given}


def _texts(role: str, content: str) -> list[str]:
    """The texts of one message: each text of the user, then the changing block."""
    at = max(content.rfind(f"\n\n{beginning}") for beginning in _CHANGING)
    if role != "user" or at < 0:
        return [content]
    return [*content[:at].split("\n\n"), content[at + 2 :]]


def chunk(delta: Json | None = None, reason: str | None = None, **more: Any) -> Json:
    choice = {"index": 0, "delta": delta or {}, "finish_reason": reason}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice], **more}


def closing(usage: Usage, stop_reason: str, *, counts: bool = True) -> Iterator[Json]:
    yield chunk(reason=_REASONS.get(stop_reason, stop_reason))
    if counts:
        yield {**chunk(), "choices": [], "usage": counted(usage)}


def counted(usage: Usage) -> Json:
    """Prompt tokens include the cached ones."""
    return {
        "prompt_tokens": usage.input_tokens + usage.cache_read_tokens,
        "completion_tokens": usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read_tokens},
    }


def calls(called: list[Json], written: list[str]) -> Iterator[Json]:
    """The calls in pieces: their names, then their arguments, cut anywhere."""
    for index, (call, arguments) in enumerate(zip(called, written, strict=True)):
        function = {"name": call["name"], "arguments": ""}
        opening = {"index": index, "id": call["id"], "type": "function", "function": function}
        yield chunk({"tool_calls": [opening]})
        for start in range(0, len(arguments), 7):
            piece = {"index": index, "function": {"arguments": arguments[start : start + 7]}}
            yield chunk({"tool_calls": [piece]})
