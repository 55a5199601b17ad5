"""Words for people, and animals, that are somebody's: "annem", "my boss"."""

import re
from typing import NamedTuple

from desktop.language.normalization import fold, word_texts

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


class Group(NamedTuple):
    turkish: tuple[str, ...]
    english: tuple[str, ...]

    def has(self, word: str) -> bool:
        return word.startswith(self.turkish) or word.removesuffix("s") in self.english

    def is_mine(self, word: str, before: str) -> bool:
        if before == "my":
            return word in self.english
        bare = re.sub(r"(?<=m)[iu]n$", "", word)
        return bare.endswith("m") and bare in self.turkish


GROUPS = [
    Group(*(tuple(words_.split()) for words_ in line.split("|")))
    for line in _KIN.strip().splitlines()
]


_ALONE = ("anne", "baba", "valide", "esi", "kari", "koca", "hanim")
_ALONE_EN = ("mother", "mom", "mum", "mommy", "father", "dad", "wife", "husband", "spouse")
"""Nobody has two of them."""
_TELLS_AGE = re.compile(
    r"\byas(?:inda|ina|lari|i)\w*|\byears?[ -]old\b|\baged?\b|\bturned\b"
    r"|\b(?:is|are) (?:now )?\d+\.?$"
)
_A_YEAR = 1


def are_ages_of_two(text: str, age: str, before: str) -> bool:
    """Whether a sentence tells the age of somebody of whom there may be two, and of another one.

    A child gets older by a year between two talks, hardly by four, and never younger.
    """
    line = fold(text).strip()
    if _TELLS_AGE.search(line) is None or not (_is_whole(age) and _is_whole(before)):
        return False
    said = [word for word in word_texts(text) if not word.startswith(_ALONE)]
    said = [word for word in said if word not in _ALONE_EN]
    has_kin = any(group.has(word) for group in GROUPS for word in said)
    return has_kin and int(age) - int(before) != _A_YEAR


def _is_whole(value: str) -> bool:
    return value.isdecimal()
