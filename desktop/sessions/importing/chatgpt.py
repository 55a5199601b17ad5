"""Reads ChatGPT exports: a tree of messages, followed to its current leaf."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from desktop.domain.messages import Role
from desktop.domain.model import JsonValue
from desktop.language.normalization import whole_letters
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportedMessage,
    ImportFormat,
    Omission,
    UnreadableConversationError,
    as_list,
    as_mapping,
    as_text,
    document_markdown,
    one_line,
    parse_moment,
    path_to,
)

_KINDS_LEFT_OUT = {
    "thoughts": Omission.THINKING,
    "reasoning_recap": Omission.THINKING,
    "user_editable_context": Omission.HIDDEN,
    "model_editable_context": Omission.HIDDEN,
    "app_pairing_content": Omission.HIDDEN,
    "tether_quote": Omission.TOOL,
    "tether_browsing_code": Omission.TOOL,
    "tether_browsing_display": Omission.TOOL,
    "execution_output": Omission.TOOL,
    "computer_output": Omission.TOOL,
    "system_error": Omission.SYSTEM,
}
_ROLES_LEFT_OUT = {
    "system": Omission.SYSTEM,
    "developer": Omission.SYSTEM,
    "tool": Omission.TOOL,
    "function": Omission.TOOL,
}
_CANVAS = ("canmore.create_textdoc", "canmore.update_textdoc")
"""Recipients of messages that write or change a canvas document."""
_TEXT_KINDS = frozenset({"text", "audio_transcription"})
_FIELD = "\ue202"
_REFERENCE = re.compile("\ue200([^\ue200\ue201]*+)\ue201")
"""A reference to a page or thing; shown as a link or not at all."""
_OLD_REFERENCE = re.compile("【\\d[\\d:]{0,20}†[^【】]{0,200}】")
_FRAME = re.compile("^ {0,3}:::(?:writing(?:[{][^\n]*[}])?)?[ \\t]*(?:\n|\\Z)", re.MULTILINE)
"""Lines around a letter or post that was asked for."""
_REPLACES_ALL = (".*", "^.*$", "[\\s\\S]*")

_Node = Mapping[str, JsonValue]


def read(value: _Node) -> Conversation:
    """Return one conversation. Raises UnreadableConversationError."""
    nodes = as_mapping(value.get("mapping"))
    if not nodes:
        raise UnreadableConversationError("no_messages")
    conversation = Conversation(
        ImportFormat.CHATGPT,
        id=one_line(value.get("conversation_id") or value.get("id")),
        title=one_line(value.get("title")),
        created_at=parse_moment(value.get("create_time")),
    )
    paper: dict[str, str] = {}
    for one in _path(as_text(value.get("current_node")), nodes):
        node = nodes[one]
        message = node.get("message") if isinstance(node, Mapping) else node
        if isinstance(message, Mapping):
            _add(message, one, conversation, paper)
        elif message is not None or not isinstance(node, Mapping):
            # The root of every tree is a node without a message; this is a message that is lost.
            conversation.left_out[Omission.UNREADABLE] += 1
    return conversation


def _path(current: str, nodes: _Node) -> list[str]:
    parents = {one: as_text(as_mapping(node).get("parent")) for one, node in nodes.items()}
    for one, node in nodes.items():
        # A lost message is still named by its predecessor.
        for child in map(as_text, as_list(as_mapping(node).get("children"))):
            parents[child] = parents.get(child) or one

    def written_at(one: str) -> float:
        at = parse_moment(as_mapping(as_mapping(nodes[one]).get("message")).get("create_time"))
        return at.timestamp() if at else 0.0

    return path_to(current, {one: parents[one] for one in nodes}, written_at)


def _add(message: _Node, node: str, into: Conversation, paper: dict[str, str]) -> None:
    content = message.get("content")
    if not isinstance(content, Mapping):
        into.left_out[Omission.UNREADABLE] += 1
        return
    role = as_text(as_mapping(message.get("author")).get("role"))
    written = _canvas(message, role, paper)
    why = None if written else _left_out(message, role)
    if why:
        # Every export has an empty first message, which nobody misses.
        into.left_out[why] += bool(_words(content, Counter()).strip() or content.get("text"))
        return
    beside: Counter[Omission] = Counter()
    text = whole_letters(written) or _words(content, beside)
    metadata = as_mapping(message.get("metadata"))
    beside[Omission.ATTACHMENT] += len(as_list(metadata.get("attachments")))
    at, ref = parse_moment(message.get("create_time")), one_line(message.get("id")) or node
    model = one_line(metadata.get("model_slug")) if role == "assistant" else ""
    into.add(ImportedMessage(Role(role), text.strip(), at, ref, model or None), beside)


def _canvas(message: _Node, role: str, paper: dict[str, str]) -> str:
    """Return a canvas document after this message changed it; empty for other messages.

    `paper`: name and kind of the newest document, which a change may omit.
    """
    recipient = message.get("recipient")
    if as_text(recipient) not in _CANVAS or role != "assistant":
        return ""
    given = as_mapping(_parsed(_words(as_mapping(message.get("content")), Counter())))
    body = as_text(given.get("content")) if recipient == _CANVAS[0] else ""
    if body.strip():
        paper["kind"] = one_line(given.get("type")).removeprefix("code/")
        paper["name"] = one_line(given.get("name"))
    elif len(updates := as_list(given.get("updates"))) == 1:
        update = as_mapping(updates[0])
        # Only updates of the whole text are followed.
        if as_text(update.get("pattern")) in _REPLACES_ALL:
            body = as_text(update.get("replacement"))
    if not body.strip():
        return ""
    return document_markdown(paper.get("name", ""), body, paper.get("kind", ""))


def _left_out(message: _Node, role: str) -> Omission | None:
    if role not in {"user", "assistant"}:
        return _ROLES_LEFT_OUT.get(role, Omission.UNKNOWN_ROLE)
    metadata = as_mapping(message.get("metadata"))
    flags = ("is_visually_hidden_from_conversation", "is_user_system_message")
    if any(metadata.get(flag) is True for flag in flags):
        return Omission.HIDDEN
    if role == "assistant" and message.get("recipient") not in (None, "all"):
        return Omission.TOOL
    kind = as_mapping(message.get("content")).get("content_type")
    return _KINDS_LEFT_OUT.get(as_text(kind))


def _words(content: _Node, left_out: Counter[Omission]) -> str:
    parts = content.get("parts")
    parts = as_list(parts) if isinstance(parts, list) else [content.get("text")]
    said = "\n\n".join(part for part in _texts(parts, left_out) if part.strip())
    referring = _OLD_REFERENCE.sub("", _REFERENCE.sub(_reference_label, whole_letters(said)))
    return _FRAME.sub("", referring)


def _texts(parts: Sequence[JsonValue], left_out: Counter[Omission]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping):
            text, kind = part.get("text"), str(part.get("content_type", "text"))
            if isinstance(text, str) and kind in _TEXT_KINDS:
                yield text
            else:
                left_out[Omission.IMAGE if "image" in kind else Omission.ATTACHMENT] += 1


def _reference_label(reference: re.Match[str]) -> str:
    """Return the name of a thing, and nothing for a page: the export has only its number."""
    kind, _, inside = reference[1].partition(_FIELD)
    if kind == "url":
        return inside.split(_FIELD)[0]
    names = list(map(as_text, as_list(_parsed(inside)))) if kind == "entity" else []
    return names[1] if len(names) > 1 else ""


def _parsed(text: str) -> JsonValue:
    try:
        parsed: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed
