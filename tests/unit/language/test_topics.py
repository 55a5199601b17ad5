"""The topics of Turkish conversations: noun phrases in a form that a reader would write."""

import pytest

from desktop.domain.language import Language
from desktop.language.describing.topics import find_topics
from desktop.language.intents import PhraseLists

BACK = [
    ("user", "Bel fıtığım var, ameliyat olmadan geçer mi? Masa başı çalışıyorum."),
    ("assistant", "Bel fıtıklarının çoğu ameliyatsız iyileşir. **Fizik tedavi** önerilir."),
    ("user", "McKenzie egzersizlerini evde yapabilir miyim, pahalı mı?"),
    ("assistant", "McKenzie egzersizleri evde yapılır. Fizik tedavi merkezi de öğretir."),
]
NOVEL = [
    ("user", "Orhan Pamuk'un Kara Kitap romanını okuyorum, nasıl okumalıyım?"),
    ("assistant", "Kara Kitap iki koldan ilerler: Galip'in arayışı ve Celâl'in yazıları."),
    ("user", "Celâl'in yazıları Galip'e nasıl bağlanıyor?"),
    ("assistant", "Galip yazıları sürdürür."),
]
COFFEE = [
    ("user", "Kahve Osmanlı'ya ne zaman geldi?"),
    ("assistant", "Kahve Osmanlı'ya 1540'larda geldi. Yasağın nedeni kahvenin kendisi değildir."),
]
BREAD = [
    ("user", "Ekmeğim neden kabarmıyor? Hamuru akşam yoğuruyorum."),
    ("assistant", "Hamurun mayası zayıf. Parmaklarınızla hamura bastırın, parmağı geri iter."),
    ("user", "Parmakları bastırdım, hamura bir şey olmadı."),
    ("assistant", "Kepek glutenin ağını keser; ekmek kabarmaz."),
]


def topics(talk: list[tuple[str, str]], lists: PhraseLists) -> list[str]:
    shown = (topic.text for topic in find_topics(talk, Language.TR, lists.stop_words))
    return [text[:1].lower() + text[1:] for text in shown]


def test_a_compound_is_shown_as_one_says_it_of_nobody(lists: PhraseLists) -> None:
    shown = topics(BACK, lists)
    assert shown[0] == "bel fıtığı"
    assert "mcKenzie egzersizleri" in shown
    assert not {"pahalı", "fıtık", "bel fıtığım"} & set(shown)


def test_a_name_ends_at_its_apostrophe_and_takes_no_common_noun_along(lists: PhraseLists) -> None:
    shown = topics(NOVEL, lists)
    assert {"orhan Pamuk", "kara Kitap", "galip", "celâl"} <= set(shown)
    assert {"kahve", "osmanlı"} <= set(topics(COFFEE, lists))


def test_a_noun_that_is_never_bare_is_shown_as_its_forms_begin(lists: PhraseLists) -> None:
    shown = topics(BREAD, lists)
    assert {"hamur", "parmak", "ekmek"} <= set(shown)


@pytest.mark.parametrize(
    ("asked", "verb"),
    [
        ("Kara deliğe düşersek ne olur? Kara deliğe düşersek ölür müyüz?", "düşersek"),
        ("Tansiyonu ölçen alet hangisi? Koldan ölçen mi bilekten ölçen mi?", "ölçen"),
        ("Kapıyı boyayın dediler. Kapıyı boyayın demek kolay.", "boyayın"),
    ],
)
def test_a_verb_is_no_topic_however_often_it_is_said(
    lists: PhraseLists, asked: str, verb: str
) -> None:
    assert verb not in topics([("user", asked), ("assistant", "Olur.")], lists)
