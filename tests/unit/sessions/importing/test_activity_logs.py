"""Logs of Google Takeout, in any language, and of Claude Code."""

import json
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING
from desktop.sessions.importing.activity_logs import _moment
from desktop.sessions.importing.import_process import read_in_child
from desktop.sessions.importing.import_reports import preview_file, preview_words
from desktop.sessions.importing.import_types import ImportFormat, OmittedContent
from desktop.sessions.importing.importer import Importer
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from tests.incoming import Desk


@pytest.fixture
def importer(desk: Desk) -> Importer:
    return replace(desk.importer, read=read_in_child)


def event(title: str, at: str, answer: str = "<p>Yanıt <b>bu</b>.</p>") -> dict[str, object]:
    return {
        "header": "Gemini Uygulamaları",
        "title": title,
        "titleUrl": "https://gemini.google.com",
        "time": at,
        "products": ["Gemini Uygulamaları"],
        "safeHtmlItem": [{"html": answer}],
    }


EVENTS = [  # the newest first, as Google has them
    event("İstem gönderildi: Kovan nedir?", "2026-03-02T08:00:00.000Z"),
    event("İstem gönderildi: Bal neden koyulaşır?", "2026-03-01T20:00:00.000Z"),
    event("İstem gönderildi: Arı kaç gün yaşar?", "2026-03-01T09:00:00.000Z"),
    {**event("Video izlendi", "2026-03-01T07:00:00Z"), "header": "YouTube", "products": []},
]
SAID = ["Arı kaç gün yaşar?", "Yanıt **bu**.", "Bal neden koyulaşır?", "Yanıt **bu**."]


def cell(product: str, words: str, when: str, answer: str) -> str:
    return (
        '<div class="outer-cell mdl-cell mdl-shadow--2dp"><div class="mdl-grid">'
        f'<div class="header-cell mdl-cell"><p class="mdl-title">{product}<br></p></div>'
        f'<div class="content-cell mdl-cell mdl-typography--body-1">{words}<br>{when}<br>{answer}'
        '</div><div class="content-cell mdl-typography--text-right"></div>'
        '<div class="content-cell mdl-typography--caption"><b>Ürünler:</b><br>&emsp;Gemini</div>'
        "</div></div>"
    )


PAGE = (
    "<html><head><title>Etkinliğim</title></head><body><div class='mdl-grid'>"
    + cell("Gemini", "Soru:&nbsp;Kovan nedir?", "2 Mar 2026 11:00:00 GMT+03:00", "<p>Ev.</p>")
    + cell("Gemini", "Soru:&nbsp;Bal &lt;b&gt;?", "1 Mar 2026 23:00:00 GMT+03:00", "<div>A</div>B")
    + cell("Gemini", "Soru:&nbsp;Arı nedir?", "1 Mar 2026 12:00:00 TRT", "<ul><li>Böcek</li></ul>")
    + cell("YouTube", "İzlendi", "1 Mar 2026 10:00:00 TRT", "")
    + cell("Gemini", "Soru:&nbsp;Yarım", "dün", "")
    + "</div></body></html>"
)


def test_the_questions_of_a_day_are_a_session(
    importer: Importer, archive: Archive, desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "takeout.zip"
    with ZipFile(path, "w") as takeout:
        takeout.writestr("Takeout/Etkinliğim/Gemini/Etkinliğim.json", json.dumps(EVENTS))
        takeout.writestr("Takeout/archive_browser.html", "<html><body>Arşiv</body></html>")
    report = importer.import_file(path)
    assert (report.form, report.added, report.problems) == (ImportFormat.GEMINI, 2, [])
    assert report.left_out[OmittedContent.OTHER_ACTIVITY] == 1
    assert desk.said_in("gemini-2026-03-01") == SAID
    assert desk.said_in("gemini-2026-03-02")[0] == "Kovan nedir?"
    again = importer.import_file(path)
    assert (again.added, again.grown, again.already_there) == (0, 0, 2)
    more = [event("İstem gönderildi: Balmumu?", "2026-03-02T09:00:00Z"), *EVENTS]
    path.unlink()
    (tmp_path / "MyActivity.json").write_text(json.dumps(more))
    later = importer.import_file(tmp_path / "MyActivity.json")
    assert (later.added, later.grown, later.messages) == (0, 1, 2)


def test_a_page_of_activity_is_recognised_by_its_structure(
    importer: Importer, desk: Desk, tmp_path: Path
) -> None:
    (folder := tmp_path / "Etkinliğim").mkdir()
    (folder / "Etkinliğim.html").write_text(PAGE)
    report = importer.import_file(folder)
    assert (report.added, report.problems) == (2, [])
    assert desk.said_in("gemini-2026-03-01") == ["Arı nedir?", "- Böcek", "Bal <b>?", "A\n\nB"]
    assert report.left_out[OmittedContent.OTHER_ACTIVITY] == 1
    assert report.left_out[OmittedContent.UNREADABLE] == 1
    half = tmp_path / "yarım.html"
    half.write_text(PAGE[: len(PAGE) // 2])
    assert importer.import_file(half).already_there >= 1


def test_a_page_whose_times_cannot_be_read_is_said_before_the_import(tmp_path: Path) -> None:
    path = tmp_path / "กิจกรรม.html"
    path.write_text(cell("Gemini", "ถาม: ผึ้ง", "5 ม.ค. 2569 10:11:12", "<p>แมลง</p>"))
    *_, seen = preview_file(path, read=read_in_child)
    assert not seen.has_contents
    assert "1 message" in " ".join(preview_words(Texts(Language.EN), seen))
    assert "1 " in " ".join(preview_words(Texts(Language.TR), seen))


@pytest.mark.parametrize(
    ("line", "moment"),
    [
        ("Jan 5, 2026, 10:11:12 PM GMT+03:00", "2026-01-05T19:11:12"),
        ("5 Oca 2026 10:11:12 TRT", "2026-01-05T10:11:12"),
        ("5 Ağu 2026 10:11:12 GMT+03:00", "2026-08-05T07:11:12"),
        ("05.02.2026, 10:11:12 MEZ", "2026-02-05T10:11:12"),
        ("12 févr. 2026, 00:11:12 UTC", "2026-02-12T00:11:12"),
        ("5 de jun. de 2026, 10:11:12 BRT", "2026-06-05T10:11:12"),
        ("2026年1月5日 10:11:12 JST", "2026-01-05T10:11:12"),
        ("٥ يناير ٢٠٢٦، ١٠:١١:١٢ م غرينتش+3", "2026-01-05T19:11:12"),
        ("05\u200f/12\u200f/2026، 10:11:12 ص غرينتش+3", "2026-12-05T07:11:12"),
        ("5 Ιουλ 2026, 10:11:12 μ.μ. UTC", "2026-07-05T22:11:12"),
        ("5 груд. 2026 р., 10:11:12 UTC", "2026-12-05T10:11:12"),
        ("5. des. 2026, 10:11:12 UTC", "2026-12-05T10:11:12"),
        ("5 בדצמ׳ 2026, 10:11:12 UTC", "2026-12-05T10:11:12"),
        ("2026. szept. 5. 10:11:12 UTC", "2026-09-05T10:11:12"),
        ("5. marrask. 2026 klo 10.11.12 UTC", "2026-11-05T10:11:12"),
        ("99 Oca 2026 10:11:12", None),
        ("10:11:12", None),
        ("Kovan nedir?", None),
    ],
)
def test_times_are_read_in_many_languages(line: str, moment: str | None) -> None:
    at = _moment(line)
    assert (at.isoformat()[:19] if at else None) == moment


@given(st.text(max_size=60))
def test_any_line_is_a_time_or_none(line: str) -> None:
    _moment(line)
    _moment(f"{line} 2026 10:11:12")


def test_the_preview_says_that_days_become_sessions(tmp_path: Path) -> None:
    (path := tmp_path / "x.html").write_text(PAGE)
    *_, seen = preview_file(path)
    assert seen.conversations == 2
    assert "each day" in " ".join(preview_words(Texts(Language.EN), seen))


def line(kind: str, content: object, number: int, **more: object) -> str:
    fields = {
        "type": kind,
        "sessionId": "s1",
        "uuid": f"u{number}",
        "parentUuid": None,
        "timestamp": f"2026-03-01T10:00:{number:02}.000Z",
        "cwd": "/srv/şafak/kovan",
        "message": {"role": kind, "content": content, "model": "claude-x"},
        **more,
    }
    return json.dumps(fields, ensure_ascii=False)


LINES = [
    json.dumps({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}),
    line("user", "<command-name>/clear</command-name>", 0),
    line("user", "Sayacı düzelt<system-reminder>gizli</system-reminder>", 1),
    line("assistant", [{"type": "thinking", "thinking": "…"}], 2),
    line("assistant", [{"type": "text", "text": "Bakıyorum."}], 3),
    line("assistant", [{"type": "tool_use", "name": "Read", "input": {}}], 4),
    line("user", [{"type": "tool_result", "content": "x"}], 5),
    line("assistant", [{"type": "text", "text": "Düzeldi."}], 6),
    line("assistant", [{"type": "text", "text": "Yan iş"}], 7, isSidechain=True),
    json.dumps({"type": "summary", "summary": "Sayaç", "leafUuid": "u6", "sessionId": "s1"}),
]


def test_a_transcript_of_claude_code_comes_once_and_grows(
    importer: Importer, archive: Archive, desk: Desk, tmp_path: Path
) -> None:
    (folder := tmp_path / "projects" / "-srv-kovan").mkdir(parents=True)
    file = folder / "s1.jsonl"
    file.write_text("\n".join([*LINES[:5], "{half", *LINES[5:]]) + "\n")
    (folder / "note.json").write_text('{"a": 1}')
    report = importer.import_file(tmp_path / "projects")
    assert (report.form, report.added) == (ImportFormat.CLAUDE_CODE, 1)
    assert [(each.number, each.key, each.file) for each in report.problems] == [
        (6, "not_json", "s1.jsonl")
    ]
    assert desk.said_in("claude-code-s1") == ["Sayacı düzelt", "Bakıyorum.", "Düzeldi."]
    (session,) = archive.sessions.sessions(EVERYTHING)
    assert session.title == "Sayaç"
    assert list(archive.tags.tags()) == ["kovan"]
    assert report.left_out[OmittedContent.TOOL] == 3
    assert report.left_out[OmittedContent.HIDDEN] == 1
    with file.open("a") as opened:
        opened.write(line("user", "Sağ ol", 8) + "\n")
    again = importer.import_file(tmp_path / "projects")
    assert (again.added, again.grown, again.messages) == (0, 1, 1)
    assert importer.import_file(tmp_path / "projects").already_there == 1
