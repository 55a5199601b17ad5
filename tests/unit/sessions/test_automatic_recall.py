"""What bears on a question goes with its request, although nobody asked for it."""

from datetime import UTC, datetime

import pytest

from desktop.domain.events import PassagesRecalled
from desktop.domain.ids import SessionId
from desktop.domain.messages import NO_MODEL, CitationState
from desktop.domain.search import HitKind
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
    """With past sessions on diabetes and on bread."""
    for name, said, title in (
        ("dawn", DAWN, "Dawn olayı"),
        ("somogyi", SOMOGYI, "Somogyi etkisi"),
        ("bread", BREAD, "Ekşi maya"),
    ):
        study.add_past(name, *said, title=title, at=datetime(2026, 2, 10, 9, tzinfo=UTC))
    return study


def test_a_plain_question_takes_what_past_sessions_say_along(told: Study) -> None:
    told.ask(QUESTION)
    assert "büyüme hormonu" in told.changing
    assert "gece hipoglisemisine karşı" in told.changing
    assert 'session="Somogyi etkisi" date="10 Şubat 2026" said_by="user,' in told.changing
    assert "ilgisi olabilir de olmayabilir de" in told.changing
    assert len(told.script.requests) == 1


def test_what_is_recalled_unasked_can_be_cited(told: Study) -> None:
    told.script.steps.append(['Gece düşüşü [1: "gece hipoglisemisine karşı hormonlar"].'])
    ended = told.ask("Somogyi etkisini anlat")
    (cited,) = ended.citations
    assert cited.state is CitationState.CHECKED
    assert (cited.source_id, cited.passage_id) == (
        "somogyi",
        str(told.on_disk(SessionId("somogyi"))[1].id),
    )


def test_what_was_recalled_is_told_with_the_answer(told: Study) -> None:
    ended = told.ask("Somogyi etkisini anlat")
    (event,) = told.happened(PassagesRecalled)
    assert event.message_id == ended.message_id
    item = event.items[0]
    assert (item.number, item.kind, item.session_id) == (1, HitKind.MESSAGE, "somogyi")
    assert "hipoglisemisine" in item.snippet
    kept = told.archive.recalled.by_answer(told.active.id, lambda text, _: text)
    assert ended.message_id is not None
    assert [one.target for one in kept[ended.message_id]] == [one.target for one in event.items]


def test_an_unrelated_question_goes_out_bare(told: Study) -> None:
    told.ask("Kapadokya'ya hangi ayda gidilir?")
    assert "<passage" not in told.changing
    assert not told.happened(PassagesRecalled)


def test_courtesies_are_not_recalled_and_recall_nothing(told: Study) -> None:
    told.ask("Is the Somogyi effect worse on Monday, did it help, good luck?")
    assert "Glad it helped" not in told.changing
    told.ask("Teşekkürler, çok iyi!")
    assert "<passage" not in told.changing


def test_a_calculation_and_a_question_about_the_assistant_recall_nothing(told: Study) -> None:
    for question in ("15 * 12 kaç eder?", "Adın ne?"):
        told.ask(question)
        assert "<passage" not in told.changing


def test_an_answer_that_no_model_wrote_is_not_recalled(told: Study) -> None:
    quoted = "Somogyi etkisi için geçmiş oturumda geçen: gece hipoglisemisi, sabah yükseliş."
    told.add_past("quoted", "Somogyi etkisi?", quoted, models=(None, NO_MODEL))
    told.ask("Somogyi etkisini anlat")
    assert "geçmiş oturumda geçen" not in told.changing
    assert "gece hipoglisemisine karşı" in told.changing


def test_a_session_that_is_left_out_or_deleted_is_not_recalled(told: Study) -> None:
    asked = "Sabah şekeri Dawn olayında neden yükselir, Somogyi etkisinde neden?"
    told.run(told.assistant.ask(asked, leave_out=[SessionId("somogyi")]))
    assert "büyüme hormonu" in told.changing
    assert "gece hipoglisemisine" not in told.changing
    told.archive.sessions.delete(SessionId("dawn"))
    told.ask("Dawn olayını bir daha anlat")
    assert "büyüme hormonu" not in told.changing


def test_lite_takes_two_and_the_user_can_have_none(told: Study) -> None:
    for n in range(8):
        told.add_past(f"more{n}", "Ne ölçülür?", f"Somogyi etkisi için {n + 2}. not: gece ölç.")
    question = "Somogyi etkisi için gece ne ölçülür?"
    told.ask(question)
    assert 2 < told.changing.count("<passage") <= 6
    told.set(is_lite=True)
    told.ask(question)
    assert told.changing.count("<passage") == 2
    told.set(is_lite=False, recalled_items=0)
    told.ask(question)
    assert "<passage" not in told.changing


@pytest.mark.parametrize("off", ["uses_memory", "uses_past_sessions"])
def test_nothing_is_recalled_where_the_memory_is_off(told: Study, off: str) -> None:
    told.set(**{off: False})
    told.ask(QUESTION)
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
