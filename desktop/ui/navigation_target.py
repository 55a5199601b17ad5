"""A session or message that a part of the window asks to be shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.domain.ids import MessageId, SessionId


@dataclass(frozen=True, slots=True)
class NavigationTarget:
    """A session, and the message in it that is meant, if one is."""

    session_id: SessionId
    message_id: MessageId | None = None
    terms: Sequence[str] = ()
    """What was searched for."""
    query: str = ""
    """The whole of it, where the other hits in the session are of interest."""
