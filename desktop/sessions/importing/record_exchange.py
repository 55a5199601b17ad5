"""Notes, citations and judged claims in Bellek's own exchange format: a line for each.

They follow the sessions. A note on a message names its session and the message, one on a source
the work and its file; citations name their answer: by what does not change from one profile to
another.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.domain.claims import ClaimReview, JudgedClaim
from desktop.domain.errors import PassageUnknownError, SessionUnknownError, SourceUnknownError
from desktop.domain.ids import PassageId, SessionId, SourceId
from desktop.domain.messages import Citation, Message
from desktop.domain.notes import Note
from desktop.domain.projects import NO_PROJECT, ProjectId
from desktop.domain.references import FieldOrigin
from desktop.domain.sources import Source
from desktop.language.links import is_web_address
from desktop.references.merging import reference_of
from desktop.research.library import passage_with
from desktop.sessions.importing.bellek import (
    CitationTarget,
    ImportedCitations,
    ImportedNote,
    citation_fields,
    note_fields,
)
from desktop.sessions.importing.import_types import digest
from desktop.sessions.library_references import References

if TYPE_CHECKING:
    from desktop.sessions.archive_reader import ArchiveReader
    from desktop.storage.archive import Archive


def note_lines(archive: "ArchiveReader", notes: Iterable[Note]) -> Iterator[str]:
    """Yield a line for each note. May raise StorageError."""
    for note in notes:
        with suppress(SessionUnknownError, SourceUnknownError):  # deleted meanwhile
            fields = note_fields(_placed_note(archive, note))
            yield json.dumps({"note": fields}, ensure_ascii=False)


def _placed_note(archive: "ArchiveReader", note: Note) -> ImportedNote:
    if note.source_id is None:
        messages = archive.messages(note.session_id)
        message = next((each for each in messages if each.id == note.message_id), None)
        if message is None:  # of an earlier version
            raise SessionUnknownError(session=note.session_id)
        said = digest(message.content)
        return ImportedNote(note, note.session_id, message.number, said)
    work = archive.work(note.source_id)
    project = archive.project(work.source.project)
    csl = dict(work.reference.csl) or {"type": "document", "title": work.source.title}
    name = project.name if project else ""
    return ImportedNote(note, sha256=work.source.sha256, project=name, csl=csl)


def store_note(archive: "Archive", imported: ImportedNote) -> bool | None:
    """Store a note in its place; return whether it is new, None if its place is missing."""
    note = imported.note
    if archive.notes.known([note.id]):
        return False
    placed = _on_source(archive, imported) if imported.csl else _on_message(archive, imported)
    if placed is None:
        return None
    there = archive.notes.of_source(placed.source_id) if placed.source_id else ()
    if any(_is_same(placed, other) for other in there):  # which the file itself has
        return False
    archive.notes.add([placed])
    return True


def _is_same(note: Note, other: Note) -> bool:
    return (note.quote, note.text, note.page) == (other.quote, other.text, other.page)


def _on_message(archive: "Archive", imported: ImportedNote) -> Note | None:
    message = message_of(archive, imported.session, imported.message, imported.said)
    return replace(imported.note, message_id=message.id) if message else None


def message_of(archive: "Archive", session: str, number: int, said: str) -> Message | None:
    """Return the message of a session with this digest of its text, nearest to its number."""
    sessions = archive.sessions.now_in([SessionId(session)])
    messages = [message for each in sessions for message in archive.sessions.messages(each)]
    same = [message for message in messages if digest(message.content) == said]
    return min(same, key=lambda message: abs(message.number - number), default=None)


def _on_source(archive: "Archive", imported: ImportedNote) -> Note:
    """Place a note in the document it was written in, or else in its work, added if missing."""
    project = archive.projects.named_or_new(imported.project) if imported.project else NO_PROJECT
    source_id = _source_of(archive, imported, project)
    passages = archive.sources.passages(source_id)
    passage = passage_with(imported.note.quote, passages, imported.note.page)
    return replace(imported.note, source_id=source_id, passage_id=passage.id if passage else None)


def _source_of(archive: "Archive", imported: ImportedNote, project: ProjectId) -> SourceId:
    source = archive.sources.of(project).with_hash(imported.sha256)
    if source is not None:
        return source.id
    reference = reference_of(imported.csl, FieldOrigin.FILE)
    report = References(archive).add([reference], project).value
    works: Sequence[SourceId] = [
        work.source.id for work in (*report.added, *report.filled, *report.known)
    ]
    return works[0]


def citation_lines(archive: "ArchiveReader", session_id: SessionId) -> Iterator[str]:
    """Yield a line for each answer of a session with citations. May raise StorageError."""
    cited = archive.citations(session_id)
    reviews = archive.claim_reviews(session_id) if cited else {}
    for message in archive.messages(session_id) if cited else ():
        citations = [(each, _place(archive, each)) for each in cited.get(message.id, ())]
        if citations:
            review = reviews.get(message.id, ClaimReview())
            said = digest(message.content)
            answer = ImportedCitations(session_id, message.number, said, citations, review)
            yield json.dumps({"answer": citation_fields(answer)}, ensure_ascii=False)


def _place(archive: "ArchiveReader", citation: Citation) -> CitationTarget:
    if citation.passage_id.isdecimal():
        messages = archive.messages(SessionId(citation.source_id))
        message = next((each for each in messages if str(each.id) == citation.passage_id), None)
        return (
            CitationTarget(message=message.number, said=digest(message.content))
            if message
            else (CitationTarget())
        )
    try:
        source = archive.source(SourceId(citation.source_id))
        page = archive.passage(PassageId(citation.passage_id)).page or 0
    except (SourceUnknownError, PassageUnknownError):
        return CitationTarget()
    address = source.address if is_web_address(source.address) else ""
    return CitationTarget(sha256=source.sha256, address=address, page=page)


def store_citations(archive: "Archive", imported: ImportedCitations) -> bool:
    """Add citations and claims to their answer, unless it has some; return False if it is gone."""
    message = message_of(archive, imported.session, imported.message, imported.said)
    if message is None:
        return False
    if message.id in archive.answers.citations(message.session_id):
        return True
    citations = {
        citation.number: _placed(archive, citation, place, message.session_id)
        for citation, place in imported.citations
    }
    claims = [
        replace(claim, cited=tuple(each for each in claim.cited if each.number in citations))
        for claim in imported.review.claims
        if _is_within(claim, message.content)
    ]
    if imported.review.judged_at is not None:
        archive.claims.adopt(message.id, replace(imported.review, claims=claims))
    archive.answers.add_citations(message.id, list(citations.values()))  # last: then it is known
    return True


def _is_within(claim: JudgedClaim, content: str) -> bool:
    return 0 <= claim.start < claim.end <= len(content)


def _placed(
    archive: "Archive", citation: Citation, place: CitationTarget, session_id: SessionId
) -> Citation:
    """Return the citation with the ids of this profile, where it has what is cited."""
    if citation.passage_id.isdecimal():
        said = message_of(archive, citation.source_id, place.message, place.said)
        if said is None:
            return replace(citation, passage_id="")
        return replace(citation, source_id=said.session_id, passage_id=str(said.id))
    if archive.sources.some([SourceId(citation.source_id)]):
        return citation
    source = _same_source(archive, place, session_id)
    if source is None:
        return citation
    passages = archive.sources.passages(source.id)
    passage = passage_with(citation.quote, passages, place.page or None)
    passage_id = passage.id if passage else citation.passage_id
    return replace(citation, source_id=source.id, passage_id=passage_id)


def _same_source(
    archive: "Archive", place: CitationTarget, session_id: SessionId
) -> Source | None:
    """Return the same document or page, in the session's project or outside of all projects."""
    sessions = archive.sessions.some([session_id])
    for project in dict.fromkeys((*(session.project for session in sessions), NO_PROJECT)):
        sources = archive.sources.of(project)
        source = sources.with_hash(place.sha256) if place.sha256 else None
        source = source or (sources.at_address(place.address) if place.address else None)
        if source is not None:
            return source
    return None
