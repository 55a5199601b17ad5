"""Adds documents, and files of references, in one step: a notice shows progress and result."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from shiboken6 import isValid

from desktop.domain.changes import Change
from desktop.domain.errors import AppError, StorageError
from desktop.research.library import (
    REFERENCE_FILES,
    AddOutcome,
    LibraryProgress,
    LibraryReport,
)
from desktop.ui.services import Worker
from desktop.ui.timers import make_timer
from desktop.ui.widgets.bars import MessageBar, Rank

if TYPE_CHECKING:
    from desktop.sessions.library_references import ImportedReferences
    from desktop.sessions.services import Services

_LOOK_MS = 250
_MOST_NAMED = 3
_IMPORTED = REFERENCE_FILES | {".json"}


@dataclass(slots=True)
class AddedFiles:
    """What became of files that were added together."""

    documents: LibraryReport = field(default_factory=LibraryReport)
    references: "list[Change[ImportedReferences]]" = field(default_factory=list)
    failures: list[tuple[Path, AppError]] = field(default_factory=list)

    @property
    def can_undo(self) -> bool:
        new = any(change.value.added or change.value.filled for change in self.references)
        return new or bool(self.documents.of(AddOutcome.ADDED))

    def undo(self, services: "Services") -> None:
        for change in reversed(self.references):
            change.undo()
        sources = [document.source for document in self.documents.of(AddOutcome.ADDED)]
        services.sources.remove([source.id for source in sources if source is not None])


class DocumentAdder(QObject):
    """Every call of `add` has its own notice, with a button that stops it."""

    added = Signal(object)  # AddedFiles
    first_added = Signal()  # The first document is there, and others follow

    def __init__(self, worker: Worker, strip: MessageBar, parent: QObject) -> None:
        """`strip`: the window's, for files that are dropped on it."""
        super().__init__(parent)
        self.strip = strip
        self._worker = worker
        self._numbers = count()

    def add(
        self, paths: Sequence[Path], strip: MessageBar | None = None, *, with_copies: bool
    ) -> None:
        """Add files and folders to the shown project; `strip`: that of a page."""
        strip = strip or self.strip
        _Adding(paths, strip, self._worker, f"adding{next(self._numbers)}", self).start(
            with_copies=with_copies
        )


class _Adding(QObject):
    def __init__(
        self,
        paths: Sequence[Path],
        strip: MessageBar,
        worker: Worker,
        key: str,
        adder: DocumentAdder,
    ) -> None:
        super().__init__(adder)
        is_list = [path.suffix.lower() in _IMPORTED and not path.is_dir() for path in paths]
        self._lists = [path for path, is_one in zip(paths, is_list, strict=True) if is_one]
        self._paths = [path for path, is_one in zip(paths, is_list, strict=True) if not is_one]
        self._first_strip, self._worker, self._key, self._adder = strip, worker, key, adder
        self._progress: deque[LibraryProgress] = deque()  # filled by the worker
        self._stopped = Event()
        self._has_first = False
        self._report = AddedFiles()
        self._look = make_timer(self, _LOOK_MS, self._show_progress)

    def start(self, *, with_copies: bool) -> None:
        stop = (self.tr("Stop"), self._stopped.set)
        self._strip.show_message(self._key, self._where(None), stop, can_be_closed=False)
        self._look.start()
        closing, report = self._worker.bridge.closing, self._report

        def should_stop() -> bool:
            return self._stopped.is_set() or closing.is_set()

        def work(services: "Services") -> None:
            project = services.assistant.project
            report.documents = services.library.of(project).add(
                self._paths,
                with_copies=with_copies,
                on_progress=self._progress.append,
                should_stop=should_stop,
            )
            for path in self._lists:
                if not should_stop():
                    _import(services, path, report)

        self._worker.do(work, settled=self._end)

    @property
    def _strip(self) -> MessageBar:
        """Return the strip of its page; that of the window if the page was built anew."""
        return self._first_strip if isValid(self._first_strip) else self._adder.strip

    def _show_progress(self) -> None:
        at = None
        while self._progress:
            at = self._progress.popleft()
            self._note_first(at)
        if at is not None and self._key in self._strip:
            self._strip.set_words(self._key, self._where(at))

    def _note_first(self, at: LibraryProgress) -> None:
        """Have the first document shown: an empty library would say that it is empty."""
        if not self._has_first and at.done is not None and at.done.source is not None:
            self._has_first = True
            self._adder.first_added.emit()

    def _where(self, at: LibraryProgress | None) -> str:
        if self._stopped.is_set():
            return self.tr("Stopping…")
        if at is None:
            return self.tr("Looking for documents…")
        file = self.tr("Adding file {number} of {count}: {name}").format(
            number=at.number, count=at.files, name=at.path.name
        )
        page = self.tr("page {number}").format(number=at.page) if at.page else ""
        return " · ".join(filter(None, (file, page)))

    def _end(self) -> None:
        self._look.stop()
        self._strip.remove(self._key)
        failures = self._failures()
        hints = self._hints()
        words = " ".join((self._summary(), *hints, *failures[:_MOST_NAMED]))
        if unnamed := len(failures[_MOST_NAMED:]):
            more = self.tr("and %n more", "", unnamed)
            words = f"{words} {more}"
        choices = []
        if failures:
            copy = partial(QGuiApplication.clipboard().setText, "\n".join(failures))
            choices.append((self.tr("Copy report"), copy))
        self._strip.show_message(
            self._key,
            words,
            *choices,
            undo=self._undo() if self._report.can_undo else None,
            rank=Rank.FAILURE if failures else Rank.QUESTION if hints else Rank.SUCCESS,
        )
        self._adder.added.emit(self._report)

    def _undo(self) -> Callable[[], None]:
        worker, report, changed = self._worker, self._report, self._adder.added
        return lambda: worker.do_in_turn(report.undo, lambda _: changed.emit(report))

    def _summary(self) -> str:
        documents = self._report.documents
        added, known = documents.of(AddOutcome.ADDED), documents.of(AddOutcome.KNOWN)
        reports = [change.value for change in self._report.references]
        counts = (
            (len(added), self.tr("%n document(s) added.", "", len(added))),
            (
                len(renewed := documents.of(AddOutcome.RENEWED)),
                self.tr("%n document(s) updated.", "", len(renewed)),
            ),
            (
                len(known),
                self.tr("%n document(s) were already in the library.", "", len(known)),
            ),
            (
                new := sum(len(report.added) for report in reports),
                self.tr("%n new reference(s) imported.", "", new),
            ),
            (
                filled := sum(len(report.filled) for report in reports),
                self.tr("%n reference(s) completed.", "", filled),
            ),
            (
                same := sum(len(report.known) for report in reports),
                self.tr("%n reference(s) were already known.", "", same),
            ),
        )
        sentences = [sentence for number, sentence in counts if number]
        if documents.was_stopped:
            sentences.insert(0, self.tr("Stopped."))
        if not sentences and not self._failures():
            sentences = [self.tr("No readable documents were found.")]
        return " ".join(sentences)

    def _hints(self) -> Sequence[str]:
        """Say what helps to read scanned pages, or when they will be read."""
        documents, texts = self._report.documents.added, self._worker.services.texts()
        hints = {texts.error(document.hint): None for document in documents if document.hint}
        scans = [
            document for document in documents if document.source and document.source.needs_ocr
        ]
        if scans and not hints:
            return [
                self.tr(
                    "The scanned pages of %n document(s) will be read while you are not typing.",
                    "",
                    len(scans),
                )
            ]
        return list(hints)

    def _failures(self) -> list[str]:
        texts = self._worker.services.texts()
        documents = [
            (document.path, document.error)
            for document in self._report.documents.added
            if document.error is not None
        ]
        return [
            self.tr("✗ {name}: {why}").format(name=path.name, why=texts.error(error))
            for path, error in (*documents, *self._report.failures)
        ]


def _import(services: "Services", path: Path, report: AddedFiles) -> None:
    project = None if services.assistant.shown.is_open else services.assistant.project
    try:
        report.references.append(services.references.import_file(path, project))
    except StorageError:
        raise
    except AppError as exc:
        report.failures.append((path, exc))
