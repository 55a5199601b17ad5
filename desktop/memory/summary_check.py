"""Finds what a summary has lost of its messages.

It checks numbers in digits, dates, names in mid-sentence, file names, e-mail addresses and the
names of errors. Whatever else a summary leaves out is its own choice.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from desktop.language.dates.written_dates import SaidDate, is_same_date, said_dates
from desktop.language.normalization import folded_key, softened, words
from desktop.language.numbers import WORDY_UNITS, Quantity, numbers
from desktop.language.sentences import Name, file_names, names, without_code

_ERROR_ENDINGS = ("Error", "Exception", "Warning")
_HANDLES_ERRORS = frozenset({"except", "catch", "raise", "throw", "class", "import", "from"})
_LINE_HEAD = 3  # Words of a line that may name the error that it reports
_MARKS = "()[]{}<>\"'`“”‘’,;:!?*"
_LINK_STARTS = ("http://", "https://", "www.")
_SHORTEST_STEM = 4
_LONGEST_SUFFIX = 5
_LONGEST_ADDRESS = 120
_LONGEST_CITATION = 400


@dataclass(frozen=True, slots=True)
class Missing:
    """What a summary lacks, in the form and order of the messages, without duplicates."""

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


def find_missing(originals: Iterable[str], summary: str, common: Container[str] = ()) -> Missing:
    """Return what is missing. `common`: folded words that are never names.

    Links are not compared, nor are code blocks except for the errors they name.
    """
    originals = list(originals)
    plain = [_without_references(without_code(original)) for original in originals]
    text, addresses = _take_addresses("\n".join(plain))
    files = file_names(text)
    text = _blank(text, ((start, end) for _, start, end in files))
    dates = said_dates(text)
    text = _blank(text, ((date.start, date.end) for date in dates))
    summary_index = _Summary(_without_references(summary))
    named = (*names(text, common), *_error_names(originals))
    return Missing(
        _unique(number.text for number in numbers(text) if not summary_index.has_number(number)),
        _unique(date.text for date in dates if date.readings and not summary_index.has_date(date)),
        _unique(name.text for name in named if not summary_index.has_name(name)),
        _unique(name for name, _, _ in files if not summary_index.has_text(name)),
        _unique(address for address in addresses if not summary_index.has_text(address)),
    )


class _Summary:
    def __init__(self, text: str) -> None:
        self._folded = folded_key(text)
        self._words = frozenset(word.text for word in words(text))
        self._dates = said_dates(text)
        units: dict[str, set[str | None]] = {}
        for number in numbers(text):
            for value in number.values:
                units.setdefault(value, set()).add(number.unit)
        for date in self._dates:
            for figure in (str(part) for day in date.readings for part in day if part):
                units.setdefault(figure, set()).add(None)
        self._units = units

    def has_number(self, number: Quantity) -> bool:
        units = set().union(*(self._units.get(value, set()) for value in number.values))
        if number.unit is None:
            return bool(units)
        return number.unit in units or (number.unit in WORDY_UNITS and None in units)

    def has_date(self, date: SaidDate) -> bool:
        return is_same_date(date, self._dates, frozenset(self._units))

    def has_name(self, name: Name) -> bool:
        folded = folded_key(name.text)
        if name.is_written_apart:
            return folded in self._folded
        is_long = len(folded) >= _SHORTEST_STEM
        return folded in self._words or (
            is_long and any(_is_same_name(folded, word) for word in self._words)
        )

    def has_text(self, text: str) -> bool:
        return folded_key(text) in self._folded


def _is_same_name(name: str, word: str) -> bool:
    """Whether they are the same name; either may have an ending without an apostrophe."""
    if word.startswith(softened(name)):
        return True
    ending = len(name) - len(word)
    return len(word) >= _SHORTEST_STEM and 0 < ending <= _LONGEST_SUFFIX and name.startswith(word)


def _without_references(text: str) -> str:
    lower = text.lower()
    if any(start in lower for start in _LINK_STARTS):
        text = "".join(map(_without_link, _split(text)))
    return _without_brackets(text)


def _without_link(piece: str) -> str:
    lower = piece.lower()
    starts = [at for start in _LINK_STARTS if (at := lower.find(start)) >= 0]
    return f"{piece[: min(starts)]} " if starts else piece


def _split(text: str) -> Iterator[str]:
    return ("".join(letters) for _, letters in groupby(text, str.isspace))


def _without_brackets(text: str) -> str:
    pieces: list[str] = []
    done = at = 0
    while (at := text.find("[", at)) >= 0:
        end = text.find("]", at, at + _LONGEST_CITATION)
        if end > 0 and text[at + 1].isdigit() and "[" not in text[at + 1 : end]:
            pieces += [text[done:at], " "]
            done = end + 1
        at += 1
    return "".join([*pieces, text[done:]])


def _take_addresses(text: str) -> tuple[str, list[str]]:
    addresses: list[str] = []
    pieces: list[str] = []
    for piece in _split(text) if "@" in text else (text,):
        address = piece.strip(_MARKS).rstrip(".")
        name, _, domain = address.partition("@")
        is_address = name and "." in domain.strip(".") and len(address) <= _LONGEST_ADDRESS
        if is_address:
            addresses.append(address)
        pieces.append(piece.replace(address, "x" * len(address)) if is_address else piece)
    return "".join(pieces), addresses


def _error_names(originals: Iterable[str]) -> Iterator[Name]:
    """Yield names of reported errors, also in code blocks: "java.lang.NullPointerException: x"."""
    for text in originals:
        if any(ending in text for ending in _ERROR_ENDINGS):
            for line in text.splitlines():
                yield from _error_name(line.split(maxsplit=_LINE_HEAD)[:_LINE_HEAD])


def _error_name(head: Sequence[str]) -> Iterator[Name]:
    """The error named at the head of a line; none for code that handles an error."""
    if not _HANDLES_ERRORS.isdisjoint(head):
        return
    for piece in head:
        name = piece.strip(_MARKS).partition(":")[0].rpartition(".")[2]
        is_error = name.endswith(_ERROR_ENDINGS) and name not in _ERROR_ENDINGS
        if is_error and name[:1].isupper() and name.isidentifier():
            yield Name(name, is_written_apart=True)


def _blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        pieces += [text[done:start], "x" * (end - start)]
        done = end
    return "".join([*pieces, text[done:]])


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
