"""The dates that English says in words, and those that are written in figures."""

import re
from collections.abc import Mapping
from typing import TypeVar

from desktop.language.calendar_spans import Grain
from desktop.language.date_forms import (
    Form,
    Said,
    always,
    form,
    last_units,
    latest_weekend,
    months_between,
    of_day,
    of_month,
    of_season,
    of_weekday,
    of_year,
    part,
    unit_ago,
    weekend,
)

_MONTHS = {
    "jan(?:uary)?": 1,
    "feb(?:ruary)?": 2,
    "mar(?:ch)?": 3,
    "apr(?:il)?": 4,
    "may": 5,
    "june?": 6,
    "july?": 7,
    "aug(?:ust)?": 8,
    "sept?(?:ember)?": 9,
    "oct(?:ober)?": 10,
    "nov(?:ember)?": 11,
    "dec(?:ember)?": 12,
}
_FULL = "january|february|march|april|may|june|july|august|september|october|november|december"
_WEEKDAYS = {
    name: number
    for number, name in enumerate(
        ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    )
}
_SEASONS = {"spring": 3, "summer": 6, "autumn|fall": 9, "winter": 12}
_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (20, 30)}
_UNITS = {
    "days?": Grain.DAY,
    "weeks?": Grain.WEEK,
    "months?": Grain.MONTH,
    "years?": Grain.YEAR,
}
_NUMBERS = {
    name: number
    for number, name in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        start=1,
    )
} | {"a": 1, "an": 1, "fifteen": 15, "twenty": 20, "thirty": 30}
_COUPLE = (2, 3)
_FEW = (2, 6)
_MORE_MONTHS = 2
_LATELY_DAYS = 14
_MONTHS_OF_A_YEAR = 12
_ANY_MONTH = "|".join(_MONTHS)
_ANY_DAY = "|".join(_WEEKDAYS)
_S = "(?:'s)?"
_MONTH = rf"(?P<month>{_ANY_MONTH})"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_WEEKDAY = rf"(?P<weekday>{_ANY_DAY})"
_PART = r"(?P<part>morning|afternoon|evening|night)"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_AT = r"(?<=\bin )|(?<=\bduring )|(?<=\bsince )|(?<=\bbefore )|(?<=\bafter )|(?<=\bfrom )"
_AT += r"|(?<=\buntil )|(?<=\btill )|(?<=\bthroughout )|(?<=\bearly )|(?<=\blate )|(?<=\bmid )"
_ON = r"(?<=\bon )|(?<=\bsince )|(?<=\bbefore )|(?<=\bafter )|(?<=\bfrom )|(?<=\buntil )"
_ON += r"|(?<=\btill )|(?<=\bby )"
# What stands behind "may" where it is a verb.
_NO_VERB = r"(?! (?:be|have|not|also|well|or|i|we|you|it|they|he|she|as|help|need)\b)"

Value = TypeVar("Value")


def _of(table: Mapping[str, Value], word: str) -> Value:
    return next(value for name, value in table.items() if re.fullmatch(name, word))


def _year_said(match: re.Match[str]) -> int | None:
    said = match.groupdict().get("year")
    return int(said) if said else None


def _which(match: re.Match[str]) -> str:
    which = match.groupdict().get("which")
    return "" if not which else "this" if which == "this" else "last"


def _named_month(match: re.Match[str], _written: str) -> Said:
    return of_month(_of(_MONTHS, match["month"]), _which(match))


def _months(match: re.Match[str], _written: str) -> Said:
    first = _of(_MONTHS, match["month"])
    last = match.groupdict().get("last")
    return months_between(first, _of(_MONTHS, last) if last else first, _year_said(match))


def _date(match: re.Match[str], written: str) -> Said | None:
    """Without its capital "5 may" is a number and a verb."""
    if match["month"] == "may" and "May" not in written and not _year_said(match):
        return None
    return of_day(int(match["day"]), _of(_MONTHS, match["month"]), _year_said(match))


def _weekday(match: re.Match[str], _written: str) -> Said:
    return of_weekday(_of(_WEEKDAYS, match["weekday"]), _which(match))


def _season(match: re.Match[str], _written: str) -> Said:
    first = _of(_SEASONS, match["season"])
    if in_year := _year_said(match):
        return months_between(first, first + _MORE_MONTHS, in_year)
    return of_season(first, _which(match))


def _year(match: re.Match[str], _written: str) -> Said | None:
    return of_year(int(match["year"]))


def _part(match: re.Match[str], _written: str) -> Said:
    return part(*_of(_PARTS, match["part"]))


def _part_of_today(match: re.Match[str], _written: str) -> Said:
    return part(*_of(_PARTS, match["part"]), days_ago=0)


def _count(match: re.Match[str]) -> int:
    said = match["count"]
    return int(said) if said.isdigit() else _NUMBERS[said]


def _last_units(match: re.Match[str], _written: str) -> Said:
    said = match.groupdict().get("count")
    return last_units(_of(_UNITS, match["unit"]), _count(match) if said else 1)


def _last_few(match: re.Match[str], _written: str) -> Said:
    most = _COUPLE[0] if "couple" in match[0] else _FEW[1]
    return last_units(_of(_UNITS, match["unit"]), most)


def _ago(match: re.Match[str], _written: str) -> Said | None:
    return unit_ago(_of(_UNITS, match["unit"]), _count(match))


def _some_ago(match: re.Match[str], _written: str) -> Said | None:
    vague = _COUPLE if "couple" in match[0] else _FEW
    return unit_ago(_of(_UNITS, match["unit"]), *vague)


def _figures(match: re.Match[str], _written: str) -> Said | None:
    """Day before month, unless only the other order makes a date."""
    day, number = int(match["day"]), int(match["month"])
    if number > _MONTHS_OF_A_YEAR >= day:
        day, number = number, day
    return of_day(day, number, int(match["year"])) if number <= _MONTHS_OF_A_YEAR else None


def _month_in_figures(match: re.Match[str], _written: str) -> Said | None:
    number = int(match["month"])
    is_month = 1 <= number <= _MONTHS_OF_A_YEAR
    return months_between(number, number, int(match["year"])) if is_month else None


_SOME = r"(?:a )?(?:couple(?: of)?|few|several)"
_REACH = r"(?:(?:over|in|during|within|for) the (?:last|past)|the past|past)"

FORMS: tuple[Form, ...] = (
    form(rf"today{_S}", always(unit_ago(Grain.DAY, 0))),
    form(rf"yesterday{_S}", always(unit_ago(Grain.DAY, 1))),
    form(r"(?:the )?day before yesterday", always(unit_ago(Grain.DAY, 2))),
    form(r"the other day", always(last_units(Grain.DAY, _LATELY_DAYS))),
    form(rf"this week{_S}", always(unit_ago(Grain.WEEK, 0))),
    form(rf"(?:last|(?:the )?previous) week{_S}", always(unit_ago(Grain.WEEK, 1))),
    form(r"(?:the )?week before last", always(unit_ago(Grain.WEEK, 2))),
    form(rf"this month{_S}", always(unit_ago(Grain.MONTH, 0))),
    form(rf"(?:last|(?:the )?previous) month{_S}", always(unit_ago(Grain.MONTH, 1))),
    form(r"(?:the )?month before last", always(unit_ago(Grain.MONTH, 2))),
    form(rf"this year{_S}", always(unit_ago(Grain.YEAR, 0))),
    form(rf"(?:last|(?:the )?previous) year{_S}", always(unit_ago(Grain.YEAR, 1))),
    form(r"(?:the )?year before last", always(unit_ago(Grain.YEAR, 2))),
    form(rf"(?:the |at the |over the )weekend{_S}", always(latest_weekend())),
    form(r"this weekend", always(weekend(0))),
    form(rf"(?:last|previous) weekend{_S}", always(weekend(1))),
    form(rf"(?:the )?(?:last|past) {_COUNT} {_UNIT}", _last_units),
    form(rf"{_REACH} {_UNIT}", _last_units),
    form(rf"(?:the )?(?:last|past) {_SOME} {_UNIT}", _last_few),
    form(rf"{_COUNT} {_UNIT} (?:ago|back|before now)", _ago),
    form(rf"{_SOME} {_UNIT} (?:ago|back)", _some_ago),
    form(
        rf"(?P<which>last|this past|this|past|previous) (?P<month>{_FULL}){_S}{_NO_VERB}",
        _named_month,
    ),
    form(rf"(?:{_AT})(?P<month>{_FULL}){_S}{_NO_VERB}", _named_month),
    form(rf"(?P<month>{_FULL})(?= (?:last|this) year)", _named_month),
    form(rf"{_MONTH}\.?(?: of|,)? {_YEAR}{_S}", _months),
    form(
        rf"(?:between|from) {_MONTH} (?:and|to|until|till|through) (?P<last>{_ANY_MONTH})"
        rf"(?:(?: of|,)? {_YEAR})?",
        _months,
    ),
    form(rf"(?:the )?{_DAY}(?: of)? {_MONTH}(?:\.?,? {_YEAR})?{_NO_VERB}", _date),
    form(rf"{_MONTH}\.? (?:the )?{_DAY}(?:,? {_YEAR})?(?![.,:]\d| ?%)", _date),
    form(rf"(?P<which>last|this past|this|past|previous) {_WEEKDAY}{_S}", _weekday),
    form(rf"(?:{_ON}){_WEEKDAY}{_S}", _weekday),
    form(
        rf"{_WEEKDAY}(?= (?:morning|afternoon|evening|night|of last|last week|of this))", _weekday
    ),
    form(rf"(?P<which>last|this past|this|past|previous) {_SEASON}{_S}", _season),
    form(rf"(?:{_AT})(?:the )?{_SEASON}", _season),
    form(rf"{_SEASON}(?: of|,)? {_YEAR}", _season),
    form(rf"(?:{_AT})(?:the year )?{_YEAR}", _year),
    form(rf"(?:in the )?{_PART}", _part),
    form(rf"this {_PART}", _part_of_today),
    form(r"tonight", always(part(18, 30, days_ago=0))),
    form(r"last night", always(part(20, 30, days_ago=1))),
    form(r"(?P<day>[0-3]?\d)[./](?P<month>[01]?\d|[0-3]\d)[./](?P<year>(?:19|20)\d\d)", _figures),
    form(r"(?P<year>(?:19|20)\d\d)[-./](?P<month>[01]\d)[-./](?P<day>[0-3]\d)", _figures),
    form(r"(?<![./-])(?P<month>[01]?\d)[./](?P<year>(?:19|20)\d\d)", _month_in_figures),
)
