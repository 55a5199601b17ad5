"""A fact must rest on the user's own words."""

import pytest

from desktop.domain.facts import FactSupport, ProposedFact
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.messages import Message
from desktop.memory.quote_verification import find_support
from desktop.sessions.conversation.assistant_context import shipped_phrases
from tests.archives import stored

PHRASES = shipped_phrases()
DIABETES = "Kullanıcının tip 1 diyabeti var."
LISBON, PORTO = "They live in Lisbon.", "They live in Porto."
FORGET = "Forget that I live in Lisbon"


def said(*texts: str) -> list[Message]:
    """Messages in turn, the user first."""
    return [
        stored(SessionId("s"), number, text).message for number, text in enumerate(texts, start=1)
    ]


def support(content: str, quote: str, messages: list[Message]) -> FactSupport | None:
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
    found = support(DIABETES, quote, messages)
    assert found == FactSupport(MessageId(1), 6, 19)


@pytest.mark.parametrize(
    ("content", "quote", "messages"),
    [
        # apostrophes
        ("Kullanıcı İzmir'de yaşıyor.", "İzmir’de oturuyorum", ["İzmir'de oturuyorum.", "Güzel."]),
        # a question that also states something
        (
            "Kullanıcının kızının adı Elif.",
            "Kızım Elif için ne önerirsin",
            ["Kızım Elif için ne önerirsin?", "Kitap."],
        ),
        # a number that the user confirmed
        (
            "Kullanıcının kızı 7 yaşında.",
            "Evet, doğru",
            ["Kızım için öner.", "Kızın 7 yaşında, değil mi?", "Evet, doğru.", "Peki."],
        ),
        # beside a request to forget, again after it, and something else before it
        (PORTO, "I live in Porto now", [f"I live in Porto now. {FORGET}.", "Fine."]),
        (LISBON, "I live in Lisbon", [FORGET, "Fine.", "I live in Lisbon after all.", "Fine."]),
        (PORTO, "I live in Porto", ["I live in Porto.", "Fine.", FORGET, "Fine."]),
    ],
)
def test_the_users_own_words_support_it(content: str, quote: str, messages: list[str]) -> None:
    assert support(content, quote, said(*messages))


@pytest.mark.parametrize(
    ("content", "quote", "messages"),
    [
        # only the assistant's
        (DIABETES, "tip 1 diyabetin var", ["Ne yemeliyim?", "Senin tip 1 diyabetin var."]),
        # a yes to something else
        (
            DIABETES,
            "Evet, aynen öyle",
            ["Ne yemeliyim?", "Sebze sever misin?", "Evet, aynen öyle.", "Peki."],
        ),
        # words that do not state the fact
        (DIABETES, "hava çok güzel", ["Bugün hava çok güzel.", "Evet."]),
        # half a word
        ("Kullanıcının diyabeti var.", "diyabetim", ["Diyabetimiz yok.", "Peki."]),
        # words that the user then wants forgotten
        (LISBON, "I live in Lisbon", ["I live in Lisbon.", "Fine.", FORGET, "Fine."]),
        # a request to forget
        (LISBON, "I live in Lisbon", [FORGET, "Fine."]),
        (LISBON, "I live in Lisbon", ["Thanks. Please forget that I live in Lisbon.", "Fine."]),
        (DIABETES, "Tip 1 diyabetim", ["Tip 1 diyabetim olduğunu unut.", "Tamam."]),
        # a request not to keep the words right before
        (
            "Kullanıcı boşandı.",
            "Boşandım",
            ["Boşandım.", "Üzüldüm.", "Bunu sakın hatırlama.", "Peki."],
        ),
    ],
)
def test_words_not_the_users_or_to_be_forgotten_support_nothing(
    content: str, quote: str, messages: list[str]
) -> None:
    assert support(content, quote, said(*messages)) is None


def test_a_confirmed_statement_counts() -> None:
    messages = said("Ne yemeliyim?", "Tip 1 diyabetin mi var?", "Evet, aynen öyle.", "Peki.")
    found = support(DIABETES, "Evet, aynen öyle", messages)
    assert found is not None
    assert found.message_id == 3


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        *(("Tip 1 diyabetin olabilir.", one) for one in ("Teşekkürler!", "Tamam.", "Saçmalama.")),
        *(("Tip 1 diyabetin mi var?", one) for one in ("Hayır.", "Yok.", "Teşekkürler!", "No.")),
        *(("Tip 1 diyabetin mi var?", one) for one in ("Bilmiyorum.", "I don't know.")),
        ("Tip 1 diyabetin olabilir.", "Emin misin?"),
        ("Tip 1 diyabetin mi var?", "Ne demek?"),
    ],
)
def test_thanks_a_doubt_or_a_no_confirms_nothing(claim: str, answer: str) -> None:
    messages = said("Ne yemeliyim?", claim, answer, "Peki.")
    assert support(DIABETES, answer, messages) is None


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


@pytest.mark.parametrize(
    "pasted",
    [
        "Şuna bak:\n> Benim tip 1 diyabetim var\nNe dersin?",
        "Şuna bak:\n```\nBenim tip 1 diyabetim var\n```\nNe dersin?",
        "Şuna bak:\n```\nBenim tip 1 diyabetim var",
    ],
)
def test_pasted_text_is_not_the_users(pasted: str) -> None:
    messages = said(pasted, "Anladım.")
    assert support(DIABETES, "tip 1 diyabetim var", messages) is None


@pytest.mark.parametrize(
    ("content", "quote", "said_"),
    [
        ("Kullanıcının kızı Elif 12 yaşında.", "kızım Elif", "Kızım Elif 7 yaşında."),
        ("Kullanıcı 12 mg kullanıyor.", "10 mg kullanıyorum", "Günde 10 mg kullanıyorum."),
        ("Metformin kanser yapar.", "Metformin kanser yapar mı", "Metformin kanser yapar mı?"),
        ("The user can eat nuts.", "Can I eat nuts", "Can I eat nuts?"),
        ("Kullanıcı kanser hastası.", "metformin", "Bana metformin anlat."),
    ],
)
def test_a_different_number_a_question_or_the_topic_alone_supports_nothing(
    content: str, quote: str, said_: str
) -> None:
    assert support(content, quote, said(said_, "Peki.")) is None


@pytest.mark.parametrize(
    "message",
    [
        "Boşandım, bunu kaydetme. Ne yemeliyim?",
        "Bunu belleğine yazma: boşandım.",
        "Boşandım, not almana gerek yok.",
        "Boşandım, aramızda kalsın.",
        "Do not remember this: I am divorced.",
        "Off the record, I am divorced.",
        "I am divorced. I'd rather you didn't save that.",
        "I am divorced, leave that out of your notes.",
    ],
)
def test_words_to_be_kept_out_of_the_memory_support_nothing(message: str) -> None:
    divorced = {"boşandım": "Kullanıcı boşandı.", "I am divorced": "The user is divorced."}
    quote = "I am divorced" if "I am" in message else "boşandım"
    assert support(divorced[quote], quote, said(message, "Peki.")) is None


def test_a_wish_not_to_store_something_may_refer_to_earlier_messages() -> None:
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
def test_other_mentions_of_remembering_leave_the_sentence(message: str) -> None:
    assert support("Kullanıcı boşandı.", "boşandım", said(message, "Peki."))


def test_a_fact_may_be_ended_in_other_words() -> None:
    messages = said("We broke up last month.", "Sorry.", "We broke down near Kent?", "Oh.")
    content = "The user is no longer in a relationship."
    ended = ProposedFact("Konu", content, 5, "We broke up", replaces=FactId("old"))
    assert find_support(ended, messages, PHRASES) == FactSupport(MessageId(1), 0, 11)
    assert support(content, "We broke up", messages) is None
    unsaid = ProposedFact("Konu", content, 5, "we split up", replaces=FactId("old"))
    assert find_support(unsaid, messages, PHRASES) is None
