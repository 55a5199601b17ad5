"""`bellek folders`: watched, looked at, written into, and no longer watched."""

from pathlib import Path

import pytest

from tests.commands import Done, bellek


def folders(*argv: str) -> Done:
    return bellek("folders", *argv, "--lang", "en")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (vault := tmp_path / "Kasa").mkdir()
    (vault / "Kovan.md").write_text("Kovanın içi sıcaktır.")
    return vault


def test_a_folder_is_watched_looked_at_and_no_longer_watched(vault: Path) -> None:
    added = folders("add", str(vault), "--json").json
    folder = str(added["id"])
    assert folders("look", "--json").json["read"] == 1
    (vault / "Kovan.md").unlink()
    (vault / "boş.md").write_text("")
    look = folders("look", folder, "--json")
    assert (look.code, look.json["read"], len(look.json["gone"])) == (1, 0, 1)
    assert look.json["failed"] == [str(vault.resolve() / "boş.md")]
    assert "1 document has lost its file" in folders("list").out
    assert "no longer watched" in folders("remove", folder).err
    assert "No folder is watched" in folders("list").err
    assert len(bellek("library", "list", "--json").lines) == 1


def test_a_session_is_written_into_a_folder_that_takes_notes(vault: Path, tmp_path: Path) -> None:
    export = tmp_path / "in.jsonl"
    export.write_text(
        '{"id": "s", "title": "Bal", "messages": [{"role": "user", "content": "?"}]}'
    )
    bellek("import", str(export))
    folder = str(folders("add", str(vault), "--json").json["id"])
    (session,) = bellek("sessions", "list", "--json").lines
    refused = folders("write", folder, "--session", str(session["id"]))
    assert (refused.code, list(vault.glob("Bal*"))) == (1, [])
    folders("remove", folder)
    folder = str(folders("add", str(vault), "--takes-notes", "--json").json["id"])
    done = folders("write", folder, "--session", str(session["id"]), "--json")
    assert Path(str(done.json["path"])).name == "Bal.md"
    assert folders("write", folder).code == 2
