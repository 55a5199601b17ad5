"""Citations and judged claims in Bellek's own exchange format: a line an answer.

They follow the sessions. A line names its answer, and what it cites, by what does not change from
one profile to another.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.domain.claims import ClaimReview, JudgedClaim
from desktop.domain.errors import PassageUnknownError, SourceUnknownError
from desktop.domain.ids import PassageId, SessionId, SourceId
from desktop.domain.messages import Citation
from desktop.domain.projects import NO_PROJECT
from desktop.domain.sources import Source
from desktop.language.links import is_web_address
from desktop.research.library import passage_with
from desktop.sessions.importing.bellek import CitationTarget, ImportedCitations, citation_fields
from desktop.sessions.importing.import_types import digest
from desktop.sessions.importing.note_exchange import message_of

if TYPE_CHECKING:
    from desktop.sessions.archive_reader import ArchiveReader
    from desktop.storage.archive import Archive


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
