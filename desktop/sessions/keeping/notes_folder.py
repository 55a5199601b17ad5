"""Writes answers, sessions and notes into a watched folder, as new files of their own.

A file is never replaced. Its front matter has the key by which a look at the folder knows that it
is no document (`OWN_KEY`).
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path, PurePath

from desktop.domain.errors import SourceUnknownError
from desktop.domain.ids import MessageId, NoteId, SessionId, SourceId
from desktop.domain.messages import Role
from desktop.domain.projects import EVERYTHING
from desktop.domain.watched_folders import (
    FolderMissingError,
    FolderTakesNoNotesError,
    WatchedFolder,
    WatchedFolderId,
)
from desktop.language.links import harmless_markdown
from desktop.research.documents.front_matter import OWN_KEY
from desktop.research.folder_walking import is_folder
from desktop.sessions.exporting.contents import CitationNote
from desktop.sessions.exporting.exporter import Exporter
from desktop.sessions.keeping.watched_folders import WatchedFolders
from desktop.settings.file_writing import file_name, raising_not_written, write_beside

_LONGEST_TITLE = 100
_NOT_IN_LINKS = dict.fromkeys(map(ord, "[]|#^"), " ")
# Plugins of Obsidian run what stands in such blocks, which may be a page's or a model's words.
_RUN = re.compile(r"(?m)^([ \t>]*(?:`{3,}|~{3,}))[ \t]*((?:dataview|templater|js-engine)[\w-]*)")
_RUN_IN_LINE = re.compile(r"(?<!`)`(?=\$?=)")


@dataclass(frozen=True, slots=True)
class NotesFolderWriter:
    """May wait for the disk; its methods raise what `_write` does, and StorageError."""

    _exporter: Exporter
    _folders: WatchedFolders

    def folders(self) -> Sequence[WatchedFolder]:
        """Return the folders whose setting allows writing into them."""
        return [folder for folder in self._folders.folders(EVERYTHING) if folder.takes_notes]

    def write_session(self, session_id: SessionId, folder_id: WatchedFolderId) -> Path:
        """Write a session. Raises SessionUnknownError, too."""
        session = self._exporter.archive.session(session_id)
        title = _line(session.title or session.opening)
        return self._write_messages(session_id, None, title, session.created_at, folder_id)

    def write_answer(
        self, session_id: SessionId, answer: MessageId, folder_id: WatchedFolderId
    ) -> Path:
        """Write an answer with its question, whose first line is its title.

        Raises SessionUnknownError, too.
        """
        session = self._exporter.archive.session(session_id)
        title, at = session.title or session.opening, session.created_at
        for message in self._exporter.archive.messages(session_id):
            if message.role is Role.USER:
                title = message.content.strip().partition("\n")[0]
            elif message.id == answer:
                at = message.created_at
                break
        return self._write_messages(session_id, answer, _line(title), at, folder_id)

    def write_note(self, note_id: NoteId, folder_id: WatchedFolderId) -> Path:
        """Write a note with the words that it marks. Raises NoteUnknownError, too."""
        archive, folder = self._exporter.archive, self._open(folder_id)
        note, texts = archive.note(note_id), self._exporter.texts()
        title = _line(note.text or note.quote)
        place = harmless_markdown(_line(note.title))
        tags: Sequence[str] = ()
        if note.source_id:
            place = self._link(folder, note.source_id) or place
            tags = archive.tags_of_source(note.source_id)
        page = texts.say("export.page", number=note.page) if note.page else ""
        parts = [f"# {harmless_markdown(title)}"]
        if note.quote:
            parts += ["\n".join(f"> {line}" for line in harmless_markdown(note.quote).split("\n"))]
        parts += [", ".join(filter(None, (place, page)))]
        if note.text.strip() != title:
            parts.append(harmless_markdown(note.text))
        head = _front_matter(title, note.created_at, tags, f"note {note.id}")
        return _write(folder, title, head, "\n\n".join(filter(None, parts)))

    def _write_messages(
        self,
        session_id: SessionId,
        answer: MessageId | None,
        title: str,
        at: datetime,
        folder_id: WatchedFolderId,
    ) -> Path:
        folder = self._open(folder_id)

        def link_of(note: CitationNote) -> str:
            return self._link(folder, SourceId(note.citation.source_id))

        text = self._exporter.export_for_folder(session_id, answer, title, link_of)
        tags = self._exporter.archive.tags_of_session(session_id)
        origin = f"answer {answer}" if answer is not None else f"session {session_id}"
        return _write(folder, title, _front_matter(title, at, tags, origin), text)

    def _open(self, folder_id: WatchedFolderId) -> WatchedFolder:
        folder = self._folders.folder(folder_id)
        if not folder.takes_notes:
            raise FolderTakesNoNotesError(path=folder.path)
        if not is_folder(Path(folder.path)):
            raise FolderMissingError(path=folder.path)
        return folder

    def _link(self, folder: WatchedFolder, source_id: SourceId) -> str:
        """Return a link to a document of the same folder; empty for any other."""
        try:
            path = PurePath(self._exporter.archive.source(source_id).address)
        except SourceUnknownError:
            return ""
        if not path.is_relative_to(folder.path):
            return ""
        name = path.relative_to(folder.path).as_posix().removesuffix(".md")
        return f"[[{name}]]" if name == name.translate(_NOT_IN_LINKS) else ""


def _write(folder: WatchedFolder, title: str, head: str, text: str) -> Path:
    """Write a new file. Raises FileNotWrittenError, DiskFullError."""
    target = Path(folder.path)
    with raising_not_written(target):
        for target in _names(Path(folder.path), title):
            try:
                target.open("x").close()  # so that nobody takes the name meanwhile
            except FileExistsError:
                continue
            try:
                with write_beside(target) as partial:
                    partial.write_text(f"{head}{_not_run(text).rstrip()}\n", encoding="utf-8")
            except BaseException:
                target.unlink(missing_ok=True)
                raise
            break
    return target


def _names(folder: Path, title: str) -> Iterator[Path]:
    name = file_name(title.translate(_NOT_IN_LINKS)) or "Bellek"
    yield folder / f"{name}.md"
    for number in count(2):
        yield folder / f"{name} {number}.md"


def _front_matter(title: str, at: datetime, tags: Sequence[str], origin: str) -> str:
    listed = ", ".join(_quoted("-".join(tag.split())) for tag in tags)
    fields = {
        "title": _quoted(title),
        "date": f"{at.astimezone():%Y-%m-%d}",
        "tags": f"[{listed}]",
        OWN_KEY: _quoted(origin),
    }
    return "\n".join(("---", *(f"{name}: {value}" for name, value in fields.items()), "---\n\n"))


def _quoted(text: str) -> str:
    """Return a text as YAML has it in quotation marks."""
    return json.dumps(text, ensure_ascii=False)


def _line(text: str) -> str:
    """Return the beginning of a text in one line, cut at the end of a word."""
    line = " ".join(text.split())
    cut = line[:_LONGEST_TITLE]
    return cut if len(line) <= _LONGEST_TITLE else f"{cut.rpartition(' ')[0] or cut}…"


def _not_run(text: str) -> str:
    return _RUN_IN_LINE.sub("` ", _RUN.sub(r"\1text \2", text))
