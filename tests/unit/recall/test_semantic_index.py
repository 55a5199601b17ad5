"""Vectors: made in the background, resumed, renewed, and searched."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest

from desktop.domain.ids import SessionId
from desktop.domain.search import (
    EVERYWHERE,
    EmbeddingFailedError,
    EmbeddingProgress,
    HitKind,
    Query,
    SearchMode,
)
from desktop.recall.embedders import Pair
from desktop.recall.results import is_semantic_only
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.storage.archive import Archive
from tests.archives import NOON, finished, stored
from tests.embedding_stand_ins import SubjectEmbedder
from tests.guards import LogWatch

if TYPE_CHECKING:
    from desktop.domain.search import Vector, Vectors

MESSAGES = frozenset({HitKind.MESSAGE})


@pytest.fixture
def archive(archive: Archive) -> Archive:
    archive.imports.add(
        [
            finished("cars", "Yeni otomobil almak istiyorum", "Elektrikli olsun", at=NOON),
            finished(
                "doctors", "Hekim ne dedi", "Dinlenmelisin dedi", at=NOON + timedelta(days=1)
            ),
            finished("bread", "Ekşi maya nasıl yapılır", "Un ve su", at=NOON + timedelta(days=2)),
        ]
    )
    return archive


def embedded(archive: Archive) -> SemanticIndex:
    """With vectors for everything."""
    meanings = SemanticIndex(archive.vectors, SubjectEmbedder())
    meanings.embed_due(lambda: False)
    return meanings


def semantic(archive: Archive, meanings: SemanticIndex, text: str, **filters: object) -> list[str]:
    query = Query(text, kinds=MESSAGES, mode=SearchMode.SEMANTIC, scope=EVERYWHERE, **filters)  # type: ignore[arg-type]  # a test's own filters
    return [hit.session_id for hit in Search(archive.index, meanings).find(query)]


def test_a_message_without_a_shared_word_is_found_by_its_meaning(archive: Archive) -> None:
    meanings = SemanticIndex(archive.vectors, SubjectEmbedder())
    assert meanings.embed_due(lambda: False) == 6
    assert semantic(archive, meanings, "araba")[0] == "cars"
    assert semantic(archive, meanings, "which doctor?")[0] == "doctors"


def test_stopped_embedding_continues_where_it_was(archive: Archive) -> None:
    embedder = SubjectEmbedder()
    looks = iter([False, True])
    assert SemanticIndex(archive.vectors, embedder).embed_due(lambda: next(looks)) == 2
    done = list(embedder.asked)
    assert archive.vectors.progress() == EmbeddingProgress(1, 1, 3)
    assert SemanticIndex(archive.vectors, embedder).embed_due(lambda: False) == 4
    assert len(embedder.asked) == len(set(embedder.asked)) == 6
    assert embedder.asked[: len(done)] == done
    assert archive.vectors.progress() == EmbeddingProgress(3, 3, 3)


def test_another_model_computes_everything_again(archive: Archive) -> None:
    SemanticIndex(archive.vectors, SubjectEmbedder("old")).embed_due(lambda: False)
    renewed = SubjectEmbedder("new", dimensions=24)
    meanings = SemanticIndex(archive.vectors, renewed)
    assert not meanings.is_ready()
    assert semantic(archive, meanings, "araba") == []
    assert meanings.embed_due(lambda: False) == 6
    assert semantic(archive, meanings, "araba")[0] == "cars"
    assert archive.vectors.model() == "new"


def test_a_continued_session_gets_vectors_for_what_is_new_only(archive: Archive) -> None:
    embedder = SubjectEmbedder()
    meanings = SemanticIndex(archive.vectors, embedder)
    meanings.embed_due(lambda: False)
    embedder.asked.clear()
    session = archive.sessions.session(SessionId("cars"))
    archive.sessions.save(session, [stored(session.id, 3, "Köpek de sığsın", message_id=777)])
    archive.index.index_session(session.id)
    assert meanings.embed_due(lambda: False) == 1
    assert embedder.asked == ["Köpek de sığsın"]


def test_dates_bound_what_meaning_finds(archive: Archive) -> None:
    meanings = embedded(archive)
    late = NOON + timedelta(hours=12)
    assert "cars" not in semantic(archive, meanings, "araba", since=late)
    assert set(semantic(archive, meanings, "araba", until=late)) == {"cars"}


def test_vectors_of_a_deleted_session_go_with_it(archive: Archive) -> None:
    embedded(archive)
    archive.sessions.delete(SessionId("cars"))
    archive.purge_deleted()
    with archive.database.reading() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM vectors").scalar_one() == 4
        assert db.exec_driver_sql("SELECT count(*) FROM vector_bits").scalar_one() == 4


class _Failing(SubjectEmbedder):
    def passages(self, texts: Sequence[str]) -> Vectors:  # noqa: ARG002 (as the protocol has it)
        raise EmbeddingFailedError


def test_a_model_that_fails_leaves_everything_due(archive: Archive, log_watch: LogWatch) -> None:
    log_watch.expect("desktop.recall.semantic_index", "later")
    assert SemanticIndex(archive.vectors, _Failing()).embed_due(lambda: False) == 0
    assert archive.vectors.progress() == EmbeddingProgress(0, 0, 3)
    assert SemanticIndex(archive.vectors, SubjectEmbedder("_")).embed_due(lambda: False) == 6


def test_a_long_message_is_found_by_what_is_at_its_end(archive: Archive) -> None:
    long = "Bambaşka bir konu üzerine uzun uzun yazı. " * 60 + "Sonunda köpek de vardı."
    archive.imports.add([finished("long", long, at=NOON)])
    meanings = embedded(archive)
    assert semantic(archive, meanings, "dog")[0] == "long"


def test_without_semantic_search_the_model_is_not_used_and_words_find(archive: Archive) -> None:
    embedder, is_on = SubjectEmbedder(), [True]
    meanings = SemanticIndex(archive.vectors, embedder, is_on=lambda: is_on[0])
    is_on[0] = False
    assert meanings.embed_due(lambda: False) == 0
    assert set(semantic(archive, meanings, "otomobil")) == {"cars"}
    hybrid = Query("hangi otomobil?", mode=SearchMode.HYBRID, scope=EVERYWHERE)
    assert Search(archive.index, meanings).find(hybrid)[0].session_id == "cars"
    assert embedder.asked == []
    is_on[0] = True
    assert meanings.embed_due(lambda: False) == 6
    assert semantic(archive, meanings, "araba")[0] == "cars"


class Strange(SubjectEmbedder):
    """Knows the messages but not the question."""

    def query(self, text: str) -> Vector:  # noqa: ARG002 - whatever is asked
        vector = 0.2 * self._vector("araba") + 0.1 * self._vector("hekim")
        vector[5] = 1.0
        return np.asarray(vector / np.linalg.norm(vector), np.float32)


def test_an_invented_word_finds_nothing_although_a_vector_is_always_nearest(
    archive: Archive,
) -> None:
    meanings = SemanticIndex(archive.vectors, Strange())
    meanings.embed_due(lambda: False)
    search = Search(archive.index, meanings)
    for mode in (SearchMode.AUTO, SearchMode.HYBRID, SearchMode.SEMANTIC):
        assert search.find(Query("plimok", MESSAGES, mode=mode, scope=EVERYWHERE)) == []


def test_hits_by_meaning_alone_are_distinguished_from_hits_by_words(archive: Archive) -> None:
    meanings = embedded(archive)
    search = Search(archive.index, meanings)
    assert is_semantic_only(search.find(Query("araba", kinds=MESSAGES, scope=EVERYWHERE)))
    assert not is_semantic_only(search.find(Query("otomobil", kinds=MESSAGES, scope=EVERYWHERE)))
    assert not is_semantic_only([])


def test_the_fast_model_processes_everything_before_the_strong_one_begins(
    archive: Archive,
) -> None:
    strong, fast = SubjectEmbedder("strong"), SubjectEmbedder("fast")
    index = SemanticIndex(archive.vectors, Pair(strong, fast, 0.6), fast=fast)
    looks = iter([False] * 3)  # stopped after three batches
    index.embed_due(lambda: next(looks, True))
    assert (len(fast.asked), strong.asked) == (6, [])
    assert archive.vectors.progress() == EmbeddingProgress(3, 0, 3)
    assert semantic(archive, index, "araba")[0] == "cars"
    strong.asked.clear()
    index.embed_due(lambda: False)
    assert strong.asked[:2] == ["Ekşi maya nasıl yapılır", "Un ve su"]
    assert archive.vectors.progress() == EmbeddingProgress(3, 3, 3)
    assert index.embed_due(lambda: False) == 0
