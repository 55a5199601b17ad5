"""The citations of exported answers: a note for each number, and a list of sources."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from desktop.domain.errors import PassageUnknownError, SourceUnknownError
from desktop.domain.ids import MessageId, PassageId, SessionId, SourceId
from desktop.domain.messages import Citation, CitationState, Message
from desktop.domain.sources import SourceKind
from desktop.language.dates.date_formatting import long_date
from desktop.sessions.archive_service import ArchiveService
from desktop.settings.messages import Texts

_NUMBER = re.compile(r"(`+)(?:(?!\1).)*\1|[ \t]*\[(\d{1,3})\](?!\()", re.DOTALL)
_BULLET = re.compile(r"[ \t>]*(?:[-*+]|\d{1,3}[.)]|#{1,6})")
_FENCE = re.compile(
    r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Note:
    """A citation with the place of its passage."""

    citation: Citation
    page: int | None = None
    heading: str = ""
    address: str = ""
    """Of a web page; the path of a file would reveal something about this computer."""
    read_at: datetime | None = None
    is_session: bool = False

    @property
    def is_checked(self) -> bool:
        return self.citation.state is CitationState.CHECKED


@dataclass(frozen=True, slots=True)
class Cited:
    """The notes of a session's messages, and the words in which they are written."""

    of: Mapping[MessageId, Sequence[Note]] = field(default_factory=dict)
    texts: Texts | None = None

    def notes(self, message: Message) -> Sequence[Note]:
        return self.of.get(message.id, ()) if self.texts is not None else ()

    def only(self, messages: Sequence[Message]) -> "Cited":
        """The notes of these messages alone."""
        return replace(self, of={one.id: self.of[one.id] for one in messages if one.id in self.of})

    def sources(self) -> list[Note]:
        """One note for each source whose words were found there, as they are first cited."""
        return list(self._first(is_checked=True).values())

    def unconfirmed(self) -> list[Note]:
        """One for each that is cited, and of which nothing cited was found."""
        confirmed = self._first(is_checked=True)
        cited = self._first(is_checked=False)
        return [note for source, note in cited.items() if source not in confirmed]

    def _first(self, *, is_checked: bool) -> dict[str, Note]:
        first: dict[str, Note] = {}
        for notes in self.of.values() if self.texts is not None else ():
            for note in notes:
                if note.is_checked is is_checked:
                    first.setdefault(note.citation.source_id, note)
        return first

    def say(self, key: str, **values: str) -> str:
        return self.texts.say(f"export.{key}", **values) if self.texts else ""

    def told(self, note: Note) -> Iterator[str]:
        """The parts of a note behind its quotation: title, page, heading, trouble."""
        yield note.citation.title
        if note.page:
            yield self.say("page", number=str(note.page))
        if note.heading and note.heading != note.citation.title:
            yield note.heading
        if not note.is_checked:
            yield self.say("not_found" if note.citation.quote else "unchecked")

    def words(self, note: Note) -> str:
        """A note in one line: the words that are cited, and where they stand."""
        quote = " ".join(note.citation.quote.split())
        told = ", ".join(" ".join(part.split()) for part in self.told(note))
        return f"{self.say('quote', words=quote)} {told}" if quote else told

    def listed(self, note: Note) -> Iterator[str]:
        """The parts of a line in the list of sources."""
        yield note.citation.title
        if note.is_session:
            yield self.say("session")
        if note.address:
            yield note.address
        if note.read_at is not None and self.texts is not None:
            yield self.say("read", day=long_date(note.read_at, self.texts.language))


def cited_in(archive: ArchiveService, session_id: SessionId, texts: Texts) -> Cited:
    """Raises StorageError."""
    found = archive.answers.citations(session_id)
    return Cited(
        {message: [note_of(archive, one) for one in cited] for message, cited in found.items()},
        texts,
    )


def with_marks(content: str, marks: Mapping[int, str]) -> str:
    """Replace the citation numbers in a text by their marks; code stays unchanged."""
    if not marks:
        return content
    pieces, at = [], 0
    for fence in _FENCE.finditer(content):
        pieces += [_marked(content[at : fence.start()], marks), fence[0]]
        at = fence.end()
    return "".join([*pieces, _marked(content[at:], marks)])


def _marked(prose: str, marks: Mapping[int, str]) -> str:
    def put(found: re.Match[str]) -> str:
        mark = marks.get(int(found[2])) if found[2] else None
        if mark is None:
            return found[0]
        line = prose[: found.start()].rpartition("\n")[2]
        return f"{' ' if _BULLET.fullmatch(line) else ''}{mark}"

    return _NUMBER.sub(put, prose)


def note_of(archive: ArchiveService, citation: Citation) -> Note:
    """Raises StorageError."""
    try:
        source = archive.sources.source(SourceId(citation.source_id))
    except SourceUnknownError:
        return Note(citation, is_session=citation.passage_id.isdecimal())
    page, heading = None, ""
    try:
        passage = archive.sources.passage(PassageId(citation.passage_id))
    except PassageUnknownError:
        pass
    else:
        page, heading = passage.page, passage.heading
    is_page = source.kind is SourceKind.WEB
    return Note(
        citation,
        page,
        heading,
        source.address if is_page else "",
        source.read_at if is_page else None,
    )
