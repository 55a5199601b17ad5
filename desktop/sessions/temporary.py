"""Temporary sessions: in memory only, and gone with it. No disk ever has a word of them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from desktop.domain.ids import MessageId, SessionId, new_session_id
from desktop.domain.language import Language
from desktop.domain.messages import Message
from desktop.domain.sessions import Session, SessionStatus
from desktop.domain.times import Clock
from desktop.sessions.active_session import ActiveSession
from desktop.storage.answer_records import AnswerRecord
from desktop.storage.sessions import StoredMessage


class KeptInMemory:
    """Stands in for the disk: messages the session has itself, so answers' records are all."""

    def __init__(self) -> None:
        self._records: dict[MessageId, AnswerRecord] = {}

    @property
    def records(self) -> Mapping[MessageId, AnswerRecord]:
        return dict(self._records)

    def begin(
        self,
        session: Session,
        changed: Iterable[StoredMessage],
        records: Iterable[AnswerRecord] = (),
    ) -> None:
        self.save(session, changed, records)

    def save(
        self,
        session: Session,
        changed: Iterable[StoredMessage],  # noqa: ARG002 (the session has them)
        records: Iterable[AnswerRecord] = (),
    ) -> None:
        self.keep_records(session.id, records)

    def keep_arrived(self, answer: Message) -> None:
        """The session has it."""

    def keep_records(
        self,
        session_id: SessionId,  # noqa: ARG002 (there is one)
        records: Iterable[AnswerRecord],
    ) -> None:
        self._records.update((record.message_id, record) for record in records)


class TemporarySession(ActiveSession):
    def __init__(self, session: Session, kept: KeptInMemory, now: Clock) -> None:
        super().__init__(session, (), kept, now)
        self._kept = kept

    @property
    def records(self) -> Mapping[MessageId, AnswerRecord]:
        """What belongs to its answers beside their words."""
        return self._kept.records


def begin_temporary(language: Language, now: Clock) -> TemporarySession:
    at = now()
    session = Session(
        new_session_id(), SessionStatus.ACTIVE, created_at=at, updated_at=at, language=language
    )
    return TemporarySession(replace(session, is_temporary=True), KeptInMemory(), now)
