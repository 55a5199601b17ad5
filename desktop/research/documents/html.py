"""Reads HTML: pages, chapters of EPUBs, and the article of a fetched page, without menus."""

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from lxml import etree

from desktop.domain.errors import DocumentDamagedError
from desktop.domain.json_values import JsonValue
from desktop.domain.references import FieldOrigin
from desktop.language.formulas import plain_mathml
from desktop.references.fields import bare_doi, read_date, written_name
from desktop.references.merging import reference_of
from desktop.research.documents.blocks import Block, Head, Outline, Parts
from desktop.research.documents.text_files import decode_text

_SKIPPED_NAMES = """
script style template svg object iframe nav footer select button
"""
_BLOCK_NAMES = """
address article aside blockquote body caption center dd details div dl dt fieldset figcaption
figure footer h1 h2 h3 h4 h5 h6 header hgroup hr html li main nav ol p pre section summary
table tbody td tfoot th thead tr ul
"""
_SKIPPED = _SKIPPED_NAMES.split()
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_WITH_FOOTERS = frozenset(["article", "blockquote", "details", "figure", "section", "td"])
"""Their footers belong to what they contain: the author of a quotation, notes."""
_SHOWN_TWICE = frozenset({"katex-html", "MathJax", "MathJax_Preview"})
"""Classes of formulas that are drawn beside their source."""
_WIKIPEDIA_STYLE = "{\\displaystyle"
_INVISIBLE = ("display:none", "visibility:hidden")
_MAY_BE_GONE = "//*[@hidden or @style or @class or self::del or self::noscript or self::footer]"
_MAY_BE_TEXT = (
    "//*[self::img or self::script or self::math or substring-after(name(), ':')='math']"
)
_MOST_OF_IT = 0.5
_DEEPEST = 2048  # The depth of nested elements that libxml2 reads
_SELF_CLOSED = re.compile(
    r"<(?!(?:br|hr|img|input|link|meta|col)\b)([a-z]\w*+)([^<>]*)/>", re.IGNORECASE
)
"""Closes the element only in XHTML, not in HTML."""


def read_html(file: BinaryIO) -> Parts:
    yield from _read_page(decode_text(file.read()))


def _read_page(text: str) -> Parts:
    title, root = parse_html(text)
    yield Head(title)
    page = HtmlText()
    for part in _main_parts(root):
        yield from page.read(part)


def parse_html(text: str) -> tuple[str, etree.Element]:
    """Return the title of a page, and its tree without invisible elements."""
    root = _parse_visible(text)
    etree.strip_elements(root, *_SKIPPED, with_tail=False)
    title = _line(root.findtext(".//title"))
    etree.strip_elements(root, "title", with_tail=False)
    return title, root


def _parse_visible(text: str) -> etree.Element:
    """Return a page's tree without hidden elements; scripts stay, as they describe it."""
    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    closed = _SELF_CLOSED.sub(r"<\1\2></\1>", text)
    parser.feed(f"<html>{closed}".encode("utf-8", "replace"))
    root = parser.close()
    for element in root.xpath(_MAY_BE_GONE):
        style = "".join(element.get("style", "").lower().split())
        is_hidden = "hidden" in element.attrib or any(rule in style for rule in _INVISIBLE)
        is_double = not _SHOWN_TWICE.isdisjoint(element.get("class", "").split())
        is_gone = is_double or element.tag == "del"
        if element.tag == "noscript":
            words = "".join(element.itertext()).strip().lower()
            # Without words, it repeats a picture that a script loads later.
            is_gone = is_gone or not words or "javascript" in words
        if is_gone or (is_hidden and element.tag != "body"):  # a script shows it later
            element.tag = "template"
        elif element.tag == "noscript" or (
            element.tag == "footer"
            and any(above.tag in _WITH_FOOTERS for above in element.iterancestors())
        ):
            element.tag = "div"
    etree.strip_elements(root, "template", with_tail=False)
    for element in root.xpath(_MAY_BE_TEXT):
        if text := _replacement(element):
            tail = element.tail
            element.clear()
            element.tag, element.text, element.tail = "span", f" {text} ", tail
    return root


def _replacement(element: etree.Element) -> str:
    """Return the text of a picture or of a formula, its TeX if the page has it; else empty."""
    text, tag = "", element.tag.rpartition(":")[2]
    if tag == "math":
        sources = (
            child.text for child in element.iter() if "tex" in child.get("encoding", "").lower()
        )
        text = element.get("alttext") or next(sources, "") or plain_mathml(element, is_typed=True)
    elif tag == "script" and element.get("type", "").startswith("math/tex"):
        text = element.text or ""
    elif tag == "img":
        text = element.get("alt", "")
    text = " ".join(text.split())
    if text.startswith(_WIKIPEDIA_STYLE):
        text = text.removeprefix(_WIKIPEDIA_STYLE).removesuffix("}").strip()
    return text


def _main_parts(root: etree.Element) -> list[etree.Element]:
    for name in ("main", "article"):
        parts = root.xpath(f".//{name}[not(ancestor::{name})]")
        letters = sum(len("".join(part.itertext())) for part in parts)
        if letters > _MOST_OF_IT * len("".join(root.itertext())):
            return list(parts)
    return [root]


class HtmlText:
    """Finds the blocks; several trees in a row are one document."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._outline = Outline()
        self._preformatted = 0
        self._words: list[str] = []
        self._row: list[str] | None = None

    def read(self, root: etree.Element) -> Iterator[Block]:
        depth = 0
        for event, element in etree.iterwalk(root, events=("start", "end")):
            depth += 1 if event == "start" else -1
            if depth >= _DEEPEST:
                # The parser leaves out what is nested deeper, and the rest of the page with it.
                raise DocumentDamagedError
            if event == "start":
                self._begin(element.tag)
                self._words.append(element.text or "")
            else:
                self._end(element.tag)
                self._words.append(element.tail or "")
            if self._blocks:
                yield from self._blocks
                self._blocks = []

    def _begin(self, tag: str) -> None:
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
        outline = self._outline
        if text.strip():
            self._blocks.append(
                outline.block(text) if level is None else outline.heading(level, text)
            )


_LONGEST_NAME = 200
_MOST_AUTHORS = 100
_LEAST_LETTERS = 60  # Characters of an article: with fewer, the whole page is read, menus included


def read_web_page(file: BinaryIO) -> Parts:
    """Return the article of a page, else all of it. Raises DocumentError."""
    # Half a second and 30 MB.
    from trafilatura import bare_extraction  # noqa: PLC0415
    from trafilatura.htmlprocessing import convert_to_html  # noqa: PLC0415
    from trafilatura.settings import Document, use_config  # noqa: PLC0415

    config = use_config()
    config.set("DEFAULT", "MIN_EXTRACTED_SIZE", str(_LEAST_LETTERS))
    text = decode_text(file.read())
    root = _parse_visible(text)
    described = _scholarly_fields(root)
    visible = etree.tostring(root, encoding="unicode", method="html")
    document = bare_extraction(visible, with_metadata=True, include_comments=False, config=config)
    article = HtmlText()
    if isinstance(document, Document) and document.body is not None:
        for quote in document.body.iter("quote"):  # code without a tag for code is code, too
            quote.tag = "pre"
        blocks = list(article.read(convert_to_html(document.body)))
        if blocks:
            fields = {
                "author": _authors(document.author),
                "container-title": document.sitename,
                "issued": read_date(document.date) if document.date else None,
            }
            reference = reference_of(fields | described, FieldOrigin.WEB)
            yield Head(_line(document.title), None, reference)
            yield from blocks
            return
    yield from _read_page(text)


_SCHOLARLY = {
    "citation_title": "title",
    "citation_journal_title": "container-title",
    "citation_conference_title": "container-title",
    "citation_volume": "volume",
    "citation_issue": "issue",
    "citation_publisher": "publisher",
    "citation_issn": "ISSN",
    "citation_isbn": "ISBN",
    "citation_doi": "DOI",
}
"""The tags by which publishers describe an article to search engines, and their fields of CSL."""


def _scholarly_fields(root: etree.Element) -> dict[str, JsonValue]:
    """Return what a page says of the article that it shows."""
    tags: dict[str, list[str]] = {}
    for meta in root.iter("meta"):
        if value := _line(meta.get("content")):
            tags.setdefault(str(meta.get("name", "")).lower(), []).append(value)
    if "citation_title" not in tags:
        return {}

    def first(*names: str) -> str:
        return next((tags[name][0] for name in names if name in tags), "")

    ends = filter(None, (first("citation_firstpage"), first("citation_lastpage")))
    day = first("citation_publication_date", "citation_date", "citation_online_date")
    fields: dict[str, JsonValue] = {csl: first(name) for name, csl in _SCHOLARLY.items()}
    fields |= {
        "type": "article-journal" if "citation_journal_title" in tags else "",
        "author": _authors(";".join(tags.get("citation_author", ()))),
        "page": "-".join(ends),
        "issued": read_date(day.replace("/", "-")) if day else {},
        "DOI": bare_doi(first("citation_doi")),
    }
    return {name: value for name, value in fields.items() if value}


def _authors(text: str | None) -> Sequence[JsonValue]:
    names = [_line(name) for name in (text or "").split(";")]
    return [written_name(name) for name in names if name][:_MOST_AUTHORS]


def _line(text: str | None) -> str:
    return " ".join((text or "").split())[:_LONGEST_NAME]
