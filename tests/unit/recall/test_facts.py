"""Facts are found by words and by meaning, and never after deletion."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain.facts import Fact, FactFilter, NewFact, Origin, Term
from desktop.domain.ids import FactId
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, Hit, HitKind, Query, SearchMode
from desktop.recall.other_kinds import FactSearch
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.storage.archive import Archive
from desktop.storage.repositories.facts import FactVectorStore
from tests.archives import NOON
from tests.embedding_stand_ins import SubjectEmbedder

FACTS = frozenset({HitKind.FACT})


@pytest.fixture
def meanings(archive: Archive) -> SemanticIndex:
    facts = FactVectorStore(archive.database)
    return SemanticIndex(archive.vectors, SubjectEmbedder(), facts=facts)


@pytest.fixture
def search(archive: Archive, meanings: SemanticIndex) -> Search:
    return Search(archive.index, meanings, FactSearch(archive.facts, meanings))


def keep(archive: Archive, content: str, topic: str = "Genel", days: int = 0) -> FactId:
    at = NOON + timedelta(days=days)
    name = FactId(f"f{len(archive.facts.facts(FactFilter(EVERYTHING, is_valid=None)))}")
    fact = Fact(name, topic, content, 5, Origin.USER, Term.SHORT, at)
    (kept,) = archive.facts.add([NewFact(fact)])
    return kept.id


def contents(hits: list[Hit]) -> list[str]:
    return [hit.snippet for hit in hits]


def test_a_paraphrase_finds_it_by_meaning(
    archive: Archive, search: Search, meanings: SemanticIndex
) -> None:
    keep(archive, "Bir otomobil aldım")
    keep(archive, "Toplantı salı günü")
    asked = Query("hangi araç benim?", kinds=FACTS, mode=SearchMode.HYBRID, scope=EVERYWHERE)
    assert search.find(asked) == []
    meanings.embed_due(lambda: False)
    assert contents(search.find(asked)) == ["Bir otomobil aldım"]
    keyword = Query("hangi araç benim?", kinds=FACTS, mode=SearchMode.KEYWORD, scope=EVERYWHERE)
    assert search.find(keyword) == []


def test_a_deleted_fact_leaves_no_words_no_vector_and_no_byte_in_the_file(
    archive: Archive, search: Search, meanings: SemanticIndex, tmp_path: Path
) -> None:
    fact = keep(archive, "Otomobil markam zzyzxmobil")
    keep(archive, "Bu ev benim")
    meanings.embed_due(lambda: False)
    by_words, by_meaning = (
        Query("zzyzxmobil", kinds=FACTS, scope=EVERYWHERE),
        Query("araba?", kinds=FACTS, scope=EVERYWHERE),
    )
    assert search.find(by_words)
    assert search.find(by_meaning)
    archive.facts.delete([fact])
    assert search.find(by_words) == []
    assert search.find(by_meaning) == []
    assert meanings.nearest_facts("araba", FactFilter(EVERYTHING), 10) == []
    archive.purge_deleted()
    with archive.database.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM fact_vectors").scalar_one() == 1
    archive.close()
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert b"zzyzxmobil" not in file.read_bytes()


def test_a_fact_with_less_than_half_of_the_words_is_not_found_by_them(
    archive: Archive, search: Search
) -> None:
    keep(archive, "Kedim balkonda uyur")
    asked = Query("", mode=SearchMode.KEYWORD, kinds=FACTS, scope=EVERYWHERE)
    assert search.find(replace(asked, text="kedim balkonda nerede yatar acaba"))
    assert not search.find(replace(asked, text="kedim nerede yemek bulur sabah"))
