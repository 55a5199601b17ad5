"""Reads Claude exports: a list of messages, some of them on abandoned branches.

Pasted attachments and artifacts become part of their message.
"""

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

_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}
_KINDS_LEFT_OUT = {
    "thinking": Omission.THINKING,
    "redacted_thinking": Omission.THINKING,
    "tool_use": Omission.TOOL,
    "tool_result": Omission.TOOL,
    "token_budget": Omission.HIDDEN,
    "flag": Omission.HIDDEN,
    "image": Omission.IMAGE,
    "document": Omission.ATTACHMENT,
}

_PAPER_KINDS = {
    "text/html": "html",
    "image/svg+xml": "svg",
    "application/vnd.ant.code": "text",
    "application/vnd.ant.react": "jsx",
    "application/vnd.ant.mermaid": "mermaid",
}
_UNSHOWN = "```\nThis block is not supported on your current device yet.\n```"
"""What the export writes in the place of a tool's call."""

_Message = Mapping[str, JsonValue]


def read(value: Mapping[str, JsonValue]) -> Conversation:
    """Raises UnreadableError."""
    found = value.get("chat_messages")
    if isinstance(found, str) or not isinstance(found, Sequence):
        raise UnreadableConversationError("no_messages")
    conversation = Conversation(
        ImportFormat.CLAUDE,
        id=one_line(value.get("uuid")),
        title=one_line(value.get("name")),
        created_at=parse_moment(value.get("created_at")),
    )
    messages = [one for one in found if isinstance(one, Mapping)]
    conversation.left_out[Omission.UNREADABLE] += len(found) - len(messages)
    papers = DocumentVersions()
    for message in _current(messages, value.get("current_leaf_message_uuid")):
        _take(message, conversation, papers)
    return conversation


def _current(messages: Sequence[_Message], leaf: JsonValue) -> Sequence[_Message]:
    """The messages of the branch that the user saw last; all if nothing branches."""
    by_id = {one_line(one.get("uuid")): one for one in messages}
    parents: dict[str, str | None] = {
        name: one_line(one.get("parent_message_uuid")) for name, one in by_id.items()
    }
    links = [parent for parent in parents.values() if parent in by_id]
    if len(by_id) < len(messages) or len(set(links)) == len(links) or "" in by_id:
        return messages
    if isinstance(leaf, str) and leaf in by_id:
        return [by_id[one] for one in path_to(leaf, parents)]
    ends = leaves(parents) or list(parents)
    newest = max(ends, key=lambda one: (one_line(by_id[one].get("created_at")), ends.index(one)))
    return [by_id[one] for one in path_to(newest, parents)]


def _take(message: _Message, into: Conversation, papers: DocumentVersions) -> None:
    sender = message.get("sender", message.get("role"))
    role = _ROLES.get(sender) if isinstance(sender, str) else None
    if role is None:
        into.left_out[Omission.SYSTEM if sender == "system" else Omission.UNKNOWN_ROLE] += 1
        return
    beside: Counter[Omission] = Counter()
    texts = [*_texts(message, beside, papers), *_pasted(message, beside)]
    text = "\n\n".join(texts).replace(f"{_UNSHOWN}\n", "").replace(_UNSHOWN, "").strip()
    into.left_out += beside
    if text:
        at, ref = parse_moment(message.get("created_at")), one_line(message.get("uuid"))
        into.said.append(ImportedMessage(role, whole_letters(text), at, ref or None))
    else:
        into.left_out[Omission.WORDLESS] += not beside.total()


def _pasted(message: _Message, left_out: Counter[Omission]) -> Iterator[str]:
    """The text of attachments; a long paste is one, too."""
    for name in ("attachments", "files"):
        files = message.get(name)
        for file in files if isinstance(files, Sequence) and not isinstance(files, str) else ():
            content = file.get("extracted_content") if isinstance(file, Mapping) else None
            if isinstance(file, Mapping) and isinstance(content, str) and content.strip():
                yield document_markdown(one_line(file.get("file_name")), content, "text")
            else:
                left_out[Omission.ATTACHMENT] += 1


def _artifact(block: JsonValue, papers: DocumentVersions) -> str | None:
    """An artifact after this block wrote or changed it; None for other blocks."""
    if not isinstance(block, Mapping) or block.get("name") != "artifacts":
        return None
    given = block.get("input")
    if not isinstance(given, Mapping):
        return None
    name, content = one_line(given.get("id")), given.get("content")
    old, new = given.get("old_str"), given.get("new_str")
    if isinstance(content, str) and content.strip():
        content = papers.written(name, content)
    elif isinstance(old, str) and isinstance(new, str):
        content = papers.changed(name, old, new)
    if not isinstance(content, str) or not content.strip():
        return None
    kind = one_line(given.get("language")) or _PAPER_KINDS.get(one_line(given.get("type")), "")
    return document_markdown(one_line(given.get("title")) or name, content, kind)


def _texts(
    message: _Message, left_out: Counter[Omission], papers: DocumentVersions
) -> Iterator[str]:
    """The text of the blocks of a message, or its plain text if it has none."""
    blocks = message.get("content")
    if isinstance(blocks, str):
        yield blocks
        return
    texts: list[str] = []
    for block in blocks if isinstance(blocks, Sequence) else ():
        kind = block.get("type") if isinstance(block, Mapping) else None
        text = block.get("text") if isinstance(block, Mapping) else None
        if kind == "text" and isinstance(text, str):
            texts.append(text)
        elif written := _artifact(block, papers):
            texts.append(written)
        else:
            left_out[_KINDS_LEFT_OUT.get(str(kind), Omission.UNREADABLE)] += 1
    text = message.get("text")
    if not texts and not blocks and isinstance(text, str):
        texts.append(text)
    yield from (text for text in texts if text.strip())
