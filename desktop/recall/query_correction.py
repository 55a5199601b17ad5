"""Queries in the archive's own words: spelling, Turkish letters, counts, the other language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from heapq import nlargest
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple, Protocol

from desktop.domain.ids import MessageId
from desktop.domain.language import Language
from desktop.domain.projects import Wall
from desktop.language.keywords_and_stems import (
    QUESTION_WORDS,
    guess_language,
    roots,
    stem,
    strip_suffixes,
    verb_roots,
)
from desktop.language.normalization import fold, word_texts, words
from desktop.recall.bm25 import STEM, QueryWord
from desktop.recall.fts_query import any_of, one_of
from desktop.recall.results import is_listing
from desktop.settings.paths import asset
from desktop.storage.search.message_index import IndexedMessage

if TYPE_CHECKING:
    from desktop.domain.ids import MessageId
    from desktop.domain.search import Query
    from desktop.recall.fts_query import Expression
    from desktop.storage.search.message_index import IndexStore
    from desktop.storage.search.source_index import SourceIndex

_TEXTS_READ = 5
_FEW_BEGINNING = 2_000
_MOST_NEAR = 5


class _Knows(Protocol):
    def knows(self, word: str, wall: Wall) -> bool: ...


class QueryCorrector:
    def __init__(
        self, index: IndexStore, counts: TermStatistics, others: Sequence[_Knows]
    ) -> None:
        """`others`: other indexes whose words need no correction."""
        self._index = index
        self._counts = counts
        self._others = others

    def correct_words(self, expression: Expression, wall: Wall) -> Expression:
        """Replace words that are unknown behind a wall by their stem or by the nearest known."""
        counted = zip(expression.terms, self._counts.terms(expression.terms), strict=True)
        is_said = expression.is_sentence
        meant = [
            term.word if self._is_known(term, wall) else self._spelled(word, wall, is_said=is_said)
            for word, term in counted
        ]
        return replace(expression, terms=tuple(dict.fromkeys(meant)))

    def _is_known(self, term: QueryWord, wall: Wall) -> bool:
        return term.messages > 0 and (wall.is_open or self._has(term.word, wall))

    def _has(self, word: str, wall: Wall) -> bool:
        return wall.is_open or bool(self._index.texts(one_of(word), 1, wall))

    def _spelled(self, word: str, wall: Wall, *, is_said: bool) -> str:
        spellings, key = self._counts.meant, (word, wall, is_said)
        if key not in spellings:
            is_here = partial(self._has, wall=wall)
            near = nearest_known_word(word, self._index.words_beginning, is_here)
            # Most unknown words resemble none: whether they are right is asked last.
            is_wrong = near and not self._is_right(word, wall, is_said=is_said)
            spellings[key] = near if near and is_wrong else word
        return spellings[key]

    def _is_right(self, word: str, wall: Wall, *, is_said: bool) -> bool:
        return (
            self._index.sessions.has(one_of(word), wall)
            or (is_said and is_known_form(word, self._index.words_beginning))
            or any(other.knows(word, wall) for other in self._others)
        )

    def restore_diacritics(self, query: Query, newest: int) -> Query:
        """Return the query with diacritics. `newest`: how many of a large archive are read."""
        is_many = self._counts.messages > newest and query.text.isascii()
        after = self._index.newest_since(newest) if is_many else None
        return replace(
            query, text=restore_letters(query.text, partial(self._having, after, query.scope.wall))
        )

    def _having(self, after: MessageId | None, wall: Wall, word: str) -> list[str]:
        """Return some of the newest messages with a word, preferably in that exact form.

        A prefix of very many words is not looked up: at a million messages it takes long.
        """
        exactly = self._index.texts(f'"{word}"', _TEXTS_READ, wall, after=after)
        if exactly or word in QUESTION_WORDS:
            return exactly
        (term,) = self._counts.terms([word])
        if not 0 < term.messages <= _FEW_BEGINNING:
            return []
        return self._index.texts(one_of(term.word), _TEXTS_READ, wall, after=after)


_LOST = frozenset("cgiosu")  # A word without these letters lacks no diacritics
_OWN = frozenset("ğışçöü")
_SMALL, _CAPITAL = "çğıöşü", "ÇĞIÖŞÜ"
_AS_CAPITAL = str.maketrans(_SMALL, _CAPITAL)
_TURKISH_SMALL = str.maketrans("Iİ", "ıi")
_AS_SMALL = str.maketrans("İ", "i")

Having = Callable[[str], Sequence[str]]  # A few texts that have a folded word, in any form


def restore_letters(question: str, having: Having) -> str:
    is_turkish = guess_language(question, Language.TR) is Language.TR
    if question.isupper():
        is_ours = is_turkish and not question.isascii()
        question = (question.translate(_TURKISH_SMALL) if is_ours else question).lower()
    if not (is_turkish and question.isascii()):
        return question
    parts: list[str] = []
    read = 0
    for word in words(question):
        typed = question[word.start : word.end]
        has_lost = not _LOST.isdisjoint(word.text)
        written = _as_written(word.text, having(word.text)) if has_lost else ""
        parts += [question[read : word.start], _joined(typed, written)]
        read = word.end
    return "".join([*parts, question[read:]])


def _as_written(word: str, texts: Sequence[str]) -> str:
    """Return the longest written form of a word's beginning, the most frequent among equals."""
    counts = Counter(form for text in texts for form in _forms(word, text))
    best = max(counts, key=lambda form: (len(form[0]), form[1], counts[form]), default=("", False))
    return best[0]


def _forms(word: str, text: str) -> Iterator[tuple[str, bool]]:
    for match in re.finditer(rf"(?<![^\W_]){word[:STEM]}[^\W_]*", folded := fold(text)):
        start, length = match.start(), 0
        while length < len(word) and folded[start + length : start + length + 1] == word[length]:
            length += 1
        written = text[start : start + length]
        # "Iğdır" begins with an ı, "IBM" does not.
        letters = _AS_SMALL if _OWN.isdisjoint(written) else _TURKISH_SMALL
        yield written.translate(letters).lower(), start + length == match.end()


def _joined(typed: str, written: str) -> str:
    letters = (
        own if other.isascii() else other.translate(_AS_CAPITAL) if own.isupper() else other
        for own, other in zip(typed, written, strict=False)
    )
    return "".join(letters) + typed[len(written) :]


SHORTEST = 5  # Characters: shorter words are one character away from too many others
_LONGEST = 30
_WHOLE = 7  # Letters: a shorter beginning of another word is often chance; its endings may follow
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

Beginning = Callable[[Sequence[str]], Sequence[tuple[str, int]]]
"""Words of the archive that begin with any of these, with their numbers of messages."""


def is_known_form(word: str, beginning: Beginning) -> bool:
    """Whether a folded word may be a form of a known word: "anılır" beside "anılan".

    Too lenient for a single word: one typing error in seventeen looks like a form as well.
    """
    own = roots(word)
    return any(
        form in own or not own.isdisjoint(roots(form)) for form, _ in beginning(sorted(own))
    )


def nearest_known_word(
    word: str, beginning: Beginning, is_here: Callable[[str], bool]
) -> str | None:
    """Return the known word nearest to a folded word, with or without endings; else None.

    `is_here`: whether the word may be known; asked for few.
    """
    forms = [
        candidate
        for candidate in (word, *strip_suffixes(word))
        if SHORTEST <= len(candidate) <= _LONGEST and candidate.isalpha() and candidate.isascii()
    ]
    nears = [
        {variant for variant in _one_letter_off(form) if len(variant) >= SHORTEST}
        for form in forms
    ]
    starts = {variant[:STEM] for near in nears for variant in near}
    message_counts = dict(beginning(sorted(starts))) if starts else {}
    for form, near in zip(forms, nears, strict=True):
        counts: dict[str, int] = {}
        for whole, messages in message_counts.items():
            for length in (len(form), len(form) + 1, len(form) - 1):
                if (begins := whole[:length]) in near and _is_as_good_as_whole(begins, whole):
                    counts[begins] = counts.get(begins, 0) + messages
                    break
        nearest = nlargest(_MOST_NEAR, counts, key=lambda begins: (counts[begins], begins))
        if (closest := next(filter(is_here, nearest), None)) is not None:
            return closest
    return None


def _is_as_good_as_whole(begins: str, whole: str) -> bool:
    return len(begins) >= _WHOLE or begins == whole or begins in strip_suffixes(whole)


def _one_letter_off(word: str) -> Iterator[str]:
    for place in range(1, len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield before + after[1:]
            yield before[:-1] + after[0] + before[-1] + after[1:]
        for letter in _LETTERS:
            yield before + letter + after
            yield before + letter + after[1:]


_COMMON_SHARE = 0.05
_LEAST_COMMON = 2_000
_MOST_REMEMBERED = 5_000


class TermStatistics:
    """Document frequencies, up to the bound of a common word. May raise StorageError."""

    def __init__(self, index: IndexStore | SourceIndex) -> None:
        self._index = index
        self._frequencies: dict[str, int] = {}
        self._newest: int | None = None
        self.messages = 0
        self.meant: dict[tuple[str, Wall, bool], str] = {}
        """Corrections of unknown words, in a sentence or alone; dropped with the counts."""

    def look(self) -> None:
        """Drop the counts if the archive has changed; call before every search."""
        newest = self._index.newest()
        if newest != self._newest or len(self._frequencies) > _MOST_REMEMBERED:
            self.messages = self._index.count_messages()
            self._frequencies, self.meant = {}, {}
            # Last: another thread that searches meanwhile counts by itself.
            self._newest = newest

    def terms(self, words: Sequence[str]) -> list[QueryWord]:
        """Return the terms; an unknown word is looked up without its endings."""
        return [self._term(word) for word in words]

    def also(
        self, terms: Sequence[QueryWord], others: Callable[[str], tuple[str, ...]]
    ) -> list[QueryWord]:
        both = [replace(term, also=others(term.word)) for term in terms]
        return [
            replace(term, messages=self._count(any_of([term]))) if term.also else term
            for term in both
        ]

    def telling(self, terms: Sequence[QueryWord]) -> Sequence[QueryWord]:
        """Return the selective terms, unless all are common."""
        return [term for term in terms if term.messages <= self._common] or terms

    @property
    def _common(self) -> int:
        """In more messages a word proposes none: it only ranks those that other words propose."""
        return max(_LEAST_COMMON, int(self.messages * _COMMON_SHARE))

    def _term(self, word: str) -> QueryWord:
        for form in (word, *strip_suffixes(word), *verb_roots(word)):
            if messages := self._count(one_of(form)):
                return QueryWord(form, messages, self._count(f'"{form}"'))
        return QueryWord(word, 0)

    def _count(self, fts: str) -> int:
        counts = self._frequencies
        if fts not in counts:
            counts[fts] = self._index.count_matches(fts, self._common + 1)
        return counts[fts]


READ = 8
_LETTERS_READ = 400
"""How many of the nearest messages, and how much of each, show the archive's language."""
_LETTERS_LEVELLED, _LEVELLED, _LEAST_LEVELLED = 200, 30, 5
_SHORTEST_TURKISH = 3
_SHORTEST_BEGINNING = 5  # Letters of an English word that may go on


class _Glossary(NamedTuple):
    turkish: Mapping[str, tuple[str, ...]]  # By the stem of the English word
    english: Mapping[str, tuple[str, ...]]  # By what the Turkish word begins with


def query_language(question: str, terms: Sequence[QueryWord]) -> Language | None:
    """Return the language of a question; None if it is ambiguous.

    A few typed words may have no letter or ending that tells it; then the word list does.
    """
    language = guess_language(question, Language.EN)
    if guess_language(question, Language.TR) is language:
        return language
    if terms and sum(term.messages > 0 for term in terms) * 2 >= len(terms):
        return None
    return Language.TR if any(_is_listed_turkish(term.word) for term in terms) else language


def _is_listed_turkish(word: str) -> bool:
    """Whether it is only a Turkish word, whole or with endings: "mortgage" begins with "mor"."""
    turkish, english = _glossary()
    forms = (word, *strip_suffixes(word))
    is_turkish = any(form in english or f"{form}." in english for form in forms)
    return is_turkish and stem(word, Language.EN) not in turkish


def foreign_share(language: Language, nearest: Sequence[IndexedMessage]) -> float:
    foreign = [
        guess_language(passage.content[:_LETTERS_READ], language) is not language
        for passage in nearest
    ]
    return sum(foreign) / len(foreign) if foreign else 0.0


def equalise_languages(
    language: Language, passages: Sequence[IndexedMessage], nearness: Mapping[MessageId, float]
) -> Mapping[MessageId, float]:
    """Return similarities, those of the other language raised to the level of the question's own.

    A model ranks texts in the language of the question nearer, whether they answer it or not.
    """
    own: dict[MessageId, float] = {}
    foreign: dict[MessageId, float] = {}
    for passage in passages:
        if passage.id in nearness:
            is_own = guess_language(passage.content[:_LETTERS_LEVELLED], language) is language
            (own if is_own else foreign)[passage.id] = nearness[passage.id]
    if min(len(own), len(foreign)) < _LEAST_LEVELLED:
        return nearness
    ahead = fmean(nlargest(_LEVELLED, own.values())) - fmean(nlargest(_LEVELLED, foreign.values()))
    return {**nearness, **{key: near + max(0.0, ahead) for key, near in foreign.items()}}


_LEAST_NEAR, _LEAST_NEAR_ABROAD = 0.28, 0.19
"""Invented words and foreign subjects reach .27, paraphrases mostly .3 and more. Over texts in
another language foreign subjects reach .18 (90 of 100), answers begin at .20 (measured)."""


def find_far(
    language: Language | None,
    passages: Sequence[IndexedMessage],
    nearness: Mapping[MessageId, float],
) -> frozenset[MessageId]:
    """Return the passages whose meaning is not near enough to make them hits.

    Some text is always the nearest, even to a meaningless word. `language`: the language of a
    question; None for a few typed words.
    """

    def is_abroad(text: str) -> bool:
        return (
            language is not None and guess_language(text[:_LETTERS_READ], language) is not language
        )

    return frozenset(
        passage.id
        for passage in passages
        if (near := nearness.get(passage.id, _LEAST_NEAR)) < _LEAST_NEAR_ABROAD
        or (near < _LEAST_NEAR and not is_abroad(passage.content))
        or is_listing(passage.content)
    )


def translate_word(language: Language, word: str) -> tuple[str, ...]:
    """Return translations as prefixes; with a full stop a whole word."""
    if language is Language.EN:
        return _glossary().turkish.get(stem(word, Language.EN), ())
    return _in_english(word)


def matches_translation(words: Sequence[str], language: Language, text: str) -> bool:
    if guess_language(text[:_LETTERS_READ], language) is language:
        return False
    haystack = f" {' '.join(word_texts(text))} "
    forms = (form for word in words for form in translate_word(language, word))
    return any(
        f" {form[:-1]} " in haystack if form.endswith(".") else f" {form}" in haystack
        for form in forms
    )


@lru_cache(maxsize=4096)
def _in_english(word: str) -> tuple[str, ...]:
    listed = _glossary().english
    lengths = range(len(word), _SHORTEST_TURKISH - 1, -1)
    keys = (f"{word}.", *(word[:length] for length in lengths))
    translations = next((listed[key] for key in keys if key in listed), ())
    return tuple(
        translation if len(translation) >= _SHORTEST_BEGINNING else f"{translation}."
        for translation in translations
    )


@cache
def _glossary() -> _Glossary:
    turkish: defaultdict[str, list[str]] = defaultdict(list)
    english: defaultdict[str, list[str]] = defaultdict(list)
    listed = asset("resources", "words", "en-tr.txt").read_text(encoding="utf-8")
    for line in listed.splitlines():
        left, _, right = line.partition(": ")
        for word in left.split():
            turkish[stem(word, Language.EN)] += right.split()
        begun = [
            entry[:-1] if entry[_SHORTEST_BEGINNING:].endswith("s") else entry
            for entry in left.split()
        ]
        for word in right.split():
            english[word] += begun
    return _Glossary(_each_once(turkish), _each_once(english))


def _each_once(words: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(dict.fromkeys(values)) for key, values in words.items()}
