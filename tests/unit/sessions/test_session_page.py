"""The page of a past session: its description, and the user's corrections."""

from datetime import UTC, datetime

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.search import EVERYWHERE, HitKind, Query
from desktop.domain.sessions import DescribedBy, Description
from desktop.domain.usage import NO_USAGE
from desktop.recall.related_sessions import RelatedSessions
from desktop.sessions.conversation.session_description import SessionPages
from tests.studies import Study, phrases

DIET = SessionId("diet")
BY_MODEL = Description("Model", "Modelin özeti.", ("lif", "akdeniz"), DescribedBy.MODEL)


@pytest.fixture
def pages(study: Study) -> SessionPages:
    """A session on a diet, and a related one."""
    at = datetime(2026, 2, 10, 9, tzinfo=UTC)
    study.add_past(
        "diet",
        "İnsülin direnci için hangi diyet?",
        "Akdeniz diyeti uygulanır: günde 30 gram lif.",
        title="İnsülin direnci ve diyet",
        summary="Akdeniz diyeti konuşuldu.",
        topics=("diyet", "insülin direnci"),
        at=at,
    )
    study.add_past(
        "sport", "İnsülin direnci ve spor?", "Yürüyüş iyidir.", title="İnsülin direnci, spor"
    )
    study.add_past("bread", "Ekmek?", "Maya.", title="Ekşi maya")
    related = RelatedSessions(study.search, lambda: phrases().stop_words)
    return SessionPages(study.archive, related)


def found(study: Study, word: str) -> set[SessionId]:
    kinds = frozenset({HitKind.SESSION})
    return {hit.session_id for hit in study.search.find(Query(word, kinds, scope=EVERYWHERE))}


def test_the_page_shows_the_description_of_a_session(study: Study, pages: SessionPages) -> None:
    study.assistant.resume(DIET)
    study.ask("Peki ya ekmek?")
    study.assistant.end()
    page = pages.read(DIET)
    assert page.session.summary == "Akdeniz diyeti konuşuldu."
    assert page.usage == sum(study.archive.answers.usage(DIET).values(), NO_USAGE)
    assert [one.session_id for one in page.related] == ["sport"]
    bare = pages.read(SessionId("bread"))
    assert (bare.sources, bare.facts, bare.preferences, bare.related) == ([], [], [], [])
    assert bare.diary is None
    assert page.describing_model == ""
    study.describe()
    assert pages.read(DIET).describing_model == study.script.name


def test_sources_are_counted_once_for_all_their_citations(
    study: Study, pages: SessionPages
) -> None:
    study.model = None
    study.ask("İnsülin direnci için ne demiştik?")
    session_id = study.active.id
    study.assistant.end()
    sources = pages.read(session_id).sources
    assert {one.citation.source_id for one in sources} == {"diet", "sport"}
    cited = study.archive.answers.citations(session_id)
    assert sum(one.times for one in sources) == sum(map(len, cited.values()))


def test_a_correction_is_found_at_once_and_outlives_later_descriptions(
    study: Study, pages: SessionPages
) -> None:
    pages.correct(DIET, "summary", "Zeytinyağı önerildi.")
    pages.correct(DIET, "topics", ["  zeytin ", "", "zeytin"])
    assert found(study, "zeytinyağı") == found(study, "zeytin") == {DIET}
    assert DIET not in found(study, "akdeniz")
    study.archive.descriptions.keep(DIET, BY_MODEL)
    session = study.archive.sessions.session(DIET)
    assert (session.title, session.summary) == ("Model", "Zeytinyağı önerildi.")
    assert session.topics == ("zeytin",)
    pages.correct(DIET, "title", "Sofra")
    study.archive.descriptions.keep(DIET, BY_MODEL)
    assert study.archive.sessions.session(DIET).title == "Sofra"
    assert found(study, "sofra") == {DIET}


def test_an_undone_correction_may_be_described_again(study: Study, pages: SessionPages) -> None:
    change = pages.correct(DIET, "summary", "Yanlış.")
    assert change is not None
    change.undo()
    assert study.archive.sessions.session(DIET).summary == "Akdeniz diyeti konuşuldu."
    assert found(study, "akdeniz") == {DIET}
    study.archive.descriptions.keep(DIET, BY_MODEL)
    assert study.archive.sessions.session(DIET).summary == "Modelin özeti."


def test_an_unchanged_text_is_no_correction(pages: SessionPages) -> None:
    page = pages.read(DIET).session
    assert pages.correct(DIET, "title", page.shown_title) is None
    assert pages.correct(DIET, "title", "  ") is None
    assert pages.correct(DIET, "summary", page.summary or "") is None
    assert pages.correct(DIET, "topics", page.topics) is None
