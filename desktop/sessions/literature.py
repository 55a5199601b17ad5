"""Scholarly literature: searching it, and what becomes of a found work in the library.

A work that is added is there at once with its abstract. A free copy of it is fetched after that,
and replaces the abstract as what is read and cited; if that fails, the abstract stays.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from desktop.domain.changes import Change
from desktop.domain.errors import AppError, StorageError
from desktop.domain.literature import AddedWork, FoundWork, TextKind
from desktop.domain.projects import ProjectId
from desktop.domain.references import Work
from desktop.domain.sources import SourceKind
from desktop.domain.web import PageEmptyError, WebStoppedError
from desktop.research.library import Library
from desktop.research.literature.finder import LiteratureFinder
from desktop.research.web.fetch import PDF, Fetched
from desktop.research.web.rate_limiting import Stop, never
from desktop.research.web.web import PageReader
from desktop.sessions.library_references import References

if TYPE_CHECKING:
    from desktop.storage.archive import Archive

_LETTERS_OF_ARTICLE = 8_000
"""A page with fewer shows the abstract and a button, not the article."""


@dataclass(frozen=True, slots=True)
class Literature:
    """Any thread may call; methods wait for the network. They raise WebError, StorageError.

    `find` searches, and knows the services with their switches.
    """

    find: LiteratureFinder
    _archive: "Archive"
    _library: Library
    _references: References
    _pages: PageReader

    def add(
        self,
        work: FoundWork,
        project: ProjectId | None = None,
        *,
        on_stored: Callable[[Work], None] = lambda _: None,
        stop: Stop = never,
    ) -> Change[AddedWork]:
        """Add a work to the library, and read its free copy, if there is one.

        `on_stored`: called as soon as the work is there, before its copy is fetched.
        """
        change = self._references.add([work.whole_reference], project)
        report = change.value
        stored = (*report.added, *report.filled, *report.known)[0]
        on_stored(stored)
        text = TextKind.ABSTRACT if work.abstract else TextKind.NONE
        if stored.source.kind is SourceKind.DOCUMENT and stored.source.passages:
            text = TextKind.FULL
        added = AddedWork(stored, text, is_new=bool(report.added))
        undoings: list[Callable[[], object]] = [change.undo]
        if work.open_copy and text is not TextKind.FULL:
            try:
                full = self._with_copy(stored, work, stop)
            except StorageError:
                raise
            except AppError as exc:
                added = replace(added, error=exc)
            else:
                added = replace(added, work=full.value, text=TextKind.FULL)
                undoings.insert(0, full.undo)

        def undo() -> AddedWork:
            for undo_step in undoings:
                undo_step()
            return added

        return Change(added, undo)

    def _with_copy(self, stored: Work, work: FoundWork, stop: Stop) -> Change[Work]:
        """Read the free copy of a work. Raises WebError, DocumentError, StorageError."""
        fetched = self.find.fetcher.fetch(work.open_copy, stop=stop)
        if fetched.kind == PDF:
            return self._with_pdf(stored, fetched, stop)
        return self._with_page(stored, fetched, stop)

    def _with_pdf(self, stored: Work, fetched: Fetched, stop: Stop) -> Change[Work]:
        """Make the work a document of the library, whose file the profile keeps."""
        name = f"{sha256(fetched.body).hexdigest()}.pdf"
        library = self._library.of(stored.source.project)
        with TemporaryDirectory(prefix="bellek-", ignore_cleanup_errors=True) as folder:
            file = Path(folder, name)
            file.write_bytes(fetched.body)
            report = library.add([file], with_copies=True, should_stop=stop)
        if not report.added:
            raise WebStoppedError
        document = report.added[0]
        if document.source is None:
            raise document.error or PageEmptyError(host=fetched.address.host)
        source = document.source
        kept = str(self._archive.files.path(source.copy or name))
        self._archive.sources.refresh(source.id, address=kept)
        return self._references.merge([source.id, stored.source.id])

    def _with_page(self, stored: Work, fetched: Fetched, stop: Stop) -> Change[Work]:
        """Give the work the passages of a page, instead of its abstract."""
        document = self._pages.read(fetched, stop=stop)
        letters = sum(len(passage.text) for passage in document.passages)
        if letters < _LETTERS_OF_ARTICLE:
            raise PageEmptyError(host=fetched.address.host)
        sources = self._archive.sources.of(stored.source.project)
        document.title = stored.source.title
        digest = sha256(fetched.body).hexdigest()
        source = document.to_source(
            SourceKind.WEB, stored.source.address, digest, self.find.fetcher.now()
        )
        sources.add(source, document.passages)
        whole = self._archive.references.work(stored.source.id)
        return Change(whole, lambda: whole)  # a text that was read stays
