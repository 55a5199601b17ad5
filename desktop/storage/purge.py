"""Making a deletion final: rows, index entries and the bytes themselves go."""

from desktop.storage.database import Database
from desktop.storage.index import optimise, unindex_deleted


def purge_deleted(database: Database) -> int:
    """Remove every deleted session for good; returns how many. Raises StorageError.

    `contentless_delete` leaves words in the file until the index is optimised, and freed pages
    stay in it until VACUUM; the write-ahead log is emptied last.
    """
    with database.writing() as db:
        unindex_deleted(db)
        count = db.exec_driver_sql("DELETE FROM sessions WHERE deleted_at IS NOT NULL").rowcount
        if count == 0:
            return 0
        db.exec_driver_sql(
            "DELETE FROM drafts WHERE session_id != '' "
            "AND session_id NOT IN (SELECT id FROM sessions)"
        )
        db.exec_driver_sql(
            "DELETE FROM topics WHERE id NOT IN (SELECT topic_id FROM session_topics)"
        )
        optimise(db)
    with database.outside_transactions() as db:
        db.exec_driver_sql("VACUUM")
        db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return count
