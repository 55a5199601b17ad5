"""Suggests past sessions related to a draft, by words only.

It runs while the user types, so it uses no embedding model, and it is cautious: a session is
suggested only if it contains half of the draft's topic words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop.domain.ids import SessionId
from desktop.domain.projects import Wall
from desktop.domain.search import Hit, HitKind, Query, Scope, SearchMode, Suggestion
from desktop.language.keywords_and_stems import (
    QUESTION_WORDS,
    StopWords,
    content_words,
    count_shared,
)
from desktop.recall.search import Search

_HITS = 40
_SAID, _CALLED = frozenset({HitKind.MESSAGE}), frozenset({HitKind.SESSION})
_LEAST_WORDS = 2
_MOST_WORDS = 12
_READ_LETTERS = 600


@dataclass(frozen=True, slots=True)
class RelatedSessions:
    search: Search
    stop_words: Callable[[], StopWords]

    def suggest(
        self, draft: str, wall: Wall, *, besides: Sequence[SessionId] = (), limit: int = 3
    ) -> list[Suggestion]:
        """Return suggestions, best first, without `besides`. May raise StorageError."""
        about = _about(draft, self.stop_words())
        if len(about) < _LEAST_WORDS:
            return []
        of_session: dict[SessionId, list[Hit]] = {}
        for hit in self._hits(" ".join(about), Scope(wall)):
            of_session.setdefault(hit.session_id, []).append(hit)
        return [
            _suggestion(session_id, hits, about)
            for session_id, hits in of_session.items()
            if session_id not in besides and _bears(hits, about)
        ][:limit]

    def _hits(self, about: str, scope: Scope) -> list[Hit]:
        """Return messages before titles, because a message can be opened.

        Sessions that only quote others are not related by themselves: those they quote are.
        """
        query = Query(about, kinds=_SAID, mode=SearchMode.KEYWORD, limit=_HITS, scope=scope)
        hits = [*self.search.find(query), *self.search.find(replace(query, kinds=_CALLED))]
        return [hit for hit in hits if not hit.is_pointer]


def _about(draft: str, stop_words: StopWords) -> list[str]:
    own = content_words(draft[-_READ_LETTERS:], stop_words, with_weak=True)
    words = [word.text for word in own if word.text not in QUESTION_WORDS]
    return list(dict.fromkeys(words))[-_MOST_WORDS:]


def _bears(hits: Sequence[Hit], about: Sequence[str]) -> bool:
    shared = count_shared(about, " ".join(f"{hit.title} {hit.snippet}" for hit in hits))
    return shared >= _LEAST_WORDS and 2 * shared >= len(about)


def _suggestion(session_id: SessionId, hits: Sequence[Hit], about: Sequence[str]) -> Suggestion:
    shown = next((hit for hit in hits if hit.message_id is not None), hits[0])
    title = " ".join(shown.title.split())
    return Suggestion(session_id, shown.message_id, title, shown.created_at, tuple(about))
