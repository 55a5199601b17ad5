"""Summarises older messages: in the background after a turn, or if a request is too long.

One compact is made at a time; other callers that need one wait for it.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import (
    ContextTooLongError,
    LlmError,
    RefusedError,
    ReplyInvalidError,
    RequestRejectedError,
)
from desktop.domain.facts import Learned
from desktop.domain.messages import Compact, Message, covered
from desktop.domain.model import Hold, Model
from desktop.domain.projects import Wall
from desktop.domain.usage import Figure, Purpose
from desktop.language.authored_text import user_texts
from desktop.memory import compaction
from desktop.memory.memory import Memory
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.sessions.conversation.assistant_context import AssistantContext, Wording
from desktop.sessions.conversation.turn import Turn
from desktop.settings.settings import Overflow, number_of
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

WILL_NOT_PASS = (ReplyInvalidError, RefusedError, ContextTooLongError, RequestRejectedError)
_TRIED_AGAIN_AFTER = 20  # Messages that must be added before a failed summary is retried
_LOOKS_EVERY_S = 0.05
_FEWEST = number_of("compact_after").whole.start


@dataclass(frozen=True, slots=True)
class Compactor:
    """Any thread may call; disk access raises StorageError."""

    archive: Archive
    memory: Memory
    context: AssistantContext
    _making: Lock = field(default_factory=Lock)

    def compact_due(
        self, active: ActiveSession, should_stop: Callable[[], bool]
    ) -> Iterator[Learned]:
        """Make the compacts that are due; yield the facts learned. Never blocks a turn.

        If the model cannot be reached, it is retried after the next turn.
        """
        while not should_stop() and self._may_be_due(active):
            with self._making:
                wall = Wall(active.session.project)
                model = self.context.background(ModelRole.SUMMARISING, wall, Purpose.COMPACT)
                if model is None or not self._may_be_due(active):
                    return
                length = self.length(self.context.model(ModelRole.ANSWERING, wall) or model)
                waiting = active.messages[self._covered(active) :]
                messages = compaction.find_due(
                    waiting, length=length, recent_count=self.recent_count()
                )
                if not messages:
                    return
                try:
                    learned = self._make(active, model, messages)
                except LlmError as exc:
                    log.info("older messages will be summarised later: %s", exc.key)
                    return
            if learned is not None:
                yield learned

    def compact_now(self, messages: Sequence[Message], answering: Model, turn: Turn) -> int:
        """Summarise as many of these messages as fit one request; return the last one's number.

        Returns 0 if there is no result: the turn was stopped, or the reply is not a summary.
        What a summary omits is added verbatim. Raises LlmError.
        """
        wall = self._wall(messages[0])
        model = self.context.model(ModelRole.SUMMARISING, wall) or answering
        while not self._making.acquire(timeout=_LOOKS_EVERY_S):
            if turn.cancelled.is_set():
                return 0
        try:
            first = messages[0]
            made = covered(self.archive.compacts.compacts(first.session_id))
            if made + 1 != first.number:
                return made if made >= first.number else 0
            if reached := self.archive.compacts.use_reserve(first.session_id, first.number):
                return reached
            messages = compaction.fit_to_context(messages, model)
            written = self._write(messages, model, turn.hold)
            if turn.cancelled.is_set():
                return 0
            self.memory.learn(self._wall(first), first.session_id, messages, written.facts)
            compact = compaction.append_originals(written, messages, self._wording(first).texts)
            return compact.to_number if self._keep(compact, messages) else 0
        except WILL_NOT_PASS as exc:
            log.info("older messages cannot be summarised: %s", exc.key)
            return 0
        finally:
            self._making.release()

    def length(self, model: Model) -> int:
        settings = self.context.settings()
        chosen = settings.compact_after or compaction.suggested_length(model.context_tokens())
        return max(_FEWEST, chosen // 2) if settings.is_lite else chosen

    def recent_count(self) -> int:
        """Return how many of the newest messages are sent unchanged."""
        settings = self.context.settings()
        return settings.history_items // 2 if settings.is_lite else settings.history_items

    def _may_be_due(self, active: ActiveSession) -> bool:
        """Check cheaply, without querying the model's context size."""
        if self.context.settings().overflow is not Overflow.SUMMARISE:
            return False
        fewest = _FEWEST + self.recent_count()
        if len(active.messages) < fewest:
            return False
        after = self._covered(active)
        failed_at = self.archive.compacts.failed_at(active.id, covered=after)
        has_grown = not failed_at or len(active.messages) >= failed_at + _TRIED_AGAIN_AFTER
        return has_grown and len(active.messages) - after >= fewest

    def _covered(self, active: ActiveSession) -> int:
        return covered(self.archive.compacts.on_path(active.id, active.messages))

    def _make(
        self, active: ActiveSession, model: Model, messages: Sequence[Message]
    ) -> Learned | None:
        """Make one compact; return what was learned.

        The originals stay if the summary is unusable, or the path has changed. The facts of
        the reply are learned all the same, as the reading at the session's end starts
        later.
        """
        messages = compaction.fit_to_context(messages, model)
        learned: Learned | None = None
        if compaction.fits_whole(messages, model):
            try:
                written = self._write(messages, model)
            except WILL_NOT_PASS as exc:
                log.info("older messages stay as they are: %s", exc.key)
            else:
                # First: if the process dies in between, it is learned twice, which adds nothing.
                wall = self._wall(messages[0])
                learned = self.memory.learn(wall, active.id, messages, written.facts)
                if not written.missing and self._keep(written.compact, messages):
                    return learned
                log.info("a summary is not used: it lacks %d pieces", len(written.missing.all))
        self.archive.compacts.note_failure(
            active.id, covered=messages[0].number - 1, messages=len(active.messages)
        )
        return learned

    def _keep(self, compact: Compact, messages: Sequence[Message]) -> bool:
        """Store a compact; return False if it saves nothing, or the session's path has changed."""
        length = sum(len(message.content) for message in messages)
        if len(compact.summary) >= length:
            log.info("a summary is not used: it is not shorter than its messages")
            return False
        if is_kept := self.archive.compacts.add(compact):
            self.context.figures.record(Figure.COMPRESSION, len(compact.summary) / max(length, 1))
        return is_kept

    def _write(
        self, messages: Sequence[Message], model: Model, hold: Hold | None = None
    ) -> compaction.WrittenSummary:
        session_id = messages[0].session_id
        wording = self._wording(messages[0])
        learns = self.context.settings().uses_memory
        user_text = " ".join(user_texts(messages))
        request = compaction.SummaryRequest(
            wording.instructions("summarise", *(("learn",) if learns else ())),
            wording.texts,
            self.context.phrases().stop_words,
            self.memory.facts_to_compare(user_text, self._wall(messages[0])) if learns else None,
        )
        answers = self.archive.answers
        count = partial(answers.count_usage, session_id, purpose=Purpose.COMPACT, model=model.name)
        return compaction.write_compact(model, request, messages, count, hold)

    def _wall(self, message: Message) -> Wall:
        return Wall(self.archive.sessions.session(message.session_id).project)

    def _wording(self, message: Message) -> Wording:
        session = self.archive.sessions.session(message.session_id)
        return self.context.wording(session.language or self.context.language())
