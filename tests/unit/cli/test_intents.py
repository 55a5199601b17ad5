"""`bellek intents` on lines of messages."""

from pathlib import Path

from tests.commands import bellek, write_lines

LINES = [
    {"id": 1, "text": "Bunu unutma: vejetaryenim."},
    {"id": "b", "text": "Why is the sky blue?"},
    {"id": "c", "text": "Teşekkürler!", "messages": ["Gelgit nedir?", "Suyun yükselmesidir."]},
    {"id": "d", "text": "adın ne"},
    {"id": "e", "text": "thanks a lot"},
]


def test_each_message_gets_its_intent_and_what_told_it(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "f.jsonl", LINES)
    done = bellek("intents", file, "--data-dir", str(tmp_path / "d"))
    assert done.code == 0
    assert [(one["id"], one["intent"]) for one in done.lines] == [
        (1, "remember"),
        ("b", "ordinary"),
        ("c", "end"),
        ("d", "about_assistant"),
        ("e", "end"),
    ]
    assert [one["reason"] for one in done.lines] == ["phrase", "none", *["phrase"] * 3]
    assert all(0 <= one["confidence"] <= 1 and one["ms"] >= 0 for one in done.lines)


def test_commands_for_developers_stand_under_a_heading_of_their_own() -> None:
    told = bellek("--help", "--lang", "en").out
    head, _, developers = told.partition("for developers:")
    assert all(name in developers for name in ("bench", "boundaries", "intents", "suspicious"))
    assert "boundaries" not in head.partition("\n\n")[2].partition("commands")[2]
