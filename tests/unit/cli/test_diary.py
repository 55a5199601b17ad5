"""`bellek diary`, and the entries that `search` finds."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.commands import bellek, write_lines

STEP = "Yarın mayayı besleyeceğim."
YEAST = {
    "id": "maya",
    "created_at": "2026-03-05T12:00:00Z",
    "title": "Ekşi maya",
    "summary": "Ekşi maya üç hafta dayanır.",
    "messages": [
        {"role": "user", "content": f"Ekşi maya kaç gün dayanır? {STEP}"},
        {"role": "assistant", "content": "Ekşi maya buzdolabında üç hafta dayanır."},
    ],
}


@pytest.fixture(autouse=True)
def written(tmp_path: Path) -> None:
    bellek("import", write_lines(tmp_path / "in.jsonl", [YEAST]))
    assert bellek("diary", "write", "--json").json == {"written": 1, "due": 0}


def item() -> str:
    (entry,) = bellek("diary", "--json").lines
    return str(entry["items"][-1]["id"])


def test_a_person_reads_the_entries_with_their_thoughts() -> None:
    out = bellek("diary", "--lang", "tr").out
    assert out.startswith("2026-03-05  Ekşi maya buzdolabında üç hafta dayanır.\n")
    assert f"[ ] {int(item()):>3}  {STEP}" in out
    assert "### Sonraki adımlar" in bellek("diary", "show", "2026-03-05", "--lang", "tr").out


def test_days_bound_the_list_the_last_one_not_included() -> None:
    assert bellek("diary", "list", "--since", "2026-03-05", "--until", "2026-03-06").out
    assert not bellek("diary", "list", "--until", "2026-03-05").out
    assert not bellek("diary", "list", "--since", "2026-03-06").out
    assert bellek("diary", "show", "4 Mart 2026").code == 1
    assert bellek("diary", "show", "5 Mart 2026").code == 0
    assert bellek("diary", "show", "yakında").code == 2


def test_a_thought_is_ticked_off_and_back() -> None:
    assert bellek("diary", "done", item()).code == 0
    assert "[x]" in bellek("diary").out
    assert bellek("diary", "done", item(), "--undo").code == 0
    assert "[x]" not in bellek("diary").out
    assert "999" in bellek("diary", "done", "999").err


def test_the_users_text_is_above_the_entry() -> None:
    assert bellek("diary", "edit", "2026-03-05", "Fırın bozuldu.").code == 0
    bellek("diary", "write", "2026-03-05")
    (entry,) = bellek("diary", "--json").lines
    assert (entry["items"][0]["kind"], entry["items"][0]["text"]) == ("note", "Fırın bozuldu.")


def test_an_edit_that_empties_the_entry_fails() -> None:
    done = bellek("diary", "edit", "2020-01-01", " ")
    assert (done.code, done.out) == (1, "")


def test_an_export_is_imported_by_another_profile(tmp_path: Path) -> None:
    file = tmp_path / "diary.jsonl"
    assert bellek("diary", "export", "--format", "json", "-o", str(file)).code == 0
    file.write_text(file.read_text() + "{}\n")
    done = bellek("diary", "import", str(file), "--profile", "two", "--json")
    assert (done.code, done.json["added"], done.json["broken"]) == (1, 1, [2])
    (entry,) = bellek("diary", "--profile", "two", "--json").lines
    assert entry["items"][0]["session_id"] is None
    assert json.loads(file.read_text().splitlines()[0])["items"][0]["session_id"] == "maya"


def test_markdown_is_what_an_export_is_unless_asked_otherwise() -> None:
    assert f"- [ ] {STEP}" in bellek("diary", "export").out
    assert bellek("diary", "export", "--since", "2026-03-06").out == ""


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_that_some_zone_cannot_represent_hides_no_other(day: str) -> None:
    assert bellek("diary", "show", day).code == 1
    assert bellek("diary", "edit", day, "Ekşi maya çağlar ötesinde.").code == 0
    assert bellek("diary", "show", day).code == 0
    assert len(bellek("diary", "list", "--since", "0001-01-01", "--json").lines) == 2
    assert bellek("diary", "list", "--until", "9999-12-31", "--json").code == 0
    found = bellek("search", "maya", "--kind", "diary", "--json").lines
    assert len(found) == 2


def test_a_damaged_day_hides_no_other(tmp_path: Path) -> None:
    bellek("diary", "edit", "2026-03-06", "Ekşi maya bugün de iyi.")
    with closing(sqlite3.connect(next(tmp_path.rglob("bellek.db")))) as db, db:
        db.execute("UPDATE diary_items SET day = 'yesterday' WHERE day = '2026-03-06'")
    assert len(bellek("diary", "--json").lines) == 1
    found = bellek("search", "maya", "--kind", "diary", "--json").lines
    assert len(found) == 1
