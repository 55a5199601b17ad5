"""A table with thin lines between its rows, which scrolls by itself if it is too wide."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.tokens import LINE_HEIGHT, Space
from desktop.ui.transcript.document_writer import TextStyle, write_runs
from desktop.ui.transcript.markdown import Align, Cell, Style, Table
from desktop.ui.transcript.text_block import TextPane, count_same

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
            for number, row in enumerate(table.rows[same:], start=same + 1):
                self._write_row(number, row)
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
        for row in range(first_row, first_row + rows):
            cells = [self._shown.cellAt(row, column) for column in range(first, first + columns)]
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

    def _write_row(self, row: int, cells: Sequence[Cell]) -> None:
        for column, runs in enumerate(cells):
            cell = self._shown.cellAt(row, column)
            cell.setFormat(self._cell_format())
            cursor = cell.firstCursorPosition()
            has_formula = any(run.tex for run in runs)
            cursor.setBlockFormat(self._block_format(column, has_formula=has_formula))
            start = cursor.position()
            bold = [replace(run, style=run.style | Style.BOLD) for run in runs]
            self.has_waiting |= write_runs(
                cursor, runs if row else bold, self.style_of_text, self.ornaments
            )
            if row == 0:
                muted = QTextCharFormat()
                muted.setForeground(QColor(self.style_of_text.tokens.muted))
                muted.setFontWeight(QFont.Weight.DemiBold)
                cursor.setPosition(start, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(muted)
            text = "".join(run.text for run in runs)
            for widths, several in ((self._natural, [text]), (self._words, text.split())):
                measured = map(self.style_of_text.metrics.horizontalAdvance, several)
                widest = max(measured, default=0) + 2 * Space.LARGE
                widths[column] = max(widths[column], widest)

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

    def _block_format(self, column: int, *, has_formula: bool) -> QTextBlockFormat:
        made = QTextBlockFormat()
        made.setAlignment(_ALIGNMENT[self.table.aligns[column]])
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
