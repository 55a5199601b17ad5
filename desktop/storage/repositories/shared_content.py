"""Items of shared projects: read from their rows, and written into the rows of another profile.

What comes from another member is stored as it is, belongs to the local project, and is neither
learned from nor described anew. Rows that did not change stay, so that what the user wrote about
them stays, too.

Text SQL: the index and vectors of what is replaced.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select, update

from desktop.domain.ids import MessageId, SessionId, SourceId, message_id_at
from desktop.domain.messages import CitationState, Role
from desktop.domain.projects import ProjectId
from desktop.domain.references import MADE_ADDRESS
from desktop.domain.sessions import OPENING_LENGTH
from desktop.domain.sharing import ItemKind, Ownership, SharedItem
from desktop.domain.sources import SourceKind
from desktop.domain.times import parse_utc
from desktop.storage.repositories.descriptions import add_topics
from desktop.storage.repositories.notes import store_note_words
from desktop.storage.repositories.shared_forms import PARTS, ItemContent, ItemPart, of_place
from desktop.storage.repositories.sources import index_passages
from desktop.storage.schema.row_mapping import StoredValue, listed
from desktop.storage.schema.tables import (
    messages,
    notes,
    scanned_pages,
    session_topics,
    sessions,
    source_passages,
    source_references,
    sources,
    topics,
)
from desktop.storage.search.message_index import index_session_now
from desktop.storage.search.vectors import drop_source_vectors, drop_vectors

_HIDDEN = ""
"""The time of deletion of what its owner took back: before all that the user deleted."""
_REF = "shared"
"""In place of an id in another program: preferences are learned from messages without one."""
_MOST_ATTEMPTS = 24
_WEB = ("http://", "https://")


class WrongItemError(ValueError):
    """An item that would change what is not its member's, or refers to something outside."""


def read_item(
    db: Connection, kind: ItemKind, id_: str, shown: Collection[str]
) -> ItemContent | None:
    match kind:
        case ItemKind.SESSION:
            return _read_session(db, id_, shown)
        case ItemKind.SOURCE:
            return _read_source(db, id_)
        case ItemKind.NOTE:
            return _read_note(db, id_)


def _read_session(db: Connection, id_: str, shown: Collection[str]) -> ItemContent | None:
    parts = PARTS[ItemKind.SESSION]
    session = db.execute(_columns(parts["session"]).where(sessions.c.id == id_)).first()
    path = (
        select(*(messages.c[name] for name in parts["messages"].columns))
        .where(messages.c.session_id == id_, messages.c.is_current == 1)
        .order_by(messages.c.number)
    )
    rows = [list(row) for row in db.execute(path)]
    if session is None or not rows:
        return None
    places = {row[0]: place for place, row in enumerate(rows, start=1)}
    named = (
        select(topics.c.name)
        .join(session_topics, session_topics.c.topic_id == topics.c.id)
        .where(session_topics.c.session_id == id_)
        .order_by(session_topics.c.place)
    )
    quotations = [
        [place, *_shown_citation(db, rest, shown)]
        for place, *rest in _of_messages(db, parts["citations"], places)
    ]
    return {
        "session": [list(session)],
        "topics": [[row.name] for row in db.execute(named)],
        "messages": rows,
        "citations": quotations,
        "files": _of_messages(db, parts["files"], places),
        **_judgements(db, places, {(row[0], row[1]) for row in quotations if row[4]}),
    }


def _judgements(
    db: Connection, places: Mapping[int, int], shown: Collection[tuple[int, int]]
) -> ItemContent:
    """Return what was judged of claims; nothing if nothing was, as before there were any.

    `shown`: the citations (place of the message, number) that the others may see.
    """
    parts = PARTS[ItemKind.SESSION]
    checks = [row for row in _of_messages(db, parts["checks"], places) if row[-1] is not None]
    judged = {row[0] for row in checks}
    rows = [
        row
        for row in _of_messages(db, parts["claims"], places)
        if row[0] in judged and (row[0], row[2]) in shown
    ]
    return {"claims": rows, "checks": checks} if checks else {}


def _columns(part: ItemPart) -> Any:  # Any: the type of a select has that of its columns
    return select(*(part.table.c[name] for name in part.own_columns))


def _of_messages(
    db: Connection, part: ItemPart, places: Mapping[int, int]
) -> list[list[StoredValue]]:
    owner = part.table.c.message_id
    query = _columns(part).add_columns(owner).where(owner.in_(listed(places)))
    rows = [[places[row[-1]], *row[:-1]] for row in db.execute(query)]
    return sorted(rows, key=lambda row: row[:3])


def _shown_citation(db: Connection, row: Sequence[Any], shown: Collection[str]) -> list[Any]:
    """Return a citation as the others may see it, a message by its place in its session."""
    number, state, quote, source_id, passage_id, title = row
    if source_id not in shown:
        return [number, CitationState.UNCHECKED.value, "", "", "", ""]
    if passage_id.isdecimal():
        place = select(messages.c.number).where(
            messages.c.session_id == source_id, messages.c.id == int(passage_id)
        )
        passage_id = f"#{db.execute(place).scalar() or 0}"
    return [number, state, quote, source_id, passage_id, title]


def _read_source(db: Connection, id_: str) -> ItemContent | None:
    parts = PARTS[ItemKind.SOURCE]
    row = db.execute(_columns(parts["source"]).where(sources.c.id == id_)).first()
    if row is None:
        return None
    values = dict(zip(parts["source"].columns, row, strict=True))
    if values["kind"] == SourceKind.DOCUMENT:
        values["address"] = ""  # A place on this computer says nothing to others
    of_source = source_passages.c.source_id == id_
    passages = (
        _columns(parts["passages"])
        .where(of_source, source_passages.c.replaced_at.is_(None))
        .order_by(source_passages.c.number)
    )
    reference = _columns(parts["reference"]).where(source_references.c.source_id == id_)
    scan = _columns(parts["scan"]).where(scanned_pages.c.source_id == id_)
    return {
        "source": [list(values.values())],
        "passages": [list(row) for row in db.execute(passages)],
        "reference": [list(row) for row in db.execute(reference)],
        "scan": sorted(list(row) for row in db.execute(scan)),
    }


def _read_note(db: Connection, id_: str) -> ItemContent | None:
    part = PARTS[ItemKind.NOTE]["note"]
    row = db.execute(_columns(part).where(notes.c.id == id_)).first()
    if row is None:
        return None
    place = (
        select(messages.c.session_id, messages.c.number)
        .join(notes, notes.c.message_id == messages.c.id)
        .where(notes.c.id == id_)
    )
    return {"note": [list(row)], "message": [list(row) for row in db.execute(place)]}


def write_item(
    db: Connection, ownership: Ownership, content: ItemContent, at: str, *, is_known: bool
) -> bool:
    """Store an item; False if something that it belongs to is not here yet.

    One that the user deleted here stays deleted. Raises WrongItemError if the id is taken by what
    is not the member's (`is_known`), or if it refers to another project.
    """
    table, write = _WRITERS[ownership.item.kind]
    row = db.execute(select(table.c.deleted_at).where(table.c.id == ownership.item.id)).first()
    if row is not None and not is_known:
        raise WrongItemError(ownership.item.id)
    if row is not None and row.deleted_at is not None:
        return True
    return write(db, ownership, content, at)


def _write_session(db: Connection, ownership: Ownership, content: ItemContent, at: str) -> bool:
    id_, part = ownership.item.id, PARTS[ItemKind.SESSION]["session"]
    values = dict(zip(part.columns, content["session"][0], strict=True))
    values |= {
        "status": "complete",
        "ended_at": values["ended_at"] or values["updated_at"],
        "described_by": "import",
        "description_due": 0,
        "learned_at": values["updated_at"],
        "diary_at": max(at, values["updated_at"], values["ended_at"] or ""),
        "message_count": len(content["messages"]),
        "opening": content["messages"][0][2][:OPENING_LENGTH],
        "project": ownership.project,
    }
    _upsert(db, sessions, id_, values)
    message_ids = _write_messages(db, id_, content["messages"])
    _write_details(db, ownership.project, content, message_ids)
    db.execute(delete(session_topics).where(session_topics.c.session_id == id_))
    add_topics(db, [(SessionId(id_), [row[0] for row in content["topics"] if row[0]])])
    index_session_now(db, SessionId(id_), at)
    return True


def _write_details(
    db: Connection, project: ProjectId, content: ItemContent, message_ids: Sequence[MessageId]
) -> None:
    """Replace what belongs to the messages: citations, files, what was judged of claims."""
    details = {**content, **_checked_judgements(content)}
    for name in ("citations", "files", "checks", "claims"):
        part = PARTS[ItemKind.SESSION][name]
        table = part.table
        db.execute(delete(table).where(table.c.message_id.in_(listed(message_ids))))
        rows = [
            {"message_id": message_ids[place - 1], **dict(zip(part.own_columns, row, strict=True))}
            for place, several in of_place(details[name]).items()
            if place <= len(message_ids)
            for row in several
        ]
        for row in rows:
            if name == "citations":
                _resolve_citation(db, row, project)
            elif name == "checks":
                row["asks_model"] = 1
        if rows:
            db.execute(insert(table).prefix_with("OR IGNORE"), rows)


def _checked_judgements(content: ItemContent) -> ItemContent:
    """Return what was judged of claims that are in an answer; no check is due by it."""
    role, text = (
        PARTS[ItemKind.SESSION]["messages"].columns.index(n) for n in ("role", "content")
    )
    lengths = {
        place: len(message[text])
        for place, message in enumerate(content["messages"], start=1)
        if message[role] == Role.ASSISTANT
    }
    checks = [row for row in content["checks"] if row[-1] is not None and row[0] in lengths]
    judged = {row[0] for row in checks}
    claimed = [
        row
        for row in content["claims"]
        if row[0] in judged and 0 <= row[3] < row[4] <= lengths[row[0]]
    ]
    return {"checks": checks, "claims": claimed}


def _upsert(db: Connection, table: Table, id_: str, values: Mapping[str, Any]) -> None:
    changed = db.execute(update(table).where(table.c.id == id_).values(values))
    if not changed.rowcount:
        db.execute(insert(table).values(id=id_, **values))


def _write_messages(
    db: Connection, session_id: str, rows: Sequence[Sequence[Any]]
) -> list[MessageId]:
    """Keep the messages that are as they were, and replace the rest; return the ids."""
    query = (
        select(messages.c.id, *(messages.c[name] for name in _MESSAGE))
        .where(messages.c.session_id == session_id, messages.c.is_current == 1)
        .order_by(messages.c.number)
    )
    before = db.execute(query).all()
    same = 0
    while same < min(len(before), len(rows)) and list(before[same][1:]) == list(rows[same][1:]):
        same += 1
    _remove_messages(db, [row.id for row in before[same:]])
    ids = [MessageId(row.id) for row in before[:same]]
    for number, (own, *values) in enumerate(rows[same:], start=same + 1):
        last = ids[-1] if ids else None
        new = _free_id(db, own, values[_MESSAGE.index("created_at")], last)
        fields = dict(zip(_MESSAGE, values, strict=True))
        place = {"id": new, "session_id": session_id, "number": number, "parent_id": last}
        place["ref"] = _REF
        db.execute(insert(messages).values(**place, **fields))
        ids.append(new)
    return ids


_MESSAGE = PARTS[ItemKind.SESSION]["messages"].columns[1:]


def _remove_messages(db: Connection, ids: Sequence[int]) -> None:
    if ids:
        several = ", ".join(map(str, ids))
        db.exec_driver_sql(f"DELETE FROM message_index WHERE rowid IN ({several})")
        drop_vectors(db, several, {})
        db.execute(delete(messages).where(messages.c.id.in_(listed(ids))))


def _free_id(db: Connection, own: int, created_at: str, last: MessageId | None) -> MessageId:
    """Return the id that the message has elsewhere, or one near its time, after the last."""
    for attempt in range(_MOST_ATTEMPTS):
        id_ = MessageId(own) if not attempt else _id_near(created_at, attempt)
        if last is not None and id_ <= last:
            id_ = MessageId(
                last + 1 + (attempt and _id_near(created_at, attempt) % (1 << attempt))
            )
        if db.execute(select(messages.c.id).where(messages.c.id == id_)).first() is None:
            return id_
    raise AssertionError("no free id near the message's time")


def _id_near(created_at: str, attempt: int) -> MessageId:
    return message_id_at(parse_utc(created_at), attempt=attempt)


def _resolve_citation(db: Connection, row: dict[str, Any], project: ProjectId) -> None:
    """Let a citation lead to something of the same project, or nowhere."""
    cited = row["source_id"]
    for table in (sessions, sources):
        place = db.execute(select(table.c.project).where(table.c.id == cited)).scalar()
        if place is not None and place != project:
            row.update(source_id="", passage_id="", quote="", title="")
            return
    if row["passage_id"].startswith("#"):
        number = row["passage_id"][1:]
        query = select(messages.c.id).where(
            messages.c.session_id == cited,
            messages.c.is_current == 1,
            messages.c.number == (int(number) if number.isdecimal() else 0),
        )
        row["passage_id"] = str(db.execute(query).scalar() or "")
    elif row["passage_id"].isdecimal():
        row["passage_id"] = ""


def _write_source(db: Connection, ownership: Ownership, content: ItemContent, _at: str) -> bool:
    id_, parts = ownership.item.id, PARTS[ItemKind.SOURCE]
    values = dict(zip(parts["source"].columns, content["source"][0], strict=True))
    if values["session_id"] is not None:
        is_in = _project_of(db, sessions, values["session_id"])
        if is_in is None:
            return False
        if is_in != ownership.project:
            raise WrongItemError(id_)
    is_page = values["kind"] == SourceKind.WEB and values["address"].startswith(_WEB)
    # No address of another computer may name a file of this one.
    values["address"] = values["address"] if is_page else f"{MADE_ADDRESS}{id_}"
    passages = [
        dict(zip(parts["passages"].columns, row, strict=True)) for row in content["passages"]
    ]
    values |= {
        "project": ownership.project,
        "passage_count": len(passages),
        "embedded_at": None,
    }
    _upsert(db, sources, id_, values)
    _write_passages(db, id_, passages)
    for name in ("reference", "scan"):
        part, rows = parts[name], content[name]
        finished_at = _finished_at(db, id_) if name == "reference" else {}
        db.execute(delete(part.table).where(part.table.c.source_id == id_))
        new = [
            {"source_id": id_, **dict(zip(part.columns, row, strict=True)), **finished_at}
            for row in rows
        ]
        if new:
            db.execute(insert(part.table).prefix_with("OR IGNORE"), new)
    index_passages(db, SourceId(id_), {})
    return True


def _finished_at(db: Connection, id_: str) -> dict[str, str | None]:
    """Return when the user finished reading: that is nobody else's."""
    column = source_references.c.finished_at
    return {
        "finished_at": db.execute(
            select(column).where(source_references.c.source_id == id_)
        ).scalar()
    }


def _write_passages(db: Connection, id_: str, passages: Sequence[Mapping[str, Any]]) -> None:
    ids = [passage["id"] for passage in passages]
    if len(set(ids)) != len(ids):
        raise WrongItemError(id_)
    column = source_passages.c
    rows = db.execute(
        select(column.id, column.key, column.source_id).where(
            column.id.in_(listed(ids)) | (column.source_id == id_)
        )
    ).all()
    if any(row.source_id != id_ for row in rows):
        raise WrongItemError(id_)
    keys = {row.id: row.key for row in rows}
    gone = [key for passage, key in keys.items() if passage not in ids]
    replaced = [keys[passage] for passage in keys if passage in ids]
    if gone or replaced:
        several = ", ".join(map(str, (*gone, *replaced)))
        db.exec_driver_sql(f"DELETE FROM source_index WHERE rowid IN ({several})")
        drop_source_vectors(db, several, {})
        db.execute(delete(source_passages).where(column.key.in_(listed(gone))))
    for passage in passages:
        values = {**passage, "source_id": id_, "replaced_at": None}
        if passage["id"] in keys:
            db.execute(update(source_passages).where(column.id == passage["id"]).values(values))
        else:
            db.execute(insert(source_passages).values(values))


def _write_note(db: Connection, ownership: Ownership, content: ItemContent, _at: str) -> bool:
    part = PARTS[ItemKind.NOTE]["note"]
    values = dict(zip(part.columns, content["note"][0], strict=True))
    message_id = None
    if (values["source_id"] is None) == (not content["message"]):
        raise WrongItemError(ownership.item.id)
    if content["message"]:
        ((session_id, number),) = content["message"]
        is_in = _project_of(db, sessions, session_id)
        query = select(messages.c.id).where(
            messages.c.session_id == session_id,
            messages.c.number == number,
            messages.c.is_current == 1,
        )
        message_id = db.execute(query).scalar()
        is_there = message_id is not None
    else:
        is_in = _project_of(db, sources, values["source_id"])
        is_there = is_in is not None
    if is_in is not None and is_in != ownership.project:
        raise WrongItemError(ownership.item.id)
    if not is_there:
        return False
    values |= {"message_id": message_id}
    _upsert(db, notes, ownership.item.id, values)
    store_note_words(db, ownership.item.id)
    return True


def _project_of(db: Connection, table: Table, id_: str) -> str | None:
    query = select(table.c.project).where(table.c.id == id_, table.c.deleted_at.is_(None))
    project: str | None = db.execute(query).scalar()
    return project


def hide_item(db: Connection, item: SharedItem) -> None:
    table = _WRITERS[item.kind][0]
    db.execute(update(table).where(table.c.id == item.id).values(deleted_at=_HIDDEN))


_Write = Callable[[Connection, Ownership, ItemContent, str], bool]
_WRITERS: Mapping[ItemKind, tuple[Table, _Write]] = {
    ItemKind.SESSION: (sessions, _write_session),
    ItemKind.SOURCE: (sources, _write_source),
    ItemKind.NOTE: (notes, _write_note),
}
