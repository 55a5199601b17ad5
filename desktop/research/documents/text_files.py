"""Decodes text files, and reads plain text and Markdown."""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice, product
from typing import BinaryIO
from unicodedata import category

from desktop.domain.errors import DocumentDamagedError
from desktop.language.sentences import FENCE, plain_text
from desktop.research.documents.blocks import Block, Head, Outline, Parts, without_pictures

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
SAMPLE = 65_536
"""The bytes of a file that show whether it is a text, and in which encoding."""
_TURKISH = "cp1254"
"""The Windows code page of Turkish, which covers Western European characters, too."""
_WESTERN = "cp1252"
_MEANT = {"iso8859-1": _WESTERN, "ascii": _WESTERN, "iso8859-9": _TURKISH}
"""The encodings that browsers, and so authors, mean by these names."""
_LEAST_FIT = 0.8
"""The share of characters beyond ASCII that one language explains in the right encoding."""
_MOST_BROKEN = 0.1
"""The share of damaged characters beyond ASCII up to which a text is still UTF-8."""
_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x20)])
_MOST_CONTROLS = 0.005
_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_ESCAPED = (b"\x1b$", "iso2022_jp")
_PRINTED = frozenset("‘“”„«»‹›–—…•·§©®°€£™½¼¾²³ºª¿¡\u00a0")
_FIRST_FRAME, _LAST_FRAME = "\u2500", "\u257f"  # Of tables in texts of DOS
_BEYOND_ASCII = 0x80
_MOST_ODD = 0.01  # The share of invisible characters in a text
_GREEK_BEGINS = "\u0370"
# Code pages, and the letters beyond ASCII of each language that is written in them; the likely
# ones first.
_ALPHABETS = (
    ("cp1254 cp857 mac_turkish", "çğıİöşüâîû"),
    (
        "cp1254 cp1252 mac_roman cp850 cp437 iso8859_15",
        "äöüß àâæçéèêëîïôœùûüÿ áéíñóúü ãõáâàçéêíóôúü àèéìíòóùî äåæöøé ëïéèöüáó äõöüšž",
    ),
    ("cp1250 iso8859_2 cp852 mac_latin2", "ąćęłńóśźż áčďéěíňóřšťúůýž áéíóöőúüű áäčďéíĺľňóôŕšťúýž"),
    ("cp1250 iso8859_2 cp852 mac_latin2", "ăâîşţ ăâîșț čćđšž"),
    ("cp1252 cp850 mac_iceland", "áðéíóúýþæö"),
    ("cp1257 iso8859_13 cp775", "ąčęėįšųūž āčēģīķļņšūž äõöüšž"),
    ("cp1255 iso8859_8 cp862", "אבגדהוזחטיךכלםמןנסעףפץצקרשת"),
    ("cp1251 koi8_r cp866 iso8859_5 mac_cyrillic", "абвгдежзийклмнопрстуфхцчшщъыьэюяё"),
    (
        "cp1251 koi8_u cp1125 iso8859_5",
        "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяўыэ абвгдђежзијклљмнњопрстћуфхцчџш",
    ),
    ("cp1253 iso8859_7 cp737 cp869", "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"),
    ("cp1256 iso8859_6", "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأؤإئپچژگ،؛؟ًٌٍَُِّْ"),
)
_BEGINNING = 1_000  # Blocks, among which the title is
_HEADING = re.compile(r"^ {0,3}(?:(#{1,6})(?:[ \t]+(.*))?|(={2,}|-{2,})[ \t]*)$", re.MULTILINE)
_NO_TITLE = re.compile(r"\s*(?:[-*+>|<]|\d+[.)]?(?:\s|$))")
_EMPTY_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_LONGEST_TITLE = 1_000
_WIKI_LINK = re.compile(r"(!?)\[\[([^\[\]|\n<>]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_ENDING = re.compile(r"\.[A-Za-z0-9]{2,4}\Z")


def decode_text(data: bytes, declared: str = "") -> str:
    """Decode a text; `declared`: the site's charset. Raises DocumentDamagedError."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    sample = data[:SAMPLE]
    if encoding := _telling_encoding(sample):
        return data.decode(encoding, "replace")
    if b"\0" in sample:
        if not is_text(sample):
            raise DocumentDamagedError
        data = data.replace(b"\0", b"")
    text = data.decode("utf-8", "replace")
    if text.count("\ufffd") <= _MOST_BROKEN * (len(text) - len(text.encode("ascii", "ignore"))):
        return text
    named = _DECLARED.search(sample)
    for name in (declared, named[1].decode("ascii") if named else ""):
        with suppress(LookupError, ValueError):
            return _decode_declared(data, sample, name)
    return data.decode(likely_encoding(sample), "replace")


def is_text(sample: bytes) -> bool:
    """Return whether bytes are the beginning of a text, not of a program's own format."""
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    is_marked = sample.startswith(tuple(mark for mark, _ in _MARKS))
    return is_marked or controls <= _MOST_CONTROLS * len(sample) or bool(_telling_encoding(sample))


def _decode_declared(data: bytes, sample: bytes, name: str) -> str:
    """Decode with a declared encoding. Raises LookupError, ValueError if it does not fit."""
    codec_name = codecs.lookup(name).name
    encoding = _MEANT.get(codec_name, codec_name)
    if encoding == _WESTERN and likely_encoding(sample) == _TURKISH:
        encoding = _TURKISH
    text = data.decode(encoding)
    text.encode()  # some codecs of Python produce lone surrogates
    return text


def _telling_encoding(sample: bytes) -> str:
    """Return the encoding of a text without a mark whose bytes could be of no other; else ""."""
    if _ESCAPED[0] in sample and sample.isascii():
        return _ESCAPED[1]
    if b"\0" not in sample:
        return ""
    fits: dict[str, int] = {}
    for encoding in _WIDE:
        with suppress(UnicodeError):
            text = codecs.getincrementaldecoder(encoding)().decode(sample)
            odd = sum(not (letter.isprintable() or letter.isspace()) for letter in text)
            if "\0" not in text and odd <= _MOST_ODD * len(text):
                # Read the wrong way round, the letters come from everywhere.
                fits[encoding] = len({ord(letter) >> 7 for letter in text})
    return min(fits, key=lambda encoding: fits[encoding], default="")


def likely_encoding(sample: bytes) -> str:
    """Return the encoding in which the letters of one language explain the most."""
    high = Counter(
        (before, byte, after)
        for before, byte, after in zip(b" " + sample, sample, sample[1:] + b" ", strict=False)
        if byte >= _BEYOND_ASCII
    )
    best, most = _TURKISH, 0.0
    for encodings, alphabets in _ALPHABETS:
        for encoding, alphabet in product(encodings.split(), alphabets.split()):
            letters = bytes(range(256)).decode(encoding, "replace")
            fit = sum(
                times
                for (before, byte, after), times in high.items()
                if _fits(letters[before], letters[byte], letters[after], alphabet)
            )
            if fit > most:
                best, most = encoding, fit
    if most >= _LEAST_FIT * high.total():
        return best
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few texts need it

    # Cut at the end of a line, which is never inside a character.
    guess = from_bytes(sample.rpartition(b"\n")[0] or sample).best()
    return guess.encoding if guess else best


def _fits(before: str, letter: str, after: str, alphabet: str) -> bool:
    """Return whether a character between two others is right in a language."""
    if not letter.isalpha():
        if _FIRST_FRAME <= letter <= _LAST_FRAME:
            return not (before.isalpha() or after.isalpha())
        touches = before.isalpha() + after.isalpha()
        return letter == "’" or (letter in _PRINTED and touches <= (category(letter)[0] == "P"))
    is_latin = alphabet[0] < _GREEK_BEGINS
    mixed = not is_latin and any(
        neighbour.isascii() and neighbour.isalpha() for neighbour in (before, after)
    )
    cases = (letter.isupper() and before.islower()) or (
        letter.islower() and before.isupper() and after.isupper()
    )
    return not mixed and not cases and (letter in alphabet or letter.lower() in alphabet)


def read_text(file: BinaryIO) -> Parts:
    """Return the parts of a plain text. Raises DocumentError."""
    yield Head("")
    for paragraph in _EMPTY_LINES.split(_read_lines(file)):
        if paragraph.strip():
            yield Block(paragraph.strip())


def read_markdown(file: BinaryIO) -> Parts:
    """Return the parts of a Markdown file. Raises DocumentError."""
    from desktop.research.documents.front_matter import split_front_matter  # noqa: PLC0415 - not for other texts

    front, text = split_front_matter(_read_lines(file))
    begin = islice(_markdown_blocks(text), _BEGINNING)
    first = next((block.heading for block in begin if block.is_heading), "")
    yield Head(front.title or first, None, front.reference, tuple(front.tags))
    if front.aliases:
        yield Block(", ".join(front.aliases))  # By these names the note is looked for, too
    yield from _markdown_blocks(text)


def _read_lines(file: BinaryIO) -> str:
    return without_pictures(decode_text(file.read()).replace("\r\n", "\n").replace("\r", "\n"))


def _markdown_blocks(text: str) -> Iterator[Block]:
    """Yield headings, fenced code, and what is between empty lines.

    A parser of the whole language takes minutes for some megabytes of headings or of emphasis.
    """
    outline, at = Outline(), 0
    for fence in chain(FENCE.finditer(text), (None,)):
        prose = _WIKI_LINK.sub(_as_link, text[at : fence.start() if fence else None])
        for paragraph in _EMPTY_LINES.split(prose):
            yield from _paragraph_blocks(paragraph, outline)
        if fence:
            at = fence.end()
            yield outline.block(fence[0])


def _as_link(match: re.Match[str]) -> str:
    """Return a link or an embedded note or picture of Obsidian as Markdown has it."""
    mark, target, label = match[1], match[2].strip(), (match[3] or match[2]).strip()
    file, _, heading = target.partition("#")
    has_ending = bool(_ENDING.search(file))
    mark = mark if has_ending else ""  # An embedded note is a link to it
    place = f"{file}{'' if has_ending or not file else '.md'}{'#' if heading else ''}{heading}"
    return f"{mark}[{label}](<{place}>)"


def _paragraph_blocks(text: str, outline: Outline) -> Iterator[Block]:
    at = 0
    for mark in _HEADING.finditer(text):
        above, marks, title, line = text[at : mark.start()].strip(), *mark.groups()
        lines = above.splitlines() if line else []
        is_title = bool(lines) and not any(map(_NO_TITLE.match, (lines[0], lines[-1])))
        if above and not is_title:
            yield outline.block(above)
        if is_title:
            level = 1 if line[0] == "=" else 2
            yield outline.heading(level, _heading_text(" ".join(above.split())))
        elif marks:
            yield outline.heading(len(marks), _heading_text(title or ""))
        at = mark.start() if line and not is_title else mark.end()
    if text[at:].strip():
        yield outline.block(text[at:])


def _heading_text(title: str) -> str:
    words = title[:_LONGEST_TITLE].strip()
    bare = words.rstrip("#")
    return plain_text(bare if bare.endswith((" ", "\t")) else words)
