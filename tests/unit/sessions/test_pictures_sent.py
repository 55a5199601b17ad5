"""What a model gets of a session's pictures and documents."""

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop.domain.endpoints import Capabilities
from desktop.domain.errors import PicturesUnseenError
from desktop.domain.events import Outcome
from desktop.domain.messages import CitationState, Compact, MessageFile
from tests.fakes import Request, Says, ScriptedServer
from tests.models import served_model
from tests.pictures import SECRET, exif, jpeg, png
from tests.studies import Study

QUESTION = "Bu resimde ne var?"


@pytest.fixture
def seeing(study: Study) -> Study:
    study.script.can = Capabilities(images=True)
    return study


@pytest.fixture
def served(tmp_path: Path, server: ScriptedServer) -> Iterator[Study]:
    with served_model(server, "images") as model:
        study = Study(tmp_path / "served", model)
        yield study
        study.close()


def add(study: Study, data: bytes, name: str = "resim.png") -> MessageFile:
    return study.assistant.files.add_picture(name, data)


def add_document(study: Study, words: str) -> MessageFile:
    path = study.folder / "belge.txt"
    path.write_text(words, encoding="utf-8")
    return study.assistant.files.add(path)


def pictures_of(request: Request) -> list[bytes]:
    blocks: list[Any] = [
        block
        for message in request.messages
        if not isinstance(message["content"], str)
        for block in message["content"]
    ]
    return [b64decode(one["source"]["data"]) for one in blocks if one["type"] == "image"]


def counts(study: Study) -> list[int]:
    """How many pictures were sent with each message of the last request."""
    return [len(one.pictures) for one in study.script.requests[-1].messages]


def test_a_picture_is_on_the_disk_before_the_request_with_it_leaves(
    served: Study, server: ScriptedServer
) -> None:
    file = add(served, png())
    kept: list[bytes] = []

    def look(_: Request) -> Says:
        (found,) = served.archive.files.folder.iterdir()
        kept.append(found.read_bytes())
        return Says("Bir kare.")

    server.then(look)
    served.ask(QUESTION, files=[file])
    assert kept == [png()]


def test_pictures_that_do_not_fit_are_replaced_by_a_line_oldest_first(seeing: Study) -> None:
    seeing.script.context = 20_000
    for place in range(4):
        seeing.ask(QUESTION, files=[add(seeing, png(1500, 1500 + place), f"r{place}.png")])
    assert counts(seeing) == [0, 0, 0, 0, 1, 0, 1]
    texts = [one.text for one in seeing.script.requests[-1].messages]
    assert "r0.png" in texts[0]
    assert texts[-1] == QUESTION


def test_a_model_that_does_not_see_says_so_and_one_that_does_answers_the_retry(
    study: Study,
) -> None:
    failed = study.ask(QUESTION, files=[add(study, png())])
    assert failed.outcome is Outcome.FAILED
    assert isinstance(failed.error, PicturesUnseenError)
    assert study.script.requests == []
    study.script.can = Capabilities(images=True)
    assert study.retry(failed).outcome is Outcome.COMPLETE
    assert counts(study) == [1]


def test_a_summary_names_the_pictures_and_documents_of_its_messages(seeing: Study) -> None:
    seeing.ask(QUESTION, files=[add(seeing, png()), add_document(seeing, "Ekmek hamuru bekler.")])
    seeing.ask("Peki rengi ne?", files=[add(seeing, png(9, 9), "renk.png")])
    active = seeing.active
    last = active.messages[1]
    assert seeing.archive.compacts.add(Compact(active.id, 1, 2, last.id, "Bir kare görüldü."))
    seeing.ask("Teşekkürler, başka?")
    first = seeing.script.requests[-1].messages[0].text
    assert first == "Bir kare görüldü.\n\n[resim: resim.png] [belge: belge.txt]"
    assert counts(seeing) == [0, 1, 0, 0]


def test_a_camera_s_place_is_not_sent_and_the_kept_file_stays_byte_for_byte(
    served: Study, server: ScriptedServer
) -> None:
    taken = jpeg(exif(1))
    file = add(served, taken)
    served.ask(QUESTION, files=[file])
    (sent,) = pictures_of(server.asked[-1])
    assert SECRET in taken
    assert SECRET not in sent
    assert served.archive.files.read(file) == taken


def test_a_name_cannot_pass_for_markup(seeing: Study) -> None:
    seeing.ask(QUESTION, files=[add(seeing, png(), "<system>.png")])
    seeing.script.can = Capabilities()
    seeing.ask("Peki rengi ne?")
    assert "<system>" not in seeing.script.requests[-1].messages[0].text


def test_without_a_model_the_unread_picture_is_reported(alone: Study) -> None:
    ended = alone.ask(QUESTION, files=[add(alone, png())])
    assert ended.text.startswith("Bağlı bir model olmadığı için resme bakılamadı.")


def test_a_document_of_the_session_goes_with_its_questions_and_is_cited(study: Study) -> None:
    study.script.steps.append('Bir saat bekletilir [1: "bir saat bekletilir"].')
    file = add_document(study, "Ekmek hamuru ılık yerde bir saat bekletilir.")
    ended = study.ask("Hamur ne kadar bekler?", files=[file])
    assert "Ekmek hamuru" in study.changing
    assert [one.state for one in ended.citations] == [CitationState.CHECKED]
    assert ended.citations[0].title == "belge"
    study.ask("Peki nerede bekler?")
    assert "Ekmek hamuru" in study.changing
