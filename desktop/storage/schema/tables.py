"""The tables of an archive, defined once: the schema of a new file and every ordinary query.

Full-text indexes and signs of vectors are virtual tables, which only text SQL can make: see
`schema` and `vectors`. `learned_tables` has the tables of what is learned from sessions. A change
here needs a step in `schema` that brings older files to the same form; columns are added at the
end, as ALTER TABLE does.
"""

from sqlalchemy import REAL, CheckConstraint, Column, ForeignKey, Integer, LargeBinary, Text

from desktop.storage.schema.columns import (
    belongs_to,
    cost_column,
    key_column,
    new_index,
    new_table,
    number_column,
    number_columns,
    one_of,
    optional_texts,
    text_column,
    text_columns,
    text_key,
    token_columns,
)

sessions = new_table(
    "sessions",
    key_column("key"),
    text_column("id", unique=True),
    text_column("status"),
    *optional_texts("title", "summary", "described_by", "language"),
    *text_columns("created_at", "updated_at"),
    *optional_texts("ended_at", "end_reason", "pinned_at", "deleted_at", "indexed_at"),
    number_column("description_due", 0),
    number_column("message_count", 0),
    text_column("opening", ""),
    *optional_texts("embedded_at", "learned_at"),
    number_column("learning_failures", 0),
    *optional_texts("refined_at", "archived_at", "corrected", "diary_at"),
    text_column("project", ""),
    one_of("status", "active", "complete"),
)
new_index("one_active_session", sessions.c.status, unique=True, where="status = 'active'")
new_index("sessions_by_time", sessions.c.updated_at)
new_index("sessions_of_project", sessions.c.project, sessions.c.updated_at)
new_index(
    "sessions_to_embed", sessions.c.updated_at, where="status = 'complete' AND embedded_at IS NULL"
)

messages = new_table(
    "messages",
    key_column("id"),
    belongs_to("session_id", "sessions.id"),
    number_column("number"),
    Column("parent_id", Integer),
    number_column("is_current", 1),
    *text_columns("role", "content", "state", "created_at"),
    *optional_texts("ref", "model", "error"),
    Column("duration_ms", Integer),
    one_of("role", "user", "assistant"),
    one_of("state", "complete", "streaming", "stopped", "interrupted", "failed"),
)
new_index(
    "current_messages",
    messages.c.session_id,
    messages.c.number,
    unique=True,
    where="is_current = 1",
)
new_index("messages_of_session", messages.c.session_id)
new_index("messages_unfinished", messages.c.state, where="state = 'streaming'")

topics = new_table(
    "topics", key_column("id"), text_column("name"), text_column("folded", unique=True)
)

session_topics = new_table(
    "session_topics",
    belongs_to("session_id", "sessions.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    Column("topic_id", Integer, ForeignKey("topics.id"), nullable=False),
)
new_index("sessions_of_topic", session_topics.c.topic_id)

compacts = new_table(
    "compacts",
    key_column("id"),
    belongs_to("session_id", "sessions.id"),
    *number_columns("from_number", "to_number", "last_message_id"),
    *text_columns("summary", "created_at"),
    number_column("is_reserve", 0),
    CheckConstraint("from_number <= to_number"),
)
new_index("compacts_of_session", compacts.c.session_id)

compact_failures = new_table(
    "compact_failures",
    belongs_to("session_id", "sessions.id", primary_key=True),
    *number_columns("covered", "messages"),
)

citations = new_table(
    "citations",
    belongs_to("message_id", "messages.id", primary_key=True),
    Column("number", Integer, primary_key=True, nullable=False),
    *text_columns("state", "quote", "source_id", "passage_id", "title"),
)
new_index("citations_by_source", citations.c.source_id)

ratings = new_table(
    "ratings",
    belongs_to("message_id", "messages.id", primary_key=True, nullable=True),
    *text_columns("thumb", "words", "created_at"),
    one_of("thumb", "up", "down"),
)

usage = new_table(
    "usage",
    key_column("id"),
    belongs_to("session_id", "sessions.id"),
    Column("message_id", Integer),
    *text_columns("purpose", "model"),
    *token_columns(),
    cost_column(),
    text_column("created_at"),
)
new_index("usage_of_session", usage.c.session_id)

drafts = new_table(
    "drafts",
    text_key("session_id"),
    text_column("text"),
    Column("anchor_number", Integer),
    number_column("anchor_offset"),
    text_column("updated_at"),
    text_column("beside", "[]"),
    text_column("files", "[]"),
)

moved_sessions = new_table("moved_sessions", text_key("session_id"), text_column("now_in"))

split_sessions = new_table("split_sessions", text_key("session_id"), text_column("split_from"))

vector_model = new_table(
    "vector_model",
    key_column("number"),
    text_column("name"),
    number_column("dimensions"),
    number_column("is_current", 0),
    Column("calibration", LargeBinary, nullable=False),
    CheckConstraint("number IN (1, 2)"),
)

vectors = new_table(
    "vectors",
    key_column("id"),
    belongs_to("message_id", "messages.id"),
    Column("numbers", LargeBinary, nullable=False),
    number_column("model", 1),
)
new_index("vectors_of_message", vectors.c.message_id)

facts = new_table(
    "facts",
    key_column("key"),
    text_column("id", unique=True),
    *text_columns("topic", "topic_folded", "content", "folded"),
    text_column("about", ""),
    number_column("importance"),
    *text_columns("origin", "term", "valid_from"),
    Column("valid_to", Text),
    Column("message_id", Integer, ForeignKey("messages.id", ondelete="SET NULL")),
    number_column("weight", 1),
    *optional_texts("used_at", "pinned_at"),
    Column("replaced_by", Text, ForeignKey("facts.id", ondelete="SET NULL")),
    Column("deleted_at", Text),
    text_column("project", ""),
    CheckConstraint("importance BETWEEN 1 AND 10"),
    one_of("origin", "session", "user", "directive"),
    one_of("term", "short", "long"),
)
new_index("facts_by_words", facts.c.folded)
new_index("facts_by_term", facts.c.term, facts.c.valid_from)
new_index("facts_of_message", facts.c.message_id)
new_index("facts_replaced", facts.c.replaced_by)

fact_sources = new_table(
    "fact_sources",
    belongs_to("fact_id", "facts.id", primary_key=True),
    belongs_to("message_id", "messages.id", primary_key=True),
    Column("start", Integer, primary_key=True, nullable=False),
    number_column("length"),
)
new_index("fact_sources_of_message", fact_sources.c.message_id)

forgotten_words = new_table(
    "forgotten_words",
    belongs_to("message_id", "messages.id", primary_key=True),
    Column("start", Integer, primary_key=True, nullable=False),
    Column("length", Integer, primary_key=True, nullable=False),
)

facts_sent = new_table(
    "facts_sent",
    belongs_to("message_id", "messages.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    belongs_to("fact_id", "facts.id"),
)
new_index("facts_sent_by_fact", facts_sent.c.fact_id)

refused_facts = new_table(
    "refused_facts",
    belongs_to("session_id", "sessions.id", primary_key=True),
    text_key("reason"),
    number_column("count"),
)

settled_conflicts = new_table(
    "settled_conflicts",
    belongs_to("fact_id", "facts.id", primary_key=True),
    belongs_to("other_id", "facts.id", primary_key=True),
)
new_index("settled_conflicts_of_other", settled_conflicts.c.other_id)

fact_vectors = new_table(
    "fact_vectors",
    belongs_to("fact_key", "facts.key", primary_key=True),
    Column("model", Integer, primary_key=True, nullable=False),
    Column("numbers", LargeBinary, nullable=False),
)

sources = new_table(
    "sources",
    key_column("key"),
    text_column("id", unique=True),
    *text_columns("kind", "title", "address", "added_at", "read_at", "sha256"),
    Column("language", Text),
    Column("pages", Integer),
    text_column("state"),
    number_column("passage_count", 0),
    *optional_texts("copy", "embedded_at", "deleted_at"),
    text_column("author", ""),
    text_column("published", ""),
    Column("refined_at", Text),
    text_column("project", ""),
    belongs_to("session_id", "sessions.id", nullable=True),
    one_of("kind", "document", "web"),
    one_of("state", "complete", "partial"),
)
new_index("sources_of_session", sources.c.session_id)
new_index("sources_by_hash", sources.c.sha256)
new_index("sources_by_address", sources.c.address)
new_index("sources_to_embed", sources.c.added_at, where="embedded_at IS NULL")

source_passages = new_table(
    "source_passages",
    key_column("key"),
    text_column("id", unique=True),
    belongs_to("source_id", "sources.id"),
    number_column("number"),
    Column("page", Integer),
    *text_columns("heading", "text"),
    Column("replaced_at", Text),
)
new_index("passages_of_source", source_passages.c.source_id, source_passages.c.number)
new_index("passages_replaced", source_passages.c.replaced_at, where="replaced_at IS NOT NULL")

source_vectors = new_table(
    "source_vectors",
    key_column("id"),
    belongs_to("passage_key", "source_passages.key"),
    Column("numbers", LargeBinary, nullable=False),
    number_column("model", 1),
)
new_index("vectors_of_passage", source_vectors.c.passage_key)

source_references = new_table(
    "source_references",
    belongs_to("source_id", "sources.id", primary_key=True),
    *text_columns("csl", "origins", "kind", "title", "first_author", "doi", "words"),
    Column("year", Integer),
    Column("finished_at", Text),
    text_column("updated_at"),
)
new_index("references_by_author", source_references.c.first_author)
new_index("references_by_year", source_references.c.year)
new_index("references_by_title", source_references.c.title)
new_index("references_by_kind", source_references.c.kind)
new_index("references_by_reading", source_references.c.finished_at)
new_index("references_by_doi", source_references.c.doi, where="doi <> ''")

notes = new_table(
    "notes",
    key_column("key"),
    text_column("id", unique=True),
    belongs_to("source_id", "sources.id", nullable=True),
    belongs_to("message_id", "messages.id", nullable=True),
    Column("passage_id", Text),
    Column("page", Integer),
    number_column("occurrence", 0),
    *text_columns("quote", "text", "created_at", "changed_at"),
    number_column("is_of_file", 0),
    Column("deleted_at", Text),
    CheckConstraint("(source_id IS NULL) <> (message_id IS NULL)"),
)
new_index("notes_of_source", notes.c.source_id)
new_index("notes_of_message", notes.c.message_id)

note_vectors = new_table(
    "note_vectors",
    belongs_to("note_key", "notes.key", primary_key=True),
    Column("model", Integer, primary_key=True, nullable=False),
    Column("numbers", LargeBinary, nullable=False),
)

scanned_pages = new_table(
    "scanned_pages",
    belongs_to("source_id", "sources.id", primary_key=True),
    Column("page", Integer, primary_key=True, nullable=False),
    Column("words", LargeBinary, nullable=False),
)

literature_cache = new_table(
    "literature_cache",
    text_key("service"),
    text_key("doi"),
    *text_columns("work", "asked_at"),
)
new_index("literature_cache_by_time", literature_cache.c.asked_at)

contacted_addresses = new_table(
    "contacted_addresses",
    key_column("id"),
    *text_columns("at", "purpose", "address", "outcome"),
    belongs_to("session_id", "sessions.id", nullable=True),
    one_of("purpose", "search", "robots", "page", "literature"),
)
new_index("contacted_in_session", contacted_addresses.c.session_id)
new_index("contacted_by_time", contacted_addresses.c.at)

research_runs = new_table(
    "research_runs",
    text_key("id"),
    belongs_to("session_id", "sessions.id"),
    belongs_to("message_id", "messages.id"),
    text_column("started_at"),
)
new_index("research_runs_of_session", research_runs.c.session_id)
new_index("research_runs_of_message", research_runs.c.message_id)

research_steps = new_table(
    "research_steps",
    belongs_to("run_id", "research_runs.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    *text_columns("name", "result", "model"),
    *token_columns(),
    cost_column(),
    *number_columns("searches", "fetches"),
    Column("seconds", REAL, nullable=False),
)
new_index("research_steps_by_name", research_steps.c.run_id, research_steps.c.name, unique=True)

phases = new_table(
    "phases",
    key_column("id"),
    belongs_to("session_id", "sessions.id"),
    *text_columns("turn_id", "phase", "started_at"),
    number_column("duration_ms"),
    text_column("outcome"),
    *token_columns(),
    cost_column(),
    number_column("items"),
    text_column("detail"),
)
new_index("phases_of_session", phases.c.session_id)

work_done = new_table(
    "work_done",
    belongs_to("message_id", "messages.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    number_column("phase"),
    *text_columns("sort", "name", "about", "state"),
    number_column("found"),
    *token_columns(),
    cost_column(),
    number_column("duration_ms"),
    *text_columns("trouble", "source_id", "address"),
    number_column("is_suspicious"),
)
new_index("work_done_by_source", work_done.c.source_id)

projects = new_table(
    "projects",
    text_key("id"),
    text_column("name"),
    text_column("instructions", ""),
    text_column("variables", "{}"),
    text_column("created_at"),
    Column("deleted_at", Text),
    number_column("is_local_only", 0),
)

tags = new_table("tags", key_column("id"), text_column("name"), text_column("folded", unique=True))


def _tag() -> Column[int]:
    tag = ForeignKey("tags.id", ondelete="CASCADE")
    return Column("tag_id", Integer, tag, primary_key=True, nullable=False)


session_tags = new_table(
    "session_tags",
    belongs_to("session_id", "sessions.id", primary_key=True),
    _tag(),
)
new_index("sessions_of_tag", session_tags.c.tag_id)

source_tags = new_table(
    "source_tags", belongs_to("source_id", "sources.id", primary_key=True), _tag()
)
new_index("sources_of_tag", source_tags.c.tag_id)

message_files = new_table(
    "message_files",
    belongs_to("message_id", "messages.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    *text_columns("sha256", "name", "media_type"),
    number_column("size"),
)
new_index("message_files_by_hash", message_files.c.sha256)

picture_texts = new_table(
    "picture_texts",
    key_column("key"),
    text_column("sha256", unique=True),
    *text_columns("text", "read_at"),
)

prompts = new_table(
    "prompts",
    text_key("id"),
    *text_columns("name", "text"),
    text_column("project", ""),
    text_column("updated_at"),
    Column("used_at", Text),
)
