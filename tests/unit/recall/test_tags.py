"""What a message is about, in the words of the archive's own topics."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.search import Query
from desktop.recall.topic_expansion import BESIDE, NEAR, SAID, SAME, TopicExpander
from desktop.storage.descriptions import TopicStore
from tests.archives import finished
from tests.studies import Study, phrases


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    study = Study(tmp_path)
    diet = "İnsülin direncinde ne yemeli?", "Akdeniz diyeti uygundur."
    study.archive.imports.add(
        [
            finished("a", *diet, topics=("insülin direnci", "Akdeniz diyeti", "lif")),
            finished("b", "Lif nedir?", "Bitkiseldir.", topics=("lif", "Akdeniz diyeti")),
            finished("c", "Pompa?", "Bazal hız.", topics=("insülin", "pompa")),
            finished("d", "Model?", "Öğrenir.", topics=("yapay zeka", "derin öğrenme")),
            finished("e", "Roma?", "Yıkıldı.", topics=("Roma tarihi",)),
        ]
    )
    yield study
    study.close()


@pytest.fixture
def tagging(study: Study) -> TopicExpander:
    topics = TopicStore(study.archive.database)
    return TopicExpander(topics, study.search, lambda: phrases().stop_words)


def weights(tagging: TopicExpander, message: str) -> dict[str, float]:
    return {tag.name: tag.weight for tag in tagging.tags(message, Language.TR)}


def test_an_inflected_topic_is_the_archives_own(tagging: TopicExpander) -> None:
    found = weights(tagging, "insülin direncinin nedenlerini anlat")
    assert found["insülin direnci"] == SAME
    assert found["insülin"] == SAID
    assert "Roma tarihi" not in found


def test_a_wider_topic_is_near_and_what_stands_beside_is_further(tagging: TopicExpander) -> None:
    found = weights(tagging, "Roma mutfağında lif")
    assert found["Roma tarihi"] == NEAR
    assert found["lif"] == SAID
    assert found["Akdeniz diyeti"] == BESIDE


def test_an_abbreviation_is_its_topic(tagging: TopicExpander) -> None:
    assert weights(tagging, "YZ nasıl gelişti?")["yapay zeka"] == SAME


def test_a_deleted_session_gives_no_tags(tagging: TopicExpander, study: Study) -> None:
    study.archive.sessions.delete(SessionId("e"))
    assert "Roma tarihi" not in weights(tagging, "Roma tarihini anlat")


def test_what_is_found_under_the_tags_is_tagged_and_stands_there_once(
    tagging: TopicExpander,
) -> None:
    hits = tagging.look_up(Query("insülin direncinde lif önemli mi", limit=10), Language.TR)
    assert {hit.session_id for hit in hits} >= {"a", "b"}
    assert len({(hit.kind, hit.message_id or hit.session_id) for hit in hits}) == len(hits)
    assert "lif" in next(hit for hit in hits if hit.session_id == "a").tags
