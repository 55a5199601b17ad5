"""Reads exports of ChatGPT and of Claude.

ChatGPT's is a tree of messages, followed to its current leaf; Claude's a list of messages, some of
them on abandoned branches. Pasted attachments, artifacts and canvas documents become part of their
message.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.language.normalization import fix_surrogates
from desktop.sessions.importing.import_types import (
    ROLES_LEFT_OUT,
    Conversation,
    ImportedMessage,
    ImportFormat,
    OmittedContent,
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
    "thoughts": OmittedContent.THINKING,
    "reasoning_recap": OmittedContent.THINKING,
    "user_editable_context": OmittedContent.HIDDEN,
    "model_editable_context": OmittedContent.HIDDEN,
    "app_pairing_content": OmittedContent.HIDDEN,
    "tether_quote": OmittedContent.TOOL,
    "tether_browsing_code": OmittedContent.TOOL,
    "tether_browsing_display": OmittedContent.TOOL,
    "execution_output": OmittedContent.TOOL,
    "computer_output": OmittedContent.TOOL,
    "system_error": OmittedContent.SYSTEM,
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

_DEEPEST_REPORT = 6
_NO_BRACKETS = str.maketrans("[]", "()")
NO_LINKS: Mapping[str, str] = MappingProxyType({})

_Node = Mapping[str, JsonValue]

_OTHERS: Sequence[tuple[str, frozenset[str]]] = (
    ("Open WebUI", frozenset({"chat", "user_id"})),
    ("LibreChat", frozenset({"conversationId", "messages"})),
    ("LM Studio", frozenset({"messages", "tokenCount"})),
    ("LM Studio", frozenset({"messages", "systemPrompt"})),
    ("LM Studio", frozenset({"messages", "versions"})),
    ("TypingMind", frozenset({"chatID", "messages"})),
    ("TypingMind", frozenset({"data", "chats"})),
    ("Cherry Studio", frozenset({"localStorage", "indexedDB"})),
    ("Jan", frozenset({"assistants", "messages"})),
)
"""Programs that people come from, with fields of their conversations and what is inside."""
_OWN = frozenset({"chat_messages", "mapping"})


def other_program(value: _Node) -> str:
    """Return the name of the program that wrote a value which cannot be read; else nothing."""
    if value.keys() & _OWN:
        return ""
    message = next(map(as_mapping, as_list(value.get("messages"))), {})
    names = {*value, *message, *as_mapping(value.get("data"))}
    return next((name for name, fields in _OTHERS if fields <= names), "")


def read_chatgpt(value: _Node) -> Conversation:
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
    for node_id in _path(as_text(value.get("current_node")), nodes):
        node = nodes[node_id]
        message = node.get("message") if isinstance(node, Mapping) else node
        if isinstance(message, Mapping):
            _add(message, node_id, conversation, paper)
        elif message is not None or not isinstance(node, Mapping):
            # The root of every tree is a node without a message; this is a message that is lost.
            conversation.left_out[OmittedContent.UNREADABLE] += 1
    return conversation


def _path(current: str, nodes: _Node) -> list[str]:
    fields = [as_mapping(node) for node in nodes.values()]
    if not any(entry.get("parent") or entry.get("children") for entry in fields):
        return list(nodes)
    parents = {node_id: as_text(as_mapping(node).get("parent")) for node_id, node in nodes.items()}
    for node_id, node in nodes.items():
        # A lost message is still named by its predecessor.
        for child in map(as_text, as_list(as_mapping(node).get("children"))):
            parents[child] = parents.get(child) or node_id

    def written_at(node_id: str) -> float:
        at = parse_moment(as_mapping(as_mapping(nodes[node_id]).get("message")).get("create_time"))
        return at.timestamp() if at else 0.0

    return path_to(current, {node_id: parents[node_id] for node_id in nodes}, written_at)


def _add(message: _Node, node: str, into: Conversation, paper: dict[str, str]) -> None:
    content = message.get("content")
    if not isinstance(content, Mapping):
        into.left_out[OmittedContent.UNREADABLE] += 1
        return
    role = as_text(as_mapping(message.get("author")).get("role"))
    written = _canvas(message, role, paper)
    if not written and (report := _report_in(message.get("metadata"))):
        _add({**message, "metadata": {}, **report}, node, into, paper)
        return
    why = None if written else _left_out(message, role)
    if why:
        # Every export has an empty first message, which nobody misses.
        into.left_out[why] += bool(_words(content, Counter()).strip() or content.get("text"))
        return
    omissions: Counter[OmittedContent] = Counter()
    metadata = as_mapping(message.get("metadata"))
    text = fix_surrogates(written) or _words(content, omissions, _references(metadata))
    omissions[OmittedContent.ATTACHMENT] += len(as_list(metadata.get("attachments")))
    at, ref = parse_moment(message.get("create_time")), one_line(message.get("id")) or node
    model = one_line(metadata.get("model_slug")) if role == "assistant" else ""
    into.add(ImportedMessage(Role(role), text.strip(), at, ref, model or None), omissions)


def _canvas(message: _Node, role: str, paper: dict[str, str]) -> str:
    """Return a canvas document after this message changed it; empty for other messages.

    `paper`: name and kind of the newest document, which a change may omit.
    """
    recipient = message.get("recipient")
    if as_text(recipient) not in _CANVAS or role != "assistant":
        return ""
    content = as_mapping(message.get("content"))
    parts = map(as_mapping, as_list(content.get("parts")))
    # Its form has changed: an object, or a text with an object in it.
    fields = next(filter(None, parts), as_mapping(_parsed(_words(content, Counter()))))
    body = as_text(fields.get("content")) if recipient == _CANVAS[0] else ""
    if body.strip():
        paper["kind"] = one_line(fields.get("type")).removeprefix("code/")
        paper["name"] = one_line(fields.get("name"))
    elif len(updates := as_list(fields.get("updates"))) == 1:
        update = as_mapping(updates[0])
        # Only updates of the whole text are followed.
        if as_text(update.get("pattern")) in _REPLACES_ALL:
            body = as_text(update.get("replacement"))
    if not body.strip():
        return ""
    return document_markdown(paper.get("name", ""), body, paper.get("kind", ""))


def _left_out(message: _Node, role: str) -> OmittedContent | None:
    if role not in {"user", "assistant"}:
        return ROLES_LEFT_OUT.get(role, OmittedContent.UNKNOWN_ROLE)
    metadata = as_mapping(message.get("metadata"))
    flags = ("is_visually_hidden_from_conversation", "is_user_system_message")
    if any(metadata.get(flag) is True for flag in flags):
        return OmittedContent.HIDDEN
    if role == "assistant" and message.get("recipient") not in (None, "all"):
        return OmittedContent.TOOL
    return _KINDS_LEFT_OUT.get(as_text(as_mapping(message.get("content")).get("content_type")))


def _words(
    content: _Node, left_out: Counter[OmittedContent], links: Mapping[str, str] = NO_LINKS
) -> str:
    """Return the text. `links`: what stands for a mark in it; under "" what has no mark."""
    parts = content.get("parts")
    parts = as_list(parts) if isinstance(parts, list) else [content.get("text")]
    text = "\n\n".join(part for part in _texts(parts, left_out) if part.strip())
    text = fix_surrogates(text)
    for mark, link in links.items():
        text = text.replace(mark, link) if mark else text
    referring = _OLD_REFERENCE.sub("", _REFERENCE.sub(_reference_label, text))
    below = links.get("", "") if referring.strip() else ""
    return _FRAME.sub("", f"{referring}\n\n{below}" if below else referring)


def _references(metadata: _Node) -> Mapping[str, str]:
    """Return links by the mark that refers to their pages; those of no mark stand under ""."""
    links: dict[str, str] = {}
    for reference in map(as_mapping, as_list(metadata.get("content_references"))):
        pages = [reference, *map(as_mapping, as_list(reference.get("items")))]
        mark = fix_surrogates(as_text(reference.get("matched_text"))).strip()
        if page_links := " ".join(filter(None, map(_page_link, pages))):
            links[mark] = (
                f"{links[mark]} {page_links}"
                if mark in links
                else f" ({page_links})"
                if mark
                else page_links
            )
    if not links:
        pages = [
            as_mapping(page.get("metadata")) or page
            for page in map(as_mapping, as_list(metadata.get("citations")))
        ]
        if page_links := " ".join(dict.fromkeys(filter(None, map(_page_link, pages)))):
            links[""] = page_links
    return links


def _page_link(page: _Node) -> str:
    address, title = one_line(page.get("url")), one_line(page.get("title"))
    if not address.startswith(("http://", "https://")) or " " in address:
        return ""
    return f"[{title.translate(_NO_BRACKETS) or address}](<{address}>)"


def _report_in(value: JsonValue, depth: int = _DEEPEST_REPORT) -> _Node:
    """Return an assistant's message that is kept inside another's metadata; else nothing."""
    if depth and isinstance(value, str) and '"assistant"' in value:
        return _report_in(_parsed(value), depth - 1)
    fields = as_mapping(value)
    if as_mapping(fields.get("author")).get("role") == "assistant":
        return {"recipient": "all", **fields} if as_mapping(fields.get("content")) else {}
    inside = (_report_in(field, depth - 1) for field in fields.values()) if depth else ()
    return next(filter(None, inside), {})


def _texts(parts: Sequence[JsonValue], left_out: Counter[OmittedContent]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping):
            text, kind = part.get("text"), str(part.get("content_type", "text"))
            if isinstance(text, str) and kind in _TEXT_KINDS:
                yield text
            else:
                left_out[
                    OmittedContent.IMAGE if "image" in kind else OmittedContent.ATTACHMENT
                ] += 1


def _reference_label(reference: re.Match[str]) -> str:
    """Return the name of a thing; empty for a page, which the export knows only by number."""
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


_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}
_BLOCKS_LEFT_OUT = {
    "thinking": OmittedContent.THINKING,
    "redacted_thinking": OmittedContent.THINKING,
    "tool_use": OmittedContent.TOOL,
    "tool_result": OmittedContent.TOOL,
    "token_budget": OmittedContent.HIDDEN,
    "flag": OmittedContent.HIDDEN,
    "image": OmittedContent.IMAGE,
    "document": OmittedContent.ATTACHMENT,
}
_WRITING_TOOLS = frozenset(
    {"artifacts", "create_file", "str_replace", "str_replace_based_edit_tool", "edit_file"}
)
_KINDS = {".md": "markdown", ".txt": ""}
_MOST_REPEATED = 1 << 20
"""Characters of the states between the first and the last of one conversation's documents."""
_MOST_WORK = 1 << 31  # Characters that changing them may copy
_UNSHOWN = "```\nThis block is not supported on your current device yet.\n```"
"""The placeholder that the export has for a tool call."""

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


def read_claude(value: _Message) -> Conversation:
    """Return one conversation. Raises UnreadableConversationError."""
    entries = value.get("chat_messages")
    if isinstance(entries, str) or not isinstance(entries, Sequence):
        raise UnreadableConversationError("no_messages")
    conversation = Conversation(
        ImportFormat.CLAUDE,
        id=one_line(value.get("uuid")),
        title=one_line(value.get("name")),
        created_at=parse_moment(value.get("created_at")),
    )
    messages = [entry for entry in entries if isinstance(entry, Mapping)]
    conversation.left_out[OmittedContent.UNREADABLE] += len(entries) - len(messages)
    papers = _Papers()
    current = _current(messages, as_text(value.get("current_leaf_message_uuid")))
    blocks = (
        block for message in current for block in map(as_mapping, as_list(message.get("content")))
    )
    papers.changes.update(name for name, content in map(_document, blocks) if name and not content)
    for message in current:
        _add_claude(message, conversation, papers)
    return conversation


def _current(messages: Sequence[_Message], leaf: str) -> Sequence[_Message]:
    """Return the messages of the branch that the user saw last; all if nothing branches."""
    by_id = {one_line(message.get("uuid")): message for message in messages}
    parents = {
        name: one_line(message.get("parent_message_uuid")) for name, message in by_id.items()
    }
    links = [parent for parent in parents.values() if parent in by_id]
    if len(by_id) < len(messages) or len(set(links)) == len(links) or "" in by_id:
        return messages
    path = path_to(leaf, parents, lambda name: one_line(by_id[name].get("created_at")))
    return [by_id[name] for name in path]


def _add_claude(message: _Message, into: Conversation, papers: _Papers) -> None:
    sender = as_text(message.get("sender", message.get("role")))
    if sender not in _ROLES:
        into.left_out[ROLES_LEFT_OUT.get(sender, OmittedContent.UNKNOWN_ROLE)] += 1
        return
    omissions: Counter[OmittedContent] = Counter()
    texts = [*_claude_texts(message, omissions, papers), *_pasted(message, omissions)]
    text = "\n\n".join(texts).replace(f"{_UNSHOWN}\n", "").replace(_UNSHOWN, "").strip()
    at, ref = parse_moment(message.get("created_at")), one_line(message.get("uuid"))
    into.add(ImportedMessage(_ROLES[sender], fix_surrogates(text), at, ref or None), omissions)


def _pasted(message: _Message, left_out: Counter[OmittedContent]) -> Iterator[str]:
    for file in (*as_list(message.get("attachments")), *as_list(message.get("files"))):
        content = as_text(as_mapping(file).get("extracted_content"))
        if content.strip():
            yield document_markdown(one_line(as_mapping(file).get("file_name")), content, "text")
        else:
            left_out[OmittedContent.ATTACHMENT] += 1


def _claude_texts(
    message: _Message, left_out: Counter[OmittedContent], papers: _Papers
) -> Iterator[str]:
    blocks = message.get("content")
    if isinstance(blocks, str) or not as_list(blocks):
        yield as_text(blocks) or as_text(message.get("text"))
        return
    for block in map(as_mapping, as_list(blocks)):
        text = block.get("text")
        if block.get("type") == "text" and isinstance(text, str):
            if text.strip():
                pages = map(as_mapping, as_list(block.get("citations")))
                details = (as_mapping(page.get("details")) or page for page in pages)
                links = dict.fromkeys(filter(None, map(_page_link, details)))
                yield f"{text.rstrip()} ({' '.join(links)})" if links else text
        elif written := _artifact(block, papers):
            yield written
        else:
            left_out[_BLOCKS_LEFT_OUT.get(str(block.get("type")), OmittedContent.UNREADABLE)] += 1


def _document(block: _Message) -> tuple[str, str]:
    """Return an artifact's name and, if the block has all of it, its text."""
    arguments = as_mapping(block.get("input"))
    if block.get("name") not in _WRITING_TOOLS:
        return "", ""
    content = as_text(arguments.get("content")) or as_text(arguments.get("file_text"))
    name = one_line(arguments.get("id")) or one_line(arguments.get("path"))
    return name, content if content.strip() else ""


def _artifact(block: _Message, papers: _Papers) -> str:
    """Return an artifact after this block changed it; empty for other blocks."""
    arguments = as_mapping(block.get("input"))
    name, content = _document(block)
    if content:
        papers.contents[name] = content
    elif name:
        old, new = as_text(arguments.get("old_str")), as_text(arguments.get("new_str"))
        content = papers.change(name, old, new)
    if not content.strip():
        return ""
    # "text/html", "application/vnd.ant.react"
    kind = one_line(arguments.get("type")).replace("/", ".").rpartition(".")[2]
    path = PurePosixPath(one_line(arguments.get("path")))
    kind = one_line(arguments.get("language")) or kind or _KINDS.get(path.suffix, path.suffix[1:])
    return document_markdown(one_line(arguments.get("title")) or path.name or name, content, kind)
