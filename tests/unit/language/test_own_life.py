"""Questions about the user's own life, told from all others."""

import pytest

from desktop.language.personal_questions import asks_of_own_life, asks_what_was


@pytest.mark.parametrize(
    "question",
    [
        "Hangi ilçede oturuyorum?",
        "Mesleğim neydi benim?",
        "Neye alerjim var?",
        "Yaşadığım şehir hakkında ne biliyorsun?",
        "Kaç kilo olduğumu hatırlıyor musun?",
        "Evli miyim?",
        "Which town do I live in?",
        "What do you remember about my job?",
        "How tall am I?",
        "Do I have any pets?",
        "What car do I drive?",
    ],
)
def test_what_is_asked_of_ones_own_life_is_heard(question: str) -> None:
    own = asks_of_own_life(question)
    assert own is not None
    assert own.is_only_asked


@pytest.mark.parametrize(
    "said",
    [
        "Alerji nedir?",
        "Papağanlar kaç yıl yaşar?",
        "Eğitim sistemi nasıl işler?",
        "Ankara'nın nüfusu kaç?",
        "What is a house?",
        "How long do beagles live?",
        "Is Spanish hard to learn?",
        "Teşekkürler",
        "I live in Leeds.",
        "Bursa'da yaşıyorum.",
    ],
)
def test_nothing_else_is_taken_for_it(said: str) -> None:
    assert asks_of_own_life(said) is None


@pytest.mark.parametrize(
    "wish", ["Evimi nasıl ısıtmalıyım?", "Can you write a letter to my boss?", "İşim için CV yaz."]
)
def test_work_on_a_part_of_it_asks_for_no_memory_alone(wish: str) -> None:
    own = asks_of_own_life(wish)
    assert own is None or not own.is_only_asked


def test_what_was_is_told_from_what_is() -> None:
    assert asks_what_was("Eskiden nerede yaşıyordum?")
    assert asks_what_was("Where did I live before?")
    assert not asks_what_was("Nerede yaşıyorum?")
