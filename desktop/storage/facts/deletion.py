"""Facts that go: out of sight first, then for good, with a mark that keeps them unlearned.

The mark is a span of the message that a fact rested on. It holds no word, and goes with the
message.
"""

import json
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, text

from desktop.domain.facts import Support
from desktop.domain.ids import FactId, MessageId

_DELETE = "UPDATE facts SET deleted_at = :at WHERE id = :id"
_UNDELETE = """
UPDATE facts SET deleted_at = NULL WHERE id = :id AND (valid_to IS NOT NULL OR NOT EXISTS (
    SELECT 1 FROM facts o WHERE o.folded = facts.folded AND o.id != :id AND o.valid_to IS NULL
    AND o.deleted_at IS NULL))
"""
_IS_FORGOTTEN = """
SELECT EXISTS (
    SELECT 1 FROM forgotten_words
    WHERE message_id = :id AND start < :end AND start + length > :start)
OR EXISTS (
    SELECT 1 FROM fact_sources fs JOIN facts f ON f.id = fs.fact_id
    WHERE fs.message_id = :id AND f.deleted_at IS NOT NULL
    AND fs.start < :end AND fs.start + fs.length > :start)
"""
_FORGOTTEN = """
WITH asked (id) AS (SELECT value FROM json_each(:ids))
SELECT message_id, start, length FROM forgotten_words WHERE message_id IN (SELECT id FROM asked)
UNION
SELECT fs.message_id, fs.start, fs.length FROM fact_sources fs JOIN facts f ON f.id = fs.fact_id
WHERE f.deleted_at IS NOT NULL AND fs.message_id IN (SELECT id FROM asked)
"""
_DUE = """
SELECT f.id FROM facts f WHERE f.deleted_at < :until OR (
    EXISTS (SELECT 1 FROM fact_sources fs WHERE fs.fact_id = f.id)
    AND NOT EXISTS (
        SELECT 1 FROM fact_sources fs JOIN messages m ON m.id = fs.message_id
        JOIN sessions s ON s.id = m.session_id WHERE fs.fact_id = f.id
        AND (s.deleted_at IS NULL OR s.deleted_at >= :until)))
"""
_AMONG = "(SELECT value FROM json_each(:ids))"
_GO = (
    (
        "INSERT OR IGNORE INTO forgotten_words SELECT message_id, start, length "
        f"FROM fact_sources WHERE fact_id IN {_AMONG}"
    ),
    f"DELETE FROM fact_index WHERE rowid IN (SELECT key FROM facts WHERE id IN {_AMONG})",
    f"DELETE FROM facts WHERE id IN {_AMONG}",
)
_POINT_ELSEWHERE = """
UPDATE facts SET message_id = (
    SELECT min(fs.message_id) FROM fact_sources fs JOIN messages m ON m.id = fs.message_id
    JOIN sessions s ON s.id = m.session_id WHERE fs.fact_id = facts.id
    AND (s.deleted_at IS NULL OR s.deleted_at >= :until))
WHERE message_id IN (SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session_id
    WHERE s.deleted_at < :until)
"""


def delete_facts(db: Connection, facts: Iterable[FactId], at: str) -> None:
    for fact_id in facts:
        db.execute(text(_DELETE), {"id": fact_id, "at": at})


def undelete_facts(db: Connection, facts: Iterable[FactId]) -> None:
    """One that another says in the same words by now stays away."""
    for fact_id in facts:
        db.execute(text(_UNDELETE), {"id": fact_id})


def rests_on_forgotten(db: Connection, support: Support) -> bool:
    """Whether what was learned from these words was deleted."""
    values = {
        "id": support.message_id,
        "start": support.start,
        "end": support.start + support.length,
    }
    return bool(db.execute(text(_IS_FORGOTTEN), values).scalar_one())


def forgotten_in(db: Connection, messages: Iterable[MessageId]) -> list[Support]:
    """Words of these messages from which something was learned that was deleted."""
    rows = db.execute(text(_FORGOTTEN), {"ids": json.dumps(list(messages))})
    return [Support(MessageId(row[0]), row[1], row[2]) for row in rows]


def purge_facts(db: Connection, until: str) -> int:
    """Remove what was deleted before a moment, and what only deleted sessions support.

    Before the rows of those sessions go. Returns how many there were.
    """
    gone = [FactId(row[0]) for row in db.execute(text(_DUE), {"until": until})]
    _drop(db, gone)
    # What other sessions support as well stays, and points to one of them.
    db.execute(text(_POINT_ELSEWHERE), {"until": until})
    return len(gone)


def _drop(db: Connection, facts: Sequence[FactId]) -> None:
    for statement in _GO:
        db.execute(text(statement), {"ids": json.dumps(list(facts))})
