"""What was found, as it is shown: a piece of the text with its marks, and where it stands."""

from collections.abc import Sequence
from dataclasses import replace

from desktop.domain.search import Hit, HitKind
from desktop.domain.sessions import Session
from desktop.recall.fts_query import Expression
from desktop.recall.snippet import snippet
from desktop.storage.index import MessageMatch
from desktop.storage.session_index import SessionMatch


def message_hit(match: MessageMatch) -> Hit:
    """With all of the message in the place of its snippet: `shown` cuts those that are kept."""
    message = match.message
    return Hit(
        kind=HitKind.MESSAGE,
        session_id=message.session_id,
        message_id=message.id,
        message_number=message.number,
        ref=message.ref,
        score=match.score,
        title=match.session_title,
        snippet=message.content,
        marks=(),
        created_at=message.created_at,
    )


def session_hit(match: SessionMatch) -> Hit:
    """With all that is told of the session in the place of its snippet."""
    session = match.session
    return Hit(
        kind=HitKind.SESSION,
        session_id=session.id,
        message_id=None,
        message_number=None,
        ref=None,
        score=match.score,
        title=session.title or session.opening,
        snippet=_told(session),
        marks=(),
        created_at=session.updated_at,
    )


def shown(hit: Hit, expression: Expression) -> Hit:
    """As it is read in a list; facts and passages bring their snippets along."""
    if hit.kind not in {HitKind.MESSAGE, HitKind.SESSION}:
        return hit
    cut, marks = snippet(hit.snippet, expression.begun, expression.phrase_words)
    return replace(hit, snippet=cut, marks=marks)


def only_near(hits: Sequence[Hit]) -> bool:
    """Whether nothing has a word of what was asked: all was found by its meaning."""
    return bool(hits) and all(hit.kind is not HitKind.SESSION and not hit.marks for hit in hits)


def tells(match: SessionMatch, expression: Expression) -> bool:
    return expression.fits(f"{match.session.title}\n{_told(match.session)}")


def _told(session: Session) -> str:
    topics = " · ".join(session.topics)
    return f"{session.summary} · {topics}" if session.summary and topics else topics
