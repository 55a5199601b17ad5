"""Facts as rows: which columns, which of them are wanted, and what becomes of them.

A fact is seen while somebody's words support it: where it was said stands in `fact_sources`, and
one whose every source lies in a deleted session is out of sight with it. One that was written by
hand has no source and needs none.
"""

from collections.abc import Mapping

from sqlalchemy import Connection, text

from desktop.domain.errors import FactUnknownError
from desktop.domain.facts import Fact, FactFilter, Origin, Term
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters
from desktop.storage.row_mapping import DatabaseRow, read_choice, read_time, read_time_or_none

COLUMNS = """
    f.id, f.topic, f.content, f.importance, f.origin, f.term, f.valid_from, f.valid_to, f.about,
    f.message_id, m.session_id, m.number AS message_number, f.weight, f.used_at, f.pinned_at,
    f.replaced_by
"""
FROM_FACTS = "FROM facts f LEFT JOIN messages m ON m.id = f.message_id"
SEEN = """
    f.deleted_at IS NULL AND (
        NOT EXISTS (SELECT 1 FROM fact_sources fs WHERE fs.fact_id = f.id)
        OR EXISTS (SELECT 1 FROM fact_sources fs JOIN messages sm ON sm.id = fs.message_id
                   JOIN sessions ss ON ss.id = sm.session_id
                   WHERE fs.fact_id = f.id AND ss.deleted_at IS NULL))
"""
ORDER = "f.pinned_at IS NULL, f.importance DESC, f.valid_from DESC, f.key DESC"


def fact_in(db: Connection, fact_id: FactId) -> Fact:
    row = db.execute(
        text(f"SELECT {COLUMNS} {FROM_FACTS} WHERE f.id = :id AND {SEEN}"), {"id": fact_id}
    ).one_or_none()
    if row is None:
        raise FactUnknownError(fact=fact_id)
    return fact_of(row)


def same_fact(db: Connection, content: str) -> Fact | None:
    row = db.execute(
        text(
            f"SELECT {COLUMNS} {FROM_FACTS} WHERE {SEEN} AND f.valid_to IS NULL "
            "AND f.folded = :folded LIMIT 1"
        ),
        {"folded": fact_key(content)},
    ).one_or_none()
    return fact_of(row) if row else None


def fact_key(content: str) -> str:
    """What two ways of writing the same words have in common."""
    return " ".join(folded_key(whole_letters(content)).split()).strip(" .!")


def fact_conditions(wanted: FactFilter) -> tuple[str, Mapping[str, str | int | None]]:
    conditions = [SEEN, "f.importance >= :least"]
    if wanted.is_valid is not None:
        conditions.append(f"f.valid_to IS {'' if wanted.is_valid else 'NOT '}NULL")
    if wanted.term is not None:
        conditions.append("f.term = :term")
    if wanted.topic is not None:
        conditions.append("f.topic_folded = :topic")
    if wanted.session_id is not None:
        conditions.append(
            "EXISTS (SELECT 1 FROM fact_sources os JOIN messages om ON om.id = os.message_id "
            "WHERE os.fact_id = f.id AND om.session_id = :session_id)"
        )
    conditions.append("f.valid_from >= :since AND f.valid_from < :until")
    return " AND ".join(conditions), {
        "least": wanted.least_importance,
        "term": wanted.term.value if wanted.term else None,
        "topic": fact_key(wanted.topic) if wanted.topic else None,
        "session_id": wanted.session_id,
        "since": utc_text(wanted.since) if wanted.since else "",
        "until": utc_text(wanted.until) if wanted.until else "9999",
    }


def fact_of(row: DatabaseRow) -> Fact:
    return Fact(
        id=FactId(row.id),
        topic=row.topic,
        content=row.content,
        importance=row.importance,
        origin=read_choice(row.origin, Origin.SESSION),
        term=read_choice(row.term, Term.LONG),
        valid_from=read_time(row.valid_from),
        valid_to=read_time_or_none(row.valid_to),
        about=row.about,
        message_id=MessageId(row.message_id) if row.message_id else None,
        session_id=SessionId(row.session_id) if row.session_id else None,
        message_number=row.message_number,
        weight=row.weight,
        used_at=read_time_or_none(row.used_at),
        is_pinned=row.pinned_at is not None,
        replaced_by=FactId(row.replaced_by) if row.replaced_by else None,
    )
