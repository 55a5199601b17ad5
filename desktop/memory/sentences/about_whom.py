"""Whether what the user says is said of somebody else, and the fact of the user."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from desktop.language.keywords_and_stems import keys
from desktop.language.normalization import Word, fold, word_texts, words
from desktop.language.turkish_possessive import is_mine
from desktop.memory.sentences.clauses import Clause, parts_of_sentence
from desktop.memory.sentences.kin import GROUPS, Group
from desktop.memory.sentences.named import is_name
from desktop.memory.sentences.verbs import verb

_FAMILY = re.compile(r"\b(?:aile|yakin|akraba|famil|relative|evcil|kin\b|ev halki)")
_OF_ME = re.compile(
    r"\w*(?:yor|[aeiu]r|m[iu]s|[dt]i|ac[ae][kg])[iu]m|\w+[dt][iu]m|\w+m[ae]m|\w+ac[ae]g[iu]m"
    r"|\w+[iu]yoruz|\w+y[iu]z|\w+[dt][iu]k|\w+y[iu]m"
)
_LANGUAGES = frozenset(
    word_texts(
        "türkçe almanca ingilizce fransızca ispanyolca italyanca rusça arapça kürtçe farsça çince"
        " japonca korece turkish german english french spanish italian russian arabic kurdish"
        " chinese japanese korean"
    )
)
"""With a capital, and nobody's names."""
_USER = frozenset({"kullanici", "kullanicinin", "user", "ben", "i"})
_USER_DOES = re.compile(r"\s*(?:kullanici|(?:the )?user|ben|i)\b(?!')")
_I = frozenset(word_texts("i we me us ben beni bana bende benden benim biz bizi bize bizde bizim"))
_MY = frozenset({"my", "our", "mine", "ours"})
_EVERY = r"her(?! (?:gun|sabah|aksam|gece|ogle|hafta|ay|yil|zaman|sey|pazar|yaz|kis|an)\w*)"
"""Not the Turkish "every"."""
_HE = re.compile(rf"\s*(?:he|she|they|his|{_EVERY}|their|he's|she's|who)\b")
_INTRODUCES = frozenset(word_texts("adim adi ismim am name this it call called olarak"))
"""Before a name: the user's own, or what something is called."""
_ASIDE = frozenset(word_texts("with for from by to at of about near like"))
_NO_SUBJECT = frozenset(word_texts("icin gibi kadar hakkinda yuzunden sayesinde tarafindan"))
_ENDING = re.compile(r"(?:'\w*)*")
_OF_SUBJECT = re.compile(r"(?:'(?:s|n?[iu]n))?")
"""Behind a name: none, or whose something is."""
_PASSIVE = re.compile(r"\w+?(?:[iu]l|[iu]n)(?:[iu]yor|[dt][iu]|m[iu]s|[aeiu]r|[ae]c[ae]k)\w{0,4}")
_DOES = re.compile(r"is|was|has|had|does|isn|hasn|doesn|[a-z]{3,}s")
_ILL = "hasta"
"""Also somebody's patient."""
_FARTHEST = 4
"""Words before a name that still does what the part says."""


class _Who(NamedTuple):
    """Who does what a part of a sentence says: the user, where neither is told."""

    group: Group | None = None
    name: str = ""
    """As it is folded; empty where none is told."""

    @property
    def is_me(self) -> bool:
        return self.group is None and not self.name

    def is_told_in(self, content: str, told: Sequence[str]) -> bool:
        if self.name and any(word.startswith(self.name) for word in told):
            return True
        return any(map(self.group.has, told)) if self.group else _is_of_kin(content, told)


class _Part(NamedTuple):
    text: str
    """Folded."""
    written: str
    said: Sequence[Word]
    is_first: bool
    """Of its sentence."""

    def is_capital(self, place: int) -> bool:
        return self.written[self.said[place].start].isupper()


def is_of_another(content: str, clause: Clause, written: str) -> bool:
    """`written`: the message as it was written; the clause is folded."""
    told = [word.text for word in words(content)]
    if _FAMILY.search(" ".join(told)):
        return False
    *before, part = _parts(content, clause, written)
    is_of_user = not _USER.isdisjoint(told[:2])
    who = _who(part)
    if who is None and is_of_user:
        if _HE.match(part.text) is not None:
            return not _is_of_kin(content, told)
        if _is_done_by_another(content, part):
            return True
    who = who or next(filter(None, map(_who, reversed(before))), None)
    if who is None or who.is_me:
        return False
    if not is_of_user and any(is_name(one, is_capital=True, begins=False) for one in told):
        return False  # of whomever it names
    return not who.is_told_in(content, told)


def _is_of_kin(content: str, told: Sequence[str]) -> bool:
    """Whether a fact tells of somebody who is something to the user."""
    is_of_user = _USER_DOES.match(fold(content)) is not None
    others = [word for word in told[1:] if not word.startswith(_ILL)]
    return not is_of_user and any(group.has(word) for group in GROUPS for word in others)


def _parts(content: str, clause: Clause, written: str) -> list[_Part]:
    """Those of the sentence up to the one that says the most of a fact."""
    spans, reached = parts_of_sentence(clause)
    parts = [
        _Part(clause.whole[start:end], written[start:end], words(written[start:end]), place == 0)
        for place, (start, end) in enumerate(spans)
    ]
    ours = {key for word in words(content) for key in keys(word.text)}
    shared = [
        sum(not ours.isdisjoint(keys(word.text)) for word in part.said) for part in parts[reached:]
    ]
    best = max(range(len(shared)), key=lambda place: (shared[place], place))
    return parts[: reached + best + 1]


def _who(part: _Part) -> _Who | None:
    """None where the part has no subject that could be heard."""
    texts = [word.text for word in part.said]
    if not texts or not _I.isdisjoint(texts) or _OF_ME.fullmatch(texts[-1]):
        return _Who() if texts else None
    return _kin(part, texts) or _named(part, texts) or _me(texts)


def _me(texts: Sequence[str]) -> _Who | None:
    is_of_me = any(one in _MY or is_mine(one) for one in texts)
    return _Who() if is_of_me else None


def _kin(part: _Part, texts: Sequence[str]) -> _Who | None:
    for place, text in enumerate(texts[:-1]):
        before, following = texts[place - 1] if place else "", part.said[place + 1]
        before = "my" if texts[place + 1 : place + 3] == ["of", "mine"] else before
        group = next((one for one in GROUPS if one.is_mine(text, before)), None)
        if group is None or following.text == "tongue":
            continue
        is_named = (
            part.is_capital(place + 1)
            and following.text not in _LANGUAGES
            and part.text[following.end : following.end + 1] != "'"
        )
        return _Who(group, following.text if is_named else "")
    return None


def _named(part: _Part, texts: Sequence[str]) -> _Who | None:
    """Somebody who is named, and does it."""
    for place, text in enumerate(texts[:_FARTHEST]):
        if text in _INTRODUCES or _me([text]) is not None:
            return None
        begins = part.is_first and place == 0
        is_somebody = is_name(text, is_capital=part.is_capital(place), begins=begins)
        if is_somebody and _is_subject(part, texts, place):
            return _Who(name=text)
    return None


def _is_subject(part: _Part, texts: Sequence[str], place: int) -> bool:
    ending = _ENDING.match(part.text, part.said[place].end)
    is_case = ending is not None and not _OF_SUBJECT.fullmatch(ending[0])
    following = texts[place + 1] if place + 1 < len(texts) else ""
    before = texts[place - 1] if place else ""
    return not is_case and following not in _NO_SUBJECT and before not in _ASIDE


def _is_done_by_another(content: str, part: _Part) -> bool:
    """Whether the part has the verb of a fact that the user does it, and not in their person."""
    told = words(content)
    if not told or _USER_DOES.match(fold(content)) is None:
        return False
    ours, theirs = verb(told, len(told) - 1), verb(part.said, len(part.said) - 1)
    if ours and theirs and ours.root == theirs.root:
        return _PASSIVE.fullmatch(part.said[-1].text) is None
    claimed = {key for word in told for key in keys(word.text)}
    names = {word.text for word in told}
    pairs = zip(range(_FARTHEST), part.said, part.said[1:], strict=False)
    return any(
        part.is_capital(place)
        and one.text not in names
        and _DOES.fullmatch(following.text) is not None
        and not claimed.isdisjoint(keys(following.text))
        for place, one, following in pairs
    )
