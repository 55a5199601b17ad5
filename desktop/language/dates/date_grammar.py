"""The words in which Turkish and English say dates: patterns over folded text, and their meaning.

What a group of a pattern holds is given to the meaning under the group's name; a group named
"proper" counts only where it is written as a name: "in Oct", neither "in oct" nor "DEC".
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from desktop.language.dates.date_meanings import (
    Said,
    day_in_figures,
    day_of_month,
    days_of_month,
    feast,
    half,
    hours_ago,
    hours_back,
    last_units,
    month_in_figures,
    months,
    part,
    quarter,
    quarter_ago,
    season,
    unit_ago,
    week_of_month,
    weekday,
    weekdays_back,
    weekend,
    year_number,
)
from desktop.language.dates.date_vocabulary import (
    COUNTS_EN,
    COUNTS_TR,
    DAY,
    FULL_EN,
    MONTH,
    MONTHS_EN,
    MONTHS_TR,
    ORDINALS,
    PARTS_EN,
    PARTS_TR,
    SEASONS_EN,
    SEASONS_TR,
    SHORT_EN,
    UNITS_EN,
    UNITS_TR,
    WEEK,
    WEEKDAYS_EN,
    WEEKDAYS_TR,
    YEAR,
    any_of,
    group,
)

_LATELY_DAYS = 14
_FEW, _COUPLE = (2, 6), (2, 3)
_LAST_TR = ["gecen", "gectigimiz", "onceki", "bir onceki", "evvelki", "bir evvelki", "son"]
_LAST_EN = ["last", "this past", "past", "previous"]
_TABLES: Mapping[str, Mapping[str, object]] = {
    "month": MONTHS_TR | MONTHS_EN,
    "last_month": MONTHS_TR | MONTHS_EN,
    "weekday": WEEKDAYS_TR | WEEKDAYS_EN,
    "season": SEASONS_TR | SEASONS_EN,
    "part": PARTS_TR | PARTS_EN,
    "unit": UNITS_TR | UNITS_EN,
    "whole": UNITS_TR | UNITS_EN,
    "count": COUNTS_TR | COUNTS_EN,
    "most": COUNTS_TR | COUNTS_EN,
    "ordinal": ORDINALS,
    "which": dict.fromkeys((*_LAST_TR, *_LAST_EN), "last") | {"bu": "this", "this": "this"},
}
"""What the groups of the patterns stand for; other groups hold figures."""


def _behind(*words: str) -> str:
    return "|".join(rf"(?<=\b{word})" for word in words)


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)"
_LAST_DAY = r"(?P<last_day>[0-3]?\d)"
_NUMBER = r"(?P<number>[01]?\d|[0-3]\d)"
_ORDINAL = group("ordinal", map(re.escape, ORDINALS))

# Turkish: cases behind a consonant, behind a vowel, of "ay", of a season, and any ending.
_KI = r"(?:k[iu](?:l[ea]r)?(?:n[iu]n|n?[dt][ea]n?|n[iuea])?)?"
_C = rf"(?:'?(?:[iuea]|[iu]n|[dt][ea]n?|[iu]nd[ea]n?|[iu]n[iu]n|l[ea]r[iu]?n?[dt]?[ea]?n?)?{_KI})"
_V = rf"(?:'?(?:n[iu]n|n?[iuea]|y[iuea]|n?[dt][ea]n?|s[iu]n?(?:d[ea]n?|[iu]n)?)?{_KI})"
_AY = r"(?:'?(?:a|in|da(?:n|ki\w*)?|ki\w*|inda(?:n|ki\w*)?|inin))?"
_S_TR = rf"(?:'?(?:[iu]n|[dt][ea]n?|[iu]nd[ea]n?)?{_KI})"
_ENDS = r"(?:'?[a-z]{1,8})?"
_LOCATIVE = rf"'?(?:[dt][ea]n?|[iu]nd[ea]n?){_KI}"
_OF_MONTH = rf"(?: ay[iu]?{_V}|{_C})"
_OF_DAY = rf"(?: gun[iu]?{_V}|{_C}|{_V})"
_OF_YEAR = rf"(?:yil{_C}|sene{_V})"
_IN_YEAR = rf"{_YEAR}(?:'?(?:[dt][ea](?:n|ki\w*)?|n?[iu]n)| (?:yil|sene)[a-z]{{0,6}})"
_ANY_YEAR = rf"{_IN_YEAR}?"
_BEFORE = "(?:once|evvel)"
_PAST_TR = f"(?:{any_of(_LAST_TR[:-1])})"
_WHICH_TR = group("which", [*_LAST_TR[:-1], "bu"])
_COUNT_TR = rf"(?P<count>\d{{1,3}}|{any_of(COUNTS_TR)})"
_TO_MOST = rf"(?:[ -](?P<most>\d|{any_of(list(COUNTS_TR)[:7])}))"
_UNIT_TR = group("unit", UNITS_TR)
_MONTH_TR = group("month", MONTHS_TR)
_TO_MONTH_TR = r"(?: ?(?:ile|ve|veya|-|–) ?|[dt][ea]n |l[ea] )" + group("last_month", MONTHS_TR)
_TO_DAY_TR = rf"\.?(?: ?[-–—] ?| (?:ile|ila|ve) ){_LAST_DAY}"
_WEEKDAY_TR = group("weekday", WEEKDAYS_TR)
_SEASON_TR = group("season", SEASONS_TR)
_PART_TR = group("part", PARTS_TR)
# Months and weekdays that are no other word in any case; "ocakta" is on the stove.
_SAFE_MONTH = r"(?P<month>subat|mart|mayis|haziran|temmuz|agustos)"
_SAFE_DAY = r"(?P<weekday>pazartesi|sali|carsamba|persembe|cumartesi)"
_CEYREK = rf"ceyre[gk]{_ENDS}(?! final)"
_IS_BOUND = r"(?= (?:beri|bu yana|itibaren|once|evvel|sonra)(?!\w))"
_AT_AN_END = r"(?= (?:bas|son|orta)(?:i|u|si|(?:s?i|u|lari)nda)(?:n|ki)?(?!\w))"
_ASKS_WHAT_WAS_SAID = (
    r"(?= (?:.* )?(?:ne|neler|hangi)(?:yi|i|den)?(?!\w).* (?:konus|tartis|yazis|gorus|ded[iu]"
    r"|demis|soyle[dm]|bahse[td]|anlat[tm]|sor[dm]u))"
)
_NO_EVENT = r"(?! (?:darbe|devrim|muhtira|bayram|zafer|deprem|savas|karar|sehit|olay|gun[uo]n)\w*)"
"""What makes a day of the year the name of something that happened long ago."""
_OF_WHOLE_TR = (
    r"(?:(?<!gecen )(?<!gectigimiz )(?<!onceki )(?<!bu )(?P<whole>yil|ay|sene)n?in )?(?<=[iu]n )"
)

# English
_S = "(?:'s)?"
_WHICH_EN = group("which", [*_LAST_EN, "this"])
_BEFORE_EN = "(?:last|(?:the )?previous)"
_COUNT_EN = rf"(?P<count>\d{{1,3}}|{any_of(COUNTS_EN)})"
_UNIT_EN = rf"{group('unit', UNITS_EN)}s?"
_AGO = "(?:ago|back)"
_TH = "(?:st|nd|rd|th)?"
_TO = "(?:and|to|until|till|through)"
_TO_MONTH_EN = f" {_TO} {group('last_month', MONTHS_EN)}"
_TO_DAY_EN = rf"(?:{_TH}(?: ?[-–—] ?| {_TO} ){_LAST_DAY})"
_FULL_MONTH = group("month", FULL_EN)
_SHORT_MONTH = rf"(?P<proper>{group('month', SHORT_EN)})"
# "5 may" is a number and a verb.
_MONTH_EN = group("month", [*MONTHS_EN, r"may(?=,? (?:19|20)\d\d)"]).replace(
    "|may|", "|(?P<proper>may)|"
)
_WEEKDAY_EN = group("weekday", WEEKDAYS_EN)
_SEASON_EN = group("season", SEASONS_EN)
_PART_EN = group("part", PARTS_EN)
_DURING = ["in ", "during ", "since ", "before ", "after ", "from ", "until ", "till "]
_PART_OF = ["end of ", "start of ", "beginning of ", "middle of "]
_SOME_OF = ["early ", "late ", "mid ", "early-", "late-", "mid-", "quarter of ", "half of "]
_AT = _behind(*_DURING, *_PART_OF, *_SOME_OF, "week of ", "throughout ")
_ON = _behind("on ", "by ", *_DURING[2:])
_NO_VERB = r"(?! (?:be|have|not|also|well|or|i|we|you|it|they|he|she|as|help|need)\b)"
"""What stands behind "may" where it is a verb."""
_SOME = "(?:a )?(?:few|several)"
_COUPLE_OF = "(?:a )?couple(?: of)?"
_REACH = "(?:(?:over|in|during|within|for) the (?:last|past)|the past|past)"
_PAST = "(?:the )?(?:last|past)"
_OF_DATED = (
    r"(?= of (?:the |this |last )?(?:year|month|(?:19|20)\d\d|jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec))(?: of (?:the (?P<whole>year|month))| in)?"
)

_TABLE: list[tuple[Callable[..., Said | None], tuple[object, ...], list[str]]] = [
    # Counted from today
    (unit_ago, (DAY, 0), [rf"bugun(?:{_C}|lerde)", f"today{_S}"]),
    (unit_ago, (DAY, 1), [r"dun(?:'?(?:ku\w{0,6}|den|u|un|e))?", f"yesterday{_S}"]),
    (unit_ago, (DAY, 2), [rf"(?:evvelsi|(?:bir )?(?:evvel|once)ki) gun{_C}"]),
    (unit_ago, (DAY, 2), ["(?:the )?day before yesterday"]),
    (last_units, (DAY, _LATELY_DAYS), [rf"gecen gun{_C}|gecenlerde(?:ki)?", "the other day"]),
    (unit_ago, (WEEK, 0), [rf"bu hafta{_V}", f"this week{_S}"]),
    (unit_ago, (WEEK, 1), [rf"{_PAST_TR} hafta{_V}", f"{_BEFORE_EN} week{_S}"]),
    (unit_ago, (WEEK, 2), [rf"gecen haftadan onceki hafta{_V}|evvelsi hafta{_V}"]),
    (unit_ago, (WEEK, 2), [rf"(?:the )?week before last|(?:a|one) fortnight {_AGO}"]),
    (last_units, (WEEK, 2), [rf"(?:{_REACH}|{_PAST}) fortnight"]),
    (unit_ago, (MONTH, 0), [rf"bu ay{_AY}", f"this month{_S}"]),
    (unit_ago, (MONTH, 1), [rf"{_PAST_TR} ay{_AY}", f"{_BEFORE_EN} month{_S}"]),
    (unit_ago, (MONTH, 2), [rf"gecen aydan onceki ay{_AY}|evvelsi ay{_AY}"]),
    (unit_ago, (MONTH, 2), ["(?:the )?month before last"]),
    (unit_ago, (MONTH, 6), [rf"yarim (?:yil|sene) {_BEFORE}{_V}", f"half a year {_AGO}"]),
    (unit_ago, (MONTH, 18), [rf"bir bucuk (?:yil|sene) {_BEFORE}{_V}"]),
    (unit_ago, (MONTH, 18), [f"(?:a|one) year and a half {_AGO}"]),
    (unit_ago, (YEAR, 0), [rf"bu {_OF_YEAR}", f"this year{_S}"]),
    (unit_ago, (YEAR, 1), [rf"{_PAST_TR} {_OF_YEAR}", f"{_BEFORE_EN} year{_S}"]),
    (unit_ago, (YEAR, 2), [rf"evvelsi {_OF_YEAR}", "(?:the )?year before last"]),
    (unit_ago, (MONTH, 12), ["gecen (?:yil|sene) bu (?:zaman|sira|vakit|ay)(?:lar)?(?:da)?"]),
    (unit_ago, (MONTH, 12), ["(?:around |about )?this time last year"]),
    (weekend, (None,), [rf"hafta ?sonu{_V}", rf"(?:the |at the |over the )weekend{_S}"]),
    (weekend, (0,), [rf"bu hafta ?sonu{_V}", "this weekend"]),
    (weekend, (1,), [rf"{_PAST_TR} hafta ?sonu{_V}", rf"(?:last|previous) weekend{_S}"]),
    (weekend, (2,), [rf"(?:the )?weekend before last{_S}"]),
    (last_units, ("unit", "count"), [rf"son {_COUNT_TR} {_UNIT_TR}(?:{_C}|{_V}|d[iu]r)"]),
    (last_units, ("unit", "count"), [f"{_PAST} {_COUNT_EN} {_UNIT_EN}", f"{_REACH} {_UNIT_EN}"]),
    (last_units, ("unit", _FEW[1]), [rf"son (?:birkac|bir kac) {_UNIT_TR}(?:{_C}|{_V}|d[iu]r)"]),
    (last_units, ("unit", _FEW[1]), [f"{_PAST} {_SOME} {_UNIT_EN}"]),
    (last_units, ("unit", _COUPLE[0]), [f"{_PAST} {_COUPLE_OF} {_UNIT_EN}"]),
    (
        unit_ago,
        ("unit", "count", "most"),
        [
            rf"{_COUNT_TR}{_TO_MOST}? {_UNIT_TR}(?: kadar)? {_BEFORE}{_V}",
            f"{_COUNT_EN} {_UNIT_EN} (?:ago|back|before now)",
        ],
    ),
    (unit_ago, ("unit", *_FEW), [rf"(?:birkac|bir kac) {_UNIT_TR} {_BEFORE}{_V}"]),
    (unit_ago, ("unit", *_FEW), [f"{_SOME} {_UNIT_EN} {_AGO}"]),
    (unit_ago, ("unit", *_COUPLE), [f"{_COUPLE_OF} {_UNIT_EN} {_AGO}"]),
    (hours_back, ("count",), [rf"son {_COUNT_TR} saat{_ENDS}"]),
    (hours_back, ("count",), [f"(?:in |over |within )?the (?:last|past) (?:{_COUNT_EN} )?hours?"]),
    (hours_ago, ("count",), [rf"{_COUNT_TR} saat {_BEFORE}{_ENDS}", f"{_COUNT_EN} hours? {_AGO}"]),
    # Feasts
    (feast, (12, 31, 2), [r"yilbas(?:inda(?:n|ki\w*)?|i gecesi\w*)"]),
    (feast, (12, 31, 2), ["new year'?s (?:eve|day)|(?<=at )new year(?:'?s)?"]),
    (
        feast,
        (12, 24, 3),
        ["(?:(?:at|on|over|last) |(?<=since )|(?<=before )|(?<=after ))christmas(?: day| eve)?"],
    ),
    # Months and their days
    (
        months,
        ("month", "last_month", "which", "year"),
        [
            rf"(?P<which>{_PAST_TR}) {_MONTH_TR}{_OF_MONTH}",
            rf"(?:(?P<which>bu) )?{_MONTH_TR} ay(?:i{_V}|lari{_V})?",
            rf"{_SAFE_MONTH}(?:{_LOCATIVE}|'[a-z]{{1,6}}|[ea](?= (?:kadar|dek)))",
            rf"(?P<proper>{_MONTH_TR}){_LOCATIVE}",
            rf"{_MONTH_TR}{_LOCATIVE}{_ASKS_WHAT_WAS_SAID}",
            rf"(?:(?<=yil )|(?<=sene )){_MONTH_TR}{_LOCATIVE}",
            rf"(?!ocaktan sonra){_MONTH_TR}'?[dt][ea]n{_IS_BOUND}",
            # "Ocak başı" is where meat is grilled.
            rf"(?!ocak basi(?!\w)){_MONTH_TR}'?(?:[iu]n)?{_AT_AN_END}",
            rf"{_MONTH_TR}'?[iu]n(?= (?:ilk|son|[a-z]+[iu]nc[iu]|\d\.) (?:haftas|yari))",
            rf"{_MONTH_TR},? {_ANY_YEAR}",
            rf"{_ANY_YEAR} {_MONTH_TR}{_OF_MONTH}",
            rf"(?:{_ANY_YEAR} )?{_MONTH_TR}{_TO_MONTH_TR}(?: aras\w+| ay\w+|[ea] kadar)",
            f"{_WHICH_EN} {_FULL_MONTH}{_S}{_NO_VERB}",
            f"(?:{_AT}){_FULL_MONTH}{_S}{_NO_VERB}",
            rf"(?:{_AT}){_SHORT_MONTH}\.?",
            f"{_WHICH_EN} {_SHORT_MONTH}",
            f"{_FULL_MONTH}(?= (?:last|this) year)",
            rf"{_MONTH_EN}\.?(?: of|,)? {_YEAR}{_S}",
            rf"(?:between|from) {_MONTH_EN}{_TO_MONTH_EN}(?:(?: of|,)? {_YEAR})?",
        ],
    ),
    (
        days_of_month,
        ("month", "day", "last_day", "year"),
        [
            rf"{_DAY}\.? {_MONTH_TR}(?:,? {_ANY_YEAR})?(?: gun[iu]?{_V}|{_C}){_NO_EVENT}",
            rf"{_DAY}{_TO_DAY_TR}\.? {_MONTH_TR}(?:,? {_ANY_YEAR})?(?: aras\w+|{_C})",
            rf"(?:the )?{_DAY}{_TO_DAY_EN}?{_TH}(?: of)? {_MONTH_EN}(?:\.?,? {_YEAR})?{_NO_VERB}",
            rf"{_MONTH_EN}\.? (?:the )?{_DAY}{_TO_DAY_EN}?{_TH}(?:,? {_YEAR})?(?![.,:]\d| ?%)",
        ],
    ),
    (
        day_of_month,
        ("day", "which"),
        [
            rf"(?:(?P<which>gecen|bu) )?ayin {_DAY}'?s?[iu]n(?:d[ea]n?(?:ki)?|[iu])",
            rf"on the {_DAY}(?:st|nd|rd|th)(?= ?(?:[?.,!]|$))",
        ],
    ),
    (
        day_in_figures,
        ("day", "number", "year"),
        [rf"{_DAY}[./]{_NUMBER}[./]{_YEAR}", rf"{_YEAR}[-./]{_NUMBER}[-./]{_DAY}"],
    ),
    (month_in_figures, ("number", "year"), [rf"(?<![./-])(?P<number>[01]?\d)[./]{_YEAR}"]),
    # Weekdays
    (
        weekday,
        ("weekday", "which"),
        [
            rf"{_WHICH_TR} {_SAFE_DAY}{_OF_DAY}",
            rf"(?P<which>{_PAST_TR}) {_WEEKDAY_TR}{_OF_DAY}",
            rf"(?:(?P<which>bu) )?{_WEEKDAY_TR} gun[iu]?{_V}",
            rf"{_SAFE_DAY}(?:{_C}|{_V})",
            rf"{_WEEKDAY_TR}[dt][ea]n{_IS_BOUND}",
            rf"(?P<which>son) (?!pazar(?! gun)){_WEEKDAY_TR}(?: gun[iu]?{_V}|{_C})",
            rf"(?<=hafta ){_WEEKDAY_TR}(?:{_C}|{_V})",
            rf"{_WEEKDAY_TR}(?= (?:{any_of(PARTS_TR)}))",
            f"{_WHICH_EN} {_WEEKDAY_EN}{_S}",
            f"(?:{_ON}){_WEEKDAY_EN}{_S}",
            f"{_WEEKDAY_EN}(?= (?:{any_of(PARTS_EN)}|of last|last week|of this))",
        ],
    ),
    (
        weekdays_back,
        ("weekday", "count", "count"),
        [
            rf"{_COUNT_TR} {_WEEKDAY_TR}(?: gunu)? {_BEFORE}{_ENDS}",
            f"{_COUNT_EN} {_WEEKDAY_EN}s? {_AGO}",
        ],
    ),
    (weekdays_back, ("weekday", 2, 2), [rf"gecen [a-z]+[dt][ea]n onceki {_WEEKDAY_TR}{_OF_DAY}"]),
    (weekdays_back, ("weekday", 2, 2), [f"(?:the )?{_WEEKDAY_EN} before last"]),
    (weekdays_back, ("weekday", "count", 1), [rf"son {_COUNT_TR} {_WEEKDAY_TR}{_ENDS}"]),
    (weekdays_back, ("weekday", "count", 1), [f"{_PAST} {_COUNT_EN} {_WEEKDAY_EN}s?"]),
    # Years, and what they are divided into
    (
        season,
        ("season", "which", "year"),
        [
            rf"(?:{_WHICH_TR}|{_ANY_YEAR}) {_SEASON_TR}{_S_TR}",
            rf"{_SEASON_TR} aylar\w+",
            r"(?P<season>yaz(?=in \w)|kis(?=in))in",
            "(?P<season>ilkbahar|sonbahar|bahar)da(?:ki)?",
            f"{_WHICH_EN} {_SEASON_EN}{_S}",
            f"(?:{_AT})(?:the )?{_SEASON_EN}",
            f"{_SEASON_EN}(?: of|,)? {_YEAR}",
        ],
    ),
    (year_number, ("year",), [_IN_YEAR, f"(?:{_AT})(?:the year )?{_YEAR}"]),
    (
        quarter,
        ("ordinal", "year"),
        [
            # "q1" of an exam is typed small.
            rf"(?P<proper>q)(?P<ordinal>[1-4])(?:(?: of|,)? {_YEAR})?",
            rf"{_YEAR}[ /-]?(?P<proper>q)(?P<ordinal>[1-4])",
            rf"(?:the )?{_ORDINAL} quarter(?= of (?:the year|this|last|20|19))(?: of the year)?",
            "(?:the )?(?P<ordinal>first|second|third|fourth) quarter(?! (?:of|final))",
            rf"(?:yilin |senenin )?(?<!macin ){_ORDINAL} {_CEYREK}",
        ],
    ),
    (quarter_ago, (0,), [rf"bu {_CEYREK}", "this quarter(?:'s)?"]),
    (quarter_ago, (1,), [rf"{_PAST_TR} {_CEYREK}|(?<![iu]n )son {_CEYREK}"]),
    (quarter_ago, (1,), ["(?:the )?(?:last|previous|past) quarter(?:'s)?(?! of)"]),
    (quarter_ago, (2,), ["(?:the )?quarter before last"]),
    (quarter_ago, ("count",), [rf"{_COUNT_TR} ceyrek {_BEFORE}{_ENDS}"]),
    (quarter_ago, ("count",), [f"{_COUNT_EN} quarters? {_AGO}"]),
    (half, ("ordinal", "whole"), [rf"{_OF_WHOLE_TR}{_ORDINAL} yari(?:s?i)?{_ENDS}"]),
    (half, ("ordinal", "whole"), [rf"(?:the )?{_ORDINAL} half{_OF_DATED}"]),
    (week_of_month, ("ordinal", "whole"), [rf"{_OF_WHOLE_TR}{_ORDINAL} haftas{_ENDS}"]),
    (week_of_month, ("ordinal", "whole"), [rf"(?:the )?{_ORDINAL} week{_OF_DATED}"]),
    (unit_ago, ("unit", 0), [rf"(?P<unit>yil|sene|ay)(?:[iu]n)?{_AT_AN_END}"]),
    (unit_ago, ("unit", 0), [f"(?:{_behind(*(f'{one}the ' for one in _PART_OF))}){_UNIT_EN}"]),
    # Parts of a day
    (part, ("part",), [rf"{_PART_TR}(?:{_C}|{_V})", f"(?:in the )?{_PART_EN}"]),
    (part, ("part", 0), [rf"bu {_PART_TR}(?:{_C}|{_V})", f"this {_PART_EN}"]),
    (part, ((18, 30), 0), ["tonight"]),
    (part, ((20, 30), 1), ["last night"]),
]


@dataclass(frozen=True, slots=True)
class Form:
    pattern: re.Pattern[str]
    _meaning: Callable[..., Said | None]
    _arguments: tuple[object, ...]
    """Names of groups stand for what those hold, None where they are empty."""

    def read(self, match: re.Match[str], written: str) -> Said | None:
        if "proper" in self.pattern.groupindex and match["proper"]:
            start, end = match.span("proper")
            if not written[start:end].istitle():
                return None
        values: dict[object, object] = {
            name: int(word) if word.isdigit() else _TABLES[name][word]
            for name, word in match.groupdict().items()
            if word and name != "proper"
        }
        arguments = (values.get(one) if isinstance(one, str) else one for one in self._arguments)
        return self._meaning(*arguments)


FORMS = [
    Form(re.compile(rf"(?<![\w'])(?:{pattern})(?![\w'])"), meaning, arguments)
    for meaning, arguments, patterns in _TABLE
    for pattern in patterns
]
