"""`bellek memory patterns`, after daily housekeeping has looked."""

from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain.times import utc_now, utc_text
from tests.commands import bellek, write_lines


def _session(days_ago: int) -> dict[str, object]:
    at = utc_now() - timedelta(days=days_ago, minutes=5)
    return {
        "id": f"maya-{days_ago}",
        "created_at": utc_text(at),
        "topics": ["ekşi maya"],
        "messages": [
            {"role": "user", "content": "Ekşi maya neden köpürmüyor?", "created_at": utc_text(at)},
            {"role": "assistant", "content": "Soğukta kalmış olabilir."},
        ],
    }


@pytest.fixture(autouse=True)
def looked(tmp_path: Path) -> None:
    bellek(
        "import", write_lines(tmp_path / "in.jsonl", [_session(days) for days in range(0, 20, 2)])
    )
    bellek("housekeeping")


def test_recurring_subjects_are_listed_with_their_evidence() -> None:
    found = {one["kind"]: one for one in bellek("memory", "patterns", "--json").lines}
    subject = found["subject"]
    assert (subject["value"], subject["next"]) == ("ekşi maya", "")
    assert (subject["count"], subject["confidence"], subject["evidence"]) == (10, 1.0, 10)
    assert subject["first_at"] < subject["seen_at"]
    assert found["open_question"]["value"] == "Ekşi maya neden köpürmüyor?"
    assert "hours" in found


def test_a_person_reads_them_in_both_languages() -> None:
    assert "ekşi maya" in bellek("memory", "patterns", "--lang", "tr").out
    assert "open question" in bellek("memory", "patterns", "--lang", "en").out


def test_an_archive_without_patterns_says_when_it_is_searched(tmp_path: Path) -> None:
    said = bellek("memory", "patterns", "--lang", "en", "--data-dir", str(tmp_path / "new"))
    assert "once a day" in said.err
