"""A Turkish question without its letters, as the embedding model gets it."""

import pytest

from desktop.domain.search import EVERYWHERE, HitKind, Query, SearchMode, SearchOrder
from desktop.language.normalization import folded_key, word_texts
from desktop.recall.query_correction import restore_letters
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.storage.archive import Archive
from tests.archives import finished
from tests.embedding_stand_ins import SubjectEmbedder

TEXTS = (
    "Öğretmen Işık Lisesi’nde kaç yıl çalıştı?",
    "Öğretmenler gölde ördek gördü; göl dondu.",
    "Ogre adlı bir oyun",
)


def having(word: str) -> list[str]:
    return [text for text in TEXTS if any(w.startswith(word[:6]) for w in word_texts(text))]


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("ogretmenler kac yil calisti", "öğretmenler kaç yıl çalıştı"),
        ("OGRETMEN Isik lisesinde mi?", "ÖĞRETMEN Işık lisesinde mi?"),
        ("OGRETMEN ISIK LISESINDE MI?", "öğretmen ışık lisesinde mi?"),
        ("IŞIK LİSESİ NASIL?", "ışık lisesi nasıl?"),
        ("WHAT IS IN THE LAKE?", "what is in the lake?"),
        ("ogretmenimiz golde mi", "öğretmenimiz gölde mi"),
        ("Ogre oyunu nerede", "Ogre oyunu nerede"),
        ("what did the teacher do in the gol?", "what did the teacher do in the gol?"),
        ("öğretmen kac yil calisti", "öğretmen kac yil calisti"),
    ],
)
def test_letters_are_restored_as_the_archive_spells_the_word(typed: str, written: str) -> None:
    assert restore_letters(typed, having) == written
    assert folded_key(written) == folded_key(typed)


def test_the_model_is_asked_with_the_letters_of_the_archive(archive: Archive) -> None:
    archive.imports.add([finished("s", "Göğüs ağrısı için doktora gidildi.")])
    model = SubjectEmbedder()
    meanings = SemanticIndex(archive.vectors, model)
    meanings.embed_due(lambda: False)
    model.asked.clear()
    search = Search(archive.index, meanings)
    asked = Query(
        "gogus agrisi neden oldu?",
        kinds=frozenset({HitKind.MESSAGE}),
        mode=SearchMode.HYBRID,
        scope=EVERYWHERE,
    )
    assert {hit.session_id for hit in search.find(asked)} == {"s"}
    assert model.asked == ["göğüs ağrısı neden oldu?"]
    search.find(Query("gogus agrisi", order=SearchOrder.NEWEST, scope=EVERYWHERE))
    assert len(model.asked) == 1
