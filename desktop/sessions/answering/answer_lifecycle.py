"""The context of one answer: what every step works with, and how an answer begins and ends.

Also which addresses it may show unmarked.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product

from desktop.domain.errors import AppError, StorageError
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
from desktop.domain.messages import NO_MODEL, Citation, MessageState, Role
from desktop.domain.model import ModelRequest
from desktop.domain.projects import Wall
from desktop.domain.routing import Answer, Guard, Recall, Research
from desktop.domain.search import Query, Scope
from desktop.domain.usage import NO_USAGE, Usage
from desktop.domain.web import AddressRefusedError
from desktop.language.normalization import word_texts
from desktop.research.citations.url_allowlist import UrlAllowlist, find_links, normalize_link
from desktop.research.web.safe_urls import parse_address
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answer_draft import AnswerDraft
from desktop.sessions.turn import Turn
from desktop.storage.answer_records import AnswerRecord
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_PASSAGES = re.compile(r"<passage\b.*?</passage>", re.DOTALL)
_MOST_PLACES = 20
_SPELLINGS = tuple(product(("https://", "http://"), ("", "www."), ("", "/")))

Settled = Answer | Recall | Research

_OUTCOMES = {MessageState.COMPLETE: Outcome.COMPLETE, MessageState.STOPPED: Outcome.STOPPED}


@dataclass(slots=True)
class AnswerContext:
    """What the steps of an answer share: turn, session, question, and how it is to be answered."""

    turn: Turn
    active: ActiveSession
    wall: Wall
    question: str = field(init=False)
    then: Settled = field(default_factory=Answer)
    guard: Guard | None = None  # The part that the application itself answers
    asked: str = ""  # The part of the message that the application does not answer itself

    def __post_init__(self) -> None:
        self.question = self.asked = self.active.messages[-1].content

    @property
    def is_temporary(self) -> bool:
        return self.active.is_temporary

    @property
    def has_pictures(self) -> bool:
        return any(one.is_picture for one in self.active.messages[-1].files)

    @property
    def is_cancelled(self) -> bool:
        return self.turn.cancelled.is_set()

    @property
    def beside(self) -> list[AttachedId]:
        return [one for one in self.turn.beside if one != self.active.id]

    def begin_answer(self, model: str) -> AnswerDraft | None:
        """Create and save the draft of an answer; None if the turn has already been stopped.

        `model` is the name stored with the answer. Raises StorageError.
        """
        draft = self.turn.open(lambda: self._make_draft(model))
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
        if citations or usage != NO_USAGE:
            self.active.record(AnswerRecord(draft.message.id, draft.model, citations, usage))
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

    def write_quoted(self, text: str, citations: Sequence[Citation] = ()) -> TurnEnded:
        draft = self.begin_answer(NO_MODEL)
        if draft is None:
            return self.turn.end(Outcome.STOPPED)
        self.show(draft, text)
        return self.end_answer(draft, MessageState.COMPLETE, citations)

    def _make_draft(self, model: str) -> AnswerDraft:
        active = self.active
        message = active.add(Role.ASSISTANT, "", state=MessageState.STREAMING, model=model)
        try:
            active.save()
        except StorageError:
            # Nobody would ever complete it: the question is asked again, without an empty answer.
            active.take_back(message)
            raise
        return AnswerDraft(active, message)


def known_links(request: ModelRequest, context: AnswerContext, archive: Archive) -> UrlAllowlist:
    """Return addresses an answer may show unmarked: read, in the library, or the user's.

    Addresses inside passages are left to their citations: not all of them were ever read. Imported
    answers of other programs do not count; all messages of a temporary session do, as what was
    read for them is stored nowhere else.
    """
    is_temporary = context.is_temporary
    heard = [one for one in context.active.messages if one.role is Role.USER or is_temporary]
    said = [one.content for one in heard]
    around = _PASSAGES.sub(" ", request.changing or "")
    return UrlAllowlist(
        [request.instructions, around, *said], partial(_is_stored, archive, context.wall)
    )


def _is_stored(archive: Archive, wall: Wall, link: str) -> bool:
    """Whether the page was ever read, or a text of the library contains it."""
    even = normalize_link(link)
    try:
        sources = archive.sources.of(wall.project)
        if any(sources.at_address(one) for one in _spelled(even)):
            return True
        said = " ".join(word_texts(even))
        query = Query("", limit=_MOST_PLACES, scope=Scope(wall))
        found = archive.source_index.newest_matches(f'"{said}"', query) if said else ()
        return any(even in find_links(one.text) for one in found)
    except StorageError as exc:
        log.info("an address could not be looked up: %s", exc.key)
        return False


def _spelled(even: str) -> list[str]:
    try:
        return [str(parse_address(f"{scheme}{www}{even}{end}")) for scheme, www, end in _SPELLINGS]
    except AddressRefusedError:
        return []
