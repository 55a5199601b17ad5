"""The blocks of an answer beside its prose: code, with its copy button and colours, and tables.

Pygments is imported when the first code is coloured: the window opens without it. A table has thin
lines between its rows, and scrolls by itself if it is too wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QGuiApplication,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLayout,
    QTextLength,
    QTextOption,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)
from PySide6.QtWidgets import QFrame, QWidget

from desktop.ui.theme.theme import Glyph
from desktop.ui.theme.tokens import LINE_HEIGHT, Space, Syntax
from desktop.ui.timers import make_timer
from desktop.ui.transcript.document_writer import TextStyle, write_runs
from desktop.ui.transcript.markdown import Align, Cell, Code, Style, Table
from desktop.ui.transcript.text_block import TextPane, count_same
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


_WIDEST_EM = 22
_NARROWEST_EM = 3
_LEAST_EM = 9  # least width of a column if there is no room for all
_ALIGNMENT = {
    Align.LEFT: Qt.AlignmentFlag.AlignLeft,
    Align.CENTER: Qt.AlignmentFlag.AlignHCenter,
    Align.RIGHT: Qt.AlignmentFlag.AlignRight,
}


class TableBlock(TextPane):
    def __init__(self, style: TextStyle, parent: QWidget) -> None:
        super().__init__(style, parent)
        self.table = Table((), (), ())
        self._shown: QTextTable  # from the first `set_table` on
        self._natural: list[float] = []
        self._words: list[float] = []  # of each column the width of its longest word
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setProperty("role", "inside")
        self.setAccessibleName(self.tr("Table"))

    def set_table(self, table: Table) -> None:
        old, self.table = self.table, table
        same = 0
        if old.header == table.header:
            same = count_same(old.rows, table.rows)
        else:
            self._shown = self._begin(table.header)
            self._write_row(0, table.header)
        shown = self._shown
        surplus = shown.rows() - 1 - same
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        if surplus > 0:
            first = shown.cellAt(same + 1, 0).firstPosition()
            self.ornaments = [o for o in self.ornaments if o.start < first]
            shown.removeRows(same + 1, surplus)
        if len(table.rows) > same:
            shown.appendRows(len(table.rows) - same)
            for line, cells in enumerate(table.rows[same:], start=same + 1):
                self._write_row(line, cells)
        cursor.endEditBlock()

    def write_again(self) -> None:
        """Write everything again, with the formulas drawn since."""
        table, self.table, self.has_waiting = self.table, Table((), (), ()), False
        self.set_table(table)

    def fit(self, width: int) -> int:
        widths = self._column_widths(width)
        total = max(round(sum(widths)), 1)
        form, fixed = self._shown.format(), QTextLength.Type.FixedLength
        form.setColumnWidthConstraints([QTextLength(fixed, each) for each in widths])
        form.setWidth(QTextLength(fixed, total))
        if form != self._shown.format():
            self._shown.setFormat(form)
        self.lay_out(total)
        height = ceil(self.document().size().height())
        if total > width:
            height += self.horizontalScrollBar().sizeHint().height()
        self.resize(width, height)
        return height

    def whole_span(self) -> tuple[int, int]:
        """Return the span without the empty line that Qt puts before a table."""
        last = self._shown.cellAt(self._shown.rows() - 1, self._shown.columns() - 1)
        return self._shown.cellAt(0, 0).firstPosition(), last.lastPosition()

    def selected_text(self) -> str:
        """Return rows as lines with tabs between cells, so that other programs paste a table."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return ""
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        if cursor.hasComplexSelection():  # cells, each as a whole
            first_row, rows, first, columns = _cells_of(cursor)
            start, end = 0, self.document().characterCount()
        else:
            first_row, rows, first, columns = 0, self._shown.rows(), 0, self._shown.columns()
        lines = []
        for line in range(first_row, first_row + rows):
            cells = [self._shown.cellAt(line, place) for place in range(first, first + columns)]
            spans = [(max(c.firstPosition(), start), min(c.lastPosition(), end)) for c in cells]
            if any(begins <= ends for begins, ends in spans):
                lines.append("\t".join(self._plain(*span) for span in spans))
        return "\n".join(lines)

    def _begin(self, header: Sequence[Cell]) -> QTextTable:
        self.document().clear()
        self.ornaments.clear()
        self._natural = [0.0] * len(header)
        self._words = [0.0] * len(header)
        form = QTextTableFormat()
        form.setBorder(0)
        form.setBorderCollapse(True)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
        form.setCellPadding(0)
        form.setCellSpacing(0)
        form.setMargin(0)
        return QTextCursor(self.document()).insertTable(1, len(header), form)

    def _write_row(self, line: int, cells: Sequence[Cell]) -> None:
        for place, runs in enumerate(cells):
            cell = self._shown.cellAt(line, place)
            cell.setFormat(self._cell_format())
            cursor = cell.firstCursorPosition()
            has_formula = any(run.tex for run in runs)
            cursor.setBlockFormat(self._block_format(place, has_formula=has_formula))
            start = cursor.position()
            bold = [replace(run, style=run.style | Style.BOLD) for run in runs]
            self.has_waiting |= write_runs(
                cursor, runs if line else bold, self.style_of_text, self.ornaments
            )
            if line == 0:
                muted = QTextCharFormat()
                muted.setForeground(QColor(self.style_of_text.tokens.muted))
                muted.setFontWeight(QFont.Weight.DemiBold)
                cursor.setPosition(start, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(muted)
            text = "".join(run.text for run in runs)
            for widths, several in ((self._natural, [text]), (self._words, text.split())):
                measured = map(self.style_of_text.metrics.horizontalAdvance, several)
                widest = max(measured, default=0) + 2 * Space.LARGE
                widths[place] = max(widths[place], widest)

    def _cell_format(self) -> QTextCharFormat:
        made = QTextTableCellFormat()
        # A line of fixed height has all its spare room above the letters.
        made.setTopPadding(Space.TIGHT)
        made.setBottomPadding(Space.SMALL + 1)
        made.setLeftPadding(0)
        made.setRightPadding(Space.LARGE)
        made.setBottomBorder(1)
        made.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        made.setBottomBorderBrush(QBrush(QColor(self.style_of_text.tokens.line)))
        return made

    def _block_format(self, place: int, *, has_formula: bool) -> QTextBlockFormat:
        made = QTextBlockFormat()
        made.setAlignment(_ALIGNMENT[self.table.aligns[place]])
        height = self.style_of_text.line_height(self.style_of_text.scale.body)
        types = QTextBlockFormat.LineHeightTypes
        kind = types.MinimumHeight if has_formula else types.FixedHeight
        made.setLineHeight(height * LINE_HEIGHT / 1.6, kind.value)
        return made

    def _column_widths(self, width: int) -> list[float]:
        """Return natural widths up to a readable limit; columns share the spare room."""
        em = self.style_of_text.metrics.height()
        widths = [min(max(n, _NARROWEST_EM * em), _WIDEST_EM * em) for n in self._natural]
        least = [min(each, _LEAST_EM * em) for each in widths]
        narrow = [min(each, most) for each, most in zip(self._words, least, strict=True)]
        if (total := sum(widths)) <= width:
            return [each * width / total for each in widths]
        for lowest, highest in ((least, widths), (narrow, least)):
            fewest, most = sum(lowest), sum(highest)
            if fewest < width <= most:
                share = (width - fewest) / (most - fewest)
                return [a + (b - a) * share for a, b in zip(lowest, highest, strict=True)]
        return least  # words would be cut: it scrolls


def _cells_of(cursor: QTextCursor) -> tuple[int, int, int, int]:
    """Return first row, rows, first column, columns."""
    # PySide returns the values that Qt writes into its arguments, but has no type for that.
    return cursor.selectedTableCells()  # type: ignore[return-value]
