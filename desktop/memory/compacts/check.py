"""What a compact has lost of its messages: numbers, dates, names, files, addresses, errors."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop.language.dates.explicit_dates import SaidDate, is_same_date, said_dates
from desktop.language.file_names import file_names
from desktop.language.markdown_stripping import without_code
from desktop.language.normalization import folded_key, softened, words
from desktop.language.numbers import WORDY_UNITS, Number, numbers
from desktop.language.proper_nouns import Name, names
from desktop.memory.compacts.abbreviated import is_spelled_out, told_by_initials
from desktop.memory.compacts.belonging import told_of_others
from desktop.memory.compacts.lone import called_by_name, lone_number
from desktop.memory.compacts.told_in_code import error_names, told_in_code
from desktop.memory.numbers.told_in_words import Told, spoken_in, told_in_words

_LINK = re.compile(r"https?://\S+|www\.\S+")
_CITED = re.compile(r"\[\d{1,3}(?::[^\[\]]*)?\]")
_MESSAGE = re.compile(r"\[\d{1,6}(?:\s?[–-]\s?\d{1,6})?\]")
"""How a compact says which message something was said in."""
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_ENDS_LIST = re.compile(r"[;!?\n]|\.(?!\d)")
_SHORTEST_STEM = 4
_LONGEST_SUFFIX = 5


@dataclass(frozen=True, slots=True)
class Missing:
    """As the messages have them, in their order, each once."""

    numbers: Sequence[str] = ()
    dates: Sequence[str] = ()
    names: Sequence[str] = ()
    files: Sequence[str] = ()
    addresses: Sequence[str] = ()

    @property
    def all(self) -> Sequence[str]:
        return (*self.numbers, *self.dates, *self.names, *self.files, *self.addresses)

    def __bool__(self) -> bool:
        return bool(self.all)


def missing(originals: Iterable[str], compact: str, common: Container[str] = ()) -> Missing:
    """Links are not looked into, and blocks of code only for what they report.

    `common`: folded words that are no names wherever they stand.
    """
    originals = list(originals)
    plain = [_CITED.sub(" ", _LINK.sub(" ", without_code(one))) for one in originals]
    said = "\n".join(plain)
    reported = "\n".join(piece for one in originals for piece in told_in_code(one))
    compact = _MESSAGE.sub(" ", compact)
    kept = _Kept(compact, told_by_initials(plain, compact))
    addresses = [(found[0], *found.span()) for found in _ADDRESS.finditer(said)]
    said = _blanked(said, ((start, end) for _, start, end in addresses))
    files = file_names(said)
    said = _blanked(said, ((start, end) for _, start, end in files))
    dates = said_dates(said)
    rest = _blanked(said, ((one.start, one.end) for one in dates))
    told = (
        *names(rest, common),
        *(Name(one, True) for one in error_names(reported)),
        *(Name(one, False) for one in called_by_name(rest, common, {one.start for one in dates})),
    )
    counted = (*_numbers(f"{rest}\n{reported}"), *_lone(plain))
    lost = [one.text for one in counted if not kept.has_number(one)]
    if not lost:  # who lost some is asked once more anyway, and for those
        lost = told_of_others([_undated(one) for one in plain], kept.undated, common)
    return Missing(
        _once(lost),
        _once(one.text for one in dates if one.readings and not kept.has_date(one)),
        _once(one.text for one in told if not kept.has_name(one)),
        _once(name for name, _, _ in files if not kept.has_file(name)),
        _once(address for address, _, _ in addresses if not kept.has_file(address)),
    )


def unsaid(names_: Iterable[str], compact: str) -> list[str]:
    """Those of these names that a compact does not say in any form."""
    kept = _Kept(compact)
    return [one for one in _once(names_) if not kept.has_name(Name(one, is_written_apart=False))]


def _numbers(text: str) -> Iterator[Number]:
    yield from numbers(text)
    yield from (_in_words(text, one) for one in told_in_words(text))


def _with_unit_behind(text: str, told: Sequence[Number]) -> Iterator[Number]:
    """Numbers of a list whose unit stands at its end: "elma 40, armut 60, muz 85 TL"."""
    unit, start = None, len(text)
    for one in reversed(told):
        if _ENDS_LIST.search(text, one.end, start):
            unit = None
        if one.unit is None and unit is not None:
            yield replace(one, unit=unit)
        unit, start = one.unit or unit, one.start


def _lone(texts: Iterable[str]) -> Iterator[Number]:
    yield from (_in_words(text, told) for text in texts if (told := lone_number(text)))


def _undated(text: str) -> str:
    spans = ((one.start, one.end) for one in said_dates(text))
    return _blanked(text, spans, " ")


class _Kept:
    """What a compact holds."""

    def __init__(self, text: str, abbreviated: frozenset[str] = frozenset()) -> None:
        self._text = text
        self._abbreviated = abbreviated
        """Words of which it has the initials."""
        self.undated = _undated(text)
        self._folded = folded_key(text)
        self._words = frozenset(word.text for word in words(text))
        self._dates = said_dates(text)
        units: dict[str, set[str | None]] = {}
        spoken = (_in_words(text, one) for one in spoken_in(text))
        in_figures = numbers(text)
        for number in (*in_figures, *spoken, *_with_unit_behind(text, in_figures)):
            for value in number.values:
                units.setdefault(value, set()).add(number.unit)
        for date in self._dates:
            for figure in (str(part) for day in date.readings for part in day if part):
                units.setdefault(figure, set()).add(None)
        self._units = units
        self._years = frozenset(units)

    def has_number(self, number: Number) -> bool:
        units = set().union(*(self._units.get(value, set()) for value in number.values))
        if number.unit is None:
            return bool(units or number.values & self._abbreviated)
        return number.unit in units or (number.unit in WORDY_UNITS and None in units)

    def has_date(self, date: SaidDate) -> bool:
        return is_same_date(date, self._dates, self._years)

    def has_name(self, name: Name) -> bool:
        folded = folded_key(name.text)
        if name.is_written_apart:
            return folded in self._folded or is_spelled_out(name.text, self._text)
        if folded in self._words or folded in self._abbreviated:
            return True
        if len(folded) < _SHORTEST_STEM:
            return False
        return any(_is_same_name(folded, word) for word in self._words)

    def has_file(self, name: str) -> bool:
        return folded_key(name) in self._folded


def _is_same_name(name: str, word: str) -> bool:
    """Either may carry an ending that no apostrophe sets apart."""
    if word.startswith(softened(name)):
        return True
    ending = len(name) - len(word)
    return len(word) >= _SHORTEST_STEM and 0 < ending <= _LONGEST_SUFFIX and name.startswith(word)


def _in_words(text: str, told: Told) -> Number:
    return Number(text[told.start : told.end], told.values, told.unit, told.start, told.end)


def _blanked(text: str, spans: Iterable[tuple[int, int]], by: str = "x") -> str:
    # By letters, so that what follows does not become the beginning of a sentence.
    return "".join(_pieces(text, spans, by))


def _pieces(text: str, spans: Iterable[tuple[int, int]], by: str) -> Iterator[str]:
    done = 0
    for start, end in spans:
        yield text[done:start]
        yield by * (end - start)
        done = end
    yield text[done:]


def _once(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))
