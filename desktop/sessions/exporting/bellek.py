"""Bellek's own format: one session a line, as JSON, with the bytes of its files."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Message
from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.sessions.exporting.contents import ExportContents, ExportFormat, ReadFile


def as_line(
    session: Session,
    messages: Sequence[Message],
    data_of: ReadFile = lambda _: None,
    *,
    project: str = "",
    tags: Sequence[str] = (),
) -> str:
    """Return one session as one line of Bellek's own format, with the bytes of its files."""
    value: dict[str, JsonValue] = {
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
    record: dict[str, JsonValue] = {
        name: entry for name, entry in value.items() if entry is not None
    }
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


def _write(contents: ExportContents) -> Iterator[bytes]:
    for each in contents.sessions:
        line = as_line(
            each.session, each.messages, each.data_of, project=each.project, tags=each.tags
        )
        yield f"{line}\n".encode()
    for prompt in contents.prompts:
        fields = {name: value for name, value in prompt._asdict().items() if value}
        yield f"{json.dumps({'prompt': fields}, ensure_ascii=False)}\n".encode()


BELLEK = ExportFormat("jsonl", _write, is_for_reading=False)
