from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from desktop.domain.search import EVERYWHERE, Hit, Query
from desktop.recall.search import Search
from desktop.storage.archive import Archive
from desktop.storage.repositories.imports import FinishedSession


@dataclass(frozen=True, slots=True)
class Shelf:
    """Sessions, and the search over them; `options` are those of a query."""

    archive: Archive
    search: Search

    def add(self, *sessions: FinishedSession) -> None:
        self.archive.imports.add(sessions)

    def find(self, typed: str, **options: Any) -> Sequence[Hit]:
        return self.search.find(Query(typed, **{"scope": EVERYWHERE, **options}))

    def found(self, typed: str, **options: Any) -> set[str]:
        return {hit.session_id or "" for hit in self.find(typed, **options)}


@pytest.fixture
def search(archive: Archive) -> Search:
    return Search(archive.index)


@pytest.fixture
def shelf(archive: Archive, search: Search) -> Shelf:
    return Shelf(archive, search)
