"""Hears that something has changed ("artık İzmir'de yaşıyorum"), and which older fact that ends.

That it has changed is said in so many words; what it ends is a sentence that differs from it in
one word alone. In doubt both stand.
"""

import re
from collections.abc import Iterator

from desktop.language.keywords_and_stems import keys
from desktop.language.normalization import word_texts
from desktop.language.stopwords import StopWords
from desktop.memory.sentences.saying import TELLS

_CHANGED = re.compile(r"artik|bundan boyle|anymore|any more|no longer|nowadays|these days|now")
_SAYS_CHANGED = re.compile(rf"(?<![^ ])(?:{_CHANGED.pattern}) ")
_NOBODY = frozenset({"kullanici", "kullanicinin", "user", "users"})
"""Models begin their sentences with it."""
_FEWEST = 2
_MOST_TOLD = 6
_LIVES = re.compile(r"yas[iau]|tasin|otur|liv(?:e|ing)|moved|resid")
_PLACES = ("yas", "tasin", "otur", "live", "living", "moved", "resid")
"""What tells where somebody lives shares no other word with what tells that they moved."""
# What the last word of a Turkish sentence says of its subject, by its root: "yasiyorum" as "yas".
_DOES = re.compile(
    r"(?P<root>\w+?)(?P<not>m)?(?:[iu]yor(?:um|sun|uz|sunuz|lar)?|[aeiu]r(?:[iu]m|s[iu]n|[iu]z))"
)

_SHORT_ROOTS = {"y": "ye", "d": "de"}
"""Verbs that lose their vowel: "yiyorum", "diyorum"."""


def says_changed(text: str) -> bool:
    """Whether somebody tells that something is not as it was."""
    return _SAYS_CHANGED.search(_line(text)) is not None


def without_change(text: str) -> str:
    """The folded words without those that tell of a change."""
    return _SAYS_CHANGED.sub(_negation, _line(text)).strip()


def ends(new: str, old: str, stop_words: StopWords) -> bool:
    """Whether `new`, which tells of a change, puts another word in the place of one of `old`."""
    ours, theirs = tuple(_telling(new, stop_words)), tuple(_telling(old, stop_words))
    if len(ours) != len(theirs) or len(ours) < _FEWEST:
        return False
    there = [keys(word) for word in theirs]
    return sum(any(keys(word) & their for their in there) for word in ours) == len(ours) - 1


def told_by(text: str) -> list[str]:
    """By which beginnings of words what a text ends is found: verbs are common words."""
    said = [word for word in _line(text).split() if word not in _NOBODY and len(word) > 1]
    told = [*(root_of(word) for word in said[-1:]), *said[:_MOST_TOLD]]
    places = _PLACES if any(map(_LIVES.match, said)) else ()
    return [*dict.fromkeys((*told, *places))]


def root_of(word: str) -> str:
    """What a Turkish verb has in common with its other persons, denied or not."""
    does = _DOES.fullmatch(word)
    if does is None:
        return word
    root: str = _SHORT_ROOTS.get(does["root"], does["root"])
    # The present tense takes the last vowel: "yasa" and "yasiyor".
    return root[:-1] if does["not"] and root[-1] in "aeiu" and len(root) > _FEWEST else root


def _telling(text: str, stop_words: StopWords) -> Iterator[str]:
    said = [word for word in without_change(text).split() if word not in _NOBODY]
    for place, word in enumerate(said):
        root = root_of(word) if place == len(said) - 1 else word
        # What somebody does tells, however often it is said: "çalışıyorum", "works".
        is_common = word in stop_words and word not in TELLS
        if root != word or (not is_common and len(word) > 1):
            yield root


def _negation(found: re.Match[str]) -> str:
    return "no " if found[0].startswith("no ") else ""


def _line(text: str) -> str:
    return "".join(f"{word} " for word in word_texts(text))
