"""Encodes requests; the start of a request is byte-identical from turn to turn.

No request contains a key: one that was pasted by mistake is hidden in every part.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, assert_never, cast

from desktop.domain.errors import ReplyInvalidError
from desktop.domain.messages import Role
from desktop.domain.model import (
    Block,
    JsonValue,
    ModelRequest,
    Picture,
    RequestMessage,
    Sealed,
    SearchResult,
    TextBlock,
    Thought,
    ToolCall,
    ToolResult,
)
from desktop.language.secrets import without_keys
from desktop.llm.server_tools import web_params

if TYPE_CHECKING:
    from anthropic.types import (
        CacheControlEphemeralParam,
        ImageBlockParam,
        MessageParam,
        RedactedThinkingBlockParam,
        SearchResultBlockParam,
        TextBlockParam,
        ThinkingBlockParam,
        ToolResultBlockParam,
        ToolUnionParam,
        ToolUseBlockParam,
    )

    BlockParam = (
        TextBlockParam
        | ThinkingBlockParam
        | RedactedThinkingBlockParam
        | ToolUseBlockParam
        | ToolResultBlockParam
        | SearchResultBlockParam
        | ImageBlockParam
    )


def system_blocks(request: ModelRequest, *, caching: bool) -> "list[TextBlockParam]":
    if not request.instructions.strip():
        return []
    block = _text(request.instructions)
    if caching:
        block["cache_control"] = _breakpoint()
    return [block]


def tool_params(request: ModelRequest) -> "list[ToolUnionParam]":
    """Tools come before the instructions, so the cache breakpoint there covers them too."""
    ours: list[ToolUnionParam] = [
        {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}
        for tool in request.tools
    ]
    return [*ours, *web_params(request.web)] if request.web else ours


def message_params(request: ModelRequest, *, caching: bool) -> "list[MessageParam]":
    """Messages of one role in a row become one message; content is always a list of blocks.

    `changing` is the last block of the newest user message, after the last cache breakpoint that
    the next turn can use. The tool calls of this turn follow it, with their own breakpoint.
    """
    return [_param(role, blocks) for role, blocks in _spoken(request, caching=caching)]


def _spoken(request: ModelRequest, *, caching: bool) -> "list[tuple[Role, list[BlockParam]]]":
    spoken: list[tuple[Role, list[BlockParam]]] = []
    for message in request.messages:
        _add(spoken, message.role, _blocks(message))
    if caching:
        _mark_last(spoken, Role.USER)
    _add(spoken, Role.USER, map(_result, request.results))
    if request.changing and request.changing.strip():
        _add(spoken, Role.USER, [_text(request.changing)])
    for message in request.rounds:
        _add(spoken, message.role, _blocks(message))
    if caching and request.rounds:
        _mark_last(spoken, Role.USER)
    return spoken


def _add(
    spoken: "list[tuple[Role, list[BlockParam]]]", role: Role, blocks: "Iterable[BlockParam]"
) -> None:
    for block in blocks:
        if not spoken or spoken[-1][0] is not role:
            spoken.append((role, []))
        spoken[-1][1].append(block)


def _mark_last(spoken: "list[tuple[Role, list[BlockParam]]]", role: Role) -> None:
    """Put a cache breakpoint on the last block if that role wrote the last message."""
    if not spoken or spoken[-1][0] is not role:
        return
    block = spoken[-1][1][-1]
    if block["type"] == "text" or block["type"] == "tool_result":
        block["cache_control"] = _breakpoint()


def _blocks(message: RequestMessage) -> "Iterator[BlockParam]":
    """Yield no blocks for an empty text: endpoints refuse empty blocks."""
    yield from map(_picture, message.pictures)
    for block in message.blocks or (TextBlock(message.text),):
        if not isinstance(block, TextBlock) or block.text.strip():
            yield _block(block)


def _block(block: Block) -> "BlockParam":
    match block:
        case TextBlock(text):
            return _text(text)
        case Thought(seal=seal, is_enciphered=True):
            return {"type": "redacted_thinking", "data": seal}
        case Thought(text, seal):
            return {"type": "thinking", "thinking": text, "signature": seal}
        case ToolCall(call_id, name, given):
            return {"type": "tool_use", "id": call_id, "name": name, "input": dict(given or {})}
        case ToolResult(call_id, text, is_error):
            result: ToolResultBlockParam = {
                "type": "tool_result",
                "tool_use_id": call_id,
                "content": [_text(text)],
            }
            if is_error:
                result["is_error"] = True
            return result
        case Sealed(content):
            return cast("BlockParam", dict(content))  # the endpoint's own: it came from there
        case _:
            assert_never(block)


def _picture(picture: Picture) -> "ImageBlockParam":
    # The type is checked where a picture is taken in.
    media_type = cast("Literal['image/png']", picture.media_type)
    data = b64encode(picture.data).decode("ascii")
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def without_pictures(request: ModelRequest) -> ModelRequest:
    return replace(request, messages=[replace(one, pictures=()) for one in request.messages])


def _result(result: SearchResult) -> "SearchResultBlockParam":
    return {
        "type": "search_result",
        "source": result.address,
        "title": result.title,
        "content": [_text(sentence) for sentence in result.sentences],
        "citations": {"enabled": True},
    }


def _param(role: Role, blocks: "list[BlockParam]") -> "MessageParam":
    match role:
        case Role.USER:
            return {"role": "user", "content": blocks}
        case Role.ASSISTANT:
            return {"role": "assistant", "content": blocks}


def _text(text: str) -> "TextBlockParam":
    return {"type": "text", "text": without_keys(text)}


def _breakpoint() -> "CacheControlEphemeralParam":
    return {"type": "ephemeral"}


_THOUGHT_END = "</think>"


def asked_in_words(request: ModelRequest, schema: Mapping[str, JsonValue]) -> ModelRequest:
    """Return the request with the JSON instruction in its last, changing block."""
    wish = (
        "Reply with one JSON document and nothing else: no introduction, no code fence. "
        f"It must match this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
    )
    changing = f"{request.changing}\n\n{wish}" if request.changing else wish
    return replace(request, changing=changing)


def json_in(text: str) -> JsonValue:
    """Return the first complete JSON object or array; raises ReplyInvalidError."""
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
