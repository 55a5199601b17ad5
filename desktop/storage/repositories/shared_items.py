"""Who added what to the shared projects, and the members that this computer knows.

An item keeps its row when the user deletes it here, so that it does not come back.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import SessionId
from desktop.domain.projects import ProjectId
from desktop.domain.sharing import (
    Digest,
    ItemKind,
    Member,
    MemberId,
    MemberState,
    Ownership,
    SharedItem,
    SharedReadOnlyError,
)
from desktop.domain.times import utc_text
from desktop.storage.repositories.shared_content import hide_item, read_item, write_item
from desktop.storage.repositories.shared_forms import ItemContent
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import shared_items, shared_members
from desktop.storage.schema.row_mapping import DatabaseRow, listed, read_time
from desktop.storage.schema.tables import messages, notes, sessions, sources

_item, _member = shared_items.c, shared_members.c


class SharedItemStore(Repository):
    """Every method may raise StorageError."""

    def items(self, project: ProjectId) -> dict[str, Ownership]:
        """Return what members share in a project, by id; the user's sessions too."""
        rows = self._rows(select(shared_items).where(_item.project == project))
        return {row.id: _ownership(row) for row in rows}

    def others(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the names of the members that the items come from; the user's are left out."""
        query = select(_item.id, _item.name).where(_item.id.in_(listed(ids)), _item.is_own == 0)
        return {row.id: row.name for row in self._rows(query)}

    def owners(self, kind: ItemKind) -> dict[str, str]:
        """Return the names of the members that items of a kind come from, by id."""
        query = select(_item.id, _item.name).where(_item.kind == kind.value, _item.is_own == 0)
        return {row.id: row.name for row in self._rows(query)}

    def check_own(self, ids: Iterable[str]) -> None:
        """Raise SharedReadOnlyError if one of the items is another member's."""
        for name in self.others(ids).values():
            raise SharedReadOnlyError(name=name)

    def publish(self, ownership: Ownership) -> None:
        """Record an item, or its new content."""
        values = _values(ownership)
        new = insert(shared_items).values(values)
        self._change(new.on_conflict_do_update(index_elements=[_item.id], set_=values))

    def withdraw(self, ids: Iterable[str]) -> None:
        """Forget that items are shared; they stay."""
        self._change(delete(shared_items).where(_item.id.in_(listed(ids))))

    def own_ids(self, project: ProjectId, published: Collection[str]) -> dict[ItemKind, list[str]]:
        """Return what the user shares in a project, besides being published: all that is there.

        Documents of the library and of published sessions, and notes in what is shared; of
        `published` those that are still in the project. Each in the order of time.
        """
        of_others = select(_item.id).where(_item.is_own == 0)
        shown = select(_item.id).where(_item.project == project)
        published_ids = listed(published)
        of_sessions = (
            select(sessions.c.id)
            .where(sessions.c.id.in_(published_ids), *_here(sessions.c, project))
            .where(sessions.c.message_count > 0)
            .order_by(sessions.c.created_at, sessions.c.key)
        )
        in_library = sources.c.session_id.is_(None) | sources.c.session_id.in_(published_ids)
        of_sources = (
            select(sources.c.id)
            .where(*_here(sources.c, project), in_library, sources.c.id.not_in(of_others))
            .order_by(sources.c.key)
        )
        in_source = select(sources.c.id).where(*_here(sources.c, project), in_library)
        in_message = (
            select(messages.c.id)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .where(*_here(sessions.c, project), messages.c.is_current == 1)
            .where(sessions.c.id.in_(shown))
        )
        of_notes = (
            select(notes.c.id)
            .where(notes.c.deleted_at.is_(None), notes.c.id.not_in(of_others))
            .where(notes.c.source_id.in_(in_source) | notes.c.message_id.in_(in_message))
            .order_by(notes.c.key)
        )
        queries = zip(ItemKind, (of_sessions, of_sources, of_notes), strict=True)
        return {kind: list(self._values_of(query)) for kind, query in queries}

    def _values_of(self, query: "ColumnElement[str] | object") -> Sequence[str]:
        return [row[0] for row in self._rows(query)]  # type: ignore[arg-type]

    def content(self, kind: ItemKind, id_: str, shown: Collection[str]) -> ItemContent | None:
        """Return an item as it travels; None if it is gone.

        `shown`: the sessions and sources of the space: a quotation of anything else is left out.
        """
        with self._database.reading() as db:
            return read_item(db, kind, id_, shown)

    def add(self, ownership: Ownership, content: ItemContent) -> bool:
        """Store an item of another member, or what it has become; False: it waits for another.

        Raises ValueError if it would change anything that is not this member's.
        """
        at = utc_text(self._now())
        with self._database.writing() as db:
            before = db.execute(select(shared_items).where(_item.id == ownership.item.id)).first()
            if before and not _is_same_owner(_ownership(before), ownership):
                raise ValueError("another member's")
            if not write_item(db, ownership, content, at, is_known=before is not None):
                return False
            values = _values(ownership)
            new = insert(shared_items).values(values)
            db.execute(new.on_conflict_do_update(index_elements=[_item.id], set_=values))
        self.cached.clear()
        return True

    def hide(self, ids: Iterable[str]) -> None:
        """Hide items of others, and forget them: `Archive.purge_hidden` removes them for good."""
        with self._database.writing() as db:
            several = listed(ids)
            rows = db.execute(select(shared_items).where(_item.id.in_(several), _item.is_own == 0))
            for ownership in map(_ownership, rows.all()):
                hide_item(db, ownership.item)
            db.execute(delete(shared_items).where(_item.id.in_(several), _item.is_own == 0))
        self.cached.clear()

    def members(self, project: ProjectId) -> list[Member]:
        rows = self._rows(select(shared_members).where(_member.project == project))
        return sorted(map(_member_of, rows), key=lambda member: (member.name, member.id))

    def note_member(self, project: ProjectId, member: Member) -> None:
        values = {
            "project": project,
            "id": member.id,
            "name": member.name,
            "number": member.number,
            "key": member.key,
            "seen_at": utc_text(member.seen_at),
            "state": member.state.value,
        }
        new = insert(shared_members).values(values)
        keys = [_member.project, _member.id]
        with self._database.writing() as db:
            db.execute(new.on_conflict_do_update(index_elements=keys, set_=values))
            names = update(shared_items).where(
                _item.member == member.id, _item.project == project, _item.name != member.name
            )
            db.execute(names.values(name=member.name))

    def forget_project(self, project: ProjectId) -> None:
        """Forget the members and the user's share; who added the rest stays known."""
        with self._database.writing() as db:
            db.execute(delete(shared_members).where(_member.project == project))
            own = delete(shared_items).where(_item.project == project, _item.is_own == 1)
            db.execute(own)

    def published(self, ids: Iterable[SessionId]) -> Mapping[str, Digest]:
        """Return those of the sessions that the user has published."""
        query = select(_item.id, _item.digest).where(_item.id.in_(listed(ids)), _item.is_own == 1)
        return {row.id: Digest(row.digest) for row in self._rows(query)}


def _here(columns: object, project: ProjectId) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    table: object = columns
    return table.project == project, table.deleted_at.is_(None)  # type: ignore[attr-defined]


def _is_same_owner(before: Ownership, after: Ownership) -> bool:
    return not before.is_own and (before.member, before.project, before.item.kind) == (
        after.member,
        after.project,
        after.item.kind,
    )


def _values(ownership: Ownership) -> dict[str, str | int]:
    return {
        "id": ownership.item.id,
        "kind": ownership.item.kind.value,
        "project": ownership.project,
        "member": ownership.member,
        "name": ownership.name,
        "digest": ownership.item.digest,
        "is_own": int(ownership.is_own),
    }


def _ownership(row: DatabaseRow) -> Ownership:
    item = SharedItem(row.id, ItemKind(row.kind), Digest(row.digest))
    return Ownership(
        item, ProjectId(row.project), MemberId(row.member), row.name, bool(row.is_own)
    )


def _member_of(row: DatabaseRow) -> Member:
    return Member(
        id=MemberId(row.id),
        name=row.name,
        number=row.number,
        key=row.key,
        seen_at=read_time(row.seen_at),
        state=MemberState(row.state),
    )
