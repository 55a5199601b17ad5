"""In how many messages words stand: asked with every keystroke, and slow to change."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from desktop.language.keywords_and_stems import without_endings
from desktop.language.turkish_verb_stemming import verb_roots
from desktop.recall.bm25 import Term
from desktop.recall.fts_query import any_of, one_of

_COMMON_SHARE = 0.05
_LEAST_COMMON = 2_000
_MOST_REMEMBERED = 5_000


class Counted(Protocol):
    """An index of messages, or of passages."""

    def newest(self) -> int | None: ...

    def count_messages(self) -> int: ...

    def count_matches(self, expression: str, at_most: int) -> int: ...


class WordCounts:
    """Counted no further than it takes to call a word common. May raise StorageError."""

    def __init__(self, index: Counted) -> None:
        self._index = index
        self._known: dict[str, int] = {}
        self._newest: int | None = None
        self.messages = 0
        self.meant: dict[tuple[str, bool], str] = {}
        """What unknown words were read as, in a sentence or alone; forgotten with the counts."""

    def look(self) -> None:
        """Forget what was counted when the archive has become another; before every search."""
        newest = self._index.newest()
        if newest != self._newest or len(self._known) > _MOST_REMEMBERED:
            self.messages = self._index.count_messages()
            self._known, self.meant = {}, {}
            # Last: whoever searches meanwhile, in another thread, counts for himself.
            self._newest = newest

    def terms(self, words: Sequence[str]) -> list[Term]:
        """A word that stands nowhere is looked for without its endings."""
        return [self._term(word) for word in words]

    def also(self, terms: Sequence[Term], others: Callable[[str], tuple[str, ...]]) -> list[Term]:
        """The same, found where other words stand that say it as well."""
        both = [replace(term, also=others(term.word)) for term in terms]
        return [
            replace(term, messages=self._count(any_of([term]))) if term.also else term
            for term in both
        ]

    def telling(self, terms: Sequence[Term]) -> Sequence[Term]:
        """Those that not too many messages have, unless there are no others."""
        return [term for term in terms if term.messages <= self._common] or terms

    @property
    def _common(self) -> int:
        """A word in more messages finds none: it only tells found ones apart."""
        return max(_LEAST_COMMON, int(self.messages * _COMMON_SHARE))

    def _term(self, word: str) -> Term:
        for form in (word, *without_endings(word), *verb_roots(word)):
            if messages := self._of(form):
                return Term(form, messages, self._exactly(form))
        return Term(word, 0)

    def _of(self, word: str) -> int:
        return self._count(one_of(word))

    def _exactly(self, word: str) -> int:
        return self._count(f'"{word}"')

    def _count(self, fts: str) -> int:
        known = self._known
        if fts not in known:
            known[fts] = self._index.count_matches(fts, self._common + 1)
        return known[fts]
