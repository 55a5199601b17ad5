"""Dates of what happens on one day: another date is another exam, unless it is said to be moved.

A birthday, a wedding, a deadline of something named have one date, whoever gives another.
"""

import re

from desktop.language.normalization import fold

_ONE_DATE = re.compile(
    r"\b(?:dogum\w*|dogdu\w*|birthday|birth|born|dugun\w*|nikah\w*|wedding|teslim\w*|deadline|due"
    r"|son (?:tarih|gun)\w*|vade\w*|bitis\w*|expir\w*|anniversary|yildonumu\w*|bayram\w*)\b"
)
_MOVED = re.compile(
    r"\b(?:ertelen\w*|ertelendi|one (?:alin|cekil)\w*|geri alin\w*"
    r"|(?:ileri|geri)ye (?:alin|atil)\w*"
    r"|alindi\w*|kaydiril\w*|kaydi|cekildi|atildi|tasindi|degisti\w*|degistirildi|guncellen\w*|oldu"
    r"|olmus|artik|(?:yeni )?tarihi|yeni tarih\w*"
    r"|(?:(?:has|have) been|was|is|got|been) (?:postponed|rescheduled|moved|pushed|brought|delayed"
    r"|changed|shifted|put)(?: (?:back|forward|off|up|out))?(?: (?:to|until|till|on))?"
    r"|(?:got )?(?:postponed|rescheduled)(?: (?:to|until|till|for))?"
    r"|now|instead|new date\w*)(?= |$)"
)
_SAYS_MOVED = re.compile(
    r"\b(?:ertele|one (?:alin|cekil|aldi)|geri alin|alindi|kaydir|kaydi\b|cekildi|tasindi|degis"
    r"|guncelle|artik|yeni tarih|postpon|reschedul|moved|pushed|brought forward|delayed|changed"
    r"|shifted|put (?:off|back)|now\b|instead|new date|no longer)"
)


def has_one_date(text: str) -> bool:
    return _ONE_DATE.search(fold(text)) is not None


def says_moved(text: str) -> bool:
    """Whether somebody tells that a date is another than it was."""
    return _SAYS_MOVED.search(fold(text)) is not None


def without_moving(text: str) -> str:
    """The words without those that tell of it, to be held against the older date's."""
    line = fold(text).strip(" .!\n")
    found = list(_MOVED.finditer(line))
    pieces, done = [], 0
    for one in found:
        pieces.append(text[done : one.start()])
        done = one.end()
    return " ".join("".join([*pieces, text[done : len(line)]]).split())
