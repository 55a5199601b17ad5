"""Past sessions that go along with what is asked, as chips that can be taken off."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.ids import SessionId
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import FilterChip
from desktop.ui.widgets.layouts import FlowLayout
from desktop.ui.widgets.plain_text import Label

_LONGEST = 40


class ContextChips(QWidget):
    removed = Signal(object)
    """SessionId"""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._titles: Mapping[SessionId, str] = {}
        self._lead = Label(parent=self)
        self._lead.setProperty("role", "small")
        self._lead.setContentsMargins(Space.TIGHT, 0, 0, 0)
        self._row = FlowLayout(self)
        self._row.addWidget(self._lead)
        self._chips: list[FilterChip] = []
        self.retranslate()
        self.hide()

    def show_sessions(self, titles: Mapping[SessionId, str]) -> None:
        self._titles = dict(titles)
        for old in self._chips:
            self._row.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._chips = [self._chip(one, title) for one, title in self._titles.items()]
        self.setVisible(bool(self._chips))
        self.updateGeometry()

    def retranslate(self) -> None:
        self._lead.setText(self.tr("In context:"))
        self.setAccessibleName(self.tr("Past sessions in the context"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _chip(self, session_id: SessionId, title: str) -> FilterChip:
        chip = FilterChip(self._theme, self)
        metrics = chip.fontMetrics()
        room = metrics.averageCharWidth() * _LONGEST
        cut = metrics.elidedText(title, Qt.TextElideMode.ElideRight, room)
        chip.set_text(cut, title)
        chip.clicked.connect(lambda: self.removed.emit(session_id))
        self._row.addWidget(chip)
        self._lead.setMinimumHeight(chip.sizeHint().height())
        chip.show()
        return chip
