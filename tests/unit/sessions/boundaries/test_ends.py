"""Where a session ends: never at a follow-up, always at a plain change of subject."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from desktop.domain.embedding import Embedder
from desktop.domain.messages import Role
from desktop.domain.sessions import Boundary, BoundaryReason, Utterance
from desktop.language.intents import PhraseLists
from desktop.sessions.boundaries.topic_change_classifier import session_ends
from tests.unit.sessions.boundaries.dialogues import DIALOGUES, spoken

_AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
_ASPECTS = ("Ay'ın çekimi", "Güneş'in konumu", "rüzgâr", "kıyının biçimi", "derinlik", "basınç")


def test_no_dialogue_full_of_follow_ups_is_split(
    lists: PhraseLists, embedder: Embedder | None
) -> None:
    assert [session_ends(one.said, lists, embedder) for one in DIALOGUES] == [[]] * 50


@pytest.mark.parametrize("count", [2, 4])
def test_every_plain_change_of_subject_is_found_also_after_a_single_exchange(
    count: int, lists: PhraseLists, embedder: Embedder | None
) -> None:
    for one in DIALOGUES:
        changed = [*one.said[:count], Utterance(Role.USER, one.another_subject)]
        found = [boundary.number for boundary in session_ends(changed, lists, embedder)]
        assert found == [count + 1], one.another_subject


@pytest.mark.parametrize(
    ("hello", "answer"),
    [
        ("Merhaba", "Merhaba! Size nasıl yardımcı olabilirim? Konunuzu yazabilirsiniz."),
        ("Hi there", "Hello! How can I help you today? I can search your past sessions."),
    ],
)
def test_the_first_question_after_a_greeting_begins_no_other_session(
    hello: str, answer: str, lists: PhraseLists, embedder: Embedder | None
) -> None:
    for one in DIALOGUES:
        said = spoken(hello, answer, one.another_subject)
        assert session_ends(said, lists, embedder) == [], one.another_subject


def test_300_messages_on_one_topic_stay_one_session(
    lists: PhraseLists, embedder: Embedder | None
) -> None:
    said = []
    for number in range(150):
        aspect = _ASPECTS[number % len(_ASPECTS)]
        said += spoken(
            f"Gelgit üzerinde {aspect} nasıl etkili olur, {number}. örnek?",
            f"{aspect} gelgit yüksekliğini {number} santim değiştirir.",
        )
    assert session_ends(said, lists, embedder) == []


def test_an_announced_topic_begins_a_session_whatever_its_subject(lists: PhraseLists) -> None:
    announced = spoken("Yeni konu: insülin direnci nedir?", "İnsüline az yanıt vermektir.")
    said = [*DIALOGUES[0].said[:2], *announced]
    assert session_ends(said, lists, None) == [Boundary(3, BoundaryReason.ANNOUNCED, "Yeni konu")]


def test_the_message_after_thanks_begins_a_session(lists: PhraseLists) -> None:
    goes_on = "Dawn fenomeni çocuklarda görülür mü?"
    said = [*DIALOGUES[0].said[:2], *spoken("tamam, teşekkürler", "Rica ederim.", goes_on)]
    assert session_ends(said, lists, None) == [Boundary(5, BoundaryReason.THANKED, "teşekkürler")]


@pytest.mark.parametrize(
    ("text", "hours"),
    [("Peki Somogyi etkisi?", []), ("Osmanlı'da tımar sistemi nasıl işliyordu?", ["30"])],
)
def test_a_long_silence_separates_independent_messages(
    text: str, hours: list[str], lists: PhraseLists
) -> None:
    said = [
        Utterance(Role.USER, "Dawn fenomeni nedir?", _AT),
        Utterance(Role.ASSISTANT, "Kan şekerinin sabaha karşı yükselmesidir.", _AT),
        Utterance(Role.USER, text, _AT + timedelta(hours=30)),
        Utterance(Role.ASSISTANT, "Bunu ayrıca anlatayım.", _AT + timedelta(hours=30)),
    ]
    found = session_ends(said, lists, None)
    assert found == [Boundary(3, BoundaryReason.GAP, one) for one in hours]


def test_nothing_is_split_before_something_was_answered(lists: PhraseLists) -> None:
    said = [
        Utterance(Role.USER, "Dawn fenomeni nedir?"),
        Utterance(Role.USER, "Osmanlı'da tımar sistemi nasıl işliyordu?"),
    ]
    assert session_ends(said, lists, None) == []
    assert session_ends([], lists, None) == []


_OTHER_SUBJECTS = [
    (
        "Gözlük mü lens mi daha sağlıklı?",
        "Gözlük göze dokunmadığı için daha güvenlidir; lenste temizlik önemlidir.",
        "lensle uyunur mu",
        "Çoğuyla hayır, enfeksiyon yapabilir.",
        "Günde kaç saat takılmalı?",
        "Sekiz on saati geçmemeli.",
        "Yeni bir laptop alacağım, 16 GB ram yeter mi?",
        "Günlük işler ve ofis için yeter; video kurgu için 32 düşünün.",
        "oyun da oynarım",
        "O zaman ekran kartına bakın, ram 16 yeter.",
    ),
    (
        *(one.text for one in DIALOGUES[0].said[:6]),
        "Peki dünyanın en uzun asma köprüsü hangi ülkede, ne zaman açıldı?",
        "Çanakkale'de: 1915 Köprüsü 2022'de açıldı, iki kulesi arası 2023 metredir.",
        "kulelerin yüksekliği?",
        "Kuleler 318 metre yüksekliğindedir, çelikten yapılmıştır.",
    ),
    (
        *(one.text for one in DIALOGUES[0].said[:6]),
        "Peki dünyanın en uzun asma köprüsü hangi ülkede, ne zaman açıldı?",
    ),
    (
        "Arapça harfler kaç tane?",
        "Yirmi sekiz harf vardır.",
        "Sesli harf yok mu?",
        "Uzun ünlüler harfle, kısalar harekeyle yazılır.",
        "Peki parke cilası kaç yılda yenilenir?",
        "Yoğun kullanılan evde yedi on yılda bir.",
        "Kendim yapabilir miyim?",
        "Zımpara makinesi kiralayarak yapabilirsiniz.",
    ),
    *(
        [one.text for one in (*DIALOGUES[at].said[:6], *DIALOGUES[at + 7].said[:6])]
        for at in (3, 18, 37)
    ),
]


@pytest.mark.parametrize(
    ("said", "number"), list(zip(_OTHER_SUBJECTS, (7, 7, 7, 5, 7, 7, 7), strict=True))
)
def test_a_lasting_new_subject_is_found_at_its_first_question(
    said: Sequence[str], number: int, lists: PhraseLists, strongest: Embedder
) -> None:
    assert [one.number for one in session_ends(spoken(*said), lists, strongest)] == [number]


@pytest.mark.parametrize("place", [8, 9, 20])
def test_one_question_aside_ends_no_session_where_the_subject_is_taken_up_again(
    place: int, lists: PhraseLists, strongest: Embedder
) -> None:
    subject = [one.text for one in DIALOGUES[place].said[:12]]
    aside = ("Yeni bir laptop alacağım, 16 GB ram yeter mi?", "Tamam, kısaca anlattım.")
    said = spoken(*subject[:6], *aside, *subject[6:])
    assert session_ends(said, lists, strongest) == []
