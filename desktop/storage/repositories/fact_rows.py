"""Facts as rows: which are visible, how a row becomes a fact, and what a purge removes.

A fact is visible while the words of a message support it: `fact_sources` holds where it was said,
and a fact whose sources are all in deleted sessions is hidden with them. A fact that was written
by hand has no source and needs none. A fact that is deleted for good leaves a mark that keeps it
from being learned again: the span of the message that supported it. The mark holds no word, and is
deleted with the message.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    column,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    table,
    update,
)

from desktop.domain.errors import FactUnknownError
from desktop.domain.facts import Fact, FactFilter, FactSupport, NewFact
from desktop.domain.ids import FactId
from desktop.domain.projects import Wall
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates, folded_key, index_text
from desktop.storage.schema.row_mapping import (
    EVER,
    DatabaseRow,
    listed,
    read_value,
    values_of,
    within_or_common,
)
from desktop.storage.schema.tables import fact_sources, facts, forgotten_words, messages, sessions

_index = table("fact_index", column("rowid"), column("topic"), column("content"))
_support = (
    select(fact_sources.c.fact_id).where(fact_sources.c.fact_id == facts.c.id).correlate(facts)
)
_said = messages.alias("said")
_live_support = (
    _support.join(_said, _said.c.id == fact_sources.c.message_id)
    .join(sessions, sessions.c.id == _said.c.session_id)
    .where(sessions.c.deleted_at.is_(None))
)
SEEN = facts.c.deleted_at.is_(None) & or_(~_support.exists(), _live_support.exists())
HOLDS = facts.c.valid_to.is_(None)
_FACT_FIELDS = (
    "id", "importance", "origin", "term", "valid_from", "valid_to", "weight", "used_at",
    "replaced_by", "project",
)  # fmt: skip
FACT_ORDER = (
    facts.c.pinned_at.is_(None),
    facts.c.importance.desc(),
    facts.c.valid_from.desc(),
    facts.c.key.desc(),
)


def select_facts(*more: ColumnElement[Any]) -> Select[Any]:
    """Select every visible fact, with the first place where it was stated."""
    return (
        select(facts, messages.c.session_id, messages.c.number.label("message_number"), *more)
        .outerjoin(messages, messages.c.id == facts.c.message_id)
        .where(SEEN)
    )


def fact_in(db: Connection, fact_id: FactId) -> Fact:
    """Return the fact; raises FactUnknownError."""
    row = db.execute(select_facts().where(facts.c.id == fact_id)).one_or_none()
    if row is None:
        raise FactUnknownError(fact=fact_id)
    return fact_of(row)


def same_fact(db: Connection, fact: Fact) -> Fact | None:
    """Return the current fact with the same words, of its project or common, if any."""
    row = db.execute(
        select_facts()
        .where(HOLDS, facts.c.folded == fact_key(fact.content))
        .where(within_or_common(facts.c.project, Wall(fact.project)))
        .order_by(facts.c.project)
        .limit(1)
    ).one_or_none()
    return fact_of(row) if row else None


def fact_key(content: str) -> str:
    """Return a key that is equal for different spellings of the same words."""
    return " ".join(folded_key(fix_surrogates(content)).split()).strip(" .!")


def fact_conditions(fact_filter: FactFilter) -> Sequence[ColumnElement[bool]]:
    conditions = [
        within_or_common(facts.c.project, fact_filter.wall),
        facts.c.importance >= fact_filter.least_importance,
        facts.c.valid_from >= (utc_text(fact_filter.since) if fact_filter.since else ""),
        facts.c.valid_from < (utc_text(fact_filter.until) if fact_filter.until else EVER),
    ]
    if fact_filter.is_valid is not None:
        conditions.append(HOLDS if fact_filter.is_valid else ~HOLDS)
    if fact_filter.term is not None:
        conditions.append(facts.c.term == fact_filter.term.value)
    if fact_filter.topic is not None:
        conditions.append(facts.c.topic_folded == fact_key(fact_filter.topic))
    if fact_filter.session_id is not None:
        said_there = _support.join(_said, _said.c.id == fact_sources.c.message_id).where(
            _said.c.session_id == fact_filter.session_id
        )
        conditions.append(said_there.exists())
    return conditions


def fact_of(row: DatabaseRow) -> Fact:
    return read_value(Fact, row, is_pinned=row.pinned_at is not None)


def insert_fact(db: Connection, new: NewFact) -> None:
    fact = new.fact
    content = fix_surrogates(" ".join(fact.content.split()))
    topic = fix_surrogates(" ".join(fact.topic.split()))
    said_in = fact.message_id or min(
        (support.message_id for support in new.supports), default=None
    )
    added = db.execute(
        insert(facts).values(
            **values_of(fact, _FACT_FIELDS),
            topic=topic,
            topic_folded=fact_key(topic),
            content=content,
            folded=fact_key(content),
            about=folded_key(fix_surrogates(fact.about)),
            message_id=select(messages.c.id).where(messages.c.id == said_in).scalar_subquery(),
            pinned_at=utc_text(fact.valid_from) if fact.is_pinned else None,
        )
    )
    _index_fact(db, added.lastrowid, topic, content)
    add_supports(db, fact.id, new.supports)


def _index_fact(db: Connection, key: int, topic: str, content: str) -> None:
    db.execute(
        insert(_index).values(rowid=key, topic=index_text(topic), content=index_text(content))
    )


def add_supports(db: Connection, fact_id: FactId, supports: Sequence[FactSupport]) -> None:
    for support in supports:
        row = select(
            literal(fact_id), messages.c.id, literal(support.start), literal(support.length)
        ).where(messages.c.id == support.message_id)
        db.execute(
            insert(fact_sources)
            .prefix_with("OR IGNORE")
            .from_select(["fact_id", "message_id", "start", "length"], row)
        )


def purge_facts(db: Connection, until: str) -> int:
    """Remove facts deleted before a moment, and those that only deleted sessions support.

    Call it before the rows of those sessions are removed. Returns how many were removed.
    """
    stays = or_(sessions.c.deleted_at.is_(None), sessions.c.deleted_at >= until)
    staying = (
        _support.join(messages, messages.c.id == fact_sources.c.message_id)
        .join(sessions, sessions.c.id == messages.c.session_id)
        .where(stays)
    )
    without_support = and_(_support.exists(), ~staying.exists())
    is_gone = or_(facts.c.deleted_at < until, without_support)
    gone = list(db.execute(select(facts.c.id).where(is_gone)).scalars())
    _remove(db, gone)
    # What other sessions support as well stays, and points to one of them.
    deleted = (
        select(messages.c.id)
        .join(sessions, sessions.c.id == messages.c.session_id)
        .where(sessions.c.deleted_at < until)
    )
    elsewhere = staying.with_only_columns(func.min(fact_sources.c.message_id))
    moved = update(facts).where(facts.c.message_id.in_(deleted))
    db.execute(moved.values(message_id=elsewhere.scalar_subquery()))
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
    db.execute(delete(_index))
    for row in db.execute(select(facts.c.key, facts.c.topic, facts.c.content)).all():
        _index_fact(db, row.key, row.topic, row.content)
