"""Passages of sources are found like messages, in one list with them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from desktop.domain.ids import SourceId
from desktop.domain.search import EVERYWHERE, Hit, HitKind, Query, SearchMode
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.recall.other_kinds import SourceSearch
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.storage.archive import Archive
from tests.archives import NOON, finished
from tests.embedding_stand_ins import FarEmbedder, SubjectEmbedder

SOURCES = frozenset({HitKind.SOURCE})
ALL = frozenset(HitKind)


@pytest.fixture
def meanings(archive: Archive) -> SemanticIndex:
    return SemanticIndex(archive.vectors, SubjectEmbedder(), sources=archive.source_vectors)


@pytest.fixture
def search(archive: Archive, meanings: SemanticIndex) -> Search:
    return Search(archive.index, meanings, sources=SourceSearch(archive.source_index, meanings))


def test_a_passage_far_from_the_question_in_meaning_is_no_hit(archive: Archive) -> None:
    keep(archive, "manual", "Dosya biçiminin sınırları.", "Hekim ilacı yazdı.")
    meanings = SemanticIndex(archive.vectors, FarEmbedder(), sources=archive.source_vectors)
    meanings.embed_due(lambda: False)
    search = Search(archive.index, meanings, sources=SourceSearch(archive.source_index, meanings))
    for typed in ("matbaa", "Matbaayı kim ve nerede buldu?"):
        for mode in (SearchMode.AUTO, SearchMode.HYBRID, SearchMode.SEMANTIC):
            assert search.find(Query(typed, ALL, mode=mode, scope=EVERYWHERE)) == []


def test_lines_of_a_table_of_contents_are_found_only_if_nothing_else_is(
    archive: Archive, search: Search
) -> None:
    contents = "3.4. BZ2_bzReadOpen . . . . . . . . . . . 19 3.5. Kestane . . . . . . . . . . 20"
    keep(archive, "manual", contents, "* * * 12 ___ 7", "Kestane ateşte çizilip pişirilir.")
    for typed, page in (("kestane", 3), ("bz2_bzreadopen", 1)):
        hits = search.find(Query(typed, SOURCES, scope=EVERYWHERE))
        assert [hit.page for hit in hits] == [page]


def keep(archive: Archive, name: str, *texts: str, title: str = "", days: int = 0) -> Source:
    at = NOON + timedelta(days=days)
    source = Source(
        SourceId(name), SourceKind.DOCUMENT, title or name, f"/{name}", at, at, sha256=name
    )
    passages = [NewPassage(text, page) for page, text in enumerate(texts, start=1)]
    return archive.sources.add(source, passages)


def pages(hits: Sequence[Hit]) -> list[int | None]:
    return [hit.page for hit in hits]


def test_a_document_with_the_typed_name_precedes_those_that_mention_it(
    archive: Archive, search: Search
) -> None:
    said = finished("s", "Kira sözleşmesi, kira sözleşmesi!", title="Kira sözleşmesi nerede?")
    archive.imports.add([said])
    keep(archive, "a", "Madde bir", "Madde iki", title="Kira sözleşmesi")
    hits = search.find(
        Query("kira sozlesmesi", kinds=ALL, mode=SearchMode.KEYWORD, scope=EVERYWHERE)
    )
    assert (hits[0].kind, hits[0].title) == (HitKind.SOURCE, "Kira sözleşmesi")


def test_a_passage_ranks_before_a_message_that_says_less(archive: Archive, search: Search) -> None:
    archive.imports.add([finished("s", "Zeytin alalım mı?", "Olur.", title="Alışveriş")])
    keep(archive, "a", "Zeytin hasadı kasımda başlar, zeytin elle toplanır.")
    hits = search.find(Query("zeytin hasadı ne zaman başlar?", kinds=ALL, scope=EVERYWHERE))
    assert [hit.kind for hit in hits][:2] == [HitKind.SOURCE, HitKind.MESSAGE]


def test_meaning_finds_other_words_in_another_language(
    archive: Archive, search: Search, meanings: SemanticIndex
) -> None:
    keep(archive, "a", "Köpek bahçede uyudu.", "Hekim geç kaldı.", "Araba bozuldu.")
    assert meanings.embed_due(lambda: False) == 3
    query = Query("doctor", kinds=SOURCES, mode=SearchMode.SEMANTIC, scope=EVERYWHERE)
    assert search.find(query)[0].page == 2
    assert search.find(replace(query, mode=SearchMode.HYBRID))[0].page == 2


def test_the_nearer_of_passage_and_message_comes_first(
    archive: Archive, search: Search, meanings: SemanticIndex
) -> None:
    archive.imports.add([finished("s", "Ev aldık, doktor da komşu.", "Peki.")])
    keep(archive, "a", "Hekim")
    meanings.embed_due(lambda: False)
    hits = search.find(Query("physician", kinds=ALL, mode=SearchMode.SEMANTIC, scope=EVERYWHERE))
    assert hits[0].kind is HitKind.SOURCE
