"""Hears what is to be kept while something else is asked for: "…, bunu aklında tutarak öner".

It is kept only where somebody tells of themselves. "Keeping in mind that the deadline is near,
write …" says how to answer this once.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.hearing.phrases import PhraseLists
from desktop.language.hearing.wishing import opening
from desktop.language.language_detection import guess_language
from desktop.language.phrase_matcher import BAR, Line, any_of, find_phrase
from desktop.language.turkish_possessive import is_mine

_OBJECT_OF_ME = re.compile(r"(?<![^ ])[^ |]{2,}(?:[dt][iu]g|[ae]c[ae]g)[iu]m(?:[iu]z)?[iu] ")
_OBJECT_OF_OTHERS = re.compile(
    r"(?<![^ ])[^ |]{2,}(?:[dt][iu]g|[ae]c[ae]g|l[ae]r[iu]n)[iu]n?[iu] (?:\| )?$"
)
_OWNER, _ANY = re.compile(r"\w+[iu]n"), re.compile(r"\w+")


class KeptWhile(NamedTuple):
    phrase: str
    start: int
    end: int
    """Of what is kept, in the line's text; nothing: what stands before the sentence."""
    is_object: bool
    """A Turkish clause in the accusative: "vejetaryen olduğumu"."""


def kept_while(line: Line, lists: PhraseLists) -> KeptWhile | None:
    if not find_phrase(line, lists.remember_while) or find_phrase(line, lists.not_remembering):
        return None
    language = guess_language(line.original, Language.TR)
    for pattern in _patterns(lists)[language]:
        if found := pattern.fullmatch(line.text):
            start, end = found.span("clause") if found["clause"] else (0, 0)
            is_object = _OBJECT_OF_ME.search(line.text, start, end) is not None
            if is_object:
                start = end - len(line.text[start:end].rpartition("| ")[2])
            phrase = line.original_between(*found.span("said"))
            return KeptWhile(phrase, start, end, is_object)
    return None


def is_of_oneself(line: Line, lists: PhraseLists) -> bool:
    """Whether words are told of the one who says them."""
    if find_phrase(line, lists.of_me) or _OBJECT_OF_ME.search(line.text):
        return True
    # Whoever does something in an object clause stands in the genitive: "kızımın vegan olduğunu".
    whose = _OWNER if _OBJECT_OF_OTHERS.search(line.text) else _ANY
    return any(is_mine(word.text) and whose.fullmatch(word.text) for word in line.words)


@lru_cache(maxsize=4)
def _patterns(lists: PhraseLists) -> Mapping[Language, tuple[re.Pattern[str], ...]]:
    said = f"(?P<said>{any_of(lists.remember_while)})"
    before, bar, rest = opening(lists), f"(?:{BAR})?", "(?P<rest>[^ |]+ .*)"
    alone = re.compile(rf"{before}{said}(?P<clause>){bar}{rest}")
    parted = re.compile(rf"{before}{said}(?P<clause>){BAR}{rest}")
    behind = re.compile(rf"(?P<clause>(?:[^ ]+ )+?){bar}{said}{bar}{rest}")
    # English has it before what is meant as well, at the head of its sentence or at the end.
    of_me = f"(?={any_of(lists.of_me)})"
    first = re.compile(rf"{before}{said}{of_me}(?P<clause>(?:[^ |]+ )+?){BAR}{rest}")
    last = re.compile(rf"(?P<rest>.+? ){said}{of_me}(?P<clause>(?:[^ |]+ )+)(?:{BAR})?")
    return {Language.TR: (alone, behind), Language.EN: (first, last, parted, behind)}
