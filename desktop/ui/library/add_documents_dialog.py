"""Adds documents to the library: options, progress, and a report on each file."""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop.research.library import (
    AddedDocument,
    AddOutcome,
    Library,
    LibraryProgress,
    LibraryReport,
)
from desktop.settings.messages import Texts
from desktop.ui.dialogs.importing import ImportProgressDialog
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.fields import WrappingCheckBox
from desktop.ui.widgets.labels import ElidedLabel, HintLabel

_LOOK_MS = 60
_MOST_NAMED = 6


class AddDocumentsDialog(ImportProgressDialog):
    added = Signal(object)  # LibraryReport

    def __init__(
        self,
        paths: Sequence[Path],
        library: Library,
        texts: Callable[[], Texts],
        bridge: TurnBridge,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(texts, bridge, parent)
        self._paths = tuple(paths)
        self._library = library
        self._progress: deque[LibraryProgress] = deque()  # filled by the worker
        self._look = QTimer(self, interval=_LOOK_MS)
        self._at: LibraryProgress | None = None
        self._done: list[AddedDocument] = []
        self._report: LibraryReport | None = None
        self._file = ElidedLabel(role="small")
        self._copies = WrappingCheckBox(self.tr("&Keep a copy of each file in Bellek"))
        about = self.tr(
            "Bellek stores the location and the text of each file. If it also keeps a copy, you "
            "can still open the document after the original is moved or deleted."
        )
        self._about_copies = HintLabel(about)
        self._about_copies.setProperty("below", "box")
        self.setWindowTitle(self.tr("Add to the library"))
        self._begin.setText(self.tr("&Add"))
        self._lay_out([self._copies, self._about_copies], [self._file])
        self._look.timeout.connect(self._read_progress)
        self._show()

    def _import(self) -> None:
        self._start()
        self._look.start()
        add = partial(
            self._library.add,
            self._paths,
            with_copies=self._copies.isChecked(),
            on_progress=self._progress.append,
            should_stop=self._should_stop,
        )
        self._bridge.run(add, self._set_report, self._show_error, self._end)

    def _read_progress(self) -> None:
        while self._progress:
            self._at = self._progress.popleft()
            if self._at.done is not None:
                self._done.append(self._at.done)
        self._show()

    def _set_report(self, report: LibraryReport) -> None:
        self._report = report

    def _end(self) -> None:
        self._look.stop()
        self._read_progress()
        if self._report is None:
            # The disk failed half way: keep what was added.
            self._report = LibraryReport(self._done, was_stopped=True)
        self._finish()
        self.added.emit(self._report)

    def _show(self) -> None:
        super()._show()
        begins = not self._is_done and not self._is_running
        self._copies.setVisible(begins)
        self._about_copies.setVisible(begins)
        self._file.setVisible(self._is_running)
        self._details.setVisible(not begins)
        if self._report is not None:
            self._show_report(self._report)
        elif self._is_running:
            self._show_progress()
        else:
            self._title.setText(self.tr("Add to the library?"))
            self._words.setText(self._named())

    def _named(self) -> str:
        names = [path.name for path in self._paths[:_MOST_NAMED]]
        if more := len(self._paths) - len(names):
            names.append(self.tr("and %n more", "", more))
        return "\n".join(names)

    def _show_progress(self) -> None:
        is_stopping = self._stopped.is_set()
        self._title.setText(self.tr("Stopping…") if is_stopping else self.tr("Reading…"))
        at = self._at
        files = at.files if at else 0
        self._bar.setRange(0, files)
        self._bar.setValue(len(self._done))
        count = sum(one.outcome is not AddOutcome.FAILED for one in self._done)
        added = self.tr("%n document(s) in the library so far.", "", count)
        kept = self.tr("If you cancel, the documents added so far are kept.")
        self._words.setText(f"{added} {kept}")
        self._file.set_text(self._where(at) if at else self.tr("Looking for documents…"))
        self._show_lines(self._done)

    def _where(self, at: LibraryProgress) -> str:
        told = self.tr("File {number} of {count}: {name}").format(
            number=at.number, count=at.files, name=at.path.name
        )
        page = self.tr("page {number}").format(number=at.page) if at.page else ""
        return " · ".join(filter(None, (told, page)))

    def _show_report(self, report: LibraryReport) -> None:
        fresh = len(report.of(AddOutcome.ADDED)) + len(report.of(AddOutcome.RENEWED))
        if report.was_stopped:
            self._title.setText(self.tr("Stopped"))
        elif fresh or not report.added:
            self._title.setText(self.tr("Done"))
        else:
            self._title.setText(self.tr("Nothing was added"))
        said = [self.tr("%n document(s) added.", "", fresh)]
        if known := len(report.of(AddOutcome.KNOWN)):
            said.append(self.tr("%n document(s) were already in the library.", "", known))
        if failed := len(report.of(AddOutcome.FAILED)):
            said.append(self.tr("%n document(s) could not be read.", "", failed))
        if not report.added and not report.was_stopped:
            said = [self.tr("No readable documents were found.")]
        self._words.setText(" ".join(said))
        failed_first = sorted(report.added, key=lambda one: one.outcome is not AddOutcome.FAILED)
        self._details.setVisible(bool(report.added))
        self._show_lines(failed_first)

    def _show_lines(self, done: Sequence[AddedDocument]) -> None:
        lines = "\n".join(self._line(one) for one in done)
        if lines != self._details.toPlainText():
            self._details.setPlainText(lines)

    def _line(self, one: AddedDocument) -> str:
        texts = self._texts()
        why = texts.error(one.error) if one.error else ""
        name = one.path.name
        if one.source is None:
            return self.tr("✗ {name}: {why}").format(name=name, why=why)
        told = {
            AddOutcome.ADDED: self.tr("✓ {name}: added"),
            AddOutcome.RENEWED: self.tr("✓ {name}: updated"),
            AddOutcome.KNOWN: self.tr("= {name}: already in the library"),
        }
        line = told.get(one.outcome, "{name}").format(name=name)
        return f"{line} ({why})" if why else line
