"""Reads citations in forms that nobody asked for, as models write them all the same.

`[Kaynak 1: "words"]`, `[1: words]`, `【1: "words"】`, `(1: "words")`, `["words", 1]`: what is read
here is checked like any other; what else such a bracket says is kept, for it is the answer's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

_CLOSERS = {
    "[": "]",
    "【": "】",
    "［": "］",
    "⟦": "⟧",
    "〔": "〕",
    "『": "』",
    "(": ")",
    "（": "）",
}
OPENERS = "".join(_CLOSERS)
_ROUND = "(（"
_LONGEST = 700
_LONGEST_RANGE = 9
_MOST_BESIDES = 8
"""Words that a citation may say besides: a bracket with more of them is a remark, or a list."""
_LABELS_TOLD = """
passages passage pasajlar pasaj sources source kaynakça kaynaklar kaynak src references reference
ref citations citation cite atıf alıntı belge documents document doc footnote dipnot kanıt evidence
quelle quellen fuente fuentes fonte claim sav no nr n
"""
_LABELS = _LABELS_TOLD.split()
_WEAK = re.compile(r"(?:no|nr|n)\b", re.IGNORECASE)
"""They stand before any number: "n = 120"."""
_LEADS = ("bkz", "see", "cf", "from", "bak")
_DOTLESS = str.maketrans("ı", "i")
_LABEL = "|".join(one.replace("ı", "[ıi]") for one in _LABELS)
_NAME = rf"(?:(?:{'|'.join(_LEADS)})\b\.?\s*)?(?:{_LABEL})\b\s*[.:=#№]?\s*(?:n\s*=\s*)?"
_AND = r"(?:ve|and|ile)\b|&"
_PAGE = r"(?:sayfa|syf|sf|s|pages|page|pp|p)\.?\s*\d{1,5}(?:\s*[-–]\s*\d{1,5})?(?!\w)"
# The last stands for what some models write behind a number: 【1†source】.
_NUMBER = (
    rf"(?P<label>{_NAME})?[#^№§]?(?:\"(?=\d{{1,3}}\"))?(?P<number>\d{{1,3}})(?:(?<=\d)\"(?!\w))?"
    rf"(?!\w|[.,]\d)(?:†[^\]】,;]*)?(?=\s*(?:\Z|[]:,;|/–—\"“„«‘'*.()&-]|{_AND}|{_PAGE}))(?!'\w)"
)
_BEHIND_WORDS = rf"(?=\s*(?:\Z|[\],;:.()|–—\"“„«-]|\d{{1,3}}\s*\Z|{_AND}|{_NAME}\d|{_PAGE}))"
_QUOTED = (
    rf"[\"“”„«](?P<whole>\S[^\n]{{0,600}}?)(?<!\s)[\"”“»]{_BEHIND_WORDS}"
    r"|[\"“”„«](?P<double>[^\"“”„«»]{1,600})[\"”“»]"
    r"|(?<!\w)['‘‚](?P<single>[^\n]{1,600}?)['’‘](?!\w)"
    r"|(?<![\w*])\*{1,3}(?P<star>[^*\n]{1,600})\*{1,3}(?![\w*])"
)
_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<sep>[:,;|/–—-]|{_AND})|(?P<page>\(?{_PAGE}\)?)|{_NUMBER}"
    rf"|(?P<quoted>{_QUOTED})|(?P<mark>[^\w\s,;:|–—\"“„«-])|(?P<other>\w[^\s,;:|–—\"“„«-]*|.)",
    re.IGNORECASE | re.DOTALL,
)
_RANGE = re.compile(r"\s*[#^]?(\d{1,3})\s*[-–—]\s*(\d{1,3})\s*")
_NO_LIST = re.compile(r"[:|–—-]")
"""Numbers with one of these between them are a score, a ratio, a class of a school."""
_PLAIN = re.compile(rf"\s*{_NUMBER}\s*:\s*(?P<words>\S.*)", re.IGNORECASE | re.DOTALL)
_WIDE = str.maketrans({"：": ":", "，": ",", "「": "“", "」": "”", "『": "“", "』": "”", "→": ":"})
_LEADS_TO_WORDS = re.compile(r"(?<=\d)\s*(?:=+>?|[-–—]*>)\s*(?=[\"“„«'‘])")
_NUMBER_IN_MARKS = re.compile(r"\A\*{1,2}(\d{1,3})\*{1,2}|\[(\d{1,3})\]|\A\^(\d{1,3})\^\Z")
# `[K1: "`, `[doc_1: "`, `[Kaynak 1’den: "`: a letter alone only where words are quoted.
_GLUED = re.compile(
    rf"\A(?:(?P<label>{_LABEL})[-_ ]?|[KSPDR])(?P<number>\d{{1,3}})(?:['’][^\W\d_]{{1,4}})?"
    r"(?=\s*[:,]?\s*[\"“„«]|(?(label)\Z|(?!)))",
    re.IGNORECASE,
)
_BEGINS_ROUND = re.compile(
    rf"\s*(?:{_NAME}[#^№§]?[\[\"']?\d{{1,3}}\b|\d{{1,3}}\s*[:：,–—-]?\s*(?:[\"“„«「]|\Z)"
    r"|\d{1,3}\s*[:：]|[\"“„«「])",
    re.IGNORECASE,
)
_HALF_A_NUMBER = re.compile(rf"\s*(?:{_NAME}n?)?[#^№§]?[\"']?\d{{0,3}}[\"']?\s*", re.IGNORECASE)
_OF_A_PROGRAM = re.compile(r"[\[(]\([\"']")
_NEXT = re.compile(r"\[\s*\d{1,3}\s*:")
_EDGES = " \t\n,;:|–—-.()"
_QUOTES = ("whole", "double", "single", "star")
_MARKS_AROUND = "\"“”„«»'‘’*_`<> \t\n"


class Half(Enum):
    """What is not read yet."""

    OPEN = auto()
    """It may be a citation when more of it has come."""
    NONE = auto()
    """It is none, whatever comes."""


@dataclass(frozen=True, slots=True)
class Freehand:
    length: int
    """Letters that it takes up."""
    cited: tuple[tuple[int, str], ...]
    """Numbers, each with words, or with none."""
    left: str = ""
    """What it says besides."""
    told: str = ""
    """All that it says, without its number."""
    is_sure: bool = True
    """Whether it can be nothing else: it names a source, or quotes."""

    @property
    def is_quoting(self) -> bool:
        return any(words for _, words in self.cited)


def read_freehand(text: str) -> Freehand | Half:
    """Of a text that begins with one of OPENERS."""
    inside = Half.NONE if _OF_A_PROGRAM.match(text) else _inside(text)
    if inside is Half.NONE:
        return Half.NONE
    if inside is Half.OPEN:
        return Half.OPEN if _may_begin(text) else Half.NONE
    content = _evened(text[1:inside].replace('\\"', '"'))
    if text[0] in _ROUND and not _BEGINS_ROUND.match(text[1:inside]):
        return Half.NONE
    found = _ranged(content, inside + 1) or _read(content, inside + 1)
    if found is None or (text[0] in _ROUND and not _is_round(content, found)):
        return Half.NONE
    return found


def _inside(text: str) -> int | Half:
    """Where the bracket closes."""
    opener, closer, depth = text[0], _CLOSERS[text[0]], 0
    for place, letter in enumerate(text[:_LONGEST]):
        if letter == "\n" and not text[place:].partition("\n")[2].partition("\n")[0].strip():
            return Half.OPEN if place + 1 == len(text) else Half.NONE
        if place > 1 and letter == "[" and _NEXT.match(text, place):
            return Half.NONE
        depth += (letter == opener) - (letter == closer)
        if not depth:
            return place
    return Half.OPEN if len(text) < _LONGEST else Half.NONE


def _may_begin(text: str) -> bool:
    content = text[1:]
    if text[0] not in _ROUND or _HALF_A_NUMBER.fullmatch(content) or _is_half_a_label(content):
        return True
    return _BEGINS_ROUND.match(content) is not None


def _evened(content: str) -> str:
    """Without what some put around a number, or right behind it."""
    if content[:1] == "[" and content[-1:] == "]" and content.count("[") == 1:
        content = content[1:-1]
    content = _LEADS_TO_WORDS.sub(": ", content.translate(_WIDE))
    content = _NUMBER_IN_MARKS.sub(lambda found: next(filter(None, found.groups())), content)
    return _GLUED.sub(lambda found: f"{found['label'] or ''} {found['number']}", content)


def _is_half_a_label(content: str) -> bool:
    begun = content.strip().lower().replace("i\u0307", "i").translate(_DOTLESS)
    lead, _, rest = begun.partition(" ")
    if rest and lead.rstrip(".") in _LEADS:
        begun = rest.strip()
    names = (one.translate(_DOTLESS) for one in (*_LABELS, *_LEADS))
    return any(one.startswith(begun.rstrip(".")) for one in names)


def _ranged(content: str, length: int) -> Freehand | None:
    """`[1-3]`: all from the first to the last."""
    if (found := _RANGE.fullmatch(content)) is None:
        return None
    first, last = int(found[1]), int(found[2])
    if not 0 < first < last <= first + _LONGEST_RANGE:
        return None
    numbers = tuple((number, "") for number in range(first, last + 1))
    return Freehand(length, numbers, told="", is_sure=False)


def _read(content: str, length: int) -> Freehand | None:
    reading = _Reading()
    for token in _TOKEN.finditer(content):
        reading.take(token)
    cited, left = tuple(reading.cited()), reading.left.strip(_EDGES)
    told = content.strip()
    if cited and any(words for _, words in cited):
        if not reading.is_named and len(left.split()) > _MOST_BESIDES:
            return _unquoted(content, length)
        return Freehand(length, cited, left, told)
    if not cited or reading.is_prose:
        return None
    if left:
        unquoted = _unquoted(content, length)
        return unquoted or (Freehand(length, cited, left, told) if reading.is_named else None)
    is_named = reading.is_named or "†" in content
    if not is_named and _NO_LIST.search(content):
        return None
    return Freehand(length, cited, told=told, is_sure=is_named)


def _unquoted(content: str, length: int) -> Freehand | None:
    """`[1: words]`, without marks around the words."""
    found = _PLAIN.fullmatch(content)
    words = found["words"].strip(_MARKS_AROUND) if found else ""
    if found is None or not re.search(r"[^\W\d_]", words):
        return None
    cited = ((int(found["number"]), " ".join(words.split())),)
    return Freehand(length, cited, told=content.strip(), is_sure=bool(found["label"]))


def _is_round(content: str, found: Freehand) -> bool:
    """Round brackets hold anything: a source has to be named in them, or quoted behind it."""
    begins = re.match(rf"\s*{_NAME}[#^№§]?\d", content, re.IGNORECASE)
    is_named = begins is not None and not _WEAK.match(content.strip())
    return is_named or (found.is_quoting and found.is_sure)


class _Reading:
    """The parts of one bracket in their order: numbers, and words that belong to them."""

    def __init__(self) -> None:
        self.left = ""
        self.is_named = False
        self.is_prose = False
        """Whether it goes on behind a number as a sentence does."""
        self._groups: list[tuple[list[int], list[str]]] = [([], [])]
        self._may_number = True
        self._is_behind_number = False

    def take(self, token: re.Match[str]) -> None:
        if token["space"]:
            self.left += " "
            return
        is_behind_number, self._is_behind_number = self._is_behind_number, False
        if token["sep"]:
            self.left = f"{self.left.rstrip()}{token['sep']}" if self.left.strip(_EDGES) else ""
            self._may_number = token["sep"] != ":" or not any(self._groups[-1])
        elif token["number"] and (self._may_number or token["label"]):
            self._number(token)
        elif token["quoted"]:
            self._quote(next(filter(None, map(token.group, _QUOTES))))
        elif token["mark"]:
            self.left += token[0]
        elif not token["page"]:
            self.left += token[0]
            self._may_number = False
            self.is_prose = self.is_prose or is_behind_number

    def cited(self) -> Iterator[tuple[int, str]]:
        for numbers, quotes in self._groups:
            for number in numbers:
                yield from ((number, words) for words in quotes or [""])

    def _number(self, token: re.Match[str]) -> None:
        if all(self._groups[-1]):
            self._groups.append(([], []))
        self._groups[-1][0].append(int(token["number"]))
        label = token["label"]
        self.is_named = self.is_named or bool(label and not _WEAK.match(label))
        self._may_number, self._is_behind_number = False, True

    def _quote(self, words: str) -> None:
        self._groups[-1][1].append(" ".join(words.split()))
        self._may_number = True
