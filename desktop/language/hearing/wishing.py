"""Hears how the user wants to be answered from now on: "bundan sonra kısa yanıt ver"."""

import re
from functools import lru_cache
from typing import NamedTuple

from desktop.language.hearing.phrases import PhraseLists
from desktop.language.phrase_matcher import BAR, Line, any_of, find_phrase

MOST_BEFORE = 8
KINDLY = re.compile(
    r"(?<![^ ])(?:m[iu]s[iu]n(?:[iu]z)? |(?:could|would|can|will) you "
    r"|(?:(?:olur|tamam|anlast[iu]k) m[iu]|ok|okay|alright) (?:\| )?$)"
)
"""A request in the shape of a question: "verir misin", "could you", "olur mu?"."""


def opening(lists: PhraseLists) -> str:
    """What may stand before a request."""
    before = any_of(lists.courtesies + lists.asides + lists.greets + lists.urges)
    return rf"(?:{before}|{BAR}){{0,{MOST_BEFORE}}}"


def closing(lists: PhraseLists, more: tuple[str, ...] = ()) -> str:
    """What may stand behind it, and `more` that may."""
    behind = any_of(lists.courtesies + lists.thanks + lists.urges + more)
    return rf"(?:{behind}|{BAR}){{0,{MOST_BEFORE}}}"


def is_wish(line: Line, lists: PhraseLists, *, is_remembered: bool = False) -> bool:
    """Whether a sentence says how to answer from now on.

    `is_remembered`: it is to be remembered, so that it needs no "from now on".
    """
    if find_phrase(line, lists.not_a_wish):
        return False
    if "?" in line.original and not KINDLY.search(line.text):
        return False
    # Each pattern has one of these in it: compiling them takes long, and few messages need any.
    if not find_phrase(line, lists.from_now_on + lists.wishes + lists.answers_so):
        return False
    patterns = _patterns(lists)
    if any(pattern.fullmatch(line.text) for pattern in patterns.from_now_on):
        return True
    return is_remembered and patterns.request.fullmatch(line.text) is not None


class _Patterns(NamedTuple):
    from_now_on: tuple[re.Pattern[str], ...]
    request: re.Pattern[str]


@lru_cache(maxsize=4)
def _patterns(lists: PhraseLists) -> _Patterns:
    before, behind = opening(lists), closing(lists)
    when, so, urge = any_of(lists.from_now_on), any_of(lists.answers_so), any_of(lists.urges)
    # Turkish has its verb at the end of the sentence, English at its head.
    shapes = (
        rf"{before}{when}(?:.* )??{so}{behind}",
        rf"(?:.* )??{so}(?:{BAR})?{when}{behind}",
        rf"{before}{when}(?:{BAR}|{urge})*{so}.*",
        rf"{before}{so}(?:.* )??{when}{behind}",
        rf"{before}{any_of(lists.wishes)}.*",
        # "I prefer metric, so always use it": what somebody is like says that an answer is meant.
        rf"{before}{any_of(lists.of_me)}(?:[^ |]+ )*{BAR}{urge}*{any_of(lists.weighty)}{so}.*",
    )
    return _Patterns(
        tuple(re.compile(shape) for shape in shapes), re.compile(rf"(?:.* )??{so}{behind}")
    )
