"""The views of a text in which orders to a model are looked for: as it reads, and as it is hidden.

A view is letters, each with the place in the text where it stood, so that what is found in any of
them can be marked where the reader sees it.
"""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from urllib.parse import unquote

_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁɡοαερτυνικ",
    "abekmhopctyxijsdgoaeptuvik",
)
"""Letters of other alphabets that pass for Latin ones."""
_HIDDEN = range(0xE0020, 0xE007F)
"""Letters that nobody sees and a model reads: those of ASCII, in another block."""
# A word that is divided at the end of a line, the number of a list's item, a letter in an escape.
_BETWEEN_LETTERS = re.compile(
    r"(?<=[^\W\d_])(?:\u00ad|[-‐])[ \t]*\n[ \t>#*]*(?=[^\W\d_])|(?<=\n)[ \t]*\d{1,3}[.)](?=[ \t])"
    r"|%[0-9A-Fa-f]{2}|&(?:#\d{2,6}|#x[0-9A-Fa-f]{2,5}|nbsp|amp|lt|gt|quot);"
)
# One letter at a time: nobody sets more than a heading so.
_SPACED = re.compile(r"(?<![^\W_])[^\W\d_](?:[\s.\-_*·|/~]{1,5}+[^\W\d_](?![^\W_])){9,}+")
# Of which orders are made: what stands between them in a run of letters are words as well.
_WORDS_TOLD = """
ignore disregard forget override bypass previous prior above earlier preceding system safety
instructions instruction prompts prompt rules guidelines commands everything anything told user
users send reveal print repeat show share secret hidden password passwords api keys key memory
remember save delete call tools tool web_search web_fetch conversation answer respond only always
never from now you are must your the all any this that with and not tell do of to in
onceki tum butun yukaridaki sistem verilen sana talimatlari talimatlarini talimat komutlari komut
kurallari yonergeleri istemini yok say unut dikkate alma gormezden gel goz ardi et kullaniciya
soyleme bahsetme anahtarini anahtari parolasini parola sifresini gonder paylas yaz bellegine
hafizana kaydet sil yeni artik bundan sonra yanit ver ve
"""
_WORDS = re.compile("|".join(sorted(_WORDS_TOLD.split(), key=len, reverse=True)))
_PACKED = re.compile(r"(?<![\w+/=])(?:[A-Za-z0-9+/]{24,}|[A-Za-z0-9_-]{24,})={0,2}(?![\w+/=])")
_WRAPPED = re.compile(r"(?<=[A-Za-z0-9+/]{40})\r?\n(?=[A-Za-z0-9+/]{4})")
_IN_HEX = re.compile(r"(?<!\w)(?:0x)?(?:[0-9a-fA-F]{2}[ :]?){12,}(?!\w)")
_READABLE = 0.9
_LONGEST_PACKED = 20_000
_SPACES = re.compile(" {2,}")
# Sentences end where they end: what stands behind is said of something else.
_BETWEEN_WORDS = re.compile(r"[^\w\s.!?']")


@dataclass(frozen=True, slots=True)
class View:
    text: str
    places: Sequence[int]
    """Of each letter in the text that is looked through."""


def plain_view(text: str) -> View:
    """One kind of letter, one space at a time, nothing invisible."""
    return _evened(text, range(len(text)))


def loose_view(text: str) -> View:
    """Without what may stand between words: marks, line ends in the middle of one, escapes."""
    return _evened(*_loosened(text))


def spaced_views(text: str) -> Iterator[tuple[int, int, str]]:
    """Runs of single letters: where each stands, and what it says in words."""
    for found in _SPACED.finditer(text):
        letters = even("".join(filter(str.isalpha, found[0])))
        yield found.start(), found.end(), " ".join(_WORDS.sub(r" \g<0> ", letters).split())


def packed_views(text: str) -> Iterator[tuple[int, int, str]]:
    """What is written in base64 or in hexadecimal numbers and is a text."""
    for found in _PACKED.finditer(_WRAPPED.sub("", text)):
        # A wrapped one stands at another place: it begins where its first letters do.
        start = text.find(found[0][:24])
        for told in _unpacked(found[0][:_LONGEST_PACKED]):
            yield start, min(len(text), start + len(found[0])), even(told)
    for found in _IN_HEX.finditer(text):
        digits = re.sub(r"[ :]|^0x", "", found[0])[:_LONGEST_PACKED]
        if told := _readable(bytes.fromhex(digits[: len(digits) & ~1])):
            yield found.start(), found.end(), even(told)


def turned_views(view: View) -> Iterator[View]:
    """With every letter thirteen on, and from its end to its beginning."""
    yield View(codecs.encode(view.text, "rot13"), view.places)
    yield View(view.text[::-1], view.places[::-1])


def even(text: str) -> str:
    return plain_view(text).text


def _loosened(text: str) -> tuple[str, Sequence[int]]:
    """And where each letter of it stands in the text."""
    said: list[str] = []
    places: list[int] = []
    last = 0
    for found in _BETWEEN_LETTERS.finditer(text):
        said.append(_unmarked(text[last : found.start()]))
        places += range(last, found.start())
        last = found.end()
        if found[0][0] in "%&":
            said.append(html.unescape(unquote(found[0])))
            places += [found.start()] * len(said[-1])
    said.append(_unmarked(text[last:]))
    places += range(last, len(text))
    return "".join(said), places


def _unmarked(text: str) -> str:
    return _BETWEEN_WORDS.sub(" ", text.replace("_", " "))


def _evened(text: str, places: Sequence[int]) -> View:
    even = text.translate(_LETTERS)
    if len(even) != len(text):
        kept = (bool(_LETTERS[ord(one)]) for one in text)
        places = list(compress(places, kept))
    said: list[str] = []
    stood: list[int] = []
    last = 0
    for found in _SPACES.finditer(even):
        said.append(even[last : found.start() + 1])
        stood += places[last : found.start() + 1]
        last = found.end()
    return View("".join((*said, even[last:])), [*stood, *places[last:]] if last else places)


class _Letters(dict[int, str]):
    """What each letter is evened to: one, or none."""

    def __missing__(self, one: int) -> str:
        return self.setdefault(one, _letter(chr(one)))


_LETTERS = _Letters()


def _letter(one: str) -> str:
    if ord(one) in _HIDDEN:
        one = chr(ord(one) - 0xE0000)
    if one.isspace():
        return " "
    if unicodedata.category(one) in ("Cf", "Mn", "Cc"):
        return ""
    # Parted, a sign of Korean is its first sound alone, and half the words become the same.
    parts = one if "가" <= one <= "힣" else unicodedata.normalize("NFKD", one)
    base = parts[0].lower()[:1]
    return {"ı": "i", "’": "'", "‘": "'"}.get(base, base.translate(_LOOKALIKES))


def _unpacked(written: str) -> Iterator[str]:
    bare = written.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        return
    if told := _readable(data):
        yield told


def _readable(data: bytes) -> str:
    try:
        told = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    good = sum(one.isalpha() or one in " .,'!?:;-\n" for one in told)
    return told if told and good >= _READABLE * len(told) else ""
