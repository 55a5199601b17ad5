"""The article of a web page, without what stands around it, under its headings."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from desktop.domain.errors import DocumentEmptyError
from desktop.research.documents.blocks import Block, Head, Outline, Parts, Tail
from desktop.research.documents.encoding import decoded
from desktop.research.documents.html import HtmlText

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
    text = decoded(file.read_bytes())
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
    """A page that is no article: all of its words."""
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
