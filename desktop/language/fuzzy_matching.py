"""Fuzzy matching of a few typed letters against a name: words in any order, or their initials."""

from collections.abc import Sequence
from typing import NamedTuple

from desktop.language.normalization import MARK, fold

_WORD_START, _INSIDE, _SCATTERED = 1.0, 0.5, 0.4
_FIRST_WORD, _WHOLE = 0.1, 0.2
_SHORTEST_INSIDE = 2
_STEM = 3  # Letters


class FuzzyMatch(NamedTuple):
    score: float  # From 0 to 1.3; higher is better
    marks: Sequence[tuple[int, int]]


def foldable(name: str) -> str:
    """Return a name folded for `fuzzy_match`, of the same length."""
    return "".join(letter if letter.isalnum() or letter == MARK else " " for letter in fold(name))


def has_all_words(query: str, words: str) -> bool:
    """Whether each word of a query begins one of these words, or only adds an ending to it."""
    return all(
        any(
            word.startswith(query_word) or (len(word) >= _STEM and query_word.startswith(word))
            for word in words.split()
        )
        for query_word in query.replace(MARK, "").split()
    )


def fuzzy_match(query: str, name: str) -> FuzzyMatch | None:
    """Match a query against a name, both from `foldable`; None if a word has no place in it."""
    score, marks = 0.0, list[tuple[int, int]]()
    words = query.replace(MARK, "").split()
    for word in words:
        match = _match_word(word, name)
        if match is None:
            return None
        score += match.score
        marks += match.marks
    return FuzzyMatch(score / max(len(words), 1), sorted(marks))


def _match_word(word: str, name: str) -> FuzzyMatch | None:
    at = f" {name}".find(f" {word}")
    if at >= 0:
        end = at + len(word)
        more = _FIRST_WORD * (at == 0) + _WHOLE * (name[end : end + 1].strip() == "")
        return FuzzyMatch(_WORD_START + more, [(at, end)])
    at = name.find(word)
    if at >= 0 and len(word) >= _SHORTEST_INSIDE:
        return FuzzyMatch(_INSIDE, [(at, at + len(word))])
    return _match_letters(word, name)


def _match_letters(word: str, name: str) -> FuzzyMatch | None:
    """Match letters in order: each continues where the last one ended, or begins a later word."""
    marks: list[tuple[int, int]] = []
    end = 0
    for letter in word:
        if marks and name[end : end + 1] == letter:
            marks[-1] = (marks[-1][0], end + 1)
        else:
            at = f" {name}".find(f" {letter}", end)
            if at < 0:
                return None
            marks.append((at, at + 1))
        end = marks[-1][1]
    return FuzzyMatch(_SCATTERED / len(marks) + _SCATTERED / len(word), marks)
