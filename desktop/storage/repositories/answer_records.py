"""Stores what belongs to an answer: citations, rating, cost, sent facts, activity, phases."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import (
    Connection,
    Executable,
    Integer,
    Select,
    Table,
    and_,
    bindparam,
    case,
    cast,
    delete,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.sql.selectable import SelectBase

from desktop.domain.ids import NO_SESSION, FactId, MessageId, SessionId, TurnId
from desktop.domain.messages import Citation, CitationState, Rating, Thumb, with_support
from desktop.domain.research import StepKind, StepState
from desktop.domain.search import HitKind, RecalledItem
from desktop.domain.sources import SourceKind
from desktop.domain.times import utc_text
from desktop.domain.usage import NO_USAGE, PhaseRecord, Purpose, Usage
from desktop.storage.repositories.claims import (
    claims_by_message,
    claims_of_session,
    forget_words,
)
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import claim_checks, claims, diary_items, recalled_items
from desktop.storage.schema.row_mapping import (
    USAGE_NAMES,
    DatabaseRow,
    StoredValue,
    listed,
    read_choice,
    read_choice_or_none,
    read_value,
    usage_of,
    usage_values,
    values_of,
)
from desktop.storage.schema.tables import (
    citations,
    facts,
    facts_sent,
    messages,
    phases,
    ratings,
    sessions,
    source_passages,
    sources,
    usage,
    work_done,
)

if TYPE_CHECKING:
    from desktop.domain.events import WorkDone

T = TypeVar("T")

_STEP, _TOOL, _SOURCE = "step", "tool", "source"
_CITATION_FIELDS = [column.name for column in citations.c if column is not citations.c.message_id]
_NO_TURN = TurnId("")
_DELETE_CITATIONS = delete(citations).where(citations.c.message_id == bindparam("message"))


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """What is stored with an answer besides its text."""

    message_id: MessageId
    model: str
    citations: Sequence[Citation] = ()
    usage: Usage = NO_USAGE
    asks_judge: bool | None = None
    """Whether a model checks the claims; False: only the rules; None: they are not checked."""


class AnswerStore(Repository):
    """Citations, ratings and usage of answers. Every method may raise StorageError."""

    def add_citations(self, message_id: MessageId, cited: Sequence[Citation]) -> None:
        """Add citations to an answer that has none; each number once."""
        with self._database.writing() as db:
            _add_citations(db, message_id, cited)

    def citations(self, session_id: SessionId) -> dict[MessageId, list[Citation]]:
        """Return the citations of every message of a session, by number."""
        numbered = _in_session(citations, session_id).order_by(citations.c.number)
        cited = _by_message(self._rows(numbered), partial(read_value, Citation))
        judged = claims_by_message(self._rows(claims_of_session(session_id)))
        for message_id in judged.keys() & cited.keys():
            cited[message_id] = with_support(cited[message_id], judged[message_id])
        return cited

    def rate(self, rating: Rating) -> None:
        self._change(
            insert(ratings)
            .prefix_with("OR REPLACE")
            .values(
                **values_of(rating, ("message_id", "thumb", "words")),
                created_at=utc_text(self._now()),
            )
        )

    def unrate(self, message_id: MessageId) -> None:
        self._change(delete(ratings).where(ratings.c.message_id == message_id))

    def ratings(self, session_id: SessionId) -> dict[MessageId, Rating]:
        return {
            MessageId(row.message_id): Rating(MessageId(row.message_id), thumb, row.words)
            for row in self._rows(_in_session(ratings, session_id))
            if (thumb := read_choice_or_none(row.thumb, Thumb)) is not None
        }

    def count_usage(
        self,
        session_id: SessionId,
        spent: Usage,
        *,
        purpose: Purpose,
        model: str,
        message_id: MessageId | None = None,
    ) -> None:
        row = {"session_id": session_id, "message_id": message_id, "model": model}
        at = utc_text(self._now())
        self._change(
            insert(usage), row | usage_values(spent) | {"purpose": purpose, "created_at": at}
        )

    def charge(self, rejected: Sequence[MessageId], message_id: MessageId) -> None:
        """Count the usage of rejected answers with the one that took their place."""
        of_rejected = usage.c.message_id.in_(rejected)
        self._change(update(usage).where(of_rejected).values(message_id=message_id))

    def spent_tokens(self, purpose: Purpose) -> int:
        tokens = sum((usage.c[name] for name in USAGE_NAMES[:-1]), start=literal(0))
        spent = self._value(select(func.sum(tokens)).where(usage.c.purpose == purpose.value))
        return int(spent or 0)

    def requests(self, purpose: Purpose, since: datetime) -> int:
        is_meant = (usage.c.purpose == purpose.value) & (usage.c.created_at >= utc_text(since))
        return int(self._value(select(func.count()).where(is_meant)))

    def usage(self, session_id: SessionId) -> dict[MessageId | None, Usage]:
        """Return usage by message; the key None is the session itself (its description, say)."""
        sums = (func.sum(usage.c[name]).label(name) for name in USAGE_NAMES)
        query = (
            select(usage.c.message_id, *sums)
            .where(usage.c.session_id == session_id)
            .group_by(usage.c.message_id)
        )
        return {row.message_id: usage_of(row) for row in self._rows(query)}

    def describing_model(self, session_id: SessionId) -> str:
        """Return the name of the model that was last asked to describe it; empty without one."""
        is_meant = usage.c.purpose.in_((Purpose.DESCRIBE.value, Purpose.DESCRIBE_IMPORT.value))
        query = select(usage.c.model).where(usage.c.session_id == session_id, is_meant)
        return str(self._value(query.order_by(usage.c.created_at.desc()).limit(1)) or "")


class SentFactStore(Repository):
    """The facts that were sent with the request for an answer. Methods may raise StorageError."""

    def keep(self, message_id: MessageId, sent: Sequence[FactId]) -> None:
        with self._database.writing() as db:
            exist = set(
                db.execute(select(facts.c.id).where(facts.c.id.in_(listed(sent)))).scalars()
            )
            rows = [
                {"place": place, "fact_id": fact_id}
                for place, fact_id in enumerate(sent, start=1)
                if fact_id in exist
            ]
            _replace_rows(db, facts_sent, message_id, rows)

    def by_answer(self, session_id: SessionId) -> dict[MessageId, list[FactId]]:
        """Return the facts of every answer of a session, in the order in which they were sent."""
        in_order = _in_session(facts_sent, session_id).order_by(facts_sent.c.place)
        return _by_message(self._rows(in_order), lambda row: FactId(row.fact_id))


class RecalledStore(Repository):
    """The passages that answers recalled automatically. Methods may raise StorageError.

    Titles and texts are read from their own tables, so a deletion removes them here, too.
    """

    def keep(self, message_id: MessageId, items: Sequence[RecalledItem]) -> None:
        with self._database.writing() as db:
            session_ids = listed([recalled_item.session_id for recalled_item in items])
            query = select(sessions.c.id).where(sessions.c.id.in_(session_ids))
            exist = {NO_SESSION, *db.execute(query).scalars()}
            rows = [
                {
                    "place": recalled_item.number,
                    "kind": recalled_item.kind if recalled_item.target else HitKind.SESSION,
                    "session_id": recalled_item.session_id or None,
                    "target": recalled_item.target or recalled_item.session_id,
                }
                for recalled_item in items
                if recalled_item.session_id in exist
                and (recalled_item.target or recalled_item.session_id)
            ]
            _replace_rows(db, recalled_items, message_id, rows)

    def by_answer(
        self, session_id: SessionId, cut: Callable[[str, str], str]
    ) -> dict[MessageId, list[RecalledItem]]:
        """Return what every answer of a session recalled, as far as it still exists.

        `cut` returns the snippet of a text for a question.
        """
        return _by_message(
            self._rows(_recalled_in_session(), {"session": session_id}),
            lambda row: read_value(RecalledItem, row, snippet=cut(row.text, row.question)),
        )


@cache
def _recalled_in_session() -> Executable:
    quoted, question, answers = messages.alias("said"), messages.alias("asked"), messages
    item, passage, of = recalled_items.c, source_passages, sessions.c
    fact, is_day = facts.c, item.kind == HitKind.DIARY.value
    # Of a diary entry only the lines of this session: another may be deleted.
    lines = (
        select(func.group_concat(diary_items.c.text, "\n"))
        .where(diary_items.c.day == item.target, diary_items.c.session_id == item.session_id)
        .scalar_subquery()
    )
    return (
        select(
            item.message_id,
            item.place.label("number"),
            item.kind,
            item.target,
            func.coalesce(
                quoted.c.content, passage.c.text, fact.content, lines, of.summary, ""
            ).label("text"),
            func.coalesce(
                sources.c.title, fact.topic, case((is_day, item.target)), of.title, of.opening, ""
            ).label("title"),
            func.coalesce(
                quoted.c.created_at, sources.c.read_at, fact.valid_from, of.updated_at
            ).label("said_at"),
            func.coalesce(quoted.c.session_id, item.session_id, NO_SESSION).label("session_id"),
            func.coalesce(question.c.content, "").label("question"),
        )
        .join(answers, answers.c.id == item.message_id)
        .outerjoin(question, question.c.id == answers.c.parent_id)
        .outerjoin(
            quoted,
            and_(item.kind == HitKind.MESSAGE.value, quoted.c.id == cast(item.target, Integer)),
        )
        .outerjoin(passage, and_(item.kind == HitKind.SOURCE.value, passage.c.id == item.target))
        .outerjoin(sources, sources.c.id == passage.c.source_id)
        .outerjoin(facts, and_(item.kind == HitKind.FACT.value, fact.id == item.target))
        .outerjoin(sessions, sessions.c.id == func.coalesce(quoted.c.session_id, item.session_id))
        .where(answers.c.session_id == bindparam("session"))
        .where(sessions.c.deleted_at.is_(None), sources.c.deleted_at.is_(None))
        .where(fact.deleted_at.is_(None))
        .where(or_(fact.id.is_not(None), item.kind != HitKind.FACT.value))
        .where(or_(lines.is_not(None), ~is_day))
        .where(or_(quoted.c.id.is_not(None), item.kind != HitKind.MESSAGE.value))
        .where(or_(passage.c.id.is_not(None), item.kind != HitKind.SOURCE.value))
        .order_by(item.message_id, item.place)
    )


class WorkDoneStore(Repository):
    """Steps, calls and sources of an answer. Methods may raise StorageError."""

    def keep(self, message_id: MessageId, several: "Sequence[WorkDone]") -> None:
        rows = [
            {**_values(work), "place": place, "phase": work.phase}
            for place, work in enumerate(several, start=1)
        ]
        if rows:
            with self._database.writing() as db:
                _replace_rows(db, work_done, message_id, rows)

    def of_answer(self, message_id: MessageId) -> "list[WorkDone]":
        """Return the work of an answer in the order in which it began."""
        query = (
            select(work_done)
            .where(work_done.c.message_id == message_id)
            .order_by(work_done.c.place)
        )
        return [_work(row) for row in self._rows(query)]


_PHASE_FIELDS = ("turn_id", "phase", "started_at", "duration_ms", "outcome", "detail")


class PhaseStore(Repository):
    """How long each phase of a turn took and what it cost. Methods may raise StorageError."""

    def keep(self, session_id: SessionId, records: Iterable[PhaseRecord]) -> None:
        rows = [
            {"session_id": session_id, "items": record.count}
            | values_of(record, _PHASE_FIELDS)
            | usage_values(record.usage)
            for record in records
        ]
        if rows:
            self._change(insert(phases), rows)

    def phases(self, session_id: SessionId) -> list[PhaseRecord]:
        """Return the phases in the order in which they ran."""
        query = select(phases).where(phases.c.session_id == session_id).order_by(phases.c.id)
        return [
            read_value(PhaseRecord, row, usage=usage_of(row), count=row.items)
            for row in self._rows(query)
        ]


def keep_records(
    db: Connection, session_id: SessionId, records: Iterable[AnswerRecord], now: datetime
) -> None:
    """Store the records in the transaction that stores the answers themselves."""
    for record in records:
        # A replaced text loses its citations.
        db.execute(_DELETE_CITATIONS, {"message": record.message_id})
        _replace_check(db, record.message_id, asks_model=record.asks_judge)
        _add_citations(db, record.message_id, record.citations)
        if record.usage != NO_USAGE:
            row = {"session_id": session_id, "message_id": record.message_id}
            row |= {"purpose": Purpose.ANSWER, "model": record.model, "created_at": utc_text(now)}
            db.execute(insert(usage), row | usage_values(record.usage))


def _replace_check(db: Connection, message_id: MessageId, *, asks_model: bool | None) -> None:
    """Make a new text due, and forget what was judged of its earlier one. None: never checked."""
    db.execute(delete(claims).where(claims.c.message_id == message_id))
    db.execute(delete(claim_checks).where(claim_checks.c.message_id == message_id))
    if asks_model is not None:
        db.execute(insert(claim_checks).values(message_id=message_id, asks_model=int(asks_model)))


def _add_citations(db: Connection, message_id: MessageId, cited: Sequence[Citation]) -> None:
    rows = [
        {"message_id": message_id, **values_of(citation, _CITATION_FIELDS)} for citation in cited
    ]
    if rows:
        db.execute(insert(citations), rows)


def forget_quoted(db: Connection, gone: SelectBase) -> None:
    """Remove what answers quote from sources or sessions that are deleted for good."""
    forget_words(db, gone)
    db.execute(
        update(citations)
        .where(citations.c.source_id.in_(gone))
        .values(quote="", title="", state=CitationState.UNCHECKED.value)
    )
    db.execute(
        delete(work_done).where(work_done.c.sort == _SOURCE, work_done.c.source_id.in_(gone))
    )


def _in_session(table: Table, session_id: SessionId) -> Select[Any]:
    """Select the rows that belong to the messages of a session, message by message."""
    query = select(table).join(messages, messages.c.id == table.c.message_id)
    return query.where(messages.c.session_id == session_id).order_by(table.c.message_id)


def _by_message(
    rows: Iterable[DatabaseRow], read: Callable[[DatabaseRow], T]
) -> dict[MessageId, list[T]]:
    by_message: dict[MessageId, list[T]] = {}
    for row in rows:
        by_message.setdefault(row.message_id, []).append(read(row))
    return by_message


def _replace_rows(
    db: Connection, table: Table, message_id: MessageId, rows: Iterable[Mapping[str, object]]
) -> None:
    """Store what belongs to an answer instead of earlier rows, unless the answer is gone."""
    db.execute(delete(table).where(table.c.message_id == message_id))
    is_there = db.execute(select(messages.c.id).where(messages.c.id == message_id)).first()
    if is_there and (new := [{**row, "message_id": message_id} for row in rows]):
        db.execute(insert(table), new)


def _values(work: "WorkDone") -> Mapping[str, StoredValue]:
    from desktop.domain.events import SourceFound, StepEnded, ToolCalled  # noqa: PLC0415 - see _work

    row: dict[str, StoredValue] = dict.fromkeys(work_done.c.keys(), "")
    row |= dict.fromkeys(("found", "duration_ms", "is_suspicious"), 0) | usage_values(NO_USAGE)
    match work.done:
        case StepEnded() as step:
            row |= values_of(step, ("state", "found", "trouble", "duration_ms"))
            row |= usage_values(step.usage)
            row |= {"sort": _STEP, "name": f"{step.kind} {step.step}", "about": work.about}
        case ToolCalled() as called:
            row |= values_of(called, ("name", "state", "duration_ms"))
            row |= {"sort": _TOOL, "about": called.summary}
        case SourceFound() as source:
            row |= values_of(source, ("source_id", "address", "is_suspicious"))
            row |= {"sort": _SOURCE, "name": source.kind or "", "about": source.title}
    return row


def _work(row: DatabaseRow) -> "WorkDone":
    # Commands that show no activity start without the events of a turn.
    from desktop.domain.events import SourceFound, StepEnded, ToolCalled, ToolState, WorkDone  # noqa: PLC0415

    match row.sort:
        case "step":
            kind, _, step = row.name.partition(" ")
            ended = read_value(
                StepEnded,
                row,
                turn_id=_NO_TURN,
                step=step,
                kind=read_choice(kind, StepKind.FIND),
                state=read_choice(row.state, StepState.FAILED),
                usage=usage_of(row),
            )
            return WorkDone(row.phase, ended, row.about)
        case "tool":
            called = read_value(
                ToolCalled,
                row,
                turn_id=_NO_TURN,
                call_id=str(row.place),
                summary=row.about,
                state=read_choice(row.state, ToolState.FAILED),
            )
            return WorkDone(row.phase, called)
        case _:
            kind = read_choice_or_none(row.name, SourceKind)
            source = read_value(SourceFound, row, turn_id=_NO_TURN, kind=kind, title=row.about)
            return WorkDone(row.phase, source)
