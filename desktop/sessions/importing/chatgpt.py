"""Reads ChatGPT exports: a tree of messages, followed to its current leaf."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from desktop.domain.messages import Role
from desktop.domain.model import JsonValue
from desktop.language.surrogates import whole_letters
from desktop.sessions.importing.import_types import (
    Conversation,
    DocumentVersions,
    ImportedMessage,
    ImportFormat,
    Omission,
    UnreadableConversationError,
    document_markdown,
    leaves,
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
_REFERENCE, _FIELD, _REFERENCE_END = "\ue200", "\ue202", "\ue201"
"""Around references to pages and things; shown as links or not at all."""
_LONGEST_NUMBER = 24
"""Letters before the dagger in an older reference: 【12:3†source】."""
_FRAME, _FRAME_END = ":::writing", ":::"
"""Lines around a letter or post that was asked for."""
_DEEPEST_INDENT = 3


def read(value: Mapping[str, JsonValue]) -> Conversation:
    """Raises UnreadableError."""
    nodes = value.get("mapping")
    if not isinstance(nodes, Mapping) or not nodes:
        raise UnreadableConversationError("no_messages")
    name = value.get("conversation_id") or value.get("id")
    conversation = Conversation(
        ImportFormat.CHATGPT,
        id=one_line(name),
        title=one_line(value.get("title")),
        created_at=parse_moment(value.get("create_time")),
    )
    papers = DocumentVersions()
    for one in _path(value, nodes):
        node = nodes[one]
        message = node.get("message") if isinstance(node, Mapping) else node
        if isinstance(message, Mapping):
            _take(message, one, conversation, papers)
        elif message is not None or not isinstance(node, Mapping):
            # The root of every tree is a place without a message; this is a message that is lost.
            conversation.left_out[Omission.UNREADABLE] += 1
    return conversation


def _path(value: Mapping[str, JsonValue], nodes: Mapping[str, JsonValue]) -> list[str]:
    parents = {one: _parent(node) for one, node in nodes.items()}
    for one, node in nodes.items():
        # What is lost itself is still named by what came before it.
        for child in _children(node):
            if child in nodes and parents[child] is None:
                parents[child] = one
    current = value.get("current_node")
    if isinstance(current, str) and current in parents:
        return path_to(current, parents)
    ends = leaves(parents) or list(parents)
    return path_to(max(ends, key=lambda one: _written_at(nodes[one])), parents)


def _parent(node: JsonValue) -> str | None:
    parent = node.get("parent") if isinstance(node, Mapping) else None
    return parent if isinstance(parent, str) else None


def _children(node: JsonValue) -> Iterator[str]:
    children = node.get("children") if isinstance(node, Mapping) else None
    if isinstance(children, Sequence) and not isinstance(children, str):
        yield from (child for child in children if isinstance(child, str))


def _written_at(node: JsonValue) -> float:
    message = node.get("message") if isinstance(node, Mapping) else None
    at = parse_moment(message.get("create_time")) if isinstance(message, Mapping) else None
    return at.timestamp() if at else 0.0


def _take(
    message: Mapping[str, JsonValue], node: str, into: Conversation, papers: DocumentVersions
) -> None:
    content = message.get("content")
    if not isinstance(content, Mapping):
        into.left_out[Omission.UNREADABLE] += 1
        return
    written = _canvas(message, content, papers)
    why = None if written else _left_out(message, content)
    if why:
        # An empty first message is in every export and nothing that anybody misses.
        into.left_out[why] += bool(_words(content, Counter()).strip() or content.get("text"))
        return
    beside: Counter[Omission] = Counter()
    text = whole_letters(written) or _words(content, beside)
    metadata = message.get("metadata")
    if isinstance(metadata, Mapping):
        beside[Omission.ATTACHMENT] += _count(metadata.get("attachments"))
    into.left_out += beside
    if text.strip():
        said_by = _role(message)
        into.said.append(
            ImportedMessage(
                Role.USER if said_by == "user" else Role.ASSISTANT,
                text.strip(),
                parse_moment(message.get("create_time")),
                one_line(message.get("id")) or node,
                _model(metadata) if said_by == "assistant" else None,
            )
        )
    else:
        into.left_out[Omission.WORDLESS] += not beside.total()


def _canvas(
    message: Mapping[str, JsonValue], content: Mapping[str, JsonValue], papers: DocumentVersions
) -> str:
    """A canvas document after this message wrote or changed it; empty for other messages."""
    recipient = message.get("recipient")
    if recipient not in _CANVAS or _role(message) != "assistant":
        return ""
    try:
        given: JsonValue = json.loads(_words(content, Counter()))
    except (ValueError, RecursionError):
        return ""
    if not isinstance(given, Mapping):
        return ""
    if recipient == _CANVAS[0] and isinstance(body := given.get("content"), str) and body.strip():
        papers.kind = one_line(given.get("type")).removeprefix("code/")
        papers.name = one_line(given.get("name"))
        return document_markdown(papers.name, papers.written("", body), papers.kind)
    whole = _rewritten(given.get("updates"))
    return document_markdown(papers.name, papers.written("", whole), papers.kind) if whole else ""


def _rewritten(updates: JsonValue) -> str:
    """The text of an update that replaces everything; other updates are not followed."""
    if not isinstance(updates, Sequence) or len(updates) != 1:
        return ""
    (update,) = updates
    if not isinstance(update, Mapping) or update.get("pattern") not in {".*", "^.*$", "[\\s\\S]*"}:
        return ""
    new = update.get("replacement")
    return new if isinstance(new, str) and new.strip() else ""


def _left_out(
    message: Mapping[str, JsonValue], content: Mapping[str, JsonValue]
) -> Omission | None:
    role = _role(message)
    if role in _ROLES_LEFT_OUT:
        return _ROLES_LEFT_OUT[role]
    if role not in {"user", "assistant"}:
        return Omission.UNKNOWN_ROLE
    metadata = message.get("metadata")
    hidden = isinstance(metadata, Mapping) and (
        metadata.get("is_visually_hidden_from_conversation") is True
        or metadata.get("is_user_system_message") is True
    )
    if hidden:
        return Omission.HIDDEN
    if role == "assistant" and message.get("recipient") not in {None, "all"}:
        return Omission.TOOL
    return _KINDS_LEFT_OUT.get(str(content.get("content_type")))


def _role(message: Mapping[str, JsonValue]) -> str:
    author = message.get("author")
    role = author.get("role") if isinstance(author, Mapping) else None
    return role if isinstance(role, str) else ""


def _model(metadata: JsonValue) -> str | None:
    return one_line(metadata.get("model_slug")) or None if isinstance(metadata, Mapping) else None


def _words(content: Mapping[str, JsonValue], left_out: Counter[Omission]) -> str:
    parts = content.get("parts")
    if isinstance(parts, str) or not isinstance(parts, Sequence):
        parts = [content.get("text")]
    said = "\n\n".join(part for part in _texts(parts, left_out) if part.strip())
    return _remove_frames(_replace_references(whole_letters(said)))


def _texts(parts: Sequence[JsonValue], left_out: Counter[Omission]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping):
            text = part.get("text")
            if isinstance(text, str) and part.get("content_type", "text") in _TEXT_KINDS:
                yield text
            elif "image" in str(part.get("content_type")):
                left_out[Omission.IMAGE] += 1
            else:
                left_out[Omission.ATTACHMENT] += 1


# Everything below goes once from left to right: an export may be made of opening marks alone.


def _replace_references(text: str) -> str:
    pieces: list[str] = []
    at = 0
    while (start := text.find(_REFERENCE, at)) >= 0:
        end = text.find(_REFERENCE_END, start)
        if end < 0:
            break
        pieces += text[at:start], _reference_label(text[start + 1 : end])
        at = end + 1
    return _remove_old_references("".join([*pieces, text[at:]]))


def _remove_old_references(text: str) -> str:
    pieces: list[str] = []
    at = start = 0
    while (start := text.find("【", start)) >= 0:
        number, dagger, _ = text[start + 1 : start + _LONGEST_NUMBER].partition("†")
        if not dagger or not number.replace(":", "").isdecimal():
            start += 1
            continue
        end = text.find("】", start)
        if end < 0:
            break
        pieces.append(text[at:start])
        at = start = end + 1
    return "".join([*pieces, text[at:]])


def _reference_label(reference: str) -> str:
    """The name of a thing, and nothing for a page: the export has no more than its number."""
    kind, _, inside = reference.partition(_FIELD)
    if kind == "url":
        return inside.split(_FIELD)[0]
    if kind != "entity":
        return ""
    try:
        value: JsonValue = json.loads(inside)
    except (ValueError, RecursionError):
        return ""
    names = [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
    return names[1] if len(names) > 1 else ""


def _remove_frames(text: str) -> str:
    if _FRAME not in text:
        return text
    kept: list[str] = []
    framed: list[str] | None = None
    for line in text.split("\n"):
        mark = line.strip()
        is_mark = mark.startswith(_FRAME_END) and line.find(":") <= _DEEPEST_INDENT
        if framed is None:
            if is_mark and _opens_frame(mark):
                framed = [line]
            else:
                kept.append(line)
        elif is_mark and mark == _FRAME_END:
            kept += framed[1:]
            framed = None
        else:
            framed.append(line)
    return "\n".join([*kept, *(framed or [])])


def _opens_frame(mark: str) -> bool:
    behind = mark.removeprefix(_FRAME)
    return behind != mark and (not behind or (behind.startswith("{") and behind.endswith("}")))


def _count(value: JsonValue) -> int:
    return 0 if isinstance(value, str) or not isinstance(value, Sequence) else len(value)
