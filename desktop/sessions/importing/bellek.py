"""Reads Bellek's own exchange format; a mistake in it is an error, never guessed away."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from desktop.domain.messages import Role
from desktop.domain.model import JsonValue
from desktop.domain.times import parse_utc
from desktop.language.surrogates import whole_letters
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportedMessage,
    ImportFormat,
    UnreadableConversationError,
    one_line,
)


def read(value: Mapping[str, JsonValue]) -> Conversation:
    """Raises UnreadableError."""
    conversation = Conversation(
        ImportFormat.BELLEK,
        id=_text(value, "id"),
        title=" ".join(_text(value, "title").split()),
        summary=_text(value, "summary").strip(),
        topics=_topics(value),
        created_at=_moment(value, "created_at"),
        ended_at=_moment(value, "ended_at"),
    )
    messages = value.get("messages")
    if isinstance(messages, str) or not isinstance(messages, Sequence) or not messages:
        raise UnreadableConversationError("no_messages")
    conversation.said = [_said(one, number) for number, one in enumerate(messages, start=1)]
    return conversation


def _said(value: JsonValue, number: int) -> ImportedMessage:
    if not isinstance(value, Mapping):
        raise UnreadableConversationError("message_not_an_object", number=number)
    content = value.get("content")
    if not isinstance(content, str):
        raise UnreadableConversationError("message_without_words", number=number)
    role = value.get("role")
    if role not in list(Role):
        raise UnreadableConversationError("message_role_unknown", number=number)
    return ImportedMessage(
        Role(str(role)),
        whole_letters(content),
        _moment(value, "created_at"),
        _text(value, "ref") or None,
    )


def _text(value: Mapping[str, JsonValue], name: str) -> str:
    found = value.get(name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise UnreadableConversationError("field_not_text", field=name)
    return whole_letters(found)


def _topics(value: Mapping[str, JsonValue]) -> tuple[str, ...]:
    found = value.get("topics")
    if found is None:
        return ()
    if isinstance(found, str) or not isinstance(found, Sequence):
        raise UnreadableConversationError("field_not_list", field="topics")
    return tuple(filter(None, map(one_line, found)))


def _moment(value: Mapping[str, JsonValue], name: str) -> datetime | None:
    found = _text(value, name)
    if not found:
        return None
    try:
        return parse_utc(found)
    except ValueError as exc:
        raise UnreadableConversationError("field_not_a_time", field=name) from exc
