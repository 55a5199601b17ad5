"""Past sessions related to a draft: few, relevant, or none."""

import pytest

from desktop.domain.projects import EVERYTHING
from desktop.recall.related_sessions import RelatedSessions
from desktop.recall.search import Search
from desktop.sessions.conversation.assistant_context import shipped_phrases
from desktop.storage.archive import Archive
from tests.archives import finished


@pytest.fixture
def suggesting(archive: Archive, search: Search) -> RelatedSessions:
    archive.imports.add(
        [
            finished(
                "beta",
                "Beta hücreleri yenilenir mi?",
                "Beta hücre rejenerasyonu farelerde görülmüştür.",
                title="Beta hücreleri",
            ),
            finished("roma", "Roma neden çöktü?", "Afrika'nın tahıl geliri kesildi."),
            *(finished(f"lif{n}", f"Lif ve bağırsak florası, {n}. not") for n in range(6)),
        ]
    )
    return RelatedSessions(search, lambda: shipped_phrases().stop_words)


@pytest.mark.parametrize(
    "draft",
    [
        "Şimdi beta hücre rejenerasyonu araştıralım",
        "SIMDI BETA HUCRELERININ rejenerasyonuna bakalim",
        "rejenerasyonu hücrelerin beta",
    ],
)
def test_a_session_on_the_same_subject_is_suggested_at_its_message(
    suggesting: RelatedSessions, draft: str
) -> None:
    (found,) = suggesting.suggest(draft, EVERYTHING)
    assert (found.session_id, found.title) == ("beta", "Beta hücreleri")
    assert found.message_id is not None


@pytest.mark.parametrize(
    "draft", ["", "Roma", "bu nasıl olur?", "Peki ya ikisinin farkı ne?", "Roma mutfağında pide"]
)
def test_too_few_words_or_one_in_common_suggest_nothing(
    suggesting: RelatedSessions, draft: str
) -> None:
    assert suggesting.suggest(draft, EVERYTHING) == []
