"""A past session read beside the current one, at the message that bears on it."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.ui.amounts import day_and_time
from desktop.ui.opening import Opened
from desktop.ui.place import Place
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.buttons import ToolButton
from desktop.ui.widgets.elided_label import ElidedLabel


class BesidePanel(QFrame):
    closed = Signal()
    add_wanted = Signal(object, str)
    """SessionId, title"""
    open_wanted = Signal(object)
    """Place: read it in the middle of the window"""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._opened: Opened | None = None
        self._place: Place | None = None
        self._title = ElidedLabel(self)
        self._when = QLabel(self)
        self._add = ToolButton(self)
        self._open = ToolButton(self)
        self._close = ToolButton(self)
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

    def retranslate(self) -> None:
        for button, name in (
            (self._add, self.tr("Add to the context")),
            (self._open, self.tr("Open in the middle")),
            (self._close, self.tr("Close")),
        ):
            button.setToolTip(name)
            button.setAccessibleName(name)
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _say(self) -> None:
        session = self._opened.session if self._opened else None
        title = self.title
        self._title.say(title)
        self._when.setText(day_and_time(session.updated_at) if session else "")
        self.setAccessibleName(self.tr("Beside: {title}").format(title=title))

    def _build(self) -> None:
        self.setProperty("role", "panel")
        self._title.setProperty("role", "heading")
        self._when.setProperty("role", "small")
        self.setFocusProxy(self.transcript)
        bar = QFrame(self)
        bar.setProperty("role", "bar")
        told = QVBoxLayout()
        told.setSpacing(0)
        told.addWidget(self._title)
        told.addWidget(self._when)
        head = QHBoxLayout(bar)
        head.setContentsMargins(Space.LARGE, Space.SMALL, Space.SMALL, Space.SMALL)
        head.setSpacing(Space.TIGHT)
        head.addLayout(told, 1)
        for button in (self._add, self._open, self._close):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            head.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar)
        layout.addWidget(self.transcript, 1)
        self._colour()

    def _connect(self) -> None:
        self._theme.theme_changed.connect(self._colour)
        self._close.clicked.connect(self.closed)
        self._add.clicked.connect(self._want_added)
        self._open.clicked.connect(lambda: self.open_wanted.emit(self._place))
        copied = self.transcript.copy_requested
        copied.connect(
            lambda one: QGuiApplication.clipboard().setText(self.transcript.text_of(one))
        )

    def _want_added(self) -> None:
        if self._opened is not None:
            self.add_wanted.emit(self._opened.session.id, self.title)

    def _colour(self) -> None:
        side = round(ICON_SIZE * self._theme.scale.zoom)
        for button, glyph in (
            (self._add, Glyph.PLUS),
            (self._open, Glyph.PANEL),
            (self._close, Glyph.CLOSE),
        ):
            button.setIconSize(QSize(side, side))
            button.setIcon(self._theme.icon(glyph))
