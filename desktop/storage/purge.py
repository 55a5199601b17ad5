"""Making a deletion final: rows, index entries and the bytes themselves go."""

from datetime import datetime

from sqlalchemy import text

from desktop.domain.times import utc_now, utc_text
from desktop.storage.database import Database
from desktop.storage.facts.deletion import purge_facts
from desktop.storage.facts.insertion import optimise_facts
from desktop.storage.index import optimise, unindex_deleted
from desktop.storage.session_log import settle_logs
from desktop.storage.session_redirects import forget_gone
from desktop.storage.source_passages import optimise_sources, purge_sources
from desktop.storage.turn_activity import forget_sources
from desktop.storage.vectors import drop_vectors

_EVER = "9999"
# What other sessions quoted from a deleted one goes with it; their own words stay.
_FORGET_QUOTES = (
    "UPDATE citations SET quote = '', title = '', state = 'unchecked' WHERE source_id IN "
    "(SELECT id FROM sessions WHERE deleted_at < :until)"
)
_OF_DELETED = (
    "SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session_id "
    "WHERE s.deleted_at < :until"
)


def purge_deleted(database: Database, *, before: datetime | None = None) -> int:
    """Remove for good what was deleted, or deleted before a moment.

    Returns how many sessions and sources went. Raises StorageError.

    `contentless_delete` leaves words in the file until the index is optimised, and freed pages
    stay in it until VACUUM; the write-ahead log is emptied last.
    """
    with database.writing() as db:
        until = utc_text(before) if before else _EVER
        settle_logs(db, until)
        unindex_deleted(db, until)
        drop_vectors(db, _OF_DELETED, {"until": until})
        db.execute(text(_FORGET_QUOTES), {"until": until})
        forget_sources(db, "SELECT id FROM sessions WHERE deleted_at < :until", {"until": until})
        facts = purge_facts(db, until)
        count = db.execute(
            text("DELETE FROM sessions WHERE deleted_at < :until"), {"until": until}
        ).rowcount
        sources = purge_sources(db, until, seen=before or utc_now())
        if count == 0 and facts == 0 and sources == 0:
            return 0
        db.exec_driver_sql(
            "DELETE FROM drafts WHERE session_id != '' "
            "AND session_id NOT IN (SELECT id FROM sessions)"
        )
        forget_gone(db)
        db.exec_driver_sql(
            "DELETE FROM topics WHERE id NOT IN (SELECT topic_id FROM session_topics)"
        )
        optimise(db)
        optimise_facts(db)
        optimise_sources(db)
    with database.outside_transactions() as db:
        db.exec_driver_sql("VACUUM")
        db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return count + sources
