"""The dialog that adds a web page to the library."""

from collections.abc import Callable
from dataclasses import replace
from threading import Event
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QProgressBar, QWidget

from desktop.domain.errors import AppError
from desktop.research.library import (
    AddOutcome,
    AddPage,
    ImportedPage,
    as_address,
)
from desktop.settings.messages import Texts
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import STRETCH, at_left, column, frame_with, row, text_width
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    HintLabel,
    ProblemLabel,
    TitleLabel,
)

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
        self._address.setFocus(Qt.FocusReason.OtherFocusReason)  # not on what turns the web on

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
