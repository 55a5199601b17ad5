"""Changes of facts: stored, strengthened, replaced, deleted, brought back, and purged.

An older fact keeps the time in which it held. A fact that is deleted for good leaves a mark that
keeps it from being learned again: the span of the message that it rested on. The mark holds no
word, and goes with the message.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import (
    Connection,
    and_,
    column,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    table,
    union,
    update,
)

from desktop.domain.errors import FactUnknownError
from desktop.domain.facts import Fact, NewFact, Support
from desktop.domain.ids import FactId, MessageId
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters
from desktop.storage.database import Database
from desktop.storage.fact_rows import fact_key, fact_of, same_fact, select_facts
from desktop.storage.row_mapping import listed, time_or_none
from desktop.storage.tables import (
    fact_sources,
    facts,
    forgotten_words,
    messages,
    sessions,
    settled_conflicts,
)

_index = table("fact_index", column("rowid"), column("topic"), column("content"))
_HOLDS = facts.c.valid_to.is_(None)


def insert_fact(db: Connection, new: NewFact) -> None:
    fact = new.fact
    content = whole_letters(" ".join(fact.content.split()))
    topic = whole_letters(" ".join(fact.topic.split()))
    said_in = fact.message_id or min((one.message_id for one in new.supports), default=None)
    added = db.execute(
        insert(facts).values(
            id=fact.id,
            topic=topic,
            topic_folded=fact_key(topic),
            content=content,
            folded=fact_key(content),
            about=folded_key(whole_letters(fact.about)),
            importance=fact.importance,
            origin=fact.origin.value,
            term=fact.term.value,
            valid_from=utc_text(fact.valid_from),
            valid_to=time_or_none(fact.valid_to),
            message_id=select(messages.c.id).where(messages.c.id == said_in).scalar_subquery(),
            weight=fact.weight,
            used_at=time_or_none(fact.used_at),
            pinned_at=utc_text(fact.valid_from) if fact.is_pinned else None,
            replaced_by=fact.replaced_by,
        )
    )
    _index_fact(db, added.lastrowid, topic, content)
    _add_supports(db, fact.id, new.supports)


def _index_fact(db: Connection, key: int, topic: str, content: str) -> None:
    db.execute(
        insert(_index).values(rowid=key, topic=folded_key(topic), content=folded_key(content))
    )


def _add_supports(db: Connection, fact_id: FactId, supports: Sequence[Support]) -> None:
    for one in supports:
        row = select(
            literal(fact_id), messages.c.id, literal(one.start), literal(one.length)
        ).where(messages.c.id == one.message_id)
        db.execute(
            insert(fact_sources)
            .prefix_with("OR IGNORE")
            .from_select(["fact_id", "message_id", "start", "length"], row)
        )


def strengthen_fact(
    db: Connection, fact_id: FactId, supports: Sequence[Support], importance: int | None
) -> None:
    """It was said again, unless it is the same message that is read again."""
    known = set(
        db.execute(
            select(fact_sources.c.message_id).where(fact_sources.c.fact_id == fact_id)
        ).scalars()
    )
    is_said_again = not supports or any(one.message_id not in known for one in supports)
    _add_supports(db, fact_id, supports)
    db.execute(
        update(facts)
        .where(facts.c.id == fact_id)
        .values(
            weight=facts.c.weight + int(is_said_again),
            importance=func.max(facts.c.importance, importance or 0),
        )
    )


def older_than(db: Connection, fact_id: FactId) -> list[Fact]:
    """What a fact took the place of, the newest first."""
    older = (
        select(facts.c.id, literal(1).label("depth"))
        .where(facts.c.replaced_by == fact_id)
        .cte("older", recursive=True)
    )
    further = facts.alias("further")
    older = older.union(
        select(further.c.id, older.c.depth + 1).join(older, further.c.replaced_by == older.c.id)
    )
    rows = db.execute(
        select_facts()
        .join(older, older.c.id == facts.c.id)
        .order_by(older.c.depth, facts.c.valid_to.desc())
    )
    return [fact_of(row) for row in rows]


def replace_fact(
    db: Connection, older: FactId, newer: NewFact, also: Sequence[FactId] = ()
) -> None:
    """Raises FactUnknownError where the older one is gone, or ended already."""
    at = utc_text(newer.fact.valid_from)
    ended = db.execute(update(facts).where(facts.c.id == older, _HOLDS).values(valid_to=at))
    if ended.rowcount == 0:
        raise FactUnknownError(fact=older)
    insert_fact(db, newer)
    db.execute(update(facts).where(facts.c.id == older).values(replaced_by=newer.fact.id))
    db.execute(
        update(facts)
        .where(_HOLDS, facts.c.id.in_(listed(also)), facts.c.id != newer.fact.id)
        .values(valid_to=at, replaced_by=newer.fact.id)
    )


def end_fact(db: Connection, older: FactId, newer: Fact) -> None:
    """A known fact takes the place of an older one, which held until then."""
    db.execute(
        update(facts)
        .where(facts.c.id == older, _HOLDS)
        .values(valid_to=utc_text(newer.valid_from), replaced_by=newer.id)
    )


def let_hold_again(db: Connection, newer: FactId) -> None:
    """What a fact took the place of holds, as if it never had."""
    db.execute(
        update(facts).where(facts.c.replaced_by == newer).values(valid_to=None, replaced_by=None)
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


def delete_facts(db: Connection, deleted: Iterable[FactId], at: str) -> None:
    db.execute(update(facts).where(facts.c.id.in_(listed(deleted))).values(deleted_at=at))


def undelete_facts(db: Connection, deleted: Iterable[FactId]) -> None:
    """One that another says in the same words by now stays away."""
    other = facts.alias("other")
    said_anew = (
        select(other.c.id)
        .where(
            other.c.folded == facts.c.folded,
            other.c.id != facts.c.id,
            other.c.valid_to.is_(None),
            other.c.deleted_at.is_(None),
        )
        .correlate(facts)
        .exists()
    )
    for fact_id in deleted:
        db.execute(
            update(facts)
            .where(facts.c.id == fact_id, or_(~_HOLDS, ~said_anew))
            .values(deleted_at=None)
        )


def rests_on_forgotten(db: Connection, support: Support) -> bool:
    """Whether what was learned from these words was deleted."""
    end = support.start + support.length
    return any(
        one.start < end and one.start + one.length > support.start
        for one in forgotten_in(db, [support.message_id])
    )


def forgotten_in(db: Connection, among: Iterable[MessageId]) -> list[Support]:
    """Words of these messages from which something was learned that was deleted."""
    ids = listed(among)
    rows = db.execute(
        union(
            select(forgotten_words).where(forgotten_words.c.message_id.in_(ids)),
            select(fact_sources.c.message_id, fact_sources.c.start, fact_sources.c.length)
            .join(facts, facts.c.id == fact_sources.c.fact_id)
            .where(facts.c.deleted_at.is_not(None), fact_sources.c.message_id.in_(ids)),
        )
    )
    return [Support(MessageId(row[0]), row[1], row[2]) for row in rows]


def purge_facts(db: Connection, until: str) -> int:
    """Remove what was deleted before a moment, and what only deleted sessions support.

    Before the rows of those sessions go. Returns how many there were.
    """
    stays = or_(sessions.c.deleted_at.is_(None), sessions.c.deleted_at >= until)
    support = select(fact_sources.c.fact_id).where(fact_sources.c.fact_id == facts.c.id)
    staying = (
        support.join(messages, messages.c.id == fact_sources.c.message_id)
        .join(sessions, sessions.c.id == messages.c.session_id)
        .where(stays)
        .correlate(facts)
    )
    without_support = and_(support.exists(), ~staying.exists())
    gone = list(
        db.execute(
            select(facts.c.id).where(or_(facts.c.deleted_at < until, without_support))
        ).scalars()
    )
    _remove(db, gone)
    # What other sessions support as well stays, and points to one of them.
    deleted = (
        select(messages.c.id)
        .join(sessions, sessions.c.id == messages.c.session_id)
        .where(sessions.c.deleted_at < until)
    )
    elsewhere = staying.with_only_columns(func.min(fact_sources.c.message_id))
    db.execute(
        update(facts)
        .where(facts.c.message_id.in_(deleted))
        .values(message_id=elsewhere.scalar_subquery())
    )
    return len(gone)


def _remove(db: Connection, gone: Sequence[str]) -> None:
    marks = select(fact_sources.c.message_id, fact_sources.c.start, fact_sources.c.length).where(
        fact_sources.c.fact_id.in_(listed(gone))
    )
    db.execute(
        insert(forgotten_words)
        .prefix_with("OR IGNORE")
        .from_select(["message_id", "start", "length"], marks)
    )
    keys = select(facts.c.key).where(facts.c.id.in_(listed(gone)))
    db.execute(delete(_index).where(_index.c.rowid.in_(keys)))
    db.execute(delete(facts).where(facts.c.id.in_(listed(gone))))


def index_facts(db: Connection) -> None:
    """Make the whole index anew from the rows."""
    db.execute(delete(_index))
    for row in db.execute(select(facts.c.key, facts.c.topic, facts.c.content)).all():
        _index_fact(db, row.key, row.topic, row.content)


def optimise_facts(db: Connection) -> None:
    """Merge the index so that deleted words are no longer in the file."""
    db.exec_driver_sql("INSERT INTO fact_index(fact_index) VALUES ('optimize')")


def reload_facts(database: Database, several: Sequence[NewFact]) -> list[FactId]:
    """Add the facts of a file that are missing, with their ids, times and what replaced them.

    Returns what was added. One that exists in the same words is not added, one that was deleted
    and can still be brought back is. Sources that are gone are left out. Raises StorageError.
    """
    with database.writing() as db:
        added = [new.fact for new in several if _reload(db, new)]
        for fact in added:
            # What took its place may stand further down in the file, or be gone.
            newer = select(facts.c.id).where(facts.c.id == fact.replaced_by)
            if db.execute(newer).first() is not None:
                db.execute(
                    update(facts).where(facts.c.id == fact.id).values(replaced_by=fact.replaced_by)
                )
    return [fact.id for fact in added]


def _reload(db: Connection, new: NewFact) -> bool:
    fact = new.fact
    row = db.execute(select(facts.c.deleted_at).where(facts.c.id == fact.id)).one_or_none()
    if row is not None and row.deleted_at is None:
        return False
    if fact.is_valid and same_fact(db, fact.content) is not None:
        return False
    if row is None:
        insert_fact(db, replace(new, fact=replace(fact, replaced_by=None)))
    else:
        db.execute(update(facts).where(facts.c.id == fact.id).values(deleted_at=None))
    return True
