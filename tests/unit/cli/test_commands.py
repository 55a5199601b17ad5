"""Every command, its JSON, its exit code and its texts, in this process and without a model."""

import io
import json
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Compact
from desktop.domain.times import utc_now
from desktop.research.documents.blocks import Block
from desktop.research.documents.reader_worker import read_document
from desktop.sessions.exporting.contents import ExportFormat
from desktop.sessions.exporting.formats import FORMATS
from desktop.settings.paths import Paths
from desktop.settings.profile import ProfileLock, owner
from desktop.storage.archive import Archive
from desktop.storage.schema.database import Database
from tests.commands import Done, bellek, bellek_process, write_lines
from tests.loopback import LoopbackServer

DAWN = {
    "id": "dawn",
    "created_at": "2026-01-05T08:00:00.000Z",
    "ended_at": "2026-01-05T08:30:00.000Z",
    "title": "Şafak olayı",
    "summary": "Kan şekerinin sabah yükselmesi.",
    "topics": ["şafak olayı", "insülin"],
    "messages": [
        {"ref": "u1", "role": "user", "content": "Şafak olayı nedir?"},
        {
            "ref": "a1",
            "role": "assistant",
            "content": "Şafak olayı, kan şekerinin sabaha karşı yükselmesidir.",
        },
    ],
}
BREAD = {
    "id": "bread",
    "created_at": "2026-02-05T08:00:00.000Z",
    "messages": [
        {"role": "user", "content": "Ekmek nasıl mayalanır?"},
        {"role": "assistant", "content": "Ekmek hamuru ılık yerde bir saat bekletilir."},
    ],
}
EN = ("--lang", "en")


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stock")
    lines = write_lines(folder / "in.jsonl", [DAWN, BREAD])
    assert bellek("--data-dir", str(folder / "bellek"), "import", lines).code == 0
    return folder / "bellek"


@pytest.fixture
def stocked(tmp_path: Path, stock: Path) -> None:
    shutil.copytree(stock, tmp_path / "bellek", dirs_exist_ok=True)


@pytest.fixture
def window(tmp_path: Path) -> Iterator[None]:
    """Another owner of the profile."""
    bellek("sessions", "list")
    lock = ProfileLock(Paths.under(tmp_path / "bellek").profile().lock)
    lock.acquire()
    yield
    lock.release()


def active_session() -> str | None:
    for session in bellek("sessions", "list", "--json").lines:
        if session["status"] == "active":
            return str(session["id"])
    return None


def test_ask_answers_and_leaves_its_session_active(stocked: None) -> None:
    done = bellek("ask", "Şafak olayı nedir?")
    assert done.code == 0
    assert "sabaha karşı yükselmesidir" in done.out
    assert "bellek://" not in done.out
    first = active_session()
    assert first is not None
    bellek("ask", "Peki neden?")
    assert active_session() == first


def test_ask_prints_the_events_of_its_turn_a_line_each_ending_in_its_end(stocked: None) -> None:
    done = bellek("ask", "Şafak olayı nedir?", "--json")
    kinds = [line["event"] for line in done.lines]
    assert kinds[0] == "decided"
    assert {"session_started", "message_added", "text_arrived", "citation_arrived"} <= {*kinds}
    end = done.lines[-1]
    assert end["event"] == "turn_ended"
    assert end["session_id"] == active_session()
    assert end["outcome"] == "complete"
    assert {"message_id", "text", "citations", "usage", "decision"} <= {*end}
    assert end["decision"]["kind"] == "answer"
    assert {"number", "state", "quote", "source_id", "passage_id"} <= {*end["citations"][0]}
    assert end["citations"][0]["state"] == "checked"
    assert end["citations"][0]["source_id"] == "dawn"
    assert end["usage"]["input_tokens"] == 0


def test_ask_can_begin_a_new_session_and_ends_what_was_active(stocked: None) -> None:
    bellek("ask", "Şafak olayı nedir?")
    first = active_session()
    bellek("ask", "--session", "new", "Ekmek nasıl mayalanır?")
    assert active_session() not in (None, first)
    old = bellek("sessions", "show", str(first), "--json").json
    assert (old["status"], old["end_reason"]) == ("complete", "user")
    assert old["title"]
    assert old["summary"]
    assert old["topics"]


@pytest.mark.parametrize("tier", ["quick", "research", "deep"])
def test_the_user_says_how_much_work_is_done(stocked: None, tier: str) -> None:
    done = bellek("ask", "Şafak olayı nedir?", "--tier", tier, "--json")
    decided = next(line["decision"] for line in done.lines if line["event"] == "decided")
    assert (decided["kind"], decided["tier"], decided["reason"]) == ("research", tier, "chosen")
    assert done.lines[-1]["outcome"] == "complete"


def test_a_question_about_today_says_that_the_web_is_off(stocked: None) -> None:
    done = bellek(*EN, "ask", "What is the current price of silver?")
    assert "Web access is off" in done.err
    assert "Web access is off" not in bellek(*EN, "ask", "Şafak olayı nedir?").err


def test_the_intents_and_phases_of_a_session_are_printed_without_its_contents(
    tmp_path: Path,
) -> None:
    bellek("ask", "Zürafa adın ne?", "--json")
    session = str(active_session())
    shown = bellek("sessions", "show", session, "--json").json
    assert shown["phases"][0]["phase"] == "assessment"
    report = bellek("sessions", "report", session).json
    assert report["phases"] == shown["phases"]
    (first,) = report["intents"]
    assert (first["number"], first["intent"]) == (1, "about_assistant")
    assert "Zürafa" not in str(report)
    message = MessageId(shown["messages"][0]["id"])
    with closing(Database(next(tmp_path.rglob("bellek.db")))) as database:
        assert Archive(database, utc_now).compacts.add(
            Compact(SessionId(session), 1, 1, message, "Adı soruldu.")
        )
    whole = bellek("sessions", "report", session, "--with-contents").json
    assert whole["messages"] == shown["messages"]
    assert [one["summary"] for one in whole["compacts"]] == ["Adı soruldu."]
    bellek("sessions", "report", session, "-o", str(tmp_path / "report.json"))
    assert "Zürafa" not in (tmp_path / "report.json").read_text(encoding="utf-8")


def test_search_prints_what_it_finds_and_where(stocked: None) -> None:
    done = bellek("search", "SABAHA")
    assert done.code == 0
    assert "Şafak olayı" in done.out
    assert "(dawn)\n  #2, 2026-01-05\n" in done.out


def test_search_prints_a_hit_a_line_as_json(stocked: None) -> None:
    (hit,) = bellek("search", "sabaha", "--kind", "message", "--json").lines
    assert (hit["kind"], hit["session_id"], hit["ref"]) == ("message", "dawn", "a1")
    assert {"message_id", "score", "title", "snippet", "created_at"} <= {*hit}
    start, end = hit["marks"][0]
    assert hit["snippet"][start:end] == "sabaha"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--since", "2026-02-01"], {"bread"}),
        (["--until", "2026-02-01"], {"dawn"}),
        (["--since", "2 Şubat 2026"], {"bread"}),
        (["--since", "last year", "--until", "ocak 2026"], {"dawn"}),
        (["--since", "2026-02-05T07:00Z", "--until", "2026-02-05T09:00Z"], {"bread"}),
        (["--topic", "INSULIN"], {"dawn"}),
        (["--kind", "fact,source"], set()),
        (["--kind", "message,session", "--limit", "50"], {"dawn", "bread"}),
        (["--mode", "hybrid"], {"dawn", "bread"}),
    ],
)
def test_search_can_be_narrowed(stocked: None, options: list[str], found: set[str]) -> None:
    done = bellek("search", "yükselmesi mayalanır", "--json", *options)
    assert {hit["session_id"] for hit in done.lines} == found


@pytest.mark.parametrize(
    ("typed", "found", "is_dated"),
    [
        ("ocak 2026 şeker hamur", {"dawn"}, True),
        ("şeker hamur 05.02.2026", {"bread"}, True),
        ("Şubat 2026", {"bread"}, True),
        ('"ocak 2026"', set(), False),
        ("mart 1999 şeker hamur", {"dawn", "bread"}, False),
    ],
)
def test_words_for_a_date_narrow_a_search_unless_nothing_is_from_then(
    stocked: None, typed: str, found: set[str], *, is_dated: bool
) -> None:
    done = bellek(*EN, "search", typed, "--json")
    assert {hit["session_id"] for hit in done.lines} == found
    assert ("read as a date" in done.err) is is_dated


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--since", "2026-01-01"], ["bread", "dawn"]),
        (["--since", "2026-02-01"], ["bread"]),
        (["--until", "şubat 2026"], ["bread", "dawn"]),
        (["--until", "2026-02-01"], ["dawn"]),
        (["--topic", "insülin"], ["dawn"]),
        (["--since", "2026-01-01", "--limit", "1"], ["bread"]),
        (["", "--since", "2026-01-01"], ["bread", "dawn"]),
        (["--since", "2026-01-01", "--kind", "fact,source"], []),
        (["--since", "2030-01-01"], []),
    ],
)
def test_without_words_a_search_lists_the_sessions_of_a_time_or_topic_the_newest_first(
    stocked: None, options: list[str], found: list[str]
) -> None:
    done = bellek("search", "--json", *options)
    assert done.code == 0
    assert [(hit["kind"], hit["session_id"]) for hit in done.lines] == [
        ("session", one) for one in found
    ]
    assert bool(bellek("search", *options).out) is bool(found)


def test_a_date_that_is_given_as_an_option_leaves_the_words_alone(stocked: None) -> None:
    done = bellek("search", "ocak 2026 hamur", "--since", "2026-02-01", "--json")
    assert {hit["session_id"] for hit in done.lines} == {"bread"}


def test_a_batch_answers_every_line_with_its_id_its_time_and_its_hits(stocked: None) -> None:
    queries = [
        {"id": 1, "query": "sabaha"},
        {"id": "iki", "query": "ekmek", "kind": "message", "limit": 1},
        {"id": 3, "query": "ekmek", "until": "2026-01-31"},
    ]
    done = bellek("search", "--batch", stdin="\n".join(map(json.dumps, queries)) + "\n\n")
    assert done.code == 0
    assert [line["id"] for line in done.lines] == [1, "iki", 3]
    first, second, third = done.lines
    assert {hit["session_id"] for hit in first["hits"]} == {"dawn"}
    assert [hit["session_id"] for hit in second["hits"]] == ["bread"]
    assert third["hits"] == []
    assert all(line["ms"] >= 0 for line in done.lines)


def test_options_before_a_batch_are_the_defaults_of_each_line(stocked: None) -> None:
    queries = [{"id": 1, "query": "ekmek"}, {"id": 2, "query": "ekmek", "kind": "session"}]
    done = bellek("search", "--batch", "--kind", "fact", stdin="\n".join(map(json.dumps, queries)))
    assert done.lines[0]["hits"] == []
    assert {hit["kind"] for hit in done.lines[1]["hits"]} <= {"session"}


def test_a_meaningless_line_of_a_batch_stops_no_other(stocked: None) -> None:
    lines = [
        "{",
        "5",
        '{"id": 3}',
        '{"id": 4, "query": "x", "mode": ["a"]}',
        '{"id": 5, "query": "x", "limit": true}',
        '{"id": 6, "query": "sabaha"}',
    ]
    done = bellek(*EN, "search", "--batch", stdin="\n".join(lines))
    assert done.code == 1
    assert [line["id"] for line in done.lines] == [None, None, 3, 4, 5, 6]
    assert [bool(line.get("error")) for line in done.lines] == [True] * 5 + [False]
    assert done.lines[-1]["hits"]
    for number in range(1, 6):
        assert f"Line {number}:" in done.err
    assert "Line 6" not in done.err


def test_sessions_are_listed_with_what_a_script_needs(stocked: None) -> None:
    bread, dawn = bellek("sessions", "list", "--json").lines
    assert (bread["id"], dawn["id"]) == ("bread", "dawn")
    assert dawn["title"] == "Şafak olayı"
    assert dawn["summary"] == "Kan şekerinin sabah yükselmesi."
    assert dawn["topics"] == ["şafak olayı", "insülin"]
    assert (dawn["status"], dawn["messages"]) == ("complete", 2)
    assert dawn["created_at"] == "2026-01-05T08:00:00.000Z"
    assert dawn["updated_at"] == "2026-01-05T08:30:00.000Z"


def test_sessions_are_listed_for_a_person_and_the_active_one_is_marked(stocked: None) -> None:
    bellek("ask", "Şafak olayı nedir?")
    done = bellek(*EN, "sessions", "list")
    first, *rest = done.out.splitlines()
    assert "(active)" in first
    assert any("Şafak olayı" in line and "dawn" in line for line in rest)


def test_a_session_is_shown_with_all_its_messages(stocked: None) -> None:
    done = bellek("sessions", "show", "dawn")
    assert "Şafak olayı nedir?" in done.out
    shown = bellek("sessions", "show", "dawn", "--json").json
    assert [one["role"] for one in shown["messages"]] == ["user", "assistant"]
    assert [one["number"] for one in shown["messages"]] == [1, 2]
    assert shown["compacts"] == []


def test_a_session_shows_that_an_answer_was_interrupted(tmp_path: Path, stocked: None) -> None:
    path = Paths.under(tmp_path / "bellek").profile().database
    assert "cut off" not in bellek(*EN, "sessions", "show", "dawn").out
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE messages SET state = 'interrupted' WHERE session_id = 'dawn'")
    assert "This answer was cut off" in bellek(*EN, "sessions", "show", "dawn").out


def test_summaries_are_printed_after_the_messages_they_replace(
    tmp_path: Path, stocked: None
) -> None:
    path = Paths.under(tmp_path / "bellek").profile().database
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "INSERT INTO compacts (session_id, from_number, to_number, summary, created_at, "
            "last_message_id) SELECT session_id, 1, 2, '1–2. mesajların özeti', created_at, id "
            "FROM messages WHERE session_id = 'dawn' AND number = 2"
        )
    assert bellek("sessions", "show", "dawn").out.rstrip().endswith("1–2. mesajların özeti")


def test_the_active_session_is_ended_with_title_summary_and_topics(stocked: None) -> None:
    bellek("ask", "Şafak olayı nedir?")
    session = str(active_session())
    assert bellek("sessions", "end", "dawn").code == 1
    assert active_session() == session
    ended = bellek("sessions", "end", session, "--json").json
    assert (ended["id"], ended["status"], ended["end_reason"]) == (session, "complete", "user")
    assert ended["title"]
    assert ended["topics"]
    assert active_session() is None
    done = bellek(*EN, "sessions", "end")
    assert (done.code, done.out) == (1, "")
    assert "There is no active session" in done.err


def test_a_past_session_is_continued_in_place_of_the_active_one(stocked: None) -> None:
    bellek("ask", "Ekmek nasıl mayalanır?")
    before = str(active_session())
    assert bellek("sessions", "resume", "dawn", "--json").json["status"] == "active"
    assert bellek("sessions", "show", before, "--json").json["end_reason"] == "replaced"


def test_a_deleted_session_is_gone_from_the_list_the_search_and_the_file(
    stocked: None, tmp_path: Path
) -> None:
    file = Paths.under(tmp_path / "bellek").profile().database
    assert "yükselmesidir".encode() in file.read_bytes()
    assert bellek("sessions", "delete", "dawn", "--json").json == {"id": "dawn", "deleted": True}
    assert [one["id"] for one in bellek("sessions", "list", "--json").lines] == ["bread"]
    assert bellek("search", "sabaha", "--json").out == ""
    assert "yükselmesidir".encode() not in file.read_bytes()


def test_a_renamed_session_is_found_by_its_new_title(stocked: None) -> None:
    renamed = bellek("sessions", "rename", "bread", "Hamur işi", "--json").json
    assert renamed["title"] == "Hamur işi"
    (hit, *_) = bellek("search", "hamur işi", "--json").lines
    assert hit["session_id"] == "bread"
    assert bellek("sessions", "rename", "bread", "  ").code == 2


@pytest.mark.parametrize(("language", "line"), [("en", "Line 2:"), ("tr", "2. satır")])
def test_a_broken_line_is_named_and_the_rest_is_imported(
    tmp_path: Path, language: str, line: str
) -> None:
    file = write_lines(tmp_path / "in.jsonl", [DAWN, "{broken", BREAD])
    done = bellek("--lang", language, "import", file, "--json")
    assert done.code == 1
    assert done.json["added"] == 2
    (problem,) = done.json["problems"]
    assert (problem["line"], problem["error"]["key"]) == (2, "not_json")
    assert line in done.err


def test_an_export_names_sessions_and_prints_lines_or_markdown(stocked: None) -> None:
    (line,) = bellek("export", "dawn").lines
    assert [one["ref"] for one in line["messages"]] == ["u1", "a1"]
    shown = bellek("export", "dawn", "--format", "md").out
    assert shown.startswith("# Şafak olayı\n")
    assert bellek("export", "nowhere").code == 1


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_format_of_the_window_is_written_without_a_display(
    stocked: None, tmp_path: Path, form: ExportFormat
) -> None:
    file = tmp_path / f"out.{form.name}"
    command = ("export", "dawn", "--format", form.name, "-o", str(file))
    # A process of its own, as a printed page needs Qt.
    environ = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": "xcb"}
    assert bellek_process(*command, environ=environ).code == 0
    text = file.read_bytes().decode(errors="replace")
    if not form.is_text:
        blocks = read_document(file, BytesIO(file.read_bytes()))
        text = " ".join(part.text for part in blocks if isinstance(part, Block))
    assert "Şafak" in text


def test_what_is_no_text_needs_a_file_and_one_session(stocked: None, tmp_path: Path) -> None:
    many = bellek("export", "--format", "docx", "-o", str(tmp_path / "all.docx"))
    for done in (bellek("export", "dawn", "--format", "pdf"), many):
        assert done.code == 2
        assert "export ID --format" in done.err
    assert not list(tmp_path.glob("all.*"))


def test_markdown_for_pandoc_has_its_works_in_a_file_beside_it(
    stocked: None, tmp_path: Path
) -> None:
    command = ("export", "dawn", "--citations", "pandoc")
    file = tmp_path / "out.md"
    assert bellek(*command, "--format", "md", "-o", str(file)).code == 0
    assert file.read_text("utf-8").startswith("# Şafak olayı\n")
    assert file.with_suffix(".bib").is_file()
    for refused in (
        ("--format", "md"),
        ("--format", "docx", "-o", str(file)),
        ("--format", "md", "-o", str(tmp_path / "out.bib")),
    ):
        assert bellek(*command, *refused).code == 2


def test_an_export_that_cannot_be_written_says_so(stocked: None, tmp_path: Path) -> None:
    done = bellek(*EN, "export", "-o", str(tmp_path / "no" / "such" / "folder.jsonl"))
    assert (done.code, done.out) == (1, "")
    assert "could not write the file" in done.err


def test_the_active_session_is_exported_with_the_others_as_it_is_and_grows_where_it_came_to(
    stocked: None, tmp_path: Path
) -> None:
    bellek("ask", "Şafak olayı nedir?")
    session = str(active_session())
    early, late = tmp_path / "early.jsonl", tmp_path / "late.jsonl"
    assert bellek("export", "-o", str(early)).code == 0
    bellek("ask", "Peki ne kadar sürer?")
    assert bellek("export", "-o", str(late)).code == 0
    there = ("--profile", "other")
    bellek(*there, "import", str(early))
    done = bellek(*there, "import", str(late), "--json").json
    assert (done["added"], done["grown"]) == (0, 1)
    here, there_too = bellek("export", session).lines, bellek(*there, "export", session).lines
    assert here[0]["messages"] == there_too[0]["messages"]
    ((first, *_), (second, *_)) = (
        here[1]["answer"]["citations"],
        there_too[1]["answer"]["citations"],
    )
    assert first["quote"] == second["quote"]


def test_a_chat_asks_ends_and_leaves(stocked: None) -> None:
    done = bellek(
        *EN, "chat", stdin="Şafak olayı nedir?\n\n/end\nEkmek nasıl mayalanır?\n/quit\nX\n"
    )
    assert done.code == 0
    assert "sabaha karşı" in done.out
    assert "bir saat bekletilir" in done.out
    assert "The session has ended." in done.err
    statuses = [one["status"] for one in bellek("sessions", "list", "--json").lines]
    assert statuses == ["complete"] * 4


def test_a_chat_ends_with_its_input_and_the_session_is_closed(stocked: None) -> None:
    bellek("chat", stdin="Şafak olayı nedir?\n")
    newest = bellek("sessions", "list", "--json").lines[0]
    assert (newest["status"], newest["end_reason"]) == ("complete", "closed")
    assert newest["title"]


@pytest.mark.parametrize("word", ["/help", "/?", "/yardım", "/HELP", "/hlep", "/model x"])
def test_a_slash_word_lists_the_commands_of_a_chat_and_is_never_sent(word: str) -> None:
    done = bellek(*EN, "chat", stdin=f"{word}\n")
    assert "/end           end the session" in done.err
    assert ("is not a command" in done.err) is (word in {"/hlep", "/model x"})
    assert bellek("sessions", "list", "--json").lines == []


def test_a_path_is_a_message_of_a_chat() -> None:
    bellek(*EN, "chat", stdin="/etc/hosts nedir?\n")
    assert bellek("sessions", "list", "--json").lines != []


@pytest.mark.parametrize("message", ["Merhaba, insülin nedir?", "Explain the dawn phenomenon"])
def test_a_message_in_answer_to_a_question_of_the_chat_is_taken_as_one(
    stocked: None, message: str
) -> None:
    bellek("ask", "Şafak olayı nedir?")
    before = str(active_session())
    bellek(*EN, "chat", stdin=f"{message}\n")
    said = bellek("sessions", "show", before, "--json").json["messages"]
    assert [one["content"] for one in said if one["role"] == "user"][1:] == [message]


@pytest.mark.parametrize(
    ("answer", "length"), [("\n", 4), ("y\n", 4), ("Evet\n", 4), ("n\n", 2), ("HAYIR\n", 2)]
)
def test_a_chat_offers_what_was_left_unfinished(stocked: None, answer: str, length: int) -> None:
    bellek("ask", "Şafak olayı nedir?")
    before = str(active_session())
    done = bellek(*EN, "chat", stdin=f"{answer}Peki neden olur?\n")
    assert "session is unfinished" in done.err
    messages = bellek("sessions", "show", before, "--json").json["messages"]
    assert len(messages) == length


def test_doctor_reports_whether_the_program_can_work_and_what_is_missing() -> None:
    done = bellek("doctor", "--json")
    assert done.code == 0
    found = done.json
    assert found["works"] is True
    assert found["checks"]["database"]["ok"]
    assert not found["checks"]["keyring"]["ok"]
    assert not found["checks"]["model"]["ok"]
    shown = bellek(*EN, "doctor")
    assert "Everything works." in shown.out
    assert "No model is connected" in shown.out
    # The protections depend on the system; the line does not promise more.
    is_shut_in = found["checks"]["sandbox"]["ok"]
    assert ("opened in a sandbox, " in shown.out) is is_shut_in


def test_options_may_precede_or_follow_the_command(stocked: None, tmp_path: Path) -> None:
    before = bellek("--json", "--lang", "en", "sessions", "list")
    after = bellek("sessions", "list", "--json", "--lang", "en")
    between = bellek("sessions", "--json", "list", "--lang", "en")
    assert before == after == between
    elsewhere = str(tmp_path / "elsewhere")
    assert bellek("--data-dir", elsewhere, "sessions", "list", "--json").out == ""
    assert bellek("sessions", "list", "--json", "--data-dir", elsewhere).out == ""
    assert bellek("--profile", "p", "sessions", "list").out == ""
    assert (tmp_path / "elsewhere" / "profiles" / "default" / "bellek.db").exists()
    assert (tmp_path / "bellek" / "profiles" / "p" / "bellek.db").exists()


def test_a_profile_that_no_folder_can_be_called_is_wrong_usage() -> None:
    done = bellek(*EN, "--profile", "../up", "sessions", "list")
    assert (done.code, done.out) == (2, "")
    assert "not a valid profile name" in done.err


@pytest.mark.parametrize(
    "line",
    [
        "ask Soru?",
        "chat",
        "import x.jsonl",
        "sessions end",
        "sessions resume dawn",
        "sessions delete dawn",
        "sessions rename dawn x",
    ],
)
def test_a_command_that_writes_says_that_a_window_has_the_profile(
    stocked: None, window: None, line: str
) -> None:
    done = bellek(*EN, *line.split())
    assert (done.code, done.out) == (1, "")
    assert "open in a Bellek window" in done.err


@pytest.mark.parametrize(
    "line", ["search sabaha", "sessions list", "sessions show dawn", "export dawn", "doctor"]
)
def test_a_command_that_only_reads_works_beside_a_window(
    stocked: None, window: None, line: str
) -> None:
    done = bellek(*line.split(), "--json")
    assert done.code == 0
    assert done.lines


def test_a_reading_command_locks_nothing(stocked: None, tmp_path: Path) -> None:
    file = Paths.under(tmp_path / "bellek").profile().lock
    lock = ProfileLock(file)

    class Typed(io.StringIO):
        """Types while someone opens the window."""

        def __next__(self) -> str:  # type: ignore[override]  # declared for bytes above StringIO
            lock.acquire()
            return super().__next__()

    done = bellek("search", "--batch", stdin=Typed('{"id": 1, "query": "sabaha"}\n'))
    assert owner(file) == os.getpid()
    lock.release()
    assert (done.code, len(done.lines)) == (0, 1)


def test_a_broken_settings_file_is_set_aside_and_the_command_continues(tmp_path: Path) -> None:
    settings = Paths.under(tmp_path / "bellek").settings_file
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("zoom_percent = [", encoding="utf-8")
    done = bellek(*EN, "sessions", "list", "--json")
    assert (done.code, done.out) == (0, "")
    assert "could not read the settings file" in done.err
    assert list(settings.parent.glob("settings.toml.broken-*"))


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process cannot be set here")
def test_a_session_of_the_last_possible_day_hides_no_other(
    stocked: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "late.jsonl"
    late = {"id": "late", "created_at": "9999-12-31T23:59:59Z", "messages": DAWN["messages"]}
    file.write_text(json.dumps(late))
    bellek("import", str(file))
    for zone in ("TRT-3", "EST5"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert len(bellek("sessions", "list", "--json").lines) == 3
        assert bellek("sessions", "list").code == 0
        assert bellek("export", "late", "--format", "html").code == 0
    monkeypatch.undo()
    time.tzset()


def make_newer(file: Path) -> None:
    """Change the file as a later version of the program would."""
    whole = bytearray(file.read_bytes())
    whole[60:64] = (999).to_bytes(4, "big")  # user_version
    file.write_bytes(whole)


def test_an_invalid_address_in_the_environment_is_wrong_usage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "nonsense")
    done: Done = bellek(*EN, "ask", "Soru?")
    assert done.code == 2
    assert "ANTHROPIC_BASE_URL" in done.err


def test_without_a_display_the_terminal_chat_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform in ("win32", "darwin"):
        pytest.skip("has a display always")
    done = bellek(*EN, stdin="/quit\n")
    assert done.code == 0
    assert "No display" in done.err


def test_reading_commands_work_if_the_profile_cannot_be_locked(
    stocked: None, tmp_path: Path
) -> None:
    lock = Paths.under(tmp_path / "bellek").profile().lock
    lock.unlink()
    lock.mkdir()  # cannot be opened for writing, as nothing can in a read-only folder
    assert "Şafak olayı" in bellek("sessions", "list").out
    assert "sabaha karşı" in bellek("search", "şafak", *EN).out
    refused = bellek("ask", "Peki neden?", *EN)
    assert refused.code == 1
    assert "cannot write to" in refused.err


def _aged(tmp_path: Path) -> None:
    line = {"id": "old", "created_at": "2024-01-05T10:00:00Z", "title": "Gelgit"}
    said = [{"role": "user", "content": "Gelgit?"}, {"role": "assistant", "content": "Ay."}]
    path = tmp_path / "old.jsonl"
    path.write_text(json.dumps({**line, "messages": said}), encoding="utf-8")
    assert bellek("import", str(path)).code == 0


def test_housekeeping_shows_its_plan_and_archives_only_with_consent(tmp_path: Path) -> None:
    _aged(tmp_path)
    assert bellek("housekeeping", "--dry-run", "--json").json["plan"]["archive"] == 1
    assert "archive" not in bellek("housekeeping", "--json").json["done"]
    assert bellek("sessions", "list", "--archived", "--json").lines == []
    assert bellek("housekeeping", "--yes", "--json").json["done"]["archive"] == 1
    assert [one["id"] for one in bellek("sessions", "list", "--archived", "--json").lines] == [
        "old"
    ]
    assert "(archived)" in bellek(*EN, "sessions", "list").out


def test_freed_space_is_reported_and_the_file_restores_the_messages(tmp_path: Path) -> None:
    _aged(tmp_path)
    bellek("housekeeping", "--yes")
    path = tmp_path / "freed.jsonl"
    freed = bellek("housekeeping", "--free-space", "-o", str(path), "--json").json
    assert (freed["sessions"], freed["path"]) == (1, str(path))
    assert freed["before"] >= freed["after"] > 0
    assert bellek("sessions", "show", "old", "--json").json["messages"] == []
    assert str(path) in bellek("sessions", "show", "old").err
    assert bellek("sessions", "resume", "old").code != 0
    bellek("import", str(path))
    assert len(bellek("sessions", "show", "old", "--json").json["messages"]) == 2
    assert bellek("housekeeping", "--free-space", "-o", str(path)).code != 0
    assert bellek("housekeeping", "--free-space").code != 0


def test_an_export_of_nothing_leaves_the_file_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    assert bellek("export", "-o", str(tmp_path / "out")).code == 0
    assert (tmp_path / "out").read_text() == "mine"


def test_a_refused_key_is_reported_on_stderr_also_with_json(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with LoopbackServer(["Zebra"]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "wrong")
        done = bellek(*EN, "ask", "Explain zebras.", "--json")
    assert done.code == 1
    assert done.lines[-1]["error"]["key"] == "key_rejected"
    assert "did not accept your key" in done.err
