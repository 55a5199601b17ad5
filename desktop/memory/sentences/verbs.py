"""Finds what the forms of a Turkish verb have in common, and whether one of them denies it.

"Severim", "seviyorum", "sevmem" and "sevmiyorum" are one verb. The present tense takes the last
vowel of a stem ("yaşıyor"), so a root has none: "yas", as it is folded.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from desktop.language.normalization import Word

_PERSON = r"(?:[iu]m|s[iu]n(?:[iu]z)?|[iu]z|l[ae]r)?"
_PAST_PERSON = r"(?:m|n|k|n[iu]z|l[ae]r)?"
_MORE_PAST = r"(?:y?[dt][iu]|m[iu]s)?"
_OF_THE_HABIT = rf"(?:y?[dt][iu]{_PAST_PERSON}|{_MORE_PAST}{_PERSON})"
_DENIED = re.compile(
    rf"(?P<stem>\w+?)m(?:[iu]yor{_MORE_PAST}{_PERSON}|[ae]z{_OF_THE_HABIT}"
    rf"|[ae]d[iu]{_PAST_PERSON}|[ae]y[ae]c[ae][kg]{_MORE_PAST}{_PERSON}|[ae]m[iu]s{_PERSON}"
    r"|[iu]yord[iu]\w*|[iu]yormus\w*)"
)
_DENIED_OF_ME = re.compile(r"(?P<stem>\w{2,}?)m(?:[ae]m|[ae]y[iu]z)")
"""Also how nouns end that are mine: "kelimem"."""
_SAID = re.compile(
    rf"(?P<stem>\w+?)(?:[iu]yor{_MORE_PAST}{_PERSON}|[iu]yord[iu]\w*|[aeiu]r{_OF_THE_HABIT}"
    rf"|[dt][iu]{_PAST_PERSON}|y?[ae]c[ae][kg]{_MORE_PAST}{_PERSON}|m[iu]s{_PERSON})"
)
_NO_VERB = frozenset({"tamam", "hamam", "imam", "namaz", "ahmed", "mehmedi", "ahmedi", "gitmez"})
_GOES_ON = re.compile(r"lazim|gerek\w*|sart|icin|zaman|mumkun|gibi|kadar|sirasinda")
"""Behind "gitmem": that I go, not that I do not."""
_PAST = re.compile(
    r"\w{2,}(?:[iu]yord[iu]\w*|[aeiu]rd[iu]\w*|m[ae]zd[iu]\w*|m[iu]st[iu]\w*)|vardi|yoktu"
)
_ENDED = re.compile(rf"\w{{3,}}[dt][iu]{_PAST_PERSON}")
_WILL = re.compile(rf"\w{{2,}}[ae]c[ae][kg]{_PERSON}")
_VOWELS = "aeiou"


class Verb(NamedTuple):
    root: str
    is_denied: bool


def verb(said: Sequence[Word], place: int) -> Verb | None:
    """What a word is, if it can be a form of a verb: many a noun looks like one."""
    word = said[place].text
    if word in _NO_VERB:
        return None
    if found := _DENIED.fullmatch(word):
        return Verb(root_of(found["stem"]), is_denied=True)
    if (found := _DENIED_OF_ME.fullmatch(word)) and not _goes_on(said, place):
        return Verb(root_of(found["stem"]), is_denied=True)
    if found := _SAID.fullmatch(word):
        return Verb(root_of(found["stem"]), is_denied=False)
    return None


def time_of(word: str, *, is_last: bool) -> str:
    """Empty, or what a form of a verb says: past or future. Nouns end as the simple past does."""
    if _PAST.fullmatch(word) or (is_last and _ENDED.fullmatch(word)):
        return "past"
    return "future" if is_last and _WILL.fullmatch(word) else ""


def _goes_on(said: Sequence[Word], place: int) -> bool:
    """Whether the word is the noun of a longer clause, and no verb at its end."""
    following = said[place + 1].text if place + 1 < len(said) else ""
    return _GOES_ON.fullmatch(following) is not None or following in {"var", "yok", "cok"}


def root_of(stem: str) -> str:
    bare = stem.rstrip(_VOWELS)
    return bare or stem[0]
