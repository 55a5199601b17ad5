"""Whether what the user says is said of somebody else, and the fact of the user."""

import re
from typing import NamedTuple

from desktop.language.folding import word_texts, words

_KIN = """
anne annem valide | mother mom mum mommy
baba babam | father dad daddy
ebeveyn ailem | parents parent
kardes kardesim abla ablam abi abim agabey agabeyim | sister brother sibling
esi esim karisi karim kocasi kocam hanim hanimim | wife husband spouse
kizi kizim oglu oglum cocug cocuk cocugum bebegi bebegim | son daughter child kid baby kids
arkadas arkadasim dost dostum | friend roommate
patron patronum mudur mudurum sefi sefim | boss manager colleague coworker
sevgili sevgilim nisanli nisanlim | girlfriend boyfriend fiance fiancee partner
dede dedem nine ninem babaanne babaannem anneanne anneannem | grandmother grandfather grandma
dayi dayim amca amcam teyze teyzem hala halam | uncle aunt
ogretmen ogretmenim hoca hocam | teacher professor tutor
ogrenci ogrencim musteri musterim hasta hastam | student client customer patient
doktor doktorum | doctor therapist
kuzen kuzenim yegen yegenim | cousin nephew niece
komsu komsum | neighbour neighbor
kopek kopeg kopegim kedi kedim kusu kusum | dog cat pet
kayinvalide kayinvalidem kayinpeder kayinpederim | inlaws
"""


class _Group(NamedTuple):
    turkish: tuple[str, ...]
    english: tuple[str, ...]

    def has(self, word: str) -> bool:
        return word.startswith(self.turkish) or word.removesuffix("s") in self.english

    def is_mine(self, word: str, before: str) -> bool:
        if before == "my":
            return word in self.english
        bare = re.sub(r"(?<=m)[iu]n$", "", word)
        return bare.endswith("m") and bare in self.turkish


_GROUPS = [
    _Group(*(tuple(words_.split()) for words_ in line.split("|")))
    for line in _KIN.strip().splitlines()
]
_FAMILY = re.compile(r"\b(?:aile|yakin|akraba|famil|relative|evcil|kin\b|ev halki)")
_OF_ME = re.compile(
    r"\w*(?:yor|[aeiu]r|m[iu]s|[dt]i|ac[ae][kg])[iu]m|\w+[dt][iu]m|\w+m[ae]m|\w+ac[ae]g[iu]m"
    r"|\w+[iu]yoruz|\w+yiz|\w+[dt][iu]k|beni|bana|bende|benim"
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
_I = frozenset({"i", "we", "me", "us", "i'm", "i've", "we're"})
_EVERY = r"her(?! (?:gun|sabah|aksam|gece|ogle|hafta|ay|yil|zaman|sey|pazar|yaz|kis|an)\w*)"
"""Not the Turkish "every"."""
_HE = re.compile(rf"\s*(?:he|she|they|his|{_EVERY}|their|he's|she's)\b")


class _Who(NamedTuple):
    group: _Group
    name: str
    """As it is folded; empty where none is told."""


def is_of_another(clause: str, original: str, content: str) -> bool:
    """`clause`: folded, as long as `original`, the same words as they were written."""
    told = [word.text for word in words(content)]
    if not _USER.intersection(told[:2]) or _FAMILY.search(" ".join(told)):
        return False
    if (who := _subject(clause, original)) is None:
        said = clause.split()
        is_mine = bool(_I.intersection(said)) or any(map(_OF_ME.fullmatch, said))
        is_somebody = _HE.match(clause) is not None and not is_mine
        return is_somebody and not any(group.has(word) for group in _GROUPS for word in told)
    if who.name and any(word.startswith(who.name) for word in told):
        return False
    return not any(map(who.group.has, told))


def _subject(clause: str, original: str) -> _Who | None:
    """Whom a clause is about, where somebody other than the user does what it says."""
    said = words(clause)
    texts = [word.text for word in said]
    if not said or _OF_ME.fullmatch(texts[-1]) or _I.intersection(texts):
        return None
    for place, word in enumerate(said[:-1]):
        before, following = texts[place - 1] if place else "", said[place + 1]
        of_mine = texts[place + 1 : place + 3] == ["of", "mine"]
        before = "my" if of_mine else before
        group = next((one for one in _GROUPS if one.is_mine(word.text, before)), None)
        if group is None or following.text == "tongue":
            continue
        is_name = (
            original[following.start].isupper()
            and following.text not in _LANGUAGES
            and clause[following.end : following.end + 1] != "'"
        )
        return _Who(group, following.text if is_name else "")
    return None
