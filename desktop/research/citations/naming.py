"""Finds sources that an answer names by number in its sentences, or in a list of its own.

"Source 2 says", "Kaynak 1'e göre", and what stands below "Kaynaklar:": the reader's numbers are
others than the model's, so that a number that was left as it is would name another source.
"""

import re

from desktop.research.citations.freehand import Half
from desktop.research.citations.respelling import Given, Respelt

_AND = r"(?:\[\d{1,3}\]\s?(?:,|ve|and|&|ile)\s?){0,4}"
_NAMED = re.compile(
    rf"(?<![\w\[-])(?:[Kk]aynaklar|Kaynak|KAYNAK|Pasaj|[Ss]ources?|[Pp]assages?)\s#?{_AND}\Z"
)
_NAMED_WITH_A_CAPITAL = re.compile(r"(?<!Open )(?:Source|Passage)\s#?\Z")
_COUNTED = re.compile(
    r"(\d{1,3})(?:\.\s+|\s+(?=numaralı\s))(?=(?:numaralı\s+)?(?:kayna[kğ]|pasaj)\w)"
)
_HALF_COUNTED = re.compile(r"\d{1,3}(?:\.?\s*|\.\s+[kp]\w{0,6}|\s+n\w{0,7}(?:\s+\w{0,7})?)\Z")
_NUMBER = re.compile(r"\d{1,3}(?!\w)")
_SAYS = (
    r"(?:says?|said|states?|stated|notes?|reports?|mentions?|confirms?|explains?|describes?|shows?"
    r"|gives?|writes?|claims?|adds?|also|tells?|diyor|der|belirt\w*|söyl\w*|göre|bildir\w*|yaz\w*"
    r"|anlat\w*|açıkl\w*|şöyle|ise|de|da|ve|and|ile)\b"
)
_NAMES = re.compile(rf"(?:[:,;.!?)\"”»—–]|['’][^\W\d_]|\s+(?:[(\"“„«—–&-]|{_SAYS})|\s*\n|\s*\Z)")
_NAMES_NOT = re.compile(r"[.,]\d")
_LONGEST_VERB = 14
_HEADING = re.compile(
    r"(?:\A|\n)[#*_ \t]*(?:kaynaklar|kaynakça|referanslar|dipnotlar|alıntılar|atıflar|sources?"
    r"(?: used| cited)?|references|citations|footnotes|kullanılan kaynaklar)[*_ \t]*:?[*_ \t]*"
    r"\n\s*(?:[-*]\s+)?\Z",
    re.IGNORECASE,
)
_IN_A_LIST = re.compile(r"\n\s*- \[(?:\d{1,3}|\?)\][^\n]*\n\s*(?:[-*]\s+)?\Z")
_ITEM = re.compile(r"(\d{1,3})[.)]\**[ \t]+")
_HALF_AN_ITEM = re.compile(r"\d{1,3}(?:[.)]\**[ \t]*)?\Z")
_BULLET = re.compile(r"(?:\A|\n)[ \t]*[-*][ \t]+\Z")
_BEHIND_ANOTHER = re.compile(r"\][^\]]*\Z")


def respell_number(text: str, before: str, given: Given, *, is_over: bool) -> Respelt | Half:
    """Of a text that begins with a digit, behind what was said before."""
    if not is_over and _HALF_COUNTED.match(text):
        return Half.OPEN
    counted = _COUNTED.match(text)
    if counted and given.has(int(counted[1])) and not before[-1:].isalnum():
        return Respelt(counted.end(), f"[{int(counted[1])}] ")
    if named := _NAMED.search(before):
        is_sure = _BEHIND_ANOTHER.search(named[0]) or _NAMED_WITH_A_CAPITAL.search(before)
        return _named(text, given, is_sure=bool(is_sure), is_over=is_over)
    if before.endswith(("\n", " ")) and (_HEADING.search(before) or _IN_A_LIST.search(before)):
        return _listed(text, before, given, is_over=is_over)
    return Half.NONE


def _named(text: str, given: Given, *, is_sure: bool, is_over: bool) -> Respelt | Half:
    found = _NUMBER.match(text)
    behind = text[found.end() :] if found else text.lstrip("0123456789")
    if not is_over and len(behind) < _LONGEST_VERB and "\n" not in behind:
        return Half.OPEN
    if found is None or _NAMES_NOT.match(behind):
        return Half.NONE
    if not (is_sure or _NAMES.match(behind)):
        return Half.NONE
    return Respelt(found.end(), f"[{int(found[0])}]") if given.has(int(found[0])) else Half.NONE


def _listed(text: str, before: str, given: Given, *, is_over: bool) -> Respelt | Half:
    if not is_over and _HALF_AN_ITEM.match(text):
        return Half.OPEN
    found = _ITEM.match(text)
    if found is None:
        return Half.NONE
    bullet = "" if _BULLET.search(before) else "- "
    number = int(found[1])
    return Respelt(found.end(), f"{bullet}[{number if given.has(number) else '?'}] ")
