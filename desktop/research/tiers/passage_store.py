"""Passages: made of what a search found, and found again by what a step has kept of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop.domain.errors import PassageUnknownError, SessionUnknownError, SourceUnknownError
from desktop.domain.ids import PassageId, SessionId
from desktop.domain.messages import Message
from desktop.domain.model import JsonValue
from desktop.domain.sessions import Session
from desktop.domain.sources import Source, SourceKind, SourcePassage
from desktop.language.normalization import words
from desktop.research.passages import Passage, Place, Speaker, excerpt, of_message, of_summary
from desktop.research.security.injection_detector import is_suspicious
from desktop.storage.archive import Archive

_SUMMARY = 0
"""In the place of a message's id."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Every method may raise StorageError."""

    archive: Archive

    def of_source(self, passage_id: PassageId, about: str, length: int) -> Passage | None:
        """None of a source that was removed meanwhile."""
        try:
            passage = self.archive.sources.passage(passage_id)
            source = self.archive.sources.source(passage.source_id)
        except (PassageUnknownError, SourceUnknownError):
            return None
        return self.passage(source, passage, about, length)

    def passage(self, source: Source, passage: SourcePassage, about: str, length: int) -> Passage:
        is_page = source.kind is SourceKind.WEB
        return Passage(
            number=0,
            session_id=SessionId(""),
            message_id=None,
            title=source.title,
            said_at=source.read_at,
            speaker=Speaker.PAGE if is_page else Speaker.DOCUMENT,
            text=excerpt(passage.text, _terms(about), length),
            stored=passage.text,
            place=Place(
                source.id,
                passage.id,
                source.kind,
                source.address,
                passage.page,
                passage.heading,
                is_suspicious(f"{source.title}\n{passage.heading}\n{passage.text}"),
            ),
        )

    def of_message(self, message: Message, title: str, about: str, length: int) -> Passage:
        return of_message(message, title, _terms(about), length)

    def of_summary(self, session: Session, about: str, length: int) -> Passage:
        return of_summary(session, _terms(about), length)

    def again(self, kept: JsonValue, about: str, length: int) -> Passage | None:
        """What `kept_place` named; None where it is gone."""
        match kept:
            case {"passage": str(passage_id)}:
                return self.of_source(PassageId(passage_id), about, length)
            case {"session": str(session_id), "message": int(message_id)}:
                return self._said(SessionId(session_id), message_id, about, length)
            case _:
                return None

    def all_again(self, kept: JsonValue, about: str, length: int) -> list[Passage]:
        several = kept if isinstance(kept, list) else []
        found = [self.again(one, about, length) for one in several]
        return [one for one in found if one is not None]

    def _said(
        self, session_id: SessionId, message_id: int, about: str, length: int
    ) -> Passage | None:
        try:
            session = self.archive.sessions.session(session_id)
        except SessionUnknownError:
            return None
        if message_id == _SUMMARY:
            return self.of_summary(session, about, length) if session.summary else None
        said = self.archive.sessions.messages(session_id)
        message = next((one for one in said if one.id == message_id), None)
        title = session.title or session.opening
        return self.of_message(message, title, about, length) if message else None


def kept_place(passage: Passage) -> Mapping[str, JsonValue]:
    """Where a passage stands, as a step's result keeps it: no word of it is kept twice."""
    if passage.place is not None:
        return {"passage": passage.place.passage_id}
    return {"session": passage.session_id, "message": passage.message_id or _SUMMARY}


def kept_places(passages: Sequence[Passage]) -> list[JsonValue]:
    return [kept_place(one) for one in passages]


def _terms(about: str) -> list[str]:
    return [word.text for word in words(about)]
