"""Hears that something is to be forgotten: strictly, where a message asks for nothing else."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from desktop.language.hearing.letting_go import lets_go
from desktop.language.hearing.phrases import PhraseLists, is_courtesy
from desktop.language.hearing.wishing import KINDLY, closing, opening
from desktop.language.phrase_matcher import BAR, Line, any_of, find_phrase, is_only, lay_out
from desktop.language.sentences import sentences

_MOST_WORDS = 30
_IS_MINE = re.compile(
    r"(?i)\b(?:my|i|i'm|me)\b|[ıiuü]m(?:[ıiuü]n?|[ae]|l[ae])?\b|\b(?:beni|bana)\b"
)
"""Nobody forgets the diet's rules for someone who asks for a recipe."""
_TOLD = re.compile(
    r"^(?:because |since |as )?(?:i|i'm|i've|my|it|it's|that|that's|we|she|he|they|there) "
    r"|\b(?:\w+(?:[dt][iu][mk]?|m[iu]s(?:[iu]m)?|[iu]yor(?:um|uz)?|[aeiu]r[iu]m|m[ae]m)|degil|var|yok"
    r"|yanlis|eski|bitti|gecti)$"
)


@dataclass(frozen=True, slots=True)
class Forgetting:
    phrase: str
    """The words by which it was recognised, as they were written."""
    words: str
    """What is to be forgotten; empty: what was said before this message."""
    is_everything: bool = False
    """Whatever is remembered."""


def asks_to_forget(text: str, lists: PhraseLists) -> Forgetting | None:
    """What a message wants forgotten, or None."""
    line = _only_sentence(text, lists)
    if line is None:
        return None
    return _in_phrases(line, lists) or _in_other_words(line, lists)


def _in_phrases(line: Line, lists: PhraseLists) -> Forgetting | None:
    # The patterns take long to compile, and most messages need none of them.
    if not find_phrase(line, _asks(lists)):
        return None
    patterns = _patterns(lists)
    if said := _said_just_now(line, patterns.this, lists):
        return said
    return None if find_phrase(line, lists.not_forgetting) else _named(line, patterns, lists)


def _in_other_words(line: Line, lists: PhraseLists) -> Forgetting | None:
    if find_phrase(line, lists.not_forgetting):
        return None
    words = lets_go(line)
    return None if words is None else Forgetting(line.original, words)


def _named(line: Line, patterns: "_Patterns", lists: PhraseLists) -> Forgetting | None:
    """Everything, or what is said besides the request."""
    for pattern in patterns.everything:
        if found := pattern.fullmatch(line.text):
            return Forgetting(line.original_between(*found.span("said")), "", is_everything=True)
    for pattern in patterns.something:
        if found := pattern.fullmatch(line.text):
            phrase = line.original_between(*found.span("said"))
            what, why = (found.groupdict().get(one) or "" for one in ("what", "why"))
            if _goes_on(what, lists):
                continue
            before = line.text[: found.start("why")] if why else ""
            if why and not (_IS_MINE.search(before) and _tells(why, lists)):
                continue
            return Forgetting(phrase, line.original_between(*found.span("what")) if what else "")
    return None


def _said_just_now(line: Line, pattern: re.Pattern[str], lists: PhraseLists) -> Forgetting | None:
    """What points at something: "bunu unut", "forget what I said", "forget this: my address"."""
    found = pattern.fullmatch(line.text)
    if found is None:
        return None
    phrase = line.original_between(*found.span("said"))
    gives_up = find_phrase(line, lists.not_forgetting)
    # "Never mind, forget that" means the question; "never mind, forget what I said" does not.
    if gives_up and found.start("said") > gives_up.start() and not _IS_MINE.search(phrase):
        return None
    if not found["what"]:
        return Forgetting(phrase, "")
    # Behind a comma something else is asked for: "forget that, give me a recipe".
    is_led = line.original_before(found.start("what")).rstrip().endswith(":")
    return Forgetting(phrase, line.original_between(*found.span("what"))) if is_led else None


def _only_sentence(text: str, lists: PhraseLists) -> Line | None:
    """The one sentence of a message besides its courtesies, where it may be a wish."""
    said = [lay_out(one.text) for one in sentences(text) if not is_courtesy(one.text, lists)]
    said = [one for one in said if not is_only(one.text, lists.takes_back)]
    if len(said) != 1:
        return None
    (line,) = said
    if len(line.words) > _MOST_WORDS:
        return None
    if "?" in line.original and not KINDLY.search(line.text):
        return None
    return line


def _asks(lists: PhraseLists) -> tuple[str, ...]:
    return lists.forget_this + lists.forget_clause + lists.forget_from + lists.forget_memory


def _goes_on(what: str, lists: PhraseLists) -> bool:
    """Whether something else is asked for behind a comma: "forget the diet, give me a recipe"."""
    wants = re.compile(any_of(lists.goes_on_to + lists.asks))
    return any(wants.match(part.lstrip()) for part in what.split("|")[1:])


def _tells(why: str, lists: PhraseLists) -> bool:
    """Whether what follows only says why: "artık orada oturmuyorum", "I moved out"."""
    if find_phrase(lay_out(why), lists.asks):
        return False
    return _TOLD.search(why.strip(" |")) is not None


class _Patterns(NamedTuple):
    this: re.Pattern[str]
    everything: tuple[re.Pattern[str], ...]
    something: tuple[re.Pattern[str], ...]


@lru_cache(maxsize=4)
def _patterns(lists: PhraseLists) -> _Patterns:
    before, behind = opening(lists), closing(lists)
    this = f"(?P<said>{any_of(lists.forget_this)})"
    forget = any_of(lists.forget_clause)
    about = f"(?:{any_of(lists.forget_about)}|{BAR})*"
    what = "(?P<what>(?:[^ ]+ )+?)"
    from_it, delete = any_of(lists.forget_from), any_of(lists.forget_delete)
    memory, bare = any_of(lists.forget_memory), any_of(lists.forget_everything)
    # Turkish has its verb behind what is meant, English before it.
    everything = (
        rf"{memory}(?:{forget}|{delete})",
        rf"(?:{forget}|{delete}){memory}",
        rf"{bare}{forget}",
        rf"{forget}{bare}",
        rf"(?:{from_it}{bare}|{bare}{from_it}){delete}",
        rf"{delete}{bare}{from_it}",
    )
    something = (
        rf"{before}{about}{what}{about}(?P<said>{forget}){BAR}(?P<why>.+)",
        rf"{before}(?P<said>{forget}){about}{what}{BAR}(?P<why>.+)",
        rf"{before}(?P<said>{forget}){about}{what}{about}(?:{from_it})?{behind}",
        rf"{before}(?P<said>{from_it}){about}{what}{about}{delete}{behind}",
        rf"{before}{about}{what}{about}(?P<said>{from_it}{delete}){behind}",
        rf"{before}{about}{what}{about}(?P<said>{forget}){behind}",
    )
    back = f"(?:{any_of(lists.takes_back)}|{BAR})*"
    return _Patterns(
        re.compile(rf"{back}{before}{this}(?:{BAR}(?P<what>.+)|{behind})"),
        tuple(re.compile(rf"{before}(?P<said>{shape}){behind}") for shape in everything),
        tuple(map(re.compile, something)),
    )
