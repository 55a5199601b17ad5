"""What another assistant remembers is no fact before the user confirms it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.facts import FactFilter, MemoryProposal
from desktop.domain.projects import COMMON, EVERYTHING, NO_PROJECT, ProjectId, Wall
from desktop.storage.archive import Archive
from desktop.storage.repositories.imports import proposal_id
from tests.archives import archive_in


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    archive = archive_in(tmp_path)
    yield archive
    archive.close()


def proposed(text: str, project: ProjectId = NO_PROJECT) -> MemoryProposal:
    return MemoryProposal(proposal_id(text, project), text, "claude", project)


def waiting(archive: Archive, wall: Wall = EVERYTHING) -> list[str]:
    return [proposal.text for proposal in archive.proposals.waiting(wall)]


def test_a_sentence_waits_once_and_is_no_fact(archive: Archive) -> None:
    assert archive.proposals.add([proposed("Rize’de yaşar."), proposed("Çay içer.")]) == 2
    assert archive.proposals.add([proposed("Çay içer.")]) == 0
    assert sorted(waiting(archive)) == ["Rize’de yaşar.", "Çay içer."]
    assert archive.facts.facts(FactFilter(EVERYTHING)) == []


def test_a_decided_sentence_keeps_no_word_and_never_comes_back(archive: Archive) -> None:
    proposal = proposed("Çay içer.")
    archive.proposals.add([proposal])
    assert archive.proposals.decide([proposal.id]) == 1
    assert archive.proposals.decide([proposal.id]) == 0
    assert archive.proposals.add([proposal]) == 0
    assert waiting(archive) == []
    with archive.database.reading() as db:
        rows = db.exec_driver_sql("SELECT content FROM memory_proposals").scalars().all()
    assert rows == [""]


def test_a_projects_sentences_stay_behind_its_wall_and_wait_for_it(archive: Archive) -> None:
    archive.proposals.add([proposed("Herkes için."), proposed("Kovan 3.", ProjectId("claude-p"))])
    assert waiting(archive) == ["Herkes için."]
    project = archive.projects.create("Arı")
    archive.proposals.add([proposed("Kovan 4.", project.id)])
    assert waiting(archive, COMMON) == ["Herkes için."]
    assert sorted(waiting(archive, Wall(project.id))) == ["Herkes için.", "Kovan 4."]
    archive.projects.delete(project.id, with_contents=True)
    assert waiting(archive) == ["Herkes için."]
