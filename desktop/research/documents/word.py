"""Reads Word documents (.docx): paragraphs, tables and notes under their headings.

Pages are numbered only where the page breaks that Word stored agree with its page count: a wrong
page number is worse than none.
"""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from desktop.domain.errors import DocumentDamagedError
from desktop.research.documents.blocks import Block, Head, Outline, Parts
from desktop.research.documents.zip_reader import (
    ZipPackage,
    attribute,
    iterate_xml,
    local,
    open_package,
    parse_xml,
)

_BODY = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_TITLE_LEVEL = 0
_LEVELS = {"title": _TITLE_LEVEL, **{f"heading {level}": level for level in range(1, 10)}}
# Of what is there twice, the second form is for programs that do not know the first.
_LEFT_OUT = frozenset({"Fallback", "del", "instrText"})
_OFF = frozenset({"0", "false", "off"})
_CHARACTERS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read_word(file: Path) -> Parts:
    """Raises DocumentError."""
    with open_package(file) as archive:
        if _BODY not in archive.names:
            raise DocumentDamagedError
        levels = _heading_levels(archive)
        body = _Body(levels)
        blocks = list(body.blocks(archive.read(_BODY)))
        pages = body.breaks + 1
        is_counted = body.breaks and str(pages) == _property(archive, "docProps/app.xml", "Pages")
        if not is_counted:
            blocks = [block._replace(page=None) for block in blocks]
        for name in _NOTES:
            if name in archive.names:
                notes = _Body(levels).blocks(archive.read(name))
                blocks += [block._replace(page=None) for block in notes]
        title = _property(archive, "docProps/core.xml", "title") or body.title
        yield Head(title, pages if is_counted else None)
    yield from blocks


class _Body:
    def __init__(self, levels: dict[str, int]) -> None:
        self.title = ""
        self.breaks = 0
        """Between pages, as Word last saw them."""
        self._levels = levels
        self._outline = Outline()
        self._left_out = 0
        self._words: list[str] = []
        self._style = ""
        self._is_hidden = False
        """Whether what is written now is hidden from whoever opens the file."""
        self._cells: list[str] | None = None
        """Of the row that is being read."""
        self._cell: list[str] = []
        self._depth = 0
        """Of tables: one inside a cell belongs to the cell."""

    def blocks(self, data: bytes) -> Iterator[Block]:
        for event, element in iterate_xml(data):
            name = local(element.tag)
            if name in _LEFT_OUT:
                self._left_out += 1 if event == "start" else -1
            if self._left_out:
                continue
            if event == "start":
                self._begin(name, element)
            else:
                yield from self._end(name, element)
                if name in {"p", "tr"}:
                    element.clear()  # a long document is never whole in memory twice

    def _begin(self, name: str, element: Element) -> None:
        if name == "p":
            self._words, self._style = [], ""
        elif name == "tr":
            self._depth += 1
            self._cells = [] if self._cells is None else self._cells
        elif name == "r":
            self._is_hidden = False
        elif name == "vanish":
            self._is_hidden = attribute(element, "val") not in _OFF
        elif name == "pStyle":
            self._style = attribute(element, "val")
        elif name == "lastRenderedPageBreak":
            self.breaks += 1

    def _end(self, name: str, element: Element) -> Iterator[Block]:
        if name == "t" and not self._is_hidden:
            self._words.append(element.text or "")
        elif name in _CHARACTERS and not self._is_hidden:
            self._words.append(_CHARACTERS[name])
        elif name == "p":
            yield from self._paragraph("".join(self._words).strip())
            self._words = []
        elif name == "tc" and self._depth == 1 and self._cells is not None:
            self._cells.append(" ".join(self._cell))
            self._cell = []
        elif name == "tr":
            self._depth -= 1
            if not self._depth:
                cells, self._cells = self._cells, None
                if cells and any(cells):
                    yield self._outline.block(" | ".join(cells), self.breaks + 1)

    def _paragraph(self, text: str) -> Iterator[Block]:
        if not text:
            return
        if self._cells is not None:
            self._cell.append(text)
            return
        page, level = self.breaks + 1, self._levels.get(self._style)
        if level is None:
            yield self._outline.block(text, page)
            return
        if level == _TITLE_LEVEL and not self.title:
            self.title = " ".join(text.split())
        yield self._outline.heading(level, text, page)


def _heading_levels(archive: ZipPackage) -> dict[str, int]:
    """Heading levels by style id, which Word translates ("Balk1"), unlike the name."""
    levels: dict[str, int] = {}
    if "word/styles.xml" in archive.names:
        for style in parse_xml(archive.read("word/styles.xml")):
            name = style.find("{*}name")
            level = _LEVELS.get(attribute(name, "val").lower()) if name is not None else None
            if level is not None:
                levels[attribute(style, "styleId")] = level
    return levels


def _property(archive: ZipPackage, file: str, name: str) -> str:
    if file not in archive.names:
        return ""
    return " ".join((parse_xml(archive.read(file)).findtext(f"{{*}}{name}") or "").split())
