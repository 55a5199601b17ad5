"""The repository of preferences: how the user wants to be answered, and the evidence for it.

A preference is visible while a message that is not deleted speaks for it, or while the user has
confirmed it. Its confidence is computed from its evidence at each reading, so that deleted
messages no longer count. A wish whose fact was forgotten is forgotten with it.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, Update, and_, delete, exists, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.errors import PreferenceUnknownError
from desktop.domain.ids import MessageId, PreferenceId, SessionId, new_preference_id
from desktop.domain.learned_preferences import (
    CONFIRMED,
    KnownPreference,
    Observation,
    Preference,
    PreferenceEvidence,
    PreferenceKind,
    PreferenceSource,
    opposites,
    weigh,
)
from desktop.domain.messages import Message
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates
from desktop.storage.repositories.projects import project_named
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import housekeeping, preference_evidence, preferences
from desktop.storage.schema.row_mapping import (
    MESSAGE,
    DatabaseRow,
    listed,
    message_of,
    read_time,
    read_value,
    upsert,
    values_of,
    within_or_common,
)
from desktop.storage.schema.tables import (
    fact_sources,
    facts,
    forgotten_words,
    messages,
    ratings,
    sessions,
)

_MARK = "preferences_read"  # The row of `housekeeping` that names the last message that was read
_LONGEST_QUOTE = 300
_JOINED = ("preference_id", "project_of_session")
_HERE = preferences.c.deleted_at.is_(None)
_of_wish = preference_evidence.c.message_id
_is_wish = (preference_evidence.c.source == PreferenceSource.WISH) & (
    preference_evidence.c.is_against == 0
)
_is_forgotten = or_(
    exists().where(forgotten_words.c.message_id == _of_wish),
    exists().where(
        fact_sources.c.message_id == _of_wish,
        facts.c.id == fact_sources.c.fact_id,
        facts.c.origin == "directive",
        facts.c.deleted_at.is_not(None),
    ),
)
_is_live = sessions.c.deleted_at.is_(None) & or_(
    preference_evidence.c.source != PreferenceSource.WISH, ~_is_forgotten
)
_EVIDENCE = (
    preference_evidence.c.message_id,
    sessions.c.id.label("session_id"),
    preference_evidence.c.source,
    preference_evidence.c.is_against,
    preference_evidence.c.at,
    preference_evidence.c.words.label("said"),
)
_evidence = (
    preference_evidence.join(messages, messages.c.id == preference_evidence.c.message_id)
    .join(sessions, sessions.c.id == messages.c.session_id)
)  # fmt: skip


class PreferenceStore(Repository):
    """Every method may raise StorageError."""

    def preferences(self, wall: Wall) -> list[Preference]:
        """Return the visible preferences, the most certain first."""
        by_key = groupby(self._rows(_known_to(wall)), lambda row: row.key)
        several = [_preference([*rows]) for _, rows in by_key]
        return sorted(
            (preference for preference in several if preference.count or preference.is_edited),
            key=lambda preference: (preference.confidence, preference.seen_at),
            reverse=True,
        )

    def of_session(self, session_id: SessionId) -> list[Preference]:
        query = (
            select(preference_evidence.c.preference_id)
            .select_from(_evidence)
            .where(_is_live, sessions.c.id == session_id)
        )
        ids = set(self._values(query))
        return [preference for preference in self.preferences(EVERYTHING) if preference.id in ids]

    def evidence(self, preference_id: PreferenceId) -> list[PreferenceEvidence]:
        """Return the messages that speak for a preference or against it, the newest first."""
        title = func.coalesce(sessions.c.title, sessions.c.opening, "").label("session_title")
        words = func.coalesce(ratings.c.words, messages.c.content)
        query = (
            select(*_EVIDENCE, title, func.substr(words, 1, _LONGEST_QUOTE).label("quote"))
            .select_from(
                _evidence.outerjoin(
                    ratings,
                    and_(
                        ratings.c.message_id == messages.c.id,
                        preference_evidence.c.source == PreferenceSource.THUMB,
                    ),
                )
            )
            .where(_is_live, preference_evidence.c.preference_id == preference_id)
            .order_by(preference_evidence.c.at.desc(), messages.c.id.desc())
        )
        return [read_value(PreferenceEvidence, row) for row in self._rows(query)]

    def observe(self, several: Sequence[Observation]) -> None:
        """Store observations: for a preference, new or known, and against its opposites."""
        if not several:
            return
        with self._database.writing() as db:
            for observation in several:
                _observe(db, observation)

    def forget_thumb(self, message_id: MessageId) -> None:
        """Remove what the rating of an answer said; another rating replaces it."""
        self._change(
            delete(preference_evidence).where(
                preference_evidence.c.message_id == message_id,
                preference_evidence.c.source == PreferenceSource.THUMB,
            )
        )

    def unread(self, limit: int) -> list[Message]:
        """Return the next messages of the user that were not read yet; never imported ones."""
        mark = select(housekeeping.c.position).where(housekeeping.c.task == _MARK)
        query = (
            select(*MESSAGE)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .where(
                messages.c.id > int(self._value(mark) or 0),
                messages.c.role == "user",
                messages.c.is_current == 1,
                messages.c.ref.is_(None),
                sessions.c.deleted_at.is_(None),
            )
            .order_by(messages.c.id)
            .limit(limit)
        )
        return [message_of(row) for row in self._rows(query)]

    def switch(self, preference_id: PreferenceId, *, is_on: bool) -> None:
        """Turn it on, which confirms it, or off. Raises PreferenceUnknownError."""
        confirmed = {"edited_at": utc_text(self._now())} if is_on else {}
        self._set(preference_id, is_on=int(is_on), **confirmed)

    def edit(self, preference_id: PreferenceId, words: str) -> None:
        """Reword it; this replaces the wishes behind it. Raises PreferenceUnknownError."""
        at = utc_text(self._now())
        self._withdraw(preference_id, at, words=fix_surrogates(words), edited_at=at, is_on=1)

    def delete(self, preference_id: PreferenceId) -> None:
        """Delete it, with the facts that state its wish. Raises PreferenceUnknownError."""
        at = utc_text(self._now())
        self._withdraw(preference_id, at, deleted_at=at)

    def undelete(self, preference_id: PreferenceId) -> None:
        with self._database.writing() as db:
            own = select(preferences.c.deleted_at).where(preferences.c.id == preference_id)
            deleted_with = facts.c.deleted_at == own.scalar_subquery()
            db.execute(_wishes_of(preference_id).where(deleted_with).values(deleted_at=None))
            db.execute(_of([preference_id]).values(deleted_at=None))

    def merge(self, preference_id: PreferenceId, other: PreferenceId) -> None:
        moved = update(preference_evidence).prefix_with("OR IGNORE")
        of_other = preference_evidence.c.preference_id == other
        with self._database.writing() as db:
            db.execute(moved.where(of_other).values(preference_id=preference_id))
            db.execute(delete(preferences).where(preferences.c.id == other))

    def reload(self, several: Iterable[KnownPreference]) -> int:
        """Add the missing preferences of a file; return how many.

        One whose messages are missing counts as the user's own. It has its project's name
        instead of the id; a missing project is created.
        """
        count = 0
        with self._database.writing() as db:
            for preference, evidence in several:
                project = project_named(db, preference.project)
                if _known(db, preference.kind, [preference.value], project):
                    continue
                count += 1
                ids = listed(record.message_id for record in evidence)
                query = select(messages.c.id).where(messages.c.id.in_(ids))
                here = set(db.execute(query).scalars())
                is_own = preference.is_edited or not here
                row = values_of(preference, ("kind", "value", "is_on", "created_at"))
                row |= {"id": new_preference_id(), "project": project}
                row["words"] = preference.words if is_own else ""
                row["edited_at"] = row["created_at"] if is_own else None
                db.execute(insert(preferences).values(row))
                for record in evidence:
                    if record.message_id in here:
                        is_wish = record.source is PreferenceSource.WISH and not record.is_against
                        fields = values_of(record, ("message_id", "source", "is_against", "at"))
                        fields["preference_id"] = row["id"]
                        fields["words"] = preference.words if is_wish else ""
                        db.execute(insert(preference_evidence).values(fields))
        return count

    def _withdraw(self, preference_id: PreferenceId, at: str, **values: str | int) -> None:
        """Change it and delete the facts of its wishes; their other values are confirmed."""
        self._set(preference_id, **values)
        wish_messages = _wish_messages(preference_id)
        is_other = (_of_wish.in_(wish_messages)) & (
            preference_evidence.c.preference_id != preference_id
        )
        others = select(preference_evidence.c.preference_id).where(is_other, _is_wish)
        with self._database.writing() as db:
            condition = preferences.c.id.in_(others) & preferences.c.edited_at.is_(None)
            db.execute(update(preferences).where(condition).values(edited_at=at))
            db.execute(update(preference_evidence).where(is_other).values(words=""))
            gone = _wishes_of(preference_id).where(facts.c.deleted_at.is_(None))
            db.execute(gone.values(deleted_at=at))

    def _set(self, preference_id: PreferenceId, **values: str | int) -> None:
        if not self._change(_of([preference_id]).where(_HERE).values(**values)):
            raise PreferenceUnknownError(preference=preference_id)

    def mark_read(self, message_id: MessageId) -> None:
        self._change(upsert(housekeeping, {"task": _MARK}, {"position": str(message_id)}))


def _of(ids: Iterable[PreferenceId]) -> Update:
    return update(preferences).where(preferences.c.id.in_(listed(ids)))


def _preference(rows: Sequence[DatabaseRow]) -> Preference:
    """Return a preference of its row, repeated with each piece of evidence."""
    row = rows[0]
    evidence = [read_value(PreferenceEvidence, row) for row in rows if row.message_id is not None]
    for_it = [record for record in evidence if not record.is_against]
    wordings = [row.said for row in rows if row.said and not row.is_against]
    return read_value(
        Preference,
        row,
        confidence=max(weigh(evidence), CONFIRMED if row.edited_at else 0.0),
        count=len(for_it),
        seen_at=max((record.at for record in evidence), default=read_time(row.created_at)),
        # The newest wish has the best words, unless the user has reworded it.
        words=row.words or next(reversed(wordings), ""),
        is_edited=bool(row.edited_at),
        wishes=[record.message_id for record in for_it if record.source is PreferenceSource.WISH],
    )


def _known(
    db: Connection, kind: PreferenceKind, values: Iterable[str], project: str
) -> list[PreferenceId]:
    query = select(preferences.c.id).where(
        _HERE,
        preferences.c.kind == kind,
        preferences.c.value.in_(listed(values)),
        preferences.c.project == project,
    )
    return [PreferenceId(row.id) for row in db.execute(query)]


def _observe(db: Connection, observation: Observation) -> None:
    at, words = utc_text(observation.at), fix_surrogates(observation.words)
    session = sessions.join(messages, messages.c.session_id == sessions.c.id)
    of_message = select(sessions.c.project).select_from(session)
    project = db.execute(of_message.where(messages.c.id == observation.message_id)).scalar() or ""
    preference_ids = _known(db, observation.kind, [observation.value], project)
    if (observation.is_against and not preference_ids) or _was_deleted(db, observation):
        return  # there is nothing to lower, or the user deleted what the message says
    if not preference_ids:
        preference_ids = [new_preference_id()]
        db.execute(
            insert(preferences).values(
                id=preference_ids[0],
                kind=observation.kind,
                value=observation.value,
                created_at=at,
                project=project,
            )
        )
    for_it, against = preference_ids[:1], preference_ids
    if observation.is_against:
        for_it = []
    else:
        against = _known(db, observation.kind, opposites(observation.value), project)
    for preference_id in (*for_it, *against):
        row = insert(preference_evidence).values(
            preference_id=preference_id,
            message_id=observation.message_id,
            source=observation.source,
            is_against=int(preference_id in against),
            at=at,
            words="" if preference_id in against else words,
        )
        db.execute(row.on_conflict_do_nothing())


def _was_deleted(db: Connection, observation: Observation) -> bool:
    query = select(preferences.c.id).where(
        preferences.c.kind == observation.kind,
        preferences.c.value == observation.value,
        preferences.c.deleted_at.is_not(None),
        preference_evidence.c.preference_id == preferences.c.id,
        preference_evidence.c.message_id == observation.message_id,
    )
    return db.execute(query).first() is not None


def _wish_messages(preference_id: PreferenceId) -> Select[int]:
    return select(_of_wish).where(preference_evidence.c.preference_id == preference_id, _is_wish)


def _wishes_of(preference_id: PreferenceId) -> Update:
    of_it = fact_sources.c.message_id.in_(_wish_messages(preference_id))
    fact_ids = select(fact_sources.c.fact_id).where(of_it)
    return update(facts).where(facts.c.origin == "directive", facts.c.id.in_(fact_ids))


def purge_preferences(db: Connection, until: str) -> int:
    """Remove preferences deleted before a moment, and those that no message supports any more.

    Call it after the rows of deleted sessions are removed. Returns how many were removed.
    """
    supported = exists().where(
        preference_evidence.c.preference_id == preferences.c.id,
        preference_evidence.c.is_against == 0,
    )
    is_gone = preferences.c.edited_at.is_(None) & ~supported
    return db.execute(
        delete(preferences).where(or_(preferences.c.deleted_at < until, is_gone))
    ).rowcount


@lru_cache(maxsize=16)  # to build it takes longer than to run it, and every turn runs it
def _known_to(wall: Wall) -> Select[Any]:
    live = (
        select(
            preference_evidence.c.preference_id,
            sessions.c.project.label("project_of_session"),
            *_EVIDENCE,
        )
        .select_from(_evidence)
        .where(_is_live)
        .subquery()
    )
    return (
        select(preferences, *(column for column in live.c if column.name not in _JOINED))
        .outerjoin(
            live,
            and_(
                live.c.preference_id == preferences.c.id,
                live.c.project_of_session == preferences.c.project,
            ),
        )
        .where(_HERE, within_or_common(preferences.c.project, wall))
        .order_by(preferences.c.key, live.c.at, live.c.message_id)
    )
