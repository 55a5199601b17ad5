"""The pages and panels at the side of the window, their tabs, and a session side by side."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from desktop.ui.formatting import day_and_time
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.services import NavigationTarget
from desktop.ui.session.shown_session import OpenedSession
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.fields import TabBar
from desktop.ui.widgets.layouts import (
    STRETCH,
    LayoutItem,
    VerticalScrollArea,
    column,
    frame_with,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import ElidedLabel, Label


class SidePage(TranslatedWidget, QFrame):
    """One of several pages under tabs; `named` gives the name for the tab."""

    named = Signal(str)

    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self._soon = make_timer(self, 0, is_single=True)
        self._soon.timeout.connect(lambda: self._fill() if self.isVisible() else None)
        self._inside = column(spacing=0)
        self.setLayout(self._inside)
        self.setProperty("role", "panel")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill()

    def _fill(self) -> None:
        """Show the newest data; called when the page opens and, while it is open, by `_soon`."""

    def _set_name(self, words: str) -> None:
        self.setAccessibleName(words)
        self.named.emit(words)

    def _add_scrolled(self, content: QVBoxLayout) -> None:
        area = VerticalScrollArea(self)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(widget_with(column(content, STRETCH, margin=Space.LARGE)))
        self._inside.addWidget(area, 1)


class SideTabs(TranslatedWidget, QFrame):
    page_chosen = Signal(object)  # SidePage whose tab the user chose
    shown_changed = Signal()

    def __init__(self, theme: ThemeController, pages: Sequence[SidePage], alone: SidePage) -> None:
        """`alone`: a panel that replaces the tabs, as any does that is shown later."""
        super().__init__()
        self._pages = pages
        self._stack = QStackedWidget(self)
        self._head = QFrame(self)
        self._tabs = TabBar(self._head)
        self.close_button = IconButton(theme, Glyph.CLOSE, self._head)
        self._build(alone)
        for place, page in enumerate(self._pages):
            page.named.connect(lambda words, place=place: self._tabs.setTabText(place, words))
        self._tabs.currentChanged.connect(self._choose)
        self._stack.currentChanged.connect(lambda _: self.shown_changed.emit())
        self.retranslate()

    @property
    def current(self) -> QWidget | None:
        return self._stack.currentWidget()

    def show_page(self, page: QWidget) -> None:
        if self._stack.indexOf(page) < 0:
            self._stack.addWidget(page)
        self._stack.setCurrentWidget(page)
        is_page = page in self._pages
        self._head.setVisible(is_page)
        if is_page:
            self._tabs.setCurrentIndex(self._stack.indexOf(page))

    def retranslate(self) -> None:
        self.close_button.set_name(self.tr("Close"))
        self._tabs.setAccessibleName(self.tr("Panel"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_button.click()
        else:
            super().keyPressEvent(event)

    def _build(self, alone: SidePage) -> None:
        self.setProperty("role", "panel")
        self._head.setProperty("role", "bar")
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self._tabs.setUsesScrollButtons(False)
        for page in self._pages:
            self._tabs.addTab(page.accessibleName())
            self._stack.addWidget(page)
        self._stack.addWidget(alone)
        # The close button sets the height of the bar; the tabs are aligned to its bottom.
        button_column = column(self.close_button, margin=(0, Space.SMALL, 0, Space.SMALL))
        tabs = LayoutItem(self._tabs, 1, Qt.AlignmentFlag.AlignBottom)
        margin = (Space.LARGE, 0, Space.SMALL, 0)
        self._head.setLayout(row(tabs, button_column, spacing=Space.TIGHT, margin=margin))
        self.setLayout(column(self._head, growing(self._stack), spacing=0))

    def _choose(self, place: int) -> None:
        page = self._pages[place]
        if self._stack.currentWidget() is not page:
            self._stack.setCurrentWidget(page)
            self.page_chosen.emit(page)


class SideBySidePanel(SidePage):
    closed = Signal()
    add_wanted = Signal(object, str)  # SessionId, title
    open_wanted = Signal(object)  # Place to show in the middle of the window

    def __init__(self, theme: ThemeController) -> None:
        super().__init__(theme)
        self._close = IconButton(theme, Glyph.CLOSE, self, self.closed.emit)
        self._name = ElidedLabel(role="heading")
        self._opened: OpenedSession | None = None
        self.place: NavigationTarget | None = None  # what is shown; None: nothing
        self._when = Label(parent=self, role="small")
        self._add = IconButton(theme, Glyph.PLUS, self, self._want_added)
        self._open = IconButton(theme, Glyph.PANEL, self)
        self.transcript = TranscriptView(theme, self, has_actions=False)
        self.setFocusProxy(self.transcript)
        heading = growing(column(self._name, self._when, spacing=0))
        margin = (Space.LARGE, Space.SMALL, Space.SMALL, Space.SMALL)
        head = row(heading, self._add, self._open, self._close, spacing=Space.TIGHT, margin=margin)
        self._inside.addWidget(frame_with("bar", head))
        self._inside.addWidget(self.transcript, 1)
        self._open.clicked.connect(lambda: self.open_wanted.emit(self.place))
        self.retranslate()

    @property
    def title(self) -> str:
        session = self._opened.session if self._opened else None
        return (session.title or session.opening) if session else ""

    def show_session(self, opened: OpenedSession, place: NavigationTarget) -> None:
        self._opened, self.place = opened, place
        self.transcript.show_session(opened.messages)
        if place.message_id is not None:
            self.transcript.scroll_to(place.message_id, place.terms)
        self._show_title()

    def forget(self) -> None:
        is_read = self.isVisible()
        self._opened = self.place = None
        self.transcript.show_session(())
        self._show_title()
        if is_read:
            self.closed.emit()

    def retranslate(self) -> None:
        self._close.set_name(self.tr("Close"))
        self._add.set_name(self.tr("Attach to the question"))
        self._open.set_name(self.tr("Open in main view"))
        self._show_title()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _show_title(self) -> None:
        session = self._opened.session if self._opened else None
        title = self.title
        self._name.set_text(title)
        self._when.setText(day_and_time(session.updated_at) if session else "")
        self.setAccessibleName(self.tr("Side by side: {title}").format(title=title))

    def _want_added(self) -> None:
        if self._opened is not None:
            self.add_wanted.emit(self._opened.session.id, self.title)
