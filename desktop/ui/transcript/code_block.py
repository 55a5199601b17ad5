"""A code block with its copy button and syntax colours.

Pygments is imported when the first code is coloured: the window opens without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, QTimer
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
from desktop.ui.theme.tokens import Radius, Space, Syntax
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


def lexer_of(language: str) -> Lexer | None:
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - see above
    from pygments.util import ClassNotFound  # noqa: PLC0415 - see above

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


Piece = tuple[int, int, str]
"""Of a line: where it begins, how long it is, its colour."""


def coloured_lines(text: str, lexer: Lexer, syntax: Syntax) -> Iterator[list[Piece]]:
    line: list[Piece] = []
    column = 0
    for kind, value in lexer.get_tokens(text):
        colour = _colour_of(str(kind), syntax)
        for number, piece in enumerate(value.split("\n")):
            if number:
                yield line
                line, column = [], 0
            length = len(piece.encode("utf-16-le")) // 2
            if colour and length:
                line.append((column, length, colour))
            column += length
    yield line


def _format_range(piece: Piece) -> QTextLayout.FormatRange:
    made, form = QTextLayout.FormatRange(), QTextCharFormat()
    form.setForeground(QColor(piece[2]))
    # PySide's stubs know these three as fields of another type.
    made.start, made.length, made.format = *piece[:2], form
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
    def __init__(self, style: TextStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._code = self._coloured = Code("", "")
        self._lines: list[list[Piece]] = []
        """Those that are coloured."""
        self._colouring: Iterator[None] | None = None
        self.pane = TextPane(style, self)
        self.copy_button = ToolButton(self)
        self._colour_soon = QTimer(self, singleShot=True)
        self._build()
        self._colour_soon.timeout.connect(self._colour)
        self.copy_button.clicked.connect(self._copy_code)

    def _build(self) -> None:
        self.pane.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.pane.setProperty("role", "inside")
        self.pane.setFont(self._style.mono)
        self.pane.document().setDefaultFont(self._style.mono)
        option = self.pane.document().defaultTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        self.pane.document().setDefaultTextOption(option)
        self.pane.setLineWrapMode(TextPane.LineWrapMode.NoWrap)
        self.pane.setAccessibleName(self.tr("Code"))
        self._show_copy_icon()
        self.copy_button.setIconSize(self._style.theme.icon_size)
        self.copy_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.copy_button.setToolTip(tip(self.tr("Copy code")))
        self.copy_button.setAccessibleName(self.tr("Copy code"))

    def set_code(self, code: Code) -> None:
        """What only grew is appended; colours follow when there is time for them."""
        old, self._code = self._code, code
        cursor = QTextCursor(self.pane.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if old.text and code.text.startswith(old.text):
            cursor.insertText(code.text.removeprefix(old.text))
        else:
            self._lines = []
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
        button = self.copy_button.sizeHint()
        self.copy_button.resize(button)
        self.copy_button.move(width - button.width() - Space.SMALL, Space.TIGHT)
        total = head + height + Space.SMALL
        self.resize(width, total)
        return total

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = self._style.tokens
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
        return self.copy_button.sizeHint().height() + Space.TIGHT

    def _plain_format(self) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setFont(self._style.mono)
        made.setForeground(QColor(self._style.tokens.text))
        return made

    def _copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self._code.text)
        theme = self._style.theme
        self.copy_button.setIcon(theme.icon(Glyph.CHECK, theme.tokens.accent))
        QTimer.singleShot(1500, self.copy_button, self._show_copy_icon)

    def _show_copy_icon(self) -> None:
        self.copy_button.setIcon(self._style.theme.icon(Glyph.COPY))

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
        lines = coloured_lines(self._code.text, lexer, self._style.tokens.syntax)
        for number, line in enumerate(lines):
            block = document.findBlockByNumber(number)
            if not block.isValid():
                return
            if self._lines[number : number + 1] != [line]:
                self._lines[number : number + 1] = [line]
                block.layout().setFormats([_format_range(piece) for piece in line])
                document.markContentsDirty(block.position(), block.length())
            yield
