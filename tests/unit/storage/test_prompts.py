"""Prompts with variables are read from one text, kept, and deleted with what is left out."""

from pathlib import Path

from desktop.domain.projects import COMMON, EVERYTHING, Wall
from desktop.domain.prompts import Prompt, read_prompts, write_prompts
from desktop.storage.archive import open_archive

EXPLAIN = Prompt("Explain", "Explain {topic} to {reader}, and {topic} again.")
BRIEF = Prompt("Brief", "In one sentence:\n\n- first")


def test_variables_are_named_once_and_other_braces_are_text() -> None:
    assert EXPLAIN.variables == ["topic", "reader"]
    assert Prompt("Code", "if (x) { return {}; } {açık uçlu} {").variables == ["açık uçlu"]


def test_values_take_the_places_of_variables_and_are_not_filled_themselves() -> None:
    filled = EXPLAIN.filled({"topic": "{reader}", "reader": "a child"})
    assert filled == "Explain {reader} to a child, and {reader} again."
    assert Prompt("Code", "{ x } {y").filled({"y": "1"}) == "{ x } {y"


def test_all_prompts_are_one_text_and_nothing_written_is_lost() -> None:
    assert read_prompts(write_prompts([EXPLAIN, BRIEF])) == [EXPLAIN, BRIEF]
    assert read_prompts(" \n") == []
    assert read_prompts("Just words\n# A\none\n# A\ntwo\n# B") == [
        Prompt("Just words", "Just words"),
        Prompt("A", "one"),
        Prompt("A +", "two"),
        Prompt("B", "B"),
    ]


def test_prompts_are_kept_with_the_last_used_first(tmp_path: Path) -> None:
    archive = open_archive(tmp_path / "bellek.db", backups=tmp_path / "backups")
    store = archive.prompts
    store.replace([EXPLAIN, BRIEF])
    assert store.prompts(EVERYTHING) == [BRIEF, EXPLAIN]
    store.note_use(EXPLAIN)
    assert store.prompts(EVERYTHING) == [EXPLAIN, BRIEF]
    store.replace([Prompt("Brief", "In a word:"), EXPLAIN])
    assert store.prompts(EVERYTHING) == [EXPLAIN, Prompt("Brief", "In a word:")]
    store.replace([EXPLAIN])
    assert store.prompts(EVERYTHING) == [EXPLAIN]
    store.replace([])
    assert store.prompts(EVERYTHING) == []
    archive.close()


def test_a_prompt_of_a_project_is_offered_there_alone_and_follows_it(tmp_path: Path) -> None:
    archive = open_archive(tmp_path / "bellek.db", backups=tmp_path / "backups")
    store, projects = archive.prompts, archive.projects
    thesis, garden = projects.create("Thesis"), projects.create("Garden")
    (own,) = read_prompts("# Brief @ Thesis\nFor the thesis:", ["Thesis", "Garden"])
    assert own == Prompt("Brief", "For the thesis:", "Thesis")
    assert write_prompts([own]) == "# Brief @ Thesis\nFor the thesis:"
    store.replace([own, BRIEF])
    assert set(store.prompts(Wall(thesis.id))) == {own, BRIEF}
    assert store.prompts(Wall(garden.id)) == store.prompts(COMMON) == [BRIEF]
    store.note_use(own)
    assert store.prompts(EVERYTHING) == [own, BRIEF]
    kept = projects.delete(thesis.id, with_contents=False)
    assert set(store.prompts(COMMON)) == {BRIEF, own._replace(project="")}
    projects.restore(thesis.id, kept)
    projects.delete(thesis.id, with_contents=True)
    store.replace([BRIEF])
    projects.restore(thesis.id)
    assert set(store.prompts(EVERYTHING)) == {own, BRIEF}
    archive.close()
