"""The repository of facts: what is remembered across sessions.

An older fact keeps its period of validity when a newer one replaces it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NewType

from sqlalchemy import (
    Connection,
    Integer,
    Select,
    Update,
    bindparam,
    column,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    table,
    union,
    update,
)

from desktop.domain.errors import FactUnknownError
from desktop.domain.facts import Fact, FactFilter, FactSource, FactSupport, NewFact, Term
from desktop.domain.ids import FactId, MessageId
from desktop.domain.projects import NO_PROJECT, ProjectId, Wall
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates, folded_key
from desktop.storage.repositories.fact_rows import (
    FACT_ORDER,
    HOLDS,
    SEEN,
    add_supports,
    fact_conditions,
    fact_in,
    fact_of,
    insert_fact,
    same_fact,
    select_facts,
)
from desktop.storage.repositories.projects import project_named
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import listed, read_value, within_or_common
from desktop.storage.schema.tables import (
    fact_sources,
    fact_vectors,
    facts,
    forgotten_words,
    messages,
    sessions,
    settled_conflicts,
)
from desktop.storage.search.vectors import KEPT_HERE, Encoded, ShortVectorStore

if TYPE_CHECKING:
    from desktop.language.keywords_and_stems import StopWords

_STANDS = HOLDS & facts.c.deleted_at.is_(None)
_SOURCES = (
    select(
        messages.c.id.label("message_id"),
        messages.c.session_id,
        messages.c.number.label("message_number"),
        func.coalesce(sessions.c.title, sessions.c.opening).label("session_title"),
        messages.c.created_at.label("said_at"),
        func.substr(messages.c.content, fact_sources.c.start + 1, fact_sources.c.length).label(
            "quote"
        ),
    )
    .select_from(fact_sources)
    .join(messages, messages.c.id == fact_sources.c.message_id)
    .join(sessions, sessions.c.id == messages.c.session_id)
    .where(fact_sources.c.fact_id == bindparam("fact"), sessions.c.deleted_at.is_(None))
    .order_by(messages.c.id, fact_sources.c.start)
)
_SPAN = (fact_sources.c.message_id, fact_sources.c.start, fact_sources.c.length)
MOST_COMPARED = 30  # Facts that one text is compared with
_MOST_WORDS = 40
_LONGEST_READ, _HALF = 8_000, 4_000  # Characters: both ends of a longer text are read
_INDEXED_LETTERS = 5  # Characters that every form of a word begins with
_index = table("fact_index", column("rowid"), column("rank"))


class FactStore(Repository):
    """Repository of facts. Every method may raise StorageError."""

    def fact(self, fact_id: FactId) -> Fact:
        """Return the fact; raises FactUnknownError."""
        with self._database.reading() as db:
            return fact_in(db, fact_id)

    def facts(
        self, fact_filter: FactFilter, *, limit: int | None = None, offset: int = 0
    ) -> list[Fact]:
        """Return facts: pinned ones first, then the more important, then the newer."""
        bounds = {"limit": -1 if limit is None else limit, "offset": offset}
        return [fact_of(row) for row in self._rows(_chosen(fact_filter), bounds)]

    def some(self, fact_ids: Iterable[FactId]) -> list[Fact]:
        """Return those that exist, in the given order."""
        ids = list(fact_ids)
        if not ids:
            return []  # Three times a question, if no fact is near
        several = self._listed(select_facts().where(facts.c.id.in_(listed(ids))))
        by_id = {fact.id: fact for fact in several}
        return [by_id[fact_id] for fact_id in ids if fact_id in by_id]

    def related(
        self,
        text: str,
        stop_words: "StopWords",
        fact_filter: FactFilter,
        *,
        limit: int = MOST_COMPARED,
    ) -> list[Fact]:
        """Return facts that share words with a text, those with the most first."""
        from desktop.language.keywords_and_stems import content_words  # noqa: PLC0415 - patterns

        ends = text if len(text) <= _LONGEST_READ else text[:_HALF] + text[-_HALF:]
        words = content_words(ends, stop_words)
        beginnings = dict.fromkeys(word.text[:_INDEXED_LETTERS] for word in words)
        if not beginnings:
            return []
        expression = " OR ".join(f'"{word}"*' for word in list(beginnings)[:_MOST_WORDS])
        return [fact for fact, _ in self.matching(expression, fact_filter, limit=limit)]

    def matching(
        self, expression: str, fact_filter: FactFilter, *, limit: int = 20
    ) -> list[tuple[Fact, float]]:
        """Return facts whose topic or words match an FTS5 expression, with scores, best first.

        The expression is over folded words; a higher score is better.
        """
        rows = self._rows(_matching(fact_filter), {"expression": expression, "limit": limit})
        return [(fact_of(row), float(row.score)) for row in rows]

    def about(self, what: str, wall: Wall) -> list[Fact]:
        """Return current facts about one attribute, named as in `Fact.about`."""
        is_named = facts.c.about == folded_key(fix_surrogates(what))
        return self._listed(
            select_facts().where(HOLDS, is_named, within_or_common(facts.c.project, wall))
        )

    def wall_of(self, message_id: MessageId) -> Wall:
        session = sessions.join(messages, messages.c.session_id == sessions.c.id)
        query = select(sessions.c.project).select_from(session)
        return Wall(self._value(query.where(messages.c.id == message_id)) or NO_PROJECT)

    def give(self, fact_id: FactId, project: ProjectId) -> None:
        self._change(_of([fact_id]).values(project=project))

    def supports(self, fact_id: FactId) -> list[FactSupport]:
        query = (
            select(*_SPAN)
            .where(fact_sources.c.fact_id == fact_id)
            .order_by(fact_sources.c.message_id, fact_sources.c.start)
        )
        return [FactSupport(*row) for row in self._rows(query)]

    def history(self, fact_id: FactId) -> list[Fact]:
        """Return the facts that this one replaced, newest first; raises FactUnknownError."""
        older = (
            select(facts.c.id, literal(1).label("depth"))
            .where(facts.c.replaced_by == fact_id)
            .cte("older", recursive=True)
        )
        further = facts.alias("further")
        older = older.union(
            select(further.c.id, older.c.depth + 1).join(
                older, further.c.replaced_by == older.c.id
            )
        )
        query = select_facts().join(older, older.c.id == facts.c.id)
        self.fact(fact_id)
        return self._listed(query.order_by(older.c.depth, facts.c.valid_to.desc()))

    def sources(self, fact_id: FactId) -> list[FactSource]:
        """Return where the fact was stated, the first time first."""
        rows = self._rows(_SOURCES, {"fact": fact_id})
        return [read_value(FactSource, row) for row in rows]

    def topics(self) -> list[tuple[str, int]]:
        """Return topics of current facts, with the number of facts, the largest first."""
        count, name = func.count(), func.min(facts.c.topic)
        query = (
            select(name, count)
            .where(SEEN, HOLDS)
            .group_by(facts.c.topic_folded)
            .order_by(count.desc(), name)
        )
        return [(topic, int(number)) for topic, number in self._rows(query)]

    def add(self, several: Sequence[NewFact]) -> list[Fact]:
        """Add facts; strengthen one already known in the same words.

        Returns the stored facts, in order.
        """
        results: list[Fact] = []
        with self._database.writing() as db:
            for new in several:
                same = same_fact(db, new.fact)
                if same is None:
                    insert_fact(db, new)
                else:
                    _strengthen(db, same.id, new.supports, new.fact.importance)
                results.append(fact_in(db, same.id if same else new.fact.id))
        return results

    def reload(self, several: Sequence[NewFact]) -> list[FactId]:
        """Add the missing facts of a file, with their ids, times and replacements.

        Returns what was added. A fact with the same words as a stored one is not added; one
        that was deleted and can still be brought back is. Sources that no longer exist are
        left out. A fact has its project's name instead of the id; a missing project is
        created.
        """
        with self._database.writing() as db:
            added = [new.fact for new in several if _reload(db, new)]
            for fact in added:
                # Its replacement may come later in the file, or not exist any more.
                newer = select(facts.c.id).where(facts.c.id == fact.replaced_by)
                if db.execute(newer).first() is not None:
                    db.execute(_of([fact.id]).values(replaced_by=fact.replaced_by))
        return [fact.id for fact in added]

    def strengthen(
        self, fact_id: FactId, supports: Sequence[FactSupport], *, importance: int | None = None
    ) -> None:
        """Record that the fact was repeated: its weight grows, and these words support it too.

        Raises FactUnknownError as `replace`.
        """
        with self._database.writing() as db:
            holds = select(facts.c.id).where(facts.c.id == fact_id, _STANDS)
            if db.execute(holds).first() is None:
                raise FactUnknownError(fact=fact_id)
            _strengthen(db, fact_id, supports, importance)

    def replace(self, older: FactId, newer: NewFact, also: Sequence[FactId] = ()) -> None:
        """Replace an older fact, and those of `also`, with a newer one.

        Raises FactUnknownError if the older one does not exist, was deleted or has ended already.
        """
        at = utc_text(newer.fact.valid_from)
        with self._database.writing() as db:
            if db.execute(_of([older]).where(_STANDS).values(valid_to=at)).rowcount == 0:
                raise FactUnknownError(fact=older)
            insert_fact(db, newer)
            replaced = {"valid_to": at, "replaced_by": newer.fact.id}
            db.execute(_of([older]).values(**replaced))
            db.execute(_of(also).where(HOLDS, facts.c.id != newer.fact.id).values(**replaced))

    def end(self, older: FactId, *, replaced_by: Fact) -> None:
        """End an older fact: a known fact replaces it from now on."""
        until = utc_text(replaced_by.valid_from)
        self._change(_of([older]).where(HOLDS).values(valid_to=until, replaced_by=replaced_by.id))

    def settle_conflict(self, fact_id: FactId, other: FactId) -> None:
        first, second = sorted((fact_id, other))
        pair = insert(settled_conflicts).prefix_with("OR IGNORE")
        self._change(pair.values(fact_id=first, other_id=second))

    def kept_beside(self, fact_id: FactId) -> frozenset[FactId]:
        pairs = settled_conflicts.c
        return frozenset(
            self._values(
                select(pairs.other_id)
                .where(pairs.fact_id == fact_id)
                .union(select(pairs.fact_id).where(pairs.other_id == fact_id))
            )
        )

    def undo_replace(self, newer: FactId) -> None:
        with self._database.writing() as db:
            db.execute(_of([newer]).values(deleted_at=utc_text(self._now())))
            replaced = update(facts).where(facts.c.replaced_by == newer)
            db.execute(replaced.values(valid_to=None, replaced_by=None))

    def pin(self, fact_id: FactId, *, is_pinned: bool) -> None:
        """Pin or unpin; pinned facts return to short-term memory and stay there."""
        pinned = {"pinned_at": utc_text(self._now()), "term": Term.SHORT.value}
        self._change(_of([fact_id]).values(pinned if is_pinned else {"pinned_at": None}))

    def move(self, moved: Iterable[FactId], term: Term) -> None:
        """Move facts to a term; pinned ones stay in the short one."""
        movable = (facts.c.pinned_at.is_(None),) if term is Term.LONG else ()
        self._change(_of(moved).where(*movable).values(term=term.value))

    def use(self, used: Iterable[FactId]) -> None:
        """Record that the facts were relevant to a question just now."""
        self._change(_of(used).values(used_at=utc_text(self._now())))

    def delete(self, deleted: Iterable[FactId]) -> None:
        """Hide the facts; `undelete` brings them back, a purge makes it final."""
        self._change(_of(deleted).values(deleted_at=utc_text(self._now())))

    def undelete(self, deleted: Iterable[FactId]) -> None:
        """Bring facts back, unless another one has the same words by now."""
        other = facts.alias("other")
        said_anew = (
            select(other.c.id)
            .where(
                other.c.folded == facts.c.folded,
                other.c.project == facts.c.project,
                other.c.id != facts.c.id,
                other.c.valid_to.is_(None),
                other.c.deleted_at.is_(None),
            )
            .correlate(facts)
        )
        with self._database.writing() as db:
            for fact_id in deleted:  # of two with the same words the first is restored
                back = _of([fact_id]).where(or_(~HOLDS, ~said_anew.exists()))
                db.execute(back.values(deleted_at=None))

    def is_forgotten(self, support: FactSupport) -> bool:
        """Whether a fact learned from these words was deleted."""
        end = support.start + support.length
        return any(
            other.start < end and other.start + other.length > support.start
            for other in self.forgotten([support.message_id])
        )

    def forgotten(self, among: Iterable[MessageId]) -> list[FactSupport]:
        """Return words of these messages that supported a fact which was deleted."""
        ids = listed(among)
        rows = self._rows(
            union(
                select(forgotten_words).where(forgotten_words.c.message_id.in_(ids)),
                select(*_SPAN)
                .join(facts, facts.c.id == fact_sources.c.fact_id)
                .where(facts.c.deleted_at.is_not(None), fact_sources.c.message_id.in_(ids)),
            )
        )
        return [FactSupport(*row) for row in rows]

    def _listed(self, query: Select[Any]) -> list[Fact]:
        return [fact_of(row) for row in self._rows(query)]


def _of(fact_ids: Iterable[FactId]) -> Update:
    return update(facts).where(facts.c.id.in_(listed(fact_ids)))


def _strengthen(
    db: Connection, fact_id: FactId, supports: Sequence[FactSupport], importance: int | None
) -> None:
    sources = select(fact_sources.c.message_id).where(fact_sources.c.fact_id == fact_id)
    message_ids = set(db.execute(sources).scalars())
    is_said_again = not supports or any(
        support.message_id not in message_ids for support in supports
    )
    add_supports(db, fact_id, supports)
    db.execute(
        _of([fact_id]).values(
            weight=facts.c.weight + int(is_said_again),
            importance=func.max(facts.c.importance, importance or 0),
        )
    )


def _reload(db: Connection, new: NewFact) -> bool:
    fact = replace(new.fact, project=project_named(db, new.fact.project))
    row = db.execute(select(facts.c.deleted_at).where(facts.c.id == fact.id)).one_or_none()
    if row is not None and row.deleted_at is None:
        return False
    if fact.is_valid and same_fact(db, fact) is not None:
        return False
    if row is None:
        insert_fact(db, replace(new, fact=replace(fact, replaced_by=None)))
    else:
        db.execute(_of([fact.id]).values(deleted_at=None))
    return True


# Built once: to build one takes longer than to run it, and every turn runs several.


@lru_cache(maxsize=64)
def _chosen(fact_filter: FactFilter) -> Select[Any]:
    query = select_facts().where(*fact_conditions(fact_filter)).order_by(*FACT_ORDER)
    return query.limit(bindparam("limit", type_=Integer)).offset(
        bindparam("offset", type_=Integer)
    )


@lru_cache(maxsize=64)
def _matching(fact_filter: FactFilter) -> Select[Any]:
    is_match = literal_column("fact_index").op("MATCH")(bindparam("expression"))
    return (
        select_facts((-_index.c.rank).label("score"))
        .join(_index, _index.c.rowid == facts.c.key)
        .where(is_match, *fact_conditions(fact_filter))
        .order_by(_index.c.rank)
        .limit(bindparam("limit", type_=Integer))
    )


FactKey = NewType("FactKey", int)


class FactVectorStore(ShortVectorStore[FactKey]):
    _of, _key = fact_vectors.c.fact_key, facts.c.key
    _texts = select(facts.c.key, facts.c.content.label("text")).where(SEEN, HOLDS)
    _is_kept_here = facts.c.project.in_(KEPT_HERE)

    def nearest(
        self, vector: Encoded, among: FactFilter, limit: int
    ) -> list[tuple[FactId, float]]:
        """Return facts by meaning, nearest first, each with its similarity: 1 means the same."""
        seen = select(facts.c.id).where(SEEN, *fact_conditions(among))
        rows = self._nearest(seen, vector, limit)
        return [(FactId(row.id), 1.0 - row.distance) for row in rows]
