"""The blocks of an answer, put together from the pieces in which they arrive."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.domain.model import Block, JsonValue, Said, Sealed, Thought, ToolCall
from desktop.llm.server_tools import sealed, sealed_text

if TYPE_CHECKING:
    from anthropic.types import RawContentBlockDelta, TextCitation
    from anthropic.types.raw_content_block_start_event import ContentBlock


@dataclass(slots=True)
class _Opened:
    block: "ContentBlock"
    pieces: list[str] = field(default_factory=list)
    seal: str = ""
    web_citations: "list[TextCitation]" = field(default_factory=list)


@dataclass(slots=True)
class Blocks:
    """Feed it what arrives, by the place that the server gives each block."""

    _opened: dict[int, _Opened] = field(default_factory=dict)

    def open(self, place: int, block: "ContentBlock") -> None:
        self._opened[place] = _Opened(block)

    def add(self, place: int, delta: "RawContentBlockDelta") -> None:
        opened = self._opened.get(place)
        if opened is None:  # servers leave out the beginning of a text
            return
        match delta.type:
            case "text_delta":
                opened.pieces.append(delta.text)
            case "input_json_delta":
                opened.pieces.append(delta.partial_json)
            case "thinking_delta":
                opened.pieces.append(delta.thinking)
            case "signature_delta":
                opened.seal = delta.signature
            case "citations_delta":
                if delta.citation.type == "web_search_result_location":
                    opened.web_citations.append(delta.citation)

    def call(self, place: int) -> tuple[str, Mapping[str, JsonValue] | None] | None:
        """A call of the endpoint's own tools: its id, and what it was given."""
        opened = self._opened.get(place)
        if opened is None or opened.block.type != "server_tool_use":
            return None
        return opened.block.id, _object("".join(opened.pieces))

    def whole(self, *, is_paused: bool = False) -> tuple[Block, ...]:
        """What goes back to the endpoint as it came; nothing of an answer that is over."""
        whole = tuple(self._whole())
        goes_on = is_paused or any(isinstance(block, ToolCall) for block in whole)
        return whole if goes_on else ()

    def _whole(self) -> Iterator[Block]:
        for place, opened in self._opened.items():
            written = "".join(opened.pieces)
            block = opened.block
            match block.type:
                case "text" if opened.web_citations:
                    yield Sealed(sealed_text(written, opened.web_citations))
                case "text":
                    yield Said(written)
                case "tool_use":
                    given = _object(written) if written.strip() else _plain(block.input)
                    yield ToolCall(block.id or f"call_{place}", block.name, given)
                case "thinking" if opened.seal:  # servers that do not sign do not want it back
                    yield Thought(written, opened.seal)
                case "redacted_thinking":
                    yield Thought("", block.data, is_enciphered=True)
                case _:
                    yield from map(Sealed, sealed(block, _object(written)))


def _object(written: str) -> Mapping[str, JsonValue] | None:
    """None also for what could be read but not sent back: half letters, numbers that are none."""
    try:
        value: JsonValue = json.loads(written)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return None
    return _plain(value)


def _plain(value: object) -> Mapping[str, JsonValue] | None:
    return value if isinstance(value, Mapping) else None
