"""Date expressions of Turkish and English: patterns over folded text, and their meaning.

The groups of a pattern are the arguments of its meaning; a group named "proper" counts only if it
is written as a name: "in Oct", not "in oct" or "DEC".
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial

from desktop.domain.frozen import dataclass
from desktop.domain.language import Language
from desktop.domain.times import MONTHS, WEEKDAYS
from desktop.language.dates import date_meanings as meanings
from desktop.language.dates.date_meanings import Count, Grain, Said
from desktop.language.normalization import fold
from desktop.language.numbers import NUMBER_WORDS


def _numbered(names: Iterable[str], start: int = 1) -> dict[str, int]:
    return {fold(name): number for number, name in enumerate(names, start=start)}


FULL_EN = _numbered(MONTHS[Language.EN])
SHORT_EN = {name[:3]: number for name, number in FULL_EN.items() if name != "may"} | {"sept": 9}
MONTHS_EN = FULL_EN | SHORT_EN
MONTHS_TR = _numbered(MONTHS[Language.TR]) | {"ocag": 1, "aralig": 12}
WEEKDAYS_EN = _numbered(WEEKDAYS[Language.EN], 0)
WEEKDAYS_TR = _numbered(WEEKDAYS[Language.TR], 0)
SEASONS_EN = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
SEASONS_TR = {"ilkbahar": 3, "sonbahar": 9, "bahar": 3, "yaz": 6, "kis": 12}
PARTS_EN = ("morning", "afternoon", "evening", "night")
PARTS_TR = ("sabah", "ogle", "ogleden sonra", "oglen", "aksam", "aksamustu", "gece")
"""Parts of a day: they belong to its words, and do not narrow it."""
_UNITS = (Grain.HOURS, Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.YEAR)
UNITS_EN = dict(zip(["hour", "day", "week", "month", "year"], _UNITS, strict=True))
UNITS_TR = dict(zip(["saat", "gun", "hafta", "ay", "yil"], _UNITS, strict=True))
UNITS_TR["sene"] = Grain.YEAR
_COUNTED = {*range(1, 13), 15, 20, 30}  # Other numbers are rarely written as words


def _counts(language: Language) -> dict[str, Count]:
    return {word: count for word, count in NUMBER_WORDS[language].items() if count in _COUNTED}


_FEW, _COUPLE = (2, 6), (2, 3)
COUNTS_EN = _counts(Language.EN) | {"a": 1, "an": 1}
COUNTS_EN |= dict.fromkeys(["few", "a few", "several"], _FEW)
COUNTS_EN |= dict.fromkeys(["couple", "a couple", "couple of", "a couple of"], _COUPLE)
COUNTS_TR = _counts(Language.TR) | {"on bir": 11, "on iki": 12, "on bes": 15}
COUNTS_TR |= dict.fromkeys(["birkac", "bir kac"], _FEW)
LAST_TR = ("gecen", "gectigimiz")
LAST_EN = ("last", "past")
WHICH_TR = dict.fromkeys(LAST_TR, -1) | {"bu": 0, "gelecek": 1, "onumuzdeki": 1}
WHICH_EN = dict.fromkeys(LAST_EN, -1) | {"this": 0, "next": 1}
WHICH_DAY_TR = WHICH_TR | {"onumuzdeki": meanings.COMING, "gelecek hafta": 1, "haftaya": 1}
WHICH_DAY_EN = WHICH_EN | {"the coming": meanings.COMING, "next week": 1}


def any_of(names: Iterable[str]) -> str:
    """The longest first."""
    return "|".join(sorted(sorted(names), key=len, reverse=True))


def group(name: str, names: Iterable[str]) -> str:
    return rf"(?P<{name}>{any_of(names)})"


_TABLES: Mapping[str, Mapping[str, object]] = {
    "month": MONTHS_TR | MONTHS_EN,
    "last_month": MONTHS_TR | MONTHS_EN,
    "weekday": WEEKDAYS_TR | WEEKDAYS_EN,
    "season": SEASONS_TR | SEASONS_EN,
    "unit": UNITS_TR | UNITS_EN,
    "count": COUNTS_TR | COUNTS_EN,
    "most": COUNTS_TR | COUNTS_EN,
    "which": WHICH_TR | WHICH_EN,
    "which_day": WHICH_DAY_TR | WHICH_DAY_EN,
}
"""The meanings of the patterns' groups; other groups hold figures."""

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY, _LAST_DAY = r"(?P<day>[0-3]?\d)", r"(?P<last_day>[0-3]?\d)"
_NUMBER = r"(?P<month>[0-3]?\d)"

# Turkish: the endings of any noun, those of place and time, and those that "ki" makes longer.
_KI = r"(?:k[iu][a-z]{0,6})?"
_END = (
    r"(?:'?(?:s?[iu](?:n(?:[iuea]|d[ea]n?|[iu]n)?)?|n?[dt][ea]n?|[iuea]|n[iu]n|y[iuea]"
    rf"|(?<=[aeiou])n[iuea])?{_KI})?"
)
_IN = rf"'?(?:[dt][ea]n?|[iu]nd[ea]n?){_KI}"
_YEAR_TR = rf"{_YEAR}(?: (?:yil|sene))?{_END}"
_LONG_TR = r"(?P<unit>hafta|ay|yil|sene)"
_UNIT_TR = group("unit", UNITS_TR)
_COUNT_TR = rf"(?P<count>\d{{1,3}}|{any_of(COUNTS_TR)})"
_TO_MOST = rf"(?:[ -](?P<most>\d|{any_of(list(COUNTS_TR)[:7])}))"
_WHICH_TR, _WHICH_DAY_TR = group("which", WHICH_TR), group("which_day", WHICH_DAY_TR)
_MONTH_TR = group("month", MONTHS_TR)
_TO_MONTH_TR = r"(?: ?(?:ile|ve|veya|-|–) ?|[dt][ea]n |l[ea] )" + group("last_month", MONTHS_TR)
_DATE_TR = rf"{_DAY}(?:\.?(?: ?[-–—] ?| (?:ile|ila|ve) ){_LAST_DAY})?\.? {_MONTH_TR}{_END}"
_WEEKDAY_TR = group("weekday", WEEKDAYS_TR)
_SEASON_TR = group("season", SEASONS_TR)
# "Ocakta" is on the stove, "aralıkta" in the gap, "ekimde" at planting, "yazın" means write.
_SAFE_MONTH = group("month", set(MONTHS_TR) - {"ocak", "aralik", "ekim", "ocag", "aralig"})
_SAFE_DAY = group("weekday", set(WEEKDAYS_TR) - {"cuma", "pazar"})
_IS_ABOUT_TALK = r"(?= .*(?:konus|tartis|yazis|gorus|de[dm]i|soyle[dm]|bahse|anlat[tm]|sor[dm]))"
_IS_BOUND = r"(?= (?:beri|bu yana|itibaren|once|evvel)(?!\w))"
_HAS_PART = (
    r"(?= (?:(?:bas|son|orta)(?:i|u|si|(?:s?i|u|lari)nda)(?:n|ki)?(?!\w)|\w+ (?:hafta|yari)s))"
)
_NO_EVENT = "(?! (?:darbe|devrim|muhtira|bayram|deprem|savas))"

# English
_S = "(?:'s)?"
_TO = "(?:and|to|until|till|through)"
_LONG_EN = "(?P<unit>week|month|year)"
_UNIT_EN = rf"{group('unit', UNITS_EN)}s?"
_COUNT_EN = rf"(?P<count>\d{{1,3}}|{any_of(COUNTS_EN)})"
_WHICH_EN, _WHICH_DAY_EN = group("which", WHICH_EN), group("which_day", WHICH_DAY_EN)
# "5 may" is a number and a verb.
_MAY = r"(?<=\bin )may|(?P<proper>may)"
_FULL_MONTH = rf"(?P<month>{any_of(set(FULL_EN) - {'may'})}|{_MAY})"
_MONTH_EN = rf"(?P<month>{any_of(set(MONTHS_EN) - {'may'})}|{_MAY})"
_TO_MONTH_EN = f" {_TO} {group('last_month', MONTHS_EN)}"
_TH = "(?:st|nd|rd|th)?"
_TO_DAY_EN = rf"(?:{_TH}(?: ?[-–—] ?| {_TO} ){_LAST_DAY})"
_WEEKDAY_EN = group("weekday", WEEKDAYS_EN)
_SEASON_EN = group("season", SEASONS_EN)
_REACH = "(?:(?:over|in|during|within|for) the (?:last|past)|the past|past)"


def _behind(*words: str) -> str:
    return "(?:" + "|".join(rf"(?<=\b{word} )" for word in words) + ")"


_SIDE = _behind("since", "before", "after", "from", "until", "till")
_PARTS_OF = [f"{part} of" for part in ("end", "start", "beginning", "middle", "week", "half")]
_IN_PART_OF = _behind(*_PARTS_OF, "early", "late", "mid")
_AT = f"(?:{_behind('in', 'during', 'throughout')}|{_SIDE}|{_IN_PART_OF}|(?<=mid-))"

_DAY_WORDS = {
    -2: (f"(?:evvelsi|(?:bir )?(?:evvel|once)ki) gun{_END}", f"(?:the )?day before yesterday{_S}"),
    -1: (f"dun(?:'?(?:den|un?|{_KI}))?", f"yesterday{_S}|last night{_S}"),
    0: (
        f"bugun{_END}|bu (?:{any_of(PARTS_TR)}){_END}",
        f"today{_S}|tonight|this (?:{any_of(PARTS_EN)})",
    ),
    1: (f"yarin{_END}", f"tomorrow{_S}"),
    2: (f"obur gun{_END}", f"(?:the )?day after tomorrow{_S}"),
}
_Row = tuple[Callable[..., Said | None], list[str], list[str]]
_DAYS: list[_Row] = [
    (partial(meanings.unit_from_now, Grain.DAY, offset), [turkish], [english])
    for offset, (turkish, english) in _DAY_WORDS.items()
]
_TABLE: list[_Row] = [
    # Counted from today
    *_DAYS,
    (partial(meanings.unit_from_now, Grain.DAY, 7), ["haftaya"], []),
    (partial(meanings.unit_from_now, Grain.YEAR, 1), [f"seneye{_KI}"], []),
    (
        partial(meanings.last_units, Grain.DAY, 14),
        [f"gecen gun{_END}|gecenlerde(?:ki)?"],
        ["the other day"],
    ),
    (
        meanings.last_units,
        [f"son {_COUNT_TR} {_UNIT_TR}{_END}"],
        [f"(?:the )?(?:last|past) {_COUNT_EN} {_UNIT_EN}", f"{_REACH} {_UNIT_EN}"],
    ),
    (
        meanings.unit_from_now,
        [f"{_WHICH_TR} {_LONG_TR}{_END}"],
        [f"(?:the )?{_WHICH_EN} {_LONG_EN}{_S}"],
    ),
    (partial(meanings.unit_from_now, which=-2), [], [f"(?:the )?{_LONG_EN} before last"]),
    (
        meanings.current_unit,
        [f"(?P<unit>ay|yil|sene)(?:[iu]n)?{_HAS_PART}"],
        [f"{_IN_PART_OF}the {_LONG_EN}"],
    ),
    (
        meanings.units_ago,
        [f"{_COUNT_TR}{_TO_MOST}? {_UNIT_TR}(?: kadar)? (?:once|evvel){_END}"],
        [f"{_COUNT_EN} {_UNIT_EN} (?:ago|back)"],
    ),
    (
        meanings.units_ahead,
        [rf"{_COUNT_TR} {_UNIT_TR} (?:sonra|icinde)\w*"],
        [f"in {_COUNT_EN} {_UNIT_EN}"],
    ),
    (
        meanings.weekend,
        [f"(?:{_WHICH_TR} )?hafta ?sonu{_END}"],
        [f"(?:{_WHICH_EN}|the) weekend{_S}(?! before)"],
    ),
    # Months and their days
    (
        meanings.months,
        [
            rf"(?P<which>{any_of(LAST_TR)}) {_MONTH_TR}{_END}",
            rf"(?:(?P<which>{any_of(LAST_TR)}|bu) )?{_MONTH_TR} ay{_END}",
            rf"{_SAFE_MONTH}(?:{_IN}|'?[ea](?= (?:kadar|dek)))",
            rf"(?P<proper>{_MONTH_TR}){_IN}",
            rf"(?:(?<=yil )|(?<=sene )){_MONTH_TR}{_IN}",
            rf"{_MONTH_TR}{_IN}{_IS_ABOUT_TALK}",
            rf"{_MONTH_TR}'?[dt][ea]n{_IS_BOUND}",
            rf"{_MONTH_TR}'?(?:[iu]n)?{_HAS_PART}",
            rf"{_MONTH_TR},? {_YEAR_TR}",
            rf"{_YEAR_TR} {_MONTH_TR}(?: ayi?)?{_END}",
            rf"(?:{_YEAR_TR} )?{_MONTH_TR}{_TO_MONTH_TR}(?: aras\w+| ay\w+|[ea] kadar)",
            rf"(?<![./-])(?P<month>0?[1-9]|1[0-2])[./]{_YEAR}",
        ],
        [
            f"{_WHICH_EN} {_MONTH_EN}{_S}",
            f"{_AT}{_FULL_MONTH}{_S}",
            rf"{_AT}(?P<proper>{group('month', SHORT_EN)})\.?",
            f"{_FULL_MONTH}(?= (?:last|this) year)",
            rf"{_MONTH_EN}\.?(?: of|,)? {_YEAR}{_S}",
            rf"(?:between|from) {_MONTH_EN}{_TO_MONTH_EN}(?:(?: of|,)? {_YEAR})?",
        ],
    ),
    (
        meanings.days_of_month,
        [
            f"{_DATE_TR}(?:,? {_YEAR_TR})?(?: gun{_END}| aras[a-z]+)?{_NO_EVENT}",
            rf"{_DAY}[./]{_NUMBER}[./]{_YEAR}{_END}",
            rf"{_YEAR}[-./]{_NUMBER}[-./]{_DAY}",
        ],
        [
            rf"(?:the )?{_DAY}{_TO_DAY_EN}?{_TH}(?: of)? {_MONTH_EN}(?:\.?,? {_YEAR})?",
            rf"{_MONTH_EN}\.? (?:the )?{_DAY}{_TO_DAY_EN}?{_TH}(?:,? {_YEAR})?(?![.,:]\d| ?%)",
        ],
    ),
    (
        meanings.day_of_month,
        [rf"(?<=ayin ){_DAY}'?s?[iu]n(?:d[ea]n?(?:ki)?|[iu])"],
        [rf"on the {_DAY}(?:st|nd|rd|th)(?= ?(?:[?.,!]|$))"],
    ),
    (meanings.new_year, [r"yilbas(?:inda\w*|i gecesi\w*)"], ["new year'?s (?:eve|day)"]),
    # Weekdays
    (
        meanings.weekday,
        [
            rf"{_WHICH_DAY_TR} {_WEEKDAY_TR}(?: gun)?{_END}",
            rf"{_WEEKDAY_TR} gun{_END}",
            rf"{_SAFE_DAY}{_END}",
            rf"(?<=hafta ){_WEEKDAY_TR}{_END}",
            rf"{_WEEKDAY_TR}(?:(?= (?:{any_of(PARTS_TR)}))|[dt][ea]n{_IS_BOUND})",
        ],
        [
            f"{_WHICH_DAY_EN} {_WEEKDAY_EN}{_S}",
            f"{_WEEKDAY_EN} (?P<which_day>next week)",
            f"(?:{_behind('on', 'by')}|{_SIDE}){_WEEKDAY_EN}{_S}",
            f"{_WEEKDAY_EN}(?= (?:{any_of(PARTS_EN)}|of last|last week|of this))",
        ],
    ),
    # Seasons and years
    (
        meanings.season,
        [
            rf"(?:{_WHICH_TR}|{_YEAR_TR}) {_SEASON_TR}(?:[iu]n|{_IN}|{_KI})",
            rf"{_SEASON_TR} aylar\w+",
            rf"(?P<season>yaz|kis)in{_IS_ABOUT_TALK}",
            "(?P<season>ilkbahar|sonbahar|bahar)da(?:ki)?",
        ],
        [
            f"{_WHICH_EN} {_SEASON_EN}{_S}",
            f"{_AT}(?:the )?{_SEASON_EN}",
            f"{_SEASON_EN}(?: of|,)? {_YEAR}",
        ],
    ),
    (
        meanings.whole_year,
        [rf"{_YEAR}(?:'?(?:[dt][ea]n?{_KI}|n?[iu]n)| (?:yil|sene)[a-z]{{0,6}})"],
        [f"{_AT}(?:the year )?{_YEAR}"],
    ),
]


@dataclass(frozen=True, slots=True)
class Form:
    pattern: re.Pattern[str]
    language: Language
    _meaning: Callable[..., Said | None]

    def read(self, match: re.Match[str], written: str) -> Said | None:
        groups = match.groupdict()
        if groups.pop("proper", None) and not written[slice(*match.span("proper"))].istitle():
            return None
        values = {
            name: int(word) if word.isdigit() else _TABLES[name][word]
            for name, word in groups.items()
            if word
        }
        return self._meaning(**values)


@cache
def forms() -> list[Form]:
    return [
        Form(re.compile(rf"(?<![\w'])(?<!\d[.,])(?:{pattern})(?![\w'])"), language, meaning)
        for meaning, turkish, english in _TABLE
        for language, patterns in ((Language.TR, turkish), (Language.EN, english))
        for pattern in patterns
    ]
