"""The dates that English says in words, and those that are written in figures."""

import re

from desktop.language.dates.calendar_spans import Grain
from desktop.language.dates.date_grammar import (
    FEW,
    LATELY_DAYS,
    Form,
    Said,
    Vocabulary,
    always,
    feast,
    form,
    last_units,
    latest_weekend,
    months_between,
    of_day,
    of_day_of_month,
    part,
    this_month_of_last_year,
    unit_ago,
    weekend,
    year_said,
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
_SHORT = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
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
_WORDS = Vocabulary(
    months=_MONTHS,
    weekdays=_WEEKDAYS,
    seasons=_SEASONS,
    parts=_PARTS,
    units=_UNITS,
    numbers=_NUMBERS,
    this="this",
)
_COUPLE = (2, 3)
_MONTHS_OF_A_YEAR = 12
_ANY_MONTH = "|".join(_MONTHS)
_ANY_DAY = "|".join(_WEEKDAYS)
_S = "(?:'s)?"
_MONTH = rf"(?P<month>{_ANY_MONTH})"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_LAST_DAY = r"(?P<last_day>[0-3]?\d)(?:st|nd|rd|th)?"
_TO = r"(?: ?[-–—] ?| (?:to|until|till|through) )"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"
_COUNT = _WORDS.count()
_WEEKDAY = rf"(?P<weekday>{_ANY_DAY})"
_PART = r"(?P<part>morning|afternoon|evening|night)"
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
_AT = r"(?<=\bin )|(?<=\bduring )|(?<=\bsince )|(?<=\bbefore )|(?<=\bafter )|(?<=\bfrom )"
_AT += r"|(?<=\buntil )|(?<=\btill )|(?<=\bthroughout )|(?<=\bearly )|(?<=\blate )|(?<=\bmid )"
_AT += r"|(?<=\bearly-)|(?<=\blate-)|(?<=\bmid-)"
_AT += r"|(?<=\bend of )|(?<=\bstart of )|(?<=\bbeginning of )|(?<=\bmiddle of )"
_AT += r"|(?<=\bquarter of )|(?<=\bhalf of )|(?<=\bweek of )"
_ON = r"(?<=\bon )|(?<=\bsince )|(?<=\bbefore )|(?<=\bafter )|(?<=\bfrom )|(?<=\buntil )"
_ON += r"|(?<=\btill )|(?<=\bby )"
# What stands behind "may" where it is a verb.
_NO_VERB = r"(?! (?:be|have|not|also|well|or|i|we|you|it|they|he|she|as|help|need)\b)"


def _date(match: re.Match[str], written: str) -> Said | None:
    """Without its capital "5 may" is a number and a verb."""
    if match["month"] == "may" and "May" not in written and not year_said(match):
        return None
    return _WORDS.date(match, written)


def _days(match: re.Match[str], written: str) -> Said | None:
    if match["month"] == "may" and "May" not in written and not year_said(match):
        return None
    return _WORDS.days(match, written)


def _short_month(match: re.Match[str], _written: str) -> Said | None:
    """Written as a name: "in Oct", which is not "in oct" of a base, nor the company "DEC"."""
    return _WORDS.month(match, _written) if match["month"].title() in _written else None


def _last_few(match: re.Match[str], _written: str) -> Said:
    most = _COUPLE[0] if "couple" in match[0] else FEW[1]
    return last_units(_WORDS.unit(match), most)


def _some_ago(match: re.Match[str], _written: str) -> Said | None:
    vague = _COUPLE if "couple" in match[0] else FEW
    return unit_ago(_WORDS.unit(match), *vague)


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


def _day_of_month(match: re.Match[str], _written: str) -> Said | None:
    return of_day_of_month(int(match["day"]))


_SOME = r"(?:a )?(?:couple(?: of)?|few|several)"
_REACH = r"(?:(?:over|in|during|within|for) the (?:last|past)|the past|past)"

FORMS: tuple[Form, ...] = (
    form(rf"today{_S}", always(unit_ago(Grain.DAY, 0))),
    form(rf"yesterday{_S}", always(unit_ago(Grain.DAY, 1))),
    form(r"(?:the )?day before yesterday", always(unit_ago(Grain.DAY, 2))),
    form(r"the other day", always(last_units(Grain.DAY, LATELY_DAYS))),
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
    form(rf"(?:the )?weekend before last{_S}", always(weekend(2))),
    form(rf"(?:the )?(?:last|past) {_COUNT} {_UNIT}", _WORDS.last_units),
    form(rf"{_REACH} {_UNIT}", _WORDS.last_units),
    form(rf"(?:the )?(?:last|past) {_SOME} {_UNIT}", _last_few),
    form(rf"{_COUNT} {_UNIT} (?:ago|back|before now)", _WORDS.ago),
    form(rf"{_SOME} {_UNIT} (?:ago|back)", _some_ago),
    form(r"half a year (?:ago|back)", always(unit_ago(Grain.MONTH, 6))),
    form(r"(?:a|one) year and a half (?:ago|back)", always(unit_ago(Grain.MONTH, 18))),
    form(r"(?:around |about )?this time last year", always(this_month_of_last_year())),
    form(r"new year'?s (?:eve|day)|(?<=at )new year(?:'?s)?", always(feast(12, 31, 2))),
    form(
        r"(?:(?:at|over|around|last) |(?<=since )|(?<=before )|(?<=after ))christmas",
        always(feast(12, 24, 3)),
    ),
    form(
        r"on the (?P<day>[0-3]?\d)(?:st|nd|rd|th)(?= ?(?:[?.,!]|$))",
        _day_of_month,
    ),
    form(r"(?:a|one) fortnight (?:ago|back)", always(unit_ago(Grain.WEEK, 2))),
    form(rf"(?:{_REACH}|(?:the )?(?:last|past)) fortnight", always(last_units(Grain.WEEK, 2))),
    form(
        rf"(?P<which>last|this past|this|past|previous) (?P<month>{_FULL}){_S}{_NO_VERB}",
        _WORDS.month,
    ),
    form(rf"(?:{_AT})(?P<month>{_FULL}){_S}{_NO_VERB}", _WORDS.month),
    form(rf"(?:{_AT})(?P<month>{_SHORT})\.?", _short_month),
    form(rf"(?P<which>last|this past|this|past|previous) (?P<month>{_SHORT})", _short_month),
    form(rf"(?P<month>{_FULL})(?= (?:last|this) year)", _WORDS.month),
    form(rf"{_MONTH}\.?(?: of|,)? {_YEAR}{_S}", _WORDS.month_of_year),
    form(
        rf"(?:between|from) {_MONTH} (?:and|to|until|till|through) (?P<last>{_ANY_MONTH})"
        rf"(?:(?: of|,)? {_YEAR})?",
        _WORDS.month_of_year,
    ),
    form(rf"(?:the )?{_DAY}(?: of)? {_MONTH}(?:\.?,? {_YEAR})?{_NO_VERB}", _date),
    form(rf"{_MONTH}\.? (?:the )?{_DAY}(?:,? {_YEAR})?(?![.,:]\d| ?%)", _date),
    *(
        form(rf"(?:the )?{days}(?: of)? {_MONTH}(?:\.?,? {_YEAR})?{_NO_VERB}", _days)
        for days in (rf"{_DAY}{_TO}{_LAST_DAY}", rf"(?<=\bbetween ){_DAY} and {_LAST_DAY}")
    ),
    form(rf"{_MONTH}\.? (?:the )?{_DAY}{_TO}{_LAST_DAY}(?:,? {_YEAR})?(?![.,:]\d| ?%)", _days),
    form(rf"(?<=\bbetween ){_MONTH}\.? {_DAY} and {_LAST_DAY}(?:,? {_YEAR})?", _days),
    form(rf"(?P<which>last|this past|this|past|previous) {_WEEKDAY}{_S}", _WORDS.weekday),
    form(rf"(?:{_ON}){_WEEKDAY}{_S}", _WORDS.weekday),
    form(
        rf"{_WEEKDAY}(?= (?:morning|afternoon|evening|night|of last|last week|of this))",
        _WORDS.weekday,
    ),
    form(rf"(?P<which>last|this past|this|past|previous) {_SEASON}{_S}", _WORDS.season),
    form(rf"(?:{_AT})(?:the )?{_SEASON}", _WORDS.season),
    form(rf"{_SEASON}(?: of|,)? {_YEAR}", _WORDS.season),
    form(rf"(?:{_AT})(?:the year )?{_YEAR}", _WORDS.year),
    form(rf"(?:in the )?{_PART}", _WORDS.part),
    form(rf"this {_PART}", _WORDS.part_of_today),
    form(r"tonight", always(part(18, 30, days_ago=0))),
    form(r"last night", always(part(20, 30, days_ago=1))),
    form(r"(?P<day>[0-3]?\d)[./](?P<month>[01]?\d|[0-3]\d)[./](?P<year>(?:19|20)\d\d)", _figures),
    form(r"(?P<year>(?:19|20)\d\d)[-./](?P<month>[01]\d)[-./](?P<day>[0-3]\d)", _figures),
    form(r"(?<![./-])(?P<month>[01]?\d)[./](?P<year>(?:19|20)\d\d)", _month_in_figures),
)
