"""Questions in one language about messages in the other."""

import pytest

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.search import EVERYWHERE, HitKind, Query, SearchMode
from desktop.recall.bm25 import QueryWord, Scorer
from desktop.recall.query_correction import equalise_languages, matches_translation, translate_word
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.storage.archive import Archive
from desktop.storage.search.message_index import IndexedMessage
from tests.archives import finished
from tests.embedding_stand_ins import FarEmbedder, SubjectEmbedder

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
