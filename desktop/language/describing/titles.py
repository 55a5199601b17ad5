"""Turns a question into a title: what is asked about, without the asking."""

import re

from desktop.domain.language import Language
from desktop.language.markdown_stripping import plain_text
from desktop.language.normalization import fold

LONGEST_TITLE = 60
_LEAST_LETTERS = 3
_SHORTEST_PIECE = 18

# All patterns read folded text, so that their spans fit the original.
_BETWEEN = r"(?:[\s,:;!.…-]+|$)"
_LEAD = {
    Language.TR: re.compile(
        r"(?:merhaba(?:lar)?|selam(?:lar)?|iyi gunler|lutfen|simdi|peki|tamam|acaba|bana|bize"
        r"|bir de|ya|hocam|bugun|biraz|sorum su|sana bir sey soracagim|merak ettim|kisaca"
        r"|(?:bunu|sunu|(?:su|asagidaki) (?:metni|yaziyi)) \w+ m[iu]s[iu]n(?:[iu]z)?"
        rf"|yeni konu|(?:su )?konuda? yardim(?:ci olur musun)?){_BETWEEN}"
    ),
    Language.EN: re.compile(
        r"(?:hi|hello|hey|please|okay|ok|so|now|well|and|but|also|then|just|briefly|thanks|today"
        r"|(?:can|could|would|will) you(?: please| kindly| briefly)?|new topic"
        r"|i(?: ?'d| would)? (?:want|like|need|have) to (?:know|learn|understand|research|ask)"
        r"(?: more)?(?: about)?|i(?: am|'m) (?:curious|wondering|interested)(?: (?:about|in))?"
        r"|i wonder|tell me(?: more)?(?: about)?|do you know|what do you know about"
        r"|help me(?:(?: to)? understand| with)?|teach me(?: about)?|explain(?: to me)?|describe"
        r"|(?:summari[sz]e|explain|translate|rewrite) (?:this|the following)(?: text)?"
        r"|define|summari[sz]e|outline|look up|look into"
        r"|give me (?:an overview|a summary|an introduction) (?:of|to|on)"
        r"|(?:let's|lets|let us) (?:talk about|discuss|research|explore|look at|look into)"
        r"|(?:do )?(?:some )?research(?: on| about)?|i(?: am|'m) getting|i get"
        rf"|i(?: have|'ve) got){_BETWEEN}"
    ),
}
_TURKISH_QUESTION = re.compile(
    r"\s+(?:nedir|nelerdir|neler(?:di)?|neydi|ne|kimdir|kim(?:di)?|ne demek(?:tir)?|midir"
    r"|ne demek oluyor|ne anlama gel(?:ir|iyor)|hakkinda ne biliyorsun|nasil bir sey(?:dir)?)$"
)
_ASKED_FOR = (
    r"acikla|anlat|arastir|incele|ozetle|tanimla|tarif et|konus|tartis|ogret|listele|hesapla"
    r"|karsilastir|degerlendir|hazirla|ver|yaz|oner|bul|goster|soyle|cikar|planla|olustur|cevir"
    r"|ogrenmek isti|bilmek isti|arastirmak isti|merak edi|bak"
)
_TURKISH_REQUEST = re.compile(
    rf"\s+(?:{_ASKED_FOR})(?:y?[ae]bilir|[aeiu]?r)?(?: m[iu]s[iu]n(?:[iu]z)?| m[iu]y[iu]z)?"
    r"(?:y?[ae]l[iu]m|y[iu]n|yorum|yoruz|[iu]n|s[ae]n[ae])?$"
)
_TURKISH_ABOUT = re.compile(
    r"\s+(?:hakkinda|konusunda|ile ilgili|uzerine|konusu|konusunu)"
    r"(?: (?:bana|biraz|kisa|kisaca|genel|detayli|temel))*"
    r"(?: (?:bilgi(?:ler)?|arastirma|ozet))?"
    r"(?: (?:ver|yap|ist)(?:[iea]r|iyorum|[ae]lim|[ae]bilir)?(?: m[iu]s[iu]n(?:[iu]z)?)?)?$"
)
_TURKISH_MANNER = re.compile(
    r"\s+(?:bana|bize|kisaca|basitce|biraz|detayli(?:ca)?|ayrintili(?:ca)?|adim adim|lutfen"
    r"|sade(?:ce)?|(?:detayli|ayrintili) olarak|basit(?: bir)? (?:dille|sekilde)|daha|iyi"
    r"|tekrar)$"
)
_ENGLISH_WHAT = re.compile(
    r"(?:what(?:'s| is| are| was| were)(?: exactly)?|who(?:'s| is| are| was| were))\s+"
    r"(?:an? |the )?"
)
# Not "how tides work", which is left of "can you explain how tides work?".
_ENGLISH_ASKS = re.compile(
    r"(?:\w+ ){0,3}?(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had)\b"
)
_ENGLISH_LEFT_OPEN = re.compile(
    r".*\s(?:for|in|of|to|like|from|with|about|at|on|by|made|called|used|it|that|there"
    r"|[a-z]+ing|best|better|worse)"
)
_ENGLISH_HOW_TO = re.compile(r"(how|where|when) (?:do|can|should|could|would) (?:i|you|we|one)\s+")
_ENGLISH_DO = re.compile(r"(how|why|where|when) (?:do|did) ")
_ENGLISH_MANNER = re.compile(
    r"[\s,]+(?:in (?:simple|plain|layman's) (?:words|terms|english)|briefly|please|to me|for me"
    r"|in detail|step by step|in a (?:few|couple of) (?:words|sentences)|thanks)$"
)
_CUTS = re.compile(
    r"\s+(?:when|because|while|so that|and then|after|before|if|but|çünkü|ama|fakat|ve"
    r"|and (?:how|why|what|when|which|who|whether))\s|[,;:(–—]\s*"
)
_EDGES = ' \t\n.,;:!?…-–—*_"“”'


def make_title(question: str, language: Language) -> str:
    """A title of at most 60 characters, cut at a word; empty if nothing is asked about."""
    text = _without_lead(plain_text(question), language)
    bare = text.rstrip(_EDGES)
    title = _english_title(bare) if language is Language.EN else _turkish_title(bare)
    is_question = language is Language.TR or _ENGLISH_ASKS.match(fold(bare))
    if title == bare and is_question and text.rstrip().endswith("?"):
        title += "?"
    title = title.strip(_EDGES.replace("?", "").replace('"', "").replace("“", "").replace("”", ""))
    if not any(letter.isalnum() for letter in title):
        return ""
    return _capitalised(_shortened(title), language)


def _without_lead(text: str, language: Language) -> str:
    while (lead := _LEAD[language].match(fold(text))) and lead.end() < len(text.rstrip(_EDGES)):
        text = text[lead.end() :]
    return text


def _turkish_title(text: str) -> str:
    title = _drop(text, _TURKISH_MANNER)
    for pattern in (_TURKISH_QUESTION, _TURKISH_ABOUT):
        if pattern.search(fold(title)):
            return _drop(title, pattern, _TURKISH_MANNER)
    if _TURKISH_REQUEST.search(fold(title)):
        title = _drop(title, _TURKISH_REQUEST, _TURKISH_MANNER, _TURKISH_ABOUT)
        return _without_accusative(title)
    return title


def _drop(text: str, *patterns: re.Pattern[str]) -> str:
    for pattern in patterns:
        while found := pattern.search(fold(text)):
            text = text[: found.start()]
    return text


def _without_accusative(title: str) -> str:
    """The object of a request as it stands in a title: not dolanıklığını but dolanıklığı."""
    head, apostrophe, suffix = title.rpartition("'")
    if apostrophe and suffix.isalpha():
        return head
    folded = fold(title)
    if re.search(r"(?:[aeiu]y|l[ae]r[iu]n|s[iu]n)[iu]$", folded):
        return title[:-2]
    if not re.search(r"[^aeiouy][iu]$", folded):
        return title
    if " " in title:
        return title[:-2] if re.search(r"[iu]n[iu]$", folded) else title
    bare = title[:-1]
    return bare[:-1] + {"b": "p", "c": "ç", "ğ": "k"}.get(bare[-1], bare[-1])


def _english_title(text: str) -> str:
    text = _drop(text, _ENGLISH_MANNER)
    folded = fold(text)
    if (what := _ENGLISH_WHAT.match(folded)) and not _ENGLISH_LEFT_OPEN.fullmatch(folded):
        return text[what.end() :]
    if how_to := _ENGLISH_HOW_TO.match(folded):
        return f"{text[: how_to.end(1)]} to {text[how_to.end() :]}"
    if (do := _ENGLISH_DO.match(folded)) and " did " not in do[0]:
        return f"{text[: do.end(1)]} {text[do.end() :]}"
    article = re.match(r"(?:the|an?) ", folded)
    return text[article.end() :] if article else text


def _shortened(title: str) -> str:
    if len(title) <= LONGEST_TITLE:
        return title
    pieces = [cut.start() for cut in _CUTS.finditer(title) if cut.start() <= LONGEST_TITLE]
    if pieces and pieces[-1] >= _SHORTEST_PIECE:
        return title[: pieces[-1]].rstrip(_EDGES)
    words_end = title.rfind(" ", 0, LONGEST_TITLE)
    cut = title[: words_end if words_end >= _SHORTEST_PIECE else LONGEST_TITLE - 1]
    return cut.rstrip(_EDGES) + "…"


def _capitalised(title: str, language: Language) -> str:
    if len(title) < _LEAST_LETTERS or not title[:2].islower():
        return title
    first = title[0]
    return ("İ" if first == "i" and language is Language.TR else first.upper()) + title[1:]
