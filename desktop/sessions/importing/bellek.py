"""Reads Bellek's own exchange format; a mistake in it is an error and is never guessed at."""

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath

from desktop.domain.ids import NoteId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.notes import Note
from desktop.domain.prompts import Prompt
from desktop.domain.times import parse_utc, utc_now, utc_text
from desktop.language.normalization import fix_surrogates
from desktop.references.fields import valid_item
from desktop.sessions.importing.import_types import (
    ROLES_LEFT_OUT,
    Conversation,
    ImportedMessage,
    ImportFormat,
    UnreadableConversationError,
    as_list,
    as_mapping,
    as_text,
    one_line,
)

_LONGEST_TEXT, _LONGEST_WORK, _LONGEST_ID = 100_000, 100_000, 200
_MOST_PAGES = 1_000_000


def read(value: Mapping[str, JsonValue]) -> Conversation:
    """Return one conversation. Raises UnreadableConversationError."""
    conversation = Conversation(
        ImportFormat.BELLEK,
        id=_text(value, "id"),
        title=" ".join(_text(value, "title").split()),
        summary=_text(value, "summary").strip(),
        topics=_names(value, "topics"),
        project=one_line(_text(value, "project")),
        tags=_names(value, "tags"),
        created_at=_moment(value, "created_at"),
        ended_at=_moment(value, "ended_at"),
        archived_at=_moment(value, "archived_at"),
    )
    messages = as_list(value.get("messages"))
    for number, message in enumerate(messages, start=1):
        # Texts to train models with begin with their instructions.
        fields = as_mapping(message)
        is_call = fields.get("content") is None and as_list(fields.get("tool_calls"))
        why = ROLES_LEFT_OUT.get("tool" if is_call else as_text(fields.get("role")))
        if why:
            conversation.left_out[why] += 1
        else:
            conversation.messages.append(_said(message, number))
    if not conversation.messages:
        raise UnreadableConversationError("no_messages")
    return conversation


def read_prompt(value: JsonValue) -> Prompt:
    """Return one of the user's own prompts. Raises UnreadableConversationError."""
    fields = as_mapping(value)
    name, text = one_line(_text(fields, "name")), _text(fields, "text")
    if not name or not text:
        raise UnreadableConversationError("no_messages")
    return Prompt(name, text, one_line(_text(fields, "project")))


@dataclass(frozen=True, slots=True)
class ImportedNote:
    """A note, and where it stands; the texts of what it does not stand in are empty."""

    note: Note
    session: str = ""
    message: int = 0  # Its number in the session
    said: str = ""  # The digest of the message's text
    sha256: str = ""
    project: str = ""  # Of the source
    csl: Mapping[str, JsonValue] = field(default_factory=dict)


def note_fields(imported: ImportedNote) -> dict[str, JsonValue]:
    """Return what a line of the format has of a note."""
    note = imported.note
    fields: dict[str, JsonValue] = {
        "id": note.id,
        "quote": note.quote,
        "text": note.text,
        "created_at": utc_text(note.created_at),
        "changed_at": utc_text(note.changed_at),
        "page": note.page,
        "occurrence": note.occurrence,
        "is_of_file": note.is_of_file,
        "session": imported.session,
        "message": imported.message,
        "said": imported.said,
        "sha256": imported.sha256,
        "project": imported.project,
        "work": dict(imported.csl),
    }
    return {name: value for name, value in fields.items() if value}


def read_note(value: JsonValue) -> ImportedNote:
    """Return a note of a line. Raises UnreadableConversationError."""
    fields = as_mapping(value)
    note_id, csl = one_line(fields.get("id")), as_mapping(fields.get("work"))
    quote, text = (
        fix_surrogates(as_text(fields.get(name))[:_LONGEST_TEXT]) for name in ("quote", "text")
    )
    has_place = bool(csl or one_line(fields.get("session")))
    if not note_id or not has_place or not (quote or text) or _size(csl) > _LONGEST_WORK:
        raise UnreadableConversationError("note_invalid")
    created_at = _time(fields.get("created_at"))
    note = Note(
        id=NoteId(note_id[:_LONGEST_ID]),
        quote=" ".join(quote.split()),
        text=text.strip(),
        created_at=created_at,
        changed_at=_time(fields.get("changed_at"), created_at),
        page=_number(fields.get("page")) or None,
        occurrence=_number(fields.get("occurrence")),
        is_of_file=fields.get("is_of_file") is True,
    )
    return ImportedNote(
        note,
        session=one_line(fields.get("session")),
        message=_number(fields.get("message")),
        said=one_line(fields.get("said")),
        sha256=one_line(fields.get("sha256")),
        project=one_line(fields.get("project")),
        csl=valid_item(csl),
    )


def _size(csl: Mapping[str, JsonValue]) -> int:
    return len(json.dumps(csl))


def _time(value: JsonValue, default: datetime | None = None) -> datetime:
    try:
        return parse_utc(as_text(value))
    except ValueError:
        return default or utc_now()


def _number(value: JsonValue) -> int:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if isinstance(value, int) and is_number and 0 <= value <= _MOST_PAGES else 0


def _said(value: JsonValue, number: int) -> ImportedMessage:
    fields = as_mapping(value)
    role, content = fields.get("role"), fields.get("content")
    if role not in list(Role) or not isinstance(content, str):
        raise UnreadableConversationError("message_invalid", number=number)
    return ImportedMessage(
        Role(str(role)),
        fix_surrogates(content),
        _moment(fields, "created_at"),
        _text(fields, "ref") or None,
        files=tuple(_file(as_mapping(file), number) for file in as_list(fields.get("files"))),
    )


def _file(fields: Mapping[str, JsonValue], number: int) -> tuple[str, bytes]:
    try:
        return PurePath(_text(fields, "name")).name, b64decode(
            _text(fields, "data"), validate=True
        )
    except ValueError as exc:
        raise UnreadableConversationError("message_invalid", number=number) from exc


def _text(value: Mapping[str, JsonValue], name: str) -> str:
    text = value.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise UnreadableConversationError("field_not_text", field=name)
    return fix_surrogates(text)


def _names(value: Mapping[str, JsonValue], field: str) -> tuple[str, ...]:
    names = value.get(field) or []
    if not isinstance(names, list):
        raise UnreadableConversationError("field_not_list", field=field)
    return tuple(filter(None, map(one_line, names)))


def _moment(value: Mapping[str, JsonValue], name: str) -> datetime | None:
    text = _text(value, name)
    try:
        return parse_utc(text) if text else None
    except ValueError as exc:
        raise UnreadableConversationError("field_not_a_time", field=name) from exc
