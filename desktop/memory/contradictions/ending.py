"""What ends an older fact without having its words: giving something up, denying it, moving."""

import re
from collections.abc import Sequence

from desktop.memory.sentences.kin import GROUPS
from desktop.memory.sentences.saying import Said, Told, places

_FEWEST = 2
"""Words of a denial: "alerjim yok" does not deny an allergy that has a name."""
_GIVES_UP = re.compile(r"birak\w*|vazgec\w*|kesti\w*|quit\w*|stopp?ed|stops|gave|given|gives")
_WISHES = re.compile(
    r"want\w*|try|tries|trying|plan\w*|hop(?:e|es|ing)|intend\w*|think\w*|consider\w*|wish\w*"
    r"|\w{2,}mak|\w{2,}mek|ist[ie]\w+|dusun\w*|calis\w*|planl\w*"
)
"""Who wants to give something up has not done so."""
_ASIDE = re.compile(r"\w{2,}m[ae](?:yi|y[ei])|up|drinking|eating|taking|using|doing|icmeyi|yemeyi")
"""Between what is given up and that it is."""
_HABIT = re.compile(
    r"ic(?:[iu]yor|er)\w*|kullan\w*|y(?:iyor|er)\w*|yap[iıa]\w*|oynuyor\w*|oynar\w*|smok\w*"
    r"|drink\w*|eat\w*|tak\w*|us(?:e|es|ing)|play\w*"
)
_LIVES = re.compile(r"yas[iau]\w*|liv(?:e|es|ing)|resid\w*")
_MOVES = re.compile(r"tasin(?:d[iu]|m[iu]s|[iu]yor)\w{0,4}|moved|relocated")
_HOUSING = re.compile(
    r"(?:an?|the|bir)? ?(?:ev|daire|villa|apartman|yurt|koy|sehir|kasaba|site|bahce|kira)"
    r"(?:d[ae]|t[ae]|[ea]|y[ea]|[iu]nd[ae])?"
    r"|(?:an?|the)? ?(?:flat|apartment|house|home|villa|studio|dorm|dormitory|village|city|town"
    r"|country|suburbs?|countryside)"
)
_IN, _TO = re.compile(r"\w{2,}[dt][ae]"), re.compile(r"\w{2,}y?[ae]")


def is_housing(word: str) -> bool:
    """Whether it is a kind of place, of which every town has some: "in a flat"."""
    return _HOUSING.fullmatch(word) is not None


def ends_habit(new: Said, old: Said) -> bool:
    """Whether one of them denies in general what the other says, or gives it up."""
    if _gives_up(new, old) or ("past" not in new.times and _gives_up(old, new)):
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


def is_over_in_both(new: Said, old: Said) -> bool:
    """Whether both say that the same is over: "sigarayı bıraktı", "artık sigara içmiyor"."""
    pairs = ((new, old), (old, new))
    return any(
        other.is_negated != _is_given_up(other)
        and not any(map(_is_somebody, other.words))
        and _is_only_of(_given_up(giver), other)
        for giver, other in pairs
        if _is_given_up(giver) and not giver.is_negated
    )


def _gives_up(new: Said, old: Said) -> bool:
    if old.is_negated or not _is_given_up(new) or _is_given_up(old):
        return False
    left = _given_up(new)
    if not left or not any(_HABIT.fullmatch(word.text) for word in old.words):
        return False
    return _are_all_in(left, old) and not any(map(_is_somebody, old.words))


def _is_given_up(said: Said) -> bool:
    texts = [word.text for word in said.words]
    is_wished = "future" in said.times or any(map(_WISHES.fullmatch, texts))
    return not is_wished and any(map(_GIVES_UP.fullmatch, texts))


def _given_up(said: Said) -> list[Told]:
    return [
        word
        for word in said.words
        if not (_GIVES_UP.fullmatch(word.text) or _ASIDE.fullmatch(word.text))
    ]


def _is_only_of(words: Sequence[Told], said: Said) -> bool:
    """Whether a sentence tells of these words, with a habit and nothing else."""
    rest = [word for word in _given_up(said) if not _is_among(word, words)]
    return bool(words) and _are_all_in(words, said) and all(map(_is_habit, rest))


def _is_among(word: Told, words: Sequence[Told]) -> bool:
    return any(word.shared & other.shared for other in words)


def _is_habit(word: Told) -> bool:
    return _HABIT.fullmatch(word.text) is not None or "ic~" in word.shared


def _are_all_in(words: Sequence[Told], said: Said) -> bool:
    return all(any(word.shared & other.shared for other in said.words) for word in words)


def moves(new: Said, old: Said) -> bool:
    """Whether both tell where one lives, and one of them that one has moved there."""
    if new.figures or old.figures or new.is_negated or old.is_negated:
        return False
    if any(is_housing(word.text) for word in (*new.words, *old.words)):
        return False
    ours, theirs = _only(new, _MOVES), _only(old, _MOVES)
    if not (ours or theirs) or ("past" in old.times and not theirs):
        return False
    return (ours or _only(new, _LIVES)) and (theirs or _only(old, _LIVES))


def _only(said: Said, verb: re.Pattern[str]) -> bool:
    """Whether a sentence has that verb, one place and nothing else."""
    texts = [word.text for word in said.words]
    return len(texts) == _FEWEST and sum(bool(verb.fullmatch(text)) for text in texts) == 1
