"""Correction of words that the archive lacks, by its own spelling."""

from collections.abc import Sequence

import pytest

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.search import EVERYWHERE, HitKind, Query, SearchMode, SearchOrder
from desktop.language.normalization import folded_key, word_texts
from desktop.recall.bm25 import QueryWord, Scorer
from desktop.recall.query_correction import (
    equalise_languages,
    matches_translation,
    nearest_known_word,
    restore_letters,
    translate_word,
)
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.storage.archive import Archive
from desktop.storage.search.message_index import IndexedMessage
from tests.archives import finished
from tests.embedding_stand_ins import FarEmbedder, SubjectEmbedder
from tests.unit.recall.conftest import Shelf

MESSAGES = frozenset({HitKind.MESSAGE})
WRITTEN = {"hiperglisemi": 3, "hiperglisemiyi": 1, "kitap": 9, "kitaplarimiz": 2, "kalem": 4}


def beginning(beginnings: Sequence[str]) -> list[tuple[str, int]]:
    return [one for one in WRITTEN.items() if one[0].startswith(tuple(beginnings))]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hiperlisemi", "hiperglisemi"),
        ("hipergglisemi", "hiperglisemi"),
        ("hipreglisemi", "hiperglisemi"),
        ("hiperglisami", "hiperglisemi"),
        ("hiperglsemiden", "hiperglisemi"),
        ("kitpalarimiz", "kitaplarimiz"),
        ("kaelm", "kalem"),
        ("hipergil", "hipergli"),
        ("kitpa", "kitap"),
    ],
)
def test_a_missing_doubled_swapped_or_wrong_letter_is_corrected(typed: str, meant: str) -> None:
    assert nearest_known_word(typed, beginning, bool) == meant


@pytest.mark.parametrize(
    "typed", ["salem", "kal", "klm", "kamelya", "3kalem", "kitapsizlik" * 9, "hiperb", "hipeg"]
)
def test_a_different_first_letter_a_short_word_or_a_chance_prefix_is_not_corrected(
    typed: str,
) -> None:
    assert nearest_known_word(typed, beginning, bool) is None


@pytest.mark.parametrize("order", SearchOrder)
@pytest.mark.parametrize("typed", ["insulni", "INSÜLNİ", "inslin direnci", "insulin dirnci"])
def test_a_misspelt_word_finds_and_marks_what_was_meant(
    shelf: Shelf, typed: str, order: SearchOrder
) -> None:
    shelf.add(finished("s", "İnsülin direnci nedir?"), finished("t", "Bambaşka bir söz"))
    (hit,) = shelf.find(typed, kinds=MESSAGES, order=order)
    assert hit.session_id == "s"
    assert hit.marks


def test_a_word_found_in_the_archive_is_not_corrected(shelf: Shelf) -> None:
    shelf.add(
        finished("s", "salon", title="Kalım"),  # one letter from a word of a message
        finished("t", "kalem tutmak"),
        finished("u", "kalam dersleri"),
    )
    assert {hit.session_id for hit in shelf.find("kalam")} == {"u"}
    assert {hit.session_id for hit in shelf.find("kalım")} == {"s"}


# A Turkish question without its letters, as the embedding model gets it


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


# Questions in one language about messages in the other


EN, TR = Language.EN, Language.TR


def test_a_plain_word_is_known_in_the_other_language_in_any_of_its_forms() -> None:
    assert "kopru" in translate_word(EN, "bridges")
    assert "bridge" in translate_word(TR, "koprunun")


def test_a_short_word_matches_only_as_a_whole() -> None:
    counts = Scorer([QueryWord("month", 1, also=translate_word(EN, "month"))], 10).counts
    assert counts("bu ay gittik")
    assert not counts("ayakkabı aldık")


def test_a_question_finds_messages_in_the_other_language_by_words(archive: Archive) -> None:
    archive.imports.add(
        [
            finished("old", "Elektrikli araba alırken menzile ve garantiye bakılır."),
            finished("road", "Köprü geçen yaz açıldı ve araba trafiğine verildi."),
            # Equally near by meaning, and later: without the words this would be first.
            finished("new", "Kiralık araba alırken kilometre sınırına bakılır."),
        ]
    )
    meanings = SemanticIndex(archive.vectors, SubjectEmbedder())
    meanings.embed_due(lambda: False)
    asked = Query(
        "Was the bridge opened to the vehicle?",
        kinds=frozenset({HitKind.MESSAGE}),
        mode=SearchMode.HYBRID,
        scope=EVERYWHERE,
    )
    assert Search(archive.index, meanings).find(asked)[0].snippet.startswith("Köprü")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("bisiklet", "The chain of my bicycle slips on the small sprocket."),
        ("depremler", "What belongs in a bag for an earthquake?"),
        ("böbrek", "Less salt eases the load on the kidneys."),
        ("violin", "Kemanın tellerini yılda bir değiştir."),
        ("bees", "Arılar kovandaki balla yaşar."),
    ],
)
def test_a_single_typed_word_is_found_by_its_translation(
    archive: Archive, typed: str, text: str
) -> None:
    other = "Güneşli bir gündü." if typed in {"violin", "bees"} else "It was a sunny day."
    archive.imports.add([finished("right", text), finished("wrong", other)])
    meanings = SemanticIndex(archive.vectors, FarEmbedder())
    meanings.embed_due(lambda: False)
    query = Query(typed, frozenset({HitKind.MESSAGE}), scope=EVERYWHERE)
    hits = Search(archive.index, meanings).find(query)
    assert {hit.session_id for hit in hits} == {"right"}


def test_the_scores_of_both_languages_are_normalised() -> None:
    texts = ["what the doctor said about it"] * 6 + ["doktorun bunun için söyledikleri"] * 6
    passages = [
        IndexedMessage(MessageId(n), SessionId("s"), n, text, "user", None)
        for n, text in enumerate(texts)
    ]
    nearness = {MessageId(n): (0.8 if n < 6 else 0.5) + n / 100 for n in range(12)}
    near = equalise_languages(EN, passages, nearness)
    assert near[MessageId(11)] >= near[MessageId(5)]
    assert near[MessageId(5)] == nearness[MessageId(5)]


def test_a_text_in_the_other_language_is_found_by_its_subject() -> None:
    told = "Pasaportumun süresi haziranda doluyor, yenilemem gerekiyor."
    assert matches_translation(["passport"], EN, told)
    assert not matches_translation(["guitar"], EN, told)
    assert matches_translation(["kedi"], TR, "The cat is ill and has not eaten since yesterday.")
    assert not matches_translation(["pasaport"], TR, told)
