"""Puts the date behind words that mean another day tomorrow: "yarın (23 Kasım 2026)".

What is remembered is read weeks later, when "next month" is over. Ages and durations have no one
date; of those it is only said that they hold as of a day.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from desktop.domain.language import Language
from desktop.language.dates.date_formatting import day_in_words, month_in_words
from desktop.language.dates.date_parser import said_dates
from desktop.language.normalization import fold

_DAY_STEPS = {
    Language.TR: {"evvelsi gun": -2, "dun": -1, "bugun": 0, "yarin": 1, "obur gun": 2},
    Language.EN: {
        "day before yesterday": -2,
        "yesterday": -1,
        "last night": -1,
        "today": 0,
        "this morning": 0,
        "this afternoon": 0,
        "this evening": 0,
        "tonight": 0,
        "day after tomorrow": 2,
        "tomorrow": 1,
    },
}
_TODAY_TR = "bu sabah|bu aksam|bu gece|bu ogle(?:n|den sonra)?"
_WEEKDAYS = {
    Language.TR: (
        "pazartesi",
        "sali",
        "carsamba",
        "persembe",
        "cuma(?!rtesi)",
        "cumartesi",
        "pazar(?!tesi)",
    ),
    Language.EN: ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
}
_STEPS = {
    "gecen": -1,
    "gectigimiz": -1,
    "onceki": -1,
    "bu": 0,
    "gelecek": 1,
    "onumuzdeki": 1,
    "last": -1,
    "this": 0,
    "next": 1,
    "the coming": 1,
}
_NUMBERS = {
    "bir": 1,
    "iki": 2,
    "uc": 3,
    "dort": 4,
    "bes": 5,
    "alti": 6,
    "yedi": 7,
    "sekiz": 8,
    "dokuz": 9,
    "on": 10,
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_UNITS = {
    "gun": "day",
    "hafta": "week",
    "ay": "month",
    "yil": "year",
    "sene": "year",
    "day": "day",
    "week": "week",
    "month": "month",
    "year": "year",
}
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_KI = r"(?:'?(?:k[iu]\w*|[dt][ae]n?|a|n?[iu]n))?"
_CASE = r"(?:'?(?:k[iu]\w{0,8}|y?a|n?[iu]n|dan?|daki\w*|[iu]nda\w*))?"
"""What Turkish hangs on a day, and on a week, month or year."""
_WEEK, _MONTHS = 7, 12
_AGEING = re.compile(
    r"\b\d{1,3} yasinda|\b\d{1,2} (?:years?|months?|weeks?) old\b"
    r"|\b\w+ (?:gun|hafta|ay|yil|sene)d[iu]r\b"
    r"|\bfor (?:the (?:last|past) )?\w+ (?:days|weeks|months|years)\b"
    r"|\bi(?:'m| am) \d{1,3}\b(?! ?(?:%|cm|kg|km|lbs?|pounds|minutes|hours|miles|feet))"
    r"|\b(?:su an(?:da)?|su siralar|bu aralar|bu siralar|simdilik|yakinda|gecenlerde|currently"
    r"|right now|these days|at the moment|for now|soon|recently)\b"
    r"|\b(?:pazartesi|sali|carsamba|persembe|cuma|cumartesi|pazar) gunu\b"
    r"|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
)
"""What was true on the day it was said, and says nothing of when that was."""

_Resolve = Callable[[re.Match[str], date], str]


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    resolve: _Resolve


def with_dates(text: str, said_at: datetime) -> str:
    """With the local date behind each word for a day, week, month or year counted from today.

    As it is where a calendar date stands in it: that one may be the one that is meant.
    """
    if said_dates(text):
        return text
    folded, today = fold(text), said_at.astimezone().date()
    found: dict[int, tuple[int, str]] = {}
    taken = [False] * len(text)
    for form in _FORMS:
        for match in form.pattern.finditer(folded):
            told = "" if any(taken[match.start() : match.end()]) else form.resolve(match, today)
            if told:
                taken[match.start() : match.end()] = [True] * len(match[0])
                found[match.end()] = (match.start(), told)
    for end in sorted(found, reverse=True):
        text = f"{text[:end]} ({found[end][1]}){text[end:]}"
    return text


def is_of_its_day(text: str) -> bool:
    """Whether it tells an age, a duration or a "now", so that it needs the day it was said on."""
    return not said_dates(text) and _AGEING.search(fold(text)) is not None


def _day(steps: int, language: Language) -> _Resolve:
    return lambda _match, today: day_in_words(today + timedelta(days=steps), language)


def _counted(language: Language, sign: int) -> _Resolve:
    def resolve(match: re.Match[str], today: date) -> str:
        said = match["count"]
        count = sign * (int(said) if said.isdigit() else _NUMBERS[said])
        unit = _UNITS[match["unit"]]
        if unit == "day":
            return day_in_words(today + timedelta(days=count), language)
        if unit == "week":
            return f"≈ {day_in_words(today + timedelta(weeks=count), language)}"
        return _stretch(unit, count, today, language)

    return resolve


def _which(language: Language) -> _Resolve:
    def resolve(match: re.Match[str], today: date) -> str:
        return _stretch(_UNITS[match["unit"]], _STEPS[match["which"]], today, language)

    return resolve


def _next_stretch(unit: str, language: Language) -> _Resolve:
    return lambda _match, today: _stretch(unit, 1, today, language)


def _stretch(unit: str, steps: int, today: date, language: Language) -> str:
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=steps)
        return f"{day_in_words(monday, language)} – {day_in_words(_plus(monday, 6), language)}"
    if unit == "month":
        months = today.year * _MONTHS + today.month - 1 + steps
        return month_in_words(date(months // _MONTHS, months % _MONTHS + 1, 1), language)
    return str(today.year + steps)


def _weekday(number: int, language: Language) -> _Resolve:
    """Of this week, the last one that was, the next one that comes; "next" is the week after."""

    def resolve(match: re.Match[str], today: date) -> str:
        which = match["which"]
        ahead = (number - today.weekday()) % _WEEK
        if which in {"gecen", "gectigimiz", "onceki", "last"}:
            day = _plus(today, ahead - _WEEK)
        elif which in {"haftaya", "gelecek hafta", "next week", "next"}:
            day = _plus(today, _WEEK - today.weekday() + number)
        else:
            day = _plus(today, ahead)
        return day_in_words(day, language)

    return resolve


def _weekend(match: re.Match[str], today: date, language: Language) -> str:
    steps = _STEPS[match["which"]] * _WEEK
    saturday = _plus(today, 5 - today.weekday() + steps)
    return f"{day_in_words(saturday, language)} – {day_in_words(_plus(saturday, 1), language)}"


def _plus(day: date, days: int) -> date:
    return day + timedelta(days=days)


def _form(pattern: str, resolve: _Resolve) -> _Form:
    return _Form(re.compile(rf"(?<![\w'-]){pattern}(?!\w)"), resolve)


def _forms() -> list[_Form]:
    tr, en = Language.TR, Language.EN
    of_tr, of_en = r"(?P<unit>hafta|ay|yil|sene)", r"(?P<unit>week|month|year)"
    which_tr, which_en = r"(?P<which>gecen|gelecek|onumuzdeki|bu)", r"(?P<which>last|this|next)"
    forms = [
        _form(rf"{which_tr} hafta ?sonu{_KI}", lambda m, day: _weekend(m, day, tr)),
        _form(rf"{which_en} weekend", lambda m, day: _weekend(m, day, en)),
        _form(rf"{_COUNT} (?P<unit>gun|hafta|ay|yil|sene) (?:sonra|icinde)\w*", _counted(tr, 1)),
        _form(rf"{_COUNT} (?P<unit>gun|hafta|ay|yil|sene) once\w*", _counted(tr, -1)),
        _form(rf"in {_COUNT} (?P<unit>day|week|month|year)s?", _counted(en, 1)),
        _form(rf"{_COUNT} (?P<unit>day|week|month|year)s? ago", _counted(en, -1)),
    ]
    for number, name in enumerate(_WEEKDAYS[tr]):
        which = r"(?P<which>gecen|gectigimiz|bu|gelecek hafta|gelecek|onumuzdeki|haftaya)"
        day = rf"{which} {name}(?: gunu)?(?:'?(?:y[ae]|n?[iu]n|[dt][ae]n?|k[iu]\w*))?"
        forms.append(_form(day, _weekday(number, tr)))
    for number, name in enumerate(_WEEKDAYS[en]):
        which = r"(?P<which>last|this|the coming|next)"
        forms.append(_form(rf"{which} {name}", _weekday(number, en)))
        forms.append(_form(rf"{name} (?P<which>next week)", _weekday(number, en)))
    forms += [
        _form(rf"{which_tr} {of_tr}{_CASE}", _which(tr)),
        _form(rf"{which_en} {of_en}(?:'s)?", _which(en)),
        _form(r"haftaya", _day(_WEEK, tr)),
        _form(rf"seneye{_KI}", _next_stretch("year", tr)),
        _form(rf"(?:{_TODAY_TR}){_KI}", _day(0, tr)),
    ]
    for language, steps in _DAY_STEPS.items():
        ending = _KI if language is Language.TR else "(?:'s)?"
        forms += [_form(rf"{name}{ending}", _day(n, language)) for name, n in steps.items()]
    return forms


_FORMS = _forms()
