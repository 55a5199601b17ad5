"""Numbers in a text, as Turkish and English write them, with the unit they stand with.

"1.250" is a thousand or one and a quarter, depending on who writes: such a number has both values,
and two numbers are the same where they have one in common. A scale is counted in, and a minus:
"3 milyar" is "3000000000", "-3" is not "3".
"""

import re
from dataclasses import dataclass
from decimal import Decimal

from desktop.language.normalization import fold, folded_key


@dataclass(frozen=True, slots=True)
class Number:
    text: str
    """As it stands there, with its unit."""
    values: frozenset[str]
    unit: str | None
    start: int
    end: int


# Not the figures of "B12" or "COVID-19": those are names.
_NUMBER = re.compile(r"(?<![^\W_])(?<![^\W\d_]-)\d+(?:[.,:]\d+)*")
_BEFORE = re.compile(r"(?:(?P<sign>[%$€£₺])[ \u00a0]?|\b(?P<word>yüzde|Yüzde) )$")
_AFTER = re.compile(r"[ \u00a0]?(?P<unit>%|[$€£₺]|°[ \u00a0]?[CF]?|[^\W\d_]+(?:/[^\W\d_]+)?)")
_NUMBERING = re.compile(r"(?m)^[ \t>*_-]*\(?\d{1,3}[.)](?=[ \t])")
_GROUP = 3
_UNITS = """
%: % percent yüzde
$: $ usd dolar dollar dollars
€: € eur euro avro
£: £ gbp sterlin pound pounds
₺: ₺ tl try lira
°: ° °c °f derece degrees
mg: mg miligram milligram milligrams
µg: µg mcg mikrogram microgram
g: g gr gram grams
kg: kg kilogram kilo kilograms
ton: ton tons tonne tonnes
ml: ml mililitre milliliter
l: l lt litre liter litres liters
mm: mm milimetre millimeter
cm: cm santimetre santim centimeter
m: m metre meter metres meters
km: km kilometre kilometer kilometers kilometres
mg/dl: mg/dl
mmol/l: mmol/l
km/h: km/h km/sa
kb: kb
mb: mb megabayt megabyte
gb: gb gigabayt gigabyte
tb: tb terabayt terabyte
kcal: kcal kalori calories
hz: hz hertz
w: w watt
kw: kw kilowatt
v: v volt
s: sn saniye sec second seconds
min: dk dakika min minute minutes
h: sa saat hour hours
day: gün day days
week: hafta week weeks
month: ay month months
year: yıl sene year years
"""
_UNIT_OF = {
    folded_key(name) if name[0].isalpha() else name.lower(): unit
    for unit, names in (line.split(": ") for line in _UNITS.strip().splitlines())
    for name in names.split()
}
_LONGEST_SUFFIX = 5
_SHORTEST_STEM = 3
_SHORT_WORDS = frozenset({"gun", "yil", "ton"})
"""Of three letters, and no abbreviations: "seçenek" is no "sec", "minik" no "min"."""
WORDY_UNITS = frozenset({"s", "min", "h", "day", "week", "month", "year"})
"""Units of time: written in many ways ("three-day", "5 günlük")."""


def numbers(text: str) -> list[Number]:
    """Every number in order; the numbering of lists is none."""
    numbered = {match.end() for match in _NUMBERING.finditer(text)}
    found: list[Number] = []
    done = 0
    for match in _NUMBER.finditer(text):
        if match.end() + 1 in numbered or match.start() < done:
            continue
        values, end = _scaled(text, *match.span(), _values(match[0]))
        unit, start, end = _unit(text, match.start(), end)
        values, start = _signed(text, values, start, end)
        found.append(Number(text[start:end], values, unit, start, end))
        done = end
    return found


def _signed(text: str, values: frozenset[str], start: int, end: int) -> tuple[frozenset[str], int]:
    """With a minus where one is said, and either way where it may be one.

    At the head of a line it may mark a list, and behind a number a range.
    """
    sign = _minus_before(text, start)
    before = text[max(0, sign - _NEAR) : sign].rstrip(" \u00a0")
    is_listed = text[sign] in _MINUS and before[-1:] in {"", "\n"}
    is_sure = sign < start and not is_listed and not before[-1:].isdigit()
    is_below = _BELOW.match(fold(text[end : end + _FARTHEST_BELOW])) is not None
    if sign == start and not is_below:
        return values, start
    below = frozenset(value if value == "0" else f"-{value}" for value in values)
    return (below if is_sure or is_below else below | values), sign if is_sure else start


def _minus_before(text: str, start: int) -> int:
    """Where the minus of a number stands, or of the sign of its unit; `start` without one."""
    if start and text[start - 1] in _MINUS:
        return start - 1 if start == 1 or text[start - 2] in _MAY_PRECEDE else start
    head = max(0, start - _BEFORE_MINUS)
    word = _MINUS_WORD.search(fold(text[head:start]))
    return head + word.start() if word else start


def _values(digits: str) -> frozenset[str]:
    groups = re.split(r"[.,:]", digits)
    marks = [mark for mark in digits if not mark.isdigit()]
    whole = "".join(groups)
    if not marks:
        return frozenset({_trimmed(digits)})
    are_thousands = all(len(group) == _GROUP for group in groups[1:])
    if len(set(marks)) > 1 and marks.count(marks[-1]) == 1 and ":" not in marks:
        # The last mark begins the decimals, the others part thousands.
        return frozenset({_trimmed(f"{''.join(groups[:-1])}.{groups[-1]}")})
    if len(marks) > 1:
        literal = ".".join(groups)
        return frozenset({_trimmed(whole)}) if are_thousands else frozenset({literal})
    values = {_trimmed(f"{groups[0]}.{groups[1]}")}
    if are_thousands and len(groups[0]) <= _GROUP and groups[0] != "0":
        values.add(_trimmed(whole))
    return frozenset(values)


def _trimmed(value: str) -> str:
    """Without zeros that say nothing: "09.40" is "9.4"."""
    whole, _, decimals = value.partition(".")
    decimals = decimals.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{decimals}" if decimals else "")


def _unit(text: str, start: int, end: int) -> tuple[str | None, int, int]:
    if before := _BEFORE.search(text, max(0, start - 8), start):
        return _UNIT_OF.get(before["sign"] or "%", "%"), before.start(), end
    # "%-3": the minus stands between.
    if start and text[start - 1] in "-−" and text[max(0, start - 2) : start - 1] == "%":
        return "%", start, end
    after = _AFTER.match(text, end)
    unit = unit_named(after["unit"]) if after else None
    if after and unit is None and "/" in after["unit"]:  # of a rate: "kg/h", "TL/gün"
        unit = unit_named(after["unit"].partition("/")[0])
    return (unit, start, after.end()) if after and unit else (None, start, end)


def unit_named(word: str) -> str | None:
    """The unit that a word names, with the ending of a case or without."""
    if not word[0].isalpha():
        return _UNIT_OF.get(word.lower().replace(" ", "").replace("\u00a0", ""))
    folded = folded_key(word)
    if folded in _UNIT_OF:
        return _UNIT_OF[folded]
    for length in range(len(folded) - 1, _SHORTEST_STEM - 1, -1):
        if len(folded) - length > _LONGEST_SUFFIX:
            break
        stem = folded[:length]
        if stem in _UNIT_OF and (length > _SHORTEST_STEM or stem in _SHORT_WORDS):
            return _UNIT_OF[stem]
    return None


_SCALES = """
3: bin thousand
6: milyon million mn mln
9: milyar billion milliard mlr bn
12: trilyon trillion trn
"""
_POWER_OF = {
    word: int(power)
    for power, words in (line.split(": ") for line in _SCALES.strip().splitlines())
    for word in words.split()
}
_LETTERS = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12}
_LONGEST = 24
# Of a Turkish case, and what is so many worth: "milyonluk"; not "bina", which is a building.
_ENDING = (
    r"(?:'?(?:lik|luk|er|ar|den|dan|de|da|in|un|ini|unu|ine|una|inin|unun|lar[a-z]{0,4}|s|e|u"
    r"|(?<!bin)a|i))?"
)
_WORD = re.compile(rf"[ \u00a0]?({'|'.join(_POWER_OF)}){_ENDING}(?![^\W_])")
_LETTER = re.compile(r"([kKMBT])(?![^\W_])")
_MONEY = re.compile(r"[$€£₺][ \u00a0]?$")
_MORE = re.compile(r"[ \u00a0](\d{1,3}(?:[.,]\d+)?)(?!\d)")
"""What is said behind a scale and counted to it: "2 milyon 500 bin"."""
_HUNDRED, _THOUSANDS = 100, 3
_MINUS_WORD = re.compile(r"\b(?:eksi|minus|negati(?:f|ve)|sifirin altinda) $")
_BELOW = re.compile(r"[ \u00a0]?(?:°[ \u00a0]?c?|degrees?|derece)? ?below (?:zero|freezing)\b")
_BEFORE_MINUS = 18
_FARTHEST_BELOW = 24
_MINUS = "-−–"


_MAY_PRECEDE = " \t\n\u00a0(=:%$€£₺[\"'“‘,;<>~≈|*_"
_NEAR = 3


def _scale_behind(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The power of ten that a number from `start` to `end` is counted in, and where it ends."""
    if letter := _LETTER.match(text, end):
        is_money = _MONEY.search(text, max(0, start - 2), start) is not None
        # "5M" may be a size, "4K" a screen and "5B" a class, but "$5M" is money.
        if is_money or letter[1] in "kKM":
            return _LETTERS[letter[1]], letter.end()
    found = _WORD.match(fold(text[end : end + _LONGEST]))
    return (_POWER_OF[found[1]], end + found.end()) if found else None


def _scaled(text: str, start: int, end: int, values: frozenset[str]) -> tuple[frozenset[str], int]:
    """What a number comes to with its scale, and where it ends: "2 milyon 500 bin" is one."""
    scale = _scale_behind(text, start, end)
    found = [Decimal(value) for value in values if value.count(".") <= 1]
    if scale is None or not found:  # of a version
        return values, scale[1] if scale else end
    power, end = scale
    found = [one.scaleb(power) for one in found]
    while more := _MORE.match(text, end):
        smaller = _scale_behind(text, more.start(1), more.end())
        rest = Decimal(more[1].replace(",", "."))
        if smaller is None:
            if power == _THOUSANDS and more[1].isdigit() and rest >= _HUNDRED:
                found, end = [one + rest for one in found], more.end()
            break
        if smaller[0] >= power:
            break
        power, end = smaller
        found = [one + rest.scaleb(power) for one in found]
    return frozenset(_trimmed(f"{one:f}") for one in found), end
