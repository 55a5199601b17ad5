"""What the application answers by itself: who it is, the date, what it may do, calculations.

Without a model this is the answer; otherwise it is added to the request, so that the model need
not guess. It contains no key, and only the user is shown where data is on the disk.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, lru_cache

from desktop.domain.language import Language
from desktop.domain.routing import REFUSED, Guard, GuardTopic, Intent
from desktop.domain.times import long_date, spoken_moment, weekday
from desktop.language.normalization import folded_key, word_texts
from desktop.language.numbers import NUMBER_WORDS
from desktop.research.tools.calculator import (
    NotArithmetic,
    Unit,
    convert,
    equation,
    evaluate,
    format_expression,
    unit_of,
)
from desktop.settings.messages import Texts

_DAYS_AWAY = {GuardTopic.YESTERDAY: -1, GuardTopic.TOMORROW: 1}


@dataclass(frozen=True, slots=True)
class OwnKnowledge:
    now: datetime
    model: str | None = None  # None: no model is connected
    endpoint: str = ""
    is_local: bool = True
    uses_past_sessions: bool = True
    uses_memory: bool = True
    sources: int = 0
    uses_web: bool = False
    folder: str = ""
    remembered: Sequence[str] = ()


# The topics of an intent, by the beginnings of a few words; the last is the default.
_TOPICS = """
about_assistant model  model version surum llm gpt motor engine
about_assistant maker  made maker creat built build develop program compan train invent boss author
about_assistant maker  yapti yapan yarat gelistir uret firma sirket kurucu sahib yazdi tasarla egit
about_assistant name
capabilities custody   data private privacy stor safe secure keep kept see read record spy
capabilities custody   veri gizli sakla guven kayd kayit gor oku dinle paylas
capabilities abilities
temporal tomorrow      tomorrow yarin
temporal yesterday     yesterday dun dunku
temporal time          time clock hour saat saati dakika minute
temporal date
secrets secrets
"""


@cache
def _topics() -> Sequence[tuple[Intent, GuardTopic, tuple[str, ...]]]:
    rows = (line.split() for line in _TOPICS.strip().splitlines())
    return [(Intent(row[0]), GuardTopic(row[1]), tuple(row[2:])) for row in rows]


def find_topic(text: str, intent: Intent) -> GuardTopic:
    """Return what a message about the assistant asks about."""
    text_words = word_texts(text)
    for of, topic, beginnings in _topics():
        is_named = not beginnings or any(word.startswith(beginnings) for word in text_words)
        if of is intent and is_named:
            return topic
    raise AssertionError(intent)


def guarded_intent(topic: GuardTopic) -> Intent:
    return next(intent for intent, other, _ in _topics() if other is topic)


def fixed_answer(topics: Sequence[GuardTopic], own: OwnKnowledge, texts: Texts) -> str:
    return "\n\n".join(dict.fromkeys(_said(topic, own, texts) for topic in topics))


def guard_block(guard: Guard, own: OwnKnowledge, texts: Texts) -> str:
    """Return the notes on these topics for a model, so that it need not guess."""
    notes = (f"- {_told(topic, own, texts)}" for topic in guard.topics)
    lead = texts.say("guard.lead" if guard.is_certain else "guard.lead_if")
    lines = [lead, *dict.fromkeys(notes)]
    if guard.rest:
        lines.append(texts.say("guard.rest", rest=guard.rest))
    return "\n".join(lines)


def is_refusal(guard: Guard) -> bool:
    """Whether nothing in the message is left to request from a model."""
    return not guard.rest and REFUSED.issuperset(guard.topics)


def _told(topic: GuardTopic, own: OwnKnowledge, texts: Texts) -> str:
    """Return the answer without what only the user may read."""
    if topic is GuardTopic.ABOUT_ME:
        return texts.say("guard.about_me_told")
    return " ".join(_said(topic, replace(own, folder=""), texts).split())


def _said(topic: GuardTopic, own: OwnKnowledge, texts: Texts) -> str:
    match topic:
        case GuardTopic.MODEL:
            return _model(own, texts)
        case GuardTopic.ABILITIES:
            return _abilities(own, texts)
        case GuardTopic.CUSTODY:
            return _custody(own, texts)
        case GuardTopic.ABOUT_ME:
            return _about_me(own, texts)
        case _:
            day = own.now + timedelta(days=_DAYS_AWAY.get(topic, 0))
            return texts.say(
                f"guard.{topic.value}",
                date=long_date(day, texts.language),
                weekday=weekday(day, texts.language),
                moment=spoken_moment(own.now, texts.language),
                zone=f"UTC{own.now.astimezone().isoformat()[-6:]}",
            )


def _model(own: OwnKnowledge, texts: Texts) -> str:
    if own.model is None:
        return texts.say("guard.no_model")
    where = texts.say("guard.model_here" if own.is_local else "guard.model_there")
    return texts.say("guard.model", model=own.model, endpoint=own.endpoint, where=where)


def _abilities(own: OwnKnowledge, texts: Texts) -> str:
    can = ["answer"] if own.model else ["quote"]
    can += ["past"] if own.uses_past_sessions else []
    can += ["memory"] if own.uses_memory else []
    can += [] if own.sources else ["library_none"]
    lines = [f"- {texts.say(f'guard.can_{ability}')}" for ability in can]
    if own.sources:
        lines.append(f"- {texts.count('guard.can_library', own.sources)}")
    lines.append(f"- {texts.say('guard.can_web' if own.uses_web else 'guard.cannot_web')}")
    return "\n".join([texts.say("guard.abilities"), "", *lines])


def _custody(own: OwnKnowledge, texts: Texts) -> str:
    key = "custody_folder" if own.folder else "custody"
    where = "nowhere" if own.model is None else "here" if own.is_local else "there"
    sent = texts.say(f"guard.sent_{where}", endpoint=own.endpoint)
    return f"{texts.say(f'guard.{key}', folder=own.folder)} {sent}"


def _about_me(own: OwnKnowledge, texts: Texts) -> str:
    if not own.remembered:
        return texts.say("guard.about_me_nothing")
    return "\n".join([texts.say("guard.about_me"), "", *(f"- {fact}" for fact in own.remembered)])


_LONGEST = 200
_CENTS = 2
_THOUSAND = 1_000
_NUMBER = r"[-−]?\d+(?:[.,]\d+)*"
_AMOUNTS = {"yarim": "0.5", **dict.fromkeys(("bir", "one", "a", "an"), "1")}
_HALF = re.compile(r"\b(?:(bir buçuk)|half an?)\b", re.IGNORECASE)
_SCALES = {
    word: size
    for words in NUMBER_WORDS.values()
    for word, size in words.items()
    if size >= _THOUSAND
}
_SCALED = re.compile(rf"({_NUMBER}) ({'|'.join(_SCALES)})(?!\w)", re.IGNORECASE)
# Words allowed around a calculation, folded.
_CUES = """
= hesapla hesaplar eder yapar ediyor sonucu calculate compute evaluate equals much
"""
"""With them, what might be a date or a range is a calculation, too."""
_TURKISH = """
kac ne kadar olur var olarak cinsinden kactir nedir cevir cevirir donustur misin tutar lutfen acaba
peki bana soyle eder yapar yapilirsa ediyor hesapla hesaplar sonucu
"""
_ENGLISH = """
in to into as is are do does make makes there how many what what's whats convert please can you
could tell me a long far heavy hot warm tall fast the
"""
_FILLERS = frozenset(f"{_CUES}{_TURKISH}{_ENGLISH}".split())
_MOST_CONVERTED = 5  # Words of a conversion besides: a number and two units of one or two words
_ENDING = re.compile(r"['’]\w+|[dt][ae]|[dt][ıiuü]r|y?[aeıiuü]", re.IGNORECASE)
_DEGREES = re.compile(r"\b(?:degrees?|derece)\s(?=[cf]\b|celsius|fahr|santigrat)", re.IGNORECASE)
_TIED = re.compile(r"\d+(?:[-/:.]\d+)+")  # A date, a time, a range, a telephone number, 24/7, 9/11
_JOINED = re.compile(r"[\d)%]\s*(?:[-+*/^:]|\*\*)\s*[\d(.%+-]|[^\W\d]\(")
_MONEY = re.compile(
    r"(?P<before>[₺$€£])\s?(?=\d)"
    r"|(?<=\d)(?P<behind>\s?(?:TL|lira|euro|dolar|dollars?|[₺$€£]))(?:['’]?[^\W\d]+)?(?!\w)",
    re.IGNORECASE,
)
# N: a number; S: a Turkish suffix of it; P: a percent sign.
_PERCENTAGES = (
    (r"NP of N", r"\2 * \1 / 100"),
    (r"NP off(?: of)? N", r"\2 * (1 - \1 / 100)"),
    (r"NS (?:%|yüzde )\s?NS", r"\1 * \2 / 100"),
    (r"NS (?:%|yüzde )\s?NS(?: \w+)? (?:ekle|zam|art)\w*", r"\1 * (1 + \2 / 100)"),
    (r"N (?:plus|increased by|with) NP(?: \w+)?", r"\1 * (1 + \2 / 100)"),
    (r"NS (?:%|yüzde )\s?NS (?:indirim|düş|çıkar|azal)\w*", r"\1 * (1 - \2 / 100)"),
    (r"N (?:minus|reduced by|less) NP", r"\1 * (1 - \2 / 100)"),
    (r"N,? NS (?:yüzde |%)kaçı?", r"\1 * 100 / \2"),
    (r"N is what (?:percent|%) of N", r"\1 * 100 / \2"),
)
_SIGNS = (
    ("artı|plus|−", "+"),
    ("eksi|minus|–", "-"),
    ("çarpı|kere|kez|times|multiplied by|x|×|·", "*"),
    ("bölü|divided by|over|÷", "/"),
    ("üzeri|üssü|to the power of", "^"),
)


def calculate_answer(question: str, texts: Texts) -> str:
    """Return the answer; empty for any other question."""
    text = _DEGREES.sub("", " ".join(question.split()).rstrip(" ?!.…"))
    if len(text) > _LONGEST:
        return ""
    text = _HALF.sub(lambda match: "1.5" if match[1] else "0.5", text)
    try:
        text = _plain_numbers(text, texts.language)
        result = _conversion(text, texts) or _calculation(text, texts)
    except NotArithmetic as exc:
        return texts.say("no_model.no_result") if exc.why == "impossible" else ""
    return texts.say("no_model.calculated", equation=result) if result else ""


def _plain_numbers(text: str, language: Language) -> str:
    """Remove thousands separators, which depend on the language: 1.250, 1,250, 15 bin."""
    words = set(map(folded_key, text.split()))
    if words & _FILLERS:
        language = Language.TR if words.intersection(_TURKISH.split()) else Language.EN
    mark = "." if language is Language.TR else ","
    grouped = rf"(?<![\d.,])\d{{1,3}}(?:[{mark}]\d{{3}})+(?![\d])"
    text = re.sub(grouped, lambda match: match[0].replace(mark, ""), text)
    return _SCALED.sub(lambda match: f"{evaluate(match[1]) * _SCALES[match[2].lower()]:f}", text)


def _conversion(text: str, texts: Texts) -> str:
    words = re.sub(r"(?<=\d)(?=[^\W\d_]|[°µ])", " ", text).split()
    plain = [_plain(word) for word in words]
    if sum(word not in _FILLERS for word in plain) > _MOST_CONVERTED:
        return ""
    for at, word in enumerate(plain):
        number = _AMOUNTS.get(word, word)
        if not re.fullmatch(_NUMBER, number):
            continue
        for unit, rest in _units(words[at + 1 :], [0]):
            others = [*words[:at], *rest]
            for to, remainder in _units(others, reversed(range(len(others)))):
                amount = evaluate(number)
                is_whole = _FILLERS.issuperset(map(_plain, remainder))
                value = convert(amount, unit, to) if is_whole else None
                if value is not None:
                    return equation(f"{amount:f}", value, texts, unit, to)
    return ""


def _plain(word: str) -> str:
    return folded_key(word).strip(",:;?")


def _units(words: Sequence[str], places: Iterable[int]) -> Iterator[tuple[Unit, Sequence[str]]]:
    """Yield the units that begin at these places, as written, and the words around each."""
    for at in places:
        for end in (at + 2, at + 1):
            name = _unit_name(" ".join(words[at:end]))
            if end <= len(words) and (unit := unit_of(name)):
                yield replace(unit, name=name), [*words[:at], *words[end:]]


@lru_cache(maxsize=256)  # the same words are tried for each unit of a question
def _unit_name(written: str) -> str:
    """Return a unit without its Turkish suffix; unchanged if no unit has that name."""
    for length in range(len(written), 0, -1):
        is_stem = length == len(written) or _ENDING.fullmatch(written, length)
        if is_stem and unit_of(written[:length]):
            return written[:length]
    return written


def _calculation(text: str, texts: Texts) -> str:
    """Calculate; an amount of money gives one, two currencies give no result."""
    currencies = {
        (match["before"] or "", match["behind"] or "") for match in _MONEY.finditer(text)
    }
    expression, is_asked = _without_fillers(_MONEY.sub("", text))
    expression = _in_signs(expression)
    is_tied = _TIED.fullmatch(expression) is not None
    if len(currencies) > 1 or not _JOINED.search(expression) or (is_tied and not is_asked):
        return ""
    read = format_expression(expression).replace("*", "×").replace("sqrt", "√").strip()
    value, places = evaluate(expression), _CENTS if currencies else None
    if len(read) > _LONGEST:
        return ""
    left, _, result = equation(read, value, texts, places=places).rpartition(" ")
    before, behind = next(iter(currencies), ("", ""))
    return f"{left} {before}{result}{behind}"


def _without_fillers(text: str) -> tuple[str, bool]:
    words = text.removesuffix("=").split() + ["="] * text.endswith("=")
    is_asked = False
    for end in (-1, 0):
        while words and (word := _plain(words[end])) in _FILLERS:
            is_asked = is_asked or word in _CUES.split()
            del words[end]
    return " ".join(words).rstrip(" ,:;?"), is_asked


def _in_signs(expression: str) -> str:
    for form, meaning in _PERCENTAGES:
        pattern = form.replace("P", r"\s?(?:%|percent)")
        pattern = pattern.replace("N", f"({_NUMBER})").replace("S", r"(?:['’]\w+)?")
        if match := re.fullmatch(pattern, expression, re.IGNORECASE):
            return match.expand(meaning)
    for words, sign in _SIGNS:
        between = rf"(?<=[\d)%])\s*(?:{words})\s*(?=[\d(%.-])"
        expression = re.sub(between, f" {sign} ", expression, flags=re.IGNORECASE)
    return expression
