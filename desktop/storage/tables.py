"""The tables of an archive, defined once: the schema of a new file and every ordinary query.

Full-text indexes and signs of vectors are virtual tables, which only text can make: `schema` and
`vectors` do. A change here needs a step in `schema` that brings older files to the same form;
columns are added at the end, as ALTER TABLE does.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import (
    REAL,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

METADATA = MetaData()


def _table(name: str, *parts: Column[Any] | CheckConstraint, has_rowid: bool = True) -> Table:
    return Table(name, METADATA, *parts, sqlite_with_rowid=has_rowid)


def _index(name: str, *columns: Column[Any], where: str = "", unique: bool = False) -> None:
    Index(name, *columns, unique=unique, sqlite_where=text(where) if where else None)


def _text(name: str, default: str | None = None, *, unique: bool | None = None) -> Column[str]:
    quoted = None if default is None else text(f"'{default}'")
    return Column(name, Text, nullable=False, server_default=quoted, unique=unique)


def _number(name: str, default: int | None = None) -> Column[int]:
    value = None if default is None else text(str(default))
    return Column(name, Integer, nullable=False, server_default=value)


def _texts(*names: str) -> Iterator[Column[str]]:
    return map(_text, names)


def _numbers(*names: str) -> Iterator[Column[int]]:
    return map(_number, names)


def _optional_texts(*names: str) -> Iterator[Column[str]]:
    return (Column(name, Text) for name in names)


def _key(name: str) -> Column[int]:
    """Return the key by which SQLite stores the rows; it is never NULL."""
    return Column(name, Integer, primary_key=True, nullable=True)


def _text_key(name: str) -> Column[str]:
    return Column(name, Text, primary_key=True, nullable=False)


def _belongs_to(
    name: str, target: str, *, primary_key: bool = False, nullable: bool = False
) -> Column[Any]:
    """Return a foreign key: a row is deleted with its owner."""
    kind = Integer if target == "messages.id" or target.endswith(".key") else Text
    reference = ForeignKey(target, ondelete="CASCADE")
    return Column(name, kind, reference, primary_key=primary_key, nullable=nullable)


def _one_of(column: str, *values: str) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(map(repr, values))})")


def _tokens() -> Iterator[Column[int]]:
    return _numbers("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


def _cost() -> Column[float]:
    return Column("cost_usd", REAL)


sessions = _table(
    "sessions",
    _key("key"),
    _text("id", unique=True),
    _text("status"),
    *_optional_texts("title", "summary", "described_by", "language"),
    *_texts("created_at", "updated_at"),
    *_optional_texts("ended_at", "end_reason", "pinned_at", "deleted_at", "indexed_at"),
    _number("description_due", 0),
    _number("message_count", 0),
    _text("opening", ""),
    *_optional_texts("embedded_at", "learned_at"),
    _number("learning_failures", 0),
    Column("refined_at", Text),
    _one_of("status", "active", "complete"),
)
_index("one_active_session", sessions.c.status, unique=True, where="status = 'active'")
_index("sessions_by_time", sessions.c.updated_at)
_index(
    "sessions_to_embed", sessions.c.updated_at, where="status = 'complete' AND embedded_at IS NULL"
)

messages = _table(
    "messages",
    _key("id"),
    _belongs_to("session_id", "sessions.id"),
    _number("number"),
    Column("parent_id", Integer),
    _number("is_current", 1),
    *_texts("role", "content", "state", "created_at"),
    *_optional_texts("ref", "model", "error"),
    Column("duration_ms", Integer),
    _one_of("role", "user", "assistant"),
    _one_of("state", "complete", "streaming", "stopped", "interrupted", "failed"),
)
_index(
    "current_messages",
    messages.c.session_id,
    messages.c.number,
    unique=True,
    where="is_current = 1",
)
_index("messages_of_session", messages.c.session_id)
_index("messages_unfinished", messages.c.state, where="state = 'streaming'")

topics = _table("topics", _key("id"), _text("name"), _text("folded", unique=True))

session_topics = _table(
    "session_topics",
    _belongs_to("session_id", "sessions.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    Column("topic_id", Integer, ForeignKey("topics.id"), nullable=False),
    has_rowid=False,
)
_index("sessions_of_topic", session_topics.c.topic_id)

compacts = _table(
    "compacts",
    _key("id"),
    _belongs_to("session_id", "sessions.id"),
    *_numbers("from_number", "to_number", "last_message_id"),
    *_texts("summary", "created_at"),
    CheckConstraint("from_number <= to_number"),
)
_index("compacts_of_session", compacts.c.session_id)

compact_failures = _table(
    "compact_failures",
    _belongs_to("session_id", "sessions.id", primary_key=True),
    *_numbers("covered", "messages"),
    has_rowid=False,
)

citations = _table(
    "citations",
    _belongs_to("message_id", "messages.id", primary_key=True),
    Column("number", Integer, primary_key=True, nullable=False),
    *_texts("state", "quote", "source_id", "passage_id", "title"),
    has_rowid=False,
)
_index("citations_by_source", citations.c.source_id)

ratings = _table(
    "ratings",
    _belongs_to("message_id", "messages.id", primary_key=True, nullable=True),
    *_texts("thumb", "words", "created_at"),
    _one_of("thumb", "up", "down"),
)

usage = _table(
    "usage",
    _key("id"),
    _belongs_to("session_id", "sessions.id"),
    Column("message_id", Integer),
    *_texts("purpose", "model"),
    *_tokens(),
    _cost(),
    _text("created_at"),
)
_index("usage_of_session", usage.c.session_id)

drafts = _table(
    "drafts",
    _text_key("session_id"),
    _text("text"),
    Column("anchor_number", Integer),
    _number("anchor_offset"),
    _text("updated_at"),
    _text("beside", "[]"),
    has_rowid=False,
)

moved_sessions = _table(
    "moved_sessions", _text_key("session_id"), _text("now_in"), has_rowid=False
)

split_sessions = _table(
    "split_sessions", _text_key("session_id"), _text("split_from"), has_rowid=False
)

vector_model = _table(
    "vector_model", _key("only"), _text("name"), _number("dimensions"), CheckConstraint("only = 1")
)

vectors = _table(
    "vectors",
    _key("id"),
    _belongs_to("message_id", "messages.id"),
    Column("numbers", LargeBinary, nullable=False),
)
_index("vectors_of_message", vectors.c.message_id)

facts = _table(
    "facts",
    _key("key"),
    _text("id", unique=True),
    *_texts("topic", "topic_folded", "content", "folded"),
    _text("about", ""),
    _number("importance"),
    *_texts("origin", "term", "valid_from"),
    Column("valid_to", Text),
    Column("message_id", Integer, ForeignKey("messages.id", ondelete="SET NULL")),
    _number("weight", 1),
    *_optional_texts("used_at", "pinned_at"),
    Column("replaced_by", Text, ForeignKey("facts.id", ondelete="SET NULL")),
    Column("deleted_at", Text),
    CheckConstraint("importance BETWEEN 1 AND 10"),
    _one_of("origin", "session", "user", "directive"),
    _one_of("term", "short", "long"),
)
_index("facts_by_words", facts.c.folded)
_index("facts_by_term", facts.c.term, facts.c.valid_from)
_index("facts_of_message", facts.c.message_id)
_index("facts_replaced", facts.c.replaced_by)

fact_sources = _table(
    "fact_sources",
    _belongs_to("fact_id", "facts.id", primary_key=True),
    _belongs_to("message_id", "messages.id", primary_key=True),
    Column("start", Integer, primary_key=True, nullable=False),
    _number("length"),
    has_rowid=False,
)
_index("fact_sources_of_message", fact_sources.c.message_id)

forgotten_words = _table(
    "forgotten_words",
    _belongs_to("message_id", "messages.id", primary_key=True),
    Column("start", Integer, primary_key=True, nullable=False),
    Column("length", Integer, primary_key=True, nullable=False),
    has_rowid=False,
)

facts_sent = _table(
    "facts_sent",
    _belongs_to("message_id", "messages.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    _belongs_to("fact_id", "facts.id"),
    has_rowid=False,
)
_index("facts_sent_by_fact", facts_sent.c.fact_id)

refused_facts = _table(
    "refused_facts",
    _belongs_to("session_id", "sessions.id", primary_key=True),
    _text_key("reason"),
    _number("count"),
    has_rowid=False,
)

settled_conflicts = _table(
    "settled_conflicts",
    _belongs_to("fact_id", "facts.id", primary_key=True),
    _belongs_to("other_id", "facts.id", primary_key=True),
    has_rowid=False,
)
_index("settled_conflicts_of_other", settled_conflicts.c.other_id)

fact_vectors = _table(
    "fact_vectors",
    _belongs_to("fact_key", "facts.key", primary_key=True, nullable=True),
    Column("numbers", LargeBinary, nullable=False),
)

sources = _table(
    "sources",
    _key("key"),
    _text("id", unique=True),
    *_texts("kind", "title", "address", "added_at", "read_at", "sha256"),
    Column("language", Text),
    Column("pages", Integer),
    _text("state"),
    _number("passage_count", 0),
    *_optional_texts("copy", "embedded_at", "deleted_at"),
    _text("author", ""),
    _text("published", ""),
    Column("refined_at", Text),
    _one_of("kind", "document", "web"),
    _one_of("state", "complete", "partial"),
)
_index("sources_by_hash", sources.c.sha256)
_index("sources_by_address", sources.c.address)
_index("sources_to_embed", sources.c.added_at, where="embedded_at IS NULL")

source_passages = _table(
    "source_passages",
    _key("key"),
    _text("id", unique=True),
    _belongs_to("source_id", "sources.id"),
    _number("number"),
    Column("page", Integer),
    *_texts("heading", "text"),
    Column("replaced_at", Text),
)
_index("passages_of_source", source_passages.c.source_id, source_passages.c.number)
_index("passages_replaced", source_passages.c.replaced_at, where="replaced_at IS NOT NULL")

source_vectors = _table(
    "source_vectors",
    _key("id"),
    _belongs_to("passage_key", "source_passages.key"),
    Column("numbers", LargeBinary, nullable=False),
)
_index("vectors_of_passage", source_vectors.c.passage_key)

contacted_addresses = _table(
    "contacted_addresses",
    _key("id"),
    *_texts("at", "purpose", "address", "outcome"),
    _belongs_to("session_id", "sessions.id", nullable=True),
    _one_of("purpose", "search", "robots", "page"),
)
_index("contacted_in_session", contacted_addresses.c.session_id)
_index("contacted_by_time", contacted_addresses.c.at)

research_runs = _table(
    "research_runs",
    _text_key("id"),
    _belongs_to("session_id", "sessions.id"),
    _belongs_to("message_id", "messages.id"),
    _text("started_at"),
    has_rowid=False,
)
_index("research_runs_of_session", research_runs.c.session_id)
_index("research_runs_of_message", research_runs.c.message_id)

research_steps = _table(
    "research_steps",
    _belongs_to("run_id", "research_runs.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    *_texts("name", "result", "model"),
    *_tokens(),
    _cost(),
    *_numbers("searches", "fetches"),
    Column("seconds", REAL, nullable=False),
    has_rowid=False,
)
_index("research_steps_by_name", research_steps.c.run_id, research_steps.c.name, unique=True)

phases = _table(
    "phases",
    _key("id"),
    _belongs_to("session_id", "sessions.id"),
    *_texts("turn_id", "phase", "started_at"),
    _number("duration_ms"),
    _text("outcome"),
    *_tokens(),
    _cost(),
    _number("items"),
    _text("detail"),
)
_index("phases_of_session", phases.c.session_id)

work_done = _table(
    "work_done",
    _belongs_to("message_id", "messages.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    _number("phase"),
    *_texts("sort", "name", "about", "state"),
    _number("found"),
    *_tokens(),
    _cost(),
    _number("duration_ms"),
    *_texts("trouble", "source_id", "address"),
    _number("is_suspicious"),
    has_rowid=False,
)
_index("work_done_by_source", work_done.c.source_id)
