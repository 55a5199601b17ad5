"""Stores patterns with their evidence."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from secrets import token_hex
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
)

from desktop.domain.ids import SessionId
from desktop.domain.learned_preferences import AskedQuestion, Pattern, PatternKind
from desktop.domain.messages import NO_MODEL, MessageState, Role
from desktop.domain.projects import ProjectId, Wall
from desktop.domain.routing import Intent
from desktop.domain.sessions import DescribedBy
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates
from desktop.storage.repositories.session_context import ANSWER, IS_ANSWER
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import (
    annotations,
    housekeeping,
    pattern_evidence,
    patterns,
)
from desktop.storage.schema.row_mapping import (
    IS_OWN,
    PAST,
    DatabaseRow,
    listed,
    read_choice,
    read_time,
    read_value,
    values_of,
    within,
)
from desktop.storage.schema.tables import (
    citations,
    forgotten_words,
    messages,
    ratings,
    session_topics,
    sessions,
    topics,
)

_EXAMPLES = "example-%"
_READ_AT_MOST = 300
_MOST_QUESTIONS = 3_000  # The newest: reading them takes a second
_MOST_EVIDENCE = 60
_ID_BYTES = 6
_FIELDS = ("kind", "count", "confidence", "first_at", "seen_at")
_found_nothing = and_(
    ANSWER.c.model == NO_MODEL, ~exists().where(citations.c.message_id == ANSWER.c.id)
)
_ASKED: tuple[ColumnElement[Any], ...] = (
    messages.c.id.label("message_id"),
    messages.c.session_id,
    func.substr(messages.c.content, 1, _READ_AT_MOST).label("text"),
    messages.c.created_at.label("asked_at"),
)
_OUTCOME: tuple[ColumnElement[Any], ...] = (
    or_(
        ANSWER.c.id.is_(None), ANSWER.c.state != MessageState.COMPLETE.value, _found_nothing
    ).label("is_unanswered"),
    ratings.c.thumb,
)


class PatternStore(Repository):
    """Every method may raise StorageError."""

    def questions(
        self, wall: Wall, *, since: datetime | None = None, about: Iterable[int] | None = None
    ) -> list[AskedQuestion]:
        """Return what the user asked in past sessions, in order: since a moment, or about topics.

        Archived sessions count; requests about the assistant itself do not.
        """
        ordinary = or_(
            annotations.c.intent.is_(None), annotations.c.intent == Intent.ORDINARY.value
        )
        query = (
            select(*_ASKED, *_OUTCOME)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .outerjoin(annotations, annotations.c.message_id == messages.c.id)
            .outerjoin(ANSWER, IS_ANSWER)
            .outerjoin(ratings, ratings.c.message_id == ANSWER.c.id)
            .where(PAST, IS_OWN, ordinary, messages.c.is_current == 1)
            .where(within(sessions.c.project, wall))
            .where(messages.c.role == Role.USER.value)
            .where(messages.c.id.not_in(select(forgotten_words.c.message_id)))
            .order_by(messages.c.created_at.desc(), messages.c.id.desc())
            .limit(_MOST_QUESTIONS)
        )
        if since is not None:
            query = query.where(messages.c.created_at >= utc_text(since))
        if about is not None:
            of_topics = select(session_topics.c.session_id).where(
                session_topics.c.topic_id.in_(listed(about))
            )
            query = query.where(messages.c.session_id.in_(of_topics))
        return [_question_of(row) for row in reversed(self._rows(query))]

    def session_questions(self, session_id: SessionId) -> list[str]:
        """Return what the user has asked in a session, in order."""
        query = (
            select(func.substr(messages.c.content, 1, _READ_AT_MOST))
            .where(messages.c.session_id == session_id, messages.c.is_current == 1)
            .where(messages.c.role == Role.USER.value)
            .order_by(messages.c.number)
        )
        return list(self._values(query))

    def topics(
        self, wall: Wall, *, since: datetime, are_extracted: bool
    ) -> Mapping[SessionId, Sequence[str]]:
        """Return the topics of past sessions, the first of each session first.

        `are_extracted`: the extracted ones, or all that a person or a model chose.
        """
        by = func.coalesce(sessions.c.described_by, "") == DescribedBy.EXTRACTION.value
        query = (
            select(session_topics.c.session_id, topics.c.name)
            .join(topics, topics.c.id == session_topics.c.topic_id)
            .join(sessions, sessions.c.id == session_topics.c.session_id)
            .where(PAST, IS_OWN, sessions.c.updated_at >= utc_text(since))
            .where(within(sessions.c.project, wall))
            .where(by if are_extracted else ~by)
            .order_by(session_topics.c.session_id, session_topics.c.place)
        )
        by_session: dict[SessionId, list[str]] = {}
        for row in self._rows(query):
            by_session.setdefault(SessionId(row.session_id), []).append(row.name)
        return by_session

    def topics_like(self, beginnings: Iterable[str], wall: Wall) -> Mapping[int, str]:
        folded = " " + topics.c.folded
        begins = [folded.contains(f" {beginning}", autoescape=True) for beginning in beginnings]
        used = select(session_topics.c.topic_id).join(
            sessions, sessions.c.id == session_topics.c.session_id
        )
        query = select(topics.c.id, topics.c.name).where(
            or_(False, *begins),
            topics.c.id.in_(used.where(PAST, within(sessions.c.project, wall))),
        )
        return {row.id: row.name for row in self._rows(query)}

    def holds_only_examples(self) -> bool:
        others = sessions.c.id.not_like(_EXAMPLES) & (sessions.c.message_count > 0)
        there = select(func.count(), func.sum(others)).where(sessions.c.deleted_at.is_(None))
        row = self._row(there)
        return row is not None and row[0] > 0 and not row[1]

    def patterns(self, wall: Wall) -> list[Pattern]:
        """Return the patterns that past sessions still support, the most certain first."""
        query = (
            select(patterns, patterns.c.count.label("times"), *_ASKED)
            .join(pattern_evidence, pattern_evidence.c.pattern_id == patterns.c.id)
            .join(messages, messages.c.id == pattern_evidence.c.message_id)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .where(PAST, within(patterns.c.project, wall))
            .where(patterns.c.project == sessions.c.project)
            .order_by(patterns.c.confidence.desc(), patterns.c.seen_at.desc(), patterns.c.key)
            .order_by(messages.c.created_at, messages.c.id)
        )
        results: list[Pattern] = []
        for _, rows in groupby(self._rows(query), key=lambda row: row.key):
            several = [*rows]
            row, evidence = several[0], [_question_of(row) for row in several]
            kind = read_choice(row.kind, PatternKind.SUBJECT)
            # A session may be deleted meanwhile, and its words are stored in the rows.
            value = evidence[-1].text.strip() if kind is PatternKind.OPEN_QUESTION else row.value
            numbers = row.times, row.confidence
            results.append(Pattern(kind, value, *numbers, evidence, row.next_value))
        return results

    def keep(self, new_patterns: Iterable[Pattern], project: ProjectId) -> None:
        with self._database.writing() as db:
            db.execute(delete(patterns).where(patterns.c.project == project))
            for pattern in new_patterns:
                _write(db, pattern, project)

    def forget(self) -> None:
        self._change(delete(patterns))


def purge_patterns(db: Connection) -> None:
    """Remove all patterns, as some may contain words of purged sessions; they are due again."""
    db.execute(delete(patterns))
    db.execute(delete(housekeeping).where(housekeeping.c.task == "patterns"))


def _write(db: Connection, pattern: Pattern, project: ProjectId) -> None:
    row = {"id": token_hex(_ID_BYTES), "project": project, **values_of(pattern, _FIELDS)}
    row |= {name: fix_surrogates(getattr(pattern, name)) for name in ("value", "next_value")}
    db.execute(insert(patterns).values(row))
    ids = [question.message_id for question in pattern.evidence[-_MOST_EVIDENCE:]]
    # A session may have been purged meanwhile.
    there = select(literal(row["id"]), messages.c.id).where(messages.c.id.in_(listed(ids)))
    db.execute(insert(pattern_evidence).from_select(["pattern_id", "message_id"], there))


def _question_of(row: DatabaseRow) -> AskedQuestion:
    is_unanswered = bool(getattr(row, "is_unanswered", False))
    return read_value(
        AskedQuestion, row, asked_at=read_time(row.asked_at), is_unanswered=is_unanswered
    )
