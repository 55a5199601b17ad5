"""Reads Bellek's own exchange format; a mistake in it is an error and is never guessed at."""

from base64 import b64decode
from collections.abc import Mapping
from datetime import datetime
from pathlib import PurePath

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.prompts import Prompt
from desktop.domain.times import parse_utc
from desktop.language.normalization import fix_surrogates
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
