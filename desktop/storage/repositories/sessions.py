"""Sessions, their messages and drafts: how they are stored and read."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    FromClause,
    Select,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
    true,
    union,
    update,
)
from sqlalchemy.dialects.sqlite import dialect, insert

from desktop.domain.errors import SessionUnknownError, StorageError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageFile, Role
from desktop.domain.projects import Wall
from desktop.domain.sessions import Draft, Session, SessionStatus
from desktop.domain.times import Period, utc_text
from desktop.language.normalization import fix_surrogates, folded_key
from desktop.storage.repositories.answer_records import AnswerRecord, keep_records
from desktop.storage.repositories.split_merge import now_in
from desktop.storage.schema.database import Repository, Values
from desktop.storage.schema.row_mapping import (
    EVER,
    MESSAGE,
    SESSION,
    file_rows,
    files_text,
    message_of,
    message_values,
    read_files,
    read_ids,
    read_time_or_none,
    read_value,
    session_of,
    session_values,
    within,
)
from desktop.storage.schema.tables import (
    drafts,
    message_files,
    messages,
    research_runs,
    session_tags,
    session_topics,
    sessions,
    tags,
    topics,
)
from desktop.storage.search.message_index import index_description

NEW_SESSION = SessionId("")
"""Stands for a session without a message yet, which can already have a draft."""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    message: Message
    is_current: bool  # Whether it is on the session's current path, or a version that was left


class SessionStore(Repository):
    def sessions(
        self,
        wall: Wall,
        *,
        limit: int | None = None,
        offset: int = 0,
        is_archived: bool | None = None,
        tag: str = "",
    ) -> list[Session]:
        """Return the active session, pinned ones, then the newest first, without deleted ones.

        `is_archived`: None for all of them. `tag`: only those with this topic or tag.
        """
        # The limit is applied first: topics are then looked up only for what is shown.
        is_wanted = true() if is_archived is None else _archived(_shown) == is_archived
        keys = (
            _SHOWN.where(is_wanted, within(_shown.c.project, wall))
            .where(_shown.c.id.in_(_tagged(tag)) if tag else true())
            .limit(-1 if limit is None else limit)
            .offset(offset)
        )
        return self._listed(_IN_ORDER.where(sessions.c.key.in_(keys)))

    def count_archived(self, wall: Wall) -> int:
        is_wanted = within(sessions.c.project, wall), sessions.c.deleted_at.is_(None)
        return int(self._value(select(func.count()).where(_archived(sessions), *is_wanted)))

    def session(self, session_id: SessionId) -> Session:
        """Return the session; raises SessionUnknownError."""
        matches = self._listed(_LIVE.where(sessions.c.id == session_id))
        if not matches:
            raise SessionUnknownError(session=session_id)
        return matches[0]

    def some(self, session_ids: Iterable[SessionId]) -> list[Session]:
        """Return those that exist, in this order."""
        places = {session_id: place for place, session_id in enumerate(dict.fromkeys(session_ids))}
        matches = self._listed(_SOME, {"ids": json.dumps(list(places))})
        return sorted(matches, key=lambda session: places[session.id])

    def now_in(self, session_ids: Iterable[SessionId]) -> list[SessionId]:
        """Return the sessions; a merged one is replaced by the one that it was merged into."""
        with self._database.reading() as db:
            return now_in(db, session_ids)

    def branched(self, wall: Wall) -> frozenset[SessionId]:
        """Return the sessions that have messages besides those of their current path."""
        return frozenset(self._values(_BRANCHED.where(within(sessions.c.project, wall))))

    def active(self) -> Session | None:
        return next(iter(self._listed(_ACTIVE)), None)

    def messages(self, session_id: SessionId) -> list[Message]:
        """Return the current path, in order."""
        return [stored_message.message for stored_message in self._with_files(session_id, _PATH)]

    def all_versions(self, session_id: SessionId) -> list[StoredMessage]:
        """Return every version of every message that is still here, oldest first."""
        return self._with_files(session_id, _ALL_VERSIONS)

    def _with_files(self, session_id: SessionId, query: Select[Any]) -> list[StoredMessage]:
        files: dict[MessageId, list[MessageFile]] = {}
        values = {"session": session_id}
        with self._database.reading() as db:
            rows = db.execute(query, values).all()
            for file in db.execute(_FILES, values):
                files.setdefault(file.message_id, []).append(read_value(MessageFile, file))
        pairs = ((message_of(row), bool(row.is_current)) for row in rows)
        return [
            StoredMessage(
                replace(message, files=tuple(files[message.id]))
                if message.id in files
                else message,
                on,
            )
            for message, on in pairs
        ]

    def recent(self, period: Period, wall: Wall, *, limit: int) -> list[Session]:
        """Return complete sessions with a message in a period, newest first."""
        return self._listed(
            _LIVE.where(
                sessions.c.status == "complete",
                within(sessions.c.project, wall),
                sessions.c.updated_at >= (utc_text(period.since) if period.since else ""),
                sessions.c.created_at < (utc_text(period.until) if period.until else EVER),
            )
            .order_by(sessions.c.updated_at.desc(), sessions.c.key.desc())
            .limit(limit)
        )

    def last_messages(self, session_id: SessionId, count: int) -> list[Message]:
        """Return the end of the current path, in order."""

        def read() -> list[Message]:
            rows = self._rows(_LAST, {"session": session_id, "count": count})
            return [message_of(row) for row in rows][::-1]

        return self.cached.get(session_id, count, read)

    def save(
        self,
        session: Session,
        changed: Iterable[StoredMessage],
        records: Iterable[AnswerRecord] = (),
    ) -> None:
        """Store a session's own columns and the given messages and records, in one transaction.

        The cost depends on what is given, not on the length of the session. Rows that leave the
        path must come before those that take their number. If this session is active, another
        active one, left by a dead process, is completed: there are never two.
        """
        with self._database.writing() as db:
            if session.status is SessionStatus.ACTIVE:
                self._complete_others(db, session.id)
            db.execute(_SAVE_SESSION, {**session_values(session), "description_due": 1})
            for stored in changed:
                values = message_values(stored.message, is_current=stored.is_current)
                if db.execute(_SAVE_MESSAGE, values).rowcount == 0:
                    raise StorageError  # its id belongs to another session's message
                if stored.message.role is Role.USER:
                    keep_files(db, stored.message)
                    _clear_sent_draft(db, stored.message)
            keep_records(db, session.id, records, self._now())
        self.cached.drop(session.id)

    def _complete_others(self, db: Connection, active: SessionId) -> None:
        left = db.execute(_COMPLETE_OTHERS, {"active": active, "now": utc_text(self._now())})
        for session_id in left.scalars().all():
            db.execute(_INTERRUPT.where(messages.c.session_id == session_id))

    def keep_records(self, session_id: SessionId, records: Iterable[AnswerRecord]) -> None:
        with self._database.writing() as db:
            keep_records(db, session_id, records, self._now())

    def keep_arrived(self, answer: Message, record: AnswerRecord | None = None) -> None:
        """Store only the text so far of a streaming answer, and its citations: each second."""
        of_answer = update(messages).where(messages.c.id == answer.id)
        with self._database.writing() as db:
            is_there = db.execute(of_answer.values(content=answer.content)).rowcount
            if record is not None and is_there:
                keep_records(db, answer.session_id, [record], self._now())

    def left_streaming(self) -> list[Session]:
        """Return complete sessions with an answer that is open and has words, newest first."""
        return self._listed(_LEFT_STREAMING)

    def left_unanswered(self) -> list[Session]:
        """Return those that were left for another before the first word came, newest first."""
        return self._listed(_LEFT_UNANSWERED)

    def interrupt_streaming(self) -> int:
        """Mark streaming answers of a dead process; only the profile's owner may call it."""
        return self._change(_INTERRUPT)

    def rename(self, session_id: SessionId, title: str) -> None:
        """Set the title; a search finds it at once, a vector is made later."""
        self._update(session_id, title=fix_surrogates(title), described_by="user", indexed_at=None)
        with self._database.writing() as db:
            index_description(db, session_id)

    def pin(self, session_id: SessionId, is_pinned: bool) -> None:  # noqa: FBT001 - the claim itself
        self._update(session_id, pinned_at=utc_text(self._now()) if is_pinned else None)

    def unarchive(self, session_id: SessionId) -> None:
        self._update(session_id, archived_at=None)

    def delete(self, session_id: SessionId) -> None:
        """Hide the session; `purge_deleted` makes it final, `undelete` brings it back."""
        at = utc_text(self._now())
        ended_at = func.coalesce(sessions.c.ended_at, at)
        self._update(session_id, deleted_at=at, status="complete", ended_at=ended_at)

    def undelete(self, session_id: SessionId) -> None:
        self._update(session_id, deleted_at=None)

    def _update(self, session_id: SessionId, **values: str | ColumnElement[str] | None) -> None:
        if self._change(update(sessions).where(sessions.c.id == session_id).values(**values)) == 0:
            raise SessionUnknownError(session=session_id)
        self.cached.drop(session_id)

    def _listed(self, query: Select[Any], values: Values | None = None) -> list[Session]:
        return [session_of(row) for row in self._rows(query, values)]


class DraftStore(Repository):
    """The unsent text by session, and when the user last used the session.

    Every method may raise StorageError.
    """

    def keep(self, session_id: SessionId, draft: Draft) -> None:
        self._set(
            session_id,
            text=draft.text,
            anchor_number=draft.anchor_number,
            anchor_offset=draft.anchor_offset,
            beside=json.dumps(draft.attachments),
            files=files_text(draft.files),
        )

    def draft(self, session_id: SessionId) -> Draft:
        """Return the draft; merged sessions beside it are replaced by their targets."""
        with self._database.reading() as db:
            row = db.execute(select(drafts).where(drafts.c.session_id == session_id)).one_or_none()
            if row is None:
                return Draft()
            attachments = tuple(now_in(db, map(SessionId, read_ids(row.beside))))
        return Draft(
            row.text, row.anchor_number, row.anchor_offset, attachments, read_files(row.files)
        )

    def attend(self, session_id: SessionId) -> None:
        """Record that the user came back to the session; its draft stays."""
        self._set(session_id)

    def _set(self, session_id: SessionId, **values: str | int | None) -> None:
        row = {**values, "updated_at": utc_text(self._now())}
        new = insert(drafts).values(
            session_id=session_id, **{"text": "", "anchor_offset": 0} | row
        )
        self._change(new.on_conflict_do_update(index_elements=["session_id"], set_=row))

    def attended_at(self, session_id: SessionId) -> datetime | None:
        at = self._value(select(drafts.c.updated_at).where(drafts.c.session_id == session_id))
        return read_time_or_none(at)


def _sidebar_order(table: FromClause) -> Sequence[ColumnElement[Any]]:
    return (
        (table.c.status == "active").desc(),
        table.c.pinned_at.is_not(None).desc(),
        table.c.updated_at.desc(),
        table.c.key.desc(),
    )


_ACTIVE = select(*SESSION).where(sessions.c.status == "active")
_IN_ORDER = select(*SESSION).order_by(*_sidebar_order(sessions))
_shown = sessions.alias("shown")
_SHOWN = (
    select(_shown.c.key).where(_shown.c.deleted_at.is_(None)).order_by(*_sidebar_order(_shown))
)


def _tagged(tag: str) -> CompoundSelect[Any]:
    folded = folded_key(fix_surrogates(tag))
    by_topic = select(session_topics.c.session_id).join(
        topics, topics.c.id == session_topics.c.topic_id
    )
    by_tag = select(session_tags.c.session_id).join(tags, tags.c.id == session_tags.c.tag_id)
    return union(by_topic.where(topics.c.folded == folded), by_tag.where(tags.c.folded == folded))


def _archived(table: FromClause) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = table.c.archived_at.is_not(None)
    return condition


def _clear_sent_draft(db: Connection, question: Message) -> None:
    """Delete the draft that is stored as a question, in the same transaction."""
    db.execute(
        _CLEAR_SENT,
        {
            "session": question.session_id,
            "at": utc_text(question.created_at),
            "sent": question.content,
            "with": files_text(question.files),
        },
    )


def keep_files(db: Connection, message: Message) -> None:
    if message.files:
        db.execute(insert(message_files).on_conflict_do_nothing(), file_rows(message))


@cache
def message_upsert() -> str:
    """Return the statement that stores a message, as text for the driver: imports need speed."""
    return str(_SAVE_MESSAGE.compile(dialect=dialect(paramstyle="named")))


_OF_SESSION = messages.c.session_id == bindparam("session")
_ALL_VERSIONS = (
    select(*MESSAGE)
    .where(_OF_SESSION, messages.c.is_current.in_((0, 1)))
    .order_by(messages.c.number, messages.c.id)
)
_CURRENT = select(*MESSAGE).where(_OF_SESSION, messages.c.is_current == 1)
_PATH = _CURRENT.order_by(messages.c.number, messages.c.id)
_LAST = _CURRENT.order_by(messages.c.number.desc()).limit(bindparam("count"))
_FILES = (
    select(message_files)
    .join(messages, messages.c.id == message_files.c.message_id)
    .where(_OF_SESSION)
    .order_by(message_files.c.message_id, message_files.c.place)
)
_LIVE = select(*SESSION).where(sessions.c.deleted_at.is_(None))
_of_listed = messages.c.session_id == sessions.c.id
_all_count = select(func.count()).where(_of_listed).correlate(sessions).scalar_subquery()
# Written out, because only then SQLite counts in the index and reads no message.
_path_count = (
    select(func.count())
    .where(_of_listed, messages.c.is_current == literal_column("1"))
    .correlate(sessions)
    .scalar_subquery()
)
_BRANCHED = select(sessions.c.id).where(
    sessions.c.deleted_at.is_(None), _path_count > 0, _all_count > _path_count
)
_IDS = func.json_each(bindparam("ids")).table_valued("value").c.value
_SOME = _LIVE.where(sessions.c.id.in_(select(_IDS)))
_STREAMING = select(messages.c.session_id).where(messages.c.state == "streaming")
_PAST = _LIVE.where(sessions.c.status == "complete").order_by(sessions.c.updated_at.desc())
_LEFT_STREAMING = _PAST.where(sessions.c.id.in_(_STREAMING.where(messages.c.content != "")))
_LEFT_UNANSWERED = _PAST.where(
    sessions.c.end_reason == "replaced",
    sessions.c.description_due == 1,  # A session that is answered is not described
    sessions.c.id.not_in(select(research_runs.c.session_id)),  # They are offered by themselves
    or_(
        sessions.c.id.in_(_STREAMING.where(messages.c.content == "")),
        exists().where(
            _of_listed,
            messages.c.is_current == 1,
            messages.c.number == sessions.c.message_count,
            messages.c.role == "user",
        ),
    ),
)
_INTERRUPT = update(messages).where(messages.c.state == "streaming").values(state="interrupted")
_COMPLETE_OTHERS = (
    update(sessions)
    .where(sessions.c.status == "active", sessions.c.id != bindparam("active"))
    .values(status="complete", ended_at=bindparam("now"), end_reason="closed", indexed_at=None)
    .returning(sessions.c.id)
)
_CLEAR_SENT = (
    update(drafts)
    .where(
        or_(drafts.c.session_id == NEW_SESSION, drafts.c.session_id == bindparam("session")),
        drafts.c.updated_at <= bindparam("at"),
        or_(
            func.trim(drafts.c.text, "\t\n\r ") == bindparam("sent"),
            (drafts.c.files != "[]") & (drafts.c.files == bindparam("with")),
        ),
    )
    .values(text="", files="[]")
)
_new = insert(sessions)
_ACTIVE_COLUMNS = (
    "status", "language", "updated_at", "ended_at", "end_reason", "message_count", "opening",
)  # fmt: skip
_SAVE_SESSION = _new.on_conflict_do_update(
    index_elements=["id"],
    set_={
        **{name: _new.excluded[name] for name in _ACTIVE_COLUMNS},
        "indexed_at": None,
        # A continued session returns to the daily list.
        "archived_at": case((_new.excluded.status != "active", sessions.c.archived_at)),
        # A session that was only continued and ended again keeps its description.
        "description_due": case(
            (
                or_(
                    _new.excluded.updated_at != sessions.c.updated_at,
                    _new.excluded.message_count != sessions.c.message_count,
                    sessions.c.described_by.is_(None),
                ),
                1,
            ),
            else_=sessions.c.description_due,
        ),
    },
)
_version = insert(messages)
_SAVE_MESSAGE = _version.on_conflict_do_update(
    index_elements=["id"],
    set_={
        name: _version.excluded[name]
        for name in ("is_current", "content", "state", "model", "error", "duration_ms")
    },
    where=messages.c.session_id == _version.excluded.session_id,
).execution_options(preserve_rowcount=True)
