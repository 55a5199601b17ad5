"""Reads feeds (RSS and Atom) in the child process: entries with the words of their summaries.

No entity is resolved and nothing is loaded; a feed that declares some, or that ends before its
last tag, is refused. HTML in an entry becomes plain text.
"""

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from desktop.domain.errors import DocumentKindError
from desktop.domain.references import FieldOrigin, Reference
from desktop.research.documents.html import parse_html

_FEEDS = frozenset({"rss", "feed", "RDF"})
_END = re.compile(rb"</(?:[\w.-]+:)?(?:rss|feed|RDF)\s*>")
_LENGTH_OF_END = 4_000  # Bytes: the last tag, with a comment or spaces below it
_ENTRIES = frozenset({"item", "entry"})
_MOST_ENTRIES = 200
_LONGEST, _LONGEST_LINE = 4_000, 300
_WORDS = ("summary", "description", "abstract", "encoded", "content")
"""The elements with an entry's words, the preferred first."""


def read_feed(data: bytes) -> Iterator[Reference]:
    """Yield the entries as references: id, title, URL, abstract. Raises DocumentKindError."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as exc:
        raise DocumentKindError from exc
    if root is None or _name(root) not in _FEEDS or _declares_entities(root):
        raise DocumentKindError
    # The parser mends a feed that was cut off; a NUL is half a letter of UTF-16.
    if not _END.search(data[-_LENGTH_OF_END:].replace(b"\0", b"")):
        raise DocumentKindError
    entries = (element for element in root.iter() if _name(element) in _ENTRIES)
    for entry in islice(entries, _MOST_ENTRIES):
        parts = {_name(part): part for part in reversed(entry) if _name(part)}
        title, address = _words(parts.get("title"))[:_LONGEST_LINE], _address(entry)
        words = next(filter(None, (_words(parts.get(name)) for name in _WORDS)), "")
        key = next(filter(None, (_words(parts.get(name)) for name in ("guid", "id"))), "")
        if title or words:
            csl = {"id": key or address or title, "title": title, "URL": address}
            csl["abstract"] = words[:_LONGEST]
            yield Reference(csl, dict.fromkeys(csl, FieldOrigin.FILE))


def _declares_entities(root: etree.Element) -> bool:
    dtd = root.getroottree().docinfo.internalDTD
    return dtd is not None and next(dtd.iterentities(), None) is not None


def _name(element: etree.Element) -> str:
    """Return the name without its namespace; empty for comments and entities."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _address(entry: etree.Element) -> str:
    """Return the entry's own page: the text of RSS's link, or Atom's alternate link."""
    for link in entry:
        is_own = _name(link) == "link" and link.get("rel", "alternate") == "alternate"
        if is_own and (address := (link.get("href") or link.text or "").strip()):
            return address
    return ""


def _words(element: etree.Element | None) -> str:
    """Return the words of an element, also of HTML in it, on one line."""
    if element is None:
        return ""
    text = "".join(element.itertext())
    if "<" in text and ">" in text:
        text = " ".join(parse_html(text)[1].itertext())
    return " ".join(text.split())
