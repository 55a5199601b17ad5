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
        body = _Body(_heading_levels(archive))
        blocks = list(body.blocks(parse_xml(archive.read(_BODY))))
        pages = body.breaks + 1
        is_counted = body.breaks and str(pages) == _property(archive, "docProps/app.xml", "Pages")
        if not is_counted:
            blocks = [block._replace(page=None) for block in blocks]
        for name in _NOTES:
            if name in archive.names:
                notes = _Body({}).blocks(parse_xml(archive.read(name)))
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

    def blocks(self, parent: Element) -> Iterator[Block]:
        for element in parent:
            name = local(element.tag)
            if name == "p":
                yield from self._paragraph(element)
            elif name == "tr":
                cells = [" ".join(self._text(cell).split()) for cell in element]
                if any(cells):
                    yield self._outline.block(" | ".join(filter(None, cells)), self.breaks + 1)
            elif name not in _LEFT_OUT:
                yield from self.blocks(element)

    def _paragraph(self, element: Element) -> Iterator[Block]:
        text, page = self._text(element).strip(), self.breaks + 1
        if not text:
            return
        style = element.find("{*}pPr/{*}pStyle")
        level = self._levels.get(attribute(style, "val")) if style is not None else None
        if level is None:
            yield self._outline.block(text, page)
            return
        if level == _TITLE_LEVEL and not self.title:
            self.title = " ".join(text.split())
        yield self._outline.heading(level, text, page)

    def _text(self, element: Element) -> str:
        return "".join(self._pieces(element))

    def _pieces(self, parent: Element) -> Iterator[str]:
        for element in parent:
            name = local(element.tag)
            if name == "t":
                yield element.text or ""
            elif name in _CHARACTERS:
                yield _CHARACTERS[name]
            elif name == "lastRenderedPageBreak":
                self.breaks += 1
            elif name not in _LEFT_OUT and not _is_hidden(element):
                yield from self._pieces(element)
                if name == "p":
                    yield " "


def _is_hidden(run: Element) -> bool:
    """Whether whoever opens the file does not see it."""
    mark = run.find("{*}rPr/{*}vanish")
    return mark is not None and attribute(mark, "val") not in _OFF


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
