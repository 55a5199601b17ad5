"""What travels between devices, as records: the kinds of entities, their fields and references.

Every table is in ENTITIES, alone or as part of an entity, or in LOCAL_TABLES with the reason. A
field is a group of columns that change together, or the rows of a part. Numbers of rows never
travel: a reference travels as the global id of its target.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache

from desktop.domain.frozen import dataclass
from desktop.storage.schema.columns import METADATA


@dataclass(frozen=True, slots=True)
class Field:
    """Columns that travel as one value; with several, as a list in their order."""

    name: str
    columns: tuple[str, ...]
    asks: bool = False
    """Whether the user is asked when two devices changed it; else the later one simply wins."""
    counts: bool = False
    """Whether a change of it stands against a deletion that did not know of it."""


@dataclass(frozen=True, slots=True)
class ChildTable:
    """Rows of another table that travel as one field: a list of rows."""

    name: str
    table: str
    owner: str  # The column that holds the key of the entity
    references: Mapping[str, str] = field(default_factory=dict)
    """For a column, the kind whose key it holds; a row without its target is left out."""
    names: str = ""
    """A table of names: the rows are links to it, and travel as names."""
    split_by: str = ""
    """A column: each row is a field of its own, named by its value."""
    asks: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """All but those of this device, in the order of the table."""
        return _columns_of(self.table, self.owner)


@dataclass(frozen=True, slots=True)
class EntitySchema:
    kind: str
    table: str
    fields: tuple[Field, ...]
    key: str = "id"
    """The column that other tables refer to."""
    rowid: str = ""
    """The column of the row in an index, if it is another one than `key`."""
    identity: tuple[str, ...] = ()
    """If the key is a number, or says a word: columns from which the global id is made."""
    parts: tuple[ChildTable, ...] = ()
    references: Mapping[str, str] = field(default_factory=dict)
    """For a column, the kind whose key it holds."""
    owners: tuple[str, ...] = ()
    """References without which there is no row: it is deleted with them."""
    ripe: str = "1"
    """The condition in SQL that a row can travel already."""
    name_columns: tuple[str, ...] = ()
    """By which the user knows it."""
    is_soft: bool = True
    """Whether `deleted_at` hides it until a purge."""
    keeps_number: bool = False
    """Whether a received row gets the number that it has elsewhere, if that is free."""
    is_derived: bool = False
    """Whether it may go with its owner though a deletion did not know of it."""
    constants: Mapping[str, str | int] = field(default_factory=dict)
    """Columns of this device, as a received row begins."""

    @property
    def is_numbered(self) -> bool:
        return bool(self.identity)

    @property
    def required(self) -> Sequence[str]:
        """References that are never empty."""
        columns = METADATA.tables[self.table].c
        return [column for column in self.references if not columns[column].nullable]

    @property
    def unchecked(self) -> Sequence[str]:
        """References that the database does not check: they may outlive their target."""
        columns = METADATA.tables[self.table].c
        return [column for column in self.references if not columns[column].foreign_keys]

    @property
    def is_ripe(self) -> str:
        """The condition in SQL that a row can travel: also, that it awaits no purge."""
        return f"{self.ripe} AND deleted_at IS NOT ''" if self.is_soft else self.ripe

    @property
    def columns(self) -> Sequence[str]:
        return [column for each in self.fields for column in each.columns]


def _fields(*names: str, asks: bool = False, counts: bool = False) -> tuple[Field, ...]:
    return tuple(Field(name, (name,), asks, asks or counts) for name in names)


_ASKS = {"asks": True, "counts": True}

ENTITIES: tuple[EntitySchema, ...] = (
    EntitySchema(
        "projects",
        "projects",
        (
            *_fields("name", "instructions", "variables", "is_local_only", **_ASKS),
            *_fields("created_at", "deleted_at"),
        ),
        name_columns=("name",),
    ),
    EntitySchema(
        "prompts",
        "prompts",
        (*_fields("name", "text", "project", **_ASKS), *_fields("id", "updated_at", "used_at")),
        identity=("id",),
        name_columns=("name",),
        is_soft=False,
    ),
    EntitySchema(
        "sessions",
        "sessions",
        (
            *_fields("title", "summary", "project", **_ASKS),
            *_fields("pinned_at", "archived_at", counts=True),
            *_fields(
                "described_by", "language", "created_at", "updated_at", "ended_at", "end_reason",
                "deleted_at", "learned_at", "corrected", "diary_at",
            ),
        ),
        rowid="key",
        parts=(
            ChildTable("topics", "session_topics", "session_id", names="topics"),
            ChildTable("tags", "session_tags", "session_id", names="tags", asks=True),
            ChildTable("removed", "removed_originals", "session_id"),
        ),
        name_columns=("title", "opening"),
        constants={"status": "complete", "message_count": 0, "opening": "", "description_due": 0},
    ),
    EntitySchema(
        "messages",
        "messages",
        (
            Field(
                "body",
                ("role", "content", "state", "created_at", "ref", "model", "error", "duration_ms"),
            ),
            Field("place", ("session_id", "number", "parent_id")),
        ),
        identity=("role", "created_at", "content"),
        parts=(
            ChildTable(
                "citations", "citations", "message_id",
                references={"passage_id": "messages?"},
            ),
            ChildTable("rating", "ratings", "message_id", asks=True),
            ChildTable("files", "message_files", "message_id"),
            ChildTable("forgotten", "forgotten_words", "message_id"),
            ChildTable("facts_sent", "facts_sent", "message_id", references={"fact_id": "facts"}),
            ChildTable("work", "work_done", "message_id"),
            ChildTable("annotation", "annotations", "message_id"),
            ChildTable(
                "recalled", "recalled_items", "message_id",
                references={"session_id": "sessions", "target": "messages?"},
            ),
            ChildTable("check", "claim_checks", "message_id"),
            ChildTable("claims", "claims", "message_id"),
        ),
        references={"session_id": "sessions", "parent_id": "messages"},
        owners=("session_id",),
        ripe="state <> 'streaming'",
        keeps_number=True,
        name_columns=("content",),
        is_soft=False,
        constants={"is_current": 0},
    ),
    EntitySchema(
        "moved_sessions",
        "moved_sessions",
        _fields("now_in"),
        key="session_id",
        is_soft=False,
        is_derived=True,
    ),
    EntitySchema(
        "split_sessions",
        "split_sessions",
        _fields("split_from"),
        key="session_id",
        is_soft=False,
        is_derived=True,
    ),
    EntitySchema(
        "compacts",
        "compacts",
        _fields(
            "session_id", "from_number", "to_number", "last_message_id", "summary", "created_at",
            "is_reserve",
        ),
        identity=("session_id", "from_number", "to_number", "summary", "created_at"),
        references={"session_id": "sessions", "last_message_id": "messages"},
        owners=("session_id",),
        is_soft=False,
        is_derived=True,
    ),
    EntitySchema(
        "sources",
        "sources",
        (
            *_fields("title", "author", "published", "project", **_ASKS),
            *_fields("address", "sha256", counts=True),
            *_fields(
                "kind", "added_at", "read_at", "language", "pages", "state", "passage_count",
                "copy", "deleted_at", "session_id",
            ),
        ),
        rowid="key",
        parts=(
            ChildTable("reference", "source_references", "source_id", asks=True),
            ChildTable("tags", "source_tags", "source_id", names="tags", asks=True),
            ChildTable("scan", "scanned_pages", "source_id", split_by="page"),
        ),
        references={"session_id": "sessions"},
        owners=("session_id",),
        name_columns=("title",),
    ),
    EntitySchema(
        "passages",
        "source_passages",
        (
            *_fields("text", "source_id"),
            Field("place", ("number", "page", "heading", "replaced_at")),
        ),
        rowid="key",
        references={"source_id": "sources"},
        owners=("source_id",),
        is_soft=False,
        is_derived=True,
    ),
    EntitySchema(
        "notes",
        "notes",
        (
            *_fields("text", **_ASKS),
            *_fields(
                "source_id", "message_id", "passage_id", "page", "occurrence", "quote",
                "created_at", "changed_at", "is_of_file", "deleted_at",
            ),
        ),
        rowid="key",
        references={"source_id": "sources", "message_id": "messages"},
        owners=("source_id", "message_id"),
        name_columns=("text",),
    ),
    EntitySchema(
        "facts",
        "facts",
        (
            Field("content", ("content", "folded"), asks=True, counts=True),
            Field("topic", ("topic", "topic_folded"), asks=True, counts=True),
            *_fields("importance", "project", **_ASKS),
            *_fields("pinned_at", "valid_to", "replaced_by", counts=True),
            *_fields(
                "about", "origin", "term", "valid_from", "message_id", "weight", "used_at",
                "deleted_at",
            ),
        ),
        rowid="key",
        parts=(
            ChildTable(
                "sources", "fact_sources", "fact_id",
                references={"message_id": "messages"},
            ),
            ChildTable(
                "settled", "settled_conflicts", "fact_id",
                references={"other_id": "facts"},
            ),
        ),
        references={"message_id": "messages", "replaced_by": "facts"},
        name_columns=("content",),
    ),
    EntitySchema(
        "preferences",
        "preferences",
        (
            *_fields("value", "words", "is_on", "project", **_ASKS),
            *_fields("kind", "created_at", "edited_at", "deleted_at"),
        ),
        rowid="key",
        parts=(
            ChildTable(
                "evidence", "preference_evidence", "preference_id",
                references={"message_id": "messages"},
            ),
        ),
        name_columns=("words", "value"),
    ),
    EntitySchema(
        "diary",
        "diary_items",
        (
            *_fields("text", **_ASKS),
            *_fields("done_at", "day", "kind", "session_id", "message_id", "project"),
        ),
        identity=("day", "kind", "session_id", "text"),
        references={"session_id": "sessions", "message_id": "messages"},
        owners=("session_id",),
        name_columns=("text",),
        is_soft=False,
        is_derived=True,
    ),
    EntitySchema(
        "pictures",
        "picture_texts",
        _fields("text", "read_at"),
        key="sha256",
        rowid="key",
        is_soft=False,
        is_derived=True,
    ),
    EntitySchema(
        "research_runs",
        "research_runs",
        _fields("session_id", "message_id", "started_at"),
        parts=(
            ChildTable("steps", "research_steps", "run_id"),
        ),
        references={"session_id": "sessions", "message_id": "messages"},
        owners=("session_id", "message_id"),
        ripe="message_id IN (SELECT id FROM messages WHERE state <> 'streaming')",
        is_soft=False,
        is_derived=True,
    ),
    EntitySchema(
        "watches",
        "watches",
        (
            *_fields("subject", "every", "project", "is_paused", **_ASKS),
            *_fields("kind", "added_at", "trouble", "looked_at", "deleted_at"),
        ),
        parts=(ChildTable("seen", "watch_seen", "watch_id"),),
        name_columns=("subject",),
    ),
    EntitySchema(
        "shared_items",
        "shared_items",
        _fields("kind", "project", "member", "name", "digest", "is_own"),
        is_soft=False,
        is_derived=True,
    ),
    EntitySchema(
        "findings",
        "watch_findings",
        _fields("watch_id", "found_at", "items", "left_out"),
        key="key",
        identity=("watch_id", "found_at", "items"),
        references={"watch_id": "watches"},
        owners=("watch_id",),
        is_soft=False,
        is_derived=True,
    ),
)  # fmt: skip

NAMES = ("tags", "topics")
"""Tables of names, which the names of parts are."""
MESSAGES = next(entity for entity in ENTITIES if entity.kind == "messages")

LOCAL_TABLES: Mapping[str, str] = {
    "topics": "named by the sessions that have them",
    "tags": "named by the sessions and sources that have them",
    "drafts": "unsent words stay where they are written",
    "compact_failures": "when this device tries again",
    "usage": "what this device spent",
    "background_requests": "what this device spent",
    "phases": "how long this device took",
    "daily_figures": "figures of this device",
    "contacted_addresses": "what this device asked",
    "literature_cache": "a cache",
    "housekeeping": "when this device did its work",
    "refused_facts": "figures of this device",
    "contexts": "derived from messages, and short-lived",
    "patterns": "derived from annotations",
    "pattern_evidence": "derived from annotations",
    "memory_proposals": "asked where they were imported; what is confirmed travels as facts",
    "watched_folders": "folders of this computer",
    "watched_files": "files of this computer",
    "shared_members": "what this device read of the members of shared projects",
    "vector_model": "the model of this device",
    "vectors": "derived from messages",
    "source_vectors": "derived from passages",
    "fact_vectors": "derived from facts",
    "note_vectors": "derived from notes",
}

LOCAL_COLUMNS: Mapping[str, str] = {
    "sessions.key": "the number of a row",
    "sessions.status": "each device has its own active session",
    "sessions.indexed_at": "derived: the index",
    "sessions.embedded_at": "derived: vectors",
    "sessions.refined_at": "derived: vectors",
    "sessions.description_due": "what this device has to do",
    "sessions.learning_failures": "what this device has to do",
    "sessions.message_count": "derived from messages",
    "sessions.opening": "derived from messages",
    "messages.id": "the number of a row",
    "messages.is_current": "travels as the session's path",
    "compacts.id": "the number of a row",
    "sources.key": "the number of a row",
    "sources.embedded_at": "derived: vectors",
    "sources.refined_at": "derived: vectors",
    "source_passages.key": "the number of a row",
    "notes.key": "the number of a row",
    "facts.key": "the number of a row",
    "preferences.key": "the number of a row",
    "diary_items.id": "the number of a row",
    "picture_texts.key": "the number of a row",
    "watch_findings.key": "the number of a row",
    "removed_originals.final_at": "each device purges by itself",
}


@cache
def entity_of(kind: str) -> EntitySchema | None:
    return next((entity for entity in ENTITIES if entity.kind == kind), None)


@cache
def _columns_of(table: str, owner: str) -> tuple[str, ...]:
    names = METADATA.tables[table].c.keys()
    return tuple(n for n in names if n != owner and f"{table}.{n}" not in LOCAL_COLUMNS)


def field_of(entity: EntitySchema, name: str) -> Field | ChildTable | None:
    """Return the field or the part; the row of a split part is named behind a stroke."""
    return _fields_by_name(entity.kind).get(name.partition("/")[0])


@cache
def _fields_by_name(kind: str) -> Mapping[str, Field | ChildTable]:
    entity = entity_of(kind)
    several: Sequence[Field | ChildTable] = (*entity.fields, *entity.parts) if entity else ()
    return {each.name: each for each in several}
