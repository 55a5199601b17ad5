"""Facts: what is remembered across sessions, as everything above storage asks for it."""

import json
from collections.abc import Iterable, Sequence

from sqlalchemy import text

from desktop.domain.facts import Fact, FactFilter, FactSource, NewFact, Support, Term
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters
from desktop.storage.database import Database
from desktop.storage.facts.deletion import (
    delete_facts,
    forgotten_in,
    rests_on_forgotten,
    undelete_facts,
)
from desktop.storage.facts.history import (
    end_fact,
    facts_kept_beside,
    let_hold_again,
    older_than,
    replace_fact,
    settle_conflict,
)
from desktop.storage.facts.insertion import (
    insert_fact,
    strengthen_fact,
)
from desktop.storage.facts.rows import (
    COLUMNS,
    FROM_FACTS,
    ORDER,
    SEEN,
    fact_conditions,
    fact_in,
    fact_of,
    same_fact,
)
from desktop.storage.row_mapping import read_time


class FactStore:
    """Repository of facts. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def fact(self, fact_id: FactId) -> Fact:
        """Raises FactUnknownError."""
        with self._database.reading() as db:
            return fact_in(db, fact_id)

    def facts(
        self, wanted: FactFilter | None = None, *, limit: int | None = None, offset: int = 0
    ) -> list[Fact]:
        """Pinned ones first, then the more important, then the newer."""
        with self._database.reading() as db:
            where, values = fact_conditions(wanted or FactFilter())
            rows = db.execute(
                text(
                    f"SELECT {COLUMNS} {FROM_FACTS} WHERE {where} ORDER BY {ORDER} "
                    "LIMIT :limit OFFSET :offset"
                ),
                {**values, "limit": -1 if limit is None else limit, "offset": offset},
            )
            return [fact_of(row) for row in rows]

    def some(self, fact_ids: Iterable[FactId]) -> list[Fact]:
        """Those of them that are there, in the order asked for."""
        ids = list(fact_ids)
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {COLUMNS} {FROM_FACTS} WHERE {SEEN} "
                    "AND f.id IN (SELECT value FROM json_each(:ids))"
                ),
                {"ids": json.dumps(ids)},
            )
            found = {FactId(row.id): fact_of(row) for row in rows}
        return [found[one] for one in ids if one in found]

    def matching(
        self, expression: str, wanted: FactFilter | None = None, *, limit: int = 20
    ) -> list[tuple[Fact, float]]:
        """Facts whose topic or words match an FTS5 expression over folded words, best first.

        With each a score; higher is better.
        """
        where, values = fact_conditions(wanted or FactFilter())
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {COLUMNS}, -i.rank AS score FROM fact_index i "
                    "JOIN facts f ON f.key = i.rowid LEFT JOIN messages m ON m.id = f.message_id "
                    f"WHERE fact_index MATCH :expression AND {where} ORDER BY i.rank LIMIT :limit"
                ),
                {**values, "expression": expression, "limit": limit},
            )
            return [(fact_of(row), float(row.score)) for row in rows]

    def same(self, content: str) -> Fact | None:
        """The fact that holds and says the very same, however it is written."""
        with self._database.reading() as db:
            return same_fact(db, content)

    def about(self, what: str) -> list[Fact]:
        """Facts that hold and answer one thing, named as `Fact.about` names it."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {COLUMNS} {FROM_FACTS} WHERE {SEEN} AND f.valid_to IS NULL "
                    "AND f.about = :about"
                ),
                {"about": folded_key(whole_letters(what))},
            )
            return [fact_of(row) for row in rows]

    def supports(self, fact_id: FactId) -> list[Support]:
        """The words it rests on."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT message_id, start, length FROM fact_sources WHERE fact_id = :id "
                    "ORDER BY message_id, start"
                ),
                {"id": fact_id},
            )
            return [Support(MessageId(row[0]), row[1], row[2]) for row in rows]

    def history(self, fact_id: FactId) -> list[Fact]:
        """What this fact took the place of, the newest first; raises FactUnknownError."""
        with self._database.reading() as db:
            fact_in(db, fact_id)
            return older_than(db, fact_id)

    def sources(self, fact_id: FactId) -> list[FactSource]:
        """Where it was said, the first time first."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT m.id, m.session_id, m.number, coalesce(s.title, s.opening) AS title, "
                    "m.created_at, substr(m.content, fs.start + 1, fs.length) AS quote "
                    "FROM fact_sources fs JOIN messages m ON m.id = fs.message_id "
                    "JOIN sessions s ON s.id = m.session_id WHERE fs.fact_id = :id "
                    "AND s.deleted_at IS NULL ORDER BY m.id, fs.start"
                ),
                {"id": fact_id},
            )
            return [
                FactSource(
                    MessageId(row.id),
                    SessionId(row.session_id),
                    row.number,
                    row.title,
                    read_time(row.created_at),
                    row.quote,
                )
                for row in rows
            ]

    def topics(self) -> list[tuple[str, int]]:
        """Topics of facts that hold, with how many there are, the largest first."""
        with self._database.reading() as db:
            rows = db.exec_driver_sql(
                f"SELECT min(f.topic), count(*) AS n FROM facts f WHERE {SEEN} "
                "AND f.valid_to IS NULL GROUP BY f.topic_folded ORDER BY n DESC, min(f.topic)"
            )
            return [(row[0], int(row[1])) for row in rows]

    def add(self, facts: Sequence[NewFact]) -> list[Fact]:
        """Remember them; what is known in the very same words is strengthened.

        Returns the facts that stand for them, in order.
        """
        kept: list[Fact] = []
        with self._database.writing() as db:
            for new in facts:
                known = same_fact(db, new.fact.content)
                if known is None:
                    insert_fact(db, new)
                else:
                    strengthen_fact(db, known.id, new.supports, new.fact.importance)
                kept.append(fact_in(db, known.id if known else new.fact.id))
        return kept

    def strengthen(
        self, fact_id: FactId, supports: Sequence[Support], *, importance: int | None = None
    ) -> None:
        """It was said again: it weighs more, and rests on these words, too."""
        with self._database.writing() as db:
            strengthen_fact(db, fact_id, supports, importance)

    def replace(self, older: FactId, newer: NewFact, also: Sequence[FactId] = ()) -> None:
        """A newer fact takes an older one's place, and that of `also`.

        Raises FactUnknownError.
        """
        with self._database.writing() as db:
            replace_fact(db, older, newer, also)

    def end(self, older: FactId, *, replaced_by: Fact) -> None:
        """A fact that is known already takes an older one's place."""
        with self._database.writing() as db:
            end_fact(db, older, replaced_by)

    def settle_conflict(self, fact_id: FactId, other: FactId) -> None:
        """The user keeps both facts, which look as if they contradict each other."""
        with self._database.writing() as db:
            settle_conflict(db, fact_id, other)

    def kept_beside(self, fact_id: FactId) -> frozenset[FactId]:
        """The facts that the user keeps beside this one."""
        with self._database.reading() as db:
            return facts_kept_beside(db, fact_id)

    def undo_replace(self, newer: FactId) -> None:
        """Delete a newer fact, and let what it replaced hold again."""
        with self._database.writing() as db:
            delete_facts(db, [newer], utc_text(self._now()))
            let_hold_again(db, newer)

    def pin(self, fact_id: FactId, *, is_pinned: bool) -> None:
        """Pinned facts are short term again, and stay so."""
        with self._database.writing() as db:
            db.execute(
                text(
                    "UPDATE facts SET pinned_at = :at, "
                    "term = CASE WHEN :at IS NULL THEN term ELSE 'short' END WHERE id = :id"
                ),
                {"id": fact_id, "at": utc_text(self._now()) if is_pinned else None},
            )

    def move(self, facts: Iterable[FactId], term: Term) -> None:
        with self._database.writing() as db:
            for fact_id in facts:
                db.execute(
                    text("UPDATE facts SET term = :term WHERE id = :id"),
                    {"id": fact_id, "term": term.value},
                )

    def use(self, facts: Iterable[FactId]) -> None:
        """They bore on a question just now."""
        with self._database.writing() as db:
            for fact_id in facts:
                db.execute(
                    text("UPDATE facts SET used_at = :at WHERE id = :id"),
                    {"id": fact_id, "at": utc_text(self._now())},
                )

    def delete(self, facts: Iterable[FactId]) -> None:
        """Take them out of sight; `undelete` brings them back, a purge makes it final."""
        with self._database.writing() as db:
            delete_facts(db, facts, utc_text(self._now()))

    def undelete(self, facts: Iterable[FactId]) -> None:
        """One that another says in the same words by now stays away."""
        with self._database.writing() as db:
            undelete_facts(db, facts)

    def is_forgotten(self, support: Support) -> bool:
        """Whether what was learned from these words was deleted."""
        with self._database.reading() as db:
            return rests_on_forgotten(db, support)

    def forgotten(self, messages: Iterable[MessageId]) -> list[Support]:
        """Words of these messages from which something was learned that was deleted."""
        with self._database.reading() as db:
            return forgotten_in(db, messages)
