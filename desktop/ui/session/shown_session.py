"""The session that is shown: read on a worker, messages first and their details after.

Also answers that come while another one is shown: those that go on, and those not seen yet.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain import events
from desktop.domain.errors import AppError, SessionUnknownError
from desktop.domain.facts import Fact
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Role, Versions
from desktop.domain.notes import Note
from desktop.domain.sessions import RemovedOriginals, Session
from desktop.domain.usage import NO_USAGE, Usage
from desktop.settings.messages import Texts
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.notices import LATER, SessionNotices
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.transcript.entries import MessageEntry, MessageFacts
from desktop.ui.transcript.view import TranscriptView

if TYPE_CHECKING:
    from desktop.sessions.conversation.active_session import ActiveSession
    from desktop.sessions.services import Services


@dataclass(frozen=True, slots=True)
class OpenedSession:
    session: Session
    messages: Sequence[Message]
    removed: RemovedOriginals | None = None  # Where its messages are, if they were removed


@dataclass(frozen=True, slots=True)
class SessionUsage:
    """The tokens of a session, read in one way wherever they are shown."""

    usage: Mapping[MessageId | None, Usage]
    """By answer; None: what the session itself has cost, its description, say."""
    next_request: int  # Of the active session, without its question; 0 for others

    @property
    def whole(self) -> Usage:
        return sum(self.usage.values(), NO_USAGE)


@dataclass(frozen=True, slots=True)
class SessionFacts:
    session_id: SessionId
    of: Mapping[MessageId, MessageFacts]
    spent: SessionUsage


def open_session(services: "Services", session_id: SessionId) -> OpenedSession:
    active = services.assistant.in_memory(session_id)
    if active is not None:
        return OpenedSession(active.session, active.messages)
    session = services.archive.session(session_id)
    messages = services.archive.messages(session_id)
    removed = None if messages else services.archive.removed_originals(session_id)
    return OpenedSession(session, messages, removed)


def open_active(services: "Services") -> OpenedSession | None:
    active = services.assistant.active
    return OpenedSession(active.session, active.messages) if active is not None else None


def facts_of(services: "Services", session_id: SessionId) -> SessionFacts:
    active = services.assistant.active
    if active is not None and active.id == session_id and active.is_temporary:
        return _facts_in_memory(services, active)
    archive = services.archive
    citations = archive.citations(session_id)
    reviews = archive.claim_reviews(session_id)
    ratings = archive.ratings(session_id)
    usage = archive.usage(session_id)
    stored = [version.message for version in archive.all_versions(session_id)]
    versions = _versions(stored)
    remembered = remembered_of(services, session_id)
    recalled = archive.recalled_with(session_id)
    texts = services.texts()
    notes: defaultdict[MessageId | None, list[Note]] = defaultdict(list)
    for note in archive.notes_of_session(session_id):
        notes[note.message_id].append(note)
    facts = {
        message.id: MessageFacts(
            citations=citations.get(message.id, ()),
            rating=ratings.get(message.id),
            versions=versions.get(message.id),
            usage=usage.get(message.id),
            error=_why(message, texts),
            remembered=remembered.get(message.id, ()),
            recalled=recalled.get(message.id, ()),
            notes=notes.get(message.id, ()),
            review=reviews.get(message.id),
        )
        for message in stored
    }
    return SessionFacts(session_id, facts, spent_in(services, session_id))


def spent_in(services: "Services", session_id: SessionId) -> SessionUsage:
    active = services.assistant.active
    if active is None or active.id != session_id:
        return SessionUsage(services.archive.usage(session_id), 0)
    tokens = services.assistant.next_request_tokens()
    if active.is_temporary:
        return SessionUsage({key: record.usage for key, record in active.records.items()}, tokens)
    return SessionUsage(services.archive.usage(session_id), tokens)


def _facts_in_memory(services: "Services", active: "ActiveSession") -> SessionFacts:
    """Return the details of a temporary session, which is not on the disk."""
    records, texts = active.records, services.texts()
    facts: dict[MessageId, MessageFacts] = {}
    for message in active.messages:
        record = records.get(message.id)
        versions = active.versions(message.id)
        facts[message.id] = MessageFacts(
            citations=record.citations if record else (),
            versions=versions if len(versions.ids) > 1 else None,
            usage=record.usage if record else None,
            error=_why(message, texts),
        )
    return SessionFacts(active.id, facts, spent_in(services, active.id))


def _why(message: Message, texts: Texts) -> str:
    is_failure = message.state is MessageState.FAILED
    return texts.error_of(message.error) if message.error and is_failure else ""


def remembered_of(
    services: "Services", session_id: SessionId
) -> Mapping[MessageId, Sequence[Fact]]:
    sent = services.archive.sent_facts(session_id)
    fact_ids = {fact_id for ids in sent.values() for fact_id in ids}
    facts = {fact.id: fact for fact in services.archive.some_facts(fact_ids)} if fact_ids else {}
    return {
        message_id: [facts[fact_id] for fact_id in ids if fact_id in facts]
        for message_id, ids in sent.items()
    }


def _versions(messages: Sequence[Message]) -> Mapping[MessageId, Versions]:
    alike: defaultdict[tuple[int, MessageId | None], list[MessageId]] = defaultdict(list)
    for message in messages:
        alike[message.number, message.parent_id].append(message.id)
    return {
        message_id: Versions(place, tuple(sorted(ids)))
        for ids in alike.values()
        if len(ids) > 1
        for place, message_id in enumerate(sorted(ids), start=1)
    }


class ShownSession(QObject):
    opened = Signal(object)  # SessionId or None: the transcript was refilled
    changed = Signal()  # Another session is shown, or its data has changed
    leaving = Signal()  # Another place is about to be shown
    jumped = Signal()  # Another place in the shown session is shown
    read_again = Signal(object)  # Session, reloaded after a change
    received = Signal(object)  # MessageIds that another device added, or gave other versions
    gone = Signal(object)  # SessionId; another device deleted it

    def __init__(
        self,
        transcript: TranscriptView,
        turns: TurnDisplay,
        notices: SessionNotices,
        worker: Worker,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._turns = turns
        self._notices = notices
        self._worker = worker
        self.session: Session | None = None  # None: a session without messages
        self._asked: SessionId | None = None
        self._late: list[Message] = []
        self._question: MessageId | None = None
        self.ended_here = False  # whether it ended while it was shown
        self._looks_again = False  # Whether another device sent something during an answer
        turns.front_changed.connect(self._look_after_turn)

    def shows(self, session_id: SessionId) -> bool:
        return self.session is not None and self.session.id == session_id

    def open(self, place: NavigationTarget, then: Callable[[], None] = lambda: None) -> None:
        if self.shows(place.session_id):
            self._asked = None
            if place.message_id is not None:
                self.leaving.emit()
                self._go_to(place)
                self.jumped.emit()
            return
        self._asked = place.session_id
        self._late = []

        def show(opened: OpenedSession) -> None:
            if self._asked == place.session_id:
                self._show(opened, place)
                then()

        self._worker.do(lambda services: open_session(services, place.session_id), show)

    def open_anew(self, place: NavigationTarget) -> None:
        """Reload and show a session, even if it is shown already."""
        self.session = None
        self.open(place)

    def open_again(self, at: tuple[int | None, int]) -> None:
        if self.session is None:
            return
        session_id = self.session.id
        has_focus = self._transcript.isAncestorOf(self._transcript.window().focusWidget())

        def show(opened: OpenedSession) -> None:
            self._notices.remove(LATER)
            self._show(opened, NavigationTarget(session_id))
            self._transcript.restore_anchor(*at, takes_focus=has_focus)
            self.read_again.emit(opened.session)

        self._asked = session_id
        self._worker.do(lambda services: open_session(services, session_id), show)

    def look_for_received(self) -> None:
        """Show what another device changed in the shown session, without reading it anew."""
        shown = self.session
        self._looks_again = self._turns.is_answering

        def read(services: "Services") -> tuple[OpenedSession | None, frozenset[MessageId]]:
            changed = services.assistant.take_received()
            if shown is None or shown.is_temporary:
                return None, changed
            opened = open_session(services, shown.id)
            return replace(opened, session=services.assistant.described(shown.id)), changed

        def show(result: tuple[OpenedSession | None, frozenset[MessageId]]) -> None:
            opened, changed = result
            self._looks_again |= self._turns.is_answering
            if opened is not None:
                self.read_again.emit(opened.session)
                self._take_received(opened, changed)

        def fail(error: AppError) -> None:
            if shown and isinstance(error, SessionUnknownError) and self.shows(shown.id):
                self.gone.emit(shown.id)

        self._worker.do(read, show, failed=fail)

    def _look_after_turn(self) -> None:
        """Show what arrived while the active session was answered."""
        if self._looks_again and not self._turns.is_answering:
            self.look_for_received()

    def _take_received(self, opened: OpenedSession, changed: Collection[MessageId]) -> None:
        """Show what another device added; where the user reads and what is written stays.

        While the session is answered, only details are read again. `changed`: messages whose
        versions are others than before.
        """
        entries = [e for e in self._transcript.entries if isinstance(e, MessageEntry)]
        ids = [message.id for message in opened.messages]
        shown = [entry.message.id for entry in entries]
        is_answered = opened.session.id in self._turns.answered
        if not self.take(opened.session) or self._asked is not None:
            self.changed.emit()
        elif is_answered or ids[: len(shown)] == shown:
            added = [] if is_answered else opened.messages[len(shown) :]
            self._extend(added)
            self.received.emit({*changed, *(message.id for message in added)})
            self.changed.emit()
        elif all(entry.edit is None for entry in entries):
            self.open_again(self._transcript.anchor())

    def _extend(self, messages: Sequence[Message]) -> None:
        anchor = self._transcript.anchor()
        for message in messages:
            self._transcript.append(message)
        if messages:
            self._transcript.restore_anchor(*anchor)

    def follow(self, stays: SessionId, other: SessionId) -> None:
        if self.shows(stays):
            self.open_again(self._transcript.anchor())
        elif self.shows(other):
            self.open(NavigationTarget(stays))

    def begin(self, session: Session) -> None:
        self._asked = session.id
        self._show(OpenedSession(session, ()), NavigationTarget(session.id))

    def show_empty(self) -> None:
        self.leaving.emit()
        self._asked, self.session, self.ended_here = None, None, False
        self._turns.shown_id = None
        self._transcript.show_session(())
        self._notices.show_in(None)
        self.opened.emit(None)
        self.changed.emit()

    def take(self, session: Session) -> bool:
        is_shown = self.shows(session.id)
        if is_shown:
            self.session = session
        return is_shown

    def take_end(self, session: Session) -> None:
        self.ended_here = self.take(session)

    def add(self, message: Message, active: Session | None) -> None:
        if self._asked == message.session_id:
            self._late.append(message)
        elif self.shows(message.session_id):
            # A user's message is reported twice: when it is in memory, and when it is on the
            # disk.
            if message.id != self._question:
                self._transcript.append(message)
            if active is not None:
                self.session = active
            self.changed.emit()
        if message.role is Role.USER:
            self._question = message.id

    def _show(self, opened: OpenedSession, place: NavigationTarget) -> None:
        session = opened.session
        if self._asked != session.id:
            return
        self._asked = None
        self.ended_here = False
        if not self.shows(session.id):
            self.leaving.emit()
        self.session = session
        self._turns.shown_id = session.id
        messages = self._turns.with_what_arrived(opened.messages)
        self._transcript.show_session(messages)
        ids = {message.id for message in messages}
        for message in self._late:
            if message.session_id == session.id and message.id not in ids:
                self._transcript.append(message)
        self._late = []
        self._notices.show_removed(session, opened.removed)
        self._notices.show_in(session.id)
        self._go_to(place)
        self.opened.emit(session.id)
        self.changed.emit()

    def _go_to(self, place: NavigationTarget) -> None:
        if place.message_id is not None:
            self._transcript.scroll_to(place.message_id, place.terms)


class OtherAnswers(QObject):
    changed = Signal()  # Which sessions are answered, or have an answer that was not seen
    session_changed = Signal(str)  # id of a session that was left, and has changed
    unsaved = Signal()

    def __init__(
        self,
        transcript: TranscriptView,
        turns: TurnDisplay,
        shown: ShownSession,
        worker: Worker,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._transcript, self._shown = transcript, shown
        self._broke = worker.bridge.broke
        self.unseen: frozenset[SessionId] = frozenset()
        turns.sessions_changed.connect(self.changed)
        turns.left_happened.connect(self._take)
        for happened in (turns.left_happened, turns.front_happened):
            happened.connect(self._note_unseen)
        shown.opened.connect(self._note_seen)

    def _take(self, event: events.TurnEvent) -> None:
        """Take what happens in a session that was left while it was answered."""
        match event:
            case events.SessionStarted(session=session) | events.SessionEnded(session=session):
                self.session_changed.emit(session.id)
            case events.MessageAdded(message=message):
                self._shown.add(message, None)
            case events.StatusChanged(status=events.Status.SAVING_LATER):
                self.unsaved.emit()
            case events.TurnEnded():
                self._end(event)
            case _:
                pass

    def _end(self, event: events.TurnEnded) -> None:
        if event.bug:
            self._broke.emit(event.bug)
        if event.session_id is not None:
            self.session_changed.emit(event.session_id)
            if self._shown.shows(event.session_id):
                self._shown.open_again(self._transcript.anchor())

    def _note_unseen(self, event: events.TurnEvent) -> None:
        if not isinstance(event, events.TurnEnded) or event.session_id is None:
            return
        is_seen = event.message_id is None or self._shown.shows(event.session_id)
        if not is_seen and event.outcome is not events.Outcome.STOPPED:
            self.unseen |= {event.session_id}
            self.changed.emit()

    def _note_seen(self, session_id: SessionId | None) -> None:
        if session_id is not None and session_id in self.unseen:
            self.unseen -= {session_id}
            self.changed.emit()
