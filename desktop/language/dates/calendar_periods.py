"""What a longer stretch is divided into, and what is counted back from today, in both languages.

Quarters and halves, the weeks of a month, weekdays counted back, and hours.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta

from desktop.language.dates.calendar_spans import Grain, Span, days, month, year
from desktop.language.dates.date_grammar import (
    Form,
    Said,
    always,
    feast,
    form,
    newest_begun,
    relative,
)

_ORDINALS = {
    "first|ilk|birinci|1st|1\\.": 1,
    "second|ikinci|latter|2nd|2\\.": 2,
    "third|ucuncu|3rd|3\\.": 3,
    "fourth|dorduncu|4th|4\\.": 4,
    "last|final|son": -1,
}
_NUMBERS = {
    "a|an|one|bir": 1,
    "two|iki": 2,
    "three|uc": 3,
    "four|dort": 4,
    "five|bes": 5,
    "six|alti": 6,
    "seven|yedi": 7,
    "eight|sekiz": 8,
    "ten|on": 10,
    "twelve|on iki": 12,
}
_WEEKDAYS = {
    "mondays?|pazartesi": 0,
    "tuesdays?|sali": 1,
    "wednesdays?|carsamba": 2,
    "thursdays?|persembe": 3,
    "fridays?|cuma": 4,
    "saturdays?|cumartesi": 5,
    "sundays?|pazar": 6,
}
_QUARTERS, _QUARTER, _HALF = 4, 3, 6
_YEARS_BACK = 6
_WEEK = 7
_MOST_HOURS = 240

_WHICH = rf"(?P<which>{'|'.join(_ORDINALS)})"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})"
_WEEKDAY_EN = r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
_WEEKDAY_TR = r"(?P<weekday>pazartesi|sali|carsamba|persembe|cumartesi|cuma|pazar)"
_YEAR_SAID = r"(?P<year>(?:19|20)\d\d)"
_ENDS = r"(?:'?[a-z]{1,8})?"
_CEYREK = rf"ceyre[gk]{_ENDS}(?! final)"
_OF = r"(?: of (?:the (?P<of>year|month))| in)?"
_OF_DATED = (
    r"(?= of (?:the |this |last )?(?:year|month|(?:19|20)\d\d|jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec))"
)
_NOT_NAMED = "".join(f"(?<!{which} )" for which in ("gecen", "gectigimiz", "onceki", "bu"))
_TR_OF = rf"(?:{_NOT_NAMED}(?P<of>yil|ay|sene)n?in )?(?<=[iu]n )"


def _value(table: dict[str, int], said: str) -> int:
    if said.isdigit():
        return int(said)
    return next(value for names, value in table.items() if re.fullmatch(names, said))


def _quarters(at: datetime) -> Iterator[Span]:
    """The newest first."""
    for one in range(at.year, at.year - _YEARS_BACK, -1):
        for number in range(_QUARTERS, 0, -1):
            yield month(one, number * _QUARTER - 2, _QUARTER)


def _quarter(match: re.Match[str], written: str) -> Said | None:
    """Of the year said beside it, else the last one that has begun."""
    said = match["which"]
    if said.isdigit() and "Q" not in written and "q" in match[0]:
        return None  # "q1" of an exam is typed small
    number = _value(_ORDINALS, said)
    number = number if number > 0 else _QUARTERS
    if in_year := match.groupdict().get("year"):
        span = month(int(in_year), number * _QUARTER - 2, _QUARTER)
        return Said(Grain.SEASON, lambda _now, _within: span)
    wanted = number * _QUARTER - 2
    return newest_begun(
        Grain.SEASON, lambda at: (one for one in _quarters(at) if one.start.month == wanted)
    )


def _quarter_ago(ago: int) -> Said:
    def span(now: datetime) -> Span:
        this = (now.month - 1) // _QUARTER
        return month(now.year, (this - ago) * _QUARTER + 1, _QUARTER)

    return relative(Grain.SEASON, span)


def _quarters_ago(match: re.Match[str], _written: str) -> Said:
    return _quarter_ago(_value(_NUMBERS, match["count"]))


def _half(match: re.Match[str], _written: str) -> Said:
    is_first = _value(_ORDINALS, match["which"]) == 1

    def of(whole: Span) -> Span:
        if whole == year(whole.start.year):
            return month(whole.start.year, 1 if is_first else 1 + _HALF, _HALF)
        middle = whole.start + timedelta(days=(whole.end - whole.start).days // 2)
        return Span(whole.start, middle) if is_first else Span(middle, whole.end)

    return _divided(match, of)


def _week_of_month(match: re.Match[str], _written: str) -> Said:
    place = _value(_ORDINALS, match["which"])

    def of(whole: Span) -> Span:
        if place < 0:
            return Span(whole.end - timedelta(days=_WEEK), whole.end)
        start = whole.start + timedelta(days=(place - 1) * _WEEK)
        return Span(start, min(start + timedelta(days=_WEEK), whole.end))

    return _divided(match, of)


def _divided(match: re.Match[str], of: Callable[[Span], Span]) -> Said:
    """A part of the stretch said beside it, or of the year or month that it names itself.

    Of those the last whose part has begun.
    """
    named = match["of"]

    def span(now: datetime, within: Span | None) -> Span | None:
        if named in {"yil", "sene", "year"} and within is None:
            wholes = [year(now.year), year(now.year - 1)]
        elif named in {"ay", "month"} and within is None:
            wholes = [month(now.year, now.month), month(now.year, now.month - 1)]
        else:
            wholes = [within] if within else []
        parts = [of(one) for one in wholes]
        return next((one for one in parts if one.start <= now), parts[0] if parts else None)

    return Said(Grain.WEEK, span)


def _whole(match: re.Match[str], _written: str) -> Said:
    """This year or month, of which the beginning, the middle or the end is meant."""
    if match[0].startswith(("year", "yil", "sene")):
        return relative(Grain.YEAR, lambda now: year(now.year))
    return relative(Grain.MONTH, lambda now: month(now.year, now.month))


def _weekday_back(number: int, ago: int) -> Said:
    return relative(Grain.DAY, lambda now: days(_last_weekday(now, number, ago)))


def _last_weekday(now: datetime, number: int, ago: int) -> date:
    """The first ago is the last one before today."""
    back = (now.weekday() - number - 1) % _WEEK + 1
    return now.date() - timedelta(days=back + (ago - 1) * _WEEK)


def _weekdays_ago(match: re.Match[str], _written: str) -> Said:
    number = _value(_WEEKDAYS, match["weekday"])
    return _weekday_back(number, _value(_NUMBERS, match["count"]))


def _weekday_before_last(match: re.Match[str], _written: str) -> Said:
    return _weekday_back(_value(_WEEKDAYS, match["weekday"]), 2)


def _last_weekdays(match: re.Match[str], _written: str) -> Said:
    """From the first of the last so many to the last of them."""
    number, count = _value(_WEEKDAYS, match["weekday"]), _value(_NUMBERS, match["count"])

    def span(now: datetime) -> Span:
        first, last = (_last_weekday(now, number, ago) for ago in (count, 1))
        return Span(days(first).start, days(last).end)

    return relative(Grain.DAY, span)


def _last_hours(match: re.Match[str], _written: str) -> Said | None:
    hours = _value(_NUMBERS, match["count"] or "one")
    if hours > _MOST_HOURS:
        return None
    return relative(Grain.PART_OF_DAY, lambda now: Span(now - timedelta(hours=hours), now))


def _hours_ago(match: re.Match[str], _written: str) -> Said | None:
    """An hour more or less: nobody counts minutes."""
    hours = _value(_NUMBERS, match["count"])
    if hours > _MOST_HOURS:
        return None
    return relative(
        Grain.PART_OF_DAY,
        lambda now: Span(
            now - timedelta(hours=hours + 1), now - timedelta(hours=max(hours - 1, 0))
        ),
    )


_LAST_TR = "gecen|gectigimiz|onceki|evvelki|bir onceki"
_AT_AN_END = r"(?= (?:bas|son|orta)(?:i|u|si|inda|unda|sinda|larinda|indan|undan)(?:ki)?(?!\w))"
_AN_END_OF = "|".join(
    rf"(?<={place} of the )" for place in ("beginning", "start", "end", "middle")
)

FORMS: tuple[Form, ...] = (
    form(r"q(?P<which>[1-4])(?:(?: of|,)? (?P<year>(?:19|20)\d\d))?", _quarter),
    form(rf"{_YEAR_SAID}[ /-]?q(?P<which>[1-4])", _quarter),
    form(
        rf"(?:the )?{_WHICH} quarter(?= of (?:the year|this|last|(?:19|20)))(?: of the year)?",
        _quarter,
    ),
    form(r"(?:the )?(?P<which>first|second|third|fourth) quarter(?! (?:of|final))", _quarter),
    form(r"this quarter(?:'s)?", always(_quarter_ago(0))),
    form(r"(?:the )?(?:last|previous|past) quarter(?:'s)?(?! of)", always(_quarter_ago(1))),
    form(r"(?:the )?quarter before last", always(_quarter_ago(2))),
    form(rf"{_COUNT} quarters? (?:ago|back)", _quarters_ago),
    form(rf"(?:yilin |senenin )?(?<!macin ){_WHICH} {_CEYREK}", _quarter),
    form(rf"bu {_CEYREK}", always(_quarter_ago(0))),
    form(rf"(?:{_LAST_TR}) {_CEYREK}|(?<![iu]n )son {_CEYREK}", always(_quarter_ago(1))),
    form(rf"{_COUNT} ceyrek (?:once|evvel){_ENDS}", _quarters_ago),
    form(rf"(?:the )?{_WHICH} half{_OF_DATED}{_OF}", _half),
    form(rf"{_TR_OF}{_WHICH} yari(?:s?i)?{_ENDS}", _half),
    form(rf"(?:the )?{_WHICH} week{_OF_DATED}{_OF}", _week_of_month),
    form(rf"{_TR_OF}{_WHICH} haftas{_ENDS}", _week_of_month),
    form(rf"(?:{_AN_END_OF})(?:year|month)", _whole),
    form(rf"(?:yil|sene|ay)(?:[iu]n)?{_AT_AN_END}", _whole),
    form(rf"{_COUNT} {_WEEKDAY_EN} (?:ago|back)", _weekdays_ago),
    form(rf"{_COUNT} {_WEEKDAY_TR}(?: gunu)? (?:once|evvel){_ENDS}", _weekdays_ago),
    form(rf"(?:the )?{_WEEKDAY_EN} before last", _weekday_before_last),
    form(
        rf"gecen [a-z]+[dt][ea]n onceki {_WEEKDAY_TR}(?: gun[iu]?{_ENDS})?", _weekday_before_last
    ),
    form(rf"(?:the )?(?:last|past) {_COUNT} {_WEEKDAY_EN}", _last_weekdays),
    form(rf"son {_COUNT} {_WEEKDAY_TR}{_ENDS}", _last_weekdays),
    form(rf"(?:in |over |within )?the (?:last|past) (?:{_COUNT} )?hours?", _last_hours),
    form(rf"son {_COUNT} saat{_ENDS}", _last_hours),
    form(rf"{_COUNT} hours? (?:ago|back)", _hours_ago),
    form(rf"{_COUNT} saat (?:once|evvel){_ENDS}", _hours_ago),
    form(r"(?:on |(?<=on ))christmas(?: day| eve)?", always(feast(12, 24, 3))),
)
