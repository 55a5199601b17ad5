"""Orders in what is read: text that speaks to a model instead of to a reader, in two languages.

Whatever a page or a document says is data, and no order in it is followed; what is found here is
only marked, so that the model is warned of it and the reader sees it. Nothing rests on its being
complete.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import chain

_DEFUSED = re.compile(
    r"<(?=\s*[/|!]?\s*(?:passage|source|search_result|system|user|assistant|human|instructions?"
    r"|tool_\w+|function_\w+|invoke|antml|im_start|im_end|endoftext)\b)",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"^[\s>#*\-_]{0,6}((?:system|assistant|sistem|asistan)"
    r"(?: (?:prompt|message|note|mesajı|notu|istemi))?[ *_]{0,3}:)",
    re.IGNORECASE | re.MULTILINE,
)
_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁɡοαερτυνικ",
    "abekmhopctyxijsdgoaeptuvik",
)
"""Letters of other alphabets that pass for Latin ones."""


class Order(StrEnum):
    """What a text wants of whoever reads it for somebody."""

    OVERRIDE = "override"
    """To set aside what it was told."""
    SECRETS = "secrets"
    """To give away keys, passwords, or its own instructions."""
    MEMORY = "memory"
    """To remember something, or to forget it."""
    TOOLS = "tools"
    """To call its tools."""
    HIDING = "hiding"
    """To keep something from the user."""
    POSING = "posing"
    """To take it for a message of somebody else's."""


@dataclass(frozen=True, slots=True)
class SuspiciousSpan:
    start: int
    end: int
    order: Order


def suspicious_spans(text: str) -> tuple[SuspiciousSpan, ...]:
    """Where a text gives orders, from its beginning to its end; none overlap."""
    plain, places = _plain(text)
    orders = chain(_found(plain), _posing_lines(text, places))
    found = sorted(orders, key=lambda one: (one[0], -one[1]))
    spans: list[SuspiciousSpan] = []
    last = 0
    for start, end, order in found:
        if start >= last:
            spans.append(SuspiciousSpan(places[start], places[end - 1] + 1, order))
            last = end
    return tuple(spans)


def is_suspicious(text: str) -> bool:
    return bool(suspicious_spans(text))


def defused(text: str) -> str:
    """The text without anything that looks like a mark of ours, or of a model's own format."""
    return _DEFUSED.sub("&lt;", text)


def _found(plain: str) -> Iterator[tuple[int, int, Order]]:
    for order, pattern in _patterns():
        for match in pattern.finditer(plain):
            yield match.start(), match.end(), order


def _posing_lines(text: str, places: list[int]) -> Iterator[tuple[int, int, Order]]:
    """Lines that begin as a message of somebody else's does."""
    starts = dict(zip(places, range(len(places)), strict=True))
    for match in _SPEAKER.finditer(text):
        start, end = starts.get(match.start(1)), starts.get(match.end(1) - 1)
        if start is not None and end is not None:
            yield start, end + 1, Order.POSING


def _plain(text: str) -> tuple[str, list[int]]:
    """One kind of letter, one space at a time, nothing invisible; and where each letter stood."""
    letters: list[str] = []
    places: list[int] = []
    for place, one in enumerate(text):
        letter = _letter(one)
        if letter and not (letter == " " and letters[-1:] == [" "]):
            letters.append(letter)
            places.append(place)
    return "".join(letters), places


@cache
def _letter(one: str) -> str:
    if one.isspace():
        return " "
    if unicodedata.category(one) in ("Cf", "Mn", "Cc"):
        return ""
    base = unicodedata.normalize("NFKD", one)[0].lower()[:1]
    return {"ı": "i", "’": "'", "‘": "'"}.get(base, base.translate(_LOOKALIKES))


_MODEL = r"(?:ai|a\.i\.|llm|language model|chatbot|chat ?gpt|gpt|claude|gemini|copilot|bellek)"
_MODEL_TR = r"(?:yapay zeka|dil modeli|asistan|sohbet robotu|chatgpt|claude|gemini|bellek)"
_OWN_TOOLS = r"(?:memory_\w+|web_search|web_fetch|library_\w+|session_\w+)"
_SECRET = (
    r"(?:api[ -]?keys?|keys?|passwords?|secrets?|(?:access )?tokens?|credentials?|system prompt"
    r"|(?:hidden |initial |system |secret )?instructions|conversation|chat history)"
)
_SECRET_TR = (
    r"(?:(?:api )?anahtar\w*|parola\w*|sifre\w*|gizli bilgi\w*|kimlik bilgi\w*"
    r"|sistem (?:istem|mesaj|talimat|komut)\w*|talimatlarin\w*|konusma(?:nin|yi|lari)\w*)"
)
_TOLD = r"(?:instructions?|prompts?|rules|guidelines|directives|commands|training|programming)"
_TOLD_TR = r"(?:talimat\w*|komut\w*|yonerge\w*|kural\w*|yonlendirme\w*|istem(?:i|ini|leri)\w*)"
_WORDS, _AND = r"(?: [\w'-]+)", r"(?:[\w'-]+ )"
_SOURCES: tuple[tuple[Order, tuple[str, ...]], ...] = (
    (
        Order.OVERRIDE,
        (
            rf"(?<!not )(?<!never )(?<!n't )\b(?:ignore|disregard|forget|override|bypass|discard)"
            rf"{_WORDS}{{0,2}}? (?:previous|prior|above|earlier|preceding|all|your|system|safety)"
            rf"{_WORDS}{{0,3}}? {_TOLD}\b",
            rf"\b(?:new|updated|real|actual|revised) (?:system )?(?:instructions?|prompt)"
            rf"(?: (?:for|to) (?:you|the assistant|the model|{_MODEL}))? ?:",
            rf"\byou are (?:now|no longer) (?:an? |in |bound by )?{_AND}{{0,3}}?"
            rf"(?:{_MODEL}|assistant|agent|mode|restrictions|rules|dan)\b",
            rf"\b(?:onceki|yukaridaki|tum|butun|sistem|sana verilen|verilen|eski|mevcut)"
            rf"{_WORDS}{{0,3}}? {_TOLD_TR}{_WORDS}{{0,3}}? "
            r"(?:yok say(?:in|iniz|ip|arak)?|goz ardi (?:et|edin|ediniz|edip|ederek)"
            r"|gormezden gel(?:in|iniz|ip|erek)?|unut(?:un|unuz|up)?|gecersiz say(?:in|iniz)?"
            r"|dikkate alma(?:yin|yiniz)?|(?:bir kenara )?birak(?:in|iniz)?|uyma(?:yin|yiniz)?)\b",
            rf"\byeni (?:sistem )?(?:talimat|yonerge|komut)\w* ?:",
            rf"\bartik (?:bir |sen )?{_AND}{{0,3}}?(?:yapay zekasin|asistansin|modelsin"
            r"|moddasin|modundasin)\b",
        ),
    ),
    (
        Order.SECRETS,
        (
            rf"(?<!not )(?<!never )\b(?:send|reveal|leak|disclose|output|print|repeat|expose|give"
            rf"|tell|post|e-?mail|share|append|encode|exfiltrate|forward|transmit|include)"
            rf"{_WORDS}{{0,4}}? (?:your|the user's|users'?|me|us|its|their|this)"
            rf"{_WORDS}{{0,3}}? {_SECRET}\b",
            r"\b(?:reveal|print|repeat|output|show|leak)(?: me)? (?:the|your) (?:full |entire )?"
            r"system prompt\b",
            rf"\b{_SECRET_TR}{_WORDS}{{0,5}}? (?:gonder|goster|paylas|soyle|ver|ilet|sizdir|yazdir"
            r"|acikla|yaz|ekle|postala|aktar)\b",
        ),
    ),
    (
        Order.MEMORY,
        (
            rf"\b(?:save|store|remember|add|write|record|keep|memori[sz]e|insert|put){_WORDS}{{0,8}}?"
            r" (?:in|to|into|as|from|within) (?:your|the user's|the assistant's|long[ -]?term|permanent)"
            r" (?:[\w-]+ )?(?:memory|memories|facts?|profile)\b",
            rf"\b(?:update|change|delete|erase|forget|clear|overwrite|wipe){_WORDS}{{0,3}}? "
            r"(?:your memor(?:y|ies)|the user's (?:memory|preferences|profile)"
            r"|(?:all|what|everything) you (?:remember|know))\b",
            r"\b(?:remember|note) (?:that )?(?:from now on|for all future|in (?:all )?future)\b",
            rf"\b(?:bellegin|hafizan|kalici bellek|kalici hafiza)\w*{_WORDS}{{0,8}}? (?:kaydet|ekle"
            r"|yaz|sakla|sil|temizle|guncelle|degistir|tut|isle)\b",
            rf"\b(?:kaydet|hatirla|sakla|ekle){_WORDS}{{0,4}}? (?:bellegine|hafizana)\b",
        ),
    ),
    (
        Order.TOOLS,
        (
            rf"\b(?:call|use|invoke|run|execute|trigger){_WORDS}{{0,4}}? (?:your{_WORDS}{{0,2}}? "
            rf"(?:tools?|functions?|plugins?)|{_OWN_TOOLS})\b",
            rf"\b{_OWN_TOOLS} ?\(",
            rf"\b(?:{_OWN_TOOLS}|araclarin\w*){_WORDS}{{0,4}}? (?:kullan|cagir|calistir)\b",
            r"<(?:tool_use|tool_call|function_calls?|invoke)\b",
        ),
    ),
    (
        Order.HIDING,
        (
            rf"\b(?:do not|don't|never|without) {_AND}{{0,2}}?(?:tell|inform|mention|notify"
            r"|reveal|alert|warn|telling|informing|mentioning|notifying|revealing|alerting|warning)"
            rf"{_WORDS}{{0,4}}? (?:the )?user\b",
            rf"\bkullanici\w*{_WORDS}{{0,4}}? (?:soyleme|bahsetme|haber verme|bildirme|belli etme"
            r"|sezdirme|anlatma)(?:yin|yiniz|den)?\b",
        ),
    ),
    (
        Order.POSING,
        (
            r"</?(?:system|assistant|human|user|instructions?|passage|source|search_result)\s*>",
            r"<\|[\w ]{2,30}\|>",
            r"\[/?(?:inst|system|sys)\]|<</?sys>>",
            rf"\b(?:attention|note|message|notice|instructions?|important)\W{{0,3}}(?:to|for)? ?"
            rf"(?:all |any |the )?{_MODEL}s?(?: assistants?| agents?| models?)?\b ?[:,.!]",
            rf"\bif you are (?:an? )?(?:[\w-]+ ){{0,2}}?(?:{_MODEL}|assistant)\b",
            rf"\b{_MODEL_TR}\w*(?: [\w']+){{0,2}}? (?:icin|yonelik) (?:\w+ )?(?:talimat|not|mesaj"
            r"|komut|yonerge)\w* ?:",
            rf"\b(?:eger )?(?:sen )?(?:bir )?{_MODEL_TR}(?:ysan| isen|san)\b",
            rf"\bokuyan (?:\w+ )?{_MODEL_TR}\w*\b",
        ),
    ),
)


@cache
def _patterns() -> tuple[tuple[Order, re.Pattern[str]], ...]:
    """Compiled when they are first needed."""
    return tuple((order, re.compile("|".join(several))) for order, several in _SOURCES)
