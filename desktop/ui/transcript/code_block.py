"""A code block with its copy button and syntax colours.

Pygments is imported when the first code is coloured: the window opens without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius, Space, Syntax, Tokens
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.markdown import Code
from desktop.ui.transcript.text_block import TextPane
from desktop.ui.widgets.buttons import ToolButton
from desktop.ui.widgets.plain_text import tip

if TYPE_CHECKING:
    from pygments.lexer import Lexer


@cache
def _colours(syntax: Syntax) -> dict[str, str]:
    return {
        "Token.Comment": syntax.comment,
        "Token.Keyword": syntax.keyword,
        "Token.Operator.Word": syntax.keyword,
        "Token.Literal.String": syntax.string,
        "Token.Literal.Number": syntax.number,
        "Token.Name.Function": syntax.name,
        "Token.Name.Class": syntax.name,
        "Token.Name.Tag": syntax.name,
        "Token.Name.Builtin": syntax.name,
        "Token.Name.Decorator": syntax.name,
        "Token.Name.Attribute": syntax.number,
        "Token.Error": syntax.wrong,
    }


def is_same(new: list[QTextLayout.FormatRange], old: list[QTextLayout.FormatRange]) -> bool:
    return len(new) == len(old) and all(
        (a.start, a.length, a.format) == (b.start, b.length, b.format)
        for a, b in zip(new, old, strict=True)
    )


def lexer_of(language: str) -> Lexer | None:
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - see above
    from pygments.util import ClassNotFound  # noqa: PLC0415 - see above

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def coloured_lines(
    text: str, lexer: Lexer, tokens: Tokens
) -> Iterator[list[QTextLayout.FormatRange]]:
    formats: dict[str, QTextCharFormat] = {}
    line: list[QTextLayout.FormatRange] = []
    column = 0
    for kind, value in lexer.get_tokens(text):
        colour = _colour_of(str(kind), tokens.syntax)
        for number, piece in enumerate(value.split("\n")):
            if number:
                yield line
                line, column = [], 0
            length = len(piece.encode("utf-16-le")) // 2
            if colour and length:
                line.append(_range(column, length, _format(formats, colour)))
            column += length
    yield line


def _format(formats: dict[str, QTextCharFormat], colour: str) -> QTextCharFormat:
    if colour not in formats:
        formats[colour] = QTextCharFormat()
        formats[colour].setForeground(QColor(colour))
    return formats[colour]


def _range(start: int, length: int, form: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    # PySide's stubs know these three as fields of another type.
    made.start, made.length, made.format = start, length, form
    return made


def _colour_of(kind: str, syntax: Syntax) -> str:
    """By the name of the kind, the finest first: "Token.Name.Function" is also a "Token.Name"."""
    colours = _colours(syntax)
    while kind and kind not in colours:
        kind = kind.rpartition(".")[0]
    return colours.get(kind, "")


_PAD = Space.MEDIUM
_LONGEST_COLOURED = 20_000
_RECOLOUR_MS = 200
_SLICE_S = 0.004
_CODE_LINE_HEIGHT = 128.0


class CodeBlock(QWidget):
    link_activated = Signal(str)
    citation_activated = Signal(int)

    def __init__(self, theme: ThemeController, style: TextStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._style = theme, style
        self._code = self._coloured = Code("", "")
        self._colouring: Iterator[None] | None = None
        self.pane = TextPane(style, self)
        self._copy = ToolButton(self)
        self._colour_soon = QTimer(self, singleShot=True)
        self._build()
        self._colour_soon.timeout.connect(self._colour)
        self._copy.clicked.connect(self._copy_code)
        self.retranslate()

    def _build(self) -> None:
        self.pane.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.pane.setProperty("role", "inside")
        self.pane.setFont(self._style.mono)
        self.pane.document().setDefaultFont(self._style.mono)
        option = self.pane.document().defaultTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self.pane.document().setDefaultTextOption(option)
        self.pane.setLineWrapMode(TextPane.LineWrapMode.NoWrap)
        self._copy.setIcon(self._theme.icon(Glyph.COPY))
        self._copy.setIconSize(self._theme.icon_size)
        self._copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def set_code(self, code: Code) -> None:
        """What only grew is appended; colours follow when there is time for them."""
        old, self._code = self._code, code
        cursor = QTextCursor(self.pane.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if old.text and code.text.startswith(old.text):
            cursor.insertText(code.text.removeprefix(old.text))
        else:
            self.pane.document().clear()
            form = cursor.blockFormat()
            form.setLineHeight(_CODE_LINE_HEIGHT, 1)
            cursor.setBlockFormat(form)
            cursor.insertText(code.text, self._plain_format())
        if not self._colour_soon.isActive():
            self._colour_soon.start(_RECOLOUR_MS if old.text else 0)
        self.update()

    def fit(self, width: int) -> int:
        head = self._head_height()
        inner = width - 2 * _PAD
        document = self.pane.document()
        self.pane.lay_out(0)
        height = ceil(document.size().height())
        if document.idealWidth() > inner:
            height += self.pane.horizontalScrollBar().sizeHint().height()
        self.pane.setGeometry(_PAD, head, inner, height)
        button = self._copy.sizeHint()
        self._copy.setGeometry(
            QRect(width - button.width() - Space.SMALL, Space.TIGHT, button.width(), head)
        )
        self._copy.resize(button)
        total = head + height + Space.SMALL
        self.resize(width, total)
        return total

    def panes(self) -> Iterator[TextPane]:
        yield self.pane

    def tab_stops(self) -> Iterator[QWidget]:
        yield self._copy

    def retranslate(self) -> None:
        self._copy.setToolTip(tip(self.tr("Copy code")))
        self._copy.setAccessibleName(self.tr("Copy code"))
        self.pane.setAccessibleName(self.tr("Code"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.code))
        painter.drawRoundedRect(self.rect(), Radius.CONTROL, Radius.CONTROL)
        if self._code.language:
            painter.setPen(QColor(tokens.muted))
            painter.setFont(self._style.small)
            area = QRect(_PAD, 0, self.width() - 2 * _PAD, self._head_height())
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self._code.language)

    def _head_height(self) -> int:
        return self._copy.sizeHint().height() + Space.TIGHT

    def _plain_format(self) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._style.mono)
        made.setForeground(QColor(self._theme.tokens.text))
        return made

    def _copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self._code.text)
        self._copy.setIcon(self._theme.icon(Glyph.CHECK, self._theme.tokens.accent))
        QTimer.singleShot(1500, self._copy, self._restore_icon)

    def _restore_icon(self) -> None:
        self._copy.setIcon(self._theme.icon(Glyph.COPY))

    def _colour(self) -> None:
        """Colour as many lines as there is time for, and go on with the next turn of the loop."""
        if self._colouring is None:
            self._colouring = self._colours()
            self._coloured = self._code
        began = perf_counter()
        for _ in self._colouring:
            if perf_counter() - began > _SLICE_S:
                self._colour_soon.start(0)
                return
        self._colouring = None
        if self._coloured != self._code:
            self._colour_soon.start(_RECOLOUR_MS)

    def _colours(self) -> Iterator[None]:
        lexer = lexer_of(self._code.language)
        if lexer is None or len(self._code.text) > _LONGEST_COLOURED:
            return
        document = self.pane.document()
        block = document.firstBlock()
        for line in coloured_lines(self._code.text, lexer, self._theme.tokens):
            if not block.isValid():
                return
            if not is_same(line, block.layout().formats()):
                block.layout().setFormats(line)
                document.markContentsDirty(block.position(), block.length())
            block = block.next()
            yield
