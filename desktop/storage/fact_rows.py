"""Facts as rows: which are seen, which are wanted, and how a row becomes a fact.

A fact is seen while somebody's words support it: where it was said stands in `fact_sources`, and
one whose every source is in a deleted session is out of sight with it. One that was written by
hand has no source and needs none.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    or_,
    select,
)

from desktop.domain.errors import FactUnknownError
from desktop.domain.facts import (
    Fact,
    FactFilter,
    Origin,
    Term,
)
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters
from desktop.storage.row_mapping import (
    EVER,
    DatabaseRow,
    read_choice,
    read_time,
    read_time_or_none,
)
from desktop.storage.tables import fact_sources, facts, messages, sessions

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
FACT_ORDER = (
    facts.c.pinned_at.is_(None),
    facts.c.importance.desc(),
    facts.c.valid_from.desc(),
    facts.c.key.desc(),
)


def select_facts(*more: ColumnElement[Any]) -> Select[Any]:
    """Every fact that is seen, with where it was said first."""
    return (
        select(facts, messages.c.session_id, messages.c.number.label("message_number"), *more)
        .outerjoin(messages, messages.c.id == facts.c.message_id)
        .where(SEEN)
    )


def fact_in(db: Connection, fact_id: FactId) -> Fact:
    """Raises FactUnknownError."""
    row = db.execute(select_facts().where(facts.c.id == fact_id)).one_or_none()
    if row is None:
        raise FactUnknownError(fact=fact_id)
    return fact_of(row)


def same_fact(db: Connection, content: str) -> Fact | None:
    """The fact that holds in the same words."""
    row = db.execute(
        select_facts().where(HOLDS, facts.c.folded == fact_key(content)).limit(1)
    ).one_or_none()
    return fact_of(row) if row else None


def fact_key(content: str) -> str:
    """What two ways of writing the same words have in common."""
    return " ".join(folded_key(whole_letters(content)).split()).strip(" .!")


def fact_conditions(wanted: FactFilter) -> Sequence[ColumnElement[bool]]:
    conditions = [
        facts.c.importance >= wanted.least_importance,
        facts.c.valid_from >= (utc_text(wanted.since) if wanted.since else ""),
        facts.c.valid_from < (utc_text(wanted.until) if wanted.until else EVER),
    ]
    if wanted.is_valid is not None:
        conditions.append(HOLDS if wanted.is_valid else ~HOLDS)
    if wanted.term is not None:
        conditions.append(facts.c.term == wanted.term.value)
    if wanted.topic is not None:
        conditions.append(facts.c.topic_folded == fact_key(wanted.topic))
    if wanted.session_id is not None:
        said_there = _support.join(_said, _said.c.id == fact_sources.c.message_id).where(
            _said.c.session_id == wanted.session_id
        )
        conditions.append(said_there.exists())
    return conditions


def fact_of(row: DatabaseRow) -> Fact:
    return Fact(
        id=FactId(row.id),
        topic=row.topic,
        content=row.content,
        importance=row.importance,
        origin=read_choice(row.origin, Origin.SESSION),
        term=read_choice(row.term, Term.LONG),
        valid_from=read_time(row.valid_from),
        valid_to=read_time_or_none(row.valid_to),
        about=row.about,
        message_id=MessageId(row.message_id) if row.message_id else None,
        session_id=SessionId(row.session_id) if row.session_id else None,
        message_number=row.message_number,
        weight=row.weight,
        used_at=read_time_or_none(row.used_at),
        is_pinned=row.pinned_at is not None,
        replaced_by=FactId(row.replaced_by) if row.replaced_by else None,
    )
