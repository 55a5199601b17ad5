"""Stores the claims of answers as they were judged, and which answers are still to be checked.

A claim has a row for each citation in it. An answer whose check has no time of judging is due.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from sqlalchemy import Connection, Row, Select, and_, delete, exists, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.sql.selectable import SelectBase

from desktop.domain.claims import (
    CitedSupport,
    ClaimReview,
    ClaimWarning,
    DueCheck,
    JudgedClaim,
    Support,
    WarningKind,
)
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import MessageState
from desktop.domain.times import utc_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import claim_checks, claims
from desktop.storage.schema.row_mapping import (
    DatabaseRow,
    read_choice,
    read_choice_or_none,
    read_json,
    read_time_or_none,
)
from desktop.storage.schema.tables import citations, messages, sessions


class ClaimStore(Repository):
    """Every method may raise StorageError."""

    def due(self) -> list[DueCheck]:
        """Return the answers whose claims are to be checked, newest first."""
        query = (
            select(
                claim_checks.c.message_id,
                messages.c.session_id,
                claim_checks.c.asks_model,
            )
            .join(messages, messages.c.id == claim_checks.c.message_id)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .where(claim_checks.c.judged_at.is_(None), sessions.c.deleted_at.is_(None))
            .where(messages.c.is_current == 1, messages.c.state == MessageState.COMPLETE.value)
            .order_by(claim_checks.c.message_id.desc())
        )
        return [
            DueCheck(
                MessageId(row.message_id),
                SessionId(row.session_id),
                bool(row.asks_model),
            )
            for row in self._rows(query)
        ]

    def request(self, message_id: MessageId) -> None:
        """Make the check of an answer due by a model, also if it was checked before."""
        values = {"asks_model": 1, "judged_at": None}
        new = insert(claim_checks).values(message_id=message_id, **values)
        self._change(new.on_conflict_do_update(index_elements=["message_id"], set_=values))

    def keep(self, message_id: MessageId, judged: Sequence[JudgedClaim], model: str) -> bool:
        """Store the claims instead of earlier ones; return False if the answer is gone."""
        done = {"judged_at": utc_text(self._now()), "model": model}
        is_meant = claim_checks.c.message_id == message_id
        with self._database.writing() as db:
            if not db.execute(update(claim_checks).where(is_meant).values(**done)).rowcount:
                return False
            _replace_claims(db, message_id, judged)
        return True

    def adopt(self, message_id: MessageId, review: ClaimReview) -> None:
        """Store what another profile judged of the same answer."""
        judged_at = utc_text(review.judged_at or self._now())
        values = {"asks_model": 1, "judged_at": judged_at, "model": review.model}
        new = insert(claim_checks).values(message_id=message_id, **values)
        with self._database.writing() as db:
            db.execute(new.on_conflict_do_update(index_elements=["message_id"], set_=values))
            _replace_claims(db, message_id, review.claims)

    def reviews(self, session_id: SessionId) -> dict[MessageId, ClaimReview]:
        """Return the claims of every answer of a session that was checked or will be."""
        query = select(claim_checks).join(messages, messages.c.id == claim_checks.c.message_id)
        checks = self._rows(query.where(messages.c.session_id == session_id))
        judged = claims_by_message(self._rows(claims_of_session(session_id)))
        return {
            MessageId(row.message_id): ClaimReview(
                judged.get(MessageId(row.message_id), ()),
                row.model or "",
                read_time_or_none(row.judged_at),
            )
            for row in checks
        }

    def doubted(self, message_ids: Sequence[MessageId]) -> frozenset[MessageId]:
        """Return those of these answers with claims that their sources do not say."""
        in_order = (claims.c.message_id, claims.c.place, claims.c.number)
        rows = self._rows(
            select(claims).where(claims.c.message_id.in_(message_ids)).order_by(*in_order)
        )
        judged = claims_by_message(rows)
        return frozenset(each for each in judged if ClaimReview(judged[each]).not_said)


def _replace_claims(db: Connection, message_id: MessageId, judged: Sequence[JudgedClaim]) -> None:
    rows = [
        {
            "message_id": message_id,
            "place": place,
            "number": cited.number,
            "start": claim.start,
            "stop": claim.end,
            "support": cited.support.value,
            "words": cited.words,
            "warnings": _warnings_text(claim.warnings),
        }
        for place, claim in enumerate(judged, start=1)
        for cited in claim.cited
    ]
    db.execute(delete(claims).where(claims.c.message_id == message_id))
    if rows:
        db.execute(insert(claims), rows)


def claims_of_session(session_id: SessionId) -> "Select[tuple[object, ...]]":
    query = select(claims).join(messages, messages.c.id == claims.c.message_id)
    in_order = (claims.c.message_id, claims.c.place, claims.c.number)
    return query.where(messages.c.session_id == session_id).order_by(*in_order)


def claims_by_message(
    rows: "Sequence[Row[tuple[object, ...]]]",
) -> Mapping[MessageId, list[JudgedClaim]]:
    by_message: dict[MessageId, list[JudgedClaim]] = {}
    for (message_id, _), several in groupby(rows, lambda row: (row.message_id, row.place)):
        by_message.setdefault(MessageId(message_id), []).append(_claim_of([*several]))
    return by_message


def _claim_of(rows: Sequence[DatabaseRow]) -> JudgedClaim:
    return JudgedClaim(
        rows[0].start,
        rows[0].stop,
        tuple(
            CitedSupport(row.number, read_choice(row.support, Support.UNTESTED), row.words)
            for row in rows
        ),
        tuple(_read_warnings(rows[0].warnings)),
    )


def _warnings_text(warnings: Iterable[ClaimWarning]) -> str:
    return json.dumps([[each.kind.value, each.words] for each in warnings], ensure_ascii=False)


def _read_warnings(stored: str) -> Iterable[ClaimWarning]:
    entries = read_json(stored)
    for entry in entries if isinstance(entries, list) else ():
        match entry:
            case [str(kind), str(words)] if known := read_choice_or_none(kind, WarningKind):
                yield ClaimWarning(known, words)
            case _:
                pass


def forget_words(db: Connection, gone: SelectBase) -> None:
    """Remove the words of sources or sessions that are deleted for good."""
    is_of_gone = exists().where(
        and_(
            citations.c.message_id == claims.c.message_id,
            citations.c.number == claims.c.number,
            citations.c.source_id.in_(gone),
        )
    )
    nothing = {"words": "", "support": Support.UNTESTED.value}
    db.execute(update(claims).where(is_of_gone).values(**nothing))
