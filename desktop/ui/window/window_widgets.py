"""The widgets of the main window, and which page is shown in its middle."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from desktop.ui.composer.composer import Composer
from desktop.ui.composer.suggestions import ContextChips, Suggestions
from desktop.ui.panels.context_usage_panel import ContextPanel
from desktop.ui.panels.sources import SourcesPanel
from desktop.ui.panels.tabs import SideBySidePanel, SideTabs
from desktop.ui.search.hit_navigation import HitBar
from desktop.ui.search.results_page import ResultsPage
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import COLUMN_WIDTH, Space
from desktop.ui.trace.panel import TracePanel
from desktop.ui.trace.plan_card import PlanCard
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import FindBar
from desktop.ui.widgets.layouts import STRETCH, column, growing, row, widget_with
from desktop.ui.widgets.message_bar import MessageBar
from desktop.ui.window.empty_page import EmptyPage
from desktop.ui.window.header import ContinueBar, Header
from desktop.ui.window.splitter_layout import Side, SplitterLayout
from desktop.ui.window.status_bar import StatusBar


class WindowWidgets(QObject):
    def __init__(self, theme: ThemeController, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self.sidebar = Sidebar(theme)
        self.header = Header(theme)
        self.find_bar = FindBar(theme)
        self.hit_bar = HitBar(theme)
        self.results = ResultsPage(theme)
        self.suggestions = Suggestions(theme)
        self.context_chips = ContextChips(theme)
        self.beside = SideBySidePanel(theme)
        self.transcript = TranscriptView(theme)
        self.empty_page = EmptyPage(theme)
        self.strip = MessageBar(theme)
        self.composer = Composer(theme)
        self.reading_bar = ContinueBar()
        self.panel = SourcesPanel(theme)
        self.context = ContextPanel(theme)
        self.trace = TracePanel(theme)
        self.plan = PlanCard(theme)
        self.status = StatusBar()
        self.side = SideTabs(theme, (self.panel, self.trace, self.context), self.beside)
        self._is_empty = True
        self.are_results_shown = False
        self.shell = SplitterLayout(theme, (self.sidebar, self._page(), self.side), window)
        self.side.shown_changed.connect(self.shell.shown_changed)
        theme.theme_changed.connect(self._measure)
        self.transcript.verticalScrollBar().installEventFilter(self)
        self.strip.changed.connect(self._show_foot)
        self.show_reading(is_reading=False)
        self.show_empty(is_empty=True)
        self._measure()

    def show_empty(self, *, is_empty: bool) -> None:
        """The empty page, or the transcript."""
        self._is_empty = is_empty
        self._show_page()

    def show_results(self, *, is_shown: bool) -> None:
        """The results of a search in the place of the session, or the session again."""
        self.are_results_shown = is_shown
        self._head.setHidden(is_shown)
        self._writing.setHidden(is_shown)
        self._show_foot()
        self._show_page()

    def _show_foot(self) -> None:
        """A notice is seen over the results too: below them nothing else would tell of it."""
        self._foot.setHidden(self.are_results_shown and self.strip.isHidden())

    def show_panel(self, panel: QWidget) -> None:
        """One of those at the right."""
        self.side.show_page(panel)
        self.shell.show_side(Side.RIGHT, True)

    def is_panel_shown(self, panel: QWidget) -> bool:
        return self.side.current is panel and self.shell.is_shown(Side.RIGHT)

    def show_reading(self, *, is_reading: bool) -> None:
        """The bar that continues a past session, or the composer."""
        self.reading_bar.setVisible(is_reading)
        self.composer.setVisible(not is_reading)
        self._about_draft.setVisible(not is_reading)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Show, QEvent.Type.Hide}:
            self._measure()
        return super().eventFilter(watched, event)

    def _page(self) -> QWidget:
        self._pages = QStackedWidget()
        for page in (self.transcript, self.empty_page, self.results):
            self._pages.addWidget(page)
        self._pages.setMinimumHeight(2 * Space.WIDE)
        self._head = widget_with(column(self.header, self.find_bar, self.hit_bar, spacing=0))
        self._about_draft = widget_with(
            column(self.suggestions, self.context_chips, spacing=Space.TIGHT)
        )
        self._writing = widget_with(
            column(self.plan, self._about_draft, self.composer, self.reading_bar)
        )
        """What the column of text has below its notices."""
        self._column = widget_with(column(self.strip, self._writing))
        self._foot_row = row(STRETCH, growing(self._column, 1000), STRETCH)
        self._foot = widget_with(self._foot_row)
        return widget_with(column(self._head, growing(self._pages), self._foot, spacing=0))

    def _show_page(self) -> None:
        page = self.empty_page if self._is_empty else self.transcript
        # What scrolls leaves a plan below it all the room that it needs; the other page does not.
        needed, policy = self._is_empty and not self.are_results_shown, QSizePolicy.Policy
        self._pages.setSizePolicy(policy.Expanding, policy.Expanding if needed else policy.Ignored)
        self._pages.setCurrentWidget(self.results if self.are_results_shown else page)

    def _measure(self) -> None:
        """The composer stands below the column of text, whose scroll bar takes room of its own."""
        bar = self.transcript.verticalScrollBar()
        taken = bar.sizeHint().width()
        self._foot_row.setContentsMargins(Space.WIDE, Space.SMALL, Space.WIDE + taken, Space.LARGE)
        self._column.setMaximumWidth(round(COLUMN_WIDTH * max(self._theme.scale.zoom, 1.0)))
