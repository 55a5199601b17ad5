"""Scholarly literature: searching it, and what becomes of a found work in the library.

A work that is added is there at once with its abstract. A free copy of it is fetched after that,
and replaces the abstract as what is read and cited; if that fails, the abstract stays.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from desktop.domain.changes import Change
from desktop.domain.errors import AppError, DailyCapError, StorageError
from desktop.domain.ids import SessionId, SourceId
from desktop.domain.literature import (
    AddedWork,
    FoundWork,
    LiteratureDoiMissingError,
    LiteraturePageShortError,
    LiteratureQuery,
    LiteratureResults,
    MarkCheck,
    MarkedWork,
    ServiceFailure,
    ServiceName,
    ServicePage,
    TextKind,
)
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.references import Work, WorkMark, with_record
from desktop.domain.sources import SourceKind
from desktop.domain.usage import Purpose
from desktop.domain.web import PageEmptyError, WebError, WebStoppedError
from desktop.references.fields import bare_doi, is_doi
from desktop.research.library import AddOutcome, Library
from desktop.research.literature.finder import LiteratureFinder, literature_rules
from desktop.research.literature.record_fields import dergipark_id
from desktop.research.web.fetch import PDF, Fetched
from desktop.research.web.rate_limiting import Stop, never
from desktop.research.web.web import PageReader
from desktop.sessions.keeping.housekeeping import HousekeepingTask
from desktop.sessions.library_references import References
from desktop.settings.settings import Settings

if TYPE_CHECKING:
    from desktop.sessions.keeping.background_requests import BackgroundRequests
    from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_NO_PAGE = ServicePage((), None)
_BATCH = 50  # DOIs of which services take as many in one request
_FRESH_MARKS = timedelta(hours=20)  # A look a day finds what is new
_LETTERS_OF_ARTICLE = 8_000
"""A page with fewer shows the abstract and a button, not the article."""


@dataclass(frozen=True, slots=True)
class Literature:
    """Any thread may call; methods wait for the network. They raise WebError, StorageError.

    `find` searches, and knows the services with their switches; what is added goes to the project
    of the wall. Where that is on this computer only, literature is off: see `local_only`.
    """

    find: LiteratureFinder
    wall: Wall
    _settings_in: Callable[[Wall], Settings]
    _archive: "Archive"
    _library: Library
    _references: References
    _pages: PageReader

    def behind(self, wall: Wall) -> "Literature":
        """Return the literature for what is behind a wall."""

        def settings() -> Settings:
            return self._settings_in(wall)

        fetcher = replace(self.find.fetcher, rules=lambda: literature_rules(settings()))
        finder = replace(self.find, settings=settings, fetcher=fetcher)
        return replace(self, wall=wall, find=finder)

    def of_session(self, session_id: SessionId) -> "Literature":
        """Return the literature whose contacted addresses go with a session."""
        return replace(self, find=replace(self.find, session_id=session_id))

    def is_local_only(self) -> bool:
        """Return whether literature is off because all of this stays on this computer."""
        return self._settings_in(self.wall).is_local_only

    def known(self) -> frozenset[str]:
        """Return the DOIs of the works in the library, bare and in lower case."""
        works = self._archive.references.works(self.wall)
        return frozenset(bare_doi(work.reference.doi).lower() for work in works) - {""}

    def related(
        self,
        work: FoundWork,
        before: LiteratureResults | None = None,
        *,
        is_citing: bool,
        stop: Stop = never,
    ) -> LiteratureResults:
        """Return the works that cite a work, or those that it cites.

        `before`: earlier results, which the next page of the same service continues.
        """
        name, earlier = next(iter(before.pages.items())) if before else (None, _NO_PAGE)
        only = (name,) if name else ()
        page = self.find.related(
            work, is_citing=is_citing, begin=earlier.next, only=only, stop=stop
        )
        works = [*earlier.works, *page.works]
        name = name or (works[0].services[0] if works else ServiceName.OPENALEX)
        return LiteratureResults(LiteratureQuery(""), works, {name: replace(page, works=works)})

    def add(
        self,
        work: FoundWork,
        *,
        on_stored: Callable[[Work], None] = lambda _: None,
        stop: Stop = never,
    ) -> Change[AddedWork]:
        """Add a work to the library, and read its free copy, if there is one.

        `on_stored`: called as soon as the work is there, before its copy is fetched.
        Raises LiteratureOffError.
        """
        literature_rules(self.find.settings()).check_on()
        project = None if self.wall == EVERYTHING else self.wall.project
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

    def complete(self, source_id: SourceId, *, stop: Stop = never) -> Change[Work]:
        """Fill in what is missing in a reference, by its DOI; what the user typed stays.

        An article at DergiPark is known by its address, too. Raises SourceUnknownError,
        LiteratureDoiMissingError, LiteratureWorkUnknownError.
        """
        store = self._archive.references
        before = store.work(source_id)
        find = self.behind(Wall(before.source.project)).find
        addresses = [before.source.address, before.reference.text("URL")]
        if doi := before.reference.doi:
            found = find.get(doi, stop=stop)
        elif number := dergipark_id(addresses):
            found = find.article(number, stop=stop)
        else:
            raise LiteratureDoiMissingError(title=before.source.title)
        whole = store.fill(source_id, found.whole_reference)
        return Change(whole, lambda: store.restore(before))

    def check_marks(
        self, *, stop: Stop = never, ledger: "BackgroundRequests | None" = None
    ) -> MarkCheck:
        """Look for works of the library, or cited in answers, that were retracted or corrected.

        New marks are stored. `ledger`: of requests that nobody asked for by hand, as these then
        are; raises DailyCapError.
        """
        works = self._with_doi()
        dois = sorted(works)
        marked, failures = list[MarkedWork](), dict[ServiceName, ServiceFailure]()
        for start in range(0, len(dois), _BATCH):
            if stop():
                break
            part = dois[start : start + _BATCH]
            if ledger:
                ledger.check()
                ledger.record(Purpose.MARKS)
            marks, failed = self.find.marks(part, max_age=_FRESH_MARKS, stop=stop)
            failures |= {failure.service: failure for failure in failed}
            for doi in part:
                marked += [
                    self._mark(work, new)
                    for work in works[doi]
                    if (new := marks.get(doi, frozenset()) - {*work.reference.marks})
                ]
        return MarkCheck(len(dois), marked, tuple(failures.values()))

    def task(self, ledger: "BackgroundRequests") -> HousekeepingTask:
        """Return the daily look at marks, which does nothing unless it is switched on."""

        def is_on() -> bool:
            settings = self.find.settings()
            return settings.checks_retractions and literature_rules(settings).is_on

        def run(should_stop: Stop) -> int:
            self.find.forget_old()
            try:
                return (
                    len(self.check_marks(stop=should_stop, ledger=ledger).marked) if is_on() else 0
                )
            except (WebError, DailyCapError) as exc:
                log.info("marks of works were not looked for: %s", exc.key)
                return 0

        return HousekeepingTask("marks", run, lambda: len(self._with_doi()) if is_on() else 0)

    def _with_doi(self) -> Mapping[str, Sequence[Work]]:
        """Return the works of the library, and those that answers cite, by DOI in lower case.

        Those of projects on this computer only are left out.
        """
        is_kept_here = cache(lambda project: self._settings_in(Wall(project)).is_local_only)
        references = self._archive.references
        works = [*references.works(EVERYTHING), *references.cited(EVERYTHING, None)]
        by_doi: defaultdict[str, list[Work]] = defaultdict(list)
        for work in {work.source.id: work for work in works}.values():
            is_allowed = not is_kept_here(work.source.project)
            if is_allowed and is_doi(doi := work.reference.doi.lower()):
                by_doi[doi].append(work)
        return by_doi

    def _mark(self, work: Work, new: frozenset[WorkMark]) -> MarkedWork:
        whole = [mark for mark in WorkMark if mark in {*work.reference.marks, *new}]
        reference = with_record(work.reference, {"marks": [*whole]})
        stored = self._archive.references.store(work.source.id, reference)
        return MarkedWork(stored, [mark for mark in whole if mark in new])

    def _with_copy(self, stored: Work, work: FoundWork, stop: Stop) -> Change[Work]:
        """Read the free copy of a work. Raises WebError, DocumentError, StorageError."""
        session_id = self.find.session_id
        fetched = self.find.fetcher.fetch(work.open_copy, session_id=session_id, stop=stop)
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
        if not Path(source.address).is_file():  # else it is a file that the user had before
            kept = str(self._archive.files.path(source.copy or name))
            self._archive.sources.refresh(source.id, address=kept)
        merged = self._references.merge([source.id, stored.source.id])

        def undo() -> Work:
            work = merged.undo()
            if document.outcome is AddOutcome.ADDED:
                self._archive.sources.remove(source.id)
            return work

        return Change(merged.value, undo)

    def _with_page(self, stored: Work, fetched: Fetched, stop: Stop) -> Change[Work]:
        """Give the work the passages of a page, instead of its abstract."""
        document = self._pages.read(fetched, stop=stop)
        letters = sum(len(passage.text) for passage in document.passages)
        if letters < _LETTERS_OF_ARTICLE:
            raise LiteraturePageShortError(host=fetched.address.host)
        sources = self._archive.sources.of(stored.source.project)
        document.title = stored.source.title
        digest = sha256(fetched.body).hexdigest()
        source = document.to_source(
            SourceKind.WEB, stored.source.address, digest, self.find.fetcher.now()
        )
        sources.add(source, document.passages)
        whole = self._archive.references.work(stored.source.id)
        return Change(whole, lambda: whole)  # a text that was read stays
