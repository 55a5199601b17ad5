"""The tables of what is learned or fetched: annotations, diary, judged claims, watches.

The project column is empty for rows that belong to no project. A row is deleted with the session
that it was learned from; one that several sessions support, with the last of them.
"""

from sqlalchemy import REAL, Column, Integer, Text

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


def _share(name: str) -> Column[float]:
    return Column(name, REAL, nullable=False)


annotations = new_table(
    "annotations",
    belongs_to("message_id", "messages.id", primary_key=True, nullable=True),
    text_column("intent"),
    _share("confidence"),
    text_column("entities", "[]"),
    text_column("project", ""),
)

contexts = new_table(
    "contexts",
    key_column("id"),
    belongs_to("session_id", "sessions.id"),
    belongs_to("message_id", "messages.id"),
    *text_columns("type", "name", "value"),
    _share("relevance"),
    *text_columns("created_at", "expires_at"),
    text_column("project", ""),
    one_of("type", "time", "amount", "entity"),
)
new_index("contexts_of_session", contexts.c.session_id)
new_index("contexts_of_message", contexts.c.message_id)
new_index("contexts_by_end", contexts.c.expires_at)

preferences = new_table(
    "preferences",
    key_column("key"),
    text_column("id", unique=True),
    *text_columns("kind", "value"),
    text_column("words", ""),
    number_column("is_on", 1),
    text_column("created_at"),
    *optional_texts("edited_at", "deleted_at"),
    text_column("project", ""),
    one_of("kind", "tone", "detail", "form", "language", "subject"),
)
new_index("preferences_by_value", preferences.c.kind, preferences.c.value)

preference_evidence = new_table(
    "preference_evidence",
    belongs_to("preference_id", "preferences.id", primary_key=True),
    belongs_to("message_id", "messages.id", primary_key=True),
    text_key("source"),
    number_column("is_against", 0),
    text_column("at"),
    text_column("words", ""),
    one_of("source", "wish", "thumb", "habit"),
)
new_index("preference_evidence_of_message", preference_evidence.c.message_id)

patterns = new_table(
    "patterns",
    key_column("key"),
    text_column("id", unique=True),
    *text_columns("kind", "value"),
    text_column("next_value", ""),
    number_column("count"),
    _share("confidence"),
    *text_columns("first_at", "seen_at"),
    Column("ended_at", Text),
    text_column("project", ""),
    one_of("kind", "days", "hours", "subject", "open_question", "sequence"),
)
new_index("patterns_by_value", patterns.c.kind, patterns.c.value)

pattern_evidence = new_table(
    "pattern_evidence",
    belongs_to("pattern_id", "patterns.id", primary_key=True),
    belongs_to("message_id", "messages.id", primary_key=True),
)
new_index("pattern_evidence_of_message", pattern_evidence.c.message_id)

diary_items = new_table(
    "diary_items",
    key_column("id"),
    *text_columns("day", "kind", "text"),
    belongs_to("session_id", "sessions.id", nullable=True),
    Column("message_id", Integer),
    Column("done_at", Text),
    text_column("project", ""),
    one_of("kind", "note", "asked", "found", "decided", "open", "next_step"),
)
new_index("diary_items_of_day", diary_items.c.day, diary_items.c.project)
new_index("diary_items_of_session", diary_items.c.session_id)

recalled_items = new_table(
    "recalled_items",
    belongs_to("message_id", "messages.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    text_column("kind"),
    belongs_to("session_id", "sessions.id", nullable=True),
    text_column("target"),
    one_of("kind", "message", "session", "fact", "source", "diary"),
)
new_index("recalled_items_of_session", recalled_items.c.session_id)

removed_originals = new_table(
    "removed_originals",
    belongs_to("session_id", "sessions.id", primary_key=True),
    text_column("removed_at"),
    Column("final_at", Text),
    text_column("exported_to", ""),
    *number_columns("messages", "bytes"),
)

daily_figures = new_table(
    "daily_figures",
    text_key("day"),
    text_key("name"),
    text_key("project"),
    number_column("count", 0),
    _share("total"),
)

housekeeping = new_table(
    "housekeeping",
    text_key("task"),
    Column("done_at", Text),
    text_column("position", ""),
)

claim_checks = new_table(
    "claim_checks",
    belongs_to("message_id", "messages.id", primary_key=True, nullable=True),
    number_column("asks_model"),
    *optional_texts("model", "judged_at"),
)
new_index("claim_checks_due", claim_checks.c.message_id, where="judged_at IS NULL")

claims = new_table(
    "claims",
    belongs_to("message_id", "messages.id", primary_key=True),
    Column("place", Integer, primary_key=True, nullable=False),
    Column("number", Integer, primary_key=True, nullable=False),
    *number_columns("start", "stop"),
    *text_columns("support", "words", "warnings"),
)

background_requests = new_table(
    "background_requests",
    key_column("id"),
    *text_columns("purpose", "model"),
    *token_columns(),
    cost_column(),
    text_column("created_at"),
)
new_index("background_requests_by_time", background_requests.c.created_at)

watches = new_table(
    "watches",
    text_key("id"),
    *text_columns("kind", "subject", "every"),
    text_column("project", ""),
    text_column("added_at"),
    text_column("trouble", ""),
    number_column("is_paused", 0),
    *optional_texts("looked_at", "deleted_at"),
)

watch_findings = new_table(
    "watch_findings",
    key_column("key"),
    belongs_to("watch_id", "watches.id"),
    *text_columns("found_at", "items"),
    number_column("left_out"),
)
new_index("watch_findings_by_time", watch_findings.c.found_at)

watch_seen = new_table(
    "watch_seen", belongs_to("watch_id", "watches.id", primary_key=True), text_key("item")
)

watched_folders = new_table(
    "watched_folders",
    text_key("id"),
    text_column("path"),
    text_column("project", ""),
    number_column("takes_notes", 0),
    number_column("is_paused", 0),
    text_column("added_at"),
    text_column("trouble", ""),
    *optional_texts("looked_at", "deleted_at"),
)

watched_files = new_table(
    "watched_files",
    belongs_to("folder_id", "watched_folders.id", primary_key=True),
    text_key("path"),
    text_column("stamp"),
    number_column("is_gone", 0),
)

memory_proposals = new_table(
    "memory_proposals",
    text_key("id"),
    *text_columns("program", "content"),
    text_column("project", ""),
    text_column("added_at"),
    *optional_texts("decided_at"),
)

shared_items = new_table(
    "shared_items",
    text_key("id"),
    *text_columns("kind", "project", "member", "name", "digest"),
    number_column("is_own", 0),
)
new_index("shared_items_of_member", shared_items.c.project, shared_items.c.member)

shared_members = new_table(
    "shared_members",
    text_key("project"),
    text_key("id"),
    text_column("name"),
    number_column("number"),
    *text_columns("key", "seen_at"),
    text_column("state", ""),
)
