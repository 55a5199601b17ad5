"""Facts that come in, with the words that support them, and their entries in the index."""

from collections.abc import Sequence

from sqlalchemy import Connection, text

from desktop.domain.facts import NewFact, Support
from desktop.domain.ids import FactId, MessageId
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters
from desktop.storage.facts.rows import fact_key


def insert_fact(db: Connection, new: NewFact) -> None:
    fact = new.fact
    content = whole_letters(" ".join(fact.content.split()))
    topic = whole_letters(" ".join(fact.topic.split()))
    added = db.execute(
        text(
            "INSERT INTO facts (id, topic, topic_folded, content, folded, about, importance, "
            "origin, term, valid_from, valid_to, message_id, weight, used_at, pinned_at, "
            "replaced_by) VALUES (:id, :topic, :topic_folded, :content, :folded, :about, "
            ":importance, :origin, :term, :valid_from, :valid_to, "
            "(SELECT id FROM messages WHERE id = :message_id), :weight, :used_at, "
            ":pinned_at, :replaced_by)"
        ),
        {
            "id": fact.id,
            "topic": topic,
            "topic_folded": fact_key(topic),
            "content": content,
            "folded": fact_key(content),
            "about": folded_key(whole_letters(fact.about)),
            "importance": fact.importance,
            "origin": fact.origin.value,
            "term": fact.term.value,
            "valid_from": utc_text(fact.valid_from),
            "valid_to": utc_text(fact.valid_to) if fact.valid_to else None,
            "message_id": fact.message_id
            or min((s.message_id for s in new.supports), default=None),
            "weight": fact.weight,
            "used_at": utc_text(fact.used_at) if fact.used_at else None,
            "pinned_at": utc_text(fact.valid_from) if fact.is_pinned else None,
            "replaced_by": fact.replaced_by,
        },
    )
    _index(db, added.lastrowid, topic, content)
    _support(db, fact.id, new.supports)


def _index(db: Connection, key: int, topic: str, content: str) -> None:
    db.execute(
        text("INSERT INTO fact_index (rowid, topic, content) VALUES (:key, :topic, :content)"),
        {"key": key, "topic": folded_key(topic), "content": folded_key(content)},
    )


def _support(db: Connection, fact_id: FactId, supports: Sequence[Support]) -> None:
    for one in supports:
        db.execute(
            text(
                "INSERT OR IGNORE INTO fact_sources SELECT :fact_id, :message_id, :start, :length "
                "WHERE EXISTS (SELECT 1 FROM messages WHERE id = :message_id)"
            ),
            {
                "fact_id": fact_id,
                "message_id": one.message_id,
                "start": one.start,
                "length": one.length,
            },
        )


def strengthen_fact(
    db: Connection, fact_id: FactId, supports: Sequence[Support], importance: int | None
) -> None:
    """It was said again, unless it is the same message that is read again."""
    known = _messages_of(db, fact_id)
    is_said_again = not supports or any(one.message_id not in known for one in supports)
    _support(db, fact_id, supports)
    db.execute(
        text(
            "UPDATE facts SET weight = weight + :more, "
            "importance = max(importance, coalesce(:importance, 0)) WHERE id = :id"
        ),
        {"id": fact_id, "importance": importance, "more": int(is_said_again)},
    )


def _messages_of(db: Connection, fact_id: FactId) -> set[MessageId]:
    rows = db.execute(
        text("SELECT message_id FROM fact_sources WHERE fact_id = :id"), {"id": fact_id}
    )
    return set(rows.scalars())


def index_facts(db: Connection) -> None:
    """Make the whole index anew from the rows."""
    db.exec_driver_sql("DELETE FROM fact_index")
    for row in db.exec_driver_sql("SELECT key, topic, content FROM facts").all():
        _index(db, row.key, row.topic, row.content)


def optimise_facts(db: Connection) -> None:
    """Merge the index so that deleted words are no longer in the file."""
    db.exec_driver_sql("INSERT INTO fact_index(fact_index) VALUES ('optimize')")
