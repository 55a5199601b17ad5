"""Reads what Claude's export has beside its conversations: the manifest, projects, memories."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from desktop.domain.facts import LONGEST_FACT
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import NO_PROJECT, ProjectId
from desktop.language.normalization import fix_surrogates
from desktop.language.sentences import HEADING, plain_text, sentences
from desktop.sessions.importing.import_types import (
    ImportedDocument,
    ImportedMemory,
    ImportedProject,
    ImportFormat,
    LinkedFiles,
    UnreadableConversationError,
    as_list,
    as_mapping,
    as_text,
    digest,
    one_line,
)

_LONGEST_NAME = 200
_MOST_PARTS = 1_000
_DEEPEST = 6
_FEWEST_LETTERS = 3
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_PART = re.compile(r"(?<=[;,])\s+|\s+")

_Value = Mapping[str, JsonValue]


def read_manifest(value: _Value) -> Iterator[LinkedFiles]:
    """Yield the names of the zips that a manifest links or lists, without their folders."""
    names = dict.fromkeys(_zips_in(value, _DEEPEST))
    yield LinkedFiles(tuple(list(names)[:_MOST_PARTS]))


def _zips_in(value: JsonValue, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        name = PurePosixPath(unquote(_path_of(value)).replace("\\", "/")).name
        if name.lower().endswith(".zip"):
            yield name
    elif depth:
        fields = value.values() if isinstance(value, Mapping) else as_list(value)
        for field in fields:
            yield from _zips_in(field, depth - 1)


def _path_of(address: str) -> str:
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def read_project(value: _Value) -> Iterator[ImportedProject | ImportedDocument]:
    """Yield a project, then its documents. Raises UnreadableConversationError."""
    name, identifier = one_line(value.get("name"))[:_LONGEST_NAME], one_line(value.get("uuid"))
    if not name:
        raise UnreadableConversationError("project_unnamed")
    project = project_id(identifier or digest(name))
    parts = (as_text(value.get(field)) for field in ("description", "prompt_template"))
    instructions = "\n\n".join(filter(None, (fix_surrogates(part).strip() for part in parts)))
    yield ImportedProject(ImportFormat.CLAUDE, project, name, instructions)
    for document in map(as_mapping, as_list(value.get("docs"))):
        text = fix_surrogates(as_text(document.get("content")))
        title = one_line(document.get("filename"))[:_LONGEST_NAME] or name
        if text.strip():
            yield ImportedDocument(ImportFormat.CLAUDE, title, text, project)


def project_id(uuid: str) -> ProjectId:
    """Return the id of a project of Claude's here."""
    return ProjectId(f"claude-{uuid}"[:_LONGEST_NAME])


def read_memories(value: _Value) -> Iterator[ImportedMemory]:
    """Yield each sentence that Claude remembers, also of its projects."""
    yield from memory_sentences(ImportFormat.CLAUDE, as_text(value.get("conversations_memory")))
    for uuid, text in as_mapping(value.get("project_memories")).items():
        yield from memory_sentences(ImportFormat.CLAUDE, as_text(text), project_id(one_line(uuid)))


def memory_sentences(
    form: ImportFormat, markdown: str, project: ProjectId = NO_PROJECT
) -> Iterator[ImportedMemory]:
    """Yield the sentences of a memory in Markdown, without its headings, each once."""
    texts: dict[str, None] = {}
    for line in fix_surrogates(markdown).splitlines():
        words = "" if HEADING.fullmatch(line) else plain_text(_BULLET.sub("", line))
        for sentence in sentences(" ".join(words.split())):
            texts |= dict.fromkeys(_short(sentence.text.strip()))
    for text in texts:
        if sum(map(str.isalpha, text)) >= _FEWEST_LETTERS:
            yield ImportedMemory(form, text, project)


def _short(sentence: str) -> list[str]:
    """Return a sentence in parts that are no longer than a fact."""
    parts = [""]
    for word in _PART.split(sentence):
        if len(parts[-1]) + len(word) >= LONGEST_FACT:
            parts.append("")
        parts[-1] = f"{parts[-1]} {word[:LONGEST_FACT]}".strip()
    return list(filter(None, parts))
