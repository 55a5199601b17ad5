"""Decodes text files, and reads plain text and Markdown."""

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

from desktop.domain.errors import DocumentDamagedError
from desktop.research.documents.blocks import Block, Head, Outline, Parts

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_SAMPLE = 65_536
_TURKISH = "cp1254"
"""The Windows code page of Turkish, which covers Western European characters, too."""
_WESTERN = "cp1252"
_MEANT = {"iso8859-1": _WESTERN, "ascii": _WESTERN, "iso8859-9": _TURKISH}
"""The encodings that browsers, and so authors, mean by these names."""
_TURKISH_WORDS = frozenset(["ve", "bir", "bu", "için", "olan", "ile", "da", "de", "çok", "daha"])
_LEAST_TURKISH_WORDS = 2
_LEAST_ASCII = 0.5  # The share of ASCII characters in a text in Latin script
_MOST_BROKEN = 0.1
"""The share of damaged characters beyond ASCII up to which a text is still UTF-8."""
_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x20)])
_MOST_CONTROLS = 0.005
_BLANK = re.compile(r"\n[ \t]*\n\s*")
_FRONT_MATTER = re.compile(r"---\n(?:.*\n){0,200}?---\n")
_FRONT_TITLE = re.compile(r"^title:(.*)$", re.IGNORECASE | re.MULTILINE)


def decode_text(data: bytes, declared: str = "") -> str:
    """Decode a text; `declared`: the site's charset. Raises DocumentDamagedError."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    sample = data[:_SAMPLE]
    if b"\0" in sample:
        if len(sample) - len(sample.translate(None, _CONTROLS)) > _MOST_CONTROLS * len(sample):
            raise DocumentDamagedError
        data = data.replace(b"\0", b"")
    text = data.decode("utf-8", "replace")
    if text.count("\ufffd") <= _MOST_BROKEN * (len(text) - len(text.encode("ascii", "ignore"))):
        return text
    named = _DECLARED.search(sample)
    for name in (declared, named[1].decode("ascii") if named else ""):
        with suppress(LookupError, ValueError):
            known = codecs.lookup(name).name
            encoding = _MEANT.get(known, known)
            words = sample.decode(_TURKISH, "replace").lower().split()
            turkish = sum(word in _TURKISH_WORDS for word in words)
            is_turkish = encoding == _WESTERN and turkish >= _LEAST_TURKISH_WORDS
            text = data.decode(_TURKISH if is_turkish else encoding)
            text.encode()  # some codecs of Python produce lone surrogates
            return text
    letters = [one for one in sample.decode(_TURKISH, "replace") if one.isalpha()]
    if sum(map(str.isascii, letters)) >= _LEAST_ASCII * len(letters):
        return data.decode(_TURKISH, "replace")
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few texts need it

    # Cut at the end of a line, which is never inside a character.
    found = from_bytes(sample.rpartition(b"\n")[0] or sample).best()
    return data.decode(found.encoding if found else _TURKISH, "replace")


def read_text(file: BinaryIO) -> Parts:
    """Return the parts of a plain text. Raises DocumentError."""
    yield Head("")
    for paragraph in _BLANK.split(_read_lines(file)):
        if paragraph.strip():
            yield Block(paragraph.strip())


def read_markdown(file: BinaryIO) -> Parts:
    """Return the parts of a Markdown file. Raises DocumentError."""
    text = _read_lines(file)
    front = _FRONT_MATTER.match(text)
    title = _FRONT_TITLE.search(front[0]) if front else None
    blocks = list(_markdown(text[front.end() :] if front else text))
    first = next((block.heading for block in blocks if block.is_heading), "")
    yield Head(title[1].strip(" \"'") if title else first)
    yield from blocks


def _read_lines(file: BinaryIO) -> str:
    return decode_text(file.read()).replace("\r\n", "\n").replace("\r", "\n")


def _markdown(text: str) -> Iterator[Block]:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - only this kind of document needs it

    lines, outline, level = text.split("\n"), Outline(), 0
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "heading_open" and not token.level:
            level = int(token.tag.removeprefix("h"))
        elif level and token.type == "inline":
            yield outline.heading(level, "".join(one.content for one in token.children or ()))
            level = 0
        elif token.map and not token.level and token.nesting >= 0:
            yield outline.block("\n".join(lines[slice(*token.map)]))
