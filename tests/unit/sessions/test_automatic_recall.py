"""Relevant passages are sent with a question although nobody asked for them."""

from datetime import UTC, datetime
from threading import Event

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop.domain.events import PassagesRecalled
from desktop.domain.ids import SessionId, new_source_id
from desktop.domain.projects import EVERYTHING
from desktop.domain.routing import TurnOptions
from desktop.domain.search import HitKind, Query, Scope
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.research.automatic_recall import AutomaticRecall, Question
from desktop.research.session_retrieval import MOST_READ, SessionRetriever
from tests.archives import NOON, an_active_session, stored
from tests.embedding_stand_ins import SubjectEmbedder
from tests.studies import Study

DAWN = (
    "Sabah şekerim neden yüksek, Dawn olayı nedir?",
    "Dawn olayında büyüme hormonu sabaha karşı şekeri yükseltir; gece düşüş yoktur.",
)
SOMOGYI = (
    "Somogyi etkisi nedir?",
    "Somogyi etkisinde gece hipoglisemisine karşı hormonlar salınır ve sabah şekeri yükselir.",
    "Sağ ol!",
    "Glad it helped. Good luck on Monday.",
)
BREAD = ("Ekşi maya nasıl beslenir?", "Mayayı her gün eşit unla ve suyla besle.")
QUESTION = "Dawn ile Somogyi farkını anlat"


@pytest.fixture
def told(study: Study) -> Study:
    """A study with past sessions on diabetes and on bread."""
    for name, said, title in (
        ("dawn", DAWN, "Dawn olayı"),
        ("somogyi", SOMOGYI, "Somogyi etkisi"),
        ("bread", BREAD, "Ekşi maya"),
    ):
        study.add_past(name, *said, title=title, at=datetime(2026, 2, 10, 9, tzinfo=UTC))
    return study


def test_a_plain_question_is_sent_with_passages_of_past_sessions(told: Study) -> None:
    told.ask(QUESTION)
    assert "büyüme hormonu" in told.changing
    assert "gece hipoglisemisine karşı" in told.changing
    assert 'session="Somogyi etkisi" date="10 Şubat 2026" said_by="user,' in told.changing
    assert "ilgisi olabilir de olmayabilir de" in told.changing
    assert len(told.script.requests) == 1


def test_recalled_passages_are_shown_with_the_answer(told: Study) -> None:
    ended = told.ask("Somogyi etkisini anlat")
    (event,) = told.happened(PassagesRecalled)
    assert event.message_id == ended.message_id
    item = event.items[0]
    assert (item.number, item.kind, item.session_id) == (1, HitKind.MESSAGE, "somogyi")
    assert "hipoglisemisine" in item.snippet
    kept = told.archive.recalled.by_answer(told.active.id, lambda text, _: text)
    assert ended.message_id is not None
    assert [one.target for one in kept[ended.message_id]] == [one.target for one in event.items]


def test_courtesies_are_not_recalled_and_recall_nothing(told: Study) -> None:
    told.ask("Is the Somogyi effect worse on Monday, did it help, good luck?")
    assert "Glad it helped" not in told.changing
    told.ask("Teşekkürler, çok iyi!")
    assert "<passage" not in told.changing


def test_an_earlier_answer_that_only_repeats_another_gives_its_place_to_it(told: Study) -> None:
    for name in ("echo", "again"):
        answer, at = f"Şöyle: {SOMOGYI[1]}", datetime(2026, 2, 20, tzinfo=UTC)
        told.add_past(name, "Somogyi etkisi neydi?", answer, at=at, models=(None, "scripted"))
    told.ask("Somogyi etkisini anlat")
    assert told.changing.count("gece hipoglisemisine karşı") == 1
    assert 'session="Somogyi etkisi" date="10 Şubat 2026"' in told.changing
    hits = told.search.find(Query("Somogyi etkisi nedir?", scope=Scope(EVERYTHING)))
    answers = [hit.session_id for hit in hits if "hormonlar" in hit.snippet and hit.message_id]
    assert answers[0] == "somogyi"


def test_texts_that_no_model_is_known_to_have_written_keep_their_places(told: Study) -> None:
    """Two imported copies of a passage are as good as each other."""
    told.add_past("copy", "Somogyi?", SOMOGYI[1], at=datetime(2026, 2, 20, tzinfo=UTC))
    for n in range(4):
        told.add_past(f"less-{n}", f"Somogyi mi, {n}?", f"Somogyi etkisi hakkında {n} sayfa var.")
    hits = told.search.find(Query("gece hipoglisemisi Somogyi etkisi", scope=Scope(EVERYTHING)))
    answers = [hit.session_id for hit in hits if hit.message_number == 2]
    assert set(answers[:2]) == {"somogyi", "copy"}


def test_of_a_very_long_session_the_newest_messages_are_read(told: Study) -> None:
    """They are in no index: reading all would take longer than answering."""
    far, near = "Kestane şekeri Bursa'dan gelir.", "Kestane şekeri Afyon'dan gelir."
    told.add_past("long", "Kestane?", far, *("Peki?", "Evet.") * (MOST_READ // 2), "Ya?", near)
    messages = told.on_disk(SessionId("long"))
    recall = AutomaticRecall(told.search, told.archive, told.heard, waits_s=0)
    asked = Question("Kestane şekeri nereden gelir?", unsent=messages)
    scope = Scope(EVERYTHING, besides=(SessionId("long"),))
    found = [one.text for snippet in recall.recall(asked, scope, 6) for one in snippet.passages]
    retriever = SessionRetriever(told.search, told.archive, told.heard)
    found += [one.text for one in retriever.in_session("kestane şekeri", messages, "")]
    assert [text for text in found if "Afyon" in text]
    assert not [text for text in found if "Bursa" in text]


def test_a_session_that_is_left_out_or_deleted_is_not_recalled(told: Study) -> None:
    asked = "Sabah şekeri Dawn olayında neden yükselir, Somogyi etkisinde neden?"
    told.run(told.assistant.ask(asked, TurnOptions(leave_out=[SessionId("somogyi")])))
    assert "büyüme hormonu" in told.changing
    assert "gece hipoglisemisine" not in told.changing
    told.archive.sessions.delete(SessionId("dawn"))
    told.ask("Dawn olayını bir daha anlat")
    assert "büyüme hormonu" not in told.changing


def test_lite_and_small_contexts_take_two_and_the_user_can_have_none(told: Study) -> None:
    for n in range(8):
        told.add_past(f"more{n}", "Ne ölçülür?", f"Somogyi etkisi için {n + 2}. not: gece ölç.")
    question = "Somogyi etkisi için gece ne ölçülür?"
    told.ask(question)
    assert 2 < told.changing.count("<passage") <= 6
    told.set(is_lite=True)
    told.ask(question)
    assert told.changing.count("<passage") == 2
    told.set(is_lite=False)
    told.script.context = 4_096
    told.ask(question)
    assert told.changing.count("<passage") == 2
    told.set(recalled_items=0)
    told.ask(question)
    assert "<passage" not in told.changing


def test_a_temporary_session_recalls_nothing(told: Study) -> None:
    told.assistant.begin_temporary()
    told.ask(QUESTION)
    assert "<passage" not in told.changing


def test_a_snippet_has_at_most_four_hundred_characters(told: Study) -> None:
    long = " ".join(f"Bu {n}. cümle başka bir şeyi anlatır." for n in range(80))
    answer = f"{long} Somogyi etkisini Michael Somogyi 1938'de tanımladı. {long}"
    told.add_past("long", "Somogyi kimdir?", answer)
    told.ask("Somogyi etkisini kim tanımladı?")
    assert "Michael Somogyi 1938'de tanımladı" in told.changing
    shown = told.changing.split("<passage")[1:]
    assert all(len(one.partition(">\n")[2].partition("\n</passage>")[0]) <= 410 for one in shown)


def test_messages_replaced_by_a_compact_are_searched_first(told: Study) -> None:
    session_id, words = SessionId("long"), "Somogyi sunumunu cuma günü Zeynep anlatacak."
    said = [
        stored(session_id, n, words if n == 6 else f"Gelgit, {n}. söz{' gider' * 12}.")
        for n in range(1, 41)
    ]
    told.archive.sessions.save(an_active_session("long"), said)
    told.set(history_items=4, compact_after=30, detects_subject_change=False, recalled_items=1)
    told.assistant.continue_unfinished()
    told.describe()
    told.ask("Somogyi sunumunu kim anlatacak?")
    assert words in told.changing
    assert words not in [one.text for one in told.script.requests[-1].messages]
    assert "gece hipoglisemisine" not in told.changing


def test_a_refusal_is_not_recalled(told: Study) -> None:
    told.add_past(
        "refused",
        "Somogyi etkisinin tedavisi nedir?",
        "Üzgünüm, Somogyi etkisinin tedavisi hakkında bilgi veremem.",
    )
    told.ask("Somogyi etkisinin tedavisi nasıl olur?")
    assert "bilgi veremem" not in told.changing


def test_a_scope_limits_every_kind_of_search(told: Study) -> None:
    source = Source(new_source_id(), SourceKind.DOCUMENT, "Somogyi", "s.md", NOON, NOON, "s")
    told.archive.sources.add(source, [NewPassage("Somogyi etkisi ve Dawn olayı.")])
    kinds = frozenset(HitKind) - {HitKind.FACT, HitKind.DIARY}

    def found(scope: Scope, text: str = "Somogyi Dawn olayı etkisi nedir?") -> set[str]:
        hits = told.search.find(Query(text, kinds, scope=scope))
        return {hit.session_id or "library" for hit in hits}

    assert found(Scope(EVERYTHING)) == {"dawn", "somogyi", "library"}
    assert found(Scope(EVERYTHING, besides=(SessionId("dawn"),))) == {"somogyi", "library"}
    assert found(Scope(EVERYTHING, session_id=SessionId("dawn"))) == {"dawn"}
    assert found(Scope(EVERYTHING, session_id=SessionId("dawn")), "") == {"dawn"}


def test_words_alone_decide_while_the_embedding_model_is_loading(told: Study) -> None:
    asleep = Event()

    class Sleeping(SubjectEmbedder):
        def _vector(self, text: str) -> NDArray[np.float32]:
            asleep.wait()
            return super()._vector(text)

    meanings = SemanticIndex(told.archive.vectors, SubjectEmbedder())
    meanings.embed_due(lambda: False)
    meanings = SemanticIndex(told.archive.vectors, Sleeping())
    search = Search(told.archive.index, meanings)
    recall = AutomaticRecall(search, told.archive, told.heard, waits_s=0.01)
    (snippet, *_) = recall.recall(Question("Somogyi etkisini anlat"), Scope(EVERYTHING), 6)
    asleep.set()
    assert snippet.hit.nearness is None
    assert snippet.hit.session_id == "somogyi"
