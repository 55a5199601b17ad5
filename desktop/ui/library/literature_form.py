"""What a search of literature asks for: words, and the filters that are shown on request."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QRegularExpressionValidator
from PySide6.QtWidgets import QLayout, QLineEdit, QSizePolicy, QWidget

from desktop.domain.literature import LiteratureQuery
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import ComboBox, WrappingCheckBox
from desktop.ui.widgets.layouts import column, flowing, growing, row, text_width, widget_with
from desktop.ui.widgets.plain_text import name_in_field
from desktop.ui.widgets.search_fields import SearchField, width_with_name

_FIELD_LETTERS, _YEAR_LETTERS = 24, 12
_YEAR = "[0-9]{0,4}"  # Not a number: a locale has separators in one


class _ShortField(QLineEdit):
    """A field as wide as so many letters, or as its name, whatever the zoom."""

    def __init__(self, text: str, letters: int) -> None:
        super().__init__(text)
        self._letters = letters
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = max(text_width(self, self._letters), width_with_name(self))
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class LiteratureForm(QWidget):
    begun = Signal()  # The user wants to search
    stopped = Signal()

    def __init__(self, theme: ThemeController, query: LiteratureQuery) -> None:
        """`query`: what is typed at first."""
        super().__init__()
        self._is_searching = False
        self.search = SearchField(theme)
        self.search.keeps_text = True
        self.search.set_name(self.tr("Search titles and abstracts"))
        self.search.set_hint(QKeySequence())
        self._filter_button = Button("chip", press=self._turn_filters)
        self._filter_button.setCheckable(True)
        self._begin = Button("primary", press=self._press)
        self._author = _ShortField(query.author, _FIELD_LETTERS)
        self._venue = _ShortField(query.venue, _FIELD_LETTERS)
        self._since = _ShortField(str(query.since or ""), _YEAR_LETTERS)
        self._until = _ShortField(str(query.until or ""), _YEAR_LETTERS)
        self._language = ComboBox()
        self._open_only = WrappingCheckBox(self.tr("&Free copies only"))
        self._filters = widget_with(self._build_filters())
        self.search.setText(query.words)
        self._language.setCurrentIndex(max(self._language.findData(query.language), 0))
        self._open_only.setChecked(query.open_only)
        self._filters.setVisible(bool(self._used()))
        self._filter_button.setChecked(bool(self._used()))
        line = row(growing(self.search), self._filter_button, self._begin)
        self.setLayout(column(line, self._filters))
        self.search.entered.connect(self.begun)
        self.show_searching(is_searching=False)
        self._show_used()

    @property
    def query(self) -> LiteratureQuery:
        return LiteratureQuery(
            " ".join(self.search.text().split()),
            author=self._author.text().strip(),
            since=int(self._since.text() or 0) or None,
            until=int(self._until.text() or 0) or None,
            venue=self._venue.text().strip(),
            language=str(self._language.currentData() or ""),
            open_only=self._open_only.isChecked(),
        )

    def show_searching(self, *, is_searching: bool) -> None:
        """Offer to stop the search that is running, or else to begin one."""
        self._is_searching = is_searching
        self._begin.setText(self.tr("S&top") if is_searching else self.tr("&Search"))

    def _build_filters(self) -> QLayout:
        names = (
            (self._author, self.tr("Author")),
            (self._venue, self.tr("Journal or book")),
            (self._since, self.tr("From year")),
            (self._until, self.tr("To year")),
        )
        for field, name in names:
            name_in_field(field, name)
            field.returnPressed.connect(self.begun)
            field.textChanged.connect(lambda _: self._show_used())
        for year in (self._since, self._until):
            year.setValidator(QRegularExpressionValidator(_YEAR, year))
        self._language.setAccessibleName(self.tr("Language"))
        for code, name in self._languages():
            self._language.addItem(name, code)
        self._language.activated.connect(lambda _: self._show_used())
        self._open_only.toggled.connect(lambda _: self._show_used())
        fields = (self._author, self._venue, self._since, self._until, self._language)
        return flowing(*fields, self._open_only)

    def _languages(self) -> Sequence[tuple[str, str]]:
        return (
            ("", self.tr("Any language")),
            ("tr", self.tr("Turkish")),
            ("en", self.tr("English")),
            ("de", self.tr("German")),
            ("fr", self.tr("French")),
            ("es", self.tr("Spanish")),
            ("ru", self.tr("Russian")),
            ("ar", self.tr("Arabic")),
        )

    def _used(self) -> int:
        """Return how many filters are set."""
        query = replace(self.query, words="")
        fields = (query.author, query.since, query.until, query.venue, query.language)
        return sum(map(bool, (*fields, query.open_only)))

    def _show_used(self) -> None:
        filters, used = self.tr("Filters"), self._used()
        self._filter_button.setText(f"{filters} ({used})" if used else filters)

    def _turn_filters(self) -> None:
        self._filters.setVisible(self._filter_button.isChecked())
        if self._filter_button.isChecked():
            self._author.setFocus(Qt.FocusReason.OtherFocusReason)

    def _press(self) -> None:
        (self.stopped if self._is_searching else self.begun).emit()
