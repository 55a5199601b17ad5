"""One answer from its first word to its last: what every step works with, its draft, its end.

What has arrived is in memory at once, on the disk at least once a second.
"""

import logging
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from threading import Event, Lock, Thread
from time import monotonic

from desktop.domain.errors import AppError, LlmError, StorageError
from desktop.domain.events import (
    CitationArrived,
    MessageAdded,
    Outcome,
    Status,
    TextArrived,
    TurnEnded,
    UsageCounted,
)
from desktop.domain.ids import AttachedId
from desktop.domain.messages import BUILTIN, CUT, NO_MODEL, Citation, Message, MessageState, Role
from desktop.domain.model import Instead, Model, ModelRequest, Reply, ReplyStream
from desktop.domain.projects import Wall
from desktop.domain.routing import Answer, Answering, Guard, Research, Tier, Work
from desktop.domain.search import Query, Scope
from desktop.domain.usage import NO_USAGE, Usage
from desktop.domain.web import AddressRefusedError
from desktop.language.normalization import fix_surrogates, word_texts
from desktop.research.citations.citation_parser import CitationParser
from desktop.research.citations.url_allowlist import UrlAllowlist, find_links, normalize_link
from desktop.research.web.safe_urls import parse_address
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.sessions.conversation.turn import Turn
from desktop.settings.settings import ClaimChecks
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord

log = logging.getLogger(__name__)

COMMIT_EVERY_S = 0.8  # Below the second that may be lost, as the commit itself takes time
_PASSAGES = re.compile(r"<passage\b.*?</passage>", re.DOTALL)
_MOST_PLACES = 20
_SPELLINGS = tuple(product(("https://", "http://"), ("", "www."), ("", "/")))

_OUTCOMES = {MessageState.COMPLETE: Outcome.COMPLETE, MessageState.STOPPED: Outcome.STOPPED}


class AnswerDraft:
    """Collects an answer's text and commits it on a thread of its own.

    The thread also commits while nothing arrives, so that text never stays only in memory when a
    model pauses or a worker hangs in the network.
    """

    def __init__(
        self, active: ActiveSession, message: Message, *, commit_every_s: float = COMMIT_EVERY_S
    ) -> None:
        self._active = active
        self._message = message
        self._commit_every_s = commit_every_s
        self.instead: Callable[[], str] = str
        """Returns the text of an answer that was stopped before its first word."""
        self.written_by: Callable[[], str] = str
        """Returns the model's name if the endpoint chose it from its own list."""
        self.waited_s: Callable[[], float] = float
        """Returns how long it waited for the user, which is not part of the answer's time."""
        self.citations: Callable[[], Sequence[Citation]] = tuple
        """Returns the citations of what has arrived, and perhaps of a little more."""
        self.is_own = False  # Whether the text is the application's own, though a model was asked
        self.is_cut = False  # Whether the text was cut for lack of room
        self._pieces: list[str] = []
        self._committed = 0
        self._committed_citations: Sequence[Citation] = ()
        self._lock = Lock()
        self._is_closed = Event()
        self._began = monotonic()
        self._committer = Thread(target=self._commit_regularly, name="answer-draft", daemon=True)
        self._committer.start()

    @property
    def message(self) -> Message:
        return self._message

    @property
    def model(self) -> str:
        """Return the name stored with the answer; empty until the endpoint has chosen a model."""
        return self._message.model or self.written_by()

    @property
    def has_text(self) -> bool:
        with self._lock:
            return bool(self._pieces)

    def append(self, text: str) -> bool:
        """Append text that arrived; False if the answer was closed meanwhile."""
        with self._lock:
            if self._is_closed.is_set():
                return False
            self._pieces.append(text)
            return True

    @property
    def text(self) -> str:
        with self._lock:
            return self._text()

    def set_text(self, text: str) -> bool:
        """Replace the text so far; False if the answer was closed meanwhile."""
        with self._lock:
            if self._is_closed.is_set():
                return False
            self._pieces, self._committed = [text], 0
            return True

    def close(self, state: MessageState, *, error: str | None = None) -> None:
        """Give the answer its final state, in memory and on the disk; raises StorageError.

        Only the first call has an effect; later callers find the answer on the disk too.
        """
        with self._lock:
            if not self._is_closed.is_set():
                self._is_closed.set()
                is_stopped = state is MessageState.STOPPED
                instead = fix_surrogates(self.instead()) if is_stopped and not self._pieces else ""
                self._message = replace(
                    self._message,
                    content=self._text() or instead,
                    state=state,
                    error=CUT
                    if self.is_cut and state is MessageState.COMPLETE
                    else error or self._message.error,
                    model=NO_MODEL if self.is_own else self.model,
                    duration_ms=int((monotonic() - self._began - self.waited_s()) * 1000),
                )
                self._active.replace(self._message)
        self._active.save()

    def _text(self) -> str:
        return fix_surrogates("".join(self._pieces))

    def _commit_regularly(self) -> None:
        pause_s = self._commit_every_s
        while not self._is_closed.wait(pause_s):
            began = monotonic()
            self._commit()
            # A slow disk must not add its time to the interval between two commits.
            pause_s = max(0.0, self._commit_every_s - (monotonic() - began))

    def _commit(self) -> None:
        with self._lock:
            if self._is_closed.is_set() or len(self._pieces) == self._committed:
                return
            count = len(self._pieces)
            arrived = replace(self._message, content=self._text())
            citations = self.citations()
        record = AnswerRecord(arrived.id, self.model, citations)
        is_cited_anew = citations != self._committed_citations
        try:
            self._active.save_partial(arrived, record if is_cited_anew else None)
        except StorageError as exc:
            # The text stays in memory; the next commit, or the close, writes all of it.
            log.warning("what has arrived of an answer is not on the disk yet: %s", exc.key)
        else:
            self._committed, self._committed_citations = count, citations


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What the steps of an answer share: the turn, the session, the question and its decision."""

    turn: Turn
    active: ActiveSession
    wall: Wall
    message: Message
    answering: Answering
    continued: str = ""  # The text of an answer that was cut, with which its next version begins
    continued_citations: Sequence[Citation] = ()
    claim_checks: ClaimChecks = ClaimChecks.NEVER

    @property
    def question(self) -> str:
        return self.message.content

    @property
    def guard(self) -> Guard | None:
        """The part that the application itself answers."""
        return self.answering if isinstance(self.answering, Guard) else None

    @property
    def work(self) -> Work:
        """How the part is answered that the application does not answer itself."""
        if isinstance(self.answering, Guard):
            return self.answering.then or Answer()
        return self.answering

    @property
    def open_question(self) -> str:
        """The part of the message that the application does not answer itself."""
        guard = self.guard
        return guard.rest if guard and guard.rest else self.question

    @property
    def is_temporary(self) -> bool:
        return self.active.is_temporary

    @property
    def has_pictures(self) -> bool:
        return any(file.is_picture for file in self.message.files)

    @property
    def is_cancelled(self) -> bool:
        return self.turn.cancelled.is_set()

    @property
    def attachments(self) -> list[AttachedId]:
        attached = self.turn.options.attachments
        return [attached_id for attached_id in attached if attached_id != self.active.id]

    def begin_answer(self, model: str, error: str | None = None) -> AnswerDraft | None:
        """Create and save the draft of an answer; None if the turn has already been stopped.

        `model` is the name stored with the answer; `error` marks one that is BUILTIN. Raises
        StorageError.
        """
        draft = self.turn.open(lambda: self._make_draft(model, error))
        if draft is not None:
            before, replies = self.turn.replies.waited_s, self.turn.replies
            draft.waited_s = lambda: replies.waited_s - before
            self.turn.emit(MessageAdded(self.turn.id, draft.message, is_saved=True))
        return draft

    def show(self, draft: AnswerDraft, text: str) -> bool:
        """Append received text and emit it; return False if the answer has been closed."""
        if self.is_cancelled or not draft.append(text):
            return False
        self.turn.emit(TextArrived(self.turn.id, draft.message.id, text))
        return True

    def show_instead(self, draft: AnswerDraft, text: str) -> None:
        """Replace the text so far: part of it was no answer."""
        if not self.is_cancelled and draft.text != text and draft.set_text(text):
            self.turn.emit(TextArrived(self.turn.id, draft.message.id, text, is_instead=True))

    def end_answer(
        self,
        draft: AnswerDraft,
        state: MessageState,
        citations: Sequence[Citation] = (),
        *,
        usage: Usage = NO_USAGE,
        error: AppError | None = None,
    ) -> TurnEnded:
        """Close the answer with its citations and usage; return the end of its turn.

        If the disk refuses, memory holds the answer for the next save. A stopped request fails
        with an error of its own, which the user is not shown.
        """
        if self.is_cancelled:
            state, error = MessageState.STOPPED, None
        turn = self.turn
        # Without citations, too: it replaces those that were stored with a part of the text.
        asks_judge = None if draft.is_own else self._asks_judge(draft.model, citations)
        self.active.record(
            AnswerRecord(draft.message.id, draft.model, citations, usage, asks_judge)
        )
        try:
            draft.close(state, error=error.key if error else None)
        except StorageError as exc:
            log.warning("an answer is not on the disk yet: %s", exc.key)
            turn.set_status(Status.SAVING_LATER)
        message = draft.message
        if message.content and not draft.has_text:
            # It was stopped before its first word: the best so far takes its place.
            turn.emit(TextArrived(turn.id, message.id, message.content))
        for citation in citations:
            turn.emit(CitationArrived(turn.id, message.id, citation))
        if usage != NO_USAGE:
            turn.emit(UsageCounted(turn.id, usage))
        return TurnEnded(
            turn.id,
            _OUTCOMES.get(message.state, Outcome.FAILED),
            session_id=message.session_id,
            message_id=message.id,
            text=message.content,
            is_cut=draft.is_cut,
            citations=citations,
            usage=usage,
            decision=turn.decision,
            error=error,
        )

    def _asks_judge(self, model: str, citations: Sequence[Citation]) -> bool | None:
        """Whether a model is to judge the claims; None: nobody is, as for mere quotations."""
        if model == NO_MODEL or not citations:
            return None
        match self.claim_checks:
            case ClaimChecks.NEVER:
                return None
            case ClaimChecks.ON_REQUEST:
                return False
            case ClaimChecks.ALWAYS:
                return True
            case ClaimChecks.RESEARCH:
                return isinstance(self.work, Research) and self.work.tier is not Tier.QUICK

    def write_quoted(self, text: str, citations: Sequence[Citation] = ()) -> TurnEnded:
        return self._write_fixed(text, citations)

    def write_builtin(self, text: str) -> TurnEnded:
        """Write an answer that is never a model's, so there is no way to ask for another."""
        return self._write_fixed(text, error=BUILTIN)

    def _write_fixed(
        self, text: str, citations: Sequence[Citation] = (), *, error: str | None = None
    ) -> TurnEnded:
        draft = self.begin_answer(NO_MODEL, error)
        if draft is None:
            return self.turn.end(Outcome.STOPPED)
        self.show(draft, text)
        return self.end_answer(draft, MessageState.COMPLETE, citations)

    def _make_draft(self, model: str, error: str | None) -> AnswerDraft:
        active, state = self.active, MessageState.STREAMING
        message = active.add(Role.ASSISTANT, "", state=state, model=model, error=error)
        try:
            active.save()
        except StorageError:
            # Nothing would ever complete it: the question is asked again, without an empty answer.
            active.take_back(message)
            raise
        return AnswerDraft(active, message)


class WritingStoppedError(Exception):
    """The turn was stopped, and its answer is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyReader:
    """Shows the replies of a model as they arrive."""

    exchange: Exchange
    model: Model
    citing: CitationParser
    show: Callable[[str], None]  # May raise WritingStoppedError
    take_back: Callable[[], None]
    """Called when what was shown of the reply was no answer."""
    count: Callable[[Usage], None]  # Gets the usage, also of a failed or stopped request
    texts_of: Callable[[ReplyStream, CitationParser], Iterable[str]] = lambda stream, _: stream
    """Finds the pages that the endpoint cites."""
    watch: Callable[[ReplyStream], AbstractContextManager[object]] = nullcontext

    def read(self, request: ModelRequest) -> Reply:
        """Raise LlmError; what had arrived is shown then, too."""
        turn, citing, citations = self.exchange.turn, self.citing, self.citing.citations
        with self.model.stream(request) as stream:
            turn.hold(stream)
            try:
                with self.watch(stream), closing(_pieces(self.texts_of(stream, citing))) as pieces:
                    for text in pieces:
                        if isinstance(text, Instead):
                            citing.withdraw(citations)
                            self.take_back()
                        self.show(citing.feed(text))
                reply = stream.reply()
            except LlmError:
                # A citation's beginning that was held back was still written.
                self.show(citing.flush())
                raise
            finally:
                self.count(stream.usage)
                turn.count_first(stream.usage)
                turn.hold(None)
        self.show(citing.flush())
        return reply


def _pieces(texts: Iterable[str]) -> Generator[str, None, None]:
    yield from texts


def known_links(request: ModelRequest, exchange: Exchange, archive: Archive) -> UrlAllowlist:
    """Return addresses an answer may show unmarked: read, in the library, or the user's.

    Addresses inside passages are left to their citations: not all of them were ever read.
    Imported answers of other programs do not count; all messages of a temporary session do, as
    their sources are stored nowhere else.
    """
    is_temporary = exchange.is_temporary
    messages = [
        message.content
        for message in exchange.active.messages
        if message.role is Role.USER or is_temporary
    ]
    changing = _PASSAGES.sub(" ", request.changing or "")
    return UrlAllowlist(
        [request.instructions, changing, *messages], partial(_is_stored, archive, exchange.wall)
    )


def _is_stored(archive: Archive, wall: Wall, link: str) -> bool:
    """Whether the page was ever read, or a text of the library contains it."""
    even = normalize_link(link)
    try:
        sources = archive.sources.of(wall.project)
        if any(sources.at_address(address) for address in _spelled(even)):
            return True
        link_words = " ".join(word_texts(even))
        query = Query("", limit=_MOST_PLACES, scope=Scope(wall))
        index = archive.source_index
        passages = index.newest_matches(f'"{link_words}"', query) if link_words else ()
        return any(even in find_links(passage.text) for passage in passages)
    except StorageError as exc:
        log.info("an address could not be looked up: %s", exc.key)
        return False


def _spelled(even: str) -> list[str]:
    try:
        return [str(parse_address(f"{scheme}{www}{even}{end}")) for scheme, www, end in _SPELLINGS]
    except AddressRefusedError:
        return []
