"""Reads HTML: pages, chapters of EPUBs, and the article of a fetched page, without menus."""

import re
from pathlib import Path

from lxml import etree

from desktop.domain.errors import DocumentDamagedError
from desktop.research.documents.blocks import Block, Head, Outline, Parts
from desktop.research.documents.encoding import decode_text

_SKIPPED_NAMES = "script style template noscript svg math object iframe nav footer select button"
_BLOCK_NAMES = """
address article aside blockquote body caption center dd details div dl dt fieldset figcaption
figure footer h1 h2 h3 h4 h5 h6 header hgroup hr html li main nav ol p pre section summary
table tbody td tfoot th thead tr ul
"""
_SKIPPED = _SKIPPED_NAMES.split()
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_MAIN = frozenset({"main", "article"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INVISIBLE = ("display:none", "visibility:hidden")
_MOST_OF_IT = 0.5
_DEEPEST = 2048
"""Elements in one another that libxml2 reads."""
_SELF_CLOSED = re.compile(
    r"<(?!(?:br|hr|img|input|link|meta|col)\b)([a-z]\w*+)([^<>]*)/>", re.IGNORECASE
)
"""HTML knows no such thing: only in XHTML it closes what it opens."""


def read_html(file: Path) -> Parts:
    """Raises DocumentError."""
    yield from _read_page(decode_text(file.read_bytes()))


def _read_page(text: str, title: str = "") -> Parts:
    """All of the text of a page; `title`: one that is known already."""
    page = HtmlText()
    page.add(text)
    yield Head(title or page.title)
    yield from page.main_blocks()


class HtmlText:
    """Collects blocks; several texts in a row are one document."""

    def __init__(self) -> None:
        self.title = ""
        self.page: int | None = None
        """Of the printed book, where the text says so."""
        self.blocks: list[Block] = []
        self._main_blocks: list[Block] = []
        """Of them, those in the main part of the page."""
        self._outline = Outline()
        self._main = self._preformatted = 0
        self._words: list[str] = []
        self._row: list[str] | None = None

    def add(self, text: str) -> None:
        parser = etree.HTMLParser(
            encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
        )
        closed = _SELF_CLOSED.sub(r"<\1\2></\1>", text)
        parser.feed(f"<html>{closed}".encode("utf-8", "replace"))
        self.add_tree(parser.close())

    def add_tree(self, root: etree.Element) -> None:
        for element in root.iter():
            if _is_hidden(element):
                element.tag = _SKIPPED[0]
        etree.strip_elements(root, *_SKIPPED, with_tail=False)
        self.title = self.title or _line(root.findtext(".//title"))
        etree.strip_elements(root, "title", with_tail=False)
        depth = 0
        for event, element in etree.iterwalk(root, events=("start", "end")):
            depth += 1 if event == "start" else -1
            if depth >= _DEEPEST:
                # The parser leaves out what is nested deeper, and the rest of the page with it.
                raise DocumentDamagedError
            if event == "start":
                self._begin(element)
                self._words.append(element.text or "")
            else:
                self._end(element.tag)
                self._words.append(element.tail or "")

    def main_blocks(self) -> list[Block]:
        """Blocks of <main> or <article> if they hold most of the text, else all."""
        main, every = (
            sum(len(block.text) for block in blocks) for blocks in (self._main_blocks, self.blocks)
        )
        return self._main_blocks if main > every * _MOST_OF_IT else self.blocks

    def _begin(self, element: etree.Element) -> None:
        tag = element.tag
        self._note_page(element)
        self._main += tag in _MAIN
        if tag == "br":
            self._words.append("\n" if self._preformatted else " ")
        elif tag in _BLOCKS and self._row is not None and tag != "tr":
            self._words.append(" ")
        elif tag in _BLOCKS:
            self._finish_block()
            self._row = [] if tag == "tr" else None
        self._preformatted += tag == "pre"

    def _end(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._finish_block(tag)
        self._main -= tag in _MAIN
        self._preformatted -= tag == "pre"

    def _finish_block(self, tag: str = "") -> None:
        text = "".join(self._words)
        text = text.strip("\n") if self._preformatted else " ".join(text.split())
        if self._row is None:
            self._add_block(text, _HEADINGS.get(tag))
            return
        if tag not in {"td", "th", "tr", "table", ""}:
            return
        self._words = []
        if text:
            self._row.append(text)
        if tag not in {"td", "th"}:
            cells, self._row = self._row, None
            self._add_block(" | ".join(cells))

    def _add_block(self, text: str, level: int | None = None) -> None:
        self._words = []
        if not text.strip():
            return
        block = (
            self._outline.block(text, self.page)
            if level is None
            else self._outline.heading(level, text, self.page)
        )
        self.blocks.append(block)
        if self._main:
            self._main_blocks.append(block)

    def _note_page(self, element: etree.Element) -> None:
        """EPUBs say where a page of the printed book begins."""
        kind = f"{element.get('epub:type', '')} {element.get('role', '')}"
        if "pagebreak" not in kind:
            return
        label = element.get("title") or element.get("aria-label") or ""
        if number := re.search(r"\d{1,5}", label):
            self._finish_block()
            self.page = int(number[0])


def _is_hidden(element: etree.Element) -> bool:
    style = "".join(element.get("style", "").lower().split())
    return "hidden" in element.attrib or any(one in style for one in _INVISIBLE)


_LONGEST_NAME = 200
_LEAST_LETTERS = 60
"""Of an article: with less, all that stands on the page is taken, its menus too."""


def read_web_page(file: Path) -> Parts:
    """The article of a page, else all of it. Raises DocumentError."""
    # Half a second and 30 MB.
    from trafilatura import bare_extraction  # noqa: PLC0415
    from trafilatura.htmlprocessing import convert_to_html  # noqa: PLC0415
    from trafilatura.settings import use_config  # noqa: PLC0415

    config = use_config()
    config.set("DEFAULT", "MIN_EXTRACTED_SIZE", str(_LEAST_LETTERS))
    text = decode_text(file.read_bytes())
    found = bare_extraction(text, with_metadata=True, include_comments=False, config=config)
    if found is None or isinstance(found, dict):
        yield from _read_page(text)
        return
    article = HtmlText()
    if found.body is not None:
        for quote in found.body.iter("quote"):  # code that no tag calls code is one, too
            quote.tag = "pre"
        article.add_tree(convert_to_html(found.body))
    if not article.blocks:
        yield from _read_page(text, found.title or "")
        return
    yield Head(_line(found.title), author=_line(found.author), published=_line(found.date))
    yield from article.blocks


def _line(text: str | None) -> str:
    return " ".join((text or "").split())[:_LONGEST_NAME]
