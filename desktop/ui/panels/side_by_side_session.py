"""A past session read beside the current one, at the message that bears on it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.formatting import day_and_time
from desktop.ui.navigation_target import Place
from desktop.ui.session.session_loader import Opened
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.labels import ElidedLabel
from desktop.ui.widgets.plain_text import Label
from desktop.ui.widgets.side_panel import SidePanel


class BesidePanel(SidePanel):
    add_wanted = Signal(object, str)
    """SessionId, title"""
    open_wanted = Signal(object)
    """Place: read it in the middle of the window"""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        self._name = ElidedLabel()
        super().__init__(theme, self._name, parent)
        self._opened: Opened | None = None
        self._place: Place | None = None
        self._when = Label(parent=self)
        self._add = IconButton(theme, Glyph.PLUS, self)
        self._open = IconButton(theme, Glyph.PANEL, self)
        self.transcript = TranscriptView(theme, self, has_actions=False)
        self._build()
        self._connect()
        self.retranslate()

    @property
    def place(self) -> Place | None:
        """What is read; None: nothing."""
        return self._place

    @property
    def title(self) -> str:
        session = self._opened.session if self._opened else None
        return (session.title or session.opening) if session else ""

    def show_session(self, opened: Opened, place: Place) -> None:
        self._opened, self._place = opened, place
        self.transcript.show_session(opened.messages)
        if place.message_id is not None:
            self.transcript.scroll_to(place.message_id, place.terms)
        self._say()

    def forget(self) -> None:
        """What was read is gone."""
        is_read = self.isVisible()
        self._opened = self._place = None
        self.transcript.show_session(())
        self._say()
        if is_read:
            self.closed.emit()

    def retranslate(self) -> None:
        super().retranslate()
        self._add.set_name(self.tr("Add to the context"))
        self._open.set_name(self.tr("Open in main view"))
        self._say()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _say(self) -> None:
        session = self._opened.session if self._opened else None
        title = self.title
        self._name.set_text(title)
        self._when.setText(day_and_time(session.updated_at) if session else "")
        self.setAccessibleName(self.tr("Side by side: {title}").format(title=title))

    def _build(self) -> None:
        self._when.setProperty("role", "small")
        self.setFocusProxy(self.transcript)
        self._told.addWidget(self._when)
        for place, button in enumerate((self._add, self._open), start=1):
            self._head.insertWidget(place, button)
        self._inside.addWidget(self.transcript, 1)

    def _connect(self) -> None:
        self._add.clicked.connect(self._want_added)
        self._open.clicked.connect(lambda: self.open_wanted.emit(self._place))
        copied = self.transcript.copy_requested
        copied.connect(
            lambda one: QGuiApplication.clipboard().setText(self.transcript.text_of(one))
        )

    def _want_added(self) -> None:
        if self._opened is not None:
            self.add_wanted.emit(self._opened.session.id, self.title)
