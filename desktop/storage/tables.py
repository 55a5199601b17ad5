"""The tables of an archive, defined once: the schema of a new file and every ordinary query.

Full-text indexes and signs of vectors are virtual tables, which only text can make: `schema` and
`vectors` do. A change here needs a step in `schema` that brings older files to the same form;
columns are added at the end, as ALTER TABLE does.
"""

from collections.abc import Iterator

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


def _text(name: str, default: str | None = None, *, unique: bool | None = None) -> Column[str]:
    quoted = None if default is None else text(f"'{default}'")
    return Column(name, Text, nullable=False, server_default=quoted, unique=unique)


def _texts(*names: str) -> Iterator[Column[str]]:
    return map(_text, names)


def _number(name: str, default: int | None = None) -> Column[int]:
    value = None if default is None else text(str(default))
    return Column(name, Integer, nullable=False, server_default=value)


def _numbers(*names: str) -> Iterator[Column[int]]:
    return map(_number, names)


def _optional_text(name: str) -> Column[str]:
    return Column(name, Text)


def _optional_texts(*names: str) -> Iterator[Column[str]]:
    return map(_optional_text, names)


def _optional_number(name: str) -> Column[int]:
    return Column(name, Integer)


def _key(name: str) -> Column[int]:
    """By which SQLite stores the rows; it is never NULL, and nothing needs to say so."""
    return Column(name, Integer, primary_key=True, nullable=True)


def _text_key(name: str) -> Column[str]:
    return Column(name, Text, primary_key=True, nullable=False)


def _belongs_to(
    name: str, target: str, *, primary_key: bool = False, nullable: bool = False
) -> Column[str] | Column[int]:
    """A row goes when what it belongs to goes for good."""
    reference = ForeignKey(target, ondelete="CASCADE")
    if target in {"sessions.id", "facts.id", "sources.id", "research_runs.id"}:
        return Column(name, Text, reference, primary_key=primary_key, nullable=nullable)
    return Column(name, Integer, reference, primary_key=primary_key, nullable=nullable)


def _one_of(column: str, *values: str) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(map(repr, values))})")


def _tokens() -> Iterator[Column[int]]:
    return _numbers("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


def _cost() -> Column[float]:
    return Column("cost_usd", REAL)


sessions = Table(
    "sessions",
    METADATA,
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
    _optional_text("refined_at"),
    _one_of("status", "active", "complete"),
)
Index(
    "one_active_session",
    sessions.c.status,
    unique=True,
    sqlite_where=text("status = 'active'"),
)
Index("sessions_by_time", sessions.c.updated_at)
Index(
    "sessions_to_embed",
    sessions.c.updated_at,
    sqlite_where=text("status = 'complete' AND embedded_at IS NULL"),
)

messages = Table(
    "messages",
    METADATA,
    _key("id"),
    _belongs_to("session_id", "sessions.id"),
    _number("number"),
    _optional_number("parent_id"),
    _number("is_current", 1),
    *_texts("role", "content", "state", "created_at"),
    *_optional_texts("ref", "model", "error"),
    _optional_number("duration_ms"),
    _one_of("role", "user", "assistant"),
    _one_of("state", "complete", "streaming", "stopped", "interrupted", "failed"),
)
Index(
    "current_messages",
    messages.c.session_id,
    messages.c.number,
    unique=True,
    sqlite_where=text("is_current = 1"),
)
Index("messages_of_session", messages.c.session_id)
Index("messages_unfinished", messages.c.state, sqlite_where=text("state = 'streaming'"))

topics = Table("topics", METADATA, _key("id"), _text("name"), _text("folded", unique=True))

session_topics = Table(
    "session_topics",
    METADATA,
    _belongs_to("session_id", "sessions.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    Column("topic_id", Integer, ForeignKey("topics.id"), nullable=False),
    sqlite_with_rowid=False,
)
Index("sessions_of_topic", session_topics.c.topic_id)

compacts = Table(
    "compacts",
    METADATA,
    _key("id"),
    _belongs_to("session_id", "sessions.id"),
    *_numbers("from_number", "to_number", "last_message_id"),
    *_texts("summary", "created_at"),
    CheckConstraint("from_number <= to_number"),
)
Index("compacts_of_session", compacts.c.session_id)

compact_failures = Table(
    "compact_failures",
    METADATA,
    _belongs_to("session_id", "sessions.id", primary_key=True),
    *_numbers("covered", "messages"),
    sqlite_with_rowid=False,
)

citations = Table(
    "citations",
    METADATA,
    _belongs_to("message_id", "messages.id", primary_key=True),
    Column("number", Integer, primary_key=True, nullable=False),
    *_texts("state", "quote", "source_id", "passage_id", "title"),
    sqlite_with_rowid=False,
)
Index("citations_by_source", citations.c.source_id)

ratings = Table(
    "ratings",
    METADATA,
    _belongs_to("message_id", "messages.id", primary_key=True, nullable=True),
    *_texts("thumb", "words", "created_at"),
    _one_of("thumb", "up", "down"),
)

usage = Table(
    "usage",
    METADATA,
    _key("id"),
    _belongs_to("session_id", "sessions.id"),
    _optional_number("message_id"),
    *_texts("purpose", "model"),
    *_tokens(),
    _cost(),
    _text("created_at"),
)
Index("usage_of_session", usage.c.session_id)

drafts = Table(
    "drafts",
    METADATA,
    _text_key("session_id"),
    _text("text"),
    _optional_number("anchor_number"),
    _number("anchor_offset"),
    _text("updated_at"),
    _text("beside", "[]"),
    sqlite_with_rowid=False,
)

moved_sessions = Table(
    "moved_sessions",
    METADATA,
    _text_key("session_id"),
    _text("now_in"),
    sqlite_with_rowid=False,
)

split_sessions = Table(
    "split_sessions",
    METADATA,
    _text_key("session_id"),
    _text("split_from"),
    sqlite_with_rowid=False,
)

vector_model = Table(
    "vector_model",
    METADATA,
    _key("only"),
    _text("name"),
    _number("dimensions"),
    CheckConstraint("only = 1"),
)

vectors = Table(
    "vectors",
    METADATA,
    _key("id"),
    _belongs_to("message_id", "messages.id"),
    Column("numbers", LargeBinary, nullable=False),
)
Index("vectors_of_message", vectors.c.message_id)

facts = Table(
    "facts",
    METADATA,
    _key("key"),
    _text("id", unique=True),
    *_texts("topic", "topic_folded", "content", "folded"),
    _text("about", ""),
    _number("importance"),
    *_texts("origin", "term", "valid_from"),
    _optional_text("valid_to"),
    Column("message_id", Integer, ForeignKey("messages.id", ondelete="SET NULL")),
    _number("weight", 1),
    *_optional_texts("used_at", "pinned_at"),
    Column("replaced_by", Text, ForeignKey("facts.id", ondelete="SET NULL")),
    _optional_text("deleted_at"),
    CheckConstraint("importance BETWEEN 1 AND 10"),
    _one_of("origin", "session", "user", "directive"),
    _one_of("term", "short", "long"),
)
Index("facts_by_words", facts.c.folded)
Index("facts_by_term", facts.c.term, facts.c.valid_from)
Index("facts_of_message", facts.c.message_id)
Index("facts_replaced", facts.c.replaced_by)

fact_sources = Table(
    "fact_sources",
    METADATA,
    _belongs_to("fact_id", "facts.id", primary_key=True),
    _belongs_to("message_id", "messages.id", primary_key=True),
    Column("start", Integer, primary_key=True, nullable=False),
    _number("length"),
    sqlite_with_rowid=False,
)
Index("fact_sources_of_message", fact_sources.c.message_id)

forgotten_words = Table(
    "forgotten_words",
    METADATA,
    _belongs_to("message_id", "messages.id", primary_key=True),
    Column("start", Integer, primary_key=True, nullable=False),
    Column("length", Integer, primary_key=True, nullable=False),
    sqlite_with_rowid=False,
)

facts_sent = Table(
    "facts_sent",
    METADATA,
    _belongs_to("message_id", "messages.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    _belongs_to("fact_id", "facts.id"),
    sqlite_with_rowid=False,
)
Index("facts_sent_by_fact", facts_sent.c.fact_id)

refused_facts = Table(
    "refused_facts",
    METADATA,
    _belongs_to("session_id", "sessions.id", primary_key=True),
    _text_key("reason"),
    _number("count"),
    sqlite_with_rowid=False,
)

settled_conflicts = Table(
    "settled_conflicts",
    METADATA,
    _belongs_to("fact_id", "facts.id", primary_key=True),
    _belongs_to("other_id", "facts.id", primary_key=True),
    sqlite_with_rowid=False,
)
Index("settled_conflicts_of_other", settled_conflicts.c.other_id)

fact_vectors = Table(
    "fact_vectors",
    METADATA,
    _belongs_to("fact_key", "facts.key", primary_key=True, nullable=True),
    Column("numbers", LargeBinary, nullable=False),
)

sources = Table(
    "sources",
    METADATA,
    _key("key"),
    _text("id", unique=True),
    *_texts("kind", "title", "address", "added_at", "read_at", "sha256"),
    _optional_text("language"),
    _optional_number("pages"),
    _text("state"),
    _number("passage_count", 0),
    *_optional_texts("copy", "embedded_at", "deleted_at"),
    _text("author", ""),
    _text("published", ""),
    _optional_text("refined_at"),
    _one_of("kind", "document", "web"),
    _one_of("state", "complete", "partial"),
)
Index("sources_by_hash", sources.c.sha256)
Index("sources_by_address", sources.c.address)
Index("sources_to_embed", sources.c.added_at, sqlite_where=text("embedded_at IS NULL"))

source_passages = Table(
    "source_passages",
    METADATA,
    _key("key"),
    _text("id", unique=True),
    _belongs_to("source_id", "sources.id"),
    _number("number"),
    _optional_number("page"),
    *_texts("heading", "text"),
    _optional_text("replaced_at"),
)
Index("passages_of_source", source_passages.c.source_id, source_passages.c.number)
Index(
    "passages_replaced",
    source_passages.c.replaced_at,
    sqlite_where=text("replaced_at IS NOT NULL"),
)

source_vectors = Table(
    "source_vectors",
    METADATA,
    _key("id"),
    _belongs_to("passage_key", "source_passages.key"),
    Column("numbers", LargeBinary, nullable=False),
)
Index("vectors_of_passage", source_vectors.c.passage_key)

contacted_addresses = Table(
    "contacted_addresses",
    METADATA,
    _key("id"),
    *_texts("at", "purpose", "address", "outcome"),
    _belongs_to("session_id", "sessions.id", nullable=True),
    _one_of("purpose", "search", "robots", "page"),
)
Index("contacted_in_session", contacted_addresses.c.session_id)
Index("contacted_by_time", contacted_addresses.c.at)

research_runs = Table(
    "research_runs",
    METADATA,
    _text_key("id"),
    _belongs_to("session_id", "sessions.id"),
    _belongs_to("message_id", "messages.id"),
    _text("started_at"),
    sqlite_with_rowid=False,
)
Index("research_runs_of_session", research_runs.c.session_id)
Index("research_runs_of_message", research_runs.c.message_id)

research_steps = Table(
    "research_steps",
    METADATA,
    _belongs_to("run_id", "research_runs.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    *_texts("name", "result", "model"),
    *_tokens(),
    _cost(),
    *_numbers("searches", "fetches"),
    Column("seconds", REAL, nullable=False),
    sqlite_with_rowid=False,
)
Index("research_steps_by_name", research_steps.c.run_id, research_steps.c.name, unique=True)

phases = Table(
    "phases",
    METADATA,
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
Index("phases_of_session", phases.c.session_id)

work_done = Table(
    "work_done",
    METADATA,
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
    sqlite_with_rowid=False,
)
Index("work_done_by_source", work_done.c.source_id)
