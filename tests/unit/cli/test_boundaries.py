"""`bellek boundaries` on a file in the exchange format."""

from pathlib import Path

from tests.commands import bellek, write_lines
from tests.unit.sessions.boundaries.dialogues import DIALOGUES


def _session(name: str, *texts: str) -> dict[str, object]:
    roles = ("user", "assistant")
    said = [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)]
    return {"id": name, "messages": said}


def test_each_session_of_the_file_gets_its_boundaries_and_why(tmp_path: Path) -> None:
    changed = [one.text for one in DIALOGUES[0].said[:4]] + [DIALOGUES[0].another_subject]
    same = [one.text for one in DIALOGUES[1].said]
    file = write_lines(tmp_path / "f.jsonl", [_session("a", *changed), _session("b", *same)])
    done = bellek(
        "boundaries", file, "--grain", "session", "--json", "--data-dir", str(tmp_path / "d")
    )
    first, second = done.lines
    assert done.code == 0
    assert (first["id"], first["boundaries"], len(first["reasons"])) == ("a", [5], 1)
    assert second == {"id": "b", "boundaries": [], "reasons": []}


def test_a_person_reads_the_message_and_the_reason(tmp_path: Path) -> None:
    texts = ["What are tides?", "Bulges of water.", "New topic: how is bread made?"]
    file = write_lines(tmp_path / "f.jsonl", [_session("a", *texts)])
    done = bellek("boundaries", file, "--lang", "en", "--data-dir", str(tmp_path / "d"))
    assert done.out.splitlines()[0] == "a"
    assert "3  New topic: how is bread made?  (announced: “New topic”)" in done.out


def test_a_line_that_cannot_be_read_is_named_and_costs_no_other(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "f.jsonl", ["{", _session("a", "What are tides?")])
    done = bellek("boundaries", file, "--json", "--lang", "en", "--data-dir", str(tmp_path / "d"))
    assert done.code == 1
    assert done.err.startswith("Line 1:")
    assert done.json["id"] == "a"
