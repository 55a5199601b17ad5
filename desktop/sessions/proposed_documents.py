"""Adds a document to the library that another program proposed and the user has accepted.

The profile keeps a text; a page is fetched as if the user had entered its address. Each gets the
program's name as a tag, and a text the title that the user saw.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop.domain.projects import ProjectId
from desktop.domain.references import FieldOrigin
from desktop.domain.sources import ProposedDocument, Source
from desktop.references.merging import reference_of
from desktop.research.documents.reader import DocumentReader
from desktop.research.library import AddOutcome, ImportedPage
from desktop.research.web.rate_limiting import never
from desktop.sessions.importing.import_records import RecordCounts, RecordImport
from desktop.sessions.importing.import_types import ImportedDocument, ImportFormat

if TYPE_CHECKING:
    from desktop.storage.archive import Archive


def add_proposed(
    archive: "Archive",
    document: ProposedDocument,
    add_page: Callable[[str, ProjectId], ImportedPage],
) -> ImportedPage:
    """Add it to its project; may wait for the web.

    Raises WebError, DocumentError, StorageError.
    """
    if document.address:
        added = add_page(document.address, document.project)
    else:
        added = _add_text(archive, document)
    if added.outcome is AddOutcome.ADDED:
        archive.source_tags.set(document.program, [added.source.id], is_on=True)
    return added


def _add_text(archive: "Archive", document: ProposedDocument) -> ImportedPage:
    imported = ImportedDocument(ImportFormat.MARKDOWN, f"{document.title}.md", document.text)
    records = RecordImport(archive, RecordCounts(), never)
    sources = archive.sources.of(document.project)
    with DocumentReader() as reader:
        added = records.add_text(imported, reader, sources)
    if added.error is not None:
        raise added.error
    if added.source is None:
        raise AssertionError("what did not fail is there")
    source: Source = added.source
    if added.outcome is AddOutcome.ADDED:
        reference = reference_of({"title": document.title}, FieldOrigin.PROGRAM)
        source = archive.references.fill(source.id, reference).source
    return ImportedPage(added.outcome, source)
