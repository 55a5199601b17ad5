"""Makes deletions final: removes rows, index entries and the bytes themselves.

Text SQL: the indexes and vectors of what is deleted, VACUUM and PRAGMA.
"""

from datetime import datetime

from sqlalchemy import Connection, delete, select, union

from desktop.domain.times import utc_now, utc_text
from desktop.storage.repositories.answer_records import forget_quoted
from desktop.storage.repositories.diary import purge_diary
from desktop.storage.repositories.fact_rows import purge_facts
from desktop.storage.repositories.notes import purge_notes
from desktop.storage.repositories.patterns import purge_patterns
from desktop.storage.repositories.preferences import purge_preferences
from desktop.storage.repositories.projects import purge_projects
from desktop.storage.repositories.removed_originals import purge_originals
from desktop.storage.repositories.session_log import settle_logs
from desktop.storage.repositories.sources import delete_with_sessions, purge_sources
from desktop.storage.repositories.split_merge import forget_gone
from desktop.storage.repositories.watched_folders import purge_watched_folders
from desktop.storage.repositories.watches import purge_watches
from desktop.storage.schema.database import Database
from desktop.storage.schema.migrations import INDEXES
from desktop.storage.schema.row_mapping import EVER
from desktop.storage.schema.tables import (
    drafts,
    literature_cache,
    session_tags,
    session_topics,
    sessions,
    source_tags,
    tags,
    topics,
)
from desktop.storage.search.message_index import unindex_deleted
from desktop.storage.search.source_index import purge_pictures
from desktop.storage.search.vectors import drop_vectors

_OF_DELETED = (
    "SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session_id "
    "WHERE s.deleted_at < :until"
)


def purge_deleted(database: Database, *, before: datetime | None = None) -> int:
    """Remove for good whatever was deleted (before a moment, if any).

    Returns how many sessions and sources were removed. Raises StorageError.

    `contentless_delete` leaves words in the file until the index is optimised, and freed pages
    stay in it until VACUUM; the write-ahead log is emptied last.
    """
    with database.writing() as db:
        until = utc_text(before) if before else EVER
        settle_logs(db, until)
        unindex_deleted(db, until)
        drop_vectors(db, _OF_DELETED, {"until": until})
        # Quotations of a deleted session go with it; the quoting sessions' own words stay.
        forget_quoted(db, select(sessions.c.id).where(sessions.c.deleted_at < until))
        facts = purge_facts(db, until)
        purge_diary(db, until)
        delete_with_sessions(db, until)
        notes = purge_notes(db, until)
        count = db.execute(delete(sessions).where(sessions.c.deleted_at < until)).rowcount
        preferences = purge_preferences(db, until)
        sources = purge_sources(db, until, seen=before or utc_now())
        originals = purge_originals(db, until, utc_now())
        projects = purge_projects(db, until)
        pictures, watches = purge_pictures(db), purge_watches(db, until)
        folders = purge_watched_folders(db, until)
        gone = (count, facts, preferences, sources, originals, projects, notes, pictures, watches)
        if not any((*gone, folders)):
            return 0
        _drop_loose_rows(db)
        if count:
            purge_patterns(db)
        if count or watches or projects:  # What was found shows what was looked for.
            db.execute(delete(literature_cache))
    compact(database)
    return count + sources


def compact(database: Database) -> None:
    """Leave no byte of removed rows and words in the file. Raises StorageError."""
    with database.writing() as db:
        for index in INDEXES:
            db.exec_driver_sql(f"INSERT INTO {index}({index}) VALUES ('optimize')")
    database.cached.clear()
    with database.outside_transactions() as db:
        db.exec_driver_sql("VACUUM")
        db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def _drop_loose_rows(db: Connection) -> None:
    db.execute(
        delete(drafts).where(
            drafts.c.session_id != "", drafts.c.session_id.not_in(select(sessions.c.id))
        )
    )
    forget_gone(db)
    db.execute(delete(topics).where(topics.c.id.not_in(select(session_topics.c.topic_id))))
    used = union(select(session_tags.c.tag_id), select(source_tags.c.tag_id))
    db.execute(delete(tags).where(tags.c.id.not_in(used)))
