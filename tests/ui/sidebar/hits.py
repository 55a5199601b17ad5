"""Hits as the search gives them to the sidebar."""

from datetime import date, datetime

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit, HitKind

TODAY = date(2026, 11, 19)
NOON = datetime(2026, 11, 19, 12).astimezone()


def hit(name: str, message: int = 7) -> Hit:
    return Hit(
        kind=HitKind.MESSAGE,
        session_id=SessionId(name),
        message_id=MessageId(message),
        message_number=3,
        score=1.0,
        title=name,
        snippet="… Somogyi …",
        marks=((2, 9),),
        created_at=NOON,
    )
