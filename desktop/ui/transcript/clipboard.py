"""Puts messages and tables on the clipboard, in the forms that other programs take."""

from html import escape

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from desktop.language.links import harmless_markdown
from desktop.ui.transcript.inline_spans import InlineSpan, Style
from desktop.ui.transcript.markdown import Align, Cell, Table

_RULES = {Align.LEFT: "---", Align.CENTER: ":---:", Align.RIGHT: "---:"}


def copy_text(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def copy_markdown(text: str) -> None:
    copy_text(harmless_markdown(text))


def copy_formatted(markdown: str) -> None:
    """Copy an answer as rich text; as Markdown for programs that take no other."""
    from desktop.sessions.export_formats import as_fragment  # noqa: PLC0415 - not for the start

    _copy(harmless_markdown(markdown), as_fragment(markdown))


def copy_table(table: Table) -> None:
    """Copy a table as one; as lines with tabs for programs that take text alone."""
    lines = [[_plain(cell) for cell in row] for row in (table.header, *table.rows)]
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines
    )
    _copy("\n".join(map("\t".join, lines)), f"<table>{rows}</table>")


def table_as_markdown(table: Table) -> str:
    lines = [[_marked_up(cell) for cell in row] for row in (table.header, *table.rows)]
    lines.insert(1, [_RULES[align] for align in table.aligns])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(cell: Cell) -> str:
    return " ".join("".join(run.text for run in cell).split())


def _marked_up(cell: Cell) -> str:
    words = "".join(map(_markdown_of, cell)).replace("|", "\\|")
    return words.replace("\u2028", "<br>")


def _markdown_of(run: InlineSpan) -> str:
    if run.style & Style.CITATION:
        return f" [{run.text}]"
    text = run.text
    marks = ((Style.CODE, "`"), (Style.BOLD, "**"), (Style.ITALIC, "*"), (Style.STRIKE, "~~"))
    for style, mark in marks:
        if run.style & style and not run.tex:
            text = f"{mark}{text}{mark}"
    return f"[{text}]({run.href})" if run.href and run.href != run.text else text


def _copy(text: str, html: str) -> None:
    data = QMimeData()
    data.setText(text)
    data.setHtml(html)
    QGuiApplication.clipboard().setMimeData(data)
