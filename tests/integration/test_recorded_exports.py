"""Every format in which sessions leave the program, for one session and for several."""

from collections.abc import Iterator
from pathlib import Path

import docx
import pytest

from desktop.domain.ids import SessionId, new_source_id
from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING
from desktop.domain.prompts import Prompt
from desktop.domain.routing import Tier
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.exporting.exporter import Exporter
from desktop.sessions.exporting.formats import FORMATS
from desktop.settings.messages import Texts
from tests.archives import NOON, finished
from tests.golden import GoldenFile, settled_world
from tests.models import ScriptedModel
from tests.studies import Study

EXPORTS = GoldenFile(__file__, "exports", deep=2)
PLAIN = SessionId("plain")
DAWN = "Şafak olayı, sabaha karşı kan şekerinin yükselmesidir."
ANSWER = (
    "## Yol\n\nÖnce **kalın**, sonra `kod`: $x_1$.\n\n- bir\n  - iki\n\n| a | b |\n|---|---|\n"
    "| 1 | 2 |\n\n[y](https://example.org) <b>&amp;</b>\n\n```\nx = 1\n```"
)


def fill(folder: Path) -> Exporter:
    """An archive with a session in Markdown and one that cites a document, a tag and a prompt."""
    study = Study(folder, ScriptedModel(f'Öyledir [1: "{DAWN.rstrip(".")}"].'))
    archive = study.archive
    plain = finished(
        PLAIN, "Nasıl *yapılır*?", ANSWER, title="Yol", summary="Özet.", topics=["yol"]
    )
    archive.imports.add([plain])
    page = Source(
        new_source_id(), SourceKind.WEB, "Şafak", "https://example.org/z", NOON, NOON, "Şafak"
    )
    archive.sources.add(page, [NewPassage(DAWN, page=3)])
    study.ask("Şafak olayı nedir?", tier=Tier.QUICK)
    study.assistant.end()
    archive.tags.set("Sağlık", [PLAIN], is_on=True)
    archive.prompts.add([Prompt("Özetle", "Şunu özetle: {metin}")])
    return Exporter(ArchiveReader(archive), lambda: Texts(Language.TR))


@pytest.fixture
def exporter(tmp_path: Path) -> Iterator[Exporter]:
    with settled_world():
        made = fill(tmp_path)
        yield made
        made.archive._archive.close()


def exports(exporter: Exporter, folder: Path) -> Iterator[tuple[str, str]]:
    sessions = sorted(exporter.archive.sessions(EVERYTHING), key=lambda one: one.id)
    cited = next(session.id for session in sessions if session.id != PLAIN)
    answer = exporter.archive.messages(cited)[-1].id
    for name, session, suffixes in (
        ("plain", PLAIN, (".md", ".html", ".docx")),
        ("citing", cited, (".docx",)),  # the others are those of several sessions
    ):
        for suffix in suffixes:
            file = folder / f"{name}{suffix}"
            exporter.write_session(session, file)
            yield f"one session, {name}{suffix}", text_of(file)
    exporter.write_session(PLAIN, folder / "plain.txt")
    assert text_of(folder / "plain.txt") == text_of(folder / "plain.md")
    exporter.write_session(cited, folder / "answer.md", answer)
    yield "one answer.md", text_of(folder / "answer.md")
    for form in FORMATS:
        if form.holds_many:
            text = b"".join(exporter.export_sessions(form, sessions)).decode()
            yield f"several sessions.{form.name}", text
    for _ in exporter.write_all(folder / "all.jsonl", lambda: False):
        pass
    yield "everything.jsonl", text_of(folder / "all.jsonl")


def text_of(file: Path) -> str:
    """The text of a file; of Word, that of each paragraph with its style, and of each cell."""
    if file.suffix != ".docx":
        return file.read_text(encoding="utf-8")
    document = docx.Document(str(file))
    lines = [
        f"{each.style.name if each.style else ''}: {each.text}" for each in document.paragraphs
    ]
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([*lines, *cells])


def test_every_export_is_the_recorded_one(exporter: Exporter, tmp_path: Path) -> None:
    made = dict(exports(exporter, tmp_path))
    for name, text in made.items():
        EXPORTS.check(name, text)
    EXPORTS.check_cases(*made)
