"""OpenAI's chat completions through its SDK: requests out, wire events in.

Many products speak it, each a little differently: what a server refuses is left out of the next
request, and reasoning that comes beside the answer or before it never becomes answer text.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.model import (
    CUT_OFF,
    ModelRequest,
    Picture,
    RequestMessage,
    Sealed,
    TextBlock,
    ToolCall,
    ToolResult,
)
from desktop.language.secrets import without_keys
from desktop.llm import wire

if TYPE_CHECKING:
    import openai
    from openai import Stream
    from openai.types.chat import ChatCompletionChunk

    _Create = Callable[..., Stream[ChatCompletionChunk]]

Json = dict[str, JsonValue]

_MOST_TOKENS, _MOST_COMPLETION_TOKENS = "max_tokens", "max_completion_tokens"
_STREAM_OPTIONS = "stream_options"
_UNKNOWN_PARAMETER = (400, 422)


class ChatApi:
    """Implements wire.ModelApi."""

    def __init__(self, options: wire.ClientOptions) -> None:
        import openai  # noqa: PLC0415  over a second, so only where such an endpoint is used

        self._client = openai.OpenAI(
            api_key=options.key,
            base_url=options.base_url,
            timeout=options.timeout,
            max_retries=options.retries,
            http_client=options.http or openai.DefaultHttpxClient(event_hooks=options.hooks),
        )
        _without_environment(self._client)
        is_openai = (urlsplit(options.base_url).hostname or "").endswith("openai.com")
        self._limit = _MOST_COMPLETION_TOKENS if is_openai else _MOST_TOKENS
        self._has_changed_limit = False
        self._counts = True

    def models(self, timeout_s: float) -> list[Mapping[str, JsonValue]]:
        client = self._client.with_options(timeout=timeout_s, max_retries=0)
        _without_environment(client)
        with wire.reading():
            return wire.listed_models(wire.plain(client.get("/models", cast_to=object)))

    def embeddings(
        self, body: Mapping[str, JsonValue], timeout_s: float
    ) -> Mapping[str, JsonValue]:
        client = self._client.with_options(timeout=timeout_s, max_retries=0)
        _without_environment(client)
        with wire.reading():
            answer = wire.plain(client.post("/embeddings", body=body, cast_to=object))
            return wire.fields_of(answer)

    def stream(self, call: wire.Asked) -> wire.WireStream:
        import openai  # noqa: PLC0415

        while True:
            try:
                events = self._send(call)
            except openai.APIStatusError as exc:
                if not self._adapts(exc):
                    raise
            else:
                read = ChatReader().wire_events
                return wire.WireStream(events, read=read, read_whole=read)

    def count_tokens(self, model: str, request: ModelRequest) -> int:
        raise NotImplementedError("the protocol does not count")

    def complete(self, call: wire.Asked) -> Mapping[str, JsonValue]:
        raise NotImplementedError("only the embedded server is asked without a stream")

    def close(self) -> None:
        self._client.close()

    def _send(self, call: wire.Asked) -> "Stream[ChatCompletionChunk]":
        body = chat_body(call)
        body[self._limit] = body.pop(_MOST_TOKENS)
        if self._counts:
            body[_STREAM_OPTIONS] = {"include_usage": True}
        # Written once, in the servers' form; the SDK's own types would repeat it.
        create = cast("_Create", self._client.chat.completions.create)
        return create(**body, stream=True)

    def _adapts(self, refusal: "openai.APIStatusError") -> bool:
        """Return whether another request, without what was refused, is worth sending."""
        words = str(refusal.body).lower()
        if refusal.status_code not in _UNKNOWN_PARAMETER:
            return False
        if _STREAM_OPTIONS in words and self._counts:
            self._counts = False
            return True
        if self._limit in words and not self._has_changed_limit:
            others = {_MOST_TOKENS, _MOST_COMPLETION_TOKENS} - {self._limit}
            self._limit, self._has_changed_limit = others.pop(), True
            return True
        return False


def _without_environment(client: "openai.OpenAI") -> None:
    wire.without_environment(client)
    client.organization = client.project = None


def chat_body(call: wire.Asked) -> Json:
    """Return the request; its start is the same from turn to turn, as in the other protocol."""
    request = call.request
    body: Json = {
        "model": call.model,
        "messages": list(_messages(request)),
        _MOST_TOKENS: call.max_tokens,
    }
    if request.tools:
        functions: list[Json] = [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in request.tools
        ]
        body["tools"] = [{"type": "function", "function": each} for each in functions]
    body |= call.sampling
    if call.schema is not None:
        named: Json = {"name": "reply", "strict": True, "schema": call.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def _messages(request: ModelRequest) -> Iterator[Json]:
    """Messages of one role in a row become one message, with one text if it has no picture."""
    if request.instructions.strip():
        yield {"role": "system", "content": without_keys(request.instructions)}
    changing = RequestMessage(Role.USER, request.changing or "")
    role, texts, pictures = Role.USER, list[str](), list[Picture]()
    for message in (*request.messages, changing):
        if message.role is not role:
            yield from _said(role, texts, pictures)
            role, texts, pictures = message.role, [], []
        texts.append(message.text)
        texts += [block.text for block in message.blocks if isinstance(block, TextBlock)]
        pictures += message.pictures
    yield from _said(role, texts, pictures)
    for message in request.rounds:
        yield from _round(message)


def _said(role: Role, texts: list[str], pictures: list[Picture]) -> Iterator[Json]:
    text = "\n\n".join(without_keys(text) for text in texts if text.strip())
    if pictures:
        urls = (
            f"data:{picture.media_type};base64,{b64encode(picture.data).decode()}"
            for picture in pictures
        )
        shown: list[JsonValue] = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
        written: list[JsonValue] = [{"type": "text", "text": text}] if text else []
        yield {"role": role.value, "content": [*shown, *written]}
    elif text:
        yield {"role": role.value, "content": text}


def _round(message: RequestMessage) -> Iterator[Json]:
    texts = [block.text for block in message.blocks if isinstance(block, TextBlock)]
    extras = {
        block.content.get("id"): block.content.get(wire.EXTRA_CONTENT)
        for block in message.blocks
        if isinstance(block, Sealed)
    }
    calls: list[JsonValue] = [
        _call(block, extras.get(block.id))
        for block in message.blocks
        if isinstance(block, ToolCall)
    ]
    if calls:
        text = without_keys("".join(texts))
        yield {"role": "assistant", "content": text if text.strip() else None, "tool_calls": calls}
    else:
        yield from _said(message.role, [message.text, *texts], [])
    for block in message.blocks:
        if isinstance(block, ToolResult):
            content = without_keys(block.text)
            yield {"role": "tool", "tool_call_id": block.call_id, "content": content}


def _call(call: ToolCall, extra: JsonValue) -> Json:
    arguments = json.dumps(dict(call.input or {}), ensure_ascii=False)
    function: Json = {"name": call.name, "arguments": arguments}
    whole: Json = {"id": call.id, "type": "function", "function": function}
    return {**whole, wire.EXTRA_CONTENT: extra} if extra else whole


_ENDINGS: Mapping[str, str] = {
    "stop": "end_turn",
    "length": CUT_OFF,
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "content_filter": "refusal",
}


def _content(delta: Mapping[str, JsonValue]) -> str:
    """Return the text of the answer; Mistral's reasoning models send a list of parts."""
    parts = delta.get("content")
    if not isinstance(parts, list):
        return wire.piece_of(delta, "content")
    return "".join(wire.piece_of(wire.fields_of(part), "text") for part in parts)


_THOUGHT_BEGINS, _THOUGHT_ENDS = "<think>", "</think>"
_OPENINGS = (_THOUGHT_BEGINS, "<thinking>", "<seed:think>")
_TEXT_BLOCK = 0
_THOUGHTS = -1  # No block: chat endpoints do not want their reasoning back
_REASONING = ("reasoning_content", "reasoning")


class ChatReader:
    """Reads the chunks of one answer."""

    def __init__(self) -> None:
        self._thoughts = ThoughtFilter()
        self._has_text = False
        self._calls: dict[int, str] = {}  # The ids of tool calls, by their block

    def wire_events(self, chunk: Mapping[str, JsonValue]) -> Iterator[wire.WireEvent]:
        """Yield what the chunk says; only its first choice counts."""
        # The SDK knows only {"error": …}; vLLM and FastAPI write their errors otherwise.
        if "choices" not in chunk and (chunk.get("object") == "error" or chunk.get("detail")):
            raise wire.RefusedInStreamError(chunk)
        if usage := wire.side_fields(chunk.get("usage")):
            yield _counted(usage)
        for choice in wire.items_of(chunk.get("choices") or [])[:1]:
            fields = wire.fields_of(choice)
            # A server that does not stream its answer writes `message`.
            delta = wire.optional_fields(fields.get("delta") or fields.get("message"))
            for name in _REASONING:
                if isinstance(delta.get(name), str):
                    yield wire.PieceCame(_THOUGHTS, wire.Piece.THOUGHT, wire.piece_of(delta, name))
            yield from self._parted(self._thoughts.part(_content(delta)))
            # Some models say in its own field why they decline.
            yield from self._text(wire.text_of(delta, "refusal"))
            for call in wire.items_of(delta.get("tool_calls") or []):
                yield from self._call(wire.fields_of(call))
            if reason := wire.text_of(fields, "finish_reason"):
                yield from self._parted(self._thoughts.rest())
                yield wire.Ended(self._ending(reason))

    def _ending(self, reason: str) -> str:
        # Several servers report "stop" after a call.
        ending = _ENDINGS.get(reason, reason)
        return "tool_use" if self._calls and ending == "end_turn" else ending

    def _parted(self, parts: Iterable[str | None]) -> Iterator[wire.WireEvent]:
        for part in parts:
            if part is None:
                yield wire.TextWithdrawn()
            elif isinstance(part, Reasoning):
                yield wire.PieceCame(_THOUGHTS, wire.Piece.THOUGHT, part)
            else:
                yield from self._text(part)

    def _text(self, text: str) -> Iterator[wire.WireEvent]:
        if text:
            if not self._has_text:
                self._has_text = True
                yield wire.BlockOpened(_TEXT_BLOCK, wire.BlockKind.TEXT)
            yield wire.PieceCame(_TEXT_BLOCK, wire.Piece.TEXT, text)

    def _call(self, call: Mapping[str, JsonValue]) -> Iterator[wire.WireEvent]:
        function = wire.optional_fields(call.get("function"))
        call_id, name = wire.text_of(call, "id"), wire.text_of(function, "name")
        block = self._block_of(wire.count_of(call, "index"), call_id, name)
        if block not in self._calls:
            self._calls[block] = call_id = call_id or f"call_{block}"
            extra = wire.returnable(wire.optional_fields(call.get(wire.EXTRA_CONTENT)))
            yield wire.BlockOpened(block, wire.BlockKind.TOOL_CALL, call_id, name, extra=extra)
        if arguments := wire.piece_of(function, "arguments"):
            yield wire.PieceCame(block, wire.Piece.INPUT, arguments)

    def _block_of(self, index: int | None, call_id: str, name: str) -> int:
        """Return the block of a call: servers leave out the index, or give each call the same."""
        newest = len(self._calls)
        block = newest if index is None else index + 1
        is_other = bool(call_id and name) and call_id != self._calls.get(block, call_id)
        is_first = index is None and bool(name) and call_id not in self._calls.values()
        return newest + 1 if is_other or is_first or not block else block


class Reasoning(str):
    """A part of what a model wrote before its answer."""

    __slots__ = ()


class ThoughtFilter:
    """Parts reasoning that a server writes before the answer from the answer.

    It stands between two marks, or before a lone closing one: some models' templates put the
    opening mark into the prompt.
    """

    def __init__(self) -> None:
        self._held = ""
        self._ending: str | None = ""
        """The mark that is awaited; empty before the first word, None after the thought."""
        self._answer: list[str] | None = []  # While a lone closing mark may still come

    def part(self, text: str) -> Iterator[str | None]:
        """Yield texts of the answer, and Reasoning, as soon as that is certain.

        None: all text before it was reasoning, too.
        """
        if not text:
            return
        if self._ending is None:
            yield from self._watch(text)
            return
        self._held += text
        if not self._ending:
            beginning = self._held.lstrip()
            possible = [tag for tag in _OPENINGS if tag.startswith(beginning[: len(tag)])]
            if not possible:
                held, self._held, self._ending = self._held, "", None
                yield from self._watch(held)
                return
            opening = next(filter(beginning.startswith, possible), "")
            if not opening:
                return
            self._ending = opening.replace("<", "</")
        thought, mark, answer = self._held.partition(self._ending)
        if mark:
            self._held, self._ending, self._answer = "", None, None
            yield Reasoning(thought)
            yield answer.lstrip()
        else:
            # Only the last letters can be the beginning of the mark.
            yield Reasoning(self._held[: -len(self._ending)])
            self._held = self._held[-len(self._ending) :]

    def rest(self) -> Iterator[str | None]:
        held = Reasoning(self._held) if self._ending else self._held
        self._held, self._ending, self._answer = "", None, None
        yield held

    def _watch(self, text: str) -> Iterator[str | None]:
        """Look for a lone closing mark, which ends its line or touches the answer.

        A text about marks quotes them.
        """
        if self._answer is None:
            yield text
            return
        self._held += text
        before, mark, after = self._held.partition(_THOUGHT_ENDS)
        if mark and after:
            whole = "".join([*self._answer, before])
            is_lone = (after[0] in "\r\n" or after[0].isalpha()) and _THOUGHT_BEGINS not in whole
            held, self._held, self._answer = self._held, "", None
            if is_lone and not whole.endswith("`"):
                yield None
                yield after.lstrip()
            else:
                yield held
            return
        if not mark:
            sizes = range(min(len(before), len(_THOUGHT_ENDS) - 1), 0, -1)
            size = next((n for n in sizes if _THOUGHT_ENDS.startswith(before[-n:])), 0)
            before = before[: len(before) - size]
        self._held = self._held[len(before) :]
        self._answer.append(before)
        yield before


def _counted(usage: Mapping[str, JsonValue]) -> wire.Counted:
    """Prompt tokens include those that were read from the cache."""
    read = wire.count_of(usage, "prompt_tokens")
    cached = wire.count_of(wire.side_fields(usage.get("prompt_tokens_details")), "cached_tokens")
    return wire.Counted(
        input_tokens=None if read is None else max(0, read - (cached or 0)),
        output_tokens=wire.count_of(usage, "completion_tokens"),
        cache_read_tokens=cached,
        cost_usd=wire.cost_of(usage, "cost"),
    )
