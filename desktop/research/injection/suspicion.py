"""Orders in what is read: text that speaks to a model instead of to a reader, in two languages.

Whatever a page or a document says is data, and no order in it is followed; what is found here is
only marked, so that the model is warned of it and the reader sees it. Nothing rests on its being
complete.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from desktop.research.injection.likely import likely_orders
from desktop.research.injection.orders import Order
from desktop.research.injection.views import (
    View,
    loose_view,
    packed_views,
    plain_view,
    spaced_views,
    turned_views,
)
from desktop.research.injection.wordings import wordings

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
# Where none of these stands, no order is hidden between marks, or turned.
_ANY_ORDER = re.compile(
    r"ignor|disregard|forget|overrid|bypass|instruc|prompt|guideline|talimat|komut|kural|yonerge"
    r"|passw|parola|sifre|anahtar|memor|bellegi|hafiza|kullanici|direktif|(?<![a-z])user"
)
_EDGE = 240
"""Letters at the end of a passage, or at its beginning, in which half an order may stand."""
_PASSAGES_KNOWN = 512
"""The same passages are found again and again in one session, and each costs some ms."""
_UNSEEN = re.compile("[\U000e0000-\U000e007f]+")


@dataclass(frozen=True, slots=True)
class SuspiciousSpan:
    start: int
    end: int
    order: Order


def suspicious_spans(text: str) -> tuple[SuspiciousSpan, ...]:
    """Where a text gives orders, from its beginning to its end; none overlap."""
    plain = plain_view(text)
    named = [
        *_in_view(plain),
        *_posing_lines(text),
        *_between_marks(text),
        *_hidden(text, plain),
    ]
    found = sorted([*named, *_likely(plain, named)], key=lambda one: (one.start, -one.end))
    spans: list[SuspiciousSpan] = []
    last = 0
    for span in found:
        if span.start >= last:
            spans.append(span)
            last = span.end
    return tuple(spans)


@lru_cache(_PASSAGES_KNOWN)
def parted_spans(before: str, after: str) -> tuple[SuspiciousSpan, SuspiciousSpan] | None:
    """The two halves of an order that begins in one passage and ends in the next, if one does."""
    tail, head = before[-_EDGE:], after[:_EDGE]
    seam = len(tail)
    for span in suspicious_spans(f"{tail}\n{head}"):
        if span.start < seam < span.end - 1 and span.order is not Order.UNLISTED:
            first = SuspiciousSpan(len(before) - seam + span.start, len(before), span.order)
            return first, SuspiciousSpan(0, span.end - seam - 1, span.order)
    return None


@lru_cache(_PASSAGES_KNOWN)
def is_suspicious(text: str) -> bool:
    return bool(suspicious_spans(text))


def defused(text: str) -> str:
    """The text without anything that looks like a mark of ours, or of a model's own format.

    And without what only a model would see.
    """
    return _DEFUSED.sub("&lt;", _UNSEEN.sub("", text))


def _in_view(view: View) -> Iterator[SuspiciousSpan]:
    for start, end, order in wordings().found(view.text):
        first, last = sorted((view.places[start], view.places[end - 1]))
        yield SuspiciousSpan(first, last + 1, order)


def _between_marks(text: str) -> Iterator[SuspiciousSpan]:
    loose = loose_view(text)
    if _ANY_ORDER.search(loose.text):
        yield from _in_view(loose)


def _hidden(text: str, plain: View) -> Iterator[SuspiciousSpan]:
    for start, end, told in chain(spaced_views(text), packed_views(text)):
        order = next((order for _, _, order in wordings().found(told)), None)
        if order is not None:
            yield SuspiciousSpan(start, end, order)
    for turned in turned_views(plain):
        if _ANY_ORDER.search(turned.text):
            yield from _in_view(turned)


def _likely(plain: View, named: Sequence[SuspiciousSpan]) -> Iterator[SuspiciousSpan]:
    """Sentences that give an order, where none of what they say was found by name."""
    for first, last in likely_orders(plain):
        start, end = plain.places[first], plain.places[last - 1] + 1
        if not any(one.start < end and start < one.end for one in named):
            yield SuspiciousSpan(start, end, Order.UNLISTED)


def _posing_lines(text: str) -> Iterator[SuspiciousSpan]:
    """Lines that begin as a message of somebody else's does."""
    for match in _SPEAKER.finditer(text):
        yield SuspiciousSpan(match.start(1), match.end(1), Order.POSING)
