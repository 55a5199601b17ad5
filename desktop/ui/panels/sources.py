"""The sources of one answer: what its numbers stand for, with the words that were quoted."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.messages import Citation, CitationState
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.widgets.push_button import PushButton


class _SourceCard(QWidget):
    opened = Signal(object)
    """Citation"""

    def __init__(self, citation: Citation, accent: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._citation = citation
        self._open = PushButton(self)
        self._build(accent)

    def focus(self) -> None:
        self._open.setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self, accent: str) -> None:
        citation = self._citation
        number = QLabel(str(citation.number), self)
        number.setProperty("role", "heading")
        number.setStyleSheet(f"color: {accent};")
        title = QLabel(citation.title, self)
        title.setProperty("role", "heading")
        title.setWordWrap(True)
        title.setTextFormat(Qt.TextFormat.PlainText)
        head = QHBoxLayout()
        head.setSpacing(Space.SMALL)
        head.addWidget(number, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(title, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(Space.LARGE, Space.MEDIUM, Space.LARGE, Space.MEDIUM)
        layout.setSpacing(Space.SMALL)
        layout.addLayout(head)
        if citation.quote:
            layout.addWidget(self._quote())
        if citation.state is CitationState.UNCHECKED:
            layout.addWidget(self._small(self.tr("Not checked against the source")))
        self._open.setText(self.tr("Open"))
        self._open.setProperty("kind", "quiet")
        self._open.setCursor(Qt.CursorShape.PointingHandCursor)
        self._open.clicked.connect(lambda: self.opened.emit(citation))
        layout.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)

    def _quote(self) -> QWidget:
        rule = QFrame(self)
        rule.setProperty("role", "rule")
        inside = QVBoxLayout(rule)
        inside.setContentsMargins(Space.SMALL, 0, 0, 0)
        quote = self._small(self.tr("“{words}”").format(words=self._citation.quote))
        quote.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside.addWidget(quote)
        return rule

    def _small(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("role", "small")
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label


class SourcesPanel(QFrame):
    closed = Signal()
    source_chosen = Signal(object)
    """Citation"""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._citations: Sequence[Citation] = ()
        self._title = QLabel(self)
        self._close = QToolButton(self)
        self._area = QScrollArea(self)
        self._nothing = QLabel(self)
        self._cards: list[_SourceCard] = []
        self._build()
        self._connect()
        self.retranslate()

    def show_citations(self, citations: Sequence[Citation], *, number: int | None = None) -> None:
        """Those of one answer; the one with `number` gets the focus."""
        self._citations = citations
        self._fill()
        for card, citation in zip(self._cards, citations, strict=True):
            if citation.number == number:
                self._area.ensureWidgetVisible(card)
                card.focus()

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Sources"))
        self._title.setText(self.tr("Sources"))
        self._close.setToolTip(self.tr("Close"))
        self._close.setAccessibleName(self.tr("Close"))
        self._nothing.setText(self.tr("The sources of an answer are listed here."))
        self._fill()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        self.setProperty("role", "panel")
        self._title.setProperty("role", "heading")
        self._nothing.setProperty("role", "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setContentsMargins(Space.LARGE, Space.LARGE, Space.LARGE, 0)
        bar = QFrame(self)
        bar.setProperty("role", "bar")
        head = QHBoxLayout(bar)
        head.setContentsMargins(Space.LARGE, Space.SMALL, Space.SMALL, Space.SMALL)
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(bar)
        layout.addWidget(self._nothing)
        layout.addWidget(self._area, 1)
        self._colour()

    def _connect(self) -> None:
        self._close.clicked.connect(self.closed)
        self._theme.theme_changed.connect(self._colour)
        self._theme.theme_changed.connect(self._fill)

    def _colour(self) -> None:
        side = round(ICON_SIZE * self._theme.scale.zoom)
        self._close.setIconSize(QSize(side, side))
        self._close.setIcon(self._theme.icon(Glyph.CLOSE))

    def _fill(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._cards = []
        for citation in self._citations:
            card = _SourceCard(citation, self._theme.tokens.accent, inside)
            card.opened.connect(self.source_chosen)
            line = QFrame(inside)
            line.setProperty("role", "line")
            column.addWidget(card)
            column.addWidget(line)
            self._cards.append(card)
        column.addStretch(1)
        self._area.setWidget(inside)
        self._nothing.setHidden(bool(self._citations))
