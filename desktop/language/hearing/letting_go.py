"""Hears a wish to forget by what meets in it: "scrub my salary from your notes".

Something of the user's own is to go, and it is what is remembered or was said. It is no more than
a wish: what it means is shown and confirmed before anything goes.
"""

import re
from collections.abc import Sequence

from desktop.language.phrase_matcher import Line
from desktop.language.turkish_possessive import is_mine

_HEAD = (
    r"(?:^|\| )(?:(?:please|kindly|and|just|now|so) )*"
    r"(?:(?:could|would|can|will) you (?:please |kindly |just )*"
    r"|you (?:can|may|could|should) (?:now )?|i (?:want|need|d like|would like) you to |let s )?"
)
_GOES = (
    re.compile(
        _HEAD + r"(?:wipe|scrub|erase|delete|remove|drop|discard|disregard|strike|purge|clear"
        r"|unlearn|unremember|forget|let go of|get rid of|cross out"
        r"|take(?= .*?\b(?:from|out of)\b))"
        r"(?: and erase)?(?= )"
    ),
    re.compile(
        r"(?<![^ ])(?:sil|cikar|kaldir|temizle|unut|at|yok et|dus)(?:[iu]ver)?"
        r"(?:[iaeu]?r m[iu]s[iu]n|[ae]bilir(?: m[iu])?s[iu]n|m[ae]n[iu] (?:ist|rica)\w+|s[ae]n)?"
        r"(?= (?:\||lutfen|artik|daha iyi|iyi olur|onu|bunu|gitsin|$))"
    ),
)
"""At the head of an English clause, at the end of a Turkish one."""
_UNKNOWN = re.compile(
    r"you (?:to )?(?:no longer|not|didn(?: t)?|did not) (?:knew|know|remember\w*)\b"
    r"|\bstop (?:remembering|knowing)\b|none of your business"
    r"|you (?:don(?: t)?|do not|no longer) (?:(?:need|have) to )?(?:know|remember)\b"
    r"|(?<![^ ])(?:hatirla|bil)m[ae](?:n[iu] istemiyorum|n[ae] gerek\w*(?: \w+)?|s[ae]n)?"
    r"(?= (?:\||artik|daha iyi|iyi olur|$))"
    r"|sende kalmasin|hatirlamayi birak"
)
"""What says so without a word for memory."""
_KEPT = re.compile(
    r"\byour (?:memory|notes|records|mind)\b|\b(?:from|out of) (?:the )?memory\b"
    r"|\babout me\b|\b(?:fact|erase|delete|disregard|unlearn) that i\b|\bthe thing about\b"
    r"|\b(?:what(?:ever)?|everything|all|anything) you (?:have |ve |ever )?"
    r"(?:stored|saved|know|remember\w*|kept|learn(?:ed|t)|noted) (?:about|of|on|regarding)\b"
    r"|\bout of what you (?:know|remember)\b|\bnotes? you (?:made|took|have) (?:about|of|on)\b"
    r"|\bi (?:ever |just |have |ve )?(?:said|told you|mentioned) (?:earlier |before )?"
    r"(?:about|of|on|regarding|that)\b"
    r"|\b(?:hafiza|belle[kg]|akl|kayit|not|liste)\w*n[dt][ae]n\b|\b(?:hakkimda|sende)\b"
    r"|\b(?:bil|kaydet|tut|hatirla|ogren|al|et)\w*[dt][iu](?:kl[ae]rin\w*|g[iu]n (?:son |her |ne )"
    r"|g[iu]n (?:not|bilgi|sey)\w*)|\bbiliyorsan\b"
    r"|\b(?:soyle|anlat|de|bahset)\w*[dt][iu](?:g[iu]m[iu]|kl[ae]r[iu]m[iu]?)\b(?! gibi)"
    r"|\b(?:soyle|de|anlat)m[iu]s[dt][iu]m\b|\bbilgi(?:sini|yi)\b"
)
_OF_MINE = re.compile(
    r"\b(?:my|me|i|mine|ben|beni|bana|benim|hakkimda)\b"
    r"|\b\w{2,}[iuae]m(?:[iuae]|l[ae]|[dt][ae]n?|[iu]n)\b"
)
_FILLERS = re.compile(
    r"\b(?:please|what|everything|all|the|bit|part|thing|fact|note|last|from|in|out|of|about|on|that"
    r"|rather|d|daha|iyi|olur|you|have|i|ever|any|longer|anymore|lutfen|artik|ilgili|hakkinda|kismi|her|seyi|ne|varsa|icin"
    r"|meselesini|onu|bunu)\b"
)
_IT = re.compile(r"\b(?:it|them|that|those|onu|onlari|bunu|bunlari|hepsini)\b")
_AND = re.compile(r"\b(?:and|ve)\b")


def lets_go(line: Line) -> str | None:
    """What somebody wants forgotten, without the words that ask for it; None: nobody does."""
    if not any(_OF_MINE.search(line.text) or is_mine(word.text) for word in line.words):
        return None
    goes = [found for one in _GOES for found in one.finditer(line.text)]
    unknown = list(_UNKNOWN.finditer(line.text))
    kept = list(_KEPT.finditer(line.text))
    if not unknown and not any(_is_of(one, other, line) for one in goes for other in kept):
        return None
    return _besides([*goes, *unknown, *kept, *_FILLERS.finditer(line.text)], line)


def _is_of(goes: re.Match[str], kept: re.Match[str], line: Line) -> bool:
    """Whether what is kept is what is to go: nothing else is asked for between them."""
    first, last = sorted((goes, kept), key=re.Match.start)
    between = line.text[first.end() : last.start()]
    is_left_behind = first is kept and "|" in between and not _IT.search(line.text, last.start())
    return not is_left_behind and _AND.search(between) is None


def _besides(found: Sequence[re.Match[str]], line: Line) -> str:
    spans = [one.span() for one in found]
    return " ".join(
        line.original[word.start : word.end]
        for word, at in zip(line.words, line.starts, strict=True)
        if not any(start <= at < end for start, end in spans)
    )
