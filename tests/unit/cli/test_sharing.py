"""`bellek project share`, `join`, `publish`, `update` and `members`, in two profiles."""

from pathlib import Path

import pytest

from tests.commands import Done, bellek, write_lines
from tests.keyring_stand_in import Keyring

_CODE = 34  # Seven groups of four, and what is between them


@pytest.fixture(autouse=True)
def _keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.keyring_stand_in.Keyring")
    monkeypatch.setattr(Keyring, "entries", {})


def test_a_project_is_shared_joined_published_listed_and_left_by_commands(tmp_path: Path) -> None:
    folder = tmp_path / "ortak"
    folder.mkdir()

    def done(person: str, *words: str) -> Done:
        return bellek("--lang", "en", "--data-dir", str(tmp_path / person), *words)

    def run(person: str, *words: str) -> str:
        """Return what is printed."""
        result = done(person, *words)
        return result.out + result.err

    lines = [
        {
            "id": "s1",
            "project": "Tez",
            "messages": [
                {"role": "user", "content": "Martı nedir?"},
                {"role": "assistant", "content": "Bir kuştur."},
            ],
        }
    ]
    run("ada", "import", write_lines(tmp_path / "in.jsonl", lines))
    share = ("project", "share", "Tez", str(folder), "--as", "Ada", "--json")
    code = done("ada", *share).json["code"]
    assert len(code) == _CODE
    assert code in run("ada", "project", "share", "Tez")
    joined = run("can", "project", "join", code, str(folder), "--as", "Can")
    assert "“Tez”" in joined
    session = done("ada", "sessions", "list", "--json").lines[0]["id"]
    assert "Sent: 1" in run("ada", "project", "publish", session)
    assert "Received: 1" in run("can", "project", "update")
    assert "Martı" in run("can", "search", "marti", "--project", "Tez")
    assert "from Ada" in run("can", "sessions", "list")
    assert "Comes from: Ada" in run("can", "sessions", "show", session)
    assert "Ada" in run("can", "sessions", "rename", session, "x")
    run("ada", "project", "update", "Tez")
    members = run("ada", "project", "members", "Tez")
    assert "Ada  (1 session, you, began to share)" in members
    assert "Can" in members
    assert "Taken back" in run("ada", "project", "publish", session, "--undo")
    assert "removed: 1" in run("can", "project", "update", "Tez")
    removed = run("ada", "project", "members", "Tez", "remove", "Can")
    assert "stays there" in removed
    assert code not in removed
    assert "no longer a member" in run("can", "project", "update")
    assert "What is here stays" in run("can", "project", "members", "Tez", "leave")
    assert run("can", "project", "update").startswith("No project is shared")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["join", "bozuk", "."], "seven groups"),
        (["join", "bozuk", " "], "project join CODE FOLDER"),
        (["share", "Tez"], "not shared"),
        (["share", "Tez", " "], "project share NAME FOLDER"),
        (["share", "Tez", "https://example.org"], "not the address"),
        (["share", "Tez", "yok"], "Check that it is there"),
        (["members", "Tez"], "not shared"),
        (["members", "Tez", "remove"], "project members NAME remove MEMBER"),
        (["publish", "yok"], "yok"),
        (["publish", "yok", "--undo"], "Nothing of this was published: yok"),
    ],
)
def test_what_cannot_be_done_is_explained(tmp_path: Path, words: list[str], message: str) -> None:
    bellek("--data-dir", str(tmp_path), "project", "create", "Tez")
    done = bellek("--lang", "en", "--data-dir", str(tmp_path), "project", *words)
    assert done.code != 0
    assert message in done.err
