"""Puts the date behind words that mean another day tomorrow: "yarın (23 Kasım 2026)".

What is remembered is read weeks later, when "next month" is over. Ages and durations have no one
date; of those it is only said that they hold as of a day.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import partial

from desktop.domain.language import Language
from desktop.language.dates.date_formatting import day_in_words, month_in_words
from desktop.language.dates.date_meanings import Grain, Span, days, unit_at
from desktop.language.dates.date_vocabulary import (
    COUNTS_EN,
    COUNTS_TR,
    UNITS_EN,
    UNITS_TR,
    WEEKDAYS_EN,
    WEEKDAYS_TR,
    any_of,
    group,
)
from desktop.language.dates.written_dates import said_dates
from desktop.language.normalization import fold

_PAST = ("gecen", "gectigimiz", "onceki", "last")
_NEXT = ("gelecek", "onumuzdeki", "next")
_STEPS = {"bu": 0, "this": 0} | dict.fromkeys(_PAST, -1) | dict.fromkeys(_NEXT, 1)
_WEEK_AFTER = {"haftaya", "gelecek hafta", "gelecek", "next week", "next"}
_SATURDAY, _WEEK = 5, 7
_COUNTS, _UNITS = COUNTS_TR | COUNTS_EN, UNITS_TR | UNITS_EN
_WEEKDAYS = WEEKDAYS_TR | WEEKDAYS_EN
_COUNT_TR = rf"(?P<count>\d{{1,2}}|{any_of(COUNTS_TR)})"
_COUNT_EN = rf"(?P<count>\d{{1,2}}|{any_of(COUNTS_EN)})"
_UNIT_TR, _UNIT_EN = group("unit", UNITS_TR), group("unit", UNITS_EN)
_LONG_TR, _LONG_EN = r"(?P<unit>hafta|ay|yil|sene)", r"(?P<unit>week|month|year)"
_WHICH_TR, _WHICH_EN = r"(?P<which>gecen|gelecek|onumuzdeki|bu)", r"(?P<which>last|this|next)"
_WHICH_DAY_TR = r"(?P<which>gecen|gectigimiz|bu|gelecek hafta|gelecek|onumuzdeki|haftaya)"
_WHICH_DAY_EN = r"(?P<which>last|this|the coming|next)"
# What Turkish hangs on a day, and on a week, month or year.
_KI = r"(?:'?(?:k[iu]\w*|[dt][ae]n?|a|n?[iu]n))?"
_DAY_CASE = r"(?:'?(?:y[ae]|n?[iu]n|[dt][ae]n?|k[iu]\w*))?"
_CASE = r"(?:'?(?:k[iu]\w{0,8}|y?a|n?[iu]n|dan?|daki\w*|[iu]nda\w*))?"
_AGEING = re.compile(
    r"\b\d{1,3} yasinda|\b\d{1,2} (?:years?|months?|weeks?) old\b"
    r"|\b\w+ (?:gun|hafta|ay|yil|sene)d[iu]r\b"
    r"|\bfor (?:the (?:last|past) )?\w+ (?:days|weeks|months|years)\b"
    r"|\bi(?:'m| am) \d{1,3}\b(?! ?(?:%|cm|kg|km|lbs?|pounds|minutes|hours|miles|feet))"
    r"|\b(?:su an(?:da)?|su siralar|bu aralar|bu siralar|simdilik|yakinda|gecenlerde|currently"
    r"|right now|these days|at the moment|for now|soon|recently)\b"
    rf"|\b(?:{any_of(WEEKDAYS_TR)}) gunu\b|\bon (?:{any_of(WEEKDAYS_EN)})\b"
)
"""What was true on the day it was said, and says nothing of when that was."""


def with_dates(text: str, said_at: datetime) -> str:
    """With the local date behind each word for a day, week, month or year counted from today.

    As it is where a calendar date stands in it: that one may be the one that is meant.
    """
    if said_dates(text):
        return text
    folded, today = fold(text), said_at.astimezone().date()
    found: dict[int, str] = {}
    taken = [False] * len(text)
    for pattern, language, resolve in _FORMS:
        for match in pattern.finditer(folded):
            if not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = [True] * len(match[0])
                found[match.end()] = _written(resolve(match, today), match, language)
    for end in sorted(found, reverse=True):
        text = f"{text[:end]} ({found[end]}){text[end:]}"
    return text


def is_of_its_day(text: str) -> bool:
    """Whether it tells an age, a duration or a "now", so that it needs the day it was said on."""
    return not said_dates(text) and _AGEING.search(fold(text)) is not None


def _written(span: Span, match: re.Match[str], language: Language) -> str:
    first, last = span.start.date(), span.end.date() - timedelta(days=1)
    if first == last:
        is_about = "count" in match.groupdict() and _UNITS[match["unit"]] is Grain.WEEK
        return f"{'≈ ' if is_about else ''}{day_in_words(first, language)}"
    if span == unit_at(first, Grain.YEAR, 0):
        return str(first.year)
    if span == unit_at(first, Grain.MONTH, 0):
        return month_in_words(first, language)
    return f"{day_in_words(first, language)} – {day_in_words(last, language)}"


def _counted(match: re.Match[str], today: date, sign: int) -> Span:
    said, unit = match["count"], _UNITS[match["unit"]]
    count = sign * (int(said) if said.isdigit() else _COUNTS[said])
    if unit is Grain.WEEK:
        return days(today + timedelta(weeks=count))
    return unit_at(today, unit, -count)


def _day(_match: re.Match[str], today: date, ahead: int) -> Span:
    return days(today + timedelta(days=ahead))


def _unit(match: re.Match[str], today: date) -> Span:
    which = match.groupdict().get("which", "next")
    return unit_at(today, _UNITS[match["unit"]], -_STEPS[which])


def _weekend(match: re.Match[str], today: date) -> Span:
    week = unit_at(today, Grain.WEEK, -_STEPS[match["which"]])
    return Span(week.start + timedelta(days=_SATURDAY), week.end)


def _weekday(match: re.Match[str], today: date) -> Span:
    """Of this week, the last one that was, the next one that comes; "next" is the week after."""
    number = _WEEKDAYS[match["weekday"]]
    ahead = (number - today.weekday()) % _WEEK
    if match["which"] in _PAST:
        ahead -= _WEEK
    elif match["which"] in _WEEK_AFTER:
        ahead = _WEEK - today.weekday() + number
    return days(today + timedelta(days=ahead))


_Resolve = Callable[[re.Match[str], date], Span]
_TR, _EN = Language.TR, Language.EN
_TABLE: list[tuple[Language, str, _Resolve]] = [
    (_TR, rf"{_WHICH_TR} hafta ?sonu{_KI}", _weekend),
    (_EN, f"{_WHICH_EN} weekend", _weekend),
    (_TR, rf"{_COUNT_TR} {_UNIT_TR} (?:sonra|icinde)\w*", partial(_counted, sign=1)),
    (_TR, rf"{_COUNT_TR} {_UNIT_TR} once\w*", partial(_counted, sign=-1)),
    (_EN, f"in {_COUNT_EN} {_UNIT_EN}s?", partial(_counted, sign=1)),
    (_EN, f"{_COUNT_EN} {_UNIT_EN}s? ago", partial(_counted, sign=-1)),
    (_TR, rf"{_WHICH_DAY_TR} {group('weekday', WEEKDAYS_TR)}(?: gunu)?{_DAY_CASE}", _weekday),
    (_EN, f"{_WHICH_DAY_EN} {group('weekday', WEEKDAYS_EN)}", _weekday),
    (_EN, f"{group('weekday', WEEKDAYS_EN)} (?P<which>next week)", _weekday),
    (_TR, f"{_WHICH_TR} {_LONG_TR}{_CASE}", _unit),
    (_EN, f"{_WHICH_EN} {_LONG_EN}(?:'s)?", _unit),
    (_TR, f"(?P<unit>sene)ye{_KI}", _unit),
    (_TR, "haftaya", partial(_day, ahead=_WEEK)),
    (_TR, f"(?:bugun|bu (?:sabah|aksam|gece|ogle(?:n|den sonra)?)){_KI}", partial(_day, ahead=0)),
    (_TR, f"yarin{_KI}", partial(_day, ahead=1)),
    (_TR, f"obur gun{_KI}", partial(_day, ahead=2)),
    (_TR, f"evvelsi gun{_KI}", partial(_day, ahead=-2)),
    (_TR, f"dun{_KI}", partial(_day, ahead=-1)),
    (_EN, "day before yesterday(?:'s)?", partial(_day, ahead=-2)),
    (_EN, "(?:yesterday|last night)(?:'s)?", partial(_day, ahead=-1)),
    (_EN, "(?:today|tonight|this (?:morning|afternoon|evening))(?:'s)?", partial(_day, ahead=0)),
    (_EN, "day after tomorrow(?:'s)?", partial(_day, ahead=2)),
    (_EN, "tomorrow(?:'s)?", partial(_day, ahead=1)),
]
_FORMS = [
    (re.compile(rf"(?<![\w'-]){pattern}(?!\w)"), language, resolve)
    for language, pattern, resolve in _TABLE
]
