"""Reads plain text and markdown files."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from desktop.domain.errors import DocumentEmptyError
from desktop.research.documents.blocks import Block, Head, Outline, Parts, Tail
from desktop.research.documents.encoding import decode_text

_TITLE_WITHIN = 100
"""Blocks in which the first heading is looked for; the others are read one by one."""
_BLANK = re.compile(r"\n[ \t]*\n\s*")
_INDENT = 3
"""A line behind more blanks is code."""
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*")
_FRONT, _FRONT_ENDS = "---", ("---", "...")
_LONGEST_FRONT = 200
"""Lines."""
_MARKS = re.compile(r"[*_`]+|!?\[([^\]]*)\]\([^)]*\)")


def read_text(file: Path) -> Parts:
    """Form feeds end pages. Raises DocumentError."""
    sheets = _lines_ended(decode_text(file.read_bytes())).rstrip("\f\n ").split("\f")
    has_pages = len(sheets) > 1
    if not any(sheet.strip() for sheet in sheets):
        raise DocumentEmptyError
    yield Head("", len(sheets) if has_pages else None)
    for number, sheet in enumerate(sheets, start=1):
        for paragraph in _BLANK.split(sheet):
            if paragraph.strip():
                yield Block(paragraph.strip(), number if has_pages else None)
    yield Tail()


def read_markdown(file: Path) -> Parts:
    """Raises DocumentError."""
    title, text = _split_front_matter(_lines_ended(decode_text(file.read_bytes())))
    if not text.strip():
        raise DocumentEmptyError
    blocks = _markdown(text)
    beginning = list(islice(blocks, _TITLE_WITHIN))
    first = next((block.heading for block in beginning if block.is_heading), "")
    yield Head(title or first)
    yield from beginning
    yield from blocks
    yield Tail()


def _split_front_matter(text: str) -> tuple[str, str]:
    """The title in the front matter, and the text behind it."""
    first, *lines = text.split("\n", _LONGEST_FRONT)
    end = next((at for at, line in enumerate(lines) if line in _FRONT_ENDS), None)
    if first != _FRONT or not end:
        return "", text
    titles = [line[len("title:") :] for line in lines[:end] if line.lower().startswith("title:")]
    title = titles[0].strip().strip("\"'") if titles else ""
    return title, "\n".join(lines[end + 1 :])


def _markdown(text: str) -> Iterator[Block]:
    outline, held, fence = Outline(), list[str](), ""
    for line in [*text.split("\n"), ""]:
        if (bare := line.strip()).startswith(("```", "~~~")) and line.find(bare) <= _INDENT:
            mark = bare[: len(bare) - len(bare.lstrip(bare[0]))]
            fence = "" if fence and mark.startswith(fence) else fence or mark
        level, title = (0, "") if fence else _heading(line, held)
        if level:
            if not _HEADING.fullmatch(line):
                held.pop()
            yield from _paragraph(outline, held)
            yield outline.heading(level, title)
            held = []
        elif line.strip() or fence:
            held.append(line)
        else:
            yield from _paragraph(outline, held)
            held = []
    yield from _paragraph(outline, held)


def _heading(line: str, held: list[str]) -> tuple[int, str]:
    """Level and title of a heading, also of one that this line underlines; level 0 for none."""
    if found := _HEADING.fullmatch(line):
        return len(found[1]), _MARKS.sub(r"\1", found[2])
    under = line.strip()
    if len(held) == 1 and under and set(under) in ({"="}, {"-"}) and line.find(under) <= _INDENT:
        return (1 if under.startswith("=") else 2), _MARKS.sub(r"\1", held[0])
    return 0, ""


def _paragraph(outline: Outline, held: list[str]) -> Iterator[Block]:
    text = "\n".join(held).strip()
    if text:
        yield outline.block(text)


def _lines_ended(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
