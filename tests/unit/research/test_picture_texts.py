"""Words in pictures of messages: read in the background, found, and gone with their message."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import time

import pytest

from desktop.domain.errors import DocumentTooSlowError
from desktop.domain.ids import SessionId
from desktop.domain.messages import MessageFile
from desktop.domain.projects import COMMON, Wall
from desktop.domain.search import EVERYWHERE, Hit, HitKind, Query, Scope
from desktop.recall.other_kinds import PictureSearch
from desktop.recall.search import Search
from desktop.research.child_process import TOOK_TOO_LONG, ChildEnded, ChildProcess
from desktop.research.documents import ocr
from desktop.research.documents.ocr import OcrEngine
from desktop.research.library import Library
from desktop.research.scans import PictureReading, ScanReading
from desktop.sessions.conversation.message_files import message_file
from desktop.settings.encryption import KeyFile
from desktop.storage.archive import Archive, open_archive
from tests.archives import NOON, finished
from tests.guards import LogWatch
from tests.pictures import png
from tests.scans import Scanner, screenshot

LINES = "Fatura numarası 4471, Kervansaray gişesi.", "Son ödeme günü 12 Mayıs, tutar 1.250 TL."
S, OTHER = SessionId("s"), SessionId("o")
needs_engine = pytest.mark.skipif(not find_spec("tesserocr"), reason="tesserocr is not installed")


def with_picture(
    archive: Archive, data: bytes, name: str = "s", at: datetime = NOON
) -> MessageFile:
    """Store a session whose question has a picture."""
    file = message_file(f"ekran-{name}.png", data)
    archive.files.add(file, data)
    session = finished(name, "Bunu ne zaman ödemeliyim?", "Yakında.", at=at)
    question, answer = session.messages
    archive.imports.add([replace(session, messages=[replace(question, files=(file,)), answer])])
    return file


def reading(archive: Archive, *, is_on: bool = True) -> PictureReading:
    return PictureReading(archive.pictures, archive.files, lambda: is_on)


def find(archive: Archive, words: str, scope: Scope = EVERYWHERE) -> list[Hit]:
    search = Search(archive.index, pictures=PictureSearch(archive.pictures))
    kinds = frozenset({HitKind.MESSAGE, HitKind.PICTURE})
    return search.find(Query(words, kinds=kinds, scope=scope))


@needs_engine
def test_words_of_a_picture_are_found_and_lead_to_its_message(archive: Archive) -> None:
    with_picture(archive, screenshot(*LINES))
    assert reading(archive).read_due(lambda: False) == 1
    (hit,) = find(archive, "kervansaray gişesi")
    question = archive.sessions.messages(S)[0]
    assert (hit.kind, hit.session_id, hit.message_id, hit.heading) == (
        HitKind.PICTURE,
        S,
        question.id,
        "ekran-s.png",
    )
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["Kervansaray", "gişesi"]
    labelled = hit.labelled("“ekran-s.png” resminde:")
    assert labelled.snippet.startswith("“ekran-s.png” resminde: Fatura")
    marked = [labelled.snippet[start:end] for start, end in labelled.marks]
    assert marked == ["Kervansaray", "gişesi"]
    assert [hit.kind for hit in find(archive, "1.250")] == [HitKind.PICTURE]
    assert find(archive, "kervansaray boza salep") == []


@needs_engine
def test_a_stopped_reading_goes_on_and_reads_nothing_twice(archive: Archive) -> None:
    old = with_picture(archive, screenshot("Birinci resimde elma var."), "s")
    new = with_picture(
        archive, screenshot("İkinci resimde armut var."), "t", NOON + timedelta(days=1)
    )
    assert [file.sha256 for file in archive.pictures.unread()] == [new.sha256, old.sha256]
    reading(archive).read_due(lambda: len(archive.pictures.unread()) < 2)
    assert [file.sha256 for file in archive.pictures.unread()] == [old.sha256]
    assert reading(archive).read_due(lambda: False) == 1
    assert reading(archive).read_due(lambda: False) == 0


def test_nothing_is_read_if_the_user_does_not_want_it_or_nothing_can(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_picture(archive, screenshot(*LINES))
    assert reading(archive, is_on=False).read_due(lambda: False) == 0
    monkeypatch.setattr(ocr, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert reading(archive).readable() == []
    assert len(archive.pictures.unread()) == 1


@needs_engine
@pytest.mark.parametrize("data", [png(), screenshot(*LINES)[:900]], ids=["wordless", "broken"])
def test_a_picture_without_words_is_not_read_again(archive: Archive, data: bytes) -> None:
    with_picture(archive, data)
    assert reading(archive).read_due(lambda: False) == 0
    assert archive.pictures.unread() == []


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_an_installed_program_reads_the_picture_in_grey(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, picture = tmp_path / "tesseract", tmp_path / "picture"
    row = "5\\t1\\t1\\t1\\t1\\t1\\t250\\t250\\t400\\t60\\t91.5\\tKiraz"
    program.write_text(f"#!/bin/sh\ncat > {picture}\nprintf '{row}\\n'\n")
    program.chmod(0o700)
    monkeypatch.setattr("desktop.research.scans.find_engine", lambda: OcrEngine(str(program)))
    monkeypatch.setattr("desktop.research.scans.require_engine", lambda: OcrEngine(str(program)))
    with_picture(archive, png(50, 20))
    assert reading(archive).read_due(lambda: False) == 1
    head = b"P5 100 40 255\n"
    assert picture.read_bytes().startswith(head)
    assert picture.stat().st_size == len(head) + 100 * 40
    assert len(find(archive, "kiraz")) == 1


@pytest.mark.parametrize("code", [TOOK_TOO_LONG, None], ids=["binding", "program"])
def test_a_picture_that_took_too_long_is_tried_once_more(
    code: int | None, archive: Archive, monkeypatch: pytest.MonkeyPatch, log_watch: LogWatch
) -> None:
    """Another time the computer may have less to do."""
    answers: list[str] = []
    if code is not None:
        log_watch.expect("desktop.research.documents.pictures", str(code))

    def words(reader: ocr.PictureTextReader, data: bytes) -> str:
        if answers:
            return answers.pop()
        if code is None:
            raise DocumentTooSlowError(seconds=120)
        child = reader.running_child()
        monkeypatch.setattr(child, "receive", partial(_end, child))
        monkeypatch.setattr(child, "exit_code", lambda: code)
        return str(reader._ask(data, 100, 0))

    monkeypatch.setattr(ocr.PictureTextReader, "words", words)
    for name in ("find_engine", "require_engine"):
        monkeypatch.setattr(f"desktop.research.scans.{name}", lambda: OcrEngine("tesseract"))
    with_picture(archive, png())
    reading(archive).read_due(lambda: False)
    assert len(archive.pictures.unread()) == 1
    answers.append("Kiraz")
    assert reading(archive).read_due(lambda: False) == 1
    assert len(find(archive, "kiraz")) == 1
    other = with_picture(archive, png(7, 7), "o")
    reading(archive).read_due(lambda: False)
    assert [file.sha256 for file in archive.pictures.unread()] == [other.sha256]
    reading(archive).read_due(lambda: False)
    assert archive.pictures.unread() == []


def _end(child: ChildProcess) -> None:
    child.kill()
    raise ChildEnded


def test_words_of_a_picture_stay_behind_the_wall_of_its_session(archive: Archive) -> None:
    file = with_picture(archive, png())
    archive.pictures.add(file.sha256, "Xylofon dersi")
    thesis = archive.projects.create("Tez").id
    archive.projects.move(thesis, [S])
    assert find(archive, "xylofon", Scope(COMMON)) == []
    assert len(find(archive, "xylofon", Scope(Wall(thesis)))) == 1
    assert find(archive, "xylofon", Scope(COMMON, besides=(S,))) == []


def test_words_of_a_picture_are_gone_with_its_last_message(
    archive: Archive, tmp_path: Path
) -> None:
    file = with_picture(archive, png())
    with_picture(archive, png(), "o")
    archive.pictures.add(file.sha256, "Xylofon dersi")
    assert len(find(archive, "xylofon")) == 2
    archive.sessions.delete(S)
    archive.purge_deleted()
    assert [hit.session_id for hit in find(archive, "xylofon")] == [OTHER]
    archive.sessions.delete(OTHER)
    assert find(archive, "xylofon") == []
    archive.purge_deleted()
    archive.pictures.add(file.sha256, "Xylofon dersi")  # a reading that was under way
    archive.close()
    data = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"ylofon" not in data


def changed_files(*folders: Path, since: float) -> Iterator[bytes]:
    for folder in folders:
        for path in folder.rglob("*") if folder != folders[-1] else folder.glob("*"):
            if path.is_file() and path.stat().st_mtime >= since:
                yield path.read_bytes()


@needs_engine
def test_ocr_leaves_no_word_and_no_picture_of_an_encrypted_profile_on_the_disk(
    tmp_path: Path,
) -> None:
    since, profile = time() - 1, tmp_path / "profile"
    profile.mkdir()
    key, _ = KeyFile.of_profile(profile).create("parola", seconds=0.01)
    picture, scan = screenshot("Kestanefener gişesi kapalı."), Scanner().scanned([LINES])
    original = profile.parent / "tarama.pdf"
    original.write_bytes(scan)
    with closing(open_archive(profile / "b.db", backups=profile / "x", key=key)) as archive:
        with_picture(archive, picture)
        library = Library(archive.sources, archive.files, archive.references, archive.notes)
        (added,) = library.add([original], with_copies=True).added
        assert added.source is not None
        original.unlink()
        assert ScanReading(archive.sources, archive.scans, library).read([added.source]) == 1
        assert reading(archive).read_due(lambda: False) == 1
        assert len(find(archive, "kestanefener")) == 1
        assert len(archive.sources.passages(added.source.id)) == 1
        open_files = list(changed_files(tmp_path, Path(tempfile.gettempdir()), since=since))
    closed = list(changed_files(tmp_path, Path(tempfile.gettempdir()), since=since))
    secrets = [picture[:64], picture[2000:2064], scan[:64], scan[5000:5064]]
    for word in ("Kestanefener", "kestanefener", "Kervansaray", "kervansaray"):
        secrets += [word.encode(), word.encode("utf-16-le")]
    assert len(open_files) > len(closed) > 2  # the journal is one of the first
    assert [secret for data in open_files + closed for secret in secrets if secret in data] == []
