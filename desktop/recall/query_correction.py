"""What somebody meant who typed words that stand nowhere, or left their Turkish letters out.

The archive's own words tell: it is what they are put right by.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from desktop.language.query_stopwords import QUESTION_WORDS
from desktop.recall.diacritic_restoration import with_letters
from desktop.recall.fts_query import one_of
from desktop.recall.spelling import is_form_of_known, meant_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.domain.ids import MessageId
    from desktop.domain.search import Query
    from desktop.recall.fts_query import Expression
    from desktop.recall.term_statistics import WordCounts
    from desktop.storage.index import IndexStore

_TEXTS_READ = 5
"""Messages that tell how a word is written."""
_FEW_BEGINNING = 2_000


class _Knows(Protocol):
    def knows(self, word: str) -> bool: ...


class Meant:
    def __init__(self, index: IndexStore, counts: WordCounts, others: Sequence[_Knows]) -> None:
        """`others`: what else has words of its own, and need not be put right by messages."""
        self._index = index
        self._counts = counts
        self._others = others

    def in_words(self, expression: Expression) -> Expression:
        """What stands nowhere, without its endings or as it is spelled where it nearly stands."""
        counted = zip(expression.terms, self._counts.terms(expression.terms), strict=True)
        is_said = expression.is_sentence
        meant = [
            term.word if term.messages else self._spelled(word, is_said=is_said)
            for word, term in counted
        ]
        return replace(expression, terms=tuple(dict.fromkeys(meant)))

    def _spelled(self, word: str, *, is_said: bool) -> str:
        known = self._counts.meant
        if (word, is_said) not in known:
            known[word, is_said] = self._meant(word, is_said=is_said)
        return known[word, is_said]

    def _meant(self, word: str, *, is_said: bool) -> str:
        if self._index.sessions.has(one_of(word)):
            return word
        if is_said and is_form_of_known(word, self._index.words_beginning):
            return word  # a sentence has forms that stand nowhere, and other words to find it by
        if any(one.knows(word) for one in self._others):
            return word
        return meant_by(word, self._index.words_beginning) or word

    def in_letters(self, query: Query, newest: int) -> Query:
        """`newest`: of an archive with more messages only so many are read for it."""
        is_many = self._counts.messages > newest and query.text.isascii()
        after = self._index.newest_since(newest) if is_many else None
        return replace(query, text=with_letters(query.text, partial(self._having, after)))

    def _having(self, after: MessageId | None, word: str) -> list[str]:
        """A few of the newest messages with a word, where there are any with that very form.

        A beginning that very many have is not looked up: at a million messages it takes long.
        """
        exactly = self._index.texts(f'"{word}"', _TEXTS_READ, after=after)
        if exactly or word in QUESTION_WORDS:
            return exactly
        (term,) = self._counts.terms([word])
        if not 0 < term.messages <= _FEW_BEGINNING:
            return []
        return self._index.texts(one_of(term.word), _TEXTS_READ, after=after)
