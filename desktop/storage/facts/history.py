"""What took whose place among facts: an older one keeps the time in which it held."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, insert, select, text

from desktop.domain.errors import FactUnknownError
from desktop.domain.facts import Fact, NewFact
from desktop.domain.ids import FactId
from desktop.domain.times import utc_text
from desktop.storage.facts.insertion import (
    insert_fact,
)
from desktop.storage.facts.rows import COLUMNS, FROM_FACTS, SEEN, fact_of
from desktop.storage.tables import settled_conflicts

_OLDER = f"""
WITH RECURSIVE older (id, depth) AS (
    SELECT id, 1 FROM facts WHERE replaced_by = :id
    UNION SELECT f.id, depth + 1 FROM facts f JOIN older o ON f.replaced_by = o.id)
SELECT {COLUMNS} {FROM_FACTS} JOIN older ON older.id = f.id WHERE {SEEN}
ORDER BY older.depth, f.valid_to DESC
"""


def older_than(db: Connection, fact_id: FactId) -> list[Fact]:
    """What a fact took the place of, the newest first."""
    return [fact_of(row) for row in db.execute(text(_OLDER), {"id": fact_id})]


def replace_fact(
    db: Connection, older: FactId, newer: NewFact, also: Sequence[FactId] = ()
) -> None:
    """Raises FactUnknownError where the older one is gone, or ended already."""
    ended = db.execute(
        text("UPDATE facts SET valid_to = :at WHERE id = :id AND valid_to IS NULL"),
        {"id": older, "at": utc_text(newer.fact.valid_from)},
    )
    if ended.rowcount == 0:
        raise FactUnknownError(fact=older)
    insert_fact(db, newer)
    db.execute(
        text("UPDATE facts SET replaced_by = :newer WHERE id = :older"),
        {"older": older, "newer": newer.fact.id},
    )
    db.execute(
        text(
            "UPDATE facts SET valid_to = :at, replaced_by = :newer WHERE valid_to IS NULL "
            "AND id IN (SELECT value FROM json_each(:also)) AND id != :newer"
        ),
        {
            "at": utc_text(newer.fact.valid_from),
            "newer": newer.fact.id,
            "also": json.dumps(list(also)),
        },
    )


def let_hold_again(db: Connection, newer: FactId) -> None:
    """What a fact took the place of holds, as if it never had."""
    db.execute(
        text("UPDATE facts SET valid_to = NULL, replaced_by = NULL WHERE replaced_by = :id"),
        {"id": newer},
    )


def end_fact(db: Connection, older: FactId, newer: Fact) -> None:
    """A known fact takes the place of an older one, which held until then."""
    db.execute(
        text(
            "UPDATE facts SET valid_to = :at, replaced_by = :newer "
            "WHERE id = :older AND valid_to IS NULL"
        ),
        {"older": older, "newer": newer.id, "at": utc_text(newer.valid_from)},
    )


def settle_conflict(db: Connection, fact_id: FactId, other: FactId) -> None:
    """The user keeps both."""
    first, second = sorted((fact_id, other))
    db.execute(
        insert(settled_conflicts).prefix_with("OR IGNORE").values(fact_id=first, other_id=second)
    )


def facts_kept_beside(db: Connection, fact_id: FactId) -> frozenset[FactId]:
    """The facts that the user keeps beside one, although they look like a contradiction."""
    pairs = settled_conflicts.c
    rows = db.execute(
        select(pairs.other_id)
        .where(pairs.fact_id == fact_id)
        .union(select(pairs.fact_id).where(pairs.other_id == fact_id))
    )
    return frozenset(FactId(row[0]) for row in rows)
