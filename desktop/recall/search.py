"""Searching the archive: one entry for sidebar, command line and no-model answers alike."""

from collections.abc import Callable, Container
from dataclasses import replace

from desktop.domain.messages import Message
from desktop.domain.search import Hit, HitKind, Query
from desktop.domain.sessions import Session
from desktop.recall.expression import Expression, parse
from desktop.recall.snippet import snippet
from desktop.storage.index import IndexStore, MessageMatch, SessionMatch

_SESSION_LEAD = 1.5
"""How much more a match in title, topics or summary says than one in a message."""


class Search:
    """Keyword search over complete sessions. May raise StorageError."""

    def __init__(self, index: IndexStore, stop_words: Callable[[], Container[str]]) -> None:
        self._index = index
        self._stop_words = stop_words

    def find(self, query: Query) -> list[Hit]:
        """All the query's words first; where that finds nothing, any of them."""
        expression = parse(query.text, self._stop_words())
        if not expression:
            return []
        hits = self._matches(expression, expression.every(), query)
        if not hits and len(expression.terms) + len(expression.phrases) > 1:
            hits = self._matches(expression, expression.some(), query)
        return hits[: query.limit]

    def around(self, hit: Hit, *, after: int) -> list[Message]:
        """The message of a hit and those behind it."""
        if hit.message_number is None:
            return []
        near = self._index.neighbours(hit.session_id, hit.message_number, after)
        return [message for message in near if message.number >= hit.message_number]

    def has_sessions(self) -> bool:
        """Whether there is anything to be found at all."""
        return self._index.has_sessions()

    def _matches(self, expression: Expression, fts: str, query: Query) -> list[Hit]:
        hits: list[Hit] = []
        if HitKind.SESSION in query.kinds:
            found = self._index.match_sessions(fts, query)
            hits += [_session_hit(match, expression) for match in found]
        if HitKind.MESSAGE in query.kinds:
            matches = self._index.match_messages(fts, query)
            hits += [_message_hit(match, expression) for match in matches]
        return hits if len(query.kinds) == 1 else _best_first(hits, query)


def _best_first(hits: list[Hit], query: Query) -> list[Hit]:
    """Both kinds in one order; scores of two kinds compare only after scaling to their best."""
    if all(hit.score == 0 for hit in hits if hit.kind is HitKind.MESSAGE):
        return sorted(hits, key=lambda hit: hit.created_at, reverse=True)
    best = {
        kind: max((hit.score for hit in hits if hit.kind is kind), default=1.0) or 1.0
        for kind in query.kinds
    }
    lead = {HitKind.SESSION: _SESSION_LEAD, HitKind.MESSAGE: 1.0}
    scaled = [replace(hit, score=lead[hit.kind] * hit.score / best[hit.kind]) for hit in hits]
    return sorted(scaled, key=lambda hit: hit.score, reverse=True)


def _message_hit(match: MessageMatch, expression: Expression) -> Hit:
    message = match.message
    shown, marks = snippet(message.content, expression.terms, expression.phrase_words)
    return Hit(
        kind=HitKind.MESSAGE,
        session_id=message.session_id,
        message_id=message.id,
        message_number=message.number,
        ref=message.ref,
        score=match.score,
        title=match.session_title,
        snippet=shown,
        marks=marks,
        created_at=message.created_at,
    )


def _session_hit(match: SessionMatch, expression: Expression) -> Hit:
    session = match.session
    shown, marks = snippet(_told(session), expression.terms, expression.phrase_words)
    return Hit(
        kind=HitKind.SESSION,
        session_id=session.id,
        message_id=None,
        message_number=None,
        ref=None,
        score=match.score,
        title=session.title or session.opening,
        snippet=shown,
        marks=marks,
        created_at=session.updated_at,
    )


def _told(session: Session) -> str:
    topics = " · ".join(session.topics)
    return f"{session.summary} · {topics}" if session.summary and topics else topics
