"""What is derived from a session as a whole: title, summary, topics, and what was learned from it.

What is still due can be read off the rows, so that a crash only postpones it.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import dialect, insert

from desktop.domain.errors import SessionUnknownError
from desktop.domain.facts import Refusal
from desktop.domain.ids import SessionId
from desktop.domain.projects import Wall
from desktop.domain.sessions import DescribedBy, Description, Session
from desktop.language.normalization import fix_surrogates, folded_key
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import removed_originals
from desktop.storage.schema.row_mapping import (
    IS_OWN,
    PAST,
    SESSION,
    read_choice_or_none,
    session_of,
    within,
)
from desktop.storage.schema.tables import refused_facts, session_topics, sessions, topics
from desktop.storage.search.message_index import index_description

WITHIN_BUDGET = 2
"""A description that is due only within a budget, beside 1: due as soon as possible."""
_CORRECTED = select(sessions.c.corrected)
_SUMMARY, _TOPICS = "summary", "topics"
_FEWEST_MESSAGES = 2
_MOST_FAILURES = 3
_UNREAD = (
    PAST
    & IS_OWN
    & (sessions.c.message_count >= _FEWEST_MESSAGES)
    & (sessions.c.learning_failures < _MOST_FAILURES)
    & or_(sessions.c.learned_at.is_(None), sessions.c.learned_at < sessions.c.updated_at)
)
_IS_REMOVED = exists().where(removed_originals.c.session_id == sessions.c.id)
"""Its messages were exported and removed: nothing is left to read."""
_EXTRACTED = PAST & (sessions.c.described_by == "extraction")


class DescriptionStore(Repository):
    def keep(
        self, session_id: SessionId, description: Description, *, is_due_again: bool = False
    ) -> None:
        """Write title, summary and topics; what the user wrote of them stays.

        `is_due_again`: a model should write a better one once it can be reached.
        """
        is_named = sessions.c.described_by == "user"
        with self._database.writing() as db:
            corrected = db.execute(_CORRECTED.where(sessions.c.id == session_id)).scalar() or ""
            db.execute(
                update(sessions)
                .where(sessions.c.id == session_id)
                .values(
                    summary=sessions.c.summary if _SUMMARY in corrected else description.summary,
                    title=case((is_named, sessions.c.title), else_=description.title),
                    described_by=case((is_named, "user"), else_=description.by.value),
                    indexed_at=None,
                    description_due=int(is_due_again),
                )
            )
            if _TOPICS not in corrected:
                set_topics(db, session_id, description.topics)

    def described(self, session_id: SessionId) -> Description:
        """Return the description, and what the user wrote of it. Raises SessionUnknownError."""
        query = select(*SESSION, sessions.c.corrected).where(sessions.c.id == session_id)
        row = self._row(query)
        if row is None:
            raise SessionUnknownError(session=session_id)
        session, by = session_of(row), DescribedBy.EXTRACTION
        return Description(
            session.title or "",
            session.summary or "",
            session.topics,
            session.described_by or by,
            (row.corrected or "").split(),
        )

    def write(self, session_id: SessionId, description: Description) -> None:
        """Write a description as it is, and the words by which it is found."""
        with self._database.writing() as db:
            db.execute(
                update(sessions)
                .where(sessions.c.id == session_id)
                .values(
                    title=fix_surrogates(description.title) or None,
                    summary=fix_surrogates(description.summary) or None,
                    described_by=description.by.value,
                    corrected=" ".join(description.corrected) or None,
                )
            )
            set_topics(db, session_id, map(fix_surrogates, description.topics))
            is_past = sessions.c.status == "complete"
            if db.execute(select(is_past).where(sessions.c.id == session_id)).scalar():
                index_description(db, session_id)

    def due(self) -> list[Session]:
        """Return complete sessions whose description is due, newest first."""
        return self._due(1)

    def imported_due(self, limit: int) -> list[Session]:
        """Return imported sessions that no model has described, newest first."""
        return self._due(WITHIN_BUDGET, limit)

    def _due(self, urgency: int, limit: int | None = None) -> list[Session]:
        query = (
            select(*SESSION)
            .where(PAST, sessions.c.description_due == urgency, ~_IS_REMOVED)
            .order_by(sessions.c.updated_at.desc())
            .limit(limit)
        )
        return [session_of(row) for row in self._rows(query)]

    def take_as_final(self, session_id: SessionId) -> None:
        due = update(sessions).where(sessions.c.id == session_id).values(description_due=0)
        if self._change(due) == 0:
            raise SessionUnknownError(session=session_id)

    def count_extracted(self) -> int:
        return int(self._value(select(func.count()).where(_EXTRACTED)))

    def make_extracted_due(self) -> None:
        """Make the descriptions of all of them due again."""
        self._change(update(sessions).where(_EXTRACTED).values(description_due=1))


class LearningStore(Repository):
    """Which sessions were read for facts, and what was refused. Methods may raise StorageError."""

    def is_due(self, session_id: SessionId) -> bool:
        """Whether an ended session, as it is now, should be searched for facts."""
        query = select(sessions.c.id).where(sessions.c.id == session_id, _UNREAD)
        return self._row(query) is not None

    def failed_before(self) -> list[SessionId]:
        """Return sessions whose reply had no valid facts, to be tried again, newest first.

        The others are read together with their description.
        """
        query = (
            select(sessions.c.id)
            .where(_UNREAD, sessions.c.learning_failures > 0, sessions.c.description_due == 0)
            .order_by(sessions.c.updated_at.desc())
        )
        return [SessionId(row[0]) for row in self._rows(query)]

    def finish(self, session_id: SessionId) -> None:
        """Record that the session was read; it is due again when it continues."""
        self._set(session_id, learned_at=sessions.c.updated_at, learning_failures=0)

    def count_failure(self, session_id: SessionId) -> None:
        self._set(session_id, learning_failures=sessions.c.learning_failures + 1)

    def make_due(self, session_id: SessionId) -> None:
        """Make a session due at the user's request, whatever its earlier result."""
        self._set(session_id, learned_at=None, learning_failures=0, description_due=1)

    def keep_refused(self, session_id: SessionId, refused: Iterable[tuple[Refusal, int]]) -> None:
        """Store how many proposals of a session were refused, and why, without their text."""
        with self._database.writing() as db:
            for reason, count in refused:
                row = select(sessions.c.id, literal(reason.value), literal(count))
                add_refused(db, row.where(sessions.c.id == session_id))

    def refused(self, session_id: SessionId | None = None) -> dict[Refusal, int]:
        """Return the counts of one session, or of all."""
        query = (
            select(refused_facts.c.reason, func.sum(refused_facts.c.count))
            .join(sessions, sessions.c.id == refused_facts.c.session_id)
            .where(sessions.c.deleted_at.is_(None))
            .group_by(refused_facts.c.reason)
        )
        if session_id is not None:
            query = query.where(refused_facts.c.session_id == session_id)
        return {
            reason: int(count)
            for stored, count in self._rows(query)
            if (reason := read_choice_or_none(stored, Refusal)) is not None
        }

    def _set(self, session_id: SessionId, **values: ColumnElement[Any] | int | None) -> None:
        self._change(update(sessions).where(sessions.c.id == session_id).values(**values))


def add_refused(db: Connection, rows: Select[Any]) -> None:
    """Add rows of session, reason and count to the stored counts."""
    added = insert(refused_facts).from_select(["session_id", "reason", "count"], rows)
    db.execute(
        added.on_conflict_do_update(
            index_elements=["session_id", "reason"],
            set_={"count": refused_facts.c.count + added.excluded.count},
        )
    )


class TopicStore(Repository):
    def most_used(self, wall: Wall, *, limit: int) -> list[str]:
        query = (
            select(topics.c.name)
            .join(session_topics, session_topics.c.topic_id == topics.c.id)
            .join(sessions, sessions.c.id == session_topics.c.session_id)
            .where(PAST, within(sessions.c.project, wall))
            .group_by(topics.c.id)
            .order_by(func.count().desc(), topics.c.name)
            .limit(limit)
        )
        return list(self._values(query))


def set_topics(db: Connection, session_id: SessionId, names: Iterable[str]) -> None:
    db.execute(delete(session_topics).where(session_topics.c.session_id == session_id))
    add_topics(db, [(session_id, names)])


def add_topics(db: Connection, several: Iterable[tuple[SessionId, Iterable[str]]]) -> None:
    """Store the topics of sessions that have none yet."""
    rows: list[dict[str, str | int]] = []
    for session_id, labels in several:
        names = {folded_key(name): name for name in labels if name.strip()}
        for place, (folded, name) in enumerate(names.items(), start=1):
            rows.append({"id": session_id, "place": place, "name": name, "folded": folded})
    if rows:
        for statement in _topic_inserts():
            db.exec_driver_sql(statement, rows)


@cache
def _topic_inserts() -> Sequence[str]:
    """As text for the driver: an import brings thousands of rows."""
    new_topic = insert(topics).values(name=bindparam("name"), folded=bindparam("folded"))
    link = insert(session_topics).from_select(
        ["session_id", "place", "topic_id"],
        select(bindparam("id"), bindparam("place"), topics.c.id).where(
            topics.c.folded == bindparam("folded")
        ),
    )
    named = dialect(paramstyle="named")
    return [
        str(statement.compile(dialect=named))
        for statement in (new_topic.on_conflict_do_nothing(), link)
    ]
