"""The list of found works: their words, model, and how a row is painted."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from desktop.domain.literature import FoundWork, ServiceName
from desktop.domain.references import WorkMark
from desktop.ui.formatting import SourceLabels
from desktop.ui.i18n import core_texts
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.plain_text import tip
from desktop.ui.widgets.row_list import HighlightedText, Index, RowDelegate, RowModel, paint_line

_TITLE_LINES = 2
_GRAVE = frozenset({WorkMark.RETRACTED, WorkMark.CONCERN})
_DOI = "https://doi.org/"


def address_of(work: FoundWork) -> str:
    """Return where a work is published, or else its free copy; empty if neither is known."""
    if work.doi:
        return f"{_DOI}{work.reference.doi}"
    return work.reference.text("URL") or work.open_copy


def marks_of(work: FoundWork) -> str:
    """Return what became of the work, the gravest first."""
    say = core_texts().say
    return " · ".join(say(f"references.mark_{mark}") for mark in WorkMark if mark in work.marks)


def key_of(work: FoundWork) -> object:
    """Return what a work is known by from one answer of a service to the next."""
    return work.doi or work.reference.title.casefold()


class LiteratureLabels(QObject):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._sources = SourceLabels(self)
        self.titles: Mapping[ServiceName, str] = {}  # Of the services

    def origin(self, work: FoundWork) -> str:
        """Return who wrote it, when and where."""
        reference = work.reference
        parts = (
            self._sources.authors(reference.authors),
            str(reference.year or ""),
            reference.text("container-title"),
        )
        return " · ".join(filter(None, parts))

    def facts(self, work: FoundWork, *, is_known: bool) -> str:
        """Return what else a row says: access, versions, who found it."""
        preprint = self.tr("preprint") if work.is_preprint and not work.preprint_of else ""
        count = work.cited_by
        parts = (
            self.tr("in your library") if is_known else "",
            self.tr("free copy") if work.open_copy else "",
            preprint,
            self.tr("preprint of {doi}").format(doi=work.preprint_of) if work.preprint_of else "",
            self.tr("cited %Ln time(s)", "", count) if count else "",
            self.services(work),
        )
        return " · ".join(filter(None, parts))

    def services(self, work: FoundWork) -> str:
        return ", ".join(self.titles.get(name, name) for name in work.services)

    def whole(self, work: FoundWork, *, is_known: bool) -> str:
        """Return the row as a screen reader says it."""
        facts = self.facts(work, is_known=is_known)
        parts = (work.reference.title, marks_of(work), self.origin(work), facts)
        return ", ".join(filter(None, parts))

    def details(self, work: FoundWork, *, is_known: bool) -> str:
        """Return all that is known of a work, its abstract last."""
        reference = work.reference
        issue = ", ".join(
            filter(None, (reference.text(name) for name in ("volume", "issue", "page")))
        )
        place = " ".join(filter(None, (reference.text("container-title"), issue)))
        year = f"({reference.year})" if reference.year else ""
        other = self.tr("Has an earlier version, a preprint: {doi}")
        marks = marks_of(work)
        lines = (
            reference.title,
            self.tr("This work: {marks}").format(marks=marks) if marks else "",
            " ".join(filter(None, ("; ".join(reference.authors), year))),
            place,
            address_of(work),
            other.format(doi=work.has_preprint) if work.has_preprint else "",
            self.tr("Free copy: {address}").format(address=work.open_copy)
            if work.open_copy
            else "",
            self.facts(work, is_known=is_known),
        )
        abstract = work.abstract or self.tr("No service has an abstract of it.")
        return "\n".join(filter(None, lines)) + f"\n\n{abstract}"


class LiteratureModel(RowModel[FoundWork]):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.words = LiteratureLabels(self)
        self._known: frozenset[str] = frozenset()  # DOIs of the library

    def show(self, works: Sequence[FoundWork]) -> None:
        self.beginResetModel()
        self._rows = list(works)
        self.endResetModel()

    def show_known(self, dois: frozenset[str]) -> None:
        self._known = dois
        self.retranslate_rows()

    def is_known(self, work: FoundWork) -> bool:
        return work.doi in self._known

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        work = self.row(index)
        if work is None or role == Qt.ItemDataRole.UserRole:
            return work
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return work.reference.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.words.whole(work, is_known=self.is_known(work))
            case Qt.ItemDataRole.ToolTipRole:
                return tip("; ".join(work.reference.authors))
            case _:
                return None

    def _key_of(self, row: FoundWork) -> object:
        return key_of(row)


class LiteratureDelegate(RowDelegate):
    """Paints the title, who wrote it, and its marks before what else is known."""

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        work: FoundWork = index.data(Qt.ItemDataRole.UserRole)
        title = self._title().height(work.reference.title, self.width - 2 * Space.MEDIUM)
        return QSize(0, title + 2 * self._type.small_height + 2 * Space.SMALL)

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        work, model = index.data(Qt.ItemDataRole.UserRole), index.model()
        if not isinstance(work, FoundWork) or not isinstance(model, LiteratureModel):
            return
        tokens, small = self._theme.tokens, self._type.small_height
        self._paint_chosen(painter, option.rect, option)
        inside = option.rect.adjusted(Space.MEDIUM, Space.SMALL, -Space.MEDIUM, -Space.SMALL)
        painter.setPen(QColor(tokens.text))
        self._title().paint(painter, inside, work.reference.title, (), tokens)
        last = QRect(inside.left(), inside.bottom() - small + 1, inside.width(), small)
        self._paint_detail(painter, last.translated(0, -small), model.words.origin(work))
        if marks := marks_of(work):
            painter.setFont(self._type.heading)
            is_grave = not _GRAVE.isdisjoint(work.marks)
            painter.setPen(QColor(tokens.syntax.wrong if is_grave else tokens.notice_text))
            paint_line(painter, last, marks)
            last.setLeft(
                last.left() + painter.fontMetrics().horizontalAdvance(marks) + Space.MEDIUM
            )
        self._paint_detail(painter, last, model.words.facts(work, is_known=model.is_known(work)))

    def _title(self) -> HighlightedText:
        return HighlightedText(self._type.title, self._type.line_height, _TITLE_LINES)
