"""The schema as an append-only tuple of steps; `PRAGMA user_version` says how many were taken."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, text

from desktop.domain.errors import DatabaseTooNewError
from desktop.storage.database import Database

_SESSIONS_AND_MESSAGES = """
CREATE TABLE sessions (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('active', 'complete')),
    title TEXT,
    summary TEXT,
    described_by TEXT,
    language TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    ended_at TEXT,
    end_reason TEXT,
    pinned_at TEXT,
    deleted_at TEXT,
    indexed_at TEXT,
    description_due INTEGER NOT NULL DEFAULT 0,
    message_count INTEGER NOT NULL DEFAULT 0,
    opening TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX one_active_session ON sessions (status) WHERE status = 'active';
CREATE INDEX sessions_by_time ON sessions (updated_at);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    parent_id INTEGER,
    is_current INTEGER NOT NULL DEFAULT 1,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    content TEXT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('complete', 'streaming', 'stopped', 'interrupted', 'failed')),
    created_at TEXT NOT NULL,
    ref TEXT,
    model TEXT,
    error TEXT,
    duration_ms INTEGER
);
CREATE UNIQUE INDEX current_messages ON messages (session_id, number) WHERE is_current = 1;
CREATE INDEX messages_of_session ON messages (session_id);
CREATE INDEX messages_unfinished ON messages (state) WHERE state = 'streaming';
CREATE TABLE topics (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE
);
CREATE TABLE session_topics (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    topic_id INTEGER NOT NULL REFERENCES topics (id),
    PRIMARY KEY (session_id, place)
) WITHOUT ROWID;
CREATE INDEX sessions_of_topic ON session_topics (topic_id);
CREATE TABLE compacts (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    from_number INTEGER NOT NULL,
    to_number INTEGER NOT NULL,
    last_message_id INTEGER NOT NULL,
    summary TEXT NOT NULL,
    created_at TEXT NOT NULL,
    CHECK (from_number <= to_number)
);
CREATE INDEX compacts_of_session ON compacts (session_id);
CREATE TABLE citations (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    quote TEXT NOT NULL,
    source_id TEXT NOT NULL,
    passage_id TEXT NOT NULL,
    title TEXT NOT NULL,
    PRIMARY KEY (message_id, number)
) WITHOUT ROWID;
CREATE INDEX citations_by_source ON citations (source_id);
CREATE TABLE ratings (
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    thumb TEXT NOT NULL CHECK (thumb IN ('up', 'down')),
    words TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE TABLE usage (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message_id INTEGER,
    purpose TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_usd REAL,
    created_at TEXT NOT NULL
);
CREATE INDEX usage_of_session ON usage (session_id);
CREATE TABLE drafts (
    session_id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    anchor_number INTEGER,
    anchor_offset INTEGER NOT NULL,
    updated_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE VIRTUAL TABLE message_index USING fts5(
    words, content='', contentless_delete=1, tokenize='unicode61'
);
CREATE VIRTUAL TABLE session_index USING fts5(
    title, summary, topics, content='', contentless_delete=1, tokenize='unicode61'
);
"""


def _sessions_and_messages(db: Connection) -> None:
    _run(db, _SESSIONS_AND_MESSAGES)


def _run(db: Connection, statements: str) -> None:
    for statement in statements.split(";\n"):
        if statement.strip():
            db.exec_driver_sql(statement)


_MEANINGS = """
ALTER TABLE sessions ADD COLUMN embedded_at TEXT;
CREATE INDEX sessions_to_embed ON sessions (updated_at)
    WHERE status = 'complete' AND embedded_at IS NULL;
CREATE TABLE vector_model (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    name TEXT NOT NULL,
    dimensions INTEGER NOT NULL
);
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    numbers BLOB NOT NULL
);
CREATE INDEX vectors_of_message ON vectors (message_id);
"""


def _meanings(db: Connection) -> None:
    """Vectors of messages; the table of their signs depends on the model that makes them."""
    _run(db, _MEANINGS)


_FACTS = """
ALTER TABLE sessions ADD COLUMN learned_at TEXT;
ALTER TABLE sessions ADD COLUMN learning_failures INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET learned_at = updated_at WHERE status = 'complete';
CREATE TABLE facts (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    topic TEXT NOT NULL,
    topic_folded TEXT NOT NULL,
    content TEXT NOT NULL,
    folded TEXT NOT NULL,
    about TEXT NOT NULL DEFAULT '',
    importance INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 10),
    origin TEXT NOT NULL CHECK (origin IN ('session', 'user', 'directive')),
    term TEXT NOT NULL CHECK (term IN ('short', 'long')),
    valid_from TEXT NOT NULL,
    valid_to TEXT,
    message_id INTEGER REFERENCES messages (id) ON DELETE SET NULL,
    weight INTEGER NOT NULL DEFAULT 1,
    used_at TEXT,
    pinned_at TEXT,
    replaced_by TEXT REFERENCES facts (id) ON DELETE SET NULL,
    deleted_at TEXT
);
CREATE INDEX facts_by_words ON facts (folded);
CREATE INDEX facts_by_term ON facts (term, valid_from);
CREATE INDEX facts_of_message ON facts (message_id);
CREATE INDEX facts_replaced ON facts (replaced_by);
CREATE TABLE fact_sources (
    fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (fact_id, message_id, start)
) WITHOUT ROWID;
CREATE INDEX fact_sources_of_message ON fact_sources (message_id);
CREATE TABLE forgotten_words (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (message_id, start, length)
) WITHOUT ROWID;
CREATE TABLE facts_sent (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
    PRIMARY KEY (message_id, place)
) WITHOUT ROWID;
CREATE INDEX facts_sent_by_fact ON facts_sent (fact_id);
CREATE TABLE refused_facts (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (session_id, reason)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE fact_index USING fts5(
    topic, content, content='', contentless_delete=1, tokenize='unicode61'
);
CREATE TABLE fact_vectors (
    fact_key INTEGER PRIMARY KEY REFERENCES facts (key) ON DELETE CASCADE,
    numbers BLOB NOT NULL
);
"""


def _facts(db: Connection) -> None:
    """What is remembered across sessions.

    Sessions that ended before are not read for it: that would cost a request for each of them.
    Words that a fact rests on are spans of messages, so they go when the message goes; the mark
    of a forgotten fact is such a span, too, and holds no word.
    """
    _run(db, _FACTS)


_COMPACT_FAILURES = """
CREATE TABLE compact_failures (
    session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    covered INTEGER NOT NULL,
    messages INTEGER NOT NULL
) WITHOUT ROWID;
"""


def _compact_failures(db: Connection) -> None:
    """Where a summary was not good enough, so that it is not paid for again at every turn."""
    _run(db, _COMPACT_FAILURES)


_MOVED_SESSIONS = """
CREATE TABLE moved_sessions (
    session_id TEXT PRIMARY KEY,
    now_in TEXT NOT NULL
) WITHOUT ROWID;
"""


def _moved_sessions(db: Connection) -> None:
    """Where the messages of a session went that was put to another: links still name it."""
    _run(db, _MOVED_SESSIONS)


_DRAFT_CONTEXT = "ALTER TABLE drafts ADD COLUMN beside TEXT NOT NULL DEFAULT '[]'"


def _draft_context(db: Connection) -> None:
    """The past sessions that go along with what is being written."""
    db.exec_driver_sql(_DRAFT_CONTEXT)


_SOURCES = """
CREATE TABLE sources (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('document', 'web')),
    title TEXT NOT NULL,
    address TEXT NOT NULL,
    added_at TEXT NOT NULL,
    read_at TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    language TEXT,
    pages INTEGER,
    state TEXT NOT NULL CHECK (state IN ('complete', 'partial')),
    passage_count INTEGER NOT NULL DEFAULT 0,
    copy TEXT,
    embedded_at TEXT,
    deleted_at TEXT
);
CREATE INDEX sources_by_hash ON sources (sha256);
CREATE INDEX sources_by_address ON sources (address);
CREATE INDEX sources_to_embed ON sources (added_at) WHERE embedded_at IS NULL;
CREATE TABLE source_passages (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    source_id TEXT NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    page INTEGER,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    replaced_at TEXT
);
CREATE INDEX passages_of_source ON source_passages (source_id, number);
CREATE INDEX passages_replaced ON source_passages (replaced_at) WHERE replaced_at IS NOT NULL;
CREATE VIRTUAL TABLE source_index USING fts5(
    words, heading, content='', contentless_delete=1, tokenize='unicode61'
);
CREATE TABLE source_vectors (
    id INTEGER PRIMARY KEY,
    passage_key INTEGER NOT NULL REFERENCES source_passages (key) ON DELETE CASCADE,
    numbers BLOB NOT NULL
);
CREATE INDEX vectors_of_passage ON source_vectors (passage_key);
"""


def _sources(db: Connection) -> None:
    """Documents and web pages.

    Of a new version of one, passages that are gone are kept until nothing cites them. The table of
    the signs of its vectors depends on the model that makes them, which may be known already.
    """
    _run(db, _SOURCES)
    dimensions = db.exec_driver_sql("SELECT dimensions FROM vector_model").scalar()
    if dimensions is not None:
        db.exec_driver_sql(
            "CREATE VIRTUAL TABLE source_vector_bits USING vec0("
            f"id INTEGER PRIMARY KEY, bits bit[{dimensions}], chunk_size=4096)"
        )


_CONTACTS = """
CREATE TABLE contacted_addresses (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('search', 'robots', 'page')),
    address TEXT NOT NULL,
    outcome TEXT NOT NULL,
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX contacted_in_session ON contacted_addresses (session_id);
CREATE INDEX contacted_by_time ON contacted_addresses (at);
"""


def _contacts(db: Connection) -> None:
    """Every address on the web that was contacted."""
    _run(db, _CONTACTS)


_RESEARCH_RUNS = """
CREATE TABLE research_runs (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    started_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX research_runs_of_session ON research_runs (session_id);
CREATE INDEX research_runs_of_message ON research_runs (message_id);
CREATE TABLE research_steps (
    run_id TEXT NOT NULL REFERENCES research_runs (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    result TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_usd REAL,
    searches INTEGER NOT NULL,
    fetches INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (run_id, place)
) WITHOUT ROWID;
CREATE UNIQUE INDEX research_steps_by_name ON research_steps (run_id, name);
"""


def _research_runs(db: Connection) -> None:
    """The finished steps of deep research that goes on, so that none is paid for twice."""
    _run(db, _RESEARCH_RUNS)


_ORIGINS = """
ALTER TABLE sources ADD COLUMN author TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN published TEXT NOT NULL DEFAULT '';
"""


def _origins(db: Connection) -> None:
    """Who wrote a source, and when, as it says itself."""
    _run(db, _ORIGINS)


_PHASES = """
CREATE TABLE phases (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    turn_id TEXT NOT NULL,
    phase TEXT NOT NULL,
    started_at TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_usd REAL,
    items INTEGER NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX phases_of_session ON phases (session_id);
"""


def _phases(db: Connection) -> None:
    """How long each phase of a turn took, for a bug report: names and figures, no contents."""
    _run(db, _PHASES)


STEPS: tuple[Callable[[Connection], None], ...] = (
    _sessions_and_messages,
    _meanings,
    _facts,
    _compact_failures,
    _moved_sessions,
    _draft_context,
    _sources,
    _contacts,
    _research_runs,
    _origins,
    _phases,
)


def version_of(database: Database) -> int:
    with database.reading() as db:
        return int(db.exec_driver_sql("PRAGMA user_version").scalar_one())


def migrate(database: Database, *, backups: Path, now: datetime) -> None:
    """Bring the file to the newest schema, each step whole or not at all.

    A file with content is copied into `backups` before the first step. Raises DatabaseTooNewError.
    """
    at = version_of(database)
    if at > len(STEPS):
        raise DatabaseTooNewError(found=at, known=len(STEPS))
    if 0 < at < len(STEPS):
        backups.mkdir(parents=True, exist_ok=True)
        copy_to(database, backups / f"before-step-{at + 1}-{now:%Y%m%d-%H%M%S}.db")
    for version, step in enumerate(STEPS[at:], start=at + 1):
        with database.writing() as db:
            step(db)
            db.exec_driver_sql(f"PRAGMA user_version = {version}")


def copy_to(database: Database, target: Path) -> None:
    """A whole, compact copy of the file, made while it is in use."""
    with database.outside_transactions() as db:
        db.execute(text("VACUUM INTO :target"), {"target": str(target)})
