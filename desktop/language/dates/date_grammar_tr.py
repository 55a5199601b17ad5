"""The dates that Turkish says in words; patterns are over folded text (language.folding)."""

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
    of_day_of_month,
    this_month_of_last_year,
    unit_ago,
    weekend,
)

_MONTHS = {
    "oca[kg]": 1,
    "subat": 2,
    "mart": 3,
    "nisan": 4,
    "mayis": 5,
    "haziran": 6,
    "temmuz": 7,
    "agustos": 8,
    "eylul": 9,
    "ekim": 10,
    "kasim": 11,
    "arali[kg]": 12,
}
_SEASONS = {"ilkbahar": 3, "sonbahar": 9, "bahar": 3, "yaz": 6, "guz": 9, "kis": 12}
_WEEKDAYS = {
    "pazartesi": 0,
    "sali": 1,
    "carsamba": 2,
    "persembe": 3,
    "cumartesi": 5,
    "cuma": 4,
    "pazar": 6,
}
_PARTS = {
    "sabah": (5, 12),
    "ogleden sonra": (12, 18),
    "ogle(?:n|yin)?": (11, 14),
    "aksam(?:ustu|uzeri)?": (17, 24),
    "gece": (20, 30),
}
_UNITS = {"gun": Grain.DAY, "hafta": Grain.WEEK, "ay": Grain.MONTH, "yil|sene": Grain.YEAR}
_NUMBERS = {
    name: number
    for number, name in enumerate(
        ["bir", "iki", "uc", "dort", "bes", "alti", "yedi", "sekiz", "dokuz", "on"], start=1
    )
} | {"on bir": 11, "on iki": 12, "on bes": 15, "yirmi": 20, "otuz": 30}
_WORDS = Vocabulary(
    months=_MONTHS,
    weekdays=_WEEKDAYS,
    seasons=_SEASONS,
    parts=_PARTS,
    units=_UNITS,
    numbers=_NUMBERS,
    this="bu",
)
_SMALL = "bir|iki|uc|dort|bes|alti|yedi"
_NO_EVENT = (
    r"(?! (?:darbe|devrim|ayaklanma|muhtira|bayram|zafer|saldiri|direnis|olay|deprem|savas|karar"
    r"|kongre|sehit|gun[uo]n)\w*)"
)
"""What makes a day of the year the name of something that happened long ago."""
_KI = r"(?:k[iu](?:l[ea]r)?(?:n[iu]n|n?[dt][ea]n?|n[iuea])?)?"
# Case behind a consonant, behind a vowel, and behind a month, where fewer are safe: "martı".
_C = rf"(?:'?(?:[iuea]|[iu]n|[dt][ea]n?|[iu]nd[ea]n?|[iu]n[iu]n|l[ea]r[iu]?n?[dt]?[ea]?n?)?{_KI})"
_V = rf"(?:'?(?:n[iu]n|n?[iuea]|y[iuea]|n?[dt][ea]n?|s[iu]n?(?:d[ea]n?|[iu]n)?)?{_KI})"
_AY = r"(?:'?(?:a|in|da(?:n|ki\w*)?|ki\w*|inda(?:n|ki\w*)?|inin))?"
_S = rf"(?:'?(?:[iu]n|[dt][ea]n?|[iu]nd[ea]n?)?{_KI})"
_LOCATIVE = rf"(?:[dt][ea]n?|[iu]nd[ea]n?){_KI}"
_MONTH_CASE = (
    rf"(?:{_LOCATIVE}|'[a-z]{{1,6}}|[ea](?= (?:kadar|dek))|[iu]n(?= (?:bas|son|ort|ilk)))"
)
_YEAR_CASE = r"(?:'?(?:[dt][ea](?:n|ki\w*)?|n?[iu]n)| (?:yil|sene)[a-z]{0,6})"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_LAST = r"(?:gecen|gectigimiz|(?:bir )?onceki|(?:bir )?evvelki)"
_SAFE_MONTHS = "subat|mart|mayis|haziran|temmuz|agustos"
_ANY_MONTH = "|".join(_MONTHS)
_SAFE_DAYS = "pazartesi|sali|carsamba|persembe|cumartesi"
_ANY_DAY = "|".join(_WEEKDAYS)
_ANY_SEASON = "|".join(_SEASONS)
_ANY_PART = "|".join(_PARTS)
_COUNT = _WORDS.count()
_ASKS_WHAT_WAS_SAID = re.compile(
    r"(?<!\w)(?:ne|neler\w*|hangi)(?!\w).*(?<!\w)"
    r"(?:(?:konus|tartis|yazis|gorus)[tmu]|ded[iu]|demis|soyle[dm]|bahse[td]|anlat[tm]|sor[dm]u)"
)


def _capital_month(match: re.Match[str], written: str) -> Said | None:
    """Of "Ocak'ta", which is not "ocakta": on the stove; nothing is discussed there."""
    is_meant = written[:1].isupper() or _ASKS_WHAT_WAS_SAID.search(match.string)
    return _WORDS.month(match, written) if is_meant else None


def _last_few(match: re.Match[str], _written: str) -> Said:
    return last_units(_WORDS.unit(match), FEW[1])


def _some_ago(match: re.Match[str], _written: str) -> Said | None:
    return unit_ago(_WORDS.unit(match), *FEW)


def _day_of_month(match: re.Match[str], _written: str) -> Said | None:
    months_ago = {"gecen": 1, "bu": 0}.get(match["which"] or "")
    return of_day_of_month(int(match["day"]), months_ago)


_UNIT = r"(?P<unit>gun|hafta|ay|yil|sene)"
_DAY = r"(?P<day>[0-3]?\d)"
_LAST_DAY = r"(?P<last_day>[0-3]?\d)"
_MONTH = rf"(?P<month>{_ANY_MONTH})"
_SEASON = rf"(?P<season>{_ANY_SEASON})"
_WEEKDAY = rf"(?P<weekday>{_ANY_DAY})"
_PART = rf"(?P<part>{_ANY_PART})"
_WHICH = rf"(?P<which>{_LAST}|bu)"

FORMS: tuple[Form, ...] = (
    form(rf"bugun(?:{_C}|lerde)", always(unit_ago(Grain.DAY, 0))),
    form(r"dun(?:'?(?:ku\w{0,6}|den|u|un|e))?", always(unit_ago(Grain.DAY, 1))),
    form(rf"(?:evvelsi|(?:bir )?evvelki|(?:bir )?onceki) gun{_C}", always(unit_ago(Grain.DAY, 2))),
    form(rf"gecen gun{_C}|gecenlerde(?:ki)?", always(last_units(Grain.DAY, LATELY_DAYS))),
    form(rf"bu hafta{_V}", always(unit_ago(Grain.WEEK, 0))),
    form(rf"(?:{_LAST}) hafta{_V}", always(unit_ago(Grain.WEEK, 1))),
    form(rf"gecen haftadan onceki hafta{_V}|evvelsi hafta{_V}", always(unit_ago(Grain.WEEK, 2))),
    form(rf"bu ay{_AY}", always(unit_ago(Grain.MONTH, 0))),
    form(rf"(?:{_LAST}) ay{_AY}", always(unit_ago(Grain.MONTH, 1))),
    form(rf"gecen aydan onceki ay{_AY}|evvelsi ay{_AY}", always(unit_ago(Grain.MONTH, 2))),
    form(rf"bu (?:yil{_C}|sene{_V})", always(unit_ago(Grain.YEAR, 0))),
    form(rf"(?:{_LAST}) (?:yil{_C}|sene{_V})|gecen yil", always(unit_ago(Grain.YEAR, 1))),
    form(rf"evvelsi (?:yil{_C}|sene{_V})", always(unit_ago(Grain.YEAR, 2))),
    form(rf"hafta ?sonu{_V}", always(latest_weekend())),
    form(rf"bu hafta ?sonu{_V}", always(weekend(0))),
    form(rf"(?:{_LAST}) hafta ?sonu{_V}", always(weekend(1))),
    form(rf"son {_COUNT} {_UNIT}(?:{_C}|{_V}|d[iu]r)", _WORDS.last_units),
    form(rf"son (?:birkac|bir kac) {_UNIT}(?:{_C}|{_V}|d[iu]r)", _last_few),
    form(rf"{_COUNT} {_UNIT} (?:kadar )?(?:once|evvel){_V}", _WORDS.ago),
    form(rf"{_COUNT}[ -](?P<most>{_SMALL}|\d) {_UNIT} (?:once|evvel){_V}", _WORDS.ago),
    form(rf"yarim (?:yil|sene) (?:once|evvel){_V}", always(unit_ago(Grain.MONTH, 6))),
    form(rf"bir bucuk (?:yil|sene) (?:once|evvel){_V}", always(unit_ago(Grain.MONTH, 18))),
    form(
        r"gecen (?:yil|sene) bu (?:zaman|sira|vakit|ay)(?:lar)?(?:da(?:ki)?)?",
        always(this_month_of_last_year()),
    ),
    form(r"yilbas(?:inda(?:n|ki\w*)?|i gecesi\w*)", always(feast(12, 31, 2))),
    form(rf"(?:(?P<which>gecen|bu) )?ayin {_DAY}'?s?[iu]n(?:d[ea]n?(?:ki)?|[iu])", _day_of_month),
    form(rf"(?:birkac|bir kac) {_UNIT} (?:once|evvel){_V}", _some_ago),
    form(rf"(?P<which>{_LAST}) {_MONTH}(?: ay[iu]?{_V}|{_C})", _WORDS.month),
    form(rf"(?:(?P<which>bu) )?{_MONTH} ay(?:i{_V}|lari{_V})?", _WORDS.month),
    form(rf"(?P<month>{_SAFE_MONTHS}){_MONTH_CASE}", _WORDS.month),
    form(rf"{_MONTH}'?{_LOCATIVE}", _capital_month),
    form(rf"(?:(?<=yil )|(?<=sene )){_MONTH}'?{_LOCATIVE}", _WORDS.month),
    form(rf"{_MONTH}'?[dt][ea]n(?= (?:beri|bu yana|itibaren)(?!\w))", _WORDS.month),
    form(rf"(?!oca){_MONTH}'?[dt][ea]n(?= (?:once|evvel|sonra)(?!\w))", _WORDS.month),
    form(
        rf"{_MONTH}'?(?:[iu]n)?(?= (?:basin|sonun|ortasin|baslarin|sonlarin|ortalarin)da)",
        _WORDS.month,
    ),
    # Not of January: "ocak başı" is where meat is grilled.
    form(rf"(?!oca){_MONTH}(?= (?:basi|sonu|ortasi)(?!\w))", _WORDS.month),
    form(r"(?P<month>ocak)(?= (?:sonu|ortasi)(?!\w))", _WORDS.month),
    form(rf"{_MONTH}'?[iu]n(?= (?:ilk|son|[a-z]+[iu]nc[iu]|\d\.) (?:haftas|yari))", _WORDS.month),
    form(rf"{_MONTH},? {_YEAR}{_YEAR_CASE}?", _WORDS.month_of_year),
    form(rf"{_YEAR}(?:{_YEAR_CASE})? {_MONTH}(?: ay[iu]?{_V}|{_C})", _WORDS.month_of_year),
    form(
        rf"(?:{_YEAR}(?:{_YEAR_CASE})? )?{_MONTH}(?: ?(?:ile|ve|veya|-|–) ?|[dt][ea]n |l[ea] )"
        rf"(?P<last>{_ANY_MONTH})(?: aras\w+| ay\w+|[ea] kadar)",
        _WORDS.month_of_year,
    ),
    form(
        rf"{_DAY}\.? {_MONTH}(?:,? {_YEAR}(?:{_YEAR_CASE})?)?(?: gun[iu]?{_V}|{_C}){_NO_EVENT}",
        _WORDS.date,
    ),
    form(
        rf"{_DAY}\.?(?: ?[-–—] ?| (?:ile|ila|ve) ){_LAST_DAY}\.? {_MONTH}"
        rf"(?:,? {_YEAR}(?:{_YEAR_CASE})?)?(?: aras\w+|{_C})",
        _WORDS.days,
    ),
    form(rf"{_WHICH} (?P<weekday>{_SAFE_DAYS})(?: gun[iu]?{_V}|{_C}|{_V})", _WORDS.weekday),
    form(
        rf"(?P<which>{_LAST}) (?P<weekday>{_ANY_DAY})(?: gun[iu]?{_V}|{_C}|{_V})", _WORDS.weekday
    ),
    form(rf"(?:(?P<which>bu) )?{_WEEKDAY} gun[iu]?{_V}", _WORDS.weekday),
    form(rf"(?P<weekday>{_SAFE_DAYS})(?:{_C}|{_V})", _WORDS.weekday),
    form(rf"{_WEEKDAY}[dt]an(?= (?:beri|bu yana|itibaren)(?!\w))", _WORDS.weekday),
    form(rf"{_WEEKDAY}den(?= (?:beri|bu yana|itibaren)(?!\w))", _WORDS.weekday),
    form(rf"(?P<which>son) (?P<weekday>{_SAFE_DAYS}|cuma)(?: gun[iu]?{_V}|{_C})", _WORDS.weekday),
    form(rf"(?P<which>son) (?P<weekday>pazar) gun[iu]{_V}", _WORDS.weekday),
    form(rf"(?<=hafta ){_WEEKDAY}(?:{_C}|{_V})", _WORDS.weekday),
    form(rf"{_WEEKDAY}(?= (?:{_ANY_PART}))", _WORDS.weekday),
    form(rf"{_WHICH} {_SEASON}{_S}", _WORDS.season),
    form(rf"{_SEASON} aylar\w+", _WORDS.season),
    form(rf"{_YEAR}(?:{_YEAR_CASE})? {_SEASON}{_S}", _WORDS.season),
    form(r"(?P<season>yaz(?=in \w)|kis(?=in))in", _WORDS.season),
    form(r"(?P<season>ilkbahar|sonbahar|bahar)da(?:ki)?", _WORDS.season),
    form(rf"{_YEAR}{_YEAR_CASE}", _WORDS.year),
    form(rf"{_PART}(?:{_C}|{_V})", _WORDS.part),
    form(rf"bu {_PART}(?:{_C}|{_V})", _WORDS.part_of_today),
)
