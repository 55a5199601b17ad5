"""A streamed answer: its text, content blocks, citations, usage and stop reason.

It is cut off when its text goes round in circles.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from desktop.domain import errors
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.model import (
    CUT_OFF,
    Block,
    FoundPage,
    Instead,
    ModelRequest,
    Reply,
    RequestMessage,
    Sealed,
    TextBlock,
    Thought,
    ToolCall,
    WebCall,
)
from desktop.domain.usage import NO_USAGE, Usage
from desktop.language.authored_text import quotable
from desktop.language.normalization import word_texts
from desktop.llm import wire
from desktop.llm.connection import Connection, cut_line_of
from desktop.llm.endpoints import priced
from desktop.llm.server_tools import SEARCH_USD, FoundPages, cited_words, sealed, sealed_text

Send = Callable[[ModelRequest], wire.WireStream]

_NO_ANSWER: Mapping[str, type[errors.LlmError]] = {
    "refusal": errors.RefusedError,
    "model_context_window_exceeded": errors.ContextTooLongError,
}
_PAUSE = "pause_turn"
"""Stop reason of an endpoint that wants the same request again, to continue its tools."""
_MOST_PAUSES = 5
_ENDS = ".,;:!?\n"
MOST_BYTES = 1_000_000  # Of each kind in an answer: its text, the thinking, the arguments of tools
_LOOKED_AT = 10_000
_PROBE = 40
_LEAST_LETTERS = 300  # Characters that must be repeated, in any case
_MANY = 7  # Repetitions of something short; a refrain has fewer
_FEW = 3  # Repetitions of something long
_SHORT = 100
_LEAST_WORDS = 2
_FENCE = "```"
_ROW = "|"
_LIST_NUMBER = re.compile(r"(?m)^[ \t]*\d{1,4}[.)][ \t]")


@dataclass(eq=False)
class AnswerStream:
    """Implements domain.model.ReplyStream. One thread iterates; any other may `stop`."""

    _events: wire.WireStream
    _connection: Connection
    _model: str
    _request: ModelRequest
    _send: Send  # Continues the request after a pause of the endpoint
    check: Callable[[], None] = lambda: None
    """Called at each event; raises an LlmError if the endpoint may not be asked any more."""

    def __post_init__(self) -> None:
        request = self._request
        self._texts: list[str] = []
        self._repetition = RepetitionDetector()
        self._sizes: Counter[wire.Piece] = Counter()
        self._is_full = False
        self._blocks = Blocks()
        self._usage = NO_USAGE
        self._before = NO_USAGE  # Of the parts before a pause
        self._stop_reason: str | None = None
        self._is_stopped = False
        self._searches = 0
        self._web = request.web
        self._pages: FoundPages | None = None
        """Only of a request that lets the endpoint use the web, or continues one that did."""
        if request.web is not None or request.rounds:
            self._pages = FoundPages(request.web.first_number if request.web else 1)
            self._pages.go_on_from(request.rounds)
        self._reported_calls: Sequence[WebCall] = ()
        self._cited: dict[int, list[str]] = {}  # Citations of each block, written after it

    def __iter__(self) -> Iterator[str]:
        yield from self._part()
        for _ in range(_MOST_PAUSES):
            if self._stop_reason != _PAUSE or not self._go_on():
                break
            yield from self._part()
        self._check_ending()

    def _part(self) -> Iterator[str]:
        with self._connection.errors(self._model, self._request):
            for event in self._events:
                self.check()
                if isinstance(event, wire.TextWithdrawn):
                    yield Instead()
                if self._pages:
                    self._find(self._pages, event)
                text = self._take(event)
                if text:
                    self._texts.append(text)
                    self._repetition.add(text)
                before, self._reported_calls = self._reported_calls, self.web_calls
                if text or self._reported_calls != before:
                    yield text
                if self._is_full:
                    self.stop()
                    raise errors.AnswerTooLongError
                if self._is_circling(text):
                    # It would repeat itself up to its limit.
                    self._stop_reason = CUT_OFF
                    self.stop()
                    return

    def _is_circling(self, text: str) -> bool:
        # What is repeated mostly contains the end of a line or a sentence.
        if not any(mark in text for mark in _ENDS):
            return False
        messages = self._request.messages
        user_texts = [message.text for message in messages if message.role is Role.USER]
        return self._repetition.repeats_itself(user_texts[-1] if user_texts else "")

    def _go_on(self) -> bool:
        """Send the content before the pause again, unchanged."""
        if self._is_stopped:
            return False
        paused = RequestMessage(Role.ASSISTANT, blocks=self._blocks.whole(is_paused=True))
        rounds = (*self._request.rounds, paused)
        web = self._web.after(self.web_calls) if self._web else None
        self._request = replace(self._request, rounds=rounds, web=web)
        self._before, self._usage, self._searches = self.usage, NO_USAGE, 0
        self._blocks, self._stop_reason = Blocks(), None
        self._events.close()
        self._events = self._send(self._request)
        return True

    @property
    def usage(self) -> Usage:
        usage = self._usage
        counted = usage if usage.cost_usd is not None else priced(self._model, usage)
        if self._searches:
            counted += Usage(cost_usd=self._searches * SEARCH_USD)
        return self._before + counted

    @property
    def pages(self) -> Sequence[FoundPage]:
        return self._pages.seen() if self._pages else ()

    @property
    def web_calls(self) -> Sequence[WebCall]:
        return self._pages.calls if self._pages else ()

    def refuse_web(self) -> None:
        """Record that the web tools were left out of the request."""
        self._pages = FoundPages(1)
        self._pages.refuse()

    def reply(self) -> Reply:
        if self._stop_reason is None:
            raise errors.StreamBrokenError(where=self._connection.endpoint.name)
        text, blocks = "".join(self._texts), self._blocks.whole()
        return Reply(text, self._stop_reason, self.usage, blocks)

    def stop(self) -> None:
        """Close the connection; an iteration in another thread then fails."""
        self._is_stopped = True
        cut_line_of(self._events.response)

    def close(self) -> None:
        self._events.close()

    def _take(self, event: wire.WireEvent) -> str:
        match event:
            case wire.Counted():
                self._count(event)
            case wire.BlockOpened():
                self._blocks.open(event)
            case wire.PieceCame():
                event = self._cut(event)
                self._blocks.add(event)
                return event.text if event.piece is wire.Piece.TEXT else ""
            case wire.CitationCame():
                self._blocks.cite(event)
                self._cite(event)
            case wire.BlockClosed(index):
                return "".join(dict.fromkeys(self._cited.pop(index, ())))
            case wire.Ended(stop_reason):
                self._stop_reason = stop_reason
            case wire.TextWithdrawn():
                self._texts.clear()
                self._blocks.clear_texts()
            case _:
                assert_never(event)
        return ""

    def _find(self, pages: FoundPages, event: wire.WireEvent) -> None:
        match event:
            case wire.BlockOpened():
                pages.take(event)
            case wire.BlockClosed(index) if call := self._blocks.call(index):
                pages.give(*call)
            case _:
                pass

    def _cut(self, came: wire.PieceCame) -> wire.PieceCame:
        """Return what the limit leaves of a piece: a server may write without end."""
        written = came.text.encode()
        room = MOST_BYTES - self._sizes[came.piece]
        self._sizes[came.piece] += len(written)
        if len(written) <= room:
            return came
        self._is_full = True
        return replace(came, text=written[:room].decode(errors="ignore"))

    def _cite(self, citation: wire.CitationCame) -> None:
        """Record a citation; one of a passage that was never sent is ignored."""
        number = self._pages.cited(citation) if self._pages else None
        results = self._request.results
        if citation.kind is wire.CitationKind.PASSAGE and citation.place < len(results):
            number = results[citation.place].number
        if number is not None:
            mark = f' [{number}: "{quotable(cited_words(citation))}"]'
            self._cited.setdefault(citation.index, []).append(mark)

    def _count(self, counted: wire.Counted) -> None:
        """The latest counts apply; zeros from servers that only fill the field are ignored."""
        counts = {name: getattr(counted, name) for name in _COUNTS}
        self._usage = replace(
            self._usage, **{name: count for name, count in counts.items() if count}
        )
        self._searches = counted.searches or self._searches

    def _check_ending(self) -> None:
        where = self._connection.endpoint.name
        if self._stop_reason in (None, _PAUSE):
            raise errors.StreamBrokenError(where=where)
        if error := _NO_ANSWER.get(self._stop_reason):
            raise error(where=where)
        has_thought = self._sizes[wire.Piece.THOUGHT] > 0
        if has_thought and not "".join(self._texts).strip() and not self._blocks.whole():
            raise errors.OnlyReasoningError(where=where)


_COUNTS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost_usd")


@dataclass(slots=True)
class _Opened:
    block: wire.BlockOpened
    pieces: list[str] = field(default_factory=list)
    seal: str = ""
    web_citations: list[wire.CitationCame] = field(default_factory=list)


@dataclass(slots=True)
class Blocks:
    """Assembles content blocks from events, by the index that the server gives."""

    _opened: dict[int, _Opened] = field(default_factory=dict)

    def open(self, block: wire.BlockOpened) -> None:
        self._opened[block.index] = _Opened(block)

    def add(self, came: wire.PieceCame) -> None:
        opened = self._opened.get(came.index)
        if opened is None:  # servers leave out the beginning of a text
            return
        if came.piece is wire.Piece.SEAL:
            opened.seal = came.text
        else:
            opened.pieces.append(came.text)

    def clear_texts(self) -> None:
        for opened in self._opened.values():
            if opened.block.kind is wire.BlockKind.TEXT:
                opened.pieces.clear()

    def cite(self, citation: wire.CitationCame) -> None:
        opened = self._opened.get(citation.index)
        if opened is not None and citation.kind is wire.CitationKind.WEB_SEARCH:
            opened.web_citations.append(citation)

    def call(self, place: int) -> tuple[str, Mapping[str, JsonValue] | None] | None:
        """Return the id and input of a call of the endpoint's own tools."""
        opened = self._opened.get(place)
        if opened is None or opened.block.kind is not wire.BlockKind.SERVER_CALL:
            return None
        return opened.block.id, _object("".join(opened.pieces))

    def whole(self, *, is_paused: bool = False) -> tuple[Block, ...]:
        """Return the blocks to send back unchanged; empty when the answer is complete."""
        whole = tuple(self._whole())
        goes_on = is_paused or any(isinstance(block, ToolCall) for block in whole)
        return whole if goes_on else ()

    def _whole(self) -> Iterator[Block]:
        for opened in self._opened.values():
            written = "".join(opened.pieces)
            match opened.block.kind:
                case wire.BlockKind.TEXT if opened.web_citations:
                    yield Sealed(sealed_text(written, opened.web_citations))
                case wire.BlockKind.TEXT:
                    yield TextBlock(written)
                case wire.BlockKind.TOOL_CALL:
                    yield from _tool_call(opened.block, written)
                case wire.BlockKind.THINKING:
                    if opened.seal:  # servers that do not sign do not want it back
                        yield Thought(written, opened.seal)
                case wire.BlockKind.REDACTED_THINKING:
                    yield Thought("", str(opened.block.content.get("data")), is_enciphered=True)
                case _:
                    yield from map(Sealed, sealed(opened.block, _object(written)))


def _tool_call(block: wire.BlockOpened, written: str) -> Iterator[Block]:
    arguments = _object(written) if written.strip() else _plain(block.content.get("input"))
    call_id = block.id or f"call_{block.index}"
    yield ToolCall(call_id, block.name, arguments)
    if block.extra:
        yield Sealed({"id": call_id, wire.EXTRA_CONTENT: block.extra})


def _object(written: str) -> Mapping[str, JsonValue] | None:
    """Return the parsed object; None also if it could not be sent back: lone surrogates, NaN."""
    try:
        value: JsonValue = json.loads(written)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return None
    return _plain(value)


def _plain(value: object) -> Mapping[str, JsonValue] | None:
    return value if isinstance(value, Mapping) else None


class RepetitionDetector:
    """Detects a text that repeats itself without end, as answers of small models can.

    It follows the text as it arrives. The cost of a look does not grow with the text's length.
    """

    def __init__(self) -> None:
        self._end = ""
        self._ticks = ""  # Backticks at the end that are not part of a whole fence yet
        self._is_code = False

    def add(self, text: str) -> None:
        self._end = (self._end + text)[-_LOOKED_AT:]
        text = self._ticks + text
        self._is_code ^= text.count(_FENCE) % 2 == 1
        self._ticks = "`" * ((len(text) - len(text.rstrip("`"))) % len(_FENCE))

    def repeats_itself(self, question: str = "") -> bool:
        """Whether the end repeats the same words.

        Code, table rows and rules may repeat themselves; so may text in `question`, as a
        user may want a sentence written a hundred times.
        """
        return not self._is_code and _repeats_itself(self._end, question)


def repeats_itself(text: str, question: str = "") -> bool:
    detector = RepetitionDetector()
    detector.add(text)
    return detector.repeats_itself(question)


def _repeats_itself(end: str, question: str) -> bool:
    end = _LIST_NUMBER.sub("0. ", end).rstrip()
    before = end.rfind(end[-_PROBE:], 0, -1)
    if before < 0:
        return False
    period = len(end) - _PROBE - before
    again = max(_LEAST_LETTERS, _MANY * min(period, _SHORT), _FEW * period)
    if len(end) < again + period or end[-again:] != end[-again - period : -period]:
        return False
    words = word_texts(end[-period:])
    if len(words) < _LEAST_WORDS or _ROW in end[-period:]:
        return False
    return not set(words) <= set(word_texts(question))
