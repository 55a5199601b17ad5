"""The words of one message as a column of text, code and tables.

While an answer grows, what is finished stays as it stands: only the last open block is parsed,
written and laid out again.
"""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.code_block import CodeBlock
from desktop.ui.transcript.document_writer import DocumentWriter, TextStyle
from desktop.ui.transcript.highlight_terms import NO_MARKS, HighlightTerms
from desktop.ui.transcript.inline_spans import NOTHING_KNOWN, Known
from desktop.ui.transcript.markdown import Block, Code, Paragraph, Table, parse
from desktop.ui.transcript.selection import TextSelection
from desktop.ui.transcript.table_block import TableBlock
from desktop.ui.transcript.text_block import TextPane


class ProseBlock(TextPane):
    def __init__(self, style: TextStyle, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._writer = DocumentWriter(self.document(), style)
        self.ornaments = self._writer.ornaments
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Text"))

    def write(self, paragraphs: Sequence[Paragraph]) -> None:
        self._writer.write(paragraphs)

    def keep(self, count: int) -> None:
        self._writer.keep(count)

    def __len__(self) -> int:
        return len(self._writer)

    def __bool__(self) -> bool:
        return True

    def panes(self) -> Iterator[TextPane]:
        yield self

    def tab_stops(self) -> Iterator[QWidget]:
        return iter(())


Piece = ProseBlock | CodeBlock | TableBlock


class MessageBody(QWidget):
    link_activated = Signal(str)
    citation_activated = Signal(int)
    dragged = Signal(object)
    """QPoint on the screen that a selection is drawn to"""

    def __init__(
        self,
        theme: ThemeController,
        style: TextStyle,
        parent: QWidget,
        selecting: TextSelection | None = None,
    ) -> None:
        """`selecting`: what goes on beyond this text; None where there is nothing beyond."""
        super().__init__(parent)
        self._theme, self._style = theme, style
        self._source = ""
        self._has_grown = False
        self._known: Known = NOTHING_KNOWN
        self._blocks: list[Block] = []
        self._open_at = 0
        self._open_from = 0
        self._pieces: list[Piece] = []
        self._connected: set[Piece] = set()
        self._marks = NO_MARKS
        self._selecting = selecting or TextSelection(self.panes, self)

    @property
    def source(self) -> str:
        return self._source

    def set_source(self, source: str, known: Known) -> None:
        """Show a whole text; blocks that are the same as before are left alone."""
        if source == self._source and known == self._known and not self._has_grown:
            return
        self._source, self._known, self._has_grown = source, known, False
        parsed = parse(source, known)
        self._replace(0, parsed.blocks)
        self._open_at, self._open_from = parsed.open_at, parsed.open_from
        self._mark_anew()

    def grow(self, source: str) -> None:
        """Show a text that begins with the present one."""
        self._source, self._has_grown = source, True
        parsed = parse(source[self._open_at :], self._known)
        self._replace(self._open_from, parsed.blocks)
        self._open_at += parsed.open_at
        self._open_from += parsed.open_from
        self._mark_anew()

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
        for piece in self._pieces:
            yield from piece.panes()

    def tab_stops(self) -> Iterator[QWidget]:
        for piece in self._pieces:
            yield from piece.tab_stops()

    def mark(self, marks: HighlightTerms) -> int:
        """Returns how many places are marked."""
        self._marks = marks
        return sum(pane.mark(marks) for pane in self.panes())

    def _mark_anew(self) -> None:
        if self._marks:
            self.mark(self._marks)

    def _replace(self, keep: int, blocks: Sequence[Block]) -> None:
        """Show `blocks` in place of all but the first `keep`."""
        same = 0
        for old, new in zip(self._blocks[keep:], blocks, strict=False):
            if old != new:
                break
            same += 1
        keep, blocks = keep + same, blocks[same:]
        spare = self._drop_from(keep)
        del self._blocks[keep:]
        self._blocks.extend(blocks)
        at = 0
        while at < len(blocks):
            at = self._show(blocks, at, spare)
        if spare is not None and spare not in self._pieces:
            self._discard(spare)

    def _drop_from(self, keep: int) -> Piece | None:
        """Take down what shows the blocks from `keep` on; the first piece may be used again."""
        spare: Piece | None = None
        start = len(self._blocks)
        while self._pieces and start > keep:
            piece = self._pieces[-1]
            start -= len(piece) if isinstance(piece, ProseBlock) else 1
            if start < keep and isinstance(piece, ProseBlock):
                piece.keep(keep - start)
                break
            if spare is not None:
                self._discard(spare)
            spare = self._pieces.pop()
        return spare

    def _show(self, blocks: Sequence[Block], at: int, spare: Piece | None) -> int:
        """Show the block at `at` and the paragraphs that follow it; where the next one is."""
        free = spare if spare not in self._pieces else None
        match blocks[at]:
            case Paragraph():
                end = _end_of_prose(blocks, at)
                self._prose(free).write([b for b in blocks[at:end] if isinstance(b, Paragraph)])
                return end
            case Code() as code:
                block = (
                    free
                    if isinstance(free, CodeBlock)
                    else CodeBlock(self._theme, self._style, self)
                )
                self._add(block)
                block.set_code(code)
            case Table() as table:
                shown = (
                    free
                    if isinstance(free, TableBlock)
                    else TableBlock(self._theme, self._style, self)
                )
                self._add(shown)
                shown.set_table(table)
        return at + 1

    def _prose(self, free: Piece | None) -> ProseBlock:
        last = self._pieces[-1] if self._pieces else None
        if isinstance(last, ProseBlock):
            return last
        prose = free if isinstance(free, ProseBlock) else ProseBlock(self._style, self)
        prose.keep(0)
        self._add(prose)
        return prose

    def _add(self, piece: Piece) -> None:
        self._pieces.append(piece)
        if piece not in self._connected:
            self._connected.add(piece)
            piece.link_activated.connect(self.link_activated)
            piece.citation_activated.connect(self.citation_activated)
            for pane in piece.panes():
                self._selecting.watch(pane, self.panes)
                pane.dragged.connect(self.dragged)
            piece.show()

    def _discard(self, piece: Piece) -> None:
        self._connected.discard(piece)
        piece.hide()
        piece.deleteLater()


def _end_of_prose(blocks: Sequence[Block], at: int) -> int:
    while at < len(blocks) and isinstance(blocks[at], Paragraph):
        at += 1
    return at
