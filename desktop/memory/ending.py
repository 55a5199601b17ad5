"""What ends an older fact without having its words: giving something up, denying it, moving."""

import re
from collections.abc import Sequence

from desktop.memory.kin import GROUPS
from desktop.memory.saying import Said, Told, places

_FEWEST = 2
"""Words of a denial: "alerjim yok" does not deny an allergy that has a name."""
_GIVES_UP = re.compile(r"birak\w*|vazgec\w*|kesti\w*|quit\w*|stopp?ed|stops|gave|given|gives")
_ASIDE = re.compile(r"\w{2,}m[ae](?:yi|y[ei])|up|drinking|eating|taking|using|doing|icmeyi|yemeyi")
"""Between what is given up and that it is."""
_HABIT = re.compile(
    r"ic(?:[iu]yor|er)\w*|kullan\w*|y(?:iyor|er)\w*|yap[iıa]\w*|oynuyor\w*|oynar\w*|smok\w*"
    r"|drink\w*|eat\w*|tak\w*|us(?:e|es|ing)|play\w*"
)
_LIVES = re.compile(r"yas[iau]\w*|liv(?:e|es|ing)|resid\w*")
_MOVES = re.compile(r"tasin(?:d[iu]|m[iu]s|[iu]yor)\w{0,4}|moved|relocated")
_IN, _TO = re.compile(r"\w{2,}[dt][ae]"), re.compile(r"\w{2,}y?[ae]")


def ends_habit(new: Said, old: Said) -> bool:
    """Whether one of them denies in general what the other says, or gives it up."""
    if _gives_up(new, old):
        return True
    if new.is_negated == old.is_negated or new.times != old.times:
        return False
    denied, said = (new, old) if new.is_negated else (old, new)
    if denied.figures or len(denied.words) < _FEWEST or denied.comes_from:
        return False
    return denied.names <= said.names and _has_nobody_else(denied, said)


def _has_nobody_else(denied: Said, said: Said) -> bool:
    """All that is denied is said, in a sentence with more words of its own, and none of kin."""
    at = places(denied, said)
    if None in at or (at[-1] != len(said.words) - 1 and not _ends_alike(denied, said)):
        return False
    more = [word for place, word in enumerate(said.words) if place not in at]
    return not any(_is_somebody(word) for word in more)


def _ends_alike(one: Said, other: Said) -> bool:
    """Whether the verb is the same: at the end in Turkish, behind who does it in English."""
    return bool(one.words[0].shared & other.words[0].shared)


def _is_somebody(word: Told) -> bool:
    return word.is_capital or any(group.has(word.text) for group in GROUPS)


def _gives_up(new: Said, old: Said) -> bool:
    if old.is_negated or not any(_GIVES_UP.fullmatch(word.text) for word in new.words):
        return False
    left = [
        word
        for word in new.words
        if not (_GIVES_UP.fullmatch(word.text) or _ASIDE.fullmatch(word.text))
    ]
    if not left or not any(_HABIT.fullmatch(word.text) for word in old.words):
        return False
    return _are_all_in(left, old) and not any(map(_is_somebody, old.words))


def _are_all_in(words: Sequence[Told], said: Said) -> bool:
    return all(any(word.shared & other.shared for other in said.words) for word in words)


def moves(new: Said, old: Said) -> bool:
    """Whether one has moved to another place than where the other says one lives."""
    if new.figures or new.is_negated or old.is_negated or "past" in old.times:
        return False
    return _only(new, _MOVES) and _only(old, _LIVES)


def _only(said: Said, verb: re.Pattern[str]) -> bool:
    """Whether a sentence has that verb, one place and nothing else."""
    texts = [word.text for word in said.words]
    return len(texts) == _FEWEST and sum(bool(verb.fullmatch(text)) for text in texts) == 1
