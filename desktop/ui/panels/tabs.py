"""The pages at the window's right under their tabs, and in their place what is read beside."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.side_panel import SidePage, SidePanel


class SideTabs(QFrame):
    page_chosen = Signal(object)
    """SidePage whose tab was chosen by whoever sits before it"""
    shown_changed = Signal()
    closed = Signal()

    def __init__(
        self,
        theme: ThemeController,
        pages: Sequence[SidePage],
        alone: SidePanel,
        parent: QWidget | None = None,
    ) -> None:
        """`alone`: a panel that takes the whole place, tabs and all."""
        super().__init__(parent)
        self._pages = pages
        self._stack = QStackedWidget(self)
        self._head = QFrame(self)
        self._tabs = QTabBar(self._head)
        self._close = IconButton(theme, Glyph.CLOSE, self._head)
        self._build(alone)
        self._connect()
        self.retranslate()

    @property
    def current(self) -> QWidget | None:
        return self._stack.currentWidget()

    def show_page(self, page: QWidget) -> None:
        """One of the pages, or the panel that stands alone."""
        self._stack.setCurrentWidget(page)
        is_page = page in self._pages
        self._head.setVisible(is_page)
        if is_page:
            self._tabs.setCurrentIndex(self._stack.indexOf(page))

    def retranslate(self) -> None:
        self._close.set_name(self.tr("Close"))
        self._tabs.setAccessibleName(self.tr("Panel"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _build(self, alone: SidePanel) -> None:
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
        row = QHBoxLayout(self._head)
        row.setContentsMargins(Space.LARGE, 0, Space.SMALL, 0)
        row.setSpacing(Space.TIGHT)
        # The close is what makes it as high as the other bars; the tabs stand on its line.
        around = QVBoxLayout()
        around.setContentsMargins(0, Space.SMALL, 0, Space.SMALL)
        around.addWidget(self._close)
        row.addWidget(self._tabs, 1, Qt.AlignmentFlag.AlignBottom)
        row.addLayout(around)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self._stack, 1)

    def _connect(self) -> None:
        for place, page in enumerate(self._pages):
            page.named.connect(lambda words, place=place: self._tabs.setTabText(place, words))
        self._tabs.currentChanged.connect(self._choose)
        self._stack.currentChanged.connect(lambda _: self.shown_changed.emit())
        self._close.clicked.connect(self.closed)

    def _choose(self, place: int) -> None:
        page = self._pages[place]
        if self._stack.currentWidget() is not page:
            self._stack.setCurrentWidget(page)
            self.page_chosen.emit(page)
