"""Notes: highlighted words of a document or an answer, with what the user wrote about them."""

from collections.abc import Callable, Sequence
from datetime import datetime

from desktop.domain.frozen import dataclass
from desktop.domain.ids import NO_SESSION, MessageId, NoteId, PassageId, SessionId, SourceId


@dataclass(frozen=True, slots=True)
class Note:
    """Words of a source, or of a message; the one it has no id of is None."""

    id: NoteId
    quote: str
    text: str
    created_at: datetime
    changed_at: datetime
    source_id: SourceId | None = None
    message_id: MessageId | None = None
    passage_id: PassageId | None = None
    page: int | None = None
    occurrence: int = 0
    """Which of the places on its page with these words it is, from 0."""
    is_of_file: bool = False
    """Whether it was read from the annotations of the file."""
    title: str = ""  # Of the source, or of the message's session
    session_id: SessionId = NO_SESSION  # Of the message


@dataclass(frozen=True, slots=True)
class PdfAnnotation:
    """A note that somebody made in the file of a document."""

    quote: str
    text: str
    page: int


def notes_markdown(notes: Sequence[Note], page_words: Callable[[int], str]) -> str:
    """Return notes as Markdown: a heading for each source or session, then quotation and text.

    `page_words`: returns how a page is named.
    """
    parts = list[str]()
    title = ""
    for note in notes:
        if note.title != title or not parts:
            title = note.title
            parts.append(f"# {' '.join(title.split())}")
        place = "" if note.page is None else f" ({page_words(note.page)})"
        if note.quote:
            parts.append("\n".join(f"> {line}" for line in note.quote.splitlines()) + place)
        if note.text:
            parts.append(note.text if note.quote else f"{note.text}{place}")
    return "\n\n".join(parts) + "\n" if parts else ""
