"""An answer as it arrives over the wire."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from desktop.domain.errors import ContextTooLongError, LlmError, RefusedError, StreamBrokenError
from desktop.domain.model import ModelRequest, Reply
from desktop.domain.usage import NO_USAGE, Usage
from desktop.language.quotable import quotable
from desktop.llm.blocks import Blocks
from desktop.llm.connection import Connection
from desktop.llm.lines import cut_line_of
from desktop.llm.usage import model_facts

if TYPE_CHECKING:
    from anthropic import Stream
    from anthropic.types import RawMessageStreamEvent
    from anthropic.types.citations_delta import Citation

_NO_ANSWER: MappingProxyType[str, type[LlmError]] = MappingProxyType(
    {"refusal": RefusedError, "model_context_window_exceeded": ContextTooLongError}
)


class MessagesStream:
    """Implements domain.model.ReplyStream. One thread iterates; any other may `stop`."""

    def __init__(
        self,
        events: "Stream[RawMessageStreamEvent]",
        connection: Connection,
        model: str,
        request: ModelRequest,
    ) -> None:
        self._events = events
        self._connection = connection
        self._model = model
        self._request = request
        self._texts: list[str] = []
        self._blocks = Blocks()
        self._usage = NO_USAGE
        self._stop_reason: str | None = None
        self._cited: dict[int, list[str]] = {}
        """What each block of the answer cites, as it is written behind it."""

    def __iter__(self) -> Iterator[str]:
        with self._connection.errors(self._model, self._request):
            for event in self._events:
                text = self._take(event)
                if text:
                    self._texts.append(text)
                    yield text
        self._check_ending()

    @property
    def usage(self) -> Usage:
        return model_facts().priced(self._model, self._usage)

    def reply(self) -> Reply:
        if self._stop_reason is None:
            raise StreamBrokenError(where=self._connection.endpoint.name)
        text, blocks = "".join(self._texts), self._blocks.whole()
        return Reply(text, self._stop_reason, self.usage, blocks)

    def stop(self) -> None:
        """Hang up, also while another thread waits for the next word: its iteration then fails."""
        cut_line_of(self._events.response)

    def close(self) -> None:
        self._events.close()

    def _take(self, event: "RawMessageStreamEvent") -> str:
        match event.type:
            case "message_start":
                self._count(event.message.usage)
            case "content_block_start":
                self._blocks.open(event.index, event.content_block)
            case "content_block_delta":
                self._blocks.add(event.index, event.delta)
                if event.delta.type == "citations_delta":
                    self._cite(event.index, event.delta.citation)
                return event.delta.text if event.delta.type == "text_delta" else ""
            case "content_block_stop":
                return "".join(dict.fromkeys(self._cited.pop(event.index, ())))
            case "message_delta":
                self._stop_reason = event.delta.stop_reason
                self._count(event.usage)
            case _:  # the end of the message
                pass
        return ""

    def _cite(self, block: int, citation: "Citation") -> None:
        """Of a passage that was never sent, nothing: its words are nobody's."""
        results = self._request.results
        if citation.type != "search_result_location":
            return
        if 0 <= citation.search_result_index < len(results):
            number = results[citation.search_result_index].number
            mark = f' [{number}: "{quotable(citation.cited_text)}"]'
            self._cited.setdefault(block, []).append(mark)

    def _count(self, counted: object) -> None:
        """The newest numbers hold, and zeros of servers that only fill the field tell nothing."""
        fields = {ours: getattr(counted, theirs, None) for ours, theirs in _COUNTS.items()}
        self._usage = replace(
            self._usage, **{name: count for name, count in fields.items() if count}
        )

    def _check_ending(self) -> None:
        where = self._connection.endpoint.name
        if self._stop_reason is None:
            raise StreamBrokenError(where=where)
        if error := _NO_ANSWER.get(self._stop_reason):
            raise error(where=where)


_COUNTS = MappingProxyType(
    {
        "input_tokens": "input_tokens",
        "output_tokens": "output_tokens",
        "cache_read_tokens": "cache_read_input_tokens",
        "cache_write_tokens": "cache_creation_input_tokens",
    }
)
