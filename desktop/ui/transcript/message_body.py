"""The words of one message as a column of text, code and tables.

While an answer grows, what is finished stays as it stands: only the last open block is parsed,
written and laid out again.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.code_block import CodeBlock, lexer_of
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.inline_spans import NOTHING_KNOWN, Known
from desktop.ui.transcript.markdown import Block, Code, Paragraph, Table, parse
from desktop.ui.transcript.selection import TextSelection
from desktop.ui.transcript.table_block import TableBlock
from desktop.ui.transcript.text_block import ProseBlock, TextPane

_Piece = TypeVar("_Piece", ProseBlock, CodeBlock, TableBlock)


def warm_up() -> None:
    """Import what the first answer needs; call on a worker once the window is painted."""
    parse("")
    lexer_of("python")


class MessageBody(QWidget):
    link_activated = Signal(str)

    def __init__(
        self, style: TextStyle, parent: QWidget, selecting: TextSelection | None = None
    ) -> None:
        """`selecting`: what goes on beyond this text; None where there is nothing beyond."""
        super().__init__(parent)
        self._style = style
        self._source: tuple[str, Known] | None = ("", NOTHING_KNOWN)
        """What was shown as a whole; None since it has grown."""
        self._known = NOTHING_KNOWN
        self._blocks: list[Block] = []
        self._open_at = 0
        self._open_from = 0
        self._pieces: list[ProseBlock | CodeBlock | TableBlock] = []
        self._selecting = selecting or TextSelection(self.panes, self)

    def set_source(self, source: str, known: Known) -> None:
        """Show a whole text; blocks that are the same as before are left alone."""
        if self._source != (source, known):
            self._open_at = self._open_from = 0
            self._known = known
            self.grow(source)
            self._source = (source, known)

    def grow(self, source: str) -> None:
        """Show a text that begins with the present one."""
        self._source = None
        parsed = parse(source[self._open_at :], self._known)
        self._blocks[self._open_from :] = parsed.blocks
        self._open_at += parsed.open_at
        self._open_from += parsed.open_from
        self._show()

    def fit(self, width: int) -> int:
        y = 0
        for piece in self._pieces:
            height = piece.fit(width)
            piece.move(0, y)
            y += height + Space.MEDIUM
        # A document leaves out the room below its last paragraph, so this is all there is.
        y = max(y - Space.MEDIUM, 0)
        self.resize(width, y)
        return y

    def panes(self) -> Iterator[TextPane]:
        return (piece.pane for piece in self._pieces)

    def copy_buttons(self) -> Iterator[QWidget]:
        return (one.copy_button for one in self._pieces if isinstance(one, CodeBlock))

    def _show(self) -> None:
        """What stands in the same place as before is changed, not made anew."""
        parts = list(_parts(self._blocks))
        for place, part in enumerate(parts):
            match part:
                case Code():
                    self._piece(place, CodeBlock).set_code(part)
                case Table():
                    self._piece(place, TableBlock).set_table(part)
                case _:
                    self._piece(place, ProseBlock).set_paragraphs(part)
        self._cut(len(parts))

    def _piece(self, place: int, kind: type[_Piece]) -> _Piece:
        if place < len(self._pieces) and isinstance(found := self._pieces[place], kind):
            return found
        self._cut(place)
        made = kind(self._style, self)
        self._pieces.append(made)
        made.pane.link_activated.connect(self.link_activated)
        self._selecting.watch(made.pane, self.panes)
        made.show()
        return made

    def _cut(self, count: int) -> None:
        for piece in self._pieces[count:]:
            piece.hide()
            piece.deleteLater()
        del self._pieces[count:]


def _parts(blocks: Sequence[Block]) -> Iterator[list[Paragraph] | Code | Table]:
    """Paragraphs that follow one another stand in one piece."""
    prose: list[Paragraph] = []
    for block in blocks:
        if isinstance(block, Paragraph):
            prose.append(block)
            continue
        if prose:
            yield prose
        prose = []
        yield block
    if prose:
        yield prose
