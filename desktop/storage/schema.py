"""The schema as an append-only tuple of steps; `PRAGMA user_version` says how many were taken.

What a step does stands in `tables`, by what its tables are for.
"""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, text

from desktop.domain.errors import DatabaseTooNewError
from desktop.storage.database import Database
from desktop.storage.tables.compacts import add_compact_failures
from desktop.storage.tables.facts import add_facts
from desktop.storage.tables.message_vectors import add_meanings, add_refined_vectors
from desktop.storage.tables.phases import add_phases
from desktop.storage.tables.research import add_contacts, add_research_runs
from desktop.storage.tables.sessions import (
    add_draft_context,
    add_moved_sessions,
    add_sessions_and_messages,
    add_split_sessions,
)
from desktop.storage.tables.sources import add_origins, add_sources
from desktop.storage.tables.work_done import add_work_done

STEPS: tuple[Callable[[Connection], None], ...] = (
    add_sessions_and_messages,
    add_meanings,
    add_facts,
    add_compact_failures,
    add_moved_sessions,
    add_draft_context,
    add_sources,
    add_contacts,
    add_research_runs,
    add_origins,
    add_phases,
    add_split_sessions,
    add_work_done,
    add_refined_vectors,
)


def version_of(database: Database) -> int:
    with database.reading() as db:
        return int(db.exec_driver_sql("PRAGMA user_version").scalar_one())


def refuse_newer(database: Database) -> int:
    """The version of the file; raises DatabaseTooNewError."""
    at = version_of(database)
    if at > len(STEPS):
        raise DatabaseTooNewError(found=at, known=len(STEPS))
    return at


def migrate(database: Database, *, backups: Path, now: datetime) -> None:
    """Bring the file to the newest schema, each step whole or not at all.

    A file with content is copied into `backups` before the first step. Raises DatabaseTooNewError.
    """
    at = refuse_newer(database)
    if 0 < at < len(STEPS):
        backups.mkdir(parents=True, exist_ok=True)
        copy_to(database, backups / f"before-step-{at + 1}-{now:%Y%m%d-%H%M%S}.db")
    take_steps(database)


def take_steps(database: Database) -> None:
    """As `migrate`, of a file that is itself a copy."""
    at = version_of(database)
    for version, step in enumerate(STEPS[at:], start=at + 1):
        with database.writing() as db:
            step(db)
            db.exec_driver_sql(f"PRAGMA user_version = {version}")


def copy_to(database: Database, target: Path) -> None:
    """A whole, compact copy of the file, made while it is in use."""
    with database.outside_transactions() as db:
        # As bytes: a name on the disk need not be letters.
        place = {"target": os.fsencode(target.absolute())}
        db.execute(text("VACUUM INTO CAST(:target AS TEXT)"), place)
