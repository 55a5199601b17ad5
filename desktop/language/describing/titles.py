"""Turns a question into a title: its subject, without the words that ask."""

import re

from desktop.domain.language import Language
from desktop.language.normalization import fold, words
from desktop.language.sentences import plain_text

LONGEST_TITLE = 60
_SHORTEST_PIECE = 18

# All patterns read folded text, so that their spans fit the original.
_BETWEEN = r"(?:[\s,:;!.…-]+|$)"
_LEAD = {
    Language.TR: re.compile(
        r"(?:merhaba(?:lar)?|selam(?:lar)?|iyi gunler|lutfen|simdi|peki|tamam|acaba|bana|bize"
        r"|bir de|ya|hocam|bugun|biraz|sorum su|merak ettim|kisaca|yeni konu"
        r"|(?:bunu|sunu|(?:su|asagidaki) (?:metni|yaziyi)) \w+ m[iu]s[iu]n(?:[iu]z)?"
        rf"|(?:su )?konuda? yardim(?:ci olur musun)?){_BETWEEN}"
    ),
    Language.EN: re.compile(
        r"(?:hi|hello|hey|please|okay|ok|so|now|well|and|but|also|then|just|briefly|thanks|today"
        r"|(?:can|could|would|will) you(?: please| kindly| briefly)?|new topic"
        r"|i(?: ?'d| would)? (?:want|like|need|have) to (?:know|learn|understand|research|ask)"
        r"(?: more)?(?: about)?|i(?: am|'m) (?:curious|wondering|interested)(?: (?:about|in))?"
        r"|i wonder|tell me(?: more)?(?: about)?|(?:what )?do you know(?: about)?"
        r"|help me(?:(?: to)? understand| with)?|teach me(?: about)?|explain(?: to me)?|describe"
        r"|(?:summari[sz]e|explain|translate|rewrite) (?:this|the following)(?: text)?"
        r"|define|summari[sz]e|outline|look (?:up|into)|(?:do )?(?:some )?research(?: on| about)?"
        r"|give me (?:an overview|a summary|an introduction) (?:of|to|on)"
        r"|(?:let's|lets|let us) (?:talk about|discuss|research|explore|look (?:at|into))"
        rf"|i(?: am|'m)? get(?:ting)?|i(?: have|'ve) got){_BETWEEN}"
    ),
}
_QUESTION_TR = """
nedir nelerdir neler nelerdi neydi ne kimdir kim kimdi demek demektir midir anlama gelir geliyor
biliyorsun bilgi bilgiler arastirma ozet bana bize kisaca kisa basitce biraz detayli detaylica
ayrintili ayrintilica adim lutfen sade sadece olarak basit bir dille sekilde daha iyi tekrar genel
temel misin musun misiniz musunuz miyiz muyuz ogrenmek bilmek arastirmak istiyorum istiyoruz merak
ediyorum
"""
_ABOUT = frozenset(("hakkinda", "konusunda", "ilgili", "uzerine", "konusu", "konusunu"))
_ASKING = frozenset(_QUESTION_TR.split()) | _ABOUT | {"ile"}
"""Turkish words behind what is asked about."""
_REQUEST = re.compile(
    r"(?:acikla|anlat|arastir|incele|ozetle|tanimla|tarif et|konus|tartis|ogret|listele|hesapla"
    r"|karsilastir|degerlendir|hazirla|ver|yap|yaz|oner|bul|goster|soyle|cikar|planla|olustur"
    r"|cevir|bak)(?:y?[ae]bilir|[aeiu]?r)?(?:y?[ae]l[iu]m|y?[iu]n|s[ae]n[ae])?|ogrenmek|bilmek"
)
_WHAT_IS = re.compile(
    r"(?:what(?:'s| is| are| was| were)(?: exactly)?|who(?:'s| is| are| was| were))\s+"
    r"(?:an? |the )?"
)
# Not "how tides work", which is left of "can you explain how tides work?".
_ENGLISH_ASKS = re.compile(
    r"(?:\w+ ){0,3}?(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had)\b"
)
_LEFT_OPEN = re.compile(
    r".*\s(?:for|in|of|to|like|from|with|about|at|on|by|made|called|used|it|that|there"
    r"|[a-z]+ing|best|better|worse)"
)
_HOW = re.compile(
    r"(?P<to>how|where|when) (?:do|can|should|could|would) (?:i|you|we|one)\s+"
    r"|(?P<do>how|why|where|when) do |(?:the|an?) "
)
_ENGLISH_MANNER = re.compile(
    r"[\s,]+(?:in (?:simple|plain|layman's) (?:words|terms|english)|briefly|please|to me|for me"
    r"|in detail|step by step|in a (?:few|couple of) (?:words|sentences)|thanks)$"
)
_CUTS = re.compile(
    r"\s+(?:when|because|while|so that|and then|after|before|if|but|çünkü|ama|fakat|ve"
    r"|and (?:how|why|what|when|which|who|whether))\s|[,;:(–—]\s*"
)
_OUTER_EDGES = " \t\n.,;:!…-–—*_"
_EDGES = _OUTER_EDGES + '?"“”'


def make_title(question: str, language: Language) -> str:
    """Return a title of at most 60 characters, cut at a word; empty if there is no subject."""
    text = plain_text(question)
    while (lead := _LEAD[language].match(fold(text))) and lead.end() < len(text.rstrip(_EDGES)):
        text = text[lead.end() :]
    bare = text.rstrip(_EDGES)
    title = _english_title(bare) if language is Language.EN else _turkish_title(bare)
    is_question = language is Language.TR or _ENGLISH_ASKS.match(fold(bare))
    if title == bare and is_question and text.rstrip().endswith("?"):
        title += "?"
    title = _shortened(title.strip(_OUTER_EDGES))
    if not any(letter.isalnum() for letter in title):
        return ""
    if not title[:2].islower():
        return title
    is_dotted = title[0] == "i" and language is Language.TR
    return ("İ" if is_dotted else title[0].upper()) + title[1:]


def _turkish_title(text: str) -> str:
    found = words(text)
    kept = len(found)
    while kept and ((word := found[kept - 1].text) in _ASKING or _REQUEST.fullmatch(word)):
        kept -= 1
    dropped = {word.text for word in found[kept:]}
    if not kept or not dropped:
        return text
    title = text[: found[kept].start].rstrip()
    has_object = any(map(_REQUEST.fullmatch, dropped)) and dropped.isdisjoint(_ABOUT)
    return _without_accusative(title) if has_object else title


def _without_accusative(title: str) -> str:
    """Return the object of a request in its title form: not dolanıklığını but dolanıklığı."""
    head, apostrophe, suffix = title.rpartition("'")
    if apostrophe and suffix.isalpha():
        return head
    folded = fold(title)
    if re.search(r"(?:[aeiu]y|l[ae]r[iu]n|s[iu]n)[iu]$", folded):
        return title[:-2]
    if not re.search(r"[^aeiouy][iu]$", folded):
        return title
    if " " in title:
        return title[:-2] if folded[-2:-1] == "n" and folded[-3:-2] in "iu" else title
    bare = title[:-1]
    return bare[:-1] + {"b": "p", "c": "ç", "ğ": "k"}.get(bare[-1], bare[-1])


def _english_title(text: str) -> str:
    while manner := _ENGLISH_MANNER.search(fold(text)):
        text = text[: manner.start()]
    folded = fold(text)
    if (what := _WHAT_IS.match(folded)) and not _LEFT_OPEN.fullmatch(folded):
        return text[what.end() :]
    if (how := _HOW.match(folded)) is None:
        return text
    asked = text[: how.end(how.lastgroup)] if how.lastgroup else ""
    return f"{asked}{' to' if how['to'] else ''} {text[how.end() :]}".lstrip()


def _shortened(title: str) -> str:
    if len(title) <= LONGEST_TITLE:
        return title
    pieces = [cut.start() for cut in _CUTS.finditer(title) if cut.start() <= LONGEST_TITLE]
    if pieces and pieces[-1] >= _SHORTEST_PIECE:
        return title[: pieces[-1]].rstrip(_EDGES)
    words_end = title.rfind(" ", 0, LONGEST_TITLE)
    cut = title[: words_end if words_end >= _SHORTEST_PIECE else LONGEST_TITLE - 1]
    return cut.rstrip(_EDGES) + "…"
