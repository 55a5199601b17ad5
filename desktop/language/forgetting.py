"""Hears that something is to be forgotten: strictly, where a message asks for nothing else."""

import re
from dataclasses import dataclass
from functools import lru_cache

from desktop.language.matching import BAR, any_of, find_phrase, lay_out
from desktop.language.phrases import PhraseLists, is_courtesy
from desktop.language.sentences import sentences
from desktop.language.wishing import KINDLY, closing, opening

_MOST_WORDS = 30


@dataclass(frozen=True, slots=True)
class Forgetting:
    phrase: str
    """The words by which it was recognised, as they were written."""
    words: str
    """What is to be forgotten; empty: what was said before this message."""


def asks_to_forget(text: str, lists: PhraseLists) -> Forgetting | None:
    """What a message wants forgotten, or None."""
    said = [one for one in sentences(text) if not is_courtesy(one.text, lists)]
    if len(said) != 1:
        return None
    line = lay_out(said[0].text)
    if len(line.words) > _MOST_WORDS or find_phrase(line, lists.not_forgetting):
        return None
    if "?" in line.original and not KINDLY.search(line.text):
        return None
    if find_phrase(line, lists.forget_this + lists.forget_clause) is None:
        return None  # its patterns take long to compile, and most messages need none of them
    for pattern in _patterns(lists):
        if found := pattern.fullmatch(line.text):
            phrase = line.original_between(*found.span("said"))
            what = found.groupdict().get("what") or ""
            return Forgetting(phrase, line.original_between(*found.span("what")) if what else "")
    return None


@lru_cache(maxsize=4)
def _patterns(lists: PhraseLists) -> tuple[re.Pattern[str], ...]:
    before, behind = opening(lists), closing(lists)
    this = f"(?P<said>{any_of(lists.forget_this)})"
    forget = f"(?P<said>{any_of(lists.forget_clause)})"
    about = f"(?:{any_of(lists.forget_about)}|{BAR})*"
    what = "(?P<what>(?:[^ ]+ )+?)"
    return (
        re.compile(rf"{before}{this}{behind}"),
        re.compile(rf"{before}{forget}{about}{what}{about}{behind}"),
        re.compile(rf"{before}{about}{what}{about}{forget}{behind}"),
    )
