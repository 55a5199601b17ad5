"""The dialog that reads a Zotero on this computer: a collection, or what changed in it."""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.errors import AppError
from desktop.domain.references import Work
from desktop.research.library import LibraryProgress
from desktop.settings.messages import Texts
from desktop.ui.dialogs.importing import ImportProgressDialog
from desktop.ui.timers import make_timer
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.plain_text import ElidedLabel

if TYPE_CHECKING:
    from desktop.domain.projects import ProjectId
    from desktop.research.zotero_api import ZoteroStatus
    from desktop.sessions.zotero import Zotero, ZoteroReport

_LOOK_MS = 60


class ZoteroDialog(ImportProgressDialog):
    added = Signal()  # Works were added or read again
    removal_wanted = Signal(object)  # SourceIds of works that are gone from Zotero

    def __init__(
        self,
        zotero: "Zotero",
        project: "ProjectId",
        texts: Callable[[], Texts],
        bridge: TurnBridge,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(texts, bridge, parent)
        self._zotero, self._project = zotero, project
        self._progress: deque[LibraryProgress] = deque()  # filled by the worker
        self._timer = make_timer(self, _LOOK_MS)
        self._timer.timeout.connect(self._read_progress)
        self._at: LibraryProgress | None = None
        self._status: ZoteroStatus | None = None
        self._report: ZoteroReport | None = None
        self._linked, self._is_asking = 0, False
        self._file = ElidedLabel(role="small")
        self._collections = ComboBox()
        self._collections.setAccessibleName(self.tr("Collection"))
        self._renew = Button(text=self.tr("&Read changes"), press=self._refresh)
        self._keep = Button(text=self.tr("&Keep"), press=self._keep_gone)
        self._remove = DangerButton(text=self.tr("Re&move"), press=self._remove_gone)
        self.setWindowTitle(self.tr("Add from Zotero"))
        buttons = (self._remove, self._keep, self._renew)
        self._lay_out([self._collections], [self._file], buttons)
        self._look()

    def _look(self) -> None:
        """Ask Zotero for its collections."""
        self._is_asking = True
        self._trouble.set_text("")
        self._show()

        def work() -> tuple["ZoteroStatus", int]:  # worker thread
            return self._zotero.status(), len(self._zotero.linked())

        self._bridge.run(work, self._set_status, self._show_error, self._end_asking)

    def _set_status(self, answer: tuple["ZoteroStatus", int]) -> None:
        self._status, self._linked = answer
        self._collections.clear()
        self._collections.addItem(self.tr("The whole library"), None)
        for collection in self._status.collections:
            self._collections.addItem(f"{collection.name} ({collection.items})", collection.key)

    def _end_asking(self) -> None:
        self._is_asking = False
        self._show()
        (self._begin if self._status is None else self._collections).setFocus()

    def _import(self) -> None:
        if self._status is None:
            self._look()
            return
        self._run(
            partial(
                self._zotero.add,
                self._collections.currentData(),
                self._project or None,
                on_progress=self._progress.append,
                should_stop=self._should_stop,
            )
        )

    def _refresh(self) -> None:
        self._run(
            partial(
                self._zotero.refresh,
                on_progress=self._progress.append,
                should_stop=self._should_stop,
            )
        )

    def _run(self, work: Callable[[], "ZoteroReport"]) -> None:
        self._start()
        self._timer.start()
        self._bridge.run(work, self._set_report, self._show_trouble, self._end)

    def _set_report(self, report: "ZoteroReport") -> None:
        self._report = report

    def _show_trouble(self, error: AppError) -> None:
        if not self._stopped.is_set():  # else it says that it was stopped, as the title does
            self._show_error(error)

    def _end(self) -> None:
        self._timer.stop()
        self._finish()
        self.added.emit()

    def _read_progress(self) -> None:
        while self._progress:
            self._at = self._progress.popleft()
        self._show()

    def _gone(self) -> Sequence[Work]:
        return self._report.gone if self._report else ()

    def _keep_gone(self) -> None:
        self._bridge.run(
            partial(self._zotero.forget, self._gone()),
            failed=self._show_error,
            settled=self.accept,
        )

    def _remove_gone(self) -> None:
        self.removal_wanted.emit([work.source.id for work in self._gone()])
        self.accept()

    def _show(self) -> None:
        super()._show()
        begins = not self._is_done and not self._is_running
        is_ready = begins and self._status is not None and not self._is_asking
        self._collections.setVisible(is_ready)
        self._renew.setVisible(is_ready and self._linked > 0)
        self._file.setVisible(self._is_running)
        self._begin.setEnabled(not self._is_asking)
        self._begin.setText(self.tr("&Add") if self._status else self.tr("&Try again"))
        for button in (self._keep, self._remove):
            button.setVisible(self._is_done and bool(self._gone()))
        self._details.setVisible(self._is_done and bool(self._lines()))
        self._copy.setVisible(self._is_done and bool(self._lines()))
        self._title.setText(self._heading())
        self._words.set_text(self._sentences())
        if self._is_running:
            self._show_progress()
        self._details.setPlainText("\n".join(self._lines()))

    def _heading(self) -> str:
        if self._is_running:
            return self.tr("Stopping…") if self._stopped.is_set() else self.tr("Reading…")
        if not self._is_done:
            return self.tr("Add from Zotero")
        if self._stopped.is_set():
            return self.tr("Stopped")
        return self.tr("Done") if self._report else self.tr("Zotero was not read")

    def _sentences(self) -> str:
        if self._is_asking:
            return self.tr("Asking Zotero…")
        if self._is_running:
            return self.tr("If you cancel, the works added so far are kept.")
        if not self._is_done:
            return self.tr(
                "Works come with their PDFs and stay connected: what changes in Zotero can be "
                "read again. Zotero itself is not changed. Annotations of the PDFs become notes."
            )
        return self._result(self._report) if self._report else ""

    def _result(self, report: "ZoteroReport") -> str:
        counts = (
            (len(report.added), self.tr("%n work(s) added.", "", len(report.added))),
            (report.bare, self.tr("%n of them have no PDF.", "", report.bare)),
            (len(report.filled), self.tr("%n reference(s) filled in.", "", len(report.filled))),
            (len(report.renewed), self.tr("%n work(s) read again.", "", len(report.renewed))),
            (report.notes, self.tr("%n note(s) added.", "", report.notes)),
            (len(report.failed), self.tr("%n file(s) could not be read.", "", len(report.failed))),
            (
                len(report.gone),
                self.tr(
                    "%n work(s) are no longer in Zotero. Remove them here, too?",
                    "",
                    len(report.gone),
                ),
            ),
        )
        return " ".join(words for count, words in counts if count) or self.tr(
            "Nothing has changed."
        )

    def _show_progress(self) -> None:
        at = self._at
        self._bar.setRange(0, at.files if at else 0)
        self._bar.setValue(at.number if at else 0)
        where = self.tr("File {number} of {count}: {name}")
        self._file.set_text(
            where.format(number=at.number, count=at.files, name=at.path.name) if at else ""
        )

    def _lines(self) -> Sequence[str]:
        """Return what the report names: the works that are gone, and files that failed."""
        if self._report is None:
            return ()
        failed = [
            self.tr("✗ {name}: {why}").format(
                name=document.path.name,
                why=self._texts().error(document.error) if document.error else "",
            )
            for document in self._report.failed
        ]
        return [*(work.source.title for work in self._report.gone), *failed]
