"""Copies of an answer: formatted text, tables as tables, as lines and as Markdown."""

from PySide6.QtGui import QGuiApplication

from desktop.ui.transcript.actions import (
    copy_formatted,
    copy_markdown,
    copy_table,
    table_as_markdown,
)
from desktop.ui.transcript.markdown import Table, parse
from desktop.ui.transcript.view import TranscriptView

SOURCE = """| ad | **değer** |
|:---|---:|
| $x_1$ | a\\|b |
| `k` | <br>iki |
"""


def table_of(source: str) -> Table:
    (table,) = parse(source).blocks
    assert isinstance(table, Table)
    return table


def test_a_table_as_markdown_is_read_as_the_same_table() -> None:
    table = table_of(SOURCE)
    assert table_of(table_as_markdown(table)) == table


def test_a_table_is_copied_as_a_table_and_as_lines_with_tabs(view: TranscriptView) -> None:
    copy_table(table_of(SOURCE))
    copied = QGuiApplication.clipboard().mimeData()
    assert copied.text() == "ad\tdeğer\n$x_1$\ta|b\nk\tiki"
    assert "<td>a|b</td>" in copied.html()


def test_an_answer_is_copied_as_rich_text_and_as_markdown(view: TranscriptView) -> None:
    copy_formatted("**Önce** $x^2$ [1]")
    copied = QGuiApplication.clipboard().mimeData()
    assert copied.text() == "**Önce** $x^2$ [1]"
    assert "<strong>Önce</strong> $x^2$ [1]" in copied.html()


def test_a_copied_answer_loads_nothing_in_other_programs(view: TranscriptView) -> None:
    answer = "![p](http://evil.test/p.png) <img src=x> [s](smb://host)"
    harmless = "!\\[p](http://evil.test/p.png) &lt;img src=x> [s]\\(smb://host)"
    for copy in (copy_markdown, copy_formatted):
        copy(answer)
        copied = QGuiApplication.clipboard().mimeData()
        assert copied.text() == harmless
        assert "<img" not in copied.html()
        assert "href" not in copied.html()
