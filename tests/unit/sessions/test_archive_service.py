"""Splitting a past session and merging two, and undoing both."""

from pathlib import Path

import pytest

from desktop.domain.errors import SessionUnknownError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, Query
from desktop.domain.sessions import EndReason, Session
from desktop.research.documents.reader import DocumentReader
from desktop.research.library import Library
from desktop.sessions.conversation.message_files import message_file
from desktop.settings.encryption import KeyFile
from desktop.storage.archive import Archive, open_archive
from tests.narrowing import present
from tests.studies import Study

TIDES, BREAD = "Gelgit nasıl oluşur?", "Ekşi maya nasıl beslenir?"


def _past(alone: Study, *questions: str) -> SessionId:
    for question in questions:
        alone.ask(question)
        alone.clock.pass_by(minutes=1)
    session_id = alone.active.id
    alone.assistant.end(EndReason.USER)
    alone.clock.pass_by(minutes=1)
    alone.describe()
    return session_id


def _state(alone: Study) -> dict[SessionId, tuple[Session, list[Message]]]:
    return {one.id: (one, alone.on_disk(one.id)) for one in alone.sessions()}


def _found(alone: Study, words: str) -> set[SessionId]:
    alone.describe()
    return {hit.session_id for hit in alone.search.find(Query(words, scope=EVERYWHERE))}


def _numbers(alone: Study, session_id: SessionId) -> list[int]:
    return [one.number for one in alone.on_disk(session_id)]


def _question(alone: Study, session_id: SessionId, text: str) -> MessageId:
    return next(one.id for one in alone.on_disk(session_id) if one.content == text)


def test_a_split_makes_two_sessions_and_loses_no_word(alone: Study) -> None:
    session_id = _past(alone, TIDES, BREAD)
    before = [one.content for one in alone.on_disk(session_id)]
    done = alone.past.split(session_id, _question(alone, session_id, BREAD))
    parts = [alone.on_disk(session_id), alone.on_disk(done.value.part)]
    assert [one.content for part in parts for one in part] == before
    assert [_numbers(alone, one) for one in (session_id, done.value.part)] == [[1, 2], [1, 2]]
    assert parts[1][0].parent_id is None
    new = alone.archive.sessions.session(done.value.part)
    assert (new.opening, new.messages, new.title) == (BREAD, 2, None)
    assert alone.archive.sessions.session(session_id).messages == 2


def test_a_split_is_taken_back_whole(alone: Study) -> None:
    session_id = _past(alone, TIDES, BREAD)
    alone.past.rename(session_id, "Benim başlığım")
    before = _state(alone)
    done = alone.past.split(session_id, _question(alone, session_id, BREAD))
    done.undo()
    assert _state(alone) == before
    assert _found(alone, "maya") == {session_id}


def test_a_session_is_put_behind_the_one_before_it(alone: Study) -> None:
    first, second = _past(alone, TIDES), _past(alone, BREAD)
    done = present(alone.past.merge_with_previous(second))
    (merge,) = done.value
    assert (merge.first.id, merge.second.id, merge.number) == (first, second, 3)
    assert [one.id for one in alone.sessions()] == [first]
    assert _numbers(alone, first) == [1, 2, 3, 4]
    assert [one.parent_id for one in alone.on_disk(first)][1:] == [
        one.id for one in alone.on_disk(first)
    ][:-1]
    assert _found(alone, "maya") == {first}


def test_a_merge_is_taken_back_whole(alone: Study) -> None:
    _past(alone, TIDES)
    second = _past(alone, BREAD)
    before = _state(alone)
    done = present(alone.past.merge_with_previous(second))
    done.undo()
    assert _state(alone) == before
    assert _found(alone, "maya") == {second}


def test_the_active_session_is_left_alone(alone: Study) -> None:
    past = _past(alone, TIDES)
    alone.ask(BREAD)
    active = alone.active.id
    with pytest.raises(SessionUnknownError):
        alone.past.merge_with_previous(active)
    with pytest.raises(SessionUnknownError):
        alone.past.split(active, alone.active.messages[1].id)
    assert alone.past.merge_with_previous(past) is None


def test_nothing_is_split_off_at_the_first_message_or_at_one_of_another_session(
    alone: Study,
) -> None:
    first, second = _past(alone, TIDES), _past(alone, BREAD)
    before = _state(alone)
    for at in (alone.on_disk(first)[0].id, alone.on_disk(second)[1].id, MessageId(7)):
        with pytest.raises(SessionUnknownError):
            alone.past.split(first, at)
    assert _state(alone) == before


# Documents of an encrypted profile: read from memory, shown to others while it is open


WORDS = b"# Ates\n\nKestanefener kozde piser.\n"


def encrypted(folder: Path) -> Archive:
    folder.mkdir(parents=True)
    key, _ = KeyFile.of_profile(folder).create("parola", seconds=0.01)
    return open_archive(folder / "bellek.db", backups=folder / "backups", key=key)


def plain_in(folder: Path) -> list[str]:
    files = [one for one in folder.rglob("*") if one.is_file()]
    return [one.name for one in files if b"Kestanefener" in one.read_bytes()]


def test_an_encrypted_copy_opens_in_another_program_until_the_archive_closes(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "ev"
    archive = encrypted(folder)
    original = tmp_path / "a.md"
    original.write_bytes(WORDS)
    library = Library(archive.sources, archive.files, archive.references, archive.notes)
    library.add([original], with_copies=True)
    (source,) = archive.sources.sources(EVERYTHING)
    original.unlink()
    assert plain_in(folder) == []
    shown = present(library.openable(source))
    assert shown.read_bytes() == WORDS
    archive.close()
    assert plain_in(folder) == []


def test_the_reader_gets_a_sealed_document_through_memory(tmp_path: Path) -> None:
    archive = encrypted(tmp_path / "ev")
    file = message_file("a.md", WORDS)
    archive.files.add(file, WORDS)
    with DocumentReader() as reader:
        name = file.stored_name
        document = reader.read(archive.files.path(name), opened=archive.files.unsealed(name))
    assert "Kestanefener kozde piser." in document.passages[0].text
    archive.close()
