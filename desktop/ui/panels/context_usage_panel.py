"""The context panel: what fills the context window of the model."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop.domain.context import ContextReport, Omission, Part, PartKind
from desktop.domain.events import ContextAssembled, TurnEvent
from desktop.ui.formatting import token_count
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel
from desktop.ui.widgets.layouts import LegendGrid
from desktop.ui.widgets.plain_text import Label, tip
from desktop.ui.widgets.side_panel import SidePage

_BAR_HEIGHT = Space.WIDE
_SWATCH = Space.LARGE
_WHOLE = 100


class _Bar(QWidget):
    """The parts side by side; each has the number that its line below has."""

    def __init__(self, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts: Sequence[tuple[int, Part]] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.theme_changed.connect(self.update)

    def show_parts(self, parts: Sequence[tuple[int, Part]]) -> None:
        self._parts = parts
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, round(_BAR_HEIGHT * self._theme.scale.zoom))

    def paintEvent(self, _event: QPaintEvent) -> None:
        whole = sum(part.tokens for _, part in self._parts)
        if not whole:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(self._theme.scale.small))
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), Radius.CONTROL, Radius.CONTROL)
        painter.setClipPath(shape)
        seen = 0
        for number, part in self._parts:
            left = self.width() * seen / whole
            seen += part.tokens
            right = self.width() * seen / whole
            self._paint(painter, QRectF(left, 0, right - left, self.height()), number, part)
        painter.end()

    def _paint(self, painter: QPainter, place: QRectF, number: int, part: Part) -> None:
        # A hair of the ground between two parts: neighbours are apart without their colours.
        inner = place.adjusted(0, 0, -1, 0) if place.width() > Space.TIGHT else place
        painter.fillRect(inner, QColor(_colour(self._theme, part.kind)))
        words = str(number)
        if painter.fontMetrics().horizontalAdvance(words) + Space.SMALL <= inner.width():
            painter.setPen(QColor(self._theme.tokens.on_accent))
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, words)


class _Swatch(QWidget):
    def __init__(
        self, theme: ThemeController, number: int, kind: PartKind, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme, self._number, self._kind = theme, number, kind
        side = round(_SWATCH * theme.scale.zoom)
        self.setFixedSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(_colour(self._theme, self._kind)))
        painter.drawRoundedRect(self.rect(), Radius.MARK, Radius.MARK)
        painter.setFont(self._theme.font(self._theme.scale.small))
        painter.setPen(QColor(self._theme.tokens.on_accent))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, str(self._number))
        painter.end()


class ContextPanel(SidePage):
    compacts_wanted = Signal()
    """The summaries that went are to be read."""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._report: ContextReport | None = None
        self._whole, self._cached = SectionLabel(parent=self), HintLabel(parent=self)
        self._nothing, self._bar = BodyLabel(parent=self), _Bar(theme, self)
        self._lines: QWidget | None = None
        self._column = QVBoxLayout()
        self._nothing.setProperty("role", "muted")
        for widget in (self._nothing, self._whole, self._bar, self._cached):
            self._column.addWidget(widget)
        self._add_scrolled(self._column)
        theme.theme_changed.connect(self._fill)
        self.retranslate()

    @property
    def report(self) -> ContextReport | None:
        return self._report

    def take(self, event: TurnEvent) -> None:
        """What a turn tells; the rest is no matter of this panel."""
        if isinstance(event, ContextAssembled):
            self._report = event.report
            self._fill()

    def forget(self) -> None:
        """Nothing may be left of what the request was made of."""
        self._report = None
        self._fill()

    def retranslate(self) -> None:
        self._set_name(self.tr("Last request"))
        self._nothing.setText(
            self.tr(
                "Nothing has been sent to a model yet. After your next question this "
                "shows what was sent and how many tokens each part took."
            )
        )
        self._fill()

    def _fill(self) -> None:
        report = self._report
        self._nothing.setVisible(report is None)
        for widget in (self._whole, self._bar, self._cached):
            widget.setVisible(report is not None)
        if self._lines is not None:
            self._lines.hide()
            self._lines.deleteLater()
            self._lines = None
        if report is None:
            return
        numbered = list(enumerate(_told(report), start=1))
        self._whole.setText(self._amount(report))
        self._cached.setText(self._reused(report))
        self._cached.setVisible(bool(self._cached.text()))
        self._bar.show_parts([(number, part) for number, part in numbered if part.tokens])
        self._lines = self._legend(numbered, report.tokens)
        self._column.addWidget(self._lines)
        self._lines.show()
        self._bar.setAccessibleName(self._whole.text())

    def _legend(self, numbered: Sequence[tuple[int, Part]], tokens: int) -> QWidget:
        legend = LegendGrid(self, top=Space.SMALL)
        for number, part in numbered:
            name, amount = Label(self._name(part), legend), self._share(part, tokens)
            name.setWordWrap(True)
            name.setAccessibleName(f"{name.text()}, {amount}")
            below: list[QWidget] = []
            if part.left_out or part.reason:
                why = HintLabel(parent=legend)
                why.setText(self._why(part))
                below.append(why)
            if part.kind is PartKind.COMPACTS:
                below.append(self._reader(legend))
            legend.add(_Swatch(self._theme, number, part.kind, legend), name, amount, *below)
        return legend

    def _reader(self, parent: QWidget) -> QWidget:
        made = Button("chip", parent)
        made.setText(self.tr("Read"))
        made.setAccessibleName(self.tr("Read the summaries of older messages"))
        made.setToolTip(tip(made.accessibleName()))
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        made.clicked.connect(self.compacts_wanted)
        return made

    def _amount(self, report: ContextReport) -> str:
        tokens = token_count(report.tokens)
        if not report.limit_tokens:
            return self.tr("{tokens} tokens").format(tokens=tokens)
        return self.tr("{tokens} of {limit} tokens").format(
            tokens=tokens, limit=token_count(report.limit_tokens)
        )

    def _reused(self, report: ContextReport) -> str:
        if report.cached_tokens is None:
            return ""
        if not report.cached_tokens:
            return self.tr("Nothing was read from the endpoint’s cache.")
        percent = round(_WHOLE * report.cached_tokens / max(report.tokens, 1))
        return self.tr("{tokens} tokens ({percent}%) were read from the endpoint’s cache.").format(
            tokens=token_count(report.cached_tokens), percent=percent
        )

    def _share(self, part: Part, tokens: int) -> str:
        percent = round(_WHOLE * part.tokens / max(tokens, 1))
        return self.tr("{tokens} · {percent}%").format(
            tokens=token_count(part.tokens), percent=percent
        )

    def _name(self, part: Part) -> str:
        count = part.items
        names: Mapping[PartKind, str] = {
            PartKind.TOOLS: self.tr("%n tool(s)", "", count),
            PartKind.INSTRUCTIONS: self.tr("Instructions"),
            PartKind.VARIABLES: self.tr("About you"),
            PartKind.COMPACTS: self.tr("%n summary(ies) of older messages", "", count),
            PartKind.MESSAGES: self.tr("%n message(s), word for word", "", count),
            PartKind.QUESTION: self.tr("Your question"),
            PartKind.MEMORY: self.tr("%n fact(s) from memory", "", count),
            PartKind.RECALLED: self._looked_up(part),
        }
        return names[part.kind]

    def _looked_up(self, part: Part) -> str:
        if part.items:
            return self.tr("%n retrieved passage(s)", "", part.items)
        if part.tokens:
            return self.tr("A note that nothing was found")
        return self.tr("Retrieved passages")

    def _why(self, part: Part) -> str:
        match part.reason:
            case Omission.SUMMARISED:
                return self.tr("%n more were sent as a summary", "", part.left_out)
            case Omission.NO_ROOM:
                return self.tr("%n left out: no room", "", part.left_out)
            case Omission.ENOUGH:
                return self.tr(
                    "%n more left out: only the most important are sent", "", part.left_out
                )
            case Omission.CHOSEN:
                return self.tr("%n left out, as you chose for long sessions", "", part.left_out)
            case Omission.SWITCHED_OFF:
                return self.tr("Not sent: switched off, or a temporary session")
            case None:
                return self.tr("%n left out", "", part.left_out)
            case _:
                assert_never(part.reason)


def _told(report: ContextReport) -> list[Part]:
    """Parts that took something, or of which something did not go."""
    return [part for part in report.parts if part.tokens or part.left_out or part.reason]


def _colour(theme: ThemeController, kind: PartKind) -> str:
    return theme.tokens.shares[list(PartKind).index(kind)]
