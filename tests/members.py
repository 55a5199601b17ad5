"""People who share projects, each with a profile of its own."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from desktop.domain.ids import MessageId, NoteId, PassageId, SessionId, SourceId, new_note_id
from desktop.domain.messages import Citation, CitationState
from desktop.domain.notes import Note
from desktop.domain.projects import Project, ProjectId, Wall
from desktop.domain.references import Reference
from desktop.domain.search import Query, Scope
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.sessions.sharing.sharing import Sharing
from desktop.settings.keys import MemoryKeys
from desktop.storage.archive import Archive
from tests.archives import NOON, archive_in, finished


class LastingKeys(MemoryKeys):
    """Stands for a keyring."""

    is_lasting = True


class Profile:
    """One person's profile."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.archive: Archive = archive_in(home)
        self.is_local_only = False
        self.keys = LastingKeys()
        self.sharing = Sharing(self.archive, self.keys, is_local_only=lambda: self.is_local_only)

    @property
    def name(self) -> str:
        return self.home.name

    def project(self, name: str = "Kuşlar") -> Project:
        return self.archive.projects.create(name)

    def local_only(self, project: Project, *, is_on: bool) -> Project:
        changed = replace(project, is_local_only=is_on)
        self.archive.projects.edit(changed)
        return changed

    def session(self, project: Project, id_: str, *texts: str, title: str = "") -> SessionId:
        self.archive.imports.add([replace(finished(id_, *texts, title=title or None))])
        session_id = SessionId(id_)
        self.archive.projects.move(project.id, [session_id])
        return session_id

    def document(
        self, project: ProjectId, id_: str, *texts: str, data: bytes | None = None
    ) -> SourceId:
        """Add a document, with its copy if there are bytes."""
        digest = sha256(data or id_.encode()).hexdigest()
        copy = f"{digest}.txt" if data is not None else None
        if data is not None and copy:
            self.archive.files.keep_bytes(data, copy)
        source = Source(
            id=SourceId(id_),
            kind=SourceKind.DOCUMENT,
            title=f"Belge {id_}",
            address=f"/home/{self.name}/gizli-klasör/{id_}.txt",
            added_at=NOON,
            read_at=NOON,
            sha256=digest,
            copy=copy,
        )
        passages = [NewPassage(text) for text in texts]
        return self.archive.sources.of(project).add(source, passages).id

    def refer(self, source_id: SourceId, title: str) -> None:
        self.archive.references.store(source_id, Reference({"type": "book", "title": title}))

    def note(
        self,
        text: str,
        *,
        source_id: SourceId | None = None,
        message_id: MessageId | None = None,
    ) -> NoteId:
        note = Note(new_note_id(), "sözler", text, NOON, NOON)
        self.archive.notes.add([replace(note, source_id=source_id, message_id=message_id)])
        return note.id

    def message_ids(self, session_id: SessionId) -> Sequence[MessageId]:
        return [message.id for message in self.archive.sessions.messages(session_id)]

    def cite(self, answer: MessageId, source: str, passage: str, quote: str) -> None:
        citation = Citation(1, CitationState.CHECKED, quote, source, PassageId(passage), "Başlık")
        self.archive.answers.add_citations(answer, [citation])

    def found(self, word: str, project: Project) -> list[str]:
        query = Query("", scope=Scope(wall=Wall(project.id)))
        matches = self.archive.index.match_messages(word, query)
        return sorted(match.message.content for match in matches)

    def titles(self, project: Project) -> set[str]:
        return {source.title for source in self.archive.sources.sources(Wall(project.id))}

    def notes(self, project: Project) -> set[str]:
        return {note.text for note in self.archive.notes.notes(Wall(project.id))}
