"""Sessions in and out of files: Bellek's own format, and one session as markdown.

The format is one JSON object a line (see `written`). A line that is broken costs that line only.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from desktop.domain.errors import FileUnreadableError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.model import JsonValue
from desktop.domain.sessions import DescribedBy, EndReason, Session, SessionStatus
from desktop.domain.times import Clock, parse_utc, utc_now, utc_text
from desktop.language.extraction import describe as extract
from desktop.language.guess import guess_language
from desktop.language.letters import whole_letters
from desktop.language.phrases import PhraseLists
from desktop.storage.imports import FinishedSession, ImportStore

_BATCH_MESSAGES = 2_000
_LONGEST_LINE = 64 * 1024 * 1024
_LONGEST_ID = 200
_OPENING_LENGTH = 120
_GUESSED_FROM = 2_000

Said = list[tuple[str, str]]
"""Role and words of every message."""


class LineError(ValueError):
    """What is wrong with a line; `key` and `values` name a sentence of the texts."""

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that was not imported, and why."""

    line: int
    key: str
    values: Mapping[str, str | int]


@dataclass(slots=True)
class ImportReport:
    added: int = 0
    already_there: int = 0
    messages: int = 0
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Importer:
    imports: ImportStore
    phrases: Callable[[], PhraseLists]
    default_language: Callable[[], Language]
    now: Clock = utc_now

    def import_file(
        self, path: Path, *, should_stop: Callable[[], bool] = lambda: False
    ) -> ImportReport:
        """Add what is not there yet; raises FileUnreadableError, StorageError."""
        report = ImportReport()
        batch: list[FinishedSession] = []
        waiting: dict[SessionId, Said] = {}
        for number, line in _lines(path):
            if should_stop():
                break
            try:
                session = self._described(self._placed(read_session(line, self.now()), waiting))
            except LineError as exc:
                report.problems.append(Problem(number, exc.key, exc.values))
                continue
            except AlreadyThere:
                report.already_there += 1
                continue
            batch.append(session)
            waiting[session.session.id] = _said(session)
            if sum(len(one.messages) for one in batch) >= _BATCH_MESSAGES:
                self._add(batch, report)
                waiting.clear()
        self._add(batch, report)
        return report

    def _add(self, batch: list[FinishedSession], report: ImportReport) -> None:
        if batch:
            self.imports.add(batch)
        report.added += len(batch)
        report.messages += sum(len(one.messages) for one in batch)
        batch.clear()

    def _placed(
        self, found: FinishedSession, waiting: Mapping[SessionId, Said]
    ) -> FinishedSession:
        """Under its own id; another session of that id makes it take one made of its words."""
        said = _said(found)
        wanted = found.session.id
        other = SessionId(f"{wanted}-{_digest(json.dumps(said))[:8]}")
        for session_id in (wanted, other):
            known = waiting.get(session_id) or self.imports.known(session_id)
            if known is None:
                return renamed(found, session_id)
            if list(known) == said:
                raise AlreadyThere
        raise AlreadyThere

    def _described(self, found: FinishedSession) -> FinishedSession:
        """What the file does not say about the session is extracted."""
        session = found.session
        text = " ".join(message.content for message in found.messages)[:_GUESSED_FROM]
        language = guess_language(text, self.default_language())
        if session.title and session.summary and session.topics:
            return replace(found, session=replace(session, language=language))
        said = _said(found)
        extracted = extract(said, language, self.phrases())
        described = replace(
            session,
            language=language,
            title=session.title or extracted.title,
            summary=session.summary or extracted.summary,
            topics=session.topics or tuple(extracted.topics),
            described_by=DescribedBy.IMPORT if session.title else DescribedBy.EXTRACTION,
        )
        return replace(found, session=described)


def _said(of: FinishedSession) -> Said:
    return [(message.role.value, message.content) for message in of.messages]


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


class AlreadyThere(Exception):  # noqa: N818 - an outcome, not a failure
    """The archive has this very session."""


def renamed(found: FinishedSession, session_id: SessionId) -> FinishedSession:
    messages = [replace(message, session_id=session_id) for message in found.messages]
    return FinishedSession(replace(found.session, id=session_id), messages)


def read_session(line: str, now: datetime) -> FinishedSession:
    """One line of the format; raises LineError."""
    try:
        value: JsonValue = json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise LineError("not_json") from exc
    if not isinstance(value, Mapping):
        raise LineError("not_an_object")
    session_id = SessionId(_text(value, "id")[:_LONGEST_ID] or _digest(line.strip()))
    raw = value.get("messages")
    if isinstance(raw, str) or not isinstance(raw, Sequence) or not raw:
        raise LineError("no_messages")
    began = _moment(value, "created_at") or now
    messages = [
        _message(one, session_id, number, began) for number, one in enumerate(raw, start=1)
    ]
    ended = _moment(value, "ended_at") or max(message.created_at for message in messages)
    title = " ".join(_text(value, "title").split())
    session = Session(
        id=session_id,
        status=SessionStatus.COMPLETE,
        created_at=began,
        updated_at=ended,
        ended_at=ended,
        end_reason=EndReason.USER,
        title=title or None,
        summary=_text(value, "summary").strip() or None,
        topics=_topics(value),
        described_by=DescribedBy.IMPORT,
        messages=len(messages),
        opening=messages[0].content[:_OPENING_LENGTH],
    )
    return FinishedSession(session, messages)


def written(session: Session, messages: Sequence[Message]) -> str:
    """One session as one line of the format."""
    value: dict[str, JsonValue] = {
        "id": session.id,
        "created_at": utc_text(session.created_at),
        "ended_at": utc_text(session.ended_at) if session.ended_at else None,
        "title": session.title,
        "summary": session.summary,
        "topics": list(session.topics) or None,
    }
    kept: dict[str, JsonValue] = {name: one for name, one in value.items() if one is not None}
    kept["messages"] = [
        {
            **({"ref": message.ref} if message.ref else {}),
            "role": message.role.value,
            "content": message.content,
            "created_at": utc_text(message.created_at),
        }
        for message in messages
    ]
    return json.dumps(kept, ensure_ascii=False)


def as_markdown(session: Session, messages: Sequence[Message], names: Mapping[Role, str]) -> str:
    """One session to read or to print; `names` says who spoke."""
    head = [f"# {session.title or session.opening}"]
    if session.summary:
        head.append(f"> {session.summary}")
    if session.topics:
        head.append(" · ".join(session.topics))
    said = [f"## {names[message.role]}\n\n{message.content}" for message in messages]
    return "\n\n".join([*head, *said]) + "\n"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(_LONGEST_LINE):
                number += 1
                text = line.decode("utf-8-sig" if number == 1 else "utf-8", errors="replace")
                if text.strip():
                    yield number, text
    except OSError as exc:
        raise FileUnreadableError(path=str(path), detail=exc.strerror or "") from exc


def _message(value: JsonValue, session_id: SessionId, number: int, began: datetime) -> Message:
    if not isinstance(value, Mapping):
        raise LineError("message_not_an_object", number=number)
    content = value.get("content")
    if not isinstance(content, str):
        raise LineError("message_without_words", number=number)
    role = value.get("role")
    if role not in list(Role):
        raise LineError("message_role_unknown", number=number)
    return Message(
        id=MessageId(0),
        session_id=session_id,
        number=number,
        role=Role(str(role)),
        content=whole_letters(content),
        state=MessageState.COMPLETE,
        created_at=_moment(value, "created_at") or _later(began, number),
        ref=_text(value, "ref") or None,
    )


def _later(began: datetime, milliseconds: int) -> datetime:
    try:
        return began + timedelta(milliseconds=milliseconds)
    except OverflowError:  # on the last day there is
        return began


def _text(value: Mapping[str, JsonValue], name: str) -> str:
    found = value.get(name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise LineError("field_not_text", field=name)
    return whole_letters(found)


def _topics(value: Mapping[str, JsonValue]) -> tuple[str, ...]:
    found = value.get("topics")
    if found is None:
        return ()
    if isinstance(found, str) or not isinstance(found, Sequence):
        raise LineError("field_not_list", field="topics")
    names = [whole_letters(one) for one in found if isinstance(one, str)]
    return tuple(" ".join(name.split()) for name in names if name.strip())


def _moment(value: Mapping[str, JsonValue], name: str) -> datetime | None:
    found = _text(value, name)
    if not found:
        return None
    try:
        return parse_utc(found)
    except ValueError as exc:
        raise LineError("field_not_a_time", field=name) from exc
