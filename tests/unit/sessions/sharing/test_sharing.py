from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.projects import Project, Wall
from desktop.domain.search import Query, Scope
from desktop.domain.sessions import DescribedBy, EndReason, Session, SessionStatus
from desktop.domain.times import utc_now
from desktop.sessions.sharing.sharing import Sharing
from desktop.settings.keys import MemoryKeys
from desktop.storage.archive import Archive, open_archive
from desktop.storage.repositories.imports import FinishedSession

MARK = "Zümrüdüanka kıyısında"


class LastingKeys(MemoryKeys):
    is_lasting = True


class Profile:
    """One person's profile, and where the group meets."""

    def __init__(self, home: Path) -> None:
        home.mkdir()
        self.home = home
        self.archive: Archive = open_archive(home / "bellek.db", backups=home / "backups")
        self.is_local_only = False
        self.keys = LastingKeys()
        self.sharing = Sharing(self.archive, self.keys, is_local_only=lambda: self.is_local_only)

    def session(self, project: Project, id_: str, *texts: str, title: str = "Başlık") -> SessionId:
        now, session_id = utc_now(), SessionId(id_)
        messages = [
            Message(
                id=MessageId(0),
                session_id=session_id,
                number=number,
                role=(Role.ASSISTANT, Role.USER)[number % 2],
                content=text,
                state=MessageState.COMPLETE,
                created_at=now,
            )
            for number, text in enumerate(texts, start=1)
        ]
        session = Session(
            id=session_id,
            status=SessionStatus.COMPLETE,
            created_at=now,
            updated_at=now,
            ended_at=now,
            end_reason=EndReason.USER,
            title=title,
            summary="Özet",
            topics=("konu",),
            described_by=DescribedBy.IMPORT,
            messages=len(messages),
            opening=texts[0],
        )
        self.archive.imports.add([FinishedSession(session, messages, project=project.name)])
        return session_id

    def found(self, word: str, project: Project) -> list[str]:
        query = Query("", scope=Scope(wall=Wall(project.id)))
        return [m.message.content for m in self.archive.index.match_messages(word, query)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "shared"
    place.mkdir()
    return place


@pytest.fixture
def people(tmp_path: Path) -> Iterator[list[Profile]]:
    several = [Profile(tmp_path / name) for name in ("ayşe", "can", "deniz")]
    yield several
    for each in several:
        each.archive.close()


def test_a_published_session_is_found_in_the_profile_of_another_member(
    people: list[Profile], folder: Path
) -> None:
    first, second, _ = people
    project = first.archive.projects.create("Kuşlar")
    session = first.session(project, "s1", "Martı nedir?", f"{MARK} yaşayan bir kuştur.")
    first.session(project, "s2", "Gizli martı sorusu?", "Gizli yanıt.")
    code = first.sharing.share(project, str(folder), name="Ayşe")
    theirs = second.sharing.join(code, str(folder), name="Can")
    assert theirs.name == "Kuşlar"
    assert first.sharing.publish([session]).sent == 1
    assert second.sharing.run(theirs).received == 1
    assert second.found("marti", theirs) == ["Martı nedir?"]
    assert second.archive.sessions.session(session).project == theirs.id
    assert second.sharing.owners([session]) == {session: "Ayşe"}
