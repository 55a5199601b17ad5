"""Anthropic's Messages protocol through its SDK: requests out, wire events in."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from desktop.domain.model import JsonValue, ModelRequest
from desktop.llm.request_encoding import message_params, system_blocks, tool_params
from desktop.llm.wire import (
    Asked,
    BlockClosed,
    BlockKind,
    BlockOpened,
    CitationCame,
    CitationKind,
    ClientOptions,
    Counted,
    Ended,
    Piece,
    PieceCame,
    WireEvent,
    WireStream,
    count_of,
    fields_of,
    index_of,
    optional_fields,
    plain,
    reading,
    returnable,
    text_of,
    without_environment,
)


class MessagesApi:
    """Implements wire.ModelApi."""

    def __init__(self, options: ClientOptions) -> None:
        import anthropic  # noqa: PLC0415  over a second, so only where a model is used

        self._client = anthropic.Anthropic(
            api_key=options.key,
            base_url=options.base_url,
            timeout=options.timeout,
            max_retries=options.retries,
            http_client=options.http or anthropic.DefaultHttpxClient(event_hooks=options.hooks),
            open_telemetry=False,
        )
        without_environment(self._client)

    def models(self, timeout_s: float) -> list[Mapping[str, JsonValue]]:
        client = self._client.with_options(timeout=timeout_s, max_retries=0)
        without_environment(client)
        with reading():
            return [fields_of(plain(model)) for model in client.models.list()]

    def stream(self, asked: Asked) -> WireStream:
        import anthropic  # noqa: PLC0415

        request, schema = asked.request, asked.schema
        # The SDK has dropped the temperature; the user's own servers still accept it.
        extra = None if asked.temperature is None else {"temperature": asked.temperature}
        events = self._client.messages.create(
            model=asked.model,
            max_tokens=asked.max_tokens,
            system=system_blocks(request, caching=asked.caching) or anthropic.omit,
            messages=message_params(request, caching=asked.caching),
            tools=tool_params(request) or anthropic.omit,
            tool_choice={"type": "none"}
            if request.web and request.web.is_used_up
            else anthropic.omit,
            output_config={"format": {"type": "json_schema", "schema": dict(schema)}}
            if schema
            else anthropic.omit,
            stream=True,
            extra_body=extra,
        )
        return WireStream(events, wire_events)

    def count_tokens(self, model: str, request: ModelRequest) -> int:
        import anthropic  # noqa: PLC0415

        count = self._client.messages.count_tokens(
            model=model,
            system=system_blocks(request, caching=False),
            messages=message_params(request, caching=False),
            tools=tool_params(request) or anthropic.omit,
        )
        return count_of(fields_of(plain(count)), "input_tokens") or 0

    def complete(self, asked: Asked) -> Mapping[str, JsonValue]:
        from desktop.llm.chat_api import chat_body  # noqa: PLC0415  for the embedded server alone

        return fields_of(
            self._client.post("/v1/chat/completions", body=chat_body(asked), cast_to=object)
        )

    def close(self) -> None:
        self._client.close()


def wire_events(event: Mapping[str, JsonValue]) -> Iterator[WireEvent]:
    """Yield what the event says; nothing for kinds of events and blocks that are unknown."""
    match event.get("type"):
        case "message_start":
            message = optional_fields(event.get("message"))
            yield _counted(optional_fields(message.get("usage")))
        case "content_block_start":
            yield from _opened(index_of(event), fields_of(event.get("content_block")))
        case "content_block_delta":
            yield from _delta(index_of(event), fields_of(event.get("delta")))
        case "content_block_stop":
            yield BlockClosed(index_of(event))
        case "message_delta":
            yield _counted(optional_fields(event.get("usage")))
            if reason := text_of(optional_fields(event.get("delta")), "stop_reason"):
                yield Ended(reason)
        case _:
            pass


def _opened(index: int, block: Mapping[str, JsonValue]) -> Iterator[WireEvent]:
    if kind := _BLOCKS.get(text_of(block, "type")):
        text_of(block, "data")  # of reasoning that is encrypted
        call_id, name = text_of(block, "id"), text_of(block, "name")
        yield BlockOpened(index, kind, call_id, name, returnable(block))


def _delta(index: int, delta: Mapping[str, JsonValue]) -> Iterator[WireEvent]:
    kind = text_of(delta, "type")
    if kind in _PIECES:
        piece, name = _PIECES[kind]
        yield PieceCame(index, piece, text_of(delta, name))
    elif kind == "citations_delta":
        yield from _citation(index, fields_of(delta.get("citation")))


def _citation(index: int, citation: Mapping[str, JsonValue]) -> Iterator[WireEvent]:
    kind = _CITATIONS.get(text_of(citation, "type"))
    if kind is None:
        return
    place = _PLACES.get(kind)
    yield CitationCame(
        index,
        kind,
        text_of(citation, "cited_text"),
        index_of(citation, place) if place else -1,
        text_of(citation, "url"),
        text_of(citation, "title"),
        returnable(citation),
    )


def _counted(usage: Mapping[str, JsonValue]) -> Counted:
    counts = {ours: count_of(usage, theirs) for ours, theirs in _COUNTS.items()}
    used = optional_fields(usage.get("server_tool_use"))
    return Counted(**counts, searches=count_of(used, "web_search_requests"))


_BLOCKS = MappingProxyType({kind.value: kind for kind in BlockKind})
_CITATIONS = MappingProxyType({kind.value: kind for kind in CitationKind})
_PIECES = MappingProxyType(
    {
        "text_delta": (Piece.TEXT, "text"),
        "input_json_delta": (Piece.INPUT, "partial_json"),
        "thinking_delta": (Piece.THOUGHT, "thinking"),
        "signature_delta": (Piece.SEAL, "signature"),
    }
)
_PLACES = MappingProxyType(
    {
        CitationKind.PASSAGE: "search_result_index",
        CitationKind.CHARACTERS: "document_index",
        CitationKind.PAGES: "document_index",
        CitationKind.BLOCKS: "document_index",
    }
)
_COUNTS = MappingProxyType(
    {
        "input_tokens": "input_tokens",
        "output_tokens": "output_tokens",
        "cache_read_tokens": "cache_read_input_tokens",
        "cache_write_tokens": "cache_creation_input_tokens",
    }
)
