"""Pictures and documents in messages: stored first, kept with their message, deleted with it."""

import hashlib
import json
import multiprocessing
from base64 import b64decode, b64encode
from importlib.util import find_spec
from itertools import count
from multiprocessing.connection import Connection
from os import environ
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import func, select, table

from desktop.domain.errors import (
    AppError,
    AttachmentKindError,
    DocumentEmptyError,
    DocumentTemporaryError,
    DocumentTooLargeError,
    FileUnreadableError,
    PictureTooLargeError,
    PictureUnopenedError,
)
from desktop.domain.language import Language
from desktop.domain.messages import Message, MessageFile
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, HitKind, Query
from desktop.domain.sessions import Draft
from desktop.domain.sources import Source
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.conversation.message_files import message_file
from desktop.sessions.exporting.contents import ExportFormat
from desktop.sessions.exporting.exporter import Exporter
from desktop.sessions.exporting.formats import BELLEK, MARKDOWN
from desktop.sessions.exporting.web_page import WEB_PAGE
from desktop.settings.messages import Texts
from tests.pictures import SVG, png, png_that_claims
from tests.scans import Scanner
from tests.studies import Study

BREAD = "Ekmek hamuru ılık yerde bir saat bekletilir."
QUESTION = "Bunda ne var?"


def picture(study: Study) -> MessageFile:
    return study.assistant.files.add_picture("resim.png", png())


def document(study: Study, words: str = BREAD) -> MessageFile:
    path = study.folder / "ekmek.txt"
    path.write_text(words, encoding="utf-8")
    return study.assistant.files.add(path)


def asked(study: Study) -> Message:
    return study.on_disk(study.active.id)[0]


def own(study: Study) -> list[Source]:
    return study.archive.sources.of_session(study.active.id)


def library_files(study: Study) -> list[Path]:
    folder = study.archive.files.folder
    return sorted(folder.iterdir()) if folder.is_dir() else []


def test_a_picture_is_kept_byte_for_byte_and_is_with_its_message(alone: Study) -> None:
    file = picture(alone)
    alone.ask(QUESTION, files=[file])
    assert asked(alone).files == (file,)
    assert alone.archive.files.read(file) == png()
    assert (file.media_type, file.size) == ("image/png", len(png()))


def test_a_file_that_is_gone_fails_the_turn_before_a_row_names_it(alone: Study) -> None:
    file = picture(alone)
    alone.archive.files.remove([file.stored_name])
    assert isinstance(alone.ask(QUESTION, files=[file]).error, FileUnreadableError)
    assert alone.sessions() == []


def test_another_version_of_a_question_and_another_answer_keep_its_files(alone: Study) -> None:
    file = picture(alone)
    alone.ask(QUESTION, files=[file])
    first = alone.active.messages[0]
    alone.run(alone.assistant.edit(first.id, "Ya bunda?"))
    assert alone.active.messages[0].files == (file,)
    alone.run(alone.assistant.retry_last())
    assert {one.files for one in alone.active.messages if one.number == 1} == {(file,)}


def test_thumbnails_are_made_of_kept_files_and_a_missing_file_has_none(alone: Study) -> None:
    file = picture(alone)
    gone = MessageFile("0" * 64, "yok.png", "image/png", 1)
    (_, shown), (_, none) = alone.assistant.files.pixels([file, gone], 32)
    assert shown is not None
    assert (shown.width, shown.height) == (3, 2)
    assert none is None


def test_a_document_is_read_for_this_session_alone(alone: Study) -> None:
    file = document(alone)
    alone.ask(QUESTION, files=[file])
    (source,) = own(alone)
    assert source.title == "ekmek"
    assert alone.archive.sources.passages(source.id)[0].text == BREAD
    assert alone.archive.sources.sources(EVERYTHING) == []
    alone.assistant.end()
    found = alone.search.find(Query("hamuru", frozenset({HitKind.SOURCE}), scope=EVERYWHERE))
    assert found == []


@pytest.mark.skipif(not find_spec("tesserocr"), reason="tesserocr is not installed")
def test_a_scan_of_few_pages_is_read_with_its_message(alone: Study) -> None:
    path = alone.folder / "tarama.pdf"
    path.write_bytes(Scanner().scanned([[BREAD], ["Hamur yoğrulur."]]))
    alone.ask(QUESTION, files=[alone.assistant.files.add(path)])
    (source,) = own(alone)
    passages = alone.archive.sources.passages(source.id)
    assert [(passage.page, passage.text) for passage in passages] == [
        (1, BREAD),
        (2, "Hamur yoğrulur."),
    ]
    assert not source.needs_ocr
    assert alone.archive.scans.pages(source.id) == {1, 2}


def test_a_document_whose_reading_was_lost_is_read_again(alone: Study) -> None:
    file = document(alone)
    alone.assistant.files._read.clear()
    alone.ask(QUESTION, files=[file])
    assert [one.title for one in own(alone)] == ["ekmek"]


def test_a_split_takes_the_documents_of_its_messages_along_and_a_merge_brings_them_back(
    alone: Study,
) -> None:
    alone.ask("Gelgit nasıl oluşur?")
    alone.ask(QUESTION, files=[document(alone)])
    whole = alone.active.id
    question = next(one for one in alone.active.messages if one.files)
    alone.assistant.end()
    done = alone.past.split(whole, question.id)
    assert len(alone.archive.sources.of_session(done.value.part)) == 1
    done.undo()
    assert len(alone.archive.sources.of_session(whole)) == 1


def test_deleting_its_session_removes_every_byte_of_a_document(alone: Study) -> None:
    alone.ask(QUESTION, files=[document(alone), picture(alone)])
    alone.assistant.end()
    session_id = alone.sessions()[0].id
    alone.archive.sessions.delete(session_id)
    alone.archive.purge_deleted()
    assert library_files(alone) == []
    for name in ("sources", "source_passages", "source_index", "message_files"):
        with alone.archive.database.reading() as db:
            assert db.execute(select(func.count()).select_from(table(name))).scalar() == 0
    raw = b"".join(one.read_bytes() for one in alone.folder.glob("bellek.db*"))
    assert b"hamuru" not in raw


def test_a_temporary_session_has_pictures_in_memory_alone_and_no_documents(alone: Study) -> None:
    alone.assistant.begin_temporary()
    file = picture(alone)
    alone.ask(QUESTION, files=[file])
    assert alone.archive.files.read(file) == png()
    assert library_files(alone) == []
    with pytest.raises(DocumentTemporaryError):
        document(alone)
    alone.assistant.end()
    assert not alone.archive.files.has(file)


def test_a_picture_of_a_draft_leaves_the_disk_with_a_temporary_session(alone: Study) -> None:
    file = picture(alone)
    alone.assistant.drafts.keep(Draft("taslak", files=(file,)))
    alone.assistant.begin_temporary()
    assert library_files(alone) == []
    assert alone.archive.files.read(file) == png()


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        pytest.param("a.svg", SVG, AttachmentKindError, id="a drawing"),
        pytest.param("a.png", SVG, AttachmentKindError, id="a drawing called a picture"),
        pytest.param("a.png", png()[:40], PictureUnopenedError, id="half a picture"),
        pytest.param("a.png", png_that_claims(50_000, 50_000), PictureTooLargeError, id="a bomb"),
        pytest.param("a.exe", b"MZ\x90" * 99, AttachmentKindError, id="a program"),
        pytest.param("a.txt", b"", DocumentEmptyError, id="nothing"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(
    alone: Study, name: str, data: bytes, error: type[AppError]
) -> None:
    path = alone.folder / name
    path.write_bytes(data)
    with pytest.raises(error):
        alone.assistant.files.add(path)


@pytest.mark.parametrize(
    ("beginning", "error"), [(png(), PictureTooLargeError), (b"%PDF-1.7", DocumentTooLargeError)]
)
def test_a_sparse_file_of_500_megabytes_is_read_only_up_to_the_limit(
    alone: Study, beginning: bytes, error: type[AppError]
) -> None:
    path = alone.folder / "dev.png"
    with path.open("wb") as opened:
        opened.write(beginning)
        opened.truncate(500 << 20)
    with pytest.raises(error):
        alone.assistant.files.add(path)


def test_a_folder_and_a_missing_file_are_refused(alone: Study) -> None:
    for path in (alone.folder, alone.folder / "yok.png"):
        with pytest.raises(FileUnreadableError):
            alone.assistant.files.add(path)


def exported(study: Study, form: ExportFormat) -> str:
    exporter = Exporter(ArchiveReader(study.archive), lambda: Texts(Language.TR))
    session = study.archive.sessions.session(study.active.id)
    return b"".join(exporter.export_sessions(form, [session])).decode()


def test_an_export_has_the_picture_or_its_name(alone: Study) -> None:
    alone.ask(QUESTION, files=[picture(alone), document(alone)])
    page = exported(alone, WEB_PAGE)
    assert f"data:image/png;base64,{b64encode(png()).decode()}" in page
    assert "Eklenen: ekmek.txt" in page
    assert "*Eklenen: resim.png*" in exported(alone, MARKDOWN)
    line = json.loads(exported(alone, BELLEK).splitlines()[0])
    files = line["messages"][0]["files"]
    assert [b64decode(one["data"]) for one in files] == [png(), BREAD.encode()]


def ask_until_killed(folder: Path, told: Connection) -> None:  # in a child process
    study = Study(folder)
    for number in count(1):
        data = png(number, 2)
        file = message_file(f"{number}.png", data)
        study.archive.files.add(file, data)
        study.ask(f"Bu {number}. resimde ne var?", files=[file])
        if number % 7 == 0:
            study.archive.purge_deleted()
        told.send(number)


@pytest.mark.parametrize("moment", range(int(environ.get("BELLEK_KILLS", "5"))))
def test_whenever_it_is_killed_every_file_of_a_message_is_there(
    tmp_path: Path, moment: int
) -> None:
    heard, told = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=ask_until_killed, args=(tmp_path, told))
    child.start()
    told.close()
    heard.recv()
    Event().wait(0.013 * moment)
    child.kill()
    child.join()
    after = Study(tmp_path)
    after.archive.purge_deleted()
    asked = [one for session in after.sessions() for one in after.on_disk(session.id)]
    files = [file for one in asked for file in one.files]
    assert files
    assert all(
        hashlib.sha256(after.archive.files.read(one)).hexdigest() == one.sha256 for one in files
    )
    after.close()
