"""Files from outside, as ChatGPT and Claude write them, and a desk that imports them."""

import json
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.sessions.importing.import_process import read_in_process
from desktop.sessions.importing.import_reports import ImportReport
from desktop.sessions.importing.import_types import ImportFormat
from desktop.sessions.importing.importer import Importer
from desktop.storage.archive import Archive
from tests.archives import SettableClock
from tests.studies import phrases

Json = dict[str, object]
BEGAN = 1_699_564_800.0


class Desk:
    """Imports the files that it gets."""

    def __init__(self, archive: Archive, folder: Path) -> None:
        self.archive = archive
        self.folder = folder
        self.file = folder / "in.jsonl"
        self.importer = Importer(
            archive,
            phrases,
            lambda: Language.TR,
            now=SettableClock(),
            read=read_in_process,
        )

    def take(self, *lines: object) -> ImportReport:
        """Lines of Bellek's own format."""
        text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
        self.file.write_text(text, encoding="utf-8")
        return self.importer.import_file(self.file)

    def take_json(self, value: object, form: ImportFormat | None = None) -> ImportReport:
        return self.take_bytes(json.dumps(value).encode(), "conversations.json", form)

    def take_bytes(self, data: bytes, name: str, form: ImportFormat | None = None) -> ImportReport:
        path = self.folder / name
        path.write_bytes(data)
        return self.importer.import_file(path, form)

    def said_in(self, session_id: str) -> list[str]:
        return [one.content for one in self.archive.sessions.messages(SessionId(session_id))]


def packed(path: Path, **files: object) -> Path:
    """A zip; `__` in a name stands for a slash, and every file is JSON."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, value in files.items():
            archive.writestr(f"{name.replace('__', '/')}.json", json.dumps(value))
    return path


def chatgpt_message(
    role: str, *parts: object, at: float | None = BEGAN, kind: str = "text", **more: object
) -> Json:
    return {
        "id": f"m-{parts[0][:99] if parts and isinstance(parts[0], str) else role}",
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "content": {"content_type": kind, "parts": list(parts)},
        "status": "finished_successfully",
        "recipient": "all",
        "metadata": {},
        **more,
    }


def chatgpt_chat(name: str, messages: Sequence[Json], title: str | None = None) -> Json:
    """A conversation in which each message follows the one before, below an empty root."""
    mapping: dict[str, object] = {
        "root": {"id": "root", "message": None, "parent": None, "children": ["n0"]}
    }
    for number, message in enumerate(messages):
        parent = f"n{number - 1}" if number else "root"
        mapping[f"n{number}"] = {
            "id": f"n{number}",
            "message": message,
            "parent": parent,
            "children": [f"n{number + 1}"] if number + 1 < len(messages) else [],
        }
    return {
        "id": name,
        "conversation_id": name,
        "title": title,
        "create_time": BEGAN,
        "update_time": BEGAN + 60,
        "mapping": mapping,
        "current_node": f"n{len(messages) - 1}",
    }


def simple_chat(name: str, *said: str, title: str | None = "Şafak") -> Json:
    """A conversation with user and assistant in turn."""
    roles = ("user", "assistant")
    messages = [
        chatgpt_message(roles[number % 2], one, at=BEGAN + number)
        for number, one in enumerate(said)
    ]
    return chatgpt_chat(name, messages, title)


def claude_chat(name: str, *said: str, title: str = "Sunset", **more: object) -> Json:
    return {
        "uuid": name,
        "name": title,
        "summary": "",
        "created_at": "2025-03-01T10:00:00.000000Z",
        "updated_at": "2025-03-01T10:05:00.000000Z",
        "account": {"uuid": "a"},
        "chat_messages": [
            claude_message(f"{name}-{number}", ("human", "assistant")[number % 2], one, number)
            for number, one in enumerate(said)
        ],
        **more,
    }


def claude_message(name: str, sender: str, text: str, second: int = 0, **more: object) -> Json:
    return {
        "uuid": name,
        "text": text,
        "content": [{"type": "text", "text": text, "citations": []}],
        "sender": sender,
        "created_at": f"2025-03-01T10:00:{second:02}.000000Z",
        "updated_at": f"2025-03-01T10:00:{second:02}.000000Z",
        "attachments": [],
        "files": [],
        **more,
    }
