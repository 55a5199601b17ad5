"""`bellek project`, and `--project` of other commands."""

import json
import shutil
from pathlib import Path

import pytest

from tests.commands import Done, bellek, write_lines


def _sessions(*said: str) -> list[dict[str, object]]:
    return [
        {
            "id": f"s{place}",
            "created_at": "2026-03-02T09:00:00Z",
            "messages": [
                {"role": "user", "content": text},
                {"role": "assistant", "content": f"{text} Evet."},
            ],
        }
        for place, text in enumerate(said)
    ]


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("stock")

    def run(*words: str) -> Done:
        return bellek("--data-dir", str(folder / "bellek"), *words)

    lines = _sessions("Bütçe Bursa için kaç?", "Bütçe Zonguldak için kaç?")
    run("import", write_lines(folder / "in.jsonl", lines))
    made = json.loads(run("project", "create", "Tez", "--json").out)
    ids = [one["id"] for one in run("sessions", "list", "--json").lines]
    titles = {one: run("sessions", "show", one).out for one in ids}
    bursa = next(one for one, text in titles.items() if "Bursa" in text)
    assert run("project", "move", bursa, "--to", "tez").code == 0
    return folder / "bellek", str(made["id"])


@pytest.fixture
def thesis(tmp_path: Path, stock: tuple[Path, str]) -> str:
    """The id of a project that has one of two sessions."""
    folder, project = stock
    shutil.copytree(folder, tmp_path / "bellek", dirs_exist_ok=True)
    return project


def test_a_project_is_listed_with_what_is_in_it(thesis: str) -> None:
    assert "Tez  1 session\n" in bellek("project", "list", "--lang", "en").out
    assert bellek("project", "rename", thesis, "Doktora").code == 0
    (one,) = bellek("project", "list", "--json").lines
    assert one["name"] == "Doktora"


@pytest.mark.parametrize(("language", "words"), [("tr", "zaten var"), ("en", "already")])
def test_a_name_that_another_project_has_is_refused(
    thesis: str, language: str, words: str
) -> None:
    assert bellek("project", "create", "Bahçe").code == 0
    for command in (("create", " TEZ"), ("rename", "Bahçe", "tez")):
        refused = bellek("project", *command, "--lang", language)
        assert (refused.code, words in refused.err) == (1, True)
    assert bellek("project", "rename", thesis, "TEZ").code == 0
    assert len(bellek("project", "list", "--json").lines) == 2


def test_the_list_says_which_projects_stay_on_this_computer(thesis: str) -> None:
    assert "only" not in bellek("project", "list", "--lang", "en").out
    bellek("project", "local", thesis, "on")
    assert "on this computer only" in bellek("project", "list", "--lang", "en").out


def test_a_question_in_a_project_begins_a_session_there(thesis: str) -> None:
    asked = bellek("ask", "Geçen ay bütçe hakkında ne konuştuk?", "--project", "tez")
    assert "Zonguldak" not in asked.out
    sessions = bellek("sessions", "list", "--json").lines
    assert [one["project"] for one in sessions if one["status"] == "active"] == [thesis]


def test_an_unknown_project_is_named() -> None:
    refused = bellek("search", "bütçe", "--project", "Yok", "--lang", "en")
    assert refused.code == 1
    assert "Yok" in refused.err


@pytest.mark.parametrize(("given", "left"), [((), 2), (("--with-contents",), 1)])
def test_deleting_keeps_the_contents_unless_told_otherwise(
    thesis: str, given: tuple[str, ...], left: int
) -> None:
    assert bellek("project", "delete", thesis, *given).code == 0
    assert bellek("project", "list", "--json").lines == []
    assert len(bellek("sessions", "list", "--json").lines) == left


def test_an_export_brings_the_project_and_the_tags_back(thesis: str, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    assert bellek("export", "-o", str(path)).code == 0
    lines = [json.loads(one) for one in path.read_text("utf-8").splitlines()]
    assert sorted(str(one.get("project")) for one in lines) == ["None", "Tez"]
    (own,) = (one for one in lines if one.get("project"))
    own["tags"] = ["Önemli"]
    assert bellek("project", "delete", thesis, "--with-contents").code == 0
    bellek("import", write_lines(tmp_path / "in2.jsonl", [own]))
    assert "Bursa" in bellek("search", "bütçe", "--project", "Tez").out
    bellek("export", "-o", str(path))
    again = [json.loads(one) for one in path.read_text("utf-8").splitlines()]
    assert [one["tags"] for one in again if one.get("project") == "Tez"] == [["Önemli"]]
