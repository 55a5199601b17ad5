"""Finds listed phrases in a message, whatever its casing, letters, suffixes and punctuation.

A message is laid out as its folded words, one blank after each, with a bar where punctuation
parts it: "Tamam, teşekkürler!" reads "tamam | tesekkurler | ". A phrase becomes a piece of a
regular expression over that line: `word*` stands for any ending, `*word` for any beginning, a lone
`…` for up to three words, `(one|another|)` for one of several or none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from desktop.language.informal_spelling import plainly
from desktop.language.normalization import Word, word_texts, words
from desktop.language.phrase_index import Finder

# A point or a dash parts words only where white space follows: not in 3.5, not in e-posta.
_PARTING = re.compile(r"[,;:!?…\n()–—]|[.-]+(?:\s|$)")
_ANY_WORDS = "(?:[^ |]+ ){1,3}"
# As a piece of a pattern; in the line it is a bar and a blank.
BAR = r"\| "
_NEVER = "(?!)"
_PART = re.compile(r"\([^()]*\)|\S+")
_CHOICE = re.compile(r"\(([^()]*)\)")
_OPTIONAL = re.compile(r"\((?:[^()]*\|)?(?:\|[^()]*)?\)")
_SHORTENS = frozenset({"what ", "who ", "where ", "how ", "when ", "that ", "it ", "there "})
_SHORTENED = frozenset({"is ", "are "})


@dataclass(frozen=True, slots=True)
class Line:
    """A message as one line of folded words, with the way back to the original."""

    text: str
    original: str
    words: tuple[Word, ...]
    starts: tuple[int, ...]

    def original_between(self, start: int, end: int) -> str:
        """What the original has from the first to the last word in a part of the line."""
        inside = [
            word for word, at in zip(self.words, self.starts, strict=True) if start <= at < end
        ]
        return self.original[inside[0].start : inside[-1].end] if inside else ""

    def original_before(self, start: int) -> str:
        """What the original has before the first word behind a place in the line."""
        behind = [word for word, at in zip(self.words, self.starts, strict=True) if at >= start]
        return self.original[: behind[0].start] if behind else self.original

    def original_after(self, end: int) -> str:
        """What the original has behind the last word before a place in the line."""
        before = [word for word, at in zip(self.words, self.starts, strict=True) if at < end]
        return self.original[before[-1].end :] if before else self.original


@lru_cache(maxsize=8)
def lay_out(message: str) -> Line:
    found = tuple(words(message))
    pieces: list[str] = []
    starts: list[int] = []
    length = 0
    for (text, _, end), next_start in zip(found, _next_starts(found, message), strict=True):
        starts.append(length)
        piece = plainly(text) + " "
        # With the first letter of the next word: the end of what is searched counts as an end.
        is_blank = next_start == end + 1 and message[end] == " "
        if not is_blank and _PARTING.search(message, end, next_start + 1):
            piece += "| "
        pieces.append(piece)
        length += len(piece)
    return Line("".join(pieces), message, found, tuple(starts))


def _next_starts(found: Sequence[Word], message: str) -> Iterator[int]:
    """Where after each word the next one begins, or the message ends."""
    return chain((word.start for word in islice(found, 1, None)), (len(message),) if found else ())


def spelled_out(part: str) -> list[str]:
    """The words of a phrase's part as they stand in a line, made safe for a pattern."""
    return [re.escape(word) for text in word_texts(part) for word in plainly(text).split()]


def has_words(phrase: str) -> bool:
    """Whether a phrase says anything that could be matched."""
    return bool(word_texts(_OPTIONAL.sub(" ", phrase)))


def written_out(phrase: str) -> list[str]:
    """A phrase for each word of its longest choice: a finder knows a phrase by a word of it."""
    choices = list(_CHOICE.finditer(phrase))
    if not choices:
        return [phrase]
    longest = max(choices, key=lambda one: max(map(len, one[1].split("|"))))
    before, behind = phrase[: longest.start()], phrase[longest.end() :]
    return [f"{before}{word}{behind}" for word in longest[1].split("|")]


@lru_cache(maxsize=128)
def any_of(phrases: tuple[str, ...]) -> str:
    """A regular expression for any of the phrases as whole words, the longest tried first."""
    return _branches(_in_order(phrases)) or _NEVER


def _in_order(phrases: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The pieces of each phrase, the longest first."""
    return sorted({_pieces(phrase) for phrase in phrases} - {()}, key=_length, reverse=True)


def _length(pieces: Sequence[str]) -> int:
    return sum(map(len, pieces))


def _branches(pieces: Sequence[Sequence[str]]) -> str:
    """The pieces in their order, what they begin with written once: it is sooner compiled."""
    heads: dict[str, list[Sequence[str]]] = {}
    for piece in pieces:
        heads.setdefault(piece[0] if piece else "", []).append(piece[1:])
    is_ended = heads.pop("", None) is not None
    written = "|".join(head + _branches(tails) for head, tails in heads.items())
    if not written:
        return ""
    return f"(?:{written})?" if is_ended else f"(?:{written})"


def find_phrase(
    line: Line, phrases: tuple[str, ...], start: int = 0, *, at_once: bool = False
) -> re.Match[str] | None:
    """The first of the phrases from a place in the line on, or only `at_once` at that place."""
    finder = anywhere(phrases)
    return finder.match(line.text, start) if at_once else finder.search(line.text, start)


@lru_cache(maxsize=128)
def anywhere(phrases: tuple[str, ...]) -> Finder:
    """Any of the phrases, wherever in a part of a line it begins."""
    return Finder(_in_order(phrases))


def without(said: str, *lists: tuple[str, ...], led_by: tuple[str, ...] = ()) -> str:
    """A part of a line, less the phrases of one list after the other.

    `led_by`: with one of these right before it.
    """
    for phrases in lists:
        found = [match.span() for match in anywhere(phrases).finditer(said)]
        if not found:
            continue
        leads = {end: start for start, end in _spans(said, led_by)} if led_by else {}
        kept, at = [], 0
        for start, end in found:
            kept.append(said[at : max(at, leads.get(start, start))])
            at = end
        said = "".join([*kept, said[at:]])
    return said


def without_last(said: str, phrases: tuple[str, ...]) -> str:
    """A part of a line, less the phrases that stand at its end."""
    while ends := [start for start, end in _spans(said, phrases) if end == len(said)]:
        said = said[: ends[0]]
    return said


def find_at(said: str, phrases: tuple[str, ...]) -> int:
    """How far the phrases reach that a part of a line begins with."""
    found = anywhere(phrases).match(said)
    return found.end() if found else 0


def is_only(said: str, phrases: tuple[str, ...], start: int = 0) -> bool:
    """Whether a part of a line is made of the phrases and of what parts them."""
    return anywhere(phrases).cover(said, start)


def _spans(said: str, phrases: tuple[str, ...]) -> list[tuple[int, int]]:
    return [match.span() for match in anywhere(phrases).finditer(said)]


def _pieces(phrase: str) -> tuple[str, ...]:
    pieces: list[str] = []
    for part in _PART.findall(phrase):
        pieces += _piece(part)
    is_plain = _SHORTENED.isdisjoint(pieces)
    return tuple(pieces if is_plain else _with_short_forms(pieces))


@lru_cache(maxsize=8192)
def _piece(part: str) -> tuple[str, ...]:
    """Once for each word: many stand in several phrases."""
    if part == "…":
        return (_ANY_WORDS,)
    if choice := _CHOICE.fullmatch(part):
        words = ("".join(_pieces(one)) for one in choice[1].split("|"))
        return (f"(?:{'|'.join(sorted(words, key=len, reverse=True))})",)
    spelled = spelled_out(part)
    if spelled and part.endswith("*"):
        spelled[-1] += "[^ |]*"
    if spelled and part.startswith("*"):
        spelled[0] = "[^ |]*" + spelled[0]
    return tuple(word + " " for word in spelled)


def _with_short_forms(pieces: Sequence[str]) -> Iterator[str]:
    """A phrase that says "what is" is meant by "what's" as well, which is laid out as "what"."""
    for before, piece, behind in zip(("", *pieces), pieces, (*pieces[1:], ""), strict=False):
        is_short = before in _SHORTENS and piece in _SHORTENED and behind
        yield f"(?:{piece})?" if is_short else piece
