"""The formats in which sessions are exported, with the two that are plain text.

Bellek's own has one session a line, as JSON, with the bytes of its files; in Markdown, citation
numbers are footnotes, or keys for Pandoc, with the works in a file beside it.
"""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Message
from desktop.domain.references import CslItem
from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.language.links import harmless_markdown
from desktop.sessions.exporting.contents import (
    CitationNote,
    Cited,
    ExportContents,
    ExportFormat,
    ReadFile,
    with_marks,
)
from desktop.sessions.exporting.web_page import PDF, WEB_PAGE
from desktop.sessions.exporting.word import WORD
from desktop.sessions.importing.markdown import quote_speakers


def as_line(
    session: Session,
    messages: Sequence[Message],
    data_of: ReadFile = lambda _: None,
    *,
    project: str = "",
    tags: Sequence[str] = (),
) -> str:
    """Return one session as one line of Bellek's own format, with the bytes of its files."""
    fields: dict[str, JsonValue] = {
        "id": session.id,
        "created_at": utc_text(session.created_at),
        "ended_at": utc_text(session.ended_at) if session.ended_at else None,
        "archived_at": utc_text(session.archived_at) if session.archived_at else None,
        "title": session.title,
        "summary": session.summary,
        "topics": list(session.topics) or None,
        "project": project or None,
        "tags": list(tags) or None,
    }
    record = {name: value for name, value in fields.items() if value is not None}
    record["messages"] = [
        {
            **({"ref": message.ref} if message.ref else {}),
            "role": message.role.value,
            "content": message.content,
            "created_at": utc_text(message.created_at),
            **({"files": files} if (files := _files(message, data_of)) else {}),
        }
        for message in messages
    ]
    return json.dumps(record, ensure_ascii=False)


def _files(message: Message, data_of: ReadFile) -> list[JsonValue]:
    files = [(file, data_of(file)) for file in message.files]
    return [{"name": file.name, "data": b64encode(data).decode()} for file, data in files if data]


def _write_lines(contents: ExportContents) -> Iterator[bytes]:
    for each in contents.sessions:
        line = as_line(
            each.session, each.messages, each.data_of, project=each.project, tags=each.tags
        )
        yield f"{line}\n".encode()
    for prompt in contents.prompts:
        fields = {name: value for name, value in prompt._asdict().items() if value}
        yield f"{json.dumps({'prompt': fields}, ensure_ascii=False)}\n".encode()
    for note in contents.note_lines:
        yield f"{note}\n".encode()


BELLEK = ExportFormat("jsonl", _write_lines, is_for_reading=False)


def as_markdown(
    session: Session, messages: Sequence[Message], cited: Cited, *, is_pandoc: bool = False
) -> str:
    """Return one session as readable markdown; citation numbers are footnotes.

    `is_pandoc`: confirmed citations of works are keys instead, and the lists omit these works.
    """
    keys = _pandoc_keys(cited.read_items()) if is_pandoc else {}
    parts = [f"# {harmless_markdown(' '.join((session.title or session.opening).split()))}"]
    if session.summary:
        parts.append(f"> {harmless_markdown(session.summary)}")
    if session.topics:
        parts.append(harmless_markdown(" · ".join(session.topics)))
    for message in messages:
        notes = cited.notes.get(message.id, ())
        marks = {
            note.citation.number: _key_of(note, keys, cited)
            or f"[^{message.number}-{note.citation.number}]"
            for note in notes
        }
        content = quote_speakers(harmless_markdown(message.content))
        body = with_marks(content, marks, "\\@" if is_pandoc else "@")
        references = (note for note in notes if not _key_of(note, keys, cited))
        below = [
            f"{marks[note.citation.number]}: {harmless_markdown(cited.words(note))}"
            f"{_link_of(note, cited)}"
            for note in references
        ]
        parts += [f"## {cited.speaker(message)}", body]
        parts += [
            f"*{harmless_markdown(cited.attached(message_file))}*"
            for message_file in message.files
        ]
        if below:
            parts.append("\n".join(below))
    return "\n\n".join([*parts, *_lists(cited, keys)]) + "\n"


def _lists(cited: Cited, keys: Mapping[str, str]) -> Iterator[str]:
    for heading, sources in cited.source_lists():
        listed = [note for note in sources if cited.link_of or not _key_of(note, keys, cited)]
        lines = (_listed(note, keys, cited) for note in listed)
        numbered = [f"{number}. {line}" for number, line in enumerate(lines, start=1)]
        if numbered:
            yield f"# {heading}"
            yield "\n".join(numbered)


def _listed(note: CitationNote, keys: Mapping[str, str], cited: Cited) -> str:
    key = keys.get(note.citation.source_id) if cited.link_of else None
    line = f"{harmless_markdown(cited.source_line(note))}{_link_of(note, cited)}"
    return f"[{key}] {line}" if key else line


def _link_of(note: CitationNote, cited: Cited) -> str:
    link = cited.link_of(note) if cited.link_of else ""
    return f" {link}" if link else ""


def _key_of(note: CitationNote, keys: Mapping[str, str], cited: Cited) -> str:
    """Return the key that stands for a citation, with the page; a doubted one stays a note."""
    key = keys.get(note.citation.source_id, "") if note.is_checked else ""
    if not key:
        return ""
    return f"[{key}, {cited.page_words(note.locator)}]" if note.locator else f"[{key}]"


def _pandoc_keys(items: Mapping[str, CslItem]) -> Mapping[str, str]:
    from desktop.references.bibtex import entry_key  # noqa: PLC0415 - only for this format

    keys = {source_id: entry_key(item) for source_id, item in items.items()}
    # In braces any key can stand; plain ones are what a person would write.
    return {
        source_id: f"@{key}" if key.replace("_", "").isalnum() else f"@{{{key}}}"
        for source_id, key in keys.items()
    }


def _write_markdown(contents: ExportContents) -> Iterator[bytes]:
    for each in contents.sessions:
        yield as_markdown(each.session, each.messages, each.cite()).encode()


MARKDOWN = ExportFormat("md", _write_markdown)


def _write_pandoc(contents: ExportContents) -> Iterator[bytes]:
    heading = ""
    for each in contents.sessions:
        cited = each.cite()
        heading = cited.texts.say("export.bibliography")
        yield as_markdown(each.session, each.messages, cited, is_pandoc=True).encode()
    if heading:
        yield f"\n# {heading}\n\n::: {{#refs}}\n:::\n".encode()


PANDOC_MARKDOWN = ExportFormat("md", _write_pandoc, shares_keys=True)
"""Only of the command line, as it needs a second file."""


FORMATS: Sequence[ExportFormat] = (MARKDOWN, PDF, WORD, WEB_PAGE, BELLEK)
"""In the order in which the user sees them."""


def format_of(path: Path, usual: ExportFormat) -> ExportFormat:
    """Return the format that the suffix of a file stands for; `usual` for any other suffix."""
    suffix = path.suffix.lower().removeprefix(".")
    named = (form for form in FORMATS if suffix in (form.name, *form.other_suffixes))
    return next(named, usual)
