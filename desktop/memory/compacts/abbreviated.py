"""Knows a name again that one text spells out and the other abbreviates: "WHO", "T2DM".

By its initials; and for some that everybody writes, where they are of another language.
"""

import re
from collections.abc import Iterable, Iterator

from desktop.language.normalization import fold, folded_key, word_texts

_ABBREVIATION = re.compile(r"(?<!\w)(?=\w*[^\W\d_]\w*[^\W_])[A-ZÇĞİÖŞÜ\d]{2,7}(?!\w)")
_SMALL = frozenset(word_texts("of the and for in on to ve ile da de için a an"))
_WELL_KNOWN = """
t1dm = tip 1 diyabet | type 1 diabetes
t2dm = tip 2 diyabet | type 2 diabetes
dm = diyabet | diabetes
gdm = gestasyonel diyabet | gebelik diyabeti | gestational diabetes
ht = hipertansiyon | yüksek tansiyon | hypertension | high blood pressure
koah = kronik obstrüktif akciğer | copd
copd = chronic obstructive pulmonary | koah
kah = koroner arter | coronary artery
dehb = dikkat eksikliği | adhd
adhd = attention deficit | dehb
okb = obsesif kompulsif | ocd
bmi = beden kitle | vücut kitle | vki | body mass
vki = beden kitle | vücut kitle | bmi
who = dünya sağlık örgüt | dsö
dsö = dünya sağlık örgüt | world health | who
eu = avrupa birliği | european union | ab
ab = avrupa birliği | european union | eu
usa = amerika | abd | united states | us
us = amerika | abd | united states | usa
abd = amerika | united states | usa | us
uk = birleşik krallık | ingiltere | united kingdom | britain
un = birleşmiş milletler | united nations | bm
bm = birleşmiş milletler | united nations | un
kdv = katma değer | vat | value added
vat = value added | katma değer | kdv
ai = yapay zek | artificial intelligence
yz = yapay zek | artificial intelligence | ai
mri = manyetik rezonans | mr | emar
mr = manyetik rezonans | mri | emar
"""
_KNOWN = {
    folded_key(short.strip()): [folded_key(one.strip()) for one in long.split("|")]
    for short, long in (line.split("=") for line in _WELL_KNOWN.strip().splitlines())
}


def is_spelled_out(abbreviation: str, text: str) -> bool:
    """Whether a text has what an abbreviation stands for, or another one for it."""
    folded = folded_key(text)
    if any(
        re.search(rf"(?<!\w){re.escape(one)}", folded)
        for one in _KNOWN.get(folded_key(abbreviation), ())
    ):
        return True
    return _has_initials(folded_key(abbreviation), _telling(text))


def told_by_initials(originals: Iterable[str], compact: str) -> frozenset[str]:
    """The folded words, figures too, of which a compact has the abbreviation."""
    found: set[str] = set()
    short = {folded_key(one) for one in _ABBREVIATION.findall(compact)}
    for text in originals if short else ():
        said = _telling(text)
        for one in short:
            found.update(*_spelling(one, said))
            for long in _KNOWN.get(one, ()):
                if f" {long}" in f" {' '.join(said)}":
                    found.update(long.split())
    return frozenset(found)


def _telling(text: str) -> list[str]:
    return [word for word in word_texts(fold(text)) if word not in _SMALL]


def _has_initials(short: str, said: list[str]) -> bool:
    return any(True for _ in _spelling(short, said))


def _spelling(short: str, said: list[str]) -> Iterator[list[str]]:
    """Where words follow one another whose initials are these."""
    for start in range(len(said) - len(short) + 1):
        words = said[start : start + len(short)]
        if all(word[0] == letter for word, letter in zip(words, short, strict=True)):
            yield words
