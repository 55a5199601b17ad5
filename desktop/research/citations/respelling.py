"""Spells citations as they were asked for where a model marks them in a way of its own.

`<cite n="1">words</cite>`, `{1: "words"}`, `word¹`: what stands here in their place is `[1]` or
`[1: "words"]`, and is checked like any other. Tags, powers and formulas of other kinds stay.
"""

import re
from dataclasses import dataclass, replace
from typing import Protocol

from desktop.research.citations.beside import is_quoted_before
from desktop.research.citations.fields import Fields, read_fields
from desktop.research.citations.freehand import Half

SMALL = "⁰¹²³⁴⁵⁶⁷⁸⁹"
RESPELT = f"<{{\\^${SMALL}⁽"
"""What the other ways begin with."""

_LONGEST = 700
_NAMES_TOLD = """
cite citation source reference ref quotation quote passage
sup q blockquote kaynak pasaj alıntı atıf
"""
_NAMES = _NAMES_TOLD.split()
_SURE = ("cite", "citation", "atıf", "alıntı")
"""Tags that are nothing else; the others are, where nothing was given that they name."""
_TAG = re.compile(
    rf"<\s*(?P<name>{'|'.join(_NAMES)})\b(?P<said>[^<>\n]{{0,{_LONGEST}}}?)(?P<end>/?)>",
    re.IGNORECASE,
)
_HALF_A_TAG = re.compile(r"<\s*(?P<name>[^\W\d_]{0,10})(?P<said>[^\w<>\n][^<>\n]*)?\Z")
_QUOTE_SAID = re.compile(
    r"\b(?:quote|text|content|words|alıntı|söz)\w*\s*=\s*(?:\"([^\"]+)\"|'([^']+)'|“([^”]+)”)",
    re.IGNORECASE,
)
_NUMBER_SAID = re.compile(r"(?<![\w.])(?:[a-zıçşğöü]+[_-]?)?(\d{1,3})(?![\d.])", re.IGNORECASE)
_ONLY_NUMBERS = re.compile(r"[\[(]?(?:[^\W\d_]{3,8}\s?)?\d{1,3}(?:\s*[,;]\s*\d{1,3})*[\])]?")
_IS_CITED = re.compile(r"\[.*\]", re.DOTALL)
_NUMBER_FIRST = re.compile(
    r"(?:[^\W\d_]{3,8}\s?)?\d{1,3}\s*(?:[:,–—-]\s*[\"“„«'].*|:\s*[^\W\d_].*)", re.DOTALL
)
_IN_ANGLES = re.compile(r"<\s*(\d{1,3})\s*:\s*([\"“„«][^<>\n]{1,600}[\"”“»])\s*>")
_HALF_IN_ANGLES = re.compile(r"<\s*\d{1,3}\s*(?::[^<>\n]*)?\Z")
_IN_CURLY = re.compile(
    r"(\{{1,2})\s*[\"']?(?:[^\W\d_]{3,8}\s)?(\d{1,3})[\"']?\s*[:,]\s*"
    r"[\"“„«](?P<words>[^{}\n]{1,600})[\"”“»]\s*\}{1,2}"
)
_HALF_IN_CURLY = re.compile(r"\{{1,2}\s*[\"']?(?:[^\W\d_]{0,8}\s?)?(?:\d{1,3}[^{}\n]*)?\}?\Z")
_CURLY_NUMBER = re.compile(r"\{(\d{1,3})\}")
_ENDS_A_SENTENCE = re.compile(r"[.!?…]?(?:\n|\Z)")
_ESCAPED = re.compile(
    r"\\\[\s*(?P<said>(?:[^\W\d_]{3,8}\s)?\d{1,3}(?:\s*[,;:][^\\\n]{1,640})?)\s*\\\]"
)
_HALF_ESCAPED = re.compile(
    r"\\\[\s*(?:[^\W\d_]{0,8}\s?)?(?:\d{1,3}(?:\s*[,;:][^\\\n]*)?\s*\\?)?\Z"
)
_IN_LATEX = re.compile(
    r"\\cite[a-z]{0,6}(?:\[(?P<words>[^\[\]\n]{0,600})\])?"
    r"\{(?:[^\W\d_]{0,10}[_:-]?)(?P<number>\d{1,3})\}"
    r"(?:\{[\"“„«]?(?P<behind>[^{}\n]{1,600}?)[\"”“»]?\})?"
)
_OPENS_MORE = re.compile(r"(?:\{[^{}\n]{0,600})?\Z")
_HALF_IN_LATEX = re.compile(
    r"\\(?:c(?:i(?:t(?:e[a-z]{0,6}(?:\[[^\[\]\n]*(?:\](?:\{[^{}\n]{0,16})?)?|\{[^{}\n]{0,16}(?:\}(?:\{[^{}\n]*)?)?)?)?)?)?)?\Z"
)
_CARET = re.compile(r"\^(\d{1,3})(?:\^|(?![\w^{(.,]))|\^(?=\[\d{1,3}\])")
_HALF_A_CARET = re.compile(r"\^(?:\d{0,3}|\[\d{0,3})\Z")
_FORMULA = re.compile(r"\$\s?\^\{?\[?(\d{1,3})\]?\}?\s?\$")
_HALF_A_FORMULA = re.compile(r"\$\s?(?:\^\{?\[?\d{0,3}\]?\}?\s?)?\Z")
_SMALL = re.compile(rf"⁽?([{SMALL}]{{1,3}})⁾?(?![\w{SMALL}])")
_HALF_SMALL = re.compile(rf"⁽?[{SMALL}]{{0,3}}\Z")
_PLAIN_DIGITS = str.maketrans(SMALL, "0123456789")
# Before a small number a letter or two are a unit, or stand in a formula; a number has a power.
_MAY_HAVE_A_NOTE = re.compile(
    r"(?:[^\W\d_]{4,}(?<!metre)(?<!meter)(?<!meters)(?<!metres)|[.,;:!?\"”»’')\]*] ?"
    r"|[^\W\d_]{2,} )\Z",
    re.IGNORECASE,
)
_BEGINS_A_SENTENCE = re.compile(r"(?:\A|[.!?…:]\s+|\n[\s>*-]*)\Z")
_BEHIND_A_WORD = re.compile(r"[^\W_][\"”»’']?[.,;:]? ?\Z")
_QUOTED = re.compile(r"[\"“„«]\s*([^\"“”„«»]+?)\s*[\"”“»]")
_PARAGRAPH = re.compile(r"\n\s*\n")
_TELLING_WORDS = 4


class Given(Protocol):
    """What may be cited."""

    def has(self, number: int) -> bool: ...

    def holds(self, number: int, words: str) -> bool: ...

    def number_with(self, words: str) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Respelt:
    length: int
    """Letters that it takes up as it was written."""
    text: str
    """What stands in their place."""


def respell(text: str, before: str, given: Given, *, is_over: bool) -> Respelt | Half:
    """Of a text that begins with one of RESPELT, behind what was said before.

    `is_over`: nothing comes behind it.
    """
    match text[0]:
        case "<":
            read = _tagged(text, before, given, is_over=is_over)
        case "{":
            read = _in_curly(text, before, given)
        case "\\":
            read = _escaped(text)
        case "$":
            read = _of_a_formula(text, before, given)
        case "^":
            read = _raised(text, before, given)
        case _:
            read = _small(text, before, given)
    return Half.NONE if is_over and read is Half.OPEN else read


def respell_fields(fields: Fields, given: Given) -> Respelt | Half:
    """One that cites; what only looks like it stays as it is."""
    is_telling = fields.is_sure and len(fields.words.split()) >= _TELLING_WORDS
    is_meant = given.has(fields.number) and is_telling
    if not (is_meant or given.holds(fields.number, fields.words)):
        return Half.NONE
    return Respelt(fields.length, f'[{fields.number}: "{fields.words}"]')


@dataclass(frozen=True, slots=True)
class _Tag:
    name: str
    number: int | None
    words: str
    """That it says itself."""
    end: int

    def mark(self, given: Given) -> str:
        number = self.number
        if number is None and self.words:
            number = given.number_with(self.words)
        if number is None:
            return f"“{self.words}” [?]" if self.words else ""
        return f'[{number}: "{self.words}"]' if self.words else f"[{number}]"


def _tagged(text: str, before: str, given: Given, *, is_over: bool) -> Respelt | Half:
    if found := _IN_ANGLES.match(text):
        return Respelt(found.end(), f"[{found[1]}: {found[2]}]")
    opened = _TAG.match(text)
    if opened is None:
        return Half.OPEN if _may_be_a_tag(text) else Half.NONE
    tag = _read_tag(opened)
    closing = None if opened["end"] else _closing(text, tag)
    if closing is None:
        is_half = not (is_over or opened["end"]) and _may_close(text, tag.end)
        return Half.OPEN if is_half else _told(tag.end, tag.mark(given), tag, given)
    inside = _unquoted(" ".join(text[tag.end : closing.start()].split()))
    if tag.name == "sup":
        return _raised_tag(closing.end(), inside, before, given)
    return _around(closing.end(), inside, tag, before, given)


def _read_tag(opened: re.Match[str]) -> _Tag:
    said = opened["said"]
    quoted = _QUOTE_SAID.search(said)
    words = next(filter(None, quoted.groups()), "") if quoted else ""
    found = _NUMBER_SAID.search(said.replace(quoted[0], "") if quoted else said)
    number = int(found[1]) if found else None
    return _Tag(opened["name"].lower(), number, words, opened.end())


def _closing(text: str, tag: _Tag) -> re.Match[str] | None:
    closing = re.compile(rf"</\s*{tag.name}\s*>", re.IGNORECASE).search(text, tag.end)
    is_far = closing is None or _PARAGRAPH.search(text, tag.end, closing.start())
    return None if is_far else closing


def _around(length: int, inside: str, tag: _Tag, before: str, given: Given) -> Respelt | Half:
    """What a pair of tags has between them."""
    if not inside or tag.words:
        mark = " ".join(filter(None, (inside, tag.mark(given))))
        return _told(length, mark, tag, given)
    if _ONLY_NUMBERS.fullmatch(inside):
        numbers = [int(one) for one in re.findall(r"\d{1,3}", inside)]
        mark = "".join(f"[{one}]" for one in numbers)
        return _told(length, mark, replace(tag, number=numbers[0]), given)
    if _IS_CITED.fullmatch(inside) or _NUMBER_FIRST.fullmatch(inside):
        return Respelt(length, inside if inside[0] == "[" else f"[{inside}]")
    return _around_words(length, inside, tag, before, given)


def _around_words(
    length: int, inside: str, tag: _Tag, before: str, given: Given
) -> Respelt | Half:
    number = given.number_with(inside) if tag.number is None else tag.number
    if number is None:
        is_meant = tag.name in _SURE and len(inside.split()) >= _TELLING_WORDS
        return Respelt(length, f"{inside} [?]") if is_meant else Half.NONE
    if not given.holds(number, inside):
        return _told(length, f"{inside} [{number}]", tag, given)
    # At the beginning of a sentence they are one; elsewhere they stand beside what they prove.
    shown = inside if _BEGINS_A_SENTENCE.search(before) else f"“{inside}”"
    return Respelt(length, f'{shown} [{number}: "{inside}"]')


def _unquoted(inside: str) -> str:
    found = _QUOTED.fullmatch(inside)
    return found[1] if found else inside


def _told(length: int, mark: str, tag: _Tag, given: Given) -> Respelt | Half:
    is_meant = tag.name in _SURE or (tag.number is not None and given.has(tag.number))
    return Respelt(length, mark) if mark and is_meant else Half.NONE


def _may_be_a_tag(text: str) -> bool:
    if len(text) > _LONGEST:
        return False
    half = _HALF_A_TAG.match(text)
    if half is None:
        return _HALF_IN_ANGLES.match(text) is not None
    name = half["name"].lower()
    if half["said"] is None:
        return any(one.startswith(name) for one in _NAMES)
    return name in _NAMES


def _may_close(text: str, start: int) -> bool:
    return len(text) - start < _LONGEST and not _PARAGRAPH.search(text, start)


def _raised_tag(length: int, inside: str, before: str, given: Given) -> Respelt | Half:
    numbers = re.findall(r"\d{1,3}", inside) if _ONLY_NUMBERS.fullmatch(inside) else []
    if numbers and _MAY_HAVE_A_NOTE.search(before) and all(given.has(int(n)) for n in numbers):
        return Respelt(length, "".join(f"[{one}]" for one in numbers))
    return Respelt(length, inside) if _IS_CITED.fullmatch(inside) else Half.NONE


def _in_curly(text: str, before: str, given: Given) -> Respelt | Half:
    fields = read_fields(text)
    if isinstance(fields, Fields):
        return respell_fields(fields, given)
    if fields is Half.OPEN:
        return Half.OPEN
    if found := _IN_CURLY.match(text):
        if found[1] == "{{" and not found[0].endswith("}}"):
            return Half.OPEN if found.end() == len(text) else Half.NONE
        number, words = int(found[2]), found["words"]
        is_meant = len(words.split()) >= _TELLING_WORDS or given.holds(number, words)
        is_one = is_meant and _BEHIND_A_WORD.search(before)
        return Respelt(found.end(), f'[{number}: "{words}"]') if is_one else Half.NONE
    return _number_in_curly(text, before, given)


def _number_in_curly(text: str, before: str, given: Given) -> Respelt | Half:
    if re.match(r"\{\d{1,3}\}[.!?…]?\Z", text):
        return Half.OPEN
    alone = _CURLY_NUMBER.match(text)
    if alone and given.has(int(alone[1])):
        ends = _ENDS_A_SENTENCE.match(text, alone.end()) and _BEHIND_A_WORD.search(before)
        if ends or is_quoted_before(before):
            return Respelt(alone.end(), f"[{alone[1]}]")
    return Half.OPEN if len(text) < _LONGEST and _HALF_IN_CURLY.match(text) else Half.NONE


def _escaped(text: str) -> Respelt | Half:
    if found := _ESCAPED.match(text):
        return Respelt(found.end(), f"[{found['said']}]")
    if found := _IN_LATEX.match(text):
        if not found["behind"] and _OPENS_MORE.match(text, found.end()):
            return Half.OPEN
        said = found["words"] or found["behind"]
        words = f': "{said}"' if said else ""
        return Respelt(found.end(), f"[{found['number']}{words}]")
    is_half = _HALF_ESCAPED.match(text) or _HALF_IN_LATEX.match(text)
    return Half.OPEN if is_half and len(text) < _LONGEST else Half.NONE


def _raised(text: str, before: str, given: Given) -> Respelt | Half:
    if _HALF_A_CARET.match(text):
        return Half.OPEN
    found = _CARET.match(text)
    if found is None or not _MAY_HAVE_A_NOTE.search(before):
        return Half.NONE
    if found[1] is None:
        return Respelt(found.end(), "")
    return Respelt(found.end(), f"[{found[1]}]") if given.has(int(found[1])) else Half.NONE


def _of_a_formula(text: str, before: str, given: Given) -> Respelt | Half:
    if _HALF_A_FORMULA.match(text):
        return Half.OPEN
    found = _FORMULA.match(text)
    if found and given.has(int(found[1])) and _MAY_HAVE_A_NOTE.search(before):
        return Respelt(found.end(), f"[{found[1]}]")
    return Half.NONE


def _small(text: str, before: str, given: Given) -> Respelt | Half:
    if _HALF_SMALL.match(text):
        return Half.OPEN
    found = _SMALL.match(text)
    if found is None or not _MAY_HAVE_A_NOTE.search(before):
        return Half.NONE
    written = found[1].translate(_PLAIN_DIGITS)
    if given.has(int(written)):
        return Respelt(found.end(), f"[{int(written)}]")
    if len(written) > 1 and all(given.has(int(one)) for one in written):
        return Respelt(found.end(), "".join(f"[{one}]" for one in written))
    return Half.NONE
