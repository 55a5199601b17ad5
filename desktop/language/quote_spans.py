"""Finds the words of a quotation in a text, to be marked there.

Only words count: white space, quotation marks, emphasis, capitals and spelling variants ("ﬁ", soft
hyphens) may differ, and an ellipsis may leave something out. Whether a quotation is valid is not
decided here.
"""

import re
from unicodedata import normalize

from desktop.language.normalization import MARK, fold

_WORD = re.compile(rf"[^\W_](?:[^\W_]|{MARK})*")
_ELLIPSIS = re.compile(r"\.{3}|…")
# What is not seen: each becomes as many marks, so that offsets stay right.
_UNSEEN = re.compile("\u00ad(?:[ \t]*\n[ \t]*)?|\u200b")
_LIGATURES = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)} | {
    ord(MARK): None
}
_Word = tuple[str, int, int]


def quoted_spans(quote: str, text: str) -> list[tuple[int, int]]:
    """Return a span for each part of the quotation; empty if one of them is missing."""
    there, at, spans = _words(text), 0, []
    said = [word for word, _, _ in there]
    for part in _ELLIPSIS.split(quote):
        wanted = [word for word, _, _ in _words(part)]
        if not wanted:
            continue
        starts = range(at, len(there) - len(wanted) + 1)
        place = next((one for one in starts if said[one : one + len(wanted)] == wanted), None)
        if place is None:
            return []
        at = place + len(wanted)
        spans.append((there[place][1], there[at - 1][2]))
    return spans


def _words(text: str) -> list[_Word]:
    seen = fold(_UNSEEN.sub(lambda found: MARK * len(found[0]), text))
    return [(found[0].translate(_LIGATURES), *found.span()) for found in _WORD.finditer(seen)]


_ENDS_A_QUOTE = re.compile(r"""["“”„«»]|['’‘](?=\s*[\],;])|[\[\]]""")
_LONGEST = 300


def quotable(text: str) -> str:
    """Return the longest piece without a quotation mark that ends it, at most 300 characters."""
    piece = max((" ".join(one.split()) for one in _ENDS_A_QUOTE.split(text)), key=len)
    return piece if len(piece) <= _LONGEST else piece[:_LONGEST].rpartition(" ")[0]
