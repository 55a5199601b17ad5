"""Reads HTML: pages, chapters of EPUBs, and the article of a fetched page, without menus."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Protocol

from desktop.domain.errors import DocumentEmptyError
from desktop.research.documents.blocks import Block, Head, Outline, Parts, Tail
from desktop.research.documents.encoding import decode_text

_SKIPPED_NAMES = "script style template noscript svg math object iframe nav footer select button"
_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr"
_BLOCK_NAMES = """
address article aside blockquote body caption center dd details div dl dt fieldset figcaption
figure footer h1 h2 h3 h4 h5 h6 header hgroup hr html li main nav ol p pre section summary
table tbody td tfoot th thead tr ul
"""
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_VOID = frozenset(_VOID_NAMES.split())
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_CELLS = frozenset({"td", "th"})
_MAIN = frozenset({"main", "article"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INVISIBLE = ("display:none", "visibility:hidden")
_DEEPEST = 500
"""Nested elements: real pages have some thirty."""
_MOST_OF_IT = 0.5

Attributes = list[tuple[str, str | None]]


def read_html(file: Path) -> Parts:
    """Raises DocumentError."""
    page = HtmlText()
    page.take(decode_text(file.read_bytes()))
    blocks = page.main_blocks()
    if not blocks:
        raise DocumentEmptyError
    yield Head(page.title)
    yield from blocks
    yield Tail()


class HtmlText(HTMLParser):
    """Collects blocks; several texts in a row are one document."""

    def __init__(self, outline: Outline | None = None, *, page: int | None = None) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.page = page
        """Of the printed book, where the text says so."""
        self._outline = outline or Outline()
        self._blocks: list[tuple[Block, bool]] = []
        """Each with whether it stands in the main part of the page."""
        self._open: list[tuple[str, bool]] = []
        """Elements, each with whether it hides what is in it."""
        self._hidden = 0
        self._main = 0
        self._words: list[str] = []
        self._row: list[str] | None = None
        self._in_title = False

    def take(self, text: str) -> None:
        self.feed(text)
        self.close()
        self._finish_block()

    def every_block(self) -> list[Block]:
        return [block for block, _ in self._blocks]

    def main_blocks(self) -> list[Block]:
        """Blocks of <main> or <article> if they hold most of the text, else all."""
        every = sum(len(block.text) for block, _ in self._blocks)
        main = sum(len(block.text) for block, is_main in self._blocks if is_main)
        only_main = main > every * _MOST_OF_IT
        return [block for block, is_main in self._blocks if is_main or not only_main]

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        given = dict(attrs)
        self._note_page(given)
        if tag in _BLOCKS:
            self._begin_block(tag)
        elif tag == "br":
            self._words.append("\n" if self._in("pre") else " ")
        if tag == "title":
            self._in_title = not self.title
        if tag not in _VOID and len(self._open) < _DEEPEST:
            hides = tag in _SKIPPED or _is_hidden(given)
            self._open.append((tag, hides))
            self._hidden += hides
            self._main += tag in _MAIN

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        # HTML knows no such thing: only in XHTML it closes what it opens.
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._finish_block(tag)
        if tag == "title":
            self._in_title = False
        if not any(name == tag for name, _ in self._open):
            return
        while self._open:
            name, hides = self._open.pop()
            self._hidden -= hides
            self._main -= name in _MAIN
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title = " ".join(f"{self.title} {data}".split())
        elif not self._hidden:
            self._words.append(data)

    def _begin_block(self, tag: str) -> None:
        if self._row is not None and tag != "tr":
            self._words.append(" ")
            return
        self._finish_block()
        if tag == "tr":
            self._row = []

    def _finish_block(self, tag: str = "") -> None:
        text = self._text()
        if self._row is not None:
            self._finish_cell(self._row, tag, text)
            return
        self._words = []
        if not text:
            return
        level = _HEADINGS.get(tag)
        block = (
            self._outline.block(text, self.page)
            if level is None
            else self._outline.heading(level, text, self.page)
        )
        self._blocks.append((block, self._main > 0))

    def _finish_cell(self, cells: list[str], tag: str, text: str) -> None:
        if tag in {*_CELLS, "tr", "table", ""}:
            self._words = []
            if text:
                cells.append(text)
        if tag in {"tr", "table", ""}:
            self._row = None
            if cells:
                block = self._outline.block(" | ".join(cells), self.page)
                self._blocks.append((block, self._main > 0))

    def _text(self) -> str:
        text = "".join(self._words)
        if self._in("pre"):
            return text.strip("\n")
        return " ".join(text.split())

    def _in(self, tag: str) -> bool:
        return any(name == tag for name, _ in self._open)

    def _note_page(self, given: dict[str, str | None]) -> None:
        """EPUBs say where a page of the printed book begins."""
        kind = f"{given.get('epub:type') or ''} {given.get('role') or ''}"
        if "pagebreak" not in kind:
            return
        said = given.get("title") or given.get("aria-label") or ""
        if number := re.search(r"\d{1,5}", said):
            self._finish_block()
            self.page = int(number[0])


def _is_hidden(given: dict[str, str | None]) -> bool:
    style = "".join((given.get("style") or "").lower().split())
    return "hidden" in given or any(one in style for one in _INVISIBLE)


_LONGEST_NAME = 200
_USUAL_LEVEL = 2
_LEAST_LETTERS = 60
"""Of an article: with less, all that stands on the page is taken, its menus too."""
_ROW = "row"
_KEEPS_LINES = frozenset({"quote", "code"})
_HOLDS_BLOCKS = frozenset({"body", "list", "table", "div", "main"})


class _Element(Protocol):
    """What is used of an element of lxml, which brings no types."""

    tag: str

    def get(self, key: str, default: str = "") -> str: ...
    def itertext(self) -> Iterator[str]: ...
    def __iter__(self) -> "Iterator[_Element]": ...


def read_web_page(file: Path) -> Parts:
    """Raises DocumentError."""
    # Half a second and 30 MB.
    from trafilatura import bare_extraction  # noqa: PLC0415
    from trafilatura.settings import use_config  # noqa: PLC0415

    config = use_config()
    config.set("DEFAULT", "MIN_EXTRACTED_SIZE", str(_LEAST_LETTERS))
    text = decode_text(file.read_bytes())
    found = bare_extraction(text, with_metadata=True, include_comments=False, config=config)
    if found is None or isinstance(found, dict):
        yield from _plainly(text)
        return
    blocks = list(_blocks(found.body, Outline())) if found.body is not None else []
    if not blocks:
        yield from _plainly(text, found.title or "")
        return
    author, published = _line(found.author), _line(found.date)
    yield Head(_line(found.title), author=author, published=published)
    yield from blocks
    yield Tail()


def _plainly(text: str, title: str = "") -> Parts:
    """All of the text of a page that is no article."""
    page = HtmlText()
    page.take(text)
    blocks = page.main_blocks()
    if not blocks:
        raise DocumentEmptyError
    yield Head(title or page.title)
    yield from blocks
    yield Tail()


def _blocks(element: _Element, outline: Outline) -> Iterator[Block]:
    for child in element:
        if child.tag == "head":
            if title := _line("".join(child.itertext())):
                yield outline.heading(_level(child), title)
        elif child.tag == _ROW:
            cells = [_line("".join(cell.itertext())) for cell in child]
            if any(cells):
                yield outline.block(" | ".join(cells))
        elif child.tag in _HOLDS_BLOCKS:
            yield from _blocks(child, outline)
        elif text := _text(child):
            yield outline.block(text)


def _level(heading: _Element) -> int:
    digits = heading.get("rend").removeprefix("h")
    return int(digits) if digits.isdecimal() else _USUAL_LEVEL


def _text(element: _Element) -> str:
    text = "".join(element.itertext())
    if element.tag in _KEEPS_LINES:
        return text.strip("\n")
    return " ".join(text.split())


def _line(text: str | None) -> str:
    return " ".join((text or "").split())[:_LONGEST_NAME]
