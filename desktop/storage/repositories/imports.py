"""Stores imported sessions, many at a time, and what other assistants remember.

These sentences are no facts until the user confirms them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from sqlalchemy import ColumnElement, Connection, bindparam, func, select, union_all, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.facts import MemoryProposal
from desktop.domain.ids import MessageId, ProposalId, SessionId, message_id_at
from desktop.domain.messages import Message
from desktop.domain.projects import NO_PROJECT, ProjectId, Wall
from desktop.domain.sessions import Session, SessionStatus
from desktop.domain.times import utc_text
from desktop.storage.repositories.descriptions import WITHIN_BUDGET, add_topics
from desktop.storage.repositories.projects import assign_imported
from desktop.storage.repositories.removed_originals import final_bytes, put_back_from, set_aside
from desktop.storage.repositories.sessions import message_upsert
from desktop.storage.repositories.split_merge import places_of
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import memory_proposals
from desktop.storage.schema.row_mapping import (
    StoredValue,
    file_rows,
    listed,
    message_values,
    session_values,
    time_or_none,
    within_or_common,
)
from desktop.storage.schema.tables import (
    message_files,
    messages,
    moved_sessions,
    projects,
    sessions,
)
from desktop.storage.search.message_index import add_descriptions, add_words

_MOST_ATTEMPTS = 24
# If many messages have one time, widening step by step takes longer than a query.
_WIDER = 3


@dataclass(frozen=True, slots=True)
class FinishedSession:
    """A complete session; its messages get their ids when it is stored."""

    session: Session
    messages: Sequence[Message]
    is_extracted: bool = False
    """Whether the summary or topics were extracted, so that a model could improve them."""
    project: str = ""  # The name of its project, which is made if there is none
    tags: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class KnownSession:
    """The stored parts of an imported session."""

    contents: Sequence[tuple[str, str]]
    """Role and text of every message, even if the session was split or merged."""
    grows: SessionId | None  # The complete, undeleted session to which messages may be added
    before: int = 0  # The number of messages in the parts before that session
    is_parted: bool = False  # Whether the session may contain messages of other sessions
    removed: Sequence[tuple[str, str]] = ()
    """Its messages, if the originals were removed: a file brings them back."""
    removed_bytes: int | None = None  # The size of their text, once it is no longer stored

    def has(self, contents: Sequence[tuple[str, str]]) -> bool:
        """Whether all these messages are stored, in any order."""
        if list(self.contents[: len(contents)]) == list(contents):
            return True
        return self.is_parted and Counter(contents) <= Counter(self.contents)

    def is_begun_by(self, contents: Sequence[tuple[str, str]]) -> bool:
        if self.removed:
            return self._is_removed(contents)
        return list(contents[: len(self.contents)]) == list(self.contents)

    def _is_removed(self, contents: Sequence[tuple[str, str]]) -> bool:
        if self.removed_bytes is None:
            # What follows them may be in a part that was split off.
            begun = contents if self.is_parted else contents[: len(self.removed)]
            return list(begun) == list(self.removed)
        size = sum(len(content.encode(errors="replace")) for _, content in contents)
        roles = [role for role, _ in self.removed]
        return [role for role, _ in contents] == roles and size == self.removed_bytes


_OWN = (
    select(messages.c.role, messages.c.content)
    .where(messages.c.session_id == bindparam("session"), messages.c.is_current == 1)
    .order_by(messages.c.number)
)
"""Made once, as making a statement takes longer than reading a session."""


class ImportStore(Repository):
    def ids(self) -> set[SessionId]:
        """Return the ids of all sessions, including deleted and merged ones."""
        ids = union_all(select(sessions.c.id), select(moved_sessions.c.session_id))
        return set(self._values(ids))

    def holds(self, session_id: SessionId, contents: Sequence[tuple[str, str]]) -> bool:
        """Whether a session of this id begins with these messages: far cheaper than `known`."""
        rows = self._rows(_OWN, {"session": session_id})[: len(contents)]
        return [(row.role, row.content) for row in rows] == list(contents)

    def find_session(self, session_id: SessionId) -> KnownSession | None:
        """Return what is stored of the session; None if there is no such session."""
        places = places_of(session_id)
        began = func.min(messages.c.id).over(partition_by=messages.c.session_id)
        path = (
            select(messages.c.session_id, messages.c.role, messages.c.content)
            .where(messages.c.session_id.in_(select(places.c.id)), messages.c.is_current == 1)
            .order_by(messages.c.session_id != session_id, began, messages.c.number)
        )
        with self._database.reading() as db:
            aside = set_aside(session_id, messages.c.role, messages.c.content)
            removed = [(row.role, row.content) for row in db.execute(aside)]
            size = db.execute(final_bytes(session_id)).scalar_one_or_none()
            # A session whose own messages were removed grows from nothing.
            rows = [] if removed else db.execute(path).all()
            last = SessionId(rows[-1].session_id) if rows else session_id
            status = select(sessions.c.status, sessions.c.deleted_at)
            session = db.execute(status.where(sessions.c.id == last)).one_or_none()
            count = db.execute(select(func.count()).select_from(places)).scalar_one()
        if session is None:
            return None
        can_grow = session.status == SessionStatus.COMPLETE and session.deleted_at is None
        return KnownSession(
            [(row.role, row.content) for row in rows],
            last if can_grow else None,
            sum(row.session_id != last for row in rows),
            is_parted=count > 1,
            removed=removed,
            removed_bytes=size,
        )

    def add(self, batch: Sequence[FinishedSession]) -> None:
        with self._database.writing() as db:
            db.execute(insert(sessions), list(map(_session_values, batch)))
            _add_messages(db, [finished.messages for finished in batch])
            add_topics(db, [(finished.session.id, finished.session.topics) for finished in batch])
            add_descriptions(db, [finished.session for finished in batch])
            for finished in batch:
                assign_imported(db, finished.session.id, finished.project, finished.tags)

    def extend(self, session: Session, added: Sequence[Message]) -> None:
        with self._database.writing() as db:
            added = added[put_back_from(db, session.id, added) :]
            path = messages.c.session_id == session.id, messages.c.is_current == 1
            newest = select(messages.c.id).where(*path).order_by(messages.c.number.desc())
            last = db.execute(newest.limit(1)).scalar_one_or_none()
            _add_messages(db, [added], after=last)
            ended_at = utc_text(session.ended_at or session.updated_at)
            db.execute(
                update(sessions)
                .where(sessions.c.id == session.id)
                .values(
                    message_count=session.messages,
                    ended_at=ended_at,
                    updated_at=func.max(sessions.c.updated_at, ended_at),
                    embedded_at=None,
                )
            )
        self.cached.drop(session.id)


def _session_values(finished_session: FinishedSession) -> Mapping[str, StoredValue]:
    session = finished_session.session
    updated_at = utc_text(session.updated_at)
    return {
        **session_values(session),
        "status": SessionStatus.COMPLETE.value,
        "title": session.title,
        "summary": session.summary,
        "described_by": session.described_by,
        "ended_at": utc_text(session.ended_at or session.updated_at),
        "archived_at": time_or_none(session.archived_at),
        "indexed_at": updated_at,
        "learned_at": updated_at,
        "description_due": WITHIN_BUDGET if finished_session.is_extracted else 0,
    }


def _add_messages(
    db: Connection, several: Sequence[Sequence[Message]], *, after: MessageId | None = None
) -> None:
    """Add the messages of several sessions; each follows the one before, the first `after`."""
    rows: list[Mapping[str, StoredValue]] = []
    words: list[tuple[MessageId, str]] = []
    files: list[Mapping[str, StoredValue]] = []
    for one_session, ids in zip(several, _free_ids(db, several), strict=True):
        parent = after
        for message, own in zip(one_session, ids, strict=True):
            values = message_values(message, is_current=True)
            rows.append({**values, "id": own, "parent_id": parent})
            files += file_rows(replace(message, id=own))
            if message.content:
                words.append((own, message.content))
            parent = own
    if rows:
        # Uses the driver directly, because this runs for every message.
        db.exec_driver_sql(message_upsert(), rows)
    if files:
        db.execute(insert(message_files), files)
    add_words(db, words)


def _free_ids(db: Connection, several: Sequence[Sequence[Message]]) -> list[list[MessageId]]:
    ids_by_place: dict[int, list[MessageId]] = {}
    message_ids: set[MessageId] = set()
    for attempt in range(0, _MOST_ATTEMPTS, _WIDER):
        waiting = [at for at in range(len(several)) if at not in ids_by_place]
        proposals = {at: _wanted_ids(several[at], attempt) for at in waiting}
        taken = message_ids | _taken(db, proposals.values())
        for at, ids in proposals.items():
            if taken.isdisjoint(ids):
                ids_by_place[at] = ids
                taken.update(ids)
                message_ids.update(ids)
        if len(ids_by_place) == len(several):
            return [ids_by_place[at] for at in range(len(several))]
    raise AssertionError("no free ids near the messages' times")


def _wanted_ids(several: Sequence[Message], attempt: int) -> list[MessageId]:
    ids: list[MessageId] = []
    for message in several:
        message_id = message_id_at(message.created_at, attempt=attempt)
        ids.append(max(message_id, MessageId(ids[-1] + 1)) if ids else message_id)
    return ids


def _taken(db: Connection, ids: Iterable[Sequence[MessageId]]) -> set[MessageId]:
    every = listed(message_id for some in ids for message_id in some)
    return set(db.execute(select(messages.c.id).where(messages.c.id.in_(every))).scalars())


_DIGEST_LETTERS = 20
_WAITING = memory_proposals.c.decided_at.is_(None)
_LIVE = (memory_proposals.c.project == NO_PROJECT) | memory_proposals.c.project.in_(
    select(projects.c.id).where(projects.c.deleted_at.is_(None))
)
"""A project's sentences wait until the project itself has been imported, and go with it."""


def proposal_id(text: str, project: ProjectId) -> ProposalId:
    """Return the id of a sentence, by which it is recognised after its words are gone."""
    return ProposalId(sha256(f"{project}\n{text}".encode()).hexdigest()[:_DIGEST_LETTERS])


class MemoryProposalStore(Repository):
    """Every method may raise StorageError."""

    def add(self, proposals: Iterable[MemoryProposal]) -> int:
        """Add those that never came before, also if they were decided; return how many."""
        at, added = utc_text(self._now()), 0
        with self._database.writing() as db:
            for proposal in proposals:
                row = {
                    "id": proposal.id,
                    "program": proposal.program,
                    "content": proposal.text,
                    "project": proposal.project,
                    "added_at": at,
                }
                new = insert(memory_proposals).values(row).on_conflict_do_nothing()
                added += db.execute(new).rowcount
        return added

    def waiting(self, wall: Wall) -> list[MemoryProposal]:
        """Return the sentences that wait for the user, in the order in which they came."""
        return self._read(_WAITING, _LIVE, within_or_common(memory_proposals.c.project, wall))

    def some(self, ids: Iterable[ProposalId]) -> list[MemoryProposal]:
        """Return those of these that still wait."""
        return self._read(_WAITING, _LIVE, memory_proposals.c.id.in_(listed(ids)))

    def decide(self, ids: Iterable[ProposalId]) -> int:
        """Keep no word of these sentences, only that they were decided."""
        gone = {"content": "", "decided_at": utc_text(self._now())}
        here = memory_proposals.c.id.in_(listed(ids))
        return self._change(update(memory_proposals).where(here, _WAITING).values(gone))

    def _read(self, *conditions: ColumnElement[bool]) -> list[MemoryProposal]:
        query = select(memory_proposals).where(*conditions)
        return [
            MemoryProposal(ProposalId(row.id), row.content, row.program, ProjectId(row.project))
            for row in self._rows(query.order_by(memory_proposals.c.added_at))
        ]
