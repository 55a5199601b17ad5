"""Finds the facts that bear on a question about the user's own life.

They may have no word in common with it; and what is told of a sister answers nothing that is asked
of the user, as little as what is told of the user answers what is asked of her.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from desktop.domain.facts import Fact
from desktop.language.keywords_and_stems import content_words, keys
from desktop.language.normalization import fold, word_texts
from desktop.language.personal_questions import OwnLife, asks_of_own_life, is_of_mine
from desktop.language.stopwords import StopWords
from desktop.storage.facts import FactStore

_KIN = """
anne annem valide | mother mom mum mommy
baba babam | father dad daddy
ebeveyn ailem | parents parent
kardes kardesim abla ablam abi abim agabey agabeyim | sister brother sibling
esi esim karisi karim kocasi kocam hanim hanimim | wife husband spouse
kizi kizim oglu oglum ogul cocug cocuk cocugum bebegi | son daughter child children kid baby
arkadas arkadasim dost dostum | friend roommate
patron patronum mudur mudurum sefi sefim | boss manager colleague coworker
sevgili sevgilim nisanli nisanlim | girlfriend boyfriend fiance fiancee partner
dede dedem nine ninem babaanne babaannem anneanne anneannem | grandmother grandfather grandma
dayi dayim amca amcam teyze teyzem hala halam | uncle aunt
ogretmen ogretmenim hoca hocam | teacher professor tutor
ogrenci ogrencim musteri musterim hasta hastam | student client customer patient
doktor doktorum | doctor therapist
torun torunum | grandson granddaughter grandchild
kuzen kuzenim yegen yegenim | cousin nephew niece
komsu komsum | neighbour neighbor
kopek kopeg kopegim kedi kedim kusu kusum papagan papaganim | dog cat pet bird parrot
kayinvalide kayinvalidem kayinpeder kayinpederim | inlaws
"""


class Kinship(NamedTuple):
    turkish: tuple[str, ...]
    english: tuple[str, ...]

    def has(self, word: str) -> bool:
        return word.startswith(self.turkish) or word.removesuffix("s") in self.english


KINSHIP = [
    Kinship(*(tuple(words_.split()) for words_ in line.split("|")))
    for line in _KIN.strip().splitlines()
]
_MOST_READ = 200
_SUBJECT_WORDS = 3
"""Of whom a fact is stands at its beginning."""


_NOBODY = re.compile(r"hastal|hastan|aile|pets?$")
""""Hastam" is somebody, "hastalığım" is not; and a family and pets are told one by one."""


@dataclass(frozen=True, slots=True)
class _Asked:
    own: OwnLife
    kin: Sequence[Kinship]
    """Who else it is about."""
    named: Sequence[str]
    """Words of it that say more than which part of a life is meant."""

    def beginnings(self) -> list[str]:
        of_kin = [word for group in self.kin for word in (*group.turkish, *group.english)]
        return [*self.own.begun, *of_kin, *(word[:5] for word in self.named)]

    def bears(self, fact: Fact) -> int:
        """0: not at all; 1: on the part of the life, or on who is meant; 2: on more of it."""
        told = word_texts(f"{fact.topic} {fact.content}")
        if self.kin and not any(group.has(word) for group in self.kin for word in told):
            return 0
        heard = frozenset(key for word in told for key in keys(word))
        shares = any(keys(word) & heard for word in self.named)
        is_of_part = self.own.is_told_in(f"{fact.topic} {fact.content}")
        if self.kin:
            return 1 + (shares or is_of_part)
        if shares:
            return 2
        return int(is_of_part and (self.own.is_of_others or not _is_of_kin(fact.content)))


def names_kin(question: str) -> bool:
    """Whether it is about somebody of the user's."""
    return bool(_kin(question))


def bearing_facts(
    question: str, store: FactStore, stop_words: StopWords, *, limit: int = 5
) -> list[Fact]:
    """The likeliest to answer first; none for a question of any other kind."""
    own = asks_of_own_life(question)
    if own is None:
        return []
    words = [word.text for word in content_words(question, stop_words)]
    kin = _kin(question)
    named = [one for one in words if not (own.is_asked_by(one) or _is_kin(one, kin))]
    asked = _Asked(own, kin, named)
    wanted = " OR ".join(f'"{word}"*' for word in dict.fromkeys(asked.beginnings()))
    if not wanted:
        return []
    found = [(asked.bears(one), one) for one, _ in store.matching(wanted, None, limit=_MOST_READ)]
    best = max((score for score, _ in found), default=0)
    least = best if kin or own.is_broad else 1
    found = [pair for pair in found if pair[0] >= max(1, least)]
    found.sort(key=lambda pair: (-pair[0], not own.is_told_in(pair[1].content)))
    return [one for _, one in found[:limit]]


def _kin(question: str) -> list[Kinship]:
    said = [word for word in word_texts(question) if not _NOBODY.match(word)]
    mine = [word for word in said if is_of_mine(word)]
    return [
        group
        for group in KINSHIP
        if any(word.startswith(group.turkish) for word in mine)
        or any(word.removesuffix("s") in group.english for word in said)
    ]


def _is_kin(word: str, kin: Sequence[Kinship]) -> bool:
    return any(group.has(word) for group in kin)


def _is_of_kin(content: str) -> bool:
    """Whether somebody of the user's is what a fact is of."""
    said = word_texts(fold(content).replace("user's", "user"))[:_SUBJECT_WORDS]
    if said[:1] in (["kullanicinin"], ["user"], ["users"], ["my"], ["benim"], ["the"]):
        return any(group.has(word) for word in said[1:] for group in KINSHIP)
    return any(group.has(word) for word in said[:1] for group in KINSHIP)
