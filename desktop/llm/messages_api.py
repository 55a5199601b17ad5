"""Anthropic's Messages protocol through its SDK: requests out, wire events in.

The start of a request is byte-identical from turn to turn. No request contains a key: one that was
pasted by mistake is hidden in every part.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, assert_never, cast

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.model import (
    Block,
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
from desktop.llm import wire
from desktop.llm.lean_imports import leave_out_unused
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


class MessagesApi:
    """Implements wire.ModelApi."""

    def __init__(self, options: wire.ClientOptions) -> None:
        leave_out_unused()
        import anthropic  # noqa: PLC0415  most of a second, so only where a model is used

        self._client = anthropic.Anthropic(
            api_key=options.key,
            base_url=options.base_url,
            timeout=options.timeout,
            max_retries=options.retries,
            http_client=options.http or anthropic.DefaultHttpxClient(event_hooks=options.hooks),
            open_telemetry=False,
        )
        wire.without_environment(self._client)

    def models(self, timeout_s: float) -> list[Mapping[str, JsonValue]]:
        client = self._client.with_options(timeout=timeout_s, max_retries=0)
        wire.without_environment(client)
        with wire.reading():
            listed = client.get("/v1/models", cast_to=object, options={"params": {"limit": 1000}})
            return wire.listed_models(wire.plain(listed))

    def embeddings(
        self, body: Mapping[str, JsonValue], timeout_s: float
    ) -> Mapping[str, JsonValue]:
        client = self._client.with_options(timeout=timeout_s, max_retries=0)
        wire.without_environment(client)
        with wire.reading():
            answer = wire.plain(client.post("/v1/embeddings", body=body, cast_to=object))
            return wire.fields_of(answer)

    def stream(self, call: wire.Asked) -> wire.WireStream:
        import anthropic  # noqa: PLC0415

        request, schema = call.request, call.schema
        events = self._client.messages.create(
            model=call.model,
            max_tokens=call.max_tokens,
            system=system_blocks(request, caching=call.caching) or anthropic.omit,
            messages=message_params(request, caching=call.caching),
            tools=tool_params(request) or anthropic.omit,
            tool_choice={"type": "none"}
            if request.web and request.web.is_used_up
            else anthropic.omit,
            output_config={"format": {"type": "json_schema", "schema": dict(schema)}}
            if schema
            else anthropic.omit,
            stream=True,
            # The SDK has dropped the temperature; the user's own servers still accept it.
            extra_body=call.sampling or None,
        )
        return wire.WireStream(events, read=wire_events, read_whole=events_of_whole)

    def count_tokens(self, model: str, request: ModelRequest) -> int:
        import anthropic  # noqa: PLC0415

        count = self._client.messages.count_tokens(
            model=model,
            system=system_blocks(request, caching=False),
            messages=message_params(request, caching=False),
            tools=tool_params(request) or anthropic.omit,
        )
        return wire.count_of(wire.fields_of(wire.plain(count)), "input_tokens") or 0

    def complete(self, call: wire.Asked) -> Mapping[str, JsonValue]:
        from desktop.llm.chat_api import chat_body  # noqa: PLC0415  for the embedded server alone

        return wire.fields_of(
            self._client.post("/v1/chat/completions", body=chat_body(call), cast_to=object)
        )

    def close(self) -> None:
        self._client.close()


def wire_events(event: Mapping[str, JsonValue]) -> Iterator[wire.WireEvent]:
    """Yield what the event says; nothing for kinds of events and blocks that are unknown."""
    match event.get("type"):
        case "message_start":
            message = wire.optional_fields(event.get("message"))
            yield _counted(wire.side_fields(message.get("usage")))
        case "content_block_start":
            yield from _opened(wire.index_of(event), wire.fields_of(event.get("content_block")))
        case "content_block_delta":
            yield from _delta(wire.index_of(event), wire.fields_of(event.get("delta")))
        case "content_block_stop":
            yield wire.BlockClosed(wire.index_of(event))
        case "message_delta":
            yield _counted(wire.side_fields(event.get("usage")))
            if reason := wire.text_of(wire.optional_fields(event.get("delta")), "stop_reason"):
                yield wire.Ended(reason)
        case _:
            pass


def events_of_whole(message: Mapping[str, JsonValue]) -> Iterator[wire.WireEvent]:
    """Yield the events of a message that was not streamed."""
    yield _counted(wire.side_fields(message.get("usage")))
    for index, item in enumerate(wire.items_of(message.get("content"))):
        block = wire.fields_of(item)
        yield from _opened(index, block)
        for piece, name in _PIECES.values():
            if isinstance(block.get(name), str):
                yield wire.PieceCame(index, piece, wire.text_of(block, name))
        for citation in wire.items_of(block.get("citations") or []):
            yield from _citation(index, wire.fields_of(citation))
        yield wire.BlockClosed(index)
    yield wire.Ended(wire.text_of(message, "stop_reason") or "end_turn")


def _opened(index: int, block: Mapping[str, JsonValue]) -> Iterator[wire.WireEvent]:
    if kind := _BLOCKS.get(wire.text_of(block, "type")):
        wire.text_of(block, "data")  # of reasoning that is encrypted
        call_id, name = wire.text_of(block, "id"), wire.text_of(block, "name")
        yield wire.BlockOpened(index, kind, call_id, name, wire.returnable(block))


def _delta(index: int, delta: Mapping[str, JsonValue]) -> Iterator[wire.WireEvent]:
    kind = wire.text_of(delta, "type")
    if kind in _PIECES:
        piece, name = _PIECES[kind]
        yield wire.PieceCame(index, piece, wire.piece_of(delta, name))
    elif kind == "citations_delta":
        yield from _citation(index, wire.fields_of(delta.get("citation")))


def _citation(index: int, citation: Mapping[str, JsonValue]) -> Iterator[wire.WireEvent]:
    kind = _CITATIONS.get(wire.text_of(citation, "type"))
    if kind is None:
        return
    place = _PLACES.get(kind)
    yield wire.CitationCame(
        index=index,
        kind=kind,
        cited_text=wire.text_of(citation, "cited_text"),
        place=wire.index_of(citation, place) if place else -1,
        url=wire.text_of(citation, "url"),
        title=wire.text_of(citation, "title"),
        content=wire.returnable(citation),
    )


def _counted(usage: Mapping[str, JsonValue]) -> wire.Counted:
    counts = {ours: wire.count_of(usage, theirs) for ours, theirs in _COUNTS.items()}
    used = wire.side_fields(usage.get("server_tool_use"))
    return wire.Counted(**counts, searches=wire.count_of(used, "web_search_requests"))


_BLOCKS: Mapping[str, wire.BlockKind] = {kind.value: kind for kind in wire.BlockKind}
_CITATIONS: Mapping[str, wire.CitationKind] = {kind.value: kind for kind in wire.CitationKind}
_PIECES: Mapping[str, tuple[wire.Piece, str]] = {
    "text_delta": (wire.Piece.TEXT, "text"),
    "input_json_delta": (wire.Piece.INPUT, "partial_json"),
    "thinking_delta": (wire.Piece.THOUGHT, "thinking"),
    "signature_delta": (wire.Piece.SEAL, "signature"),
}
_PLACES: Mapping[wire.CitationKind, str] = {
    wire.CitationKind.PASSAGE: "search_result_index",
    wire.CitationKind.CHARACTERS: "document_index",
    wire.CitationKind.PAGES: "document_index",
    wire.CitationKind.BLOCKS: "document_index",
}
_COUNTS: Mapping[str, str] = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}


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
    return [_param(role, blocks) for role, blocks in spoken]


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
        case ToolCall(call_id, name, arguments):
            return {
                "type": "tool_use",
                "id": call_id,
                "name": name,
                "input": dict(arguments or {}),
            }
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
    # The type is checked when a picture is added.
    media_type = cast("Literal['image/png']", picture.media_type)
    data = b64encode(picture.data).decode("ascii")
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


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
