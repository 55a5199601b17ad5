"""Archives for tests: real files in the test's own folder, filled in one line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.sessions import DescribedBy, Session, SessionStatus
from desktop.storage.archive import Archive, open_archive
from desktop.storage.repositories.imports import FinishedSession
from desktop.storage.repositories.sessions import StoredMessage

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

NOON = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)


class SettableClock:
    """A clock that stands still until the test sets it."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def pass_by(self, **time: float) -> None:
        """The arguments are those of timedelta: minutes=31."""
        self.at += timedelta(**time)


@cache
def _empty_archive() -> bytes:
    """Return the bytes of a new file; making one takes seven times as long as writing them."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "bellek.db"
        open_archive(file, backups=Path(folder)).close()
        return file.read_bytes()


def write_empty_archive(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_empty_archive())


def archive_in(
    folder: Path, clock: SettableClock | None = None, key: "ProfileKey | None" = None
) -> Archive:
    """The archive of a folder, empty at first."""
    file = folder / "bellek.db"
    if key is None and not any(folder.glob("bellek.db*")):
        write_empty_archive(file)
    return open_archive(file, backups=folder / "backups", key=key, now=clock or SettableClock())


def stored(
    session_id: SessionId,
    number: int,
    content: str,
    *,
    is_current: bool = True,
    state: MessageState = MessageState.COMPLETE,
    message_id: int | None = None,
) -> StoredMessage:
    """A message of a session; odd numbers are the user's."""
    message = Message(
        id=MessageId(message_id or number),
        session_id=session_id,
        number=number,
        role=Role.USER if number % 2 else Role.ASSISTANT,
        content=content,
        state=state,
        created_at=NOON + timedelta(seconds=number),
        parent_id=MessageId(number - 1) if number > 1 else None,
    )
    return StoredMessage(message, is_current)


def an_active_session(name: str = "s1", *, at: datetime = NOON) -> Session:
    return Session(SessionId(name), SessionStatus.ACTIVE, created_at=at, updated_at=at)


def finished(
    name: str,
    *said: str,
    title: str | None = None,
    summary: str | None = None,
    topics: Sequence[str] = (),
    at: datetime = NOON,
    models: Sequence[str | None] = (),
) -> FinishedSession:
    """A complete session in which user and assistant spoke in turn.

    `models`: who wrote each message; None for those that are not named.
    """
    session_id = SessionId(name)
    session = Session(
        session_id,
        SessionStatus.COMPLETE,
        created_at=at,
        updated_at=at,
        ended_at=at,
        title=title,
        summary=summary,
        topics=tuple(topics),
        described_by=DescribedBy.IMPORT,
        language=Language.TR,
        messages=len(said),
        opening=said[0][:120] if said else "",
    )
    messages = [
        Message(
            id=MessageId(0),
            session_id=session_id,
            number=number,
            role=Role.USER if number % 2 else Role.ASSISTANT,
            content=content,
            state=MessageState.COMPLETE,
            created_at=at + timedelta(seconds=number),
            model=models[number - 1] if number <= len(models) else None,
        )
        for number, content in enumerate(said, start=1)
    ]
    return FinishedSession(session, messages)


@contextmanager
def full_disk(largest: int = 0) -> Iterator[None]:
    """No file of this process may grow beyond a size."""
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
