"""Reads Claude exports: a list of messages, some of them on abandoned branches.

Pasted attachments and artifacts become part of their message.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

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
_MOST_REPEATED = 1 << 20
"""Characters of the states between the first and the last of one conversation's documents."""
_MOST_WORK = 1 << 31
"""Characters that changing them may copy."""
_UNSHOWN = "```\nThis block is not supported on your current device yet.\n```"
"""What the export contains in the place of a tool call."""

_Message = Mapping[str, JsonValue]


@dataclass(slots=True)
class _Papers:
    """The documents of a conversation. Each change would repeat the whole document."""

    contents: dict[str, str] = field(default_factory=dict)
    changes: Counter[str] = field(default_factory=Counter)
    """How many are still to come, by document."""
    room: int = _MOST_REPEATED
    work: int = _MOST_WORK

    def change(self, name: str, old: str, new: str) -> str:
        """Return the document after a change, if it has room or is the last; else nothing."""
        before = self.contents.get(name, "")
        self.changes[name] -= 1
        after = before
        if old and self.work > 0:
            self.work -= len(before)
            after = before.replace(old, new, 1) if old in before else before
        self.contents[name] = after
        is_shown = self.room > 0 and after != before
        if is_shown:
            self.room -= len(after)
        return after if is_shown or (self.room <= 0 and not self.changes[name]) else ""


def read(value: _Message) -> Conversation:
    """Return one conversation. Raises UnreadableConversationError."""
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
    papers = _Papers()
    current = _current(messages, as_text(value.get("current_leaf_message_uuid")))
    blocks = (block for one in current for block in map(as_mapping, as_list(one.get("content"))))
    papers.changes.update(name for name, content in map(_document, blocks) if name and not content)
    for message in current:
        _add(message, conversation, papers)
    return conversation


def _current(messages: Sequence[_Message], leaf: str) -> Sequence[_Message]:
    """Return the messages of the branch that the user saw last; all if nothing branches."""
    by_id = {one_line(one.get("uuid")): one for one in messages}
    parents = {name: one_line(one.get("parent_message_uuid")) for name, one in by_id.items()}
    links = [parent for parent in parents.values() if parent in by_id]
    if len(by_id) < len(messages) or len(set(links)) == len(links) or "" in by_id:
        return messages
    path = path_to(leaf, parents, lambda one: one_line(by_id[one].get("created_at")))
    return [by_id[one] for one in path]


def _add(message: _Message, into: Conversation, papers: _Papers) -> None:
    sender = as_text(message.get("sender", message.get("role")))
    if sender not in _ROLES:
        into.left_out[Omission.SYSTEM if sender == "system" else Omission.UNKNOWN_ROLE] += 1
        return
    beside: Counter[Omission] = Counter()
    texts = [*_texts(message, beside, papers), *_pasted(message, beside)]
    text = "\n\n".join(texts).replace(f"{_UNSHOWN}\n", "").replace(_UNSHOWN, "").strip()
    at, ref = parse_moment(message.get("created_at")), one_line(message.get("uuid"))
    into.add(ImportedMessage(_ROLES[sender], whole_letters(text), at, ref or None), beside)


def _pasted(message: _Message, left_out: Counter[Omission]) -> Iterator[str]:
    for file in (*as_list(message.get("attachments")), *as_list(message.get("files"))):
        content = as_text(as_mapping(file).get("extracted_content"))
        if content.strip():
            yield document_markdown(one_line(as_mapping(file).get("file_name")), content, "text")
        else:
            left_out[Omission.ATTACHMENT] += 1


def _texts(message: _Message, left_out: Counter[Omission], papers: _Papers) -> Iterator[str]:
    blocks = message.get("content")
    if isinstance(blocks, str) or not as_list(blocks):
        yield as_text(blocks) or as_text(message.get("text"))
        return
    for block in map(as_mapping, as_list(blocks)):
        text = block.get("text")
        if block.get("type") == "text" and isinstance(text, str):
            if text.strip():
                yield text
        elif written := _artifact(block, papers):
            yield written
        else:
            left_out[_KINDS_LEFT_OUT.get(str(block.get("type")), Omission.UNREADABLE)] += 1


def _document(block: _Message) -> tuple[str, str]:
    """Return an artifact's name and, if the block has all of it, its text."""
    given = as_mapping(block.get("input"))
    if block.get("name") != "artifacts":
        return "", ""
    content = as_text(given.get("content"))
    return one_line(given.get("id")), content if content.strip() else ""


def _artifact(block: _Message, papers: _Papers) -> str:
    """Return an artifact after this block changed it; empty for other blocks."""
    given = as_mapping(block.get("input"))
    name, content = _document(block)
    if content:
        papers.contents[name] = content
    elif name:
        old, new = as_text(given.get("old_str")), as_text(given.get("new_str"))
        content = papers.change(name, old, new)
    if not content.strip():
        return ""
    # "text/html", "application/vnd.ant.react"
    kind = re.split("[/.]", one_line(given.get("type")))[-1]
    kind = one_line(given.get("language")) or kind
    return document_markdown(one_line(given.get("title")) or name, content, kind)
