"""The names that Turkish and English have for months, days, parts of a day, units and numbers."""

from collections.abc import Iterable

from desktop.domain.language import Language
from desktop.language.dates.date_formatting import MONTHS, WEEKDAYS
from desktop.language.dates.date_meanings import Grain
from desktop.language.normalization import fold

DAY, WEEK, MONTH, YEAR = Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.YEAR


def _numbered(names: Iterable[str], start: int = 1) -> dict[str, int]:
    return {fold(name): number for number, name in enumerate(names, start=start)}


FULL_EN = _numbered(MONTHS[Language.EN])
SHORT_EN = {name[:3]: number for name, number in FULL_EN.items() if name != "may"} | {"sept": 9}
MONTHS_EN = FULL_EN | SHORT_EN
MONTHS_TR = _numbered(MONTHS[Language.TR]) | {"ocag": 1, "aralig": 12}
WEEKDAYS_EN = _numbered(WEEKDAYS[Language.EN], 0)
WEEKDAYS_TR = _numbered(WEEKDAYS[Language.TR], 0)
SEASONS_EN = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
SEASONS_TR = {"ilkbahar": 3, "sonbahar": 9, "bahar": 3, "yaz": 6, "guz": 9, "kis": 12}
PARTS_EN = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (20, 30)}
PARTS_TR = {"sabah": (5, 12), "ogleden sonra": (12, 18), "gece": (20, 30)}
PARTS_TR |= dict.fromkeys(("ogle", "oglen", "ogleyin"), (11, 14))
PARTS_TR |= dict.fromkeys(("aksam", "aksamustu", "aksamuzeri"), (17, 24))
UNITS_EN = {"day": DAY, "week": WEEK, "month": MONTH, "year": YEAR}
UNITS_TR = {"gun": DAY, "hafta": WEEK, "ay": MONTH, "yil": YEAR, "sene": YEAR}
_TO_TWELVE_EN = "one two three four five six seven eight nine ten eleven twelve"
_TO_TEN_TR = "bir iki uc dort bes alti yedi sekiz dokuz on"
COUNTS_EN = _numbered(_TO_TWELVE_EN.split()) | {"a": 1, "an": 1}
COUNTS_EN |= {"fifteen": 15, "twenty": 20, "thirty": 30}
COUNTS_TR = _numbered(_TO_TEN_TR.split()) | {"on bir": 11, "on iki": 12, "on bes": 15}
COUNTS_TR |= {"yirmi": 20, "otuz": 30}
ORDINALS = _numbered(["first", "second", "third", "fourth"])
ORDINALS |= _numbered(["birinci", "ikinci", "ucuncu", "dorduncu"])
ORDINALS |= _numbered(["1st", "2nd", "3rd", "4th"]) | _numbered(["1.", "2.", "3.", "4."])
ORDINALS |= {"ilk": 1, "latter": 2, "last": -1, "final": -1, "son": -1}


def any_of(names: Iterable[str]) -> str:
    """The longest first."""
    return "|".join(sorted(names, key=len, reverse=True))


def group(name: str, names: Iterable[str]) -> str:
    return rf"(?P<{name}>{any_of(names)})"
