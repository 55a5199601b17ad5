"""The colours of code, line by line.

Pygments is imported when the first code is coloured: the window opens without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QTextCharFormat, QTextLayout

from desktop.ui.theme.tokens import Syntax, Tokens

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
