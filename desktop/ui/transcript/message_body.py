"""The words of one message as a column of text, code and tables; selecting across messages.

While an answer grows, finished blocks stay unchanged: only the last open block is parsed,
written and laid out again.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.blocks import CodeBlock, TableBlock, lexer_of
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.markdown import (
    NOTHING_KNOWN,
    Block,
    Code,
    Known,
    Paragraph,
    Table,
    parse,
)
from desktop.ui.transcript.text_block import ProseBlock, TextPane

_BETWEEN = "\n\n"


class TextSelection(QObject):
    dragged = Signal(object)  # QPoint on the screen that a selection is dragged to

    def __init__(self, panes: Callable[[], Iterator[TextPane]], parent: QObject) -> None:
        """`panes` returns the panes of all shown messages, from the top."""
        super().__init__(parent)
        self._panes = panes

    def watch(self, pane: TextPane, panes: Callable[[], Iterator[TextPane]]) -> None:
        """Observe a pane; `panes`: those of its message, which "select all" includes."""
        pane.left_others.connect(partial(self._leave_all_but, pane))
        pane.dragged.connect(partial(self._extend, pane))
        pane.dragged.connect(self.dragged)
        pane.all_wanted.connect(partial(self._take_all, panes))
        pane.share(self.text)

    def text(self) -> str:
        return _BETWEEN.join(filter(None, (pane.selected_text() for pane in self._panes())))

    def _extend(self, origin: TextPane, at: QPoint) -> None:
        panes = list(self._panes())
        first, last = panes.index(origin), _place_at(panes, at)
        if first == last:  # the pane has selected it already
            self._leave_all_but(origin)
            return
        is_down = last > first
        between = range(min(first, last) + 1, max(first, last))
        for place, pane in enumerate(panes):
            start, end = _ends(pane, from_start=is_down)
            if pane is origin:
                _select(pane, pane.textCursor().anchor(), end)
            elif place == last:
                _select(pane, start, pane.position_at(at))
            elif place in between:
                _select(pane, start, end)
            else:
                pane.clear_selection()

    def _take_all(self, panes: Callable[[], Iterator[TextPane]]) -> None:
        for pane in panes():
            _select(pane, *_ends(pane, from_start=True))

    def _leave_all_but(self, active_pane: TextPane) -> None:
        for pane in self._panes():
            if pane is not active_pane:
                pane.clear_selection()


def _place_at(panes: list[TextPane], at: QPoint) -> int:
    above = [n for n, pane in enumerate(panes) if pane.mapToGlobal(QPoint()).y() <= at.y()]
    return above[-1] if above else 0


def _ends(pane: TextPane, *, from_start: bool) -> tuple[int, int]:
    first, last = pane.whole_span()
    return (first, last) if from_start else (last, first)


def _select(pane: TextPane, anchor: int, position: int) -> None:
    cursor = pane.textCursor()
    if (cursor.anchor(), cursor.position()) == (anchor, position):
        return  # repainting a long message without need would delay the pointer
    cursor.setPosition(anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    pane.setTextCursor(cursor)


_Piece = TypeVar("_Piece", ProseBlock, CodeBlock, TableBlock)


def warm_up() -> None:
    """Import what the first answer needs; call on a worker once the window is painted."""
    parse("")
    lexer_of("python")


def without_open_line(text: str) -> str:
    """Omit a last line of signs alone: a first dash would make the line above it a heading."""
    before, _, last = text.rpartition("\n")
    signs = last.strip()
    return before if signs and not signs.strip("-=*+_|:# \t") else text


class MessageBody(QWidget):
    link_activated = Signal(str)

    def __init__(
        self, style: TextStyle, parent: QWidget, selecting: TextSelection | None = None
    ) -> None:
        """`selecting`: the selection across messages; None if there is only this text."""
        super().__init__(parent)
        self._style = style
        self._source: tuple[str, Known] | None = ("", NOTHING_KNOWN)
        """The source of the last `set_source`; None once the text has grown."""
        self._citations = NOTHING_KNOWN
        self._blocks: list[Block] = []
        self._open_at = 0
        self._open_from = 0
        self._pieces: list[ProseBlock | CodeBlock | TableBlock] = []
        self._selecting = selecting or TextSelection(self.panes, self)

    def set_source(self, source: str, citations: Known) -> None:
        if self._source != (source, citations):
            self._open_at = self._open_from = 0
            self._citations = citations
            self.grow(source)
            self._source = (source, citations)

    def grow(self, source: str) -> None:
        """Show a text that continues the present one."""
        self._source = None
        parsed = parse(source[self._open_at :], self._citations)
        self._blocks[self._open_from :] = parsed.blocks
        self._open_at += parsed.open_at
        self._open_from += parsed.open_from
        self._show()

    def show_drawn(self) -> bool:
        """Show the formulas that were drawn since; return whether there were any."""
        pieces = [piece for piece in self._pieces if not isinstance(piece, CodeBlock)]
        waiting = [piece for piece in pieces if piece.has_waiting]
        for piece in waiting:
            piece.write_again()
        return bool(waiting)

    def fit(self, width: int) -> int:
        y = 0
        for piece in self._pieces:
            height = piece.fit(width)
            piece.move(0, y)
            y += height + Space.MEDIUM
        # A document omits the space below its last paragraph, so this is all there is.
        y = max(y - Space.MEDIUM, 0)
        self.resize(width, y)
        return y

    def panes(self) -> Iterator[TextPane]:
        return (piece.pane for piece in self._pieces)

    def copy_buttons(self) -> Iterator[QWidget]:
        return (piece.copy_button for piece in self._pieces if isinstance(piece, CodeBlock))

    def _show(self) -> None:
        """Update existing blocks in place instead of creating new ones."""
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
        for place, piece in enumerate(self._pieces, 1):
            if isinstance(piece, ProseBlock):
                form = self.tr("Text, part {place} of {count}")
                single = self.tr("Text of the answer")
                many = form.format(place=place, count=len(self._pieces))
                piece.pane.setAccessibleName(many if len(self._pieces) > 1 else single)

    def _piece(self, place: int, kind: type[_Piece]) -> _Piece:
        if place < len(self._pieces) and isinstance(piece := self._pieces[place], kind):
            return piece
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
