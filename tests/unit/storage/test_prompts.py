"""Prompts with variables are kept, and deleted with what is left out."""

from pathlib import Path

from desktop.domain.projects import COMMON, EVERYTHING, Wall
from desktop.domain.prompts import Prompt, with_free_name
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


def test_a_name_that_is_taken_gets_a_mark_but_not_in_another_project() -> None:
    assert with_free_name(BRIEF, [EXPLAIN]) == BRIEF
    marked = BRIEF._replace(name="Brief +")
    assert with_free_name(BRIEF, [BRIEF]) == marked
    assert with_free_name(BRIEF, [BRIEF, marked]).name == "Brief + +"
    assert with_free_name(BRIEF, [BRIEF._replace(project="Thesis")]) == BRIEF


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
    own = Prompt("Brief", "For the thesis:", "Thesis")
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
