"""Which numbers in words a text tells for their own sake, so that they would be missed.

"Kırk iki yaşındayım" and "I have three cats" do. "The two of them", "three reasons", "iki de bir"
and "üç beş" do not: what they count is listed anyway, or nothing is counted. Words that mean
something else as well ("yedi", "on", "altı") count only before what they count.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from desktop.domain.language import Language
from desktop.language.normalization import word_texts
from desktop.language.numbers import unit_named
from desktop.memory.numbers.spoken_numbers import Row, Spoken, rows


class Told(NamedTuple):
    """A number in words, with its unit, and where it stands in the text."""

    values: frozenset[str]
    unit: str | None
    start: int
    end: int


_MEANS_MORE = frozenset(
    word_texts(
        "alti yedi on yuz bin milyon milyar trilyon hundred thousand million billion trillion"
    )
)
_TELLS_NOTHING = frozenset({"1", "0.5", "1001", "7.24"})
""""Bin bir çeşit", "yedi yirmi dört"."""
_SMALL = 10
_COUNTED = re.compile(
    r"kisi\w*|adet\w*|tane\w*|yas\w*|cocu[kg]\w*|tablet\w*|hap|hapi|kapsul\w*|barda[kg]\w*|kasi[kg]\w*"
    r"|dilim\w*|porsiyon\w*|ogun\w*|oda\w*|kat|kati\w*|puan\w*|lira\w*|kurus\w*|taksit\w*|sayfa\w*"
    r"|people|persons?|children|kids|tablets?|pills?|capsules?|cups?|spoons?|slices?|portions?"
    r"|meals?|rooms?|floors?|points|instal?lments?|pages?"
)
"""What only a number stands before."""
_LISTED = {
    Language.TR: re.compile(
        r"de|da|farkli|ayri|ana|temel|onemli|kritik|tur\w*|cesi[td]\w*|secene[kg]\w*|yol\w{0,4}"
        r"|yontem\w*|neden\w*|sebe[pb]\w*|sey\w*|nokta\w*|basli[kg]\w*|madde\w*|bolum\w*|asama\w*"
        r"|adim\w*|soru\w*|orne[kg]\w*|ihtimal\w*|olasili[kg]\w*|durum\w*|taraf\w*|alternatif\w*"
        r"|oneri\w*|kategori\w*|gru[pb]\w*|unsur\w*|faktor\w*|etken\w*|konu\w*|yon\w{0,4}"
        r"|yaklasim\w*|kis[iu]?m\w*|kelime\w*|sozcu[kg]\w*|cumle\w*|satir\w*|paragraf\w*|bilgi\w*"
        r"|ozelli[kg]\w*|buyuk|kucuk|kisa|uzun|ucu|arada|gozle|dortluk|paraya?|paralik|asagi|bir"
        r"|mevsim|yani|dirhem|firin|yilda|yilin|ayda|ayak\w*|lafin|cift|el|elle|kosul\w*|sonu[cg]\w*"
        r"|ilke\w*|kural\w*|fiki?r\w*|islem\w*|gorus\w*|ozet\w*|hata\w*|parca\w*|baska|yanlis|dogru"
    ),
    Language.EN: re.compile(
        r"of|more|main|key|major|important|different|separate|distinct|others?|things?|ways?"
        r"|reasons?|options?|steps?|kinds?|types?|sorts?|points?|parts?|approach(?:es)?|methods?"
        r"|questions?|examples?|choices?|alternatives?|categor\w+|factors?|sides?|ideas?"
        r"|possibilit\w+|cases?|groups?|stages?|phases?|topics?|aspects?|words?|sentences?|lines?"
        r"|paragraphs?|suggestions?|tips?|issues?|problems?|worlds?|cents?|minds?|versions?"
        r"|sections?|items?|facts?|goals?|big|small|simple|quick|short|good|basic|common|possible"
        r"|bullets?|broad|general|levels?|forms?|rules?|conditions?|findings?|cautions?|caveats?"
        r"|results?|outcomes?|equal|principles?|arguments?|scenarios?|strateg\w+|explanations?"
        r"|differences?|notes?|pieces?|halves"
    ),
}
"""Behind a small number: what the text goes on to name one by one, or an idiom."""
_NAMED = {
    Language.TR: frozenset(
        word_texts("bu su o her diger oteki ayni ilk son bir birer butun tum adim madde")
    ),
    Language.EN: frozenset(
        word_texts(
            "the these those both all other first last next any either between another past to"
            " number step part chapter phase point no or quarter"
        )
    ),
}
"""Before a small number: it was told before, or counts through."""
_GOES_BEFORE = re.compile(r"[\w,][ \u00a0]+$")
"""Before a capital that no sentence begins with."""
_CLOCK = frozenset({"saat", "saati", "saatler"})
_TIMES_OVER = re.compile(r"(?:kere|kez|defa)\w*|yil\w*")
_UNCOUNTED = frozenset({"40", "100", "1000"})
"""Of so many times nobody keeps count: "kırk kere söyledim"."""


def told_in_words(text: str) -> Iterator[Told]:
    """In order."""
    for row in rows(text):
        for place, one in enumerate(row.numbers):
            if _is_told(row, place):
                yield _told(row, one)


def spoken_in(text: str) -> Iterator[Told]:
    """Every number that the words of a text can be taken for."""
    for row in rows(text):
        for one in row.numbers:
            told = _told(row, one)
            if told.unit is not None or not one.values <= {"1"}:
                yield told


def _told(row: Row, one: Spoken) -> Told:
    start, end = row.words[one.first].start, row.words[one.last].end
    unit = _unit(row, one)
    if unit is not None and _before(row, one) == "yuzde":
        start = row.words[one.first - 1].start
    elif unit is not None:
        end = row.words[one.last + 1].end
    # Three and a half litres are no time.
    values = one.values if unit is None else frozenset({max(one.values, key=float)})
    return Told(values, unit, row.start + start, row.start + end)


def _is_told(row: Row, place: int) -> bool:
    one = row.numbers[place]
    if one.values & _TELLS_NOTHING or _is_vague(row, place):
        return False
    if one.first < one.last:
        return not one.values & _UNCOUNTED or _unit(row, one) is not None
    before, behind = _before(row, one), _behind(row, one)
    if not one.is_bare:
        return before in _CLOCK
    return _is_told_alone(row, one, before, behind)


def _is_told_alone(row: Row, one: Spoken, before: str, behind: str) -> bool:
    """One word without an ending."""
    if one.values & _UNCOUNTED and _TIMES_OVER.fullmatch(behind):
        return False
    is_counted = _unit(row, one) is not None or _COUNTED.fullmatch(behind) is not None
    if row.words[one.first].text in _MEANS_MORE:
        return is_counted or before in _CLOCK
    if is_counted or max(map(float, one.values)) > _SMALL:
        return before != "past"
    return not (_is_listed(row, one, behind) or before in _NAMED[row.language])


def _is_listed(row: Row, one: Spoken, behind: str) -> bool:
    """Or part of a name or of another word: "two-dimensional", "the Three Musketeers"."""
    if not behind or _LISTED[row.language].fullmatch(behind):
        return True
    word, following = row.words[one.last], row.words[one.last + 1]
    if row.text[word.end : following.start] == "-":
        return True
    title = row.text[following.start : following.end]
    if title[0].isupper() and not title.isupper():
        return True
    is_inside = _GOES_BEFORE.search(row.text, max(0, word.start - 3), word.start) is not None
    return is_inside and row.text[word.start].isupper()


def _is_vague(row: Row, place: int) -> bool:
    """Whether it stands beside another that it does not go on with: "üç beş", "one or two"."""
    one = row.numbers[place]
    before, after = row.numbers[max(0, place - 1) : place], row.numbers[place + 1 : place + 2]
    pairs = [*((other, one) for other in before), *((one, other) for other in after)]
    return any(
        _is_beside(row, first, second) and (_apart(first, second) != 1 or first.values <= {"1"})
        for first, second in pairs
    )


def _apart(one: Spoken, other: Spoken) -> float:
    return abs(max(map(float, one.values)) - max(map(float, other.values)))


def _is_beside(row: Row, one: Spoken, other: Spoken) -> bool:
    between = row.text[row.words[one.last].end : row.words[other.first].start]
    return other.first > one.last and between.strip(" -–\u00a0").lower() in {
        "",
        "or",
        "veya",
        "ya da",
    }


def _unit(row: Row, one: Spoken) -> str | None:
    if _before(row, one) == "yuzde":
        return "%"
    behind = _behind(row, one)
    return unit_named(behind) if behind else None


def _before(row: Row, one: Spoken) -> str:
    return row.words[one.first - 1].text if one.first else ""


def _behind(row: Row, one: Spoken) -> str:
    """The word that follows without a mark between; empty where none does."""
    if one.last + 1 == len(row.words):
        return ""
    word, following = row.words[one.last], row.words[one.last + 1]
    between = row.text[word.end : following.start]
    return following.text if between.strip(" \u00a0") in {"", "-"} else ""
