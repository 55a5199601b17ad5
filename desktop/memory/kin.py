"""Words for people, and animals, that are somebody's: "annem", "my boss"."""

import re
from typing import NamedTuple

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
