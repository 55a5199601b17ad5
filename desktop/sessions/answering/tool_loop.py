"""The tool loop of one answer: the model is asked, its tool calls are run, and it is asked again.

Tool calls and results are not stored in the session: the next turn's request begins the same way.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from desktop.domain.errors import ToolLoopError
from desktop.domain.events import Status, ToolCalled, ToolState
from desktop.domain.model import CUT_OFF, Model, ModelRequest, ToolCall, ToolResult
from desktop.domain.usage import NO_USAGE, Usage
from desktop.language.authored_text import user_texts
from desktop.language.keywords_and_stems import StopWords
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.passages import private_texts
from desktop.research.security import (
    EvidenceText,
    ToolCallGuard,
    carries_words,
    split_message,
)
from desktop.research.tools.registry import ToolRegistry, summarize_call
from desktop.research.tools.tool import ToolContext, ToolOutput
from desktop.sessions.answering.answer_lifecycle import (
    AnswerDraft,
    Exchange,
    ReplyReader,
    WritingStoppedError,
)
from desktop.sessions.answering.server_web import ServerWebAnswer
from desktop.settings.messages import Texts

MOST_ROUNDS = 6  # Rounds in which an answer may call tools; after them the model has to write it
MOST_CALLS = 8  # Per round
_MOST_CHARACTERS = 30_000
_MOST_OF_ONE = 12_000
_LONGEST_ARGUMENTS = 20_000  # Characters of them as they are shown
_PARAGRAPH = "\n\n"


@dataclass(slots=True, kw_only=True)
class ToolLoop:
    """Runs for one answer. Call `run` once; `usage` includes failed and stopped requests."""

    exchange: Exchange
    model: Model
    draft: AnswerDraft
    citing: CitationParser
    tools: ToolRegistry
    texts: Texts
    stop_words: StopWords
    server_web: ServerWebAnswer | None = None
    """The web through the endpoint's own tools, if the answer may use it."""
    usage: Usage = NO_USAGE
    _room: int | None = None  # How many characters tools may still return in this answer
    _before: str = ""  # The answer before the reply that arrives
    _last: str = ""
    _is_new_round: bool = False
    _read: list[str] = field(default_factory=list)
    """Untrusted texts that tools returned, besides passages."""
    _remembered: list[str] = field(default_factory=list)  # Those texts that are not from the web
    _listed: list[str] = field(default_factory=list)

    def run(self, request: ModelRequest) -> None:
        """Show the answer as it arrives, and run the tools it calls.

        Raises LlmError, and WritingStoppedError if the turn was stopped.
        """
        is_off = self.exchange.turn.cancelled.is_set
        reader = ReplyReader(
            exchange=self.exchange,
            model=self.model,
            citing=self.citing,
            show=self._show,
            take_back=lambda: self.exchange.show_instead(self.draft, self._before),
            count=self._count,
            texts_of=self.server_web.read if self.server_web else lambda stream, _: stream,
        )
        for count in range(1, MOST_ROUNDS + 2):
            if self.server_web is not None:
                request = self.server_web.limit(request)
            self._before = self.draft.text
            reply = reader.read(request)
            self.draft.is_cut = reply.stop_reason == CUT_OFF
            if is_off() or not (reply.calls and self.model.capabilities.tools):
                return
            if count > MOST_ROUNDS:
                raise ToolLoopError
            results = self._run_calls(reply.calls)
            if is_off():
                return
            if count == MOST_ROUNDS:
                last_round = self.texts.say("tools.last_round")
                results[-1] = replace(results[-1], text=f"{results[-1].text}\n\n{last_round}")
            request = request.going_on(reply, results)
            self._is_new_round = True
            self.exchange.turn.set_status(Status.WAITING)

    def _count(self, usage: Usage) -> None:
        self.usage += usage

    def _show(self, text: str) -> None:
        """Show text; after a tool call it begins a new paragraph. Raises WritingStoppedError."""
        if not text:
            return
        if self._is_new_round and self._last:
            ends_with = len(self._last) - len(self._last.rstrip("\n"))
            text = f"{_PARAGRAPH[ends_with:]}{text.lstrip()}"
        if text.strip():
            self._is_new_round = False
        self._last = text
        if not self.exchange.show(self.draft, text):
            raise WritingStoppedError

    def _run_calls(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        results: list[ToolResult] = []
        for place, call in enumerate(calls):
            if self.exchange.is_cancelled:
                break
            if place < MOST_CALLS:
                output = self._run_call(call)
            else:
                output = ToolOutput(self.texts.say("tools.no_room"), is_error=True)
            self.citing.add(output.passages)
            self._read += output.evidence
            tool = self.tools.tool(call.name)
            if tool is not None and not tool.is_of_web:
                self._remembered += output.evidence
            self._listed += output.listed
            results.append(ToolResult(call.id, output.text, output.is_error))
        return results

    def _run_call(self, call: ToolCall) -> ToolOutput:
        turn, tool = self.exchange.turn, self.tools.tool(call.name)
        is_outside = tool is not None and tool.outside is not None
        if is_outside and len(_shown_arguments(call)) > _LONGEST_ARGUMENTS:
            return ToolOutput(self.texts.say("tools.arguments_too_long"), is_error=True)
        is_from_evidence = self._is_from_evidence(call)
        called = ToolCalled(turn.id, call.id, call.name, summarize_call(call), ToolState.RUNNING)
        called = replace(called, is_from_evidence=is_from_evidence)
        asks_first = call.input is not None and self.tools.asks_first(call.name)
        if is_from_evidence or asks_first:
            arguments = _shown_arguments(call) if is_outside else ""
            turn.emit(replace(called, state=ToolState.ASKING, arguments=arguments))
            if not turn.replies.wait_for_permission(call.id):
                turn.emit(replace(called, state=ToolState.REFUSED))
                reason = "from_evidence" if is_from_evidence else "declined"
                return ToolOutput(self.texts.say(f"tools.{reason}"), is_error=True)
        turn.emit(called)
        began = monotonic()
        output = self._result_of(call)
        state = ToolState.FAILED if output.is_error else ToolState.DONE
        turn.emit(replace(called, state=state, duration_ms=int((monotonic() - began) * 1000)))
        return output

    def _is_from_evidence(self, call: ToolCall) -> bool:
        """Whether only text that the model has read asks for the call."""
        tool = self.tools.tool(call.name)
        if tool is None or tool.is_unguarded:
            return False
        split = list(map(split_message, user_texts(self.exchange.active.messages)))
        typed = [own for own, _ in split]
        read = [text for _, text in split] + self._read
        read += self.tools.outside_texts if tool.reaches_out else []
        evidence = list(map(EvidenceText, read))
        for passage in self.citing.passages:
            address = passage.place.address if passage.place else ""
            evidence.append(EvidenceText(passage.stored, (passage.title, address)))
        guard = ToolCallGuard(typed, evidence, self.stop_words)
        arguments = call.input or {}
        sent = "\n".join(value for value in arguments.values() if isinstance(value, str))
        if tool.outside is not None:
            sent = tool.free_text(arguments)
            if not sent:
                return False  # It takes nothing along
        private = [*private_texts(self.citing.passages), *self._remembered]
        if tool.reaches_out and carries_words(sent, private, typed):
            return True
        if tool.opens:
            reference = arguments.get(tool.opens)
            if not isinstance(reference, str):
                return False  # it lists what there is to open
            titles = [passage.title for passage in self.citing.passages if passage.place]
            listed = [*self._listed, *titles]
            return not guard.may_open_unasked(reference, listed, "\n".join(typed))
        return guard.needs_permission(tool.free_text(arguments))

    def _result_of(self, call: ToolCall) -> ToolOutput:
        if self._room is None:
            # One character per token of the context: in a small one most stays for the session.
            self._room = min(_MOST_CHARACTERS, self.model.context_tokens())
        if self._room <= 0:
            return ToolOutput(self.texts.say("tools.no_room"), is_error=True)
        exchange = self.exchange
        output = self.tools.run(
            call,
            ToolContext(
                session_id=exchange.active.id,
                wall=exchange.wall,
                messages=exchange.active.messages,
                first_number=self.citing.next_number,
                texts=self.texts,
                attachments=exchange.attachments,
                is_temporary=exchange.is_temporary,
                web_use=exchange.turn.web_use,
                stop=exchange.turn.cancelled.is_set,
            ),
        )
        most = min(_MOST_OF_ONE, self._room)
        self._room -= len(output.text)
        if len(output.text) <= most:
            return output
        return replace(output, text=f"{output.text[:most]}{self.texts.say('tools.cut')}")


def _shown_arguments(call: ToolCall) -> str:
    return json.dumps(call.input, ensure_ascii=False, indent=2)
