"""Watched folders: what is new or changed is read, what is gone is asked about."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from desktop.domain.projects import EVERYTHING, NO_PROJECT, Wall
from desktop.domain.watched_folders import FolderMissingError, FolderWatchedError
from desktop.research.library import AddOutcome
from desktop.sessions.importing.import_records import library_of
from desktop.sessions.keeping import watched_folders
from desktop.sessions.keeping.watched_folders import WatchedFolders
from desktop.storage.archive import Archive
from desktop.storage.repositories import projects
from tests.archives import archive_in


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = archive_in(tmp_path)
    yield archive
    archive.close()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (vault := tmp_path / "Kasa").mkdir()
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "gizli.md").write_text("Ayarlar.")
    (vault / "Şafak.md").write_text("Işık [[Kovan]] üstünde.")
    (vault / "Alt").mkdir()
    (vault / "Alt" / "Kovan.md").write_text(
        "---\ntitle: Kovan defteri\ntags: [arı, bal]\naliases:\n  - Petek\n"
        "author: Ayşe Kaya\ndate: 2024-03-05\ndoi: https://doi.org/10.1000/xyz\n---\nSıcaktır."
    )
    return vault


@pytest.fixture
def folders(archive: Archive) -> WatchedFolders:
    return WatchedFolders(archive, library_of(archive))


def titles(archive: Archive) -> list[str]:
    return sorted(source.title for source in archive.sources.sources(EVERYTHING))


def touch(file: Path, text: str, at: int) -> None:
    file.write_text(text)
    os.utime(file, (at, at))


def test_a_watched_folder_is_read_and_read_again_only_where_it_changed(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    folder = folders.add(vault)
    assert (look := folders.look(folder.id)).read == 2
    assert titles(archive) == ["Kovan defteri", "Şafak"]
    assert (again := folders.look(folder.id)).report.added == []
    assert (look.gone, again.gone) == ([], [])
    touch(vault / "Şafak.md", "Artık başka.", 1)  # older than before, as a copy may be
    (vault / "Yeni.md").write_text("Yeni bir not.")
    outcomes = {each.path.name: each.outcome for each in folders.look(folder.id).report.added}
    assert outcomes == {"Şafak.md": AddOutcome.RENEWED, "Yeni.md": AddOutcome.ADDED}


def test_the_front_matter_of_a_note_becomes_tags_names_and_reference(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    folders.look(folders.add(vault).id)
    (note,) = [s for s in archive.sources.sources(EVERYTHING) if s.title == "Kovan defteri"]
    assert sorted(archive.source_tags.of(note.id)) == ["arı", "bal"]
    reference = archive.references.work(note.id).reference
    assert (reference.authors, reference.year) == (["Kaya, Ayşe"], 2024)
    assert reference.doi == "10.1000/xyz"
    assert archive.sources.passages(note.id)[0].text.startswith("Petek")


def test_a_gone_note_is_asked_about_once_and_a_moved_one_is_not(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    folder = folders.add(vault)
    folders.look(folder.id)
    (vault / "Alt" / "Kovan.md").rename(vault / "Kovan.md")
    (vault / "Şafak.md").unlink()
    assert [source.title for source in folders.look(folder.id).gone] == ["Şafak"]
    assert folders.look(folder.id).gone == []
    assert [source.title for source in folders.gone(folder)] == ["Şafak"]
    assert titles(archive) == ["Kovan defteri", "Şafak"]
    folders.keep_gone(folder)
    assert (folders.gone(folder), len(titles(archive))) == ([], 2)


def test_a_note_that_comes_back_is_no_longer_asked_about(
    vault: Path, folders: WatchedFolders
) -> None:
    folder = folders.add(vault)
    folders.look(folder.id)
    (vault / "Şafak.md").rename(vault / "Şafak.md.yedek")
    assert len(folders.look(folder.id).gone) == 1
    (vault / "Şafak.md.yedek").rename(vault / "Şafak.md")
    assert (folders.look(folder.id).gone, folders.gone(folder)) == ([], [])


def test_a_disk_that_is_not_connected_makes_nothing_gone(
    vault: Path, folders: WatchedFolders
) -> None:
    folder = folders.add(vault)
    folders.look(folder.id)
    vault.rename(vault.with_name("başka"))
    with pytest.raises(FolderMissingError):
        folders.look(folder.id)
    assert list(folders.look_all()) == []
    (listed,) = folders.folders(EVERYTHING)
    assert (listed.trouble, folders.gone(folder)) == (FolderMissingError.key, [])


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_part_that_cannot_be_read_makes_nothing_gone(
    vault: Path, folders: WatchedFolders
) -> None:
    folder = folders.add(vault)
    folders.look(folder.id)
    (vault / "Alt").chmod(0)
    assert folders.look(folder.id).gone == ()
    (vault / "Alt").chmod(0o700)


def test_what_this_program_wrote_is_no_document_and_nothing_leads_out(
    archive: Archive, vault: Path, folders: WatchedFolders, tmp_path: Path
) -> None:
    (vault / "Yanıt.md").write_text("---\ntitle: Yanıt\nbellek: answer 12\n---\nBal tatlıdır.")
    (tmp_path / "dışarı.md").write_text("Dışarıda.")
    (vault / "bağ.md").symlink_to(tmp_path / "dışarı.md")
    folder = folders.add(vault)
    assert folders.look(folder.id).read == 2
    assert folders.look(folder.id).report.added == []
    library_of(archive).add([vault])
    assert titles(archive) == ["Kovan defteri", "Şafak"]


def test_a_folder_is_watched_once_and_its_documents_stay_when_it_no_longer_is(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    folder = folders.add(vault)
    for other in (vault, vault / "Alt", vault.parent):
        with pytest.raises(FolderWatchedError):
            folders.add(other)
    with pytest.raises(FolderMissingError):
        folders.add(vault / "yok")
    folders.look(folder.id)
    change = folders.remove(folder.id)
    assert (folders.folders(EVERYTHING), len(titles(archive))) == ([], 2)
    change.undo()
    assert folders.look(folder.id).report.added == []


def test_a_paused_folder_is_not_looked_at_and_a_folder_belongs_to_its_project(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    project = archive.projects.create("Arılar")
    folder = folders.add(vault, project.id)
    folders.pause(folder.id, is_paused=True)
    assert list(folders.look_all()) == []
    folders.pause(folder.id, is_paused=False)
    assert [look.read for look in folders.look_all()] == [2]
    assert folders.folders(Wall(NO_PROJECT)) == []
    assert archive.sources.sources(Wall(NO_PROJECT)) == []
    assert len(archive.sources.sources(Wall(project.id))) == 2


def test_a_look_that_finds_nothing_writes_nothing_and_one_look_goes_on_at_a_time(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    folder = folders.add(vault)
    steps = folders.look_in_steps(folder.id)
    assert next(steps).read == 2
    assert list(folders.look_all()) == []  # the other goes on
    assert [look.read for look in steps] == [2]
    (before,) = folders.folders(EVERYTHING)
    assert [look.read for look in folders.look_all()] == [0]
    assert folders.folders(EVERYTHING) == [before]
    assert before.looked_at is not None


def test_a_look_that_is_stopped_goes_on_where_it_ended(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    folder = folders.add(vault)
    look = folders.look(folder.id, lambda: True)
    assert (look.read, look.report.was_stopped, look.gone) == (0, True, ())
    assert folders.look(folder.id).read == 2


def words_of(archive: Archive) -> dict[str, str]:
    """The words of each document by the name of its file."""
    sources = archive.sources
    return {
        Path(source.address).name: sources.passages(source.id)[0].text
        for source in sources.sources(EVERYTHING)
    }


def test_notes_with_the_same_words_are_as_many_notes(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    for name in ("Salı.md", "Pazar.md", "Cuma.md"):
        touch(vault / name, "Bugün:", 1)
    folder = folders.add(vault)
    assert folders.look(folder.id).read == 5
    touch(vault / "Salı.md", "Bugün: bal.", 2)
    (vault / "Pazar.md").rename(vault / "Pazartesi.md")
    assert folders.look(folder.id).gone == []
    assert words_of(archive).keys() >= {"Salı.md", "Pazartesi.md", "Cuma.md"}
    assert "Pazar.md" not in words_of(archive)
    assert words_of(archive)["Salı.md"] == "Bugün: bal."
    (vault / "Cuma.md").unlink()
    assert [source.title for source in folders.look(folder.id).gone] == ["Cuma"]
    touch(vault / "Salı.md", "Bugün:", 3)
    folders.look(folder.id)
    assert words_of(archive)["Salı.md"] == words_of(archive)["Pazartesi.md"] == "Bugün:"
    assert folders.look(folder.id).report.added == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_a_pipe_and_a_name_that_is_no_text_hold_up_no_note(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    os.mkfifo(vault / "boru.md")
    (vault / os.fsdecode(b"eski-\xfe.md")).write_text("Eski bir not.")
    (vault / "iki\nsatır.md").write_text("İki satır.")
    look = folders.look(folders.add(vault).id)
    assert look.read == 4
    assert [each.path.name for each in look.report.added if each.error] == ["boru.md"]
    assert titles(archive) == ["Kovan defteri", "eski-", "iki satır", "Şafak"]


def test_a_note_that_could_not_be_opened_is_tried_again(
    archive: Archive, vault: Path, folders: WatchedFolders
) -> None:
    """As the file of a cloud that is not there yet: its time does not change when it comes."""
    (vault / "Yok.md").symlink_to(vault / "Bulut.txt")
    os.mkfifo(vault / "Bulut.txt")
    os.utime(vault / "Bulut.txt", (1, 1))
    folder = folders.add(vault)
    assert folders.look(folder.id).read == 2
    assert folders.look(folder.id).report.added[0].error is not None
    (vault / "Bulut.txt").unlink()
    (vault / "Bulut.txt").write_text("")
    os.utime(vault / "Bulut.txt", (1, 1))
    assert [each.path.name for each in folders.look(folder.id).report.added] == ["Bulut.txt"]
    assert folders.look(folder.id).report.added == []


def test_a_folder_where_a_disk_was_connected_makes_nothing_gone(
    vault: Path, folders: WatchedFolders
) -> None:
    folder = folders.add(vault)
    folders.look(folder.id)
    vault.rename(vault.with_name("başka"))
    vault.mkdir()
    with pytest.raises(FolderMissingError):
        folders.look(folder.id)
    assert folders.gone(folder) == []


def test_a_system_that_does_not_answer_for_a_folder_hinders_no_other(
    vault: Path, folders: WatchedFolders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (other := tmp_path / "Öbür").mkdir()
    (other / "Bal.md").write_text("Bal.")
    folders.add(vault)
    folders.add(other)
    stat = os.stat

    def refuse(path: str, **options: bool) -> os.stat_result:
        if str(path).startswith(str(vault)):
            raise OSError(errno.ENOTCONN, "not connected")
        return stat(path, **options)

    monkeypatch.setattr(os, "stat", refuse)
    assert [look.read for look in folders.look_all()] == [1]


def test_what_stands_in_a_note_is_stored_with_it_or_not_at_all(
    archive: Archive, vault: Path, folders: WatchedFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt  # as if it were killed

    folder = folders.add(vault)
    with monkeypatch.context() as patched:
        patched.setattr(projects, "_tag_named", fail)
        with pytest.raises(KeyboardInterrupt):
            folders.look(folder.id)
    assert "Kovan defteri" not in titles(archive)
    folders.look(folder.id)
    (note,) = [s for s in archive.sources.sources(EVERYTHING) if s.title == "Kovan defteri"]
    assert sorted(archive.source_tags.of(note.id)) == ["arı", "bal"]


def test_a_disk_that_never_answers_holds_up_no_other_folder(
    vault: Path, folders: WatchedFolders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (other := tmp_path / "Öbür").mkdir()
    (other / "Bal.md").write_text("Bal.")
    folder = folders.add(vault)
    folders.add(other)
    answers, asked = Event(), list[Path]()

    def is_folder(path: Path) -> bool:
        asked.append(path)
        return answers.wait() if path == vault else True

    monkeypatch.setattr(watched_folders, "_PATIENCE_S", 1.0)
    monkeypatch.setattr(watched_folders, "is_folder", is_folder)
    for count in (1, 0):
        assert [look.read for look in folders.look_all()] == [count]
    assert asked.count(vault) == 1
    answers.set()
    monkeypatch.setattr(watched_folders, "_PATIENCE_S", 30.0)
    assert folders.look(folder.id).read == 2
