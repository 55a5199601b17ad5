"""Archives made of invented words, with the sizes that the benchmarks ask for.

Words are drawn by Zipf's law from an invented vocabulary, so that there are rare words, common
words and everything between, as in real text; one seed makes every run the same.
"""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.sessions import DescribedBy, EndReason, Session, SessionStatus, opening_of
from desktop.storage.archive import Archive, open_archive
from desktop.storage.imports import FinishedSession

_SEED = 20261121
_VOCABULARY = 40_000
_WORDS_A_MESSAGE = (8, 90)
_BATCH = 100
BEGAN = datetime(2023, 1, 1, tzinfo=UTC)
_SYLLABLES = [
    *(consonant + vowel for vowel in "aiou" for consonant in "klmntrsybd"),
    *(vowel + consonant for vowel in "aiouöü" for consonant in "lnrt"),
]


class Words:
    """The vocabulary, most common first."""

    def __init__(self) -> None:
        self._random = random.Random(_SEED)  # noqa: S311 - text to measure with, no secret
        made: dict[str, None] = {}
        while len(made) < _VOCABULARY:
            count = self._random.choice((2, 2, 3, 3, 3, 4))
            made["".join(self._random.choices(_SYLLABLES, k=count))] = None
        self.all = list(made)
        self.usual = self.all[2_000:2_010]
        """Neither rare nor in every message."""
        self._weights = list(accumulate(1 / place for place in range(1, _VOCABULARY + 1)))

    def text(self) -> str:
        count = self._random.randint(*_WORDS_A_MESSAGE)
        return " ".join(self._random.choices(self.all, cum_weights=self._weights, k=count)) + "."


def fill(path: Path, *, sessions: int, messages_each: int) -> Archive:
    """A new archive of complete, described, indexed sessions."""
    archive = open_archive(path, backups=path.parent / "backups")
    words = Words()
    for start in range(0, sessions, _BATCH):
        numbers = range(start, min(start + _BATCH, sessions))
        archive.imports.add([_session(words, number, messages_each) for number in numbers])
    return archive


def write_sessions(path: Path, sessions: int, messages_each: int) -> None:
    """A file in Bellek's own form, of which only the words are there."""
    words = Words()
    with path.open("w", encoding="utf-8") as file:
        for number in range(sessions):
            said = invented_messages(words, SessionId(""), messages_each, BEGAN)
            messages = [{"role": one.role, "content": one.content} for one in said]
            whole = {"id": f"bench-{number}", "messages": messages}
            file.write(json.dumps(whole, ensure_ascii=False) + "\n")


def _session(words: Words, number: int, messages: int) -> FinishedSession:
    session_id = SessionId(f"bench-{number}")
    began = BEGAN + timedelta(hours=number)
    said = list(invented_messages(words, session_id, messages, began))
    session = Session(
        id=session_id,
        status=SessionStatus.COMPLETE,
        created_at=began,
        updated_at=said[-1].created_at,
        title=words.text()[:60],
        summary=words.text(),
        topics=tuple(dict.fromkeys(words.text().split()[:5])),
        described_by=DescribedBy.IMPORT,
        language=Language.TR,
        ended_at=said[-1].created_at,
        end_reason=EndReason.USER,
        messages=len(said),
        opening=opening_of(said[0].content),
    )
    return FinishedSession(session, said)


def invented_messages(
    words: Words, session_id: SessionId, count: int, began: datetime
) -> Iterator[Message]:
    for number in range(1, count + 1):
        yield Message(
            id=MessageId(number),
            session_id=session_id,
            number=number,
            role=Role.USER if number % 2 else Role.ASSISTANT,
            content=words.text(),
            state=MessageState.COMPLETE,
            created_at=began + timedelta(seconds=number),
        )
