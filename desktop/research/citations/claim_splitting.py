"""Finds the claims of an answer: its sentences or clauses that carry a citation mark."""

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from desktop.language.normalization import folded_key, word_texts
from desktop.language.sentences import plain_text, sentences

_MARK = re.compile(r"\[(\d{1,3})\](?!\()")
_MARKS = re.compile(r"(?:[ \t]*\[(?:\d{1,3}|\?)\](?!\())+")
_CODE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|(`+)(?:(?!\2).)*\2")
_LINE = re.compile(r"[^\n]+")
_BULLET = re.compile(r"[ \t>]*(?:[-*+•–]|\(?\d{1,3}[.)])?[ \t]*")
_JOINT = re.compile(r"\s*(?:[,;:–—]|\.\s|(?P<word>\w+)\b)")
_JOINS = frozenset(
    word_texts("ve ama fakat ancak oysa ise iken and but while whereas although however yet or")
)
_FEWEST_WORDS = 3  # Of a clause that is a claim of its own
_Span = tuple[int, int]


class AnswerClaim(NamedTuple):
    """A claim with its marks, as a span of the answer."""

    text: str  # One line of plain text, without marks
    start: int
    end: int
    numbers: tuple[int, ...]  # Of its citations, as the answer shows them


def split_claims(answer: str, numbers: Container[int]) -> list[AnswerClaim]:
    """Return the claims in order. `numbers`: the citations that the answer has.

    A list of sources, whose lines begin with marks, has no claims.
    """
    prose = _CODE.sub(lambda code: " " * len(code[0]), answer)
    claims: list[AnswerClaim] = []
    for start, end in _units(prose):
        for first, last in _clauses(prose, start, end):
            marks = dict.fromkeys(int(mark[1]) for mark in _MARK.finditer(prose, first, last))
            cited = tuple(number for number in marks if number in numbers)
            text = plain_text(_BULLET.sub("", _MARKS.sub("", answer[first:last]), count=1))
            text = text.strip(" ,;–—|")
            if cited and any(map(str.isalpha, text)):
                claims.append(AnswerClaim(text, first, last, cited))
    return claims


def _units(prose: str) -> Iterator[_Span]:
    """Yield the sentences, and the lines that are none, if they have a mark."""
    spans = [(sentence.start, sentence.end) for sentence in sentences(prose)]
    spans = _with_trailing_marks(prose, spans)
    for start, end in sorted([*spans, *_lines_outside(prose, spans)]):
        if _MARK.search(prose, start, end) and not _is_reference(prose, start, end):
            yield start, end


def _with_trailing_marks(prose: str, spans: Sequence[_Span]) -> list[_Span]:
    """Give marks that follow a sentence to it: "It is so. [1] So it goes on."."""
    moved: list[_Span] = []
    for start, end in spans:
        marks = _MARKS.match(prose, start, end)
        if marks and moved and not prose[moved[-1][1] : start].strip(" \t"):
            moved[-1] = (moved[-1][0], marks.end())
            moved.append((_skip(" \t\n", prose, marks.end(), end), end))
        else:
            moved.append((start, end))
    moved = [(start, end) for start, end in moved if start < end]
    for place, (start, end) in enumerate(moved):
        following = moved[place + 1][0] if place + 1 < len(moved) else len(prose)
        if marks := _MARKS.match(prose, end, following):
            moved[place] = (start, marks.end())
    return moved


def _lines_outside(prose: str, spans: Sequence[_Span]) -> Iterator[_Span]:
    """Yield the lines that no sentence touches: list items and rows of tables."""
    for line in _LINE.finditer(prose):
        if not any(start < line.end() and line.start() < end for start, end in spans):
            yield line.span()


def _is_reference(prose: str, start: int, end: int) -> bool:
    """Whether it begins its line with marks, as the lines of a list of sources do."""
    lead = _BULLET.match(prose, prose.rfind("\n", 0, start) + 1, end)
    begins = lead.end() if lead else start
    return begins >= start - 1 and _MARKS.match(prose, max(begins, start), end) is not None


def _clauses(prose: str, start: int, end: int) -> Iterator[_Span]:
    """Yield the clauses that have marks of their own; else the whole span."""
    first = start
    for marks in _MARKS.finditer(prose, start, end):
        is_clause = len(prose[first : marks.start()].split()) >= _FEWEST_WORDS
        if is_clause and _MARK.search(marks[0]) and _begins_a_clause(prose, marks.end(), end):
            yield first, marks.end()
            first = _skip(" \t,;:–—", prose, marks.end(), end)
    if _MARK.search(prose, first, end):
        yield first, end


def _begins_a_clause(prose: str, at: int, end: int) -> bool:
    joint = _JOINT.match(prose, at, end)
    if joint is None or len(prose[at:end].split()) < _FEWEST_WORDS:
        return False
    return joint["word"] is None or folded_key(joint["word"]) in _JOINS


def _skip(letters: str, prose: str, start: int, end: int) -> int:
    return end - len(prose[start:end].lstrip(letters))
