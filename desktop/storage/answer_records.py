"""What belongs to an answer beside its words: citations, the user's rating, tokens and cost."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Citation, CitationState, Rating, Thumb
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.domain.usage import NO_USAGE, Purpose, Usage
from desktop.storage.damaged_values import read_choice, read_choice_or_none
from desktop.storage.database import Database


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """What is kept with an answer beside its words."""

    message_id: MessageId
    model: str
    citations: Sequence[Citation] = ()
    usage: Usage = NO_USAGE


class AnswerStore:
    """Repository of what belongs to answers. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def citations(self, session_id: SessionId) -> dict[MessageId, list[Citation]]:
        """Those of every message of a session, by number."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT c.message_id, c.number, c.state, c.quote, c.source_id, "
                    "c.passage_id, c.title FROM citations c "
                    "JOIN messages m ON m.id = c.message_id "
                    "WHERE m.session_id = :id ORDER BY c.message_id, c.number"
                ),
                {"id": session_id},
            ).all()
        found: dict[MessageId, list[Citation]] = {}
        for row in rows:
            citation = Citation(
                row.number,
                read_choice(row.state, CitationState.UNCHECKED),
                row.quote,
                row.source_id,
                row.passage_id,
                row.title,
            )
            found.setdefault(MessageId(row.message_id), []).append(citation)
        return found

    def rate(self, rating: Rating) -> None:
        with self._database.writing() as db:
            db.execute(
                text("INSERT OR REPLACE INTO ratings VALUES (:id, :thumb, :words, :at)"),
                {
                    "id": rating.message_id,
                    "thumb": rating.thumb.value,
                    "words": rating.words,
                    "at": utc_text(self._now()),
                },
            )

    def unrate(self, message_id: MessageId) -> None:
        with self._database.writing() as db:
            db.execute(text("DELETE FROM ratings WHERE message_id = :id"), {"id": message_id})

    def ratings(self, session_id: SessionId) -> dict[MessageId, Rating]:
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT r.message_id, r.thumb, r.words FROM ratings r "
                    "JOIN messages m ON m.id = r.message_id WHERE m.session_id = :id"
                ),
                {"id": session_id},
            )
            return {
                MessageId(row.message_id): Rating(MessageId(row.message_id), thumb, row.words)
                for row in rows
                if (thumb := read_choice_or_none(row.thumb, Thumb)) is not None
            }

    def count_usage(
        self,
        session_id: SessionId,
        usage: Usage,
        *,
        purpose: Purpose,
        model: str,
        message_id: MessageId | None = None,
    ) -> None:
        with self._database.writing() as db:
            _spend(
                db,
                usage,
                session_id=session_id,
                message_id=message_id,
                purpose=purpose.value,
                model=model,
                at=utc_text(self._now()),
            )

    def spent_tokens(self, purpose: Purpose) -> int:
        """Of all sessions that are there."""
        with self._database.reading() as db:
            spent = db.execute(
                text(
                    "SELECT sum(input_tokens + output_tokens + cache_read_tokens "
                    "+ cache_write_tokens) FROM usage WHERE purpose = :purpose"
                ),
                {"purpose": purpose.value},
            ).scalar()
            return int(spent or 0)

    def usage(self, session_id: SessionId) -> dict[MessageId | None, Usage]:
        """By message; under None what was spent on the session itself (its description, say)."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT message_id, sum(input_tokens), sum(output_tokens), "
                    "sum(cache_read_tokens), sum(cache_write_tokens), sum(cost_usd) "
                    "FROM usage WHERE session_id = :id GROUP BY message_id"
                ),
                {"id": session_id},
            )
            return {row[0]: Usage(*row[1:]) for row in rows}


def keep_records(
    db: Connection, session_id: SessionId, records: Iterable[AnswerRecord], now: datetime
) -> None:
    """In the transaction that keeps the answers themselves."""
    for record in records:
        _cite(db, record.message_id, record.citations)
        if record.usage != NO_USAGE:
            _spend(
                db,
                record.usage,
                session_id=session_id,
                message_id=record.message_id,
                purpose=Purpose.ANSWER.value,
                model=record.model,
                at=utc_text(now),
            )


def _cite(db: Connection, message_id: MessageId, citations: Iterable[Citation]) -> None:
    # A text that gives way to another takes its citations with it.
    db.execute(text("DELETE FROM citations WHERE message_id = :id"), {"id": message_id})
    for citation in citations:
        db.execute(
            text(
                "INSERT INTO citations VALUES "
                "(:message_id, :number, :state, :quote, :source_id, :passage_id, :title)"
            ),
            {
                "message_id": message_id,
                "number": citation.number,
                "state": citation.state.value,
                "quote": citation.quote,
                "source_id": citation.source_id,
                "passage_id": citation.passage_id,
                "title": citation.title,
            },
        )


def _spend(db: Connection, usage: Usage, **row: str | int | None) -> None:
    db.execute(
        text(
            "INSERT INTO usage (session_id, message_id, purpose, model, input_tokens, "
            "output_tokens, cache_read_tokens, cache_write_tokens, cost_usd, created_at) "
            "VALUES (:session_id, :message_id, :purpose, :model, :input, :output, :read, "
            ":write, :cost, :at)"
        ),
        {
            **row,
            "input": usage.input_tokens,
            "output": usage.output_tokens,
            "read": usage.cache_read_tokens,
            "write": usage.cache_write_tokens,
            "cost": usage.cost_usd,
        },
    )
