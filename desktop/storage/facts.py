"""Facts: what is remembered across sessions, as everything above storage asks for it."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import (
    Select,
    column,
    func,
    literal_column,
    select,
    table,
    update,
)

from desktop.domain.facts import Fact, FactFilter, FactSource, NewFact, Support, Term
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters
from desktop.storage.database import Repository
from desktop.storage.fact_changes import (
    delete_facts,
    end_fact,
    facts_kept_beside,
    forgotten_in,
    insert_fact,
    let_hold_again,
    older_than,
    replace_fact,
    rests_on_forgotten,
    settle_conflict,
    strengthen_fact,
    undelete_facts,
)
from desktop.storage.fact_rows import (
    FACT_ORDER,
    HOLDS,
    SEEN,
    fact_conditions,
    fact_in,
    fact_of,
    same_fact,
    select_facts,
)
from desktop.storage.row_mapping import listed, read_time
from desktop.storage.tables import fact_sources, facts, messages, sessions

_index = table("fact_index", column("rowid"), column("rank"))


class FactStore(Repository):
    """Repository of facts. Every method may raise StorageError."""

    def fact(self, fact_id: FactId) -> Fact:
        """Raises FactUnknownError."""
        with self._database.reading() as db:
            return fact_in(db, fact_id)

    def facts(
        self, wanted: FactFilter | None = None, *, limit: int | None = None, offset: int = 0
    ) -> list[Fact]:
        """Pinned ones first, then the more important, then the newer."""
        return self._listed(
            select_facts()
            .where(*fact_conditions(wanted or FactFilter()))
            .order_by(*FACT_ORDER)
            .limit(-1 if limit is None else limit)
            .offset(offset)
        )

    def some(self, fact_ids: Iterable[FactId]) -> list[Fact]:
        """Those of them that exist, in the order asked for."""
        ids = list(fact_ids)
        found = {
            one.id: one for one in self._listed(select_facts().where(facts.c.id.in_(listed(ids))))
        }
        return [found[one] for one in ids if one in found]

    def matching(
        self, expression: str, wanted: FactFilter | None = None, *, limit: int = 20
    ) -> list[tuple[Fact, float]]:
        """Facts whose topic or words match an FTS5 expression over folded words, best first.

        With each a score; higher is better.
        """
        found = (
            select_facts((-_index.c.rank).label("score"))
            .join(_index, _index.c.rowid == facts.c.key)
            .where(
                literal_column("fact_index").op("MATCH")(expression),
                *fact_conditions(wanted or FactFilter()),
            )
            .order_by(_index.c.rank)
            .limit(limit)
        )
        return [(fact_of(row), float(row.score)) for row in self._rows(found)]

    def same(self, content: str) -> Fact | None:
        """The fact that holds and says the very same, however it is written."""
        with self._database.reading() as db:
            return same_fact(db, content)

    def about(self, what: str) -> list[Fact]:
        """Facts that hold and answer one thing, named as `Fact.about` names it."""
        return self._listed(
            select_facts().where(HOLDS, facts.c.about == folded_key(whole_letters(what)))
        )

    def supports(self, fact_id: FactId) -> list[Support]:
        """The words it rests on."""
        wanted = (
            select(fact_sources.c.message_id, fact_sources.c.start, fact_sources.c.length)
            .where(fact_sources.c.fact_id == fact_id)
            .order_by(fact_sources.c.message_id, fact_sources.c.start)
        )
        return [Support(MessageId(row[0]), row[1], row[2]) for row in self._rows(wanted)]

    def history(self, fact_id: FactId) -> list[Fact]:
        """What this fact took the place of, the newest first; raises FactUnknownError."""
        with self._database.reading() as db:
            fact_in(db, fact_id)
            return older_than(db, fact_id)

    def sources(self, fact_id: FactId) -> list[FactSource]:
        """Where it was said, the first time first."""
        quote = func.substr(messages.c.content, fact_sources.c.start + 1, fact_sources.c.length)
        wanted = (
            select(
                messages.c.id,
                messages.c.session_id,
                messages.c.number,
                func.coalesce(sessions.c.title, sessions.c.opening).label("title"),
                messages.c.created_at,
                quote.label("quote"),
            )
            .select_from(fact_sources)
            .join(messages, messages.c.id == fact_sources.c.message_id)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .where(fact_sources.c.fact_id == fact_id, sessions.c.deleted_at.is_(None))
            .order_by(messages.c.id, fact_sources.c.start)
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
            for row in self._rows(wanted)
        ]

    def topics(self) -> list[tuple[str, int]]:
        """Topics of facts that hold, with how many there are, the largest first."""
        count, name = func.count(), func.min(facts.c.topic)
        wanted = (
            select(name, count)
            .where(SEEN, HOLDS)
            .group_by(facts.c.topic_folded)
            .order_by(count.desc(), name)
        )
        return [(row[0], int(row[1])) for row in self._rows(wanted)]

    def add(self, several: Sequence[NewFact]) -> list[Fact]:
        """Remember them; what is known in the very same words is strengthened.

        Returns the facts that stand for them, in order.
        """
        kept: list[Fact] = []
        with self._database.writing() as db:
            for new in several:
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
        if is_pinned:
            self._set([fact_id], pinned_at=utc_text(self._now()), term=Term.SHORT.value)
        else:
            self._set([fact_id], pinned_at=None)

    def move(self, moved: Iterable[FactId], term: Term) -> None:
        self._set(moved, term=term.value)

    def use(self, used: Iterable[FactId]) -> None:
        """They bore on a question just now."""
        self._set(used, used_at=utc_text(self._now()))

    def delete(self, deleted: Iterable[FactId]) -> None:
        """Take them out of sight; `undelete` brings them back, a purge makes it final."""
        with self._database.writing() as db:
            delete_facts(db, deleted, utc_text(self._now()))

    def undelete(self, deleted: Iterable[FactId]) -> None:
        """One that another says in the same words by now stays away."""
        with self._database.writing() as db:
            undelete_facts(db, deleted)

    def is_forgotten(self, support: Support) -> bool:
        """Whether what was learned from these words was deleted."""
        with self._database.reading() as db:
            return rests_on_forgotten(db, support)

    def forgotten(self, among: Iterable[MessageId]) -> list[Support]:
        """Words of these messages from which something was learned that was deleted."""
        with self._database.reading() as db:
            return forgotten_in(db, among)

    def _listed(self, wanted: Select[Any]) -> list[Fact]:
        return [fact_of(row) for row in self._rows(wanted)]

    def _set(self, changed: Iterable[FactId], **values: str | None) -> None:
        self._change(update(facts).where(facts.c.id.in_(listed(changed))).values(**values))
