"""Checks whether quoted words are in a text, and whether they are specific enough as evidence."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import normalize

_MARKUP = re.compile(r"(?<!\d)[*_`~]+|[*_`~]+(?!\d)|\[\d{1,3}\]|\\(?=[\"'“”‘’*_\[\]])")
_QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’‚`´", "'"))
_ONE_LETTER = str.maketrans(
    {"İ": "i", "I": "i", "ı": "i"} | dict.fromkeys("–—−‐‑", "-") | {"\u00a0": " "}
)
_UNSEEN = re.compile("\u00ad(?:[ \t]*\n[ \t]*)?|[\u200b-\u200d\u2060\ufeff]")
"""A soft hyphen at a line end joins the two parts of a word."""
# Ligatures, small numbers below and above a letter, wide letters. A number above a number is a
# power: "10²" is not "102".
_OTHER_FORMS = re.compile(
    "[\ufb00-\ufb06\u0132\u0133\u01c4-\u01cc\u2080-\u208e\uff01-\uff5e]|(?<![\\d⁰¹²³⁴-⁹])[⁰¹²³⁴-⁹]+"
)
_DOTTED = "i\u0307"  # Lower-casing a Turkish İ without the Turkish rules gives this
_DOTS = re.compile(r"\.{3,}")
_SINGLE = re.compile(r"(?<!\w)'|'(?!\w)")
"""A quotation mark, not an apostrophe: a quotation inside a quotation uses the other kind."""
_RELATION = re.compile(r"\s*([<>=≤≥≠≈±])\s*")  # With or without a space around it
_ENDS = re.compile(r"^(?:[\s,;:!?\"'…]|\.(?!\d))+|[\s.,;:!?\"'…]+$")
_ELLIPSIS = re.compile(r"\s*(?:\.{3,}|…|\[…\]|\[\.\.\.\])\s*")
_LEAST_LETTERS = 3
_LEAST_WORDS_A_PART = 3
_SPECIFIC_WORDS = 3
_SPECIFIC_LETTERS = 8
_SHORT_GAP = 200  # Characters that an ellipsis may leave out past the end of a sentence
_SENTENCE_END = re.compile(r"[.!?](?!\w)")
_FEW_WORDS = 4
# "100 000" is one number.
_BEGINS_AS_A_GROUP = re.compile(r"\d{3}(?!\d)")
_ENDS_AS_A_GROUP = re.compile(r"(?<!\d)\d{1,3}$")
_NO_GROUP_BEFORE = "".join(rf"(?<!(?<!\d)\d{{{length}}}\s)" for length in (1, 2, 3))
_NEGATION = re.compile(
    r"\b(?:not|never|no|without|hardly|cannot|değil\w*|asla|hiç|yok\w*|ne)\b|n't\b"
)


def stands_in(quote: str, passage: str) -> bool:
    """Whether the words of a quotation are in a passage, in their order.

    White space, kinds of quotation marks, emphasis and capitals may differ, and an ellipsis may
    leave out the rest of a sentence, or little more; characters and numbers may not differ.
    """
    text, whole = normalize_quote(passage), normalize_quote(quote)
    if len(whole) < _LEAST_LETTERS:
        return False
    if re.search(_whole_words_pattern(whole), text):
        return True
    parts = [part for part in map(normalize_quote, _ELLIPSIS.split(quote)) if part]
    if len("".join(parts)) < _LEAST_LETTERS:
        return False
    first, *others = parts
    if others and min(len(part.split()) for part in parts) < _LEAST_WORDS_A_PART:
        return False
    ends = [match.end() for match in re.finditer(_whole_words_pattern(first), text)]
    for part in others:
        matches = list(re.finditer(_whole_words_pattern(part), text))
        ends = [match.end() for match in matches if _may_skip(text, ends, match.start())]
    return bool(ends)


def is_specific(quote: str, passage: str) -> bool:
    words = normalize_quote(quote).split()
    if len(words) >= _SPECIFIC_WORDS:
        return True
    if any(any(map(str.isdigit, word)) for word in words):
        return True
    return (
        sum(map(len, words)) >= _SPECIFIC_LETTERS if len(words) > 1 else _is_name(quote, passage)
    )


@lru_cache(maxsize=256)
def normalize_quote(text: str) -> str:
    """Return the text in the form in which quotations are compared: folded words."""
    if not text.isascii():
        text = normalize("NFC", _UNSEEN.sub("", text))
        text = _OTHER_FORMS.sub(lambda match: normalize("NFKC", match[0]), text)
    even = _MARKUP.sub("", text).translate(_QUOTES).translate(_ONE_LETTER).lower()
    even = _SINGLE.sub('"', _DOTS.sub("…", even).replace(_DOTTED, "i"))
    even = _RELATION.sub(r"\1", even)
    return _ENDS.sub("", " ".join(even.split()))


def _whole_words_pattern(part: str) -> str:
    """Return a pattern of whole words and numbers: "5 mg" is not in "2.5 mg" or "-5 mg"."""
    before, after = r"(?<!\w)", r"(?!\w)"
    if part[0].isdigit():
        before += r"(?<![\d\s][.,/])(?<!(?<!\w)-)"
    elif part[0] == ".":
        before += r"(?<!\d)"
    if part[-1].isdigit():
        after += r"(?![.,/]\d)"
    if _BEGINS_AS_A_GROUP.match(part):
        before += _NO_GROUP_BEFORE
    if _ENDS_AS_A_GROUP.search(part):
        after += r"(?!\s\d{3}(?!\d))"
    return f"{before}{re.escape(part)}{after}"


def _may_skip(text: str, ends: Sequence[int], start: int) -> bool:
    at = bisect_right(ends, start)
    if not at:
        return False
    left_out = text[ends[at - 1] : start]
    if len(left_out.split()) <= _FEW_WORDS and _NEGATION.search(left_out):
        return False  # the word left out negates the rest
    return len(left_out) <= _SHORT_GAP or not _SENTENCE_END.search(left_out)


def _is_name(word: str, passage: str) -> bool:
    own = word.strip(" .,;:!?\"'“”‘’…*_")
    return own[:1].isupper() and bool(re.search(rf"[\w,;] {re.escape(own)}(?!\w)", passage))
