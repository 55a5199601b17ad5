"""A fact rests on the user's own words, or it is none."""

import pytest

from desktop.domain.facts import ProposedFact, Support
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.messages import Message
from desktop.memory.quote_verification import find_support
from desktop.sessions.assistant_context import shipped_phrases
from tests.archives import stored

PHRASES = shipped_phrases()


def said(*texts: str) -> list[Message]:
    """In turn, the user first."""
    return [
        stored(SessionId("s"), number, text).message for number, text in enumerate(texts, start=1)
    ]


def support(content: str, quote: str, messages: list[Message]) -> Support | None:
    return find_support(ProposedFact("Konu", content, 5, quote), messages, PHRASES)


@pytest.mark.parametrize(
    "quote",
    [
        "tip 1 diyabetim var",
        "Tip 1 DİYABETİM  var",
        "tip 1 diyabetim var.",
        "“tip 1 diyabetim var”",
    ],
)
def test_the_quoted_words_are_found_however_they_are_written(quote: str) -> None:
    messages = said("Benim tip 1 diyabetim var, ne yemeliyim?", "Sebze.")
    found = support("Kullanıcının tip 1 diyabeti var.", quote, messages)
    assert found == Support(MessageId(1), 6, 19)


def test_words_with_apostrophes_are_found() -> None:
    messages = said("İzmir'de oturuyorum.", "Güzel.")
    assert support("Kullanıcı İzmir'de yaşıyor.", "İzmir’de oturuyorum", messages)


def test_what_only_the_assistant_said_supports_nothing() -> None:
    messages = said("Ne yemeliyim?", "Senin tip 1 diyabetin var.")
    assert support("Kullanıcının tip 1 diyabeti var.", "tip 1 diyabetin var", messages) is None


def test_what_the_user_confirms_counts() -> None:
    messages = said("Ne yemeliyim?", "Tip 1 diyabetin mi var?", "Evet, aynen öyle.", "Peki.")
    found = support("Kullanıcının tip 1 diyabeti var.", "Evet, aynen öyle", messages)
    assert found is not None
    assert found.message_id == 3


def test_a_yes_to_something_else_supports_nothing() -> None:
    messages = said("Ne yemeliyim?", "Sebze sever misin?", "Evet, aynen öyle.", "Peki.")
    assert support("Kullanıcının tip 1 diyabeti var.", "Evet, aynen öyle", messages) is None


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        ("Tip 1 diyabetin olabilir.", "Teşekkürler!"),
        ("Tip 1 diyabetin olabilir.", "Tamam."),
        ("Tip 1 diyabetin olabilir.", "Emin misin?"),
        ("Tip 1 diyabetin olabilir.", "Saçmalama."),
        ("Tip 1 diyabetin mi var?", "Hayır."),
        ("Tip 1 diyabetin mi var?", "Yok."),
        ("Tip 1 diyabetin mi var?", "Bilmiyorum."),
        ("Tip 1 diyabetin mi var?", "Ne demek?"),
        ("Tip 1 diyabetin mi var?", "Teşekkürler!"),
        ("Tip 1 diyabetin mi var?", "No."),
        ("Tip 1 diyabetin mi var?", "I don't know."),
    ],
)
def test_thanks_a_doubt_or_a_no_confirms_nothing(claim: str, answer: str) -> None:
    messages = said("Ne yemeliyim?", claim, answer, "Peki.")
    assert support("Kullanıcının tip 1 diyabeti var.", answer, messages) is None


@pytest.mark.parametrize(
    ("asked", "answer", "content"),
    [
        ("Tip 1 diyabetin mi var?", "Hayır", "Kullanıcının tip 1 diyabeti yok."),
        ("Do you eat meat?", "No", "The user does not eat meat."),
        ("Kaç yaşındasın?", "Kırk iki", "Kullanıcı 42 yaşında."),
        ("Sabahları yürüyelim mi?", "Tamam", "Kullanıcı sabahları yürüyecek."),
        ("So you are allergic to nuts.", "Right", "The user is allergic to nuts."),
    ],
)
def test_an_answer_to_what_was_asked_counts(asked: str, answer: str, content: str) -> None:
    assert support(content, answer, said("Ne yemeliyim?", asked, answer, "Peki.")) is not None


def test_words_that_do_not_say_it_support_nothing() -> None:
    messages = said("Bugün hava çok güzel.", "Evet.")
    assert support("Kullanıcının tip 1 diyabeti var.", "hava çok güzel", messages) is None


@pytest.mark.parametrize(
    "pasted",
    [
        "Şuna bak:\n> Benim tip 1 diyabetim var\nNe dersin?",
        "Şuna bak:\n```\nBenim tip 1 diyabetim var\n```\nNe dersin?",
        "Şuna bak:\n```\nBenim tip 1 diyabetim var",
    ],
)
def test_what_was_pasted_is_not_the_users_word(pasted: str) -> None:
    messages = said(pasted, "Anladım.")
    assert support("Kullanıcının tip 1 diyabeti var.", "tip 1 diyabetim var", messages) is None


def test_half_a_word_is_no_quote() -> None:
    messages = said("Diyabetimiz yok.", "Peki.")
    assert support("Kullanıcının diyabeti var.", "diyabetim", messages) is None


@pytest.mark.parametrize(
    ("content", "quote", "said_"),
    [
        ("Kullanıcının kızı Elif 12 yaşında.", "kızım Elif", "Kızım Elif 7 yaşında."),
        ("Kullanıcı 12 mg kullanıyor.", "10 mg kullanıyorum", "Günde 10 mg kullanıyorum."),
        ("Metformin kanser yapar.", "Metformin kanser yapar mı", "Metformin kanser yapar mı?"),
        ("The user can eat nuts.", "Can I eat nuts", "Can I eat nuts?"),
    ],
)
def test_another_number_or_a_question_supports_nothing(
    content: str, quote: str, said_: str
) -> None:
    assert support(content, quote, said(said_, "Peki.")) is None


def test_the_topic_alone_supports_nothing() -> None:
    proposed = ProposedFact("Metformin", "Kullanıcı kanser hastası.", 5, "metformin")
    assert find_support(proposed, said("Bana metformin anlat.", "Peki."), PHRASES) is None


def test_a_question_can_say_something_beside_what_it_asks() -> None:
    messages = said("Kızım Elif için ne önerirsin?", "Kitap.")
    assert support("Kullanıcının kızının adı Elif.", "Kızım Elif için ne önerirsin", messages)


def test_a_number_that_the_user_confirmed_counts() -> None:
    messages = said("Kızım için öner.", "Kızın 7 yaşında, değil mi?", "Evet, doğru.", "Peki.")
    assert support("Kullanıcının kızı 7 yaşında.", "Evet, doğru", messages)


@pytest.mark.parametrize(
    ("asked", "quote", "content"),
    [
        ("Forget that I live in Lisbon", "I live in Lisbon", "They live in Lisbon."),
        (
            "Thanks. Please forget that I live in Lisbon.",
            "I live in Lisbon",
            "They live in Lisbon.",
        ),
        ("Tip 1 diyabetim olduğunu unut.", "Tip 1 diyabetim", "Kullanıcının tip 1 diyabeti var."),
    ],
)
def test_a_request_to_forget_supports_nothing(asked: str, quote: str, content: str) -> None:
    assert support(content, quote, said(asked, "Tamam.")) is None


def test_what_is_said_beside_a_request_to_forget_counts() -> None:
    messages = said("I live in Porto now. Forget that I live in Lisbon.", "Fine.")
    assert support("They live in Porto.", "I live in Porto now", messages)


def test_what_the_user_then_wants_forgotten_supports_nothing() -> None:
    messages = said("I live in Lisbon.", "Fine.", "Forget that I live in Lisbon", "Fine.")
    assert support("They live in Lisbon.", "I live in Lisbon", messages) is None


def test_what_is_said_again_after_it_was_to_be_forgotten_counts() -> None:
    messages = said(
        "Forget that I live in Lisbon", "Fine.", "I live in Lisbon after all.", "Fine."
    )
    assert support("They live in Lisbon.", "I live in Lisbon", messages)


def test_a_request_to_forget_leaves_the_rest() -> None:
    messages = said("I live in Porto.", "Fine.", "Forget that I live in Lisbon", "Fine.")
    assert support("They live in Porto.", "I live in Porto", messages)


@pytest.mark.parametrize(
    ("message", "quote"),
    [
        ("Şeker hastalığım var, bunu kaydetme. Ne yemeliyim?", "Şeker hastalığım var"),
        ("Bunu belleğine yazma: şeker hastalığım var.", "şeker hastalığım var"),
        ("Şeker hastalığım var, not almana gerek yok.", "Şeker hastalığım var"),
        ("Şeker hastalığım var, aramızda kalsın.", "Şeker hastalığım var"),
    ],
)
def test_what_is_to_be_kept_out_of_the_memory_supports_nothing(message: str, quote: str) -> None:
    assert support("Kullanıcının şeker hastalığı var.", quote, said(message, "Peki.")) is None


@pytest.mark.parametrize(
    "message",
    [
        "Do not remember this: I am divorced.",
        "Off the record, I am divorced.",
        "I am divorced. I'd rather you didn't save that.",
        "I am divorced, leave that out of your notes.",
    ],
)
def test_what_is_said_off_the_record_supports_nothing(message: str) -> None:
    assert support("The user is divorced.", "I am divorced", said(message, "Fine.")) is None


def test_a_wish_to_keep_something_out_means_what_was_said_right_before() -> None:
    messages = said("Boşandım.", "Üzüldüm.", "Bunu sakın hatırlama.", "Peki.")
    assert support("Kullanıcı boşandı.", "Boşandım", messages) is None


def test_a_wish_to_keep_something_out_names_what_was_said_long_before() -> None:
    messages = said(
        "Maaşım 90 bin.", "Tamam.", "Kedim Pamuk.", "Ne hoş.", "Maaşımı aklında tutma."
    )
    assert support("Kullanıcının maaşı 90 bin.", "Maaşım 90 bin", messages) is None
    assert support("Kullanıcının kedisinin adı Pamuk.", "Kedim Pamuk", messages)


@pytest.mark.parametrize(
    "message",
    [
        "Sözcükleri hatırlamıyorum, boşandım.",
        "Kaydetme tuşu çalışmıyor, boşandım.",
        "Dosyayı kaydetmeden çıktım, boşandım.",
        "Yanıtı uzun tutma, boşandım.",
        "Bunu unutma: boşandım.",
    ],
)
def test_other_words_about_keeping_leave_what_is_said_with_them(message: str) -> None:
    assert support("Kullanıcı boşandı.", "boşandım", said(message, "Peki."))


def test_what_the_model_says_ends_a_fact_may_be_told_in_other_words() -> None:
    messages = said("We broke up last month.", "Sorry.", "We broke down near Kent?", "Oh.")
    content = "The user is no longer in a relationship."
    ended = ProposedFact("Konu", content, 5, "We broke up", replaces=FactId("old"))
    assert find_support(ended, messages, PHRASES) == Support(MessageId(1), 0, 11)
    assert support(content, "We broke up", messages) is None
    unsaid = ProposedFact("Konu", content, 5, "we split up", replaces=FactId("old"))
    assert find_support(unsaid, messages, PHRASES) is None
