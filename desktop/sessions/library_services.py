"""The parts of the services that belong to the library of documents and pages.

Like all parts they are built on first use, which imports their modules.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from desktop.domain.projects import COMMON, NO_PROJECT, Wall
from desktop.sessions.profile_services import ProfileServices
from desktop.sessions.use_cases import Sources, Tags

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.domain.ids import SourceId
    from desktop.domain.projects import ProjectId
    from desktop.domain.references import Reference
    from desktop.domain.sources import ProposedDocument
    from desktop.research.documents.page_reader import PdfDescription, PdfPageReader
    from desktop.research.library import ImportedPage, Library
    from desktop.research.printed_pages import PrintedPages
    from desktop.research.scans import ScanReading
    from desktop.research.web.rate_limiting import Stop
    from desktop.sessions.browser_button import BrowserPort, SeenPage
    from desktop.sessions.keeping.watched_folders import WatchedFolders
    from desktop.sessions.library_notes import Notes
    from desktop.sessions.library_references import References
    from desktop.sessions.literature import Literature
    from desktop.sessions.zotero import Zotero


class LibraryServices(ProfileServices):
    """What `Services` offers about the library; any thread may use its parts."""

    @cached_property
    def library(self) -> Library:
        """The documents and pages of the user; may wait."""
        from desktop.sessions.importing.import_records import library_of

        return library_of(self._archive)

    @cached_property
    def watched_folders(self) -> WatchedFolders:
        """Folders of notes whose documents follow their files; may wait for the disk."""
        from desktop.sessions.keeping.watched_folders import WatchedFolders

        return WatchedFolders(self._archive, self.library)

    @cached_property
    def document_pages(self) -> PdfPageReader:
        """The pages of PDFs as they look; may wait for the process that reads them."""
        from desktop.research.documents.page_reader import PdfPageReader

        return PdfPageReader(self.library.opened, self._archive.scans)

    @cached_property
    def printed_pages(self) -> PrintedPages:
        """The numbers printed on pages; may wait."""
        from desktop.research.printed_pages import PrintedPages

        def reference(source_id: SourceId) -> Reference:
            return self._archive.references.work(source_id).reference

        def describe(file: Path) -> PdfDescription:
            return self.document_pages.describe(file)

        return PrintedPages(self.library.pdf, describe, reference)

    @cached_property
    def scans(self) -> ScanReading:
        """The scanned pages of the library; may wait."""
        from desktop.research.scans import ScanReading

        return ScanReading(self._archive.sources, self._archive.scans, self.library)

    @cached_property
    def references(self) -> References:
        """The references of the library; may wait."""
        from desktop.sessions.library_references import References

        return References(self._archive)

    @cached_property
    def notes(self) -> Notes:
        """Highlights and notes; may wait."""
        from desktop.sessions.library_notes import Notes

        return Notes(self._archive, self.care.backups_since)

    def literature(self, wall: Wall) -> Literature:
        """Return the scholarly literature for what is behind a wall; waits for the network."""
        return self._literature.behind(wall)

    @cached_property
    def _literature(self) -> Literature:
        from desktop.research.literature.finder import LiteratureFinder
        from desktop.sessions.literature import Literature

        finder = LiteratureFinder(
            settings=self.settings,
            fetcher=self.web.fetcher,
            keys=lambda: self.keys,
            _cache=self._archive.literature,
            _contacts=self._archive.contacts,
        )
        return Literature(
            find=finder,
            wall=COMMON,
            _settings_in=self._settings_in,
            _archive=self._archive,
            _library=self.library,
            _references=self.references,
            _pages=self.web.reader,
        )

    @cached_property
    def zotero(self) -> Zotero:
        """The works of a Zotero on this computer; waits for it."""
        from desktop.sessions import zotero

        return zotero.zotero_of(self._archive, self.library, self.references, self.settings)

    @cached_property
    def sources(self) -> Sources:
        """Removing from the library, and from the list of contacted addresses; may wait."""
        return Sources(self._archive, self.care.backups_since)

    @cached_property
    def source_tags(self) -> Tags[SourceId]:
        """The tags of documents and pages; may wait."""
        return Tags(self._archive.source_tags)

    def add_page(
        self, address: str, project: ProjectId = NO_PROJECT, stop: Stop | None = None
    ) -> ImportedPage:
        """Add a web page to the library by its address; waits for the web.

        Raises WebError, DocumentError, StorageError.
        """
        from desktop.research.library import import_page
        from desktop.research.web.rate_limiting import never

        web = self.web.for_session(Wall(project))
        return import_page(web, self._archive.sources, address, stop=stop or never)

    def add_proposed(self, document: ProposedDocument) -> ImportedPage:
        """Add what another program proposed, once the user has accepted it; may wait for the web.

        Raises WebError, DocumentError, StorageError.
        """
        from desktop.sessions.proposed_documents import add_proposed

        return add_proposed(self._archive, document, self.add_page)

    @cached_property
    def browser(self) -> BrowserPort:
        """The port to which a browser delivers pages; may wait for the system's keyring."""
        from desktop.research.library import import_seen_page
        from desktop.sessions.browser_button import BrowserPort

        def take(page: SeenPage, project: ProjectId) -> ImportedPage:
            web, sources = self.web.for_session(Wall(project)), self._archive.sources
            return import_seen_page(
                web, sources, page.address, page.html, is_selection=page.is_selection
            )

        return BrowserPort(self.keys, take, lambda error: self.texts().error(error))
