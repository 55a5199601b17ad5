"""A code block with its copy button and syntax colours.

Pygments is imported when the first code is coloured: the window opens without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QWidget

from desktop.ui.theme.theme import Glyph
from desktop.ui.theme.tokens import Space, Syntax
from desktop.ui.timers import make_timer
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.markdown import Code
from desktop.ui.transcript.text_block import TextPane
from desktop.ui.widgets.buttons import ToolButton
from desktop.ui.widgets.layouts import STRETCH, column, row
from desktop.ui.widgets.plain_text import Label, set_tip

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


Piece = tuple[int, int, str]  # Of a line: where it begins, how long it is, its colour


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
    """Return the colour of a token type, the most specific first: "Token.Name.Function"."""
    colours = _colours(syntax)
    while kind and kind not in colours:
        kind = kind.rpartition(".")[0]
    return colours.get(kind, "")


_PAD = Space.MEDIUM
_LONGEST_COLOURED = 20_000
_RECOLOUR_MS = 200
_SLICE_S = 0.004
_CODE_LINE_HEIGHT = 128.0


class CodeBlock(QFrame):
    def __init__(self, style: TextStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._code = self._coloured = Code("", "")
        self._lines: list[list[Piece]] = []  # Those that are coloured
        self._colouring: Iterator[None] | None = None
        self.pane = TextPane(style, self)
        self.copy_button, self._language = ToolButton(self), Label(parent=self, role="small")
        self._colour_soon = make_timer(self, 0, self._colour, is_single=True)
        self._build()
        self.copy_button.clicked.connect(self._copy_code)

    def _build(self) -> None:
        self.setProperty("role", "code")
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
        set_tip(self.copy_button, self.tr("Copy code"))
        self.copy_button.setAccessibleName(self.tr("Copy code"))
        margin = (0, Space.TIGHT, -Space.TIGHT, 0)
        head = row(self._language, STRETCH, self.copy_button, margin=margin)
        self._column = column(head, self.pane, spacing=0, margin=(_PAD, 0, _PAD, Space.SMALL))
        self.setLayout(self._column)

    def set_code(self, code: Code) -> None:
        old, self._code = self._code, code
        self._language.setText(code.language)
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
            plain = QTextCharFormat()
            plain.setFont(self._style.mono)
            plain.setForeground(QColor(self._style.tokens.text))
            cursor.insertText(code.text, plain)
        if not self._colour_soon.isActive():
            self._colour_soon.start(_RECOLOUR_MS if old.text else 0)

    def fit(self, width: int) -> int:
        document = self.pane.document()
        self.pane.lay_out(0)
        height = ceil(document.size().height())
        if document.idealWidth() > width - 2 * _PAD:
            height += self.pane.horizontalScrollBar().sizeHint().height()
        self.pane.setFixedHeight(height)
        self.resize(width, self._column.sizeHint().height())
        return self.height()

    def _copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self._code.text)
        theme = self._style.theme
        self.copy_button.setIcon(theme.icon(Glyph.CHECK, theme.tokens.accent))
        QTimer.singleShot(1500, self.copy_button, self._show_copy_icon)

    def _show_copy_icon(self) -> None:
        self.copy_button.setIcon(self._style.theme.icon(Glyph.COPY))

    def _colour(self) -> None:
        """Colour as many lines as time allows, and continue in the next event loop turn."""
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
