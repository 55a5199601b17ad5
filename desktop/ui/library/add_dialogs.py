"""The dialogs that add to the library: documents with progress and a report, and one web page."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QProgressBar, QWidget

from desktop.domain.errors import AppError
from desktop.research.library import (
    AddedDocument,
    AddOutcome,
    AddPage,
    ImportedPage,
    Library,
    LibraryProgress,
    LibraryReport,
    as_address,
)
from desktop.settings.messages import Texts
from desktop.ui.dialogs.importing import ImportProgressDialog
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import WrappingCheckBox
from desktop.ui.widgets.layouts import STRETCH, at_left, column, frame_with, row, text_width
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    ElidedLabel,
    HintLabel,
    ProblemLabel,
    TitleLabel,
)

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
        self._look = make_timer(self, _LOOK_MS)
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
        self._bar.setRange(0, at.files if at else 0)
        self._bar.setValue(len(self._done))
        count = sum(document.outcome is not AddOutcome.FAILED for document in self._done)
        added = self.tr("%n document(s) in the library so far.", "", count)
        note = self.tr("If you cancel, the documents added so far are kept.")
        self._words.setText(f"{added} {note}")
        self._file.set_text(self._where(at) if at else self.tr("Looking for documents…"))
        self._show_lines(self._done)

    def _where(self, at: LibraryProgress) -> str:
        progress = self.tr("File {number} of {count}: {name}").format(
            number=at.number, count=at.files, name=at.path.name
        )
        page = self.tr("page {number}").format(number=at.page) if at.page else ""
        return " · ".join(filter(None, (progress, page)))

    def _show_report(self, report: LibraryReport) -> None:
        fresh = len(report.of(AddOutcome.ADDED)) + len(report.of(AddOutcome.RENEWED))
        if report.was_stopped:
            self._title.setText(self.tr("Stopped"))
        elif fresh or not report.added:
            self._title.setText(self.tr("Done"))
        else:
            self._title.setText(self.tr("Nothing was added"))
        sentences = [self.tr("%n document(s) added.", "", fresh)]
        if duplicates := len(report.of(AddOutcome.KNOWN)):
            sentences.append(
                self.tr("%n document(s) were already in the library.", "", duplicates)
            )
        if failed := len(report.of(AddOutcome.FAILED)):
            sentences.append(self.tr("%n document(s) could not be read.", "", failed))
        if not report.added and not report.was_stopped:
            sentences = [self.tr("No readable documents were found.")]
        self._words.setText(" ".join(sentences))
        failed_first = sorted(
            report.added, key=lambda document: document.outcome is not AddOutcome.FAILED
        )
        self._details.setVisible(bool(report.added))
        self._show_lines(failed_first)

    def _show_lines(self, done: Sequence[AddedDocument]) -> None:
        lines = "\n".join(self._line(document) for document in done)
        if lines != self._details.toPlainText():
            self._details.setPlainText(lines)

    def _line(self, document: AddedDocument) -> str:
        why = self._texts().error(document.error) if document.error else ""
        name = document.path.name
        if document.source is None:
            return self.tr("✗ {name}: {why}").format(name=name, why=why)
        templates = {
            AddOutcome.ADDED: self.tr("✓ {name}: added"),
            AddOutcome.RENEWED: self.tr("✓ {name}: updated"),
            AddOutcome.KNOWN: self.tr("= {name}: already in the library"),
        }
        line = templates.get(document.outcome, "{name}").format(name=name)
        if document.hint:
            return f"{line}. {self._texts().error(document.hint)}"
        if document.source.needs_ocr:
            line = self.tr(
                "{line}; its scanned pages will be read while you are not typing"
            ).format(line=line)
        return f"{line} ({why})" if why else line


_CHARACTERS = 72


class AddWebPageDialog(QDialog):
    added = Signal()  # A page was added or updated

    def __init__(
        self,
        read: AddPage,
        texts: Callable[[], Texts],
        bridge: TurnBridge,
        changes: SettingsController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._read, self._texts = read, texts
        self._bridge, self._changes = bridge, changes
        self._stopped = Event()
        self._reading = ""  # host of the page that is being read
        self._outcome: Callable[[], str] = str
        self._is_turning_on = False
        self._build()
        changes.changed.connect(self._show)
        changes.saved.connect(self._show_saved)
        changes.save_failed.connect(self._show_unsaved)
        self._show()

    @property
    def is_reading(self) -> bool:
        return bool(self._reading)

    def reject(self) -> None:
        if self.is_reading:
            self._stopped.set()
            self._end(lambda: self.tr("Stopped before the whole page was read."))
        else:
            super().reject()

    def _build(self) -> None:
        title = self.tr("Add a web page")
        self.setWindowTitle(title)
        about = self.tr(
            "Bellek reads the page once and keeps its text, so citations still work after the "
            "page changes or disappears."
        )
        off = self.tr(
            "Web access is off, so Bellek does not connect to any website. If you turn it on, "
            "Bellek also uses it for questions that need it, until you "
            "turn it off in Settings."
        )
        self._result, self._trouble = BodyLabel(), ProblemLabel()
        self._address = QLineEdit()
        self._address.setPlaceholderText("https://")
        self._address.setAccessibleName(self.tr("Page address"))
        self._address.textChanged.connect(self._show)
        self._trouble.follow(self._address)
        self._turn_on = Button(text=self.tr("&Turn on web access"), press=self._turn_web_on)
        self._leave = Button(press=self.reject)
        self._begin = Button("primary", text=self.tr("&Add"), press=self._add)
        self._bar = QProgressBar()
        self._bar.setAccessibleName(self.tr("Progress"))
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 0)
        offer = column(BodyLabel(off), at_left(self._turn_on), margin=Space.MEDIUM)
        self._offer = frame_with("notice", offer)
        whole = column(
            TitleLabel(title),
            HintLabel(about),
            self._offer,
            self._address,
            self._trouble,
            self._result,
            self._bar,
            STRETCH,
            row(STRETCH, self._leave, self._begin),
            spacing=Space.MEDIUM,
            margin=Space.WIDE,
        )
        self.setLayout(whole)
        self.setMinimumWidth(text_width(self, _CHARACTERS))

    def _turn_web_on(self) -> None:
        """Turn the web on in the saved settings, which the reading worker checks."""
        self._is_turning_on = True
        self._trouble.set_text("")
        self._changes.apply(replace(self._changes.settings, uses_web=True))
        self._show()
        self._address.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_saved(self) -> None:
        self._is_turning_on = False
        self._show()

    def _show_unsaved(self, error: AppError) -> None:
        self._is_turning_on = False
        self._trouble.set_text(self._texts().error(error))
        self._show()

    def _add(self) -> None:
        address = as_address(self._address.text())
        if self.is_reading or not address or not self._may_read:
            return
        self._stopped = stopped = Event()
        self._reading = urlsplit(address).netloc or address
        self._outcome = str
        self._trouble.set_text("")
        self._show()
        self._leave.setFocus(Qt.FocusReason.OtherFocusReason)
        read, closing = self._read, self._bridge.closing

        def work() -> ImportedPage:  # worker thread
            return read(address, lambda: stopped.is_set() or closing.is_set())

        def show_page(page: ImportedPage) -> None:
            self.added.emit()
            if not stopped.is_set():
                self._end(lambda: self._words(page))
                self._address.clear()

        def show_error(error: AppError) -> None:
            if not stopped.is_set():
                self._trouble.set_text(self._texts().error(error))
                self._end()

        self._bridge.run(work, show_page, show_error, lambda: self._settle(stopped))

    def _settle(self, stopped: Event) -> None:
        if self.is_reading and not stopped.is_set():
            self._end()  # it failed, and the window has shown the error

    def _end(self, outcome: Callable[[], str] = str) -> None:
        self._reading = ""
        self._outcome = outcome
        self._show()
        self._address.setFocus(Qt.FocusReason.OtherFocusReason)
        self._address.selectAll()

    @property
    def _may_read(self) -> bool:
        return self._changes.settings.uses_web and not self._is_turning_on

    def _words(self, page: ImportedPage) -> str:
        forms = {
            AddOutcome.RENEWED: self.tr("✓ {title}: updated"),
            AddOutcome.KNOWN: self.tr("= {title}: already in the library"),
        }
        added = self.tr("✓ {title}: added")
        return forms.get(page.outcome, added).format(title=page.source.title)

    def _show(self, _: object = None) -> None:
        words = self._outcome()
        if self.is_reading:
            words = self.tr("Reading {host}…").format(host=self._reading)
        self._result.set_text(words)
        self._bar.setVisible(self.is_reading)
        self._address.setEnabled(not self.is_reading)
        self._offer.setVisible(not self._may_read)
        self._turn_on.setEnabled(not self._is_turning_on)
        has_address = bool(self._address.text().strip())
        self._begin.setEnabled(has_address and self._may_read and not self.is_reading)
        self._leave.setText(self.tr("&Cancel") if self.is_reading else self.tr("C&lose"))
