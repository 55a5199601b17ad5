"""Reads plain text and markdown files."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from desktop.research.documents.blocks import Block, Head, Outline, Parts
from desktop.research.documents.encoding import decode_text

_TITLE_WITHIN = 100
"""Blocks in which the first heading is looked for; the others are read one by one."""
_BLANK = re.compile(r"\n[ \t]*\n\s*")
_FRONT, _FRONT_ENDS = "---", "\n---\n"
_LONGEST_FRONT = 200
"""Lines."""


def read_text(file: Path) -> Parts:
    """Form feeds end pages. Raises DocumentError."""
    sheets = _unify_line_ends(decode_text(file.read_bytes())).rstrip("\f\n ").split("\f")
    has_pages = len(sheets) > 1
    yield Head("", len(sheets) if has_pages else None)
    for number, sheet in enumerate(sheets, start=1):
        for paragraph in _BLANK.split(sheet):
            if paragraph.strip():
                yield Block(paragraph.strip(), number if has_pages else None)


def read_markdown(file: Path) -> Parts:
    """Raises DocumentError."""
    title, text = _split_front_matter(_unify_line_ends(decode_text(file.read_bytes())))
    blocks = _markdown(text)
    beginning = list(islice(blocks, _TITLE_WITHIN))
    first = next((block.heading for block in beginning if block.is_heading), "")
    yield Head(title or first)
    yield from beginning
    yield from blocks


def _split_front_matter(text: str) -> tuple[str, str]:
    """The title in the front matter, and the text behind it."""
    front, end, rest = text.partition(_FRONT_ENDS)
    lines = front.split("\n")
    if not end or lines[0] != _FRONT or len(lines) > _LONGEST_FRONT:
        return "", text
    titles = (line[len("title:") :] for line in lines if line.lower().startswith("title:"))
    return next(titles, "").strip(" \"'"), rest


def _markdown(text: str) -> Iterator[Block]:
    """The blocks as they are written; headings without their marks."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - only this kind of document needs it

    lines, outline, level = text.split("\n"), Outline(), 0
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "heading_open" and not token.level:
            level = int(token.tag.removeprefix("h"))
        elif level and token.type == "inline":
            title = "".join(one.content for one in token.children or ())
            yield outline.heading(level, title)
            level = 0
        elif token.map and not token.level and token.nesting >= 0:
            yield outline.block("\n".join(lines[slice(*token.map)]))


def _unify_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
