"""The results page, and the controller that runs its searches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.search import Hit, SearchMode
from desktop.language.dates.date_formatting import spoken_period
from desktop.recall.find_in_session import marked_words, words_to_find
from desktop.recall.query_dates import TypedQuery
from desktop.ui.reader.reader_content import place_of_hit
from desktop.ui.search.query import DatesInQuery
from desktop.ui.search.results_filters import Order, ResultFilters, SearchState
from desktop.ui.search.results_list import (
    FoundSession,
    ResultsModel,
    ResultsView,
    by_session,
    steady,
)
from desktop.ui.services import NavigationTarget, WindowServices, Worker
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import COLUMN_WIDTH, Space
from desktop.ui.widgets.buttons import FilterChip, IconButton, PushButton
from desktop.ui.widgets.fields import SearchField
from desktop.ui.widgets.plain_text import Label


def _local_now() -> datetime:
    return datetime.now()  # noqa: DTZ005 (the reader's own clock, with the system's summers)


class ResultsPage(QWidget):
    asked_changed = Signal()
    more_wanted = Signal()
    place_chosen = Signal(object)
    """Place"""
    source_chosen = Signal(object)
    """ReaderPlace of a hit in a source"""
    left = Signal()

    def __init__(
        self,
        theme: ThemeController,
        now: Callable[[], datetime] = _local_now,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._dates = DatesInQuery(now)
        self.model = ResultsModel(lambda: now().date(), self)
        self.field = SearchField(theme, self)
        self.date_chip = FilterChip(theme, self)
        self.filters = ResultFilters(now, self)
        self.list = ResultsView(self.model, theme, self)
        self._close = IconButton(theme, Glyph.CLOSE, self)
        self._told = Label(parent=self)
        self._nothing = Label(parent=self)
        self._reset = PushButton(self)
        self._column = QVBoxLayout(self)
        self._language = Language.EN
        self._has_more = False
        self._is_answered = False
        self._build()
        self._connect()
        self.retranslate()

    @property
    def typed(self) -> TypedQuery:
        return self._dates.read(self.field.text())

    @property
    def asked(self) -> SearchState:
        typed = self.typed
        return self.filters.put_into(SearchState(words=typed.words, period=typed.period))

    def ask(self, text: str) -> None:
        """Begin with what is looked for elsewhere; nothing new leaves what was here."""
        if text and text != self.field.text():
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_found(self, found: Sequence[FoundSession], *, has_more: bool, is_new: bool) -> None:
        """`is_new`: the first answer to a question; a later one moves nothing that is held."""
        held = None if is_new else self.list.held()
        self._has_more, self._is_answered = has_more, True
        kept = steady(self.model.found, found, held)
        if not kept and self.list.hasFocus():
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.list.show_rows(kept, has_more=has_more, is_new=is_new)
        self._say_found()

    def set_language(self, language: Language) -> None:
        self._language = language
        self._say_typed()

    def retranslate(self) -> None:
        self.field.retranslate()
        self.setAccessibleName(self.tr("Search results"))
        self.list.setAccessibleName(self.tr("Search results"))
        self._close.set_name(self.tr("Close the results"))
        self._reset.setText(self.tr("Remove all filters"))
        self.model.say_again()
        self._say_typed()
        self._say_found()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _build(self) -> None:
        self.field.set_hint(QKeySequence())
        self._told.setProperty("role", "small")
        self._told.setWordWrap(True)
        self._nothing.setProperty("role", "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._reset.setProperty("kind", "quiet")
        self._reset.setCursor(Qt.CursorShape.PointingHandCursor)
        self.date_chip.hide()
        head = QHBoxLayout()
        head.setSpacing(Space.SMALL)
        head.addWidget(self.field, 1)
        head.addWidget(self._close)
        column = self._column
        column.setSpacing(Space.MEDIUM)
        column.addLayout(head)
        # Absolute: the chip itself is written from the right, for its cross.
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
        column.addWidget(self.date_chip, 0, left)
        column.addWidget(self.filters)
        column.addWidget(self._told)
        column.addWidget(self._nothing)
        column.addWidget(self._reset, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.list, 1)
        column.addStretch(0)
        self._place()

    def _connect(self) -> None:
        self._theme.theme_changed.connect(self._place)
        self._close.clicked.connect(self.left)
        self.field.textChanged.connect(self._ask)
        self.field.left.connect(self.left)
        self.field.left_downwards.connect(self.list.enter)
        self.date_chip.clicked.connect(self._refuse_date)
        self.filters.changed.connect(self._ask)
        self.list.left_upwards.connect(lambda: self.ask(""))
        self.list.opened.connect(self._open)
        self.list.more_wanted.connect(self.more_wanted)
        self._reset.clicked.connect(self._take_filters_off)

    def _ask(self) -> None:
        self._is_answered = False
        self._say_typed()
        self.asked_changed.emit()

    def _refuse_date(self) -> None:
        self._dates.refuse(self.typed)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._ask()

    def _take_filters_off(self) -> None:
        if self.typed.period is not None:
            self._dates.refuse(self.typed)
        self.filters.reset()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self, row: FoundSession | Hit) -> None:
        hit = row if isinstance(row, Hit) else next(iter(row.hits), None)
        words = words_to_find(self.typed.words, hit) if hit else self.typed.words
        if place := place_of_hit(hit, words):
            self.source_chosen.emit(place)
            return
        message_id = row.message_id if isinstance(row, Hit) else None
        if isinstance(row, FoundSession):
            message_id = next((hit.message_id for hit in row.hits if hit.message_id), None)
        self.place_chosen.emit(
            NavigationTarget(row.session_id, message_id, marked_words(words), words)
        )

    def _say_typed(self) -> None:
        typed = self.typed
        self.date_chip.setVisible(typed.period is not None)
        if typed.period is not None:
            self.date_chip.set_text(typed.said, spoken_period(typed.period, self._language))

    def _say_found(self) -> None:
        found, asked = self.model.found, self.asked
        period = spoken_period(asked.period, self._language) if asked.period else ""
        is_nothing = not found
        self._told.setText(self._told_when(period) if is_nothing else self._counted(period))
        self._told.setVisible(bool(self._told.text()))
        self._nothing.setText(self._nothing_words() if is_nothing else "")
        self._nothing.setVisible(is_nothing)
        self._reset.setVisible(is_nothing and self._is_answered and asked.is_filtered)
        self.list.setVisible(not is_nothing)
        self._column.setStretch(self._column.count() - 1, 1 if is_nothing else 0)

    def _told_when(self, period: str) -> str:
        if not self.filters.is_when_understood:
            return self.tr("“{words}” is not understood as a date.").format(
                words=self.filters.written_when
            )
        return period

    def _counted(self, period: str) -> str:
        sessions = self.tr("%n session(s)", "", len(self.model.found))
        more = self.tr("{count} or more").format(count=sessions) if self._has_more else sessions
        understood = "" if self.filters.is_when_understood else self._told_when("")
        is_near = bool(self.typed.words) and not any(one.has_words for one in self.model.found)
        near = self.tr("none contain these words; similar in meaning only")
        return " · ".join(filter(None, (more, near if is_near else "", period, understood)))

    def _nothing_words(self) -> str:
        asked = self.asked
        if not asked.is_anything:
            return self.tr(
                "Search all past sessions.\nWords are found in any form, with or without "
                "Turkish letters; “quotation marks” search for the exact words; -word "
                "excludes. Dates can be words: last week, in March."
            )
        if not self._is_answered:
            return ""
        if asked.is_filtered:
            return self.tr(
                "Nothing found with these filters.\nRemove a filter or use fewer words."
            )
        return self.tr(
            "Nothing found for “{query}”.\nTry fewer words, the beginning of a word, or "
            "another word."
        ).format(query=asked.words)

    def _place(self) -> None:
        column = round(COLUMN_WIDTH * max(self._theme.scale.zoom, 1.0))
        side = max((self.width() - column) // 2, Space.WIDE)
        self._column.setContentsMargins(side, Space.LARGE, side, Space.SMALL)


_REST_MS = 150
_PAGE = 60
_TOPICS = 300


@dataclass(frozen=True, slots=True)
class _Answer:
    hits: Sequence[Hit]
    counts: Mapping[SessionId, int]
    has_more: bool


class ResultsController(QObject):
    def __init__(self, page: ResultsPage, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._worker = worker
        self._asked: SearchState | None = None
        self._limit = _PAGE
        self._has_more = False
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._look)
        page.asked_changed.connect(self._rest.start)
        page.more_wanted.connect(self._look_further)

    def offer_topics(self) -> None:
        """The view is opened: topics may have come since."""
        self._worker.do(
            lambda services: services.archive.topics.most_used(limit=_TOPICS),
            lambda topics: self._page.filters.offer_topics([one.name for one in topics]),
        )

    def _look(self) -> None:
        asked = self._page.asked
        self._asked, self._limit = asked, _PAGE
        if not asked.is_anything:
            self._page.show_found((), has_more=False, is_new=True)
            return
        self._find(asked, SearchMode.KEYWORD, is_new=True)

    def _look_further(self) -> None:
        if self._asked is not None and self._has_more:
            self._limit += _PAGE
            self._find(self._asked, self._best_mode(self._asked), is_new=False)

    def _find(self, asked: SearchState, mode: SearchMode, *, is_new: bool) -> None:
        limit = self._limit

        def work(services: WindowServices) -> _Answer:
            hits = services.find(asked.query(mode, limit + 1))
            sessions = list(dict.fromkeys(hit.session_id for hit in hits[:limit]))
            counts = services.search.count(asked.words, sessions)
            return _Answer(hits[:limit], counts, len(hits) > limit)

        def show(answer: _Answer) -> None:
            if asked != self._asked or limit != self._limit:
                return  # something else is asked by now
            self._has_more = answer.has_more
            found = by_session(answer.hits, answer.counts)
            self._page.show_found(found, has_more=self._has_more, is_new=is_new)
            if mode is not self._best_mode(asked):
                self._find(asked, self._best_mode(asked), is_new=False)

        self._worker.do(work, show)

    @staticmethod
    def _best_mode(asked: SearchState) -> SearchMode:
        """Meaning orders; what is listed by its time, or without words, has no use for it."""
        by_meaning = asked.words and asked.order is Order.BEST
        return SearchMode.AUTO if by_meaning else SearchMode.KEYWORD
