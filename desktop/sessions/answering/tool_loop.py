"""The rounds of one answer: a model is asked, what it calls for is done, and it is asked on.

Nothing of this is kept in the session: the next turn's request begins as this one's did.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from time import monotonic

from desktop.domain.errors import LlmError, ToolLoopError
from desktop.domain.events import Status, StatusChanged, ToolCalled, ToolState, TurnEvent
from desktop.domain.messages import Role
from desktop.domain.model import (
    CUT_OFF,
    Model,
    ModelRequest,
    Reply,
    ReplyStream,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from desktop.domain.usage import NO_USAGE, Usage
from desktop.language.stopwords import StopWords
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.security.tool_call_guard import (
    EvidenceText,
    ToolCallGuard,
    split_message,
)
from desktop.research.tools.registry import Registry, summary_of
from desktop.research.tools.tool import Calling, Told
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.server_web_answer import Serving
from desktop.sessions.turn import Turn
from desktop.settings.messages import Texts

MOST_ROUNDS = 6
"""How often an answer may call for tools; asked once more, the model has to write it."""
MOST_CALLS = 8
"""In one round."""
_MOST_CHARACTERS = 30_000
_MOST_OF_ONE = 12_000
_PARAGRAPH = "\n\n"


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of an answer, and the language in which the model is told of them."""

    registry: Registry
    texts: Texts
    stop_words: StopWords
    serving: Serving | None = None
    """The web by the endpoint's own tools, where the answer may have it."""

    def specs(self) -> Sequence[ToolSpec]:
        return self.registry.offered(self.texts)


@dataclass(slots=True)
class Rounds:
    """For one answer. Iterate `events` once; `usage` counts also what failed or was stopped."""

    turn: Turn
    active: ActiveSession
    model: Model
    citing: CitationParser
    toolbox: Toolbox | None = None
    usage: Usage = NO_USAGE
    is_cut: bool = False
    """Whether the last of it had no more room."""
    _room: int | None = None
    """How many characters tools may still tell in this answer."""
    _last: str = ""
    """What was said last."""
    _is_new_round: bool = False
    _read: list[str] = field(default_factory=list)
    """Texts of others that tools brought, besides passages."""
    _listed: list[str] = field(default_factory=list)
    """Titles and addresses that tools found."""

    def events(self, request: ModelRequest) -> Generator[str | TurnEvent, None, None]:
        """Text as it is shown, and what is done meanwhile. Raises LlmError."""
        for count in range(1, MOST_ROUNDS + 2):
            if self._serving is not None:
                request = self._serving.asking(request)
            reply = yield from self._asked(request)
            if self.turn.cancelled.is_set() or not reply.calls or self.toolbox is None:
                return
            if count > MOST_ROUNDS:
                raise ToolLoopError
            results = yield from self._results(reply.calls, self.toolbox)
            if self.turn.cancelled.is_set():
                return
            if count == MOST_ROUNDS:
                results[-1] = _with(results[-1], self.toolbox.texts.say("tools.last_round"))
            request = request.going_on(reply, results)
            self._is_new_round = True
            yield StatusChanged(self.turn.id, Status.WAITING)

    def _asked(self, request: ModelRequest) -> Generator[str | TurnEvent, None, Reply]:
        with self.model.stream(request) as stream:
            self.turn.hold(stream)
            try:
                with closing(self._arriving(stream)) as arriving:
                    for text in arriving:
                        yield from self._meanwhile()
                        yield from self._shown(self.citing.feed(text))
                yield from self._meanwhile()
                yield from self._shown(self.citing.flush())
            except LlmError:
                yield from self._meanwhile()
                # What was held back as the beginning of a citation was said all the same.
                yield from self._shown(self.citing.flush())
                raise
            finally:
                self.usage += stream.usage
                self.turn.count_first(stream.usage)
                self.turn.hold(None)
            reply = stream.reply()
        self.is_cut = reply.stop_reason == CUT_OFF
        return reply

    def _arriving(self, stream: ReplyStream) -> Generator[str, None, None]:
        serving = self._serving
        yield from serving.following(stream, self.citing) if serving else stream

    def _meanwhile(self) -> Iterator[TurnEvent]:
        return self._serving.told() if self._serving else iter(())

    @property
    def _serving(self) -> Serving | None:
        return self.toolbox.serving if self.toolbox else None

    def _shown(self, text: str) -> Iterator[str]:
        """What is said after a call begins a paragraph of its own."""
        if not text:
            return
        if self._is_new_round and self._last:
            text = f"{_PARAGRAPH[_new_lines(self._last) :]}{text.lstrip()}"
        if text.strip():
            self._is_new_round = False
        self._last = text
        yield text

    def _results(
        self, calls: Sequence[ToolCall], toolbox: Toolbox
    ) -> Generator[ToolCalled, None, list[ToolResult]]:
        results: list[ToolResult] = []
        for place, call in enumerate(calls):
            if self.turn.cancelled.is_set():
                break
            if place < MOST_CALLS:
                told = yield from self._done(call, toolbox)
            else:
                told = Told(toolbox.texts.say("tools.no_room"), is_error=True)
            self.citing.add(told.passages)
            self._read += told.evidence
            self._listed += told.listed
            results.append(ToolResult(call.id, told.text, told.is_error))
        return results

    def _done(self, call: ToolCall, toolbox: Toolbox) -> Generator[ToolCalled, None, Told]:
        is_from_evidence = self._is_from_evidence(call, toolbox)
        called = ToolCalled(
            self.turn.id,
            call.id,
            call.name,
            summary_of(call),
            ToolState.RUNNING,
            is_from_evidence=is_from_evidence,
        )
        if is_from_evidence or self._asks_first(call, toolbox):
            yield replace(called, state=ToolState.ASKING)
            if not self.turn.permissions.ask(call.id):
                yield replace(called, state=ToolState.REFUSED)
                reason = "from_evidence" if is_from_evidence else "declined"
                return Told(toolbox.texts.say(f"tools.{reason}"), is_error=True)
        yield called
        began = monotonic()
        told = self._told(call, toolbox)
        state = ToolState.FAILED if told.is_error else ToolState.DONE
        yield replace(called, state=state, duration_ms=int((monotonic() - began) * 1000))
        return told

    def _asks_first(self, call: ToolCall, toolbox: Toolbox) -> bool:
        return call.input is not None and toolbox.registry.asks_first(call.name)

    def _is_from_evidence(self, call: ToolCall, toolbox: Toolbox) -> bool:
        """Whether only text that the model has read asks for the call."""
        tool = toolbox.registry.tool(call.name)
        if tool is None or tool.is_unguarded:
            return False
        messages = [one.content for one in self.active.messages if one.role is Role.USER]
        typed = [split_message(one)[0] for one in messages]
        guard = ToolCallGuard(typed, list(self._evidence()), toolbox.stop_words)
        given = call.input or {}
        if tool.opens:
            reference = given.get(tool.opens)
            if not isinstance(reference, str):
                return False  # it lists what there is to open
            listed = [*self._listed, *(one.title for one in self.citing.passages if one.place)]
            return not guard.may_open_unasked(reference, listed, "\n".join(typed))
        return guard.needs_permission(tool.free_text(given))

    def _evidence(self) -> Iterator[EvidenceText]:
        """What others wrote and the model reads: passages, results of tools, pasted text."""
        for message in self.active.messages:
            if message.role is Role.USER:
                yield EvidenceText(split_message(message.content)[1])
        for passage in self.citing.passages:
            address = passage.place.address if passage.place else ""
            yield EvidenceText(passage.stored, (passage.title, address))
        yield from map(EvidenceText, self._read)

    def _told(self, call: ToolCall, toolbox: Toolbox) -> Told:
        texts = toolbox.texts
        if self._room is None:
            # A character of the context's tokens: of a small one most stays for the session.
            self._room = min(_MOST_CHARACTERS, self.model.context_tokens())
        if self._room <= 0:
            return Told(texts.say("tools.no_room"), is_error=True)
        told = toolbox.registry.run(call, self._calling(texts))
        most = min(_MOST_OF_ONE, self._room)
        self._room -= len(told.text)
        if len(told.text) <= most:
            return told
        return replace(told, text=f"{told.text[:most]}{texts.say('tools.cut')}")

    def _calling(self, texts: Texts) -> Calling:
        return Calling(
            self.active.id,
            self.active.messages,
            self.citing.next_number,
            texts,
            [one for one in self.turn.beside if one != self.active.id],
            self.active.is_temporary,
            self.turn.web_use,
            any(one.text.strip() for one in self._evidence()),
            self.turn.cancelled.is_set,
        )


def _new_lines(text: str) -> int:
    return min(len(_PARAGRAPH), len(text) - len(text.rstrip("\n")))


def _with(result: ToolResult, words: str) -> ToolResult:
    return replace(result, text=f"{result.text}\n\n{words}")
