"""Exports of other programs, whole, half and broken: all that is readable arrives once."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING
from desktop.research.library import AddOutcome
from desktop.sessions.importing.import_process import read_in_child
from desktop.sessions.importing.import_reports import (
    ImportReport,
    preview_file,
    problem_words,
)
from desktop.sessions.importing.importer import Importer
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from tests.incoming import Desk, simple_chat
from tests.unit.sessions.importing.test_activity_logs import cell, event
from tests.unit.sessions.importing.test_activity_logs import line as claude_code_line
from tests.unit.sessions.importing.test_claude_export import exported

Made = tuple[Path, int]
"""An export, and how many sessions and documents can be read in it."""
_LETTERS = "Şişli’de ığdır çöğür İĞDE"
_HUGE = 12 << 20  # Letters


@pytest.fixture
def importer(desk: Desk) -> Importer:
    return replace(desk.importer, read=read_in_child)


def arrived(report: ImportReport) -> int:
    return report.added + report.records.added


def chats(first: int, number: int) -> list[object]:
    numbers = range(first, first + number)
    return [simple_chat(f"c{n}", f"{_LETTERS} {n}?", f"Yanıt {n}") for n in numbers]


def chatgpt_folder(folder: Path) -> Made:
    """As it is unpacked: numbered files, and what lies beside them."""
    for n in range(3):
        name = folder / f"conversations-{n:03}.json"
        name.write_text(json.dumps(chats(2 * n, 2), ensure_ascii=False))
    (folder / "user.json").write_text('{"id": "u", "email": "a@b.c"}')
    (folder / "message_feedback.json").write_text("[]")
    (folder / "chat.html").write_text("<html><body><script>var jsonData = []</script></body>")
    (folder / "file-abc-resim.png").write_bytes(b"\x89PNG")
    return folder, 6


def half_chatgpt_folder(folder: Path) -> Made:
    made, number = chatgpt_folder(folder)
    last = folder / "conversations-002.json"
    data = last.read_bytes()
    last.write_bytes(data[: len(data) * 3 // 4])  # the download was cut
    (folder / "conversations-001.json").unlink()
    return made, number - 3


def huge_chatgpt_folder(folder: Path) -> Made:
    made, number = chatgpt_folder(folder)
    long = simple_chat("uzun", f"{_LETTERS} " * (_HUGE // 32), "Yanıt")  # its id is as long
    (folder / "conversations-003.json").write_text(json.dumps([long], ensure_ascii=False))
    return made, number + 1


def claude(folder: Path) -> Made:
    return exported(folder), 2


def broken_claude(folder: Path) -> Made:
    manifest = exported(folder)
    (part,) = folder.glob("projects*.zip")
    part.write_bytes(part.read_bytes()[:40])
    return manifest, 1


def gemini(folder: Path, name: str = "Etkinliğim.html") -> Made:
    cells = "".join(
        cell(
            "Gemini Uygulamaları", f"Sorulan istem: {day} {_LETTERS} {day}", when, "<p>Yanıt.</p>"
        )
        for day, when in (
            (1, "1 Oca 2026 09:15:00 TRT"),
            (2, "2 Şub 2026 21:15:00 TRT"),
            (3, "3 Ağu 2026 00:05:00 GMT+03:00"),
        )
    )
    (place := folder / "Takeout" / "Etkinliğim" / "Gemini Uygulamaları").mkdir(parents=True)
    (place / name).write_text(f"<html><body>{cells}</body></html>")
    return folder, 3


def gemini_json(folder: Path) -> Made:
    events = [event(f"Prompted {n} {_LETTERS}", f"2026-01-0{n}T10:00:00Z") for n in (1, 2)]
    (folder / "MinhaAtividade.json").write_text(json.dumps(events, ensure_ascii=False))
    return folder, 2


def claude_code(folder: Path) -> Made:
    (place := folder / "projects" / "-home-ayse-arilar").mkdir(parents=True)
    lines = [
        claude_code_line("user", f"{_LETTERS}?", 1),
        claude_code_line("assistant", [{"type": "text", "text": "Yanıt."}], 2),
        '{"type": "user", "sessionId": "yarım',
    ]
    (place / "oturum.jsonl").write_text("\n".join(lines))
    return folder, 1


def vault(folder: Path) -> Made:
    (folder / ".obsidian").mkdir()
    (folder / "Günlük").mkdir()
    (folder / "Günlük" / "2026-01-01.md").write_text(f"---\ntags: [gün]\n---\n{_LETTERS} [[Arı]]")
    (folder / "Arı.md").write_text("Soru: Ne?\n\nYanıt: Bal.")
    for name in ("Salı.md", "Cuma.md"):  # from a template
        (folder / name).write_text("Bugün:")
    (folder / "boş.md").write_text("")
    (folder / "bozuk.pdf").write_bytes(b"%PDF-1.7\nyok")
    return folder, 4


def markdown_folder(folder: Path) -> Made:
    """As other programs leave it, with what is no note beside the notes."""
    (folder / "Arı.md").write_text(_LETTERS)
    (folder / "liste.txt").write_text("Bal, süt.")
    (folder / "package.json").write_text('{"name": "site", "version": "1"}')
    return folder, 2


def notion(folder: Path) -> Made:
    name = "0123456789abcdef0123456789abcdef"
    path = folder / "Export.zip"
    with ZipFile(path, "w") as made:
        made.writestr(f"Ev {name}.md", f"# Ev\n\n{_LETTERS}")
        made.writestr(f"Ev/Arı {name}.md", "Bal.")
        made.writestr(f"Tablo {name}.csv", "Ad\nArı")
    return path, 3


def notion_pages(folder: Path) -> Made:
    """Exported as HTML, and packed again by a program of Windows."""
    path = folder / "Export.zip"
    with ZipFile(path, "w") as made:
        for n, words in enumerate((_LETTERS, "Bal.")):
            name = ZipInfo("x")
            name.filename = f"Ev\\Sayfa {n}{'0123456789abcdef' * 2}"[:-1] + ".html"
            made.writestr(name, f"<html><head><title>S</title></head><body><p>{words}</p></body>")
        made.writestr("index.html", "<html><body>Dizin</body></html>")
    return path, 2


def half_notion(folder: Path) -> Made:
    path, _ = notion(folder)
    path.write_bytes(path.read_bytes()[:-60])
    return path, 0


_EXPORTS: tuple[Callable[[Path], Made], ...] = (
    chatgpt_folder,
    half_chatgpt_folder,
    huge_chatgpt_folder,
    claude,
    broken_claude,
    gemini,
    gemini_json,
    claude_code,
    vault,
    markdown_folder,
    notion,
    notion_pages,
    half_notion,
)


@pytest.mark.parametrize("make", _EXPORTS, ids=lambda make: make.__name__)
def test_all_that_is_readable_arrives_once_and_again_nothing(
    importer: Importer, archive: Archive, tmp_path: Path, make: Callable[[Path], Made]
) -> None:
    (folder := tmp_path / "Dışa aktarım").mkdir()
    path, number = make(folder)
    report = importer.import_file(path)
    assert arrived(report) == number
    if "half" in make.__name__ or "broken" in make.__name__:
        assert report.problems, "what cannot be read is named"
    sessions = archive.sessions.sessions(EVERYTHING)
    sources = archive.sources.sources(EVERYTHING)
    assert len(sessions) + len(sources) == number
    again = importer.import_file(path)
    outcomes = again.records.documents
    assert (arrived(again), again.grown, outcomes[AddOutcome.RENEWED]) == (0, 0, 0)
    assert archive.sessions.sessions(EVERYTHING) == sessions
    texts = [m.content for s in sessions for m in archive.sessions.messages(s.id)]
    texts += [p.text for s in sources for p in archive.sources.passages(s.id)]
    assert not any("\ufffd" in text for text in texts)
    if "half_notion" not in make.__name__ and make.__name__.removeprefix("broken_") != "claude":
        assert any(_LETTERS in text for text in texts)


def test_what_stays_in_a_zip_of_notes_is_said_before_the_import(tmp_path: Path) -> None:
    path, _ = notion(tmp_path)
    with ZipFile(path, "a") as more:
        more.writestr("Ev/resim.png", "x")
    *_, seen = preview_file(path, read=read_in_child)
    (problem,) = seen.problems
    assert seen.documents == 3
    assert "resim.png" in problem_words(Texts(Language.TR), problem)
