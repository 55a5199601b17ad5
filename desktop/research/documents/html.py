"""Text of HTML pages and of the chapters of EPUBs, under their headings, without the furniture."""

import re
from html.parser import HTMLParser
from pathlib import Path

from desktop.domain.errors import DocumentEmptyError
from desktop.research.documents.blocks import Block, Head, Outline, Parts, Tail
from desktop.research.documents.encoding import decoded

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
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_DEEPEST = 500
"""Nested elements: real pages have some thirty."""
_MOST_OF_IT = 0.5

Attributes = list[tuple[str, str | None]]


def read_html(file: Path) -> Parts:
    """Raises DocumentError."""
    page = HtmlText()
    page.take(decoded(file.read_bytes()))
    blocks = page.main_blocks()
    if not blocks:
        raise DocumentEmptyError
    yield Head(page.title)
    yield from blocks
    yield Tail()


class HtmlText(HTMLParser):
    """Feed it with `take`; several texts in a row are one document."""

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
        """Those of the main part, where it is marked and holds most of the text; or all."""
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
    return "hidden" in given or bool(_INVISIBLE.search(given.get("style") or ""))
