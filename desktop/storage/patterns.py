"""Stores patterns with the messages that support them, and reads what they are found in."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
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
    update,
)
from sqlalchemy.dialects.sqlite import insert as upsert

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import NO_MODEL, MessageState, Role, Thumb
from desktop.domain.patterns import AskedQuestion, Pattern, PatternKind
from desktop.domain.routing import Intent
from desktop.domain.sessions import DescribedBy, SessionStatus
from desktop.domain.times import utc_text
from desktop.language.surrogates import whole_letters
from desktop.storage.database import Repository
from desktop.storage.learned_tables import annotations, pattern_evidence, patterns
from desktop.storage.row_mapping import (
    DatabaseRow,
    listed,
    read_choice,
    read_choice_or_none,
    read_time,
    read_time_or_none,
)
from desktop.storage.tables import (
    citations,
    forgotten_words,
    messages,
    ratings,
    session_topics,
    sessions,
    topics,
)

_EXAMPLES = "example-%"
"""The ids of the sessions of the example library."""
_READ_AT_MOST = 300
_MOST_QUESTIONS = 3_000
"""The newest: looking at them takes a second."""
_MOST_EVIDENCE = 60
_ID_BYTES = 6
_KEPT = timedelta(days=365)
"""Patterns not seen for so long are removed."""
_PAST = and_(sessions.c.status == SessionStatus.COMPLETE.value, sessions.c.deleted_at.is_(None))
_answer = messages.alias("answer")
_found_nothing = and_(
    _answer.c.model == NO_MODEL, ~exists().where(citations.c.message_id == _answer.c.id)
)
_ASKED: tuple[ColumnElement[Any], ...] = (
    messages.c.id.label("message_id"),
    messages.c.session_id,
    func.substr(messages.c.content, 1, _READ_AT_MOST).label("text"),
    messages.c.created_at,
)
_OUTCOME: tuple[ColumnElement[Any], ...] = (
    or_(
        _answer.c.id.is_(None), _answer.c.state != MessageState.COMPLETE.value, _found_nothing
    ).label("is_unanswered"),
    ratings.c.thumb,
)


class PatternStore(Repository):
    """Every method may raise StorageError."""

    def questions(
        self, *, since: datetime | None = None, about: Iterable[int] | None = None
    ) -> list[AskedQuestion]:
        """Return what the user asked in past sessions, in order: since then, or about topics.

        Archived sessions count; wishes to the assistant itself do not.
        """
        ordinary = or_(
            annotations.c.intent.is_(None), annotations.c.intent == Intent.ORDINARY.value
        )
        wanted = (
            select(*_ASKED, *_OUTCOME)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .outerjoin(annotations, annotations.c.message_id == messages.c.id)
            .outerjoin(
                _answer,
                and_(
                    _answer.c.session_id == messages.c.session_id,
                    _answer.c.number == messages.c.number + 1,
                    _answer.c.is_current == 1,
                ),
            )
            .outerjoin(ratings, ratings.c.message_id == _answer.c.id)
            .where(_PAST, ordinary, messages.c.is_current == 1)
            .where(messages.c.role == Role.USER.value)
            .where(messages.c.id.not_in(select(forgotten_words.c.message_id)))
            .order_by(messages.c.created_at.desc(), messages.c.id.desc())
            .limit(_MOST_QUESTIONS)
        )
        if since is not None:
            wanted = wanted.where(messages.c.created_at >= utc_text(since))
        if about is not None:
            of_topics = select(session_topics.c.session_id).where(
                session_topics.c.topic_id.in_(listed(about))
            )
            wanted = wanted.where(messages.c.session_id.in_(of_topics))
        return [_question_of(row) for row in reversed(self._rows(wanted))]

    def session_questions(self, session_id: SessionId) -> list[str]:
        """Return what the user has asked in a session, in order."""
        wanted = (
            select(func.substr(messages.c.content, 1, _READ_AT_MOST))
            .where(messages.c.session_id == session_id, messages.c.is_current == 1)
            .where(messages.c.role == Role.USER.value)
            .order_by(messages.c.number)
        )
        return list(self._values(wanted))

    def topics(self, *, since: datetime, are_extracted: bool) -> Mapping[SessionId, Sequence[str]]:
        """Return the topics of past sessions, the first of each session first.

        `are_extracted`: those that are words of the messages, or all that somebody has chosen.
        """
        by = func.coalesce(sessions.c.described_by, "") == DescribedBy.EXTRACTION.value
        wanted = (
            select(session_topics.c.session_id, topics.c.name)
            .join(topics, topics.c.id == session_topics.c.topic_id)
            .join(sessions, sessions.c.id == session_topics.c.session_id)
            .where(_PAST, sessions.c.updated_at >= utc_text(since))
            .where(by if are_extracted else ~by)
            .order_by(session_topics.c.session_id, session_topics.c.place)
        )
        found: dict[SessionId, list[str]] = {}
        for row in self._rows(wanted):
            found.setdefault(SessionId(row.session_id), []).append(row.name)
        return found

    def topics_like(self, beginnings: Iterable[str]) -> Mapping[int, str]:
        """Return the topics of past sessions in which a word begins so, by their ids."""
        folded = " " + topics.c.folded
        begins = [folded.contains(f" {one}", autoescape=True) for one in beginnings]
        used = select(session_topics.c.topic_id).join(
            sessions, sessions.c.id == session_topics.c.session_id
        )
        wanted = select(topics.c.id, topics.c.name).where(
            or_(False, *begins), topics.c.id.in_(used.where(_PAST))
        )
        return {row.id: row.name for row in self._rows(wanted)}

    def holds_only_examples(self) -> bool:
        """Whether there are sessions, all of the example library."""
        others = sessions.c.id.not_like(_EXAMPLES) & (sessions.c.message_count > 0)
        there = select(func.count(), func.sum(others)).where(sessions.c.deleted_at.is_(None))
        row = self._row(there)
        return row is not None and row[0] > 0 and not row[1]

    def patterns(self, *, with_ended: bool = False) -> list[Pattern]:
        """Return the patterns that past sessions still support, the most certain first."""
        with self._database.reading() as db:
            return list(_stored(db, with_ended=with_ended).values())

    def keep(self, found: Sequence[Pattern]) -> None:
        """Make these the patterns that are in force; the others end now."""
        now = utc_text(self._now())
        with self._database.writing() as db:
            known = _stored(db, with_ended=True)
            for pattern in found:
                same = next((key for key, one in known.items() if _is_same(one, pattern)), None)
                if same is not None:
                    del known[same]
                _write(db, pattern, same or token_hex(_ID_BYTES))
            old = select(patterns.c.id).where(patterns.c.seen_at < utc_text(self._now() - _KEPT))
            db.execute(
                update(patterns)
                .where(patterns.c.id.in_(listed(known)), patterns.c.ended_at.is_(None))
                .values(ended_at=now)
            )
            db.execute(delete(patterns).where(patterns.c.id.in_(old)))

    def forget(self) -> None:
        """Remove all patterns."""
        self._change(delete(patterns))


def purge_patterns(db: Connection) -> None:
    """Remove patterns whose words, or whose whole evidence, went with purged sessions."""
    supports = exists().where(pattern_evidence.c.pattern_id == patterns.c.id)

    def is_lost(words: ColumnElement[str]) -> ColumnElement[bool]:
        said = supports.where(
            messages.c.id == pattern_evidence.c.message_id,
            func.instr(messages.c.content, words) > 0,
        )
        return and_(words.not_in(select(topics.c.name)), ~said)

    has_words = patterns.c.kind.not_in((PatternKind.DAYS, PatternKind.HOURS))
    lost_words = or_(is_lost(patterns.c.value), is_lost(patterns.c.next_value))
    db.execute(delete(patterns).where(or_(~supports, and_(has_words, lost_words))))


def _stored(db: Connection, *, with_ended: bool) -> dict[str, Pattern]:
    """Return the patterns by id, each with its evidence from sessions that are not deleted."""
    wanted = (
        select(patterns, patterns.c.count.label("times"), *_ASKED)
        .join(pattern_evidence, pattern_evidence.c.pattern_id == patterns.c.id)
        .join(messages, messages.c.id == pattern_evidence.c.message_id)
        .join(sessions, sessions.c.id == messages.c.session_id)
        .where(_PAST)
        .order_by(patterns.c.confidence.desc(), patterns.c.seen_at.desc(), patterns.c.key)
        .order_by(messages.c.created_at, messages.c.id)
    )
    if not with_ended:
        wanted = wanted.where(patterns.c.ended_at.is_(None))
    found: dict[str, Pattern] = {}
    for row in db.execute(wanted):
        before = found.get(row.id)
        evidence = (*(before.evidence if before else ()), _question_of(row))
        kind = read_choice(row.kind, PatternKind.SUBJECT)
        found[row.id] = Pattern(
            kind,
            # Its stored words may be those of a session that is deleted meanwhile.
            evidence[-1].text.strip() if kind is PatternKind.OPEN_QUESTION else row.value,
            row.times,
            row.confidence,
            evidence,
            row.next_value,
            read_time_or_none(row.ended_at),
        )
    return found


def _is_same(known: Pattern, found: Pattern) -> bool:
    """Whether two are the same pattern, now and at an earlier look."""
    if known.kind is not found.kind:
        return False
    match known.kind:
        case PatternKind.DAYS | PatternKind.HOURS:
            return True
        case PatternKind.OPEN_QUESTION:  # its newest words may be others
            ids = {one.message_id for one in known.evidence}
            return any(one.message_id in ids for one in found.evidence)
        case _:
            return (known.value, known.next_value) == (found.value, found.next_value)


def _write(db: Connection, pattern: Pattern, pattern_id: str) -> None:
    values = {
        "kind": pattern.kind.value,
        "value": whole_letters(pattern.value),
        "next_value": whole_letters(pattern.next_value),
        "count": pattern.count,
        "confidence": pattern.confidence,
        "first_at": utc_text(pattern.first_at),
        "seen_at": utc_text(pattern.seen_at),
        "ended_at": None,
    }
    new = upsert(patterns).values(id=pattern_id, **values)
    db.execute(new.on_conflict_do_update(index_elements=["id"], set_=values))
    db.execute(delete(pattern_evidence).where(pattern_evidence.c.pattern_id == pattern_id))
    ids = [one.message_id for one in pattern.evidence[-_MOST_EVIDENCE:]]
    # A session may have been purged meanwhile.
    there = select(literal(pattern_id), messages.c.id).where(messages.c.id.in_(listed(ids)))
    db.execute(insert(pattern_evidence).from_select(["pattern_id", "message_id"], there))


def _question_of(row: DatabaseRow) -> AskedQuestion:
    return AskedQuestion(
        MessageId(row.message_id),
        SessionId(row.session_id),
        row.text,
        read_time(row.created_at),
        is_unanswered=bool(getattr(row, "is_unanswered", False)),
        thumb=read_choice_or_none(getattr(row, "thumb", None), Thumb),
    )
