"""Orders in what is read: text that speaks to a model instead of to a reader, in two languages.

Whatever a page or a document says is data, and no order in it is followed; what is found here is
only marked, so that the model is warned of it and the reader sees it. Nothing rests on its being
complete.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain

from desktop.research.orders import Order, order_patterns

_DEFUSED = re.compile(
    r"<(?=\s*[/|!]?\s*(?:passage|source|search_result|system|user|assistant|human|instructions?"
    r"|tool_\w+|function_\w+|invoke|antml|im_start|im_end|endoftext)\b)",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"^[\s>#*\-_]{0,6}((?:system|assistant|sistem|asistan)"
    r"(?: (?:prompt|message|note|mesajı|notu|istemi))?[ *_]{0,3}:)",
    re.IGNORECASE | re.MULTILINE,
)
_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁɡοαερτυνικ",
    "abekmhopctyxijsdgoaeptuvik",
)
"""Letters of other alphabets that pass for Latin ones."""


_HIDDEN = range(0xE0020, 0xE007F)
"""Letters that nobody sees and a model reads: those of ASCII, in another block."""
_UNSEEN = re.compile("[\U000e0000-\U000e007f]+")


@dataclass(frozen=True, slots=True)
class SuspiciousSpan:
    start: int
    end: int
    order: Order


def suspicious_spans(text: str) -> tuple[SuspiciousSpan, ...]:
    """Where a text gives orders, from its beginning to its end; none overlap."""
    plain, places = _plain(text)
    orders = chain(_found(plain), _posing_lines(text, places))
    found = sorted(orders, key=lambda one: (one[0], -one[1]))
    spans: list[SuspiciousSpan] = []
    last = 0
    for start, end, order in found:
        if start >= last:
            spans.append(SuspiciousSpan(places[start], places[end - 1] + 1, order))
            last = end
    return tuple(spans)


def is_suspicious(text: str) -> bool:
    return bool(suspicious_spans(text))


def defused(text: str) -> str:
    """The text without anything that looks like a mark of ours, or of a model's own format.

    And without what only a model would see.
    """
    return _DEFUSED.sub("&lt;", _UNSEEN.sub("", text))


def _found(plain: str) -> Iterator[tuple[int, int, Order]]:
    for order, pattern in order_patterns():
        for match in pattern.finditer(plain):
            yield match.start(), match.end(), order


def _posing_lines(text: str, places: list[int]) -> Iterator[tuple[int, int, Order]]:
    """Lines that begin as a message of somebody else's does."""
    starts = dict(zip(places, range(len(places)), strict=True))
    for match in _SPEAKER.finditer(text):
        start, end = starts.get(match.start(1)), starts.get(match.end(1) - 1)
        if start is not None and end is not None:
            yield start, end + 1, Order.POSING


def _plain(text: str) -> tuple[str, list[int]]:
    """One kind of letter, one space at a time, nothing invisible; and where each letter stood."""
    letters: list[str] = []
    places: list[int] = []
    for place, one in enumerate(text):
        letter = _letter(one)
        if letter and not (letter == " " and letters[-1:] == [" "]):
            letters.append(letter)
            places.append(place)
    return "".join(letters), places


@cache
def _letter(one: str) -> str:
    if ord(one) in _HIDDEN:
        one = chr(ord(one) - 0xE0000)
    if one.isspace():
        return " "
    if unicodedata.category(one) in ("Cf", "Mn", "Cc"):
        return ""
    base = unicodedata.normalize("NFKD", one)[0].lower()[:1]
    return {"ı": "i", "’": "'", "‘": "'"}.get(base, base.translate(_LOOKALIKES))
