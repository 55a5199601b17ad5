"""Brings facts back from a file, as they were: their ids, times and what replaced them."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, text

from desktop.domain.facts import Fact, NewFact
from desktop.domain.ids import FactId
from desktop.storage.database import Database
from desktop.storage.facts.insertion import (
    insert_fact,
)
from desktop.storage.facts.rows import same_fact


def reload_facts(database: Database, facts: Sequence[NewFact]) -> list[FactId]:
    """Add what is not there yet; returns what was added. Raises StorageError.

    What is there in the same words is not added. Sources that are gone are left out. One that was
    deleted and can still be brought back is.
    """
    with database.writing() as db:
        added = [new.fact for new in facts if _reload(db, new)]
        for fact in added:
            _point_to_newer(db, fact)
    return [fact.id for fact in added]


def _reload(db: Connection, new: NewFact) -> bool:
    fact = new.fact
    row = db.execute(
        text("SELECT deleted_at FROM facts WHERE id = :id"), {"id": fact.id}
    ).one_or_none()
    if row is not None and row.deleted_at is None:
        return False
    if fact.is_valid and same_fact(db, fact.content) is not None:
        return False
    if row is None:
        insert_fact(db, replace(new, fact=replace(fact, replaced_by=None)))
    else:
        db.execute(text("UPDATE facts SET deleted_at = NULL WHERE id = :id"), {"id": fact.id})
    return True


def _point_to_newer(db: Connection, fact: Fact) -> None:
    """What took its place may stand further down in the file, or be gone."""
    db.execute(
        text(
            "UPDATE facts SET replaced_by = :newer WHERE id = :id "
            "AND EXISTS (SELECT 1 FROM facts WHERE id = :newer)"
        ),
        {"id": fact.id, "newer": fact.replaced_by},
    )
