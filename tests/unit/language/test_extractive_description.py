import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.domain.language import Language
from desktop.domain.sessions import DescribedBy
from desktop.language.describing.extractive_description import LONGEST_TITLE, describe, make_title
from desktop.language.intents import PhraseLists
from tests.costs import grows_with_length, grows_with_size
from tests.examples import examples
from tests.unit.language.transcripts import read_dialogue

DIALOGUES = [
    (
        "diabetes_tr",
        "Dawn fenomeni ve Somogyi etkisi",
        {"Somogyi etkisi", "Dawn fenomeni", "insülin"},
    ),
    (
        "ottoman_tr",
        "Osmanlı'da tahrir defterleri ne işe yarardı?",
        {"tahrir defterleri", "Osmanlı"},
    ),
    ("quantum_tr", "Kuantum dolanıklığı ve Bell eşitsizliği", {"kuantum dolanıklığı"}),
    ("short_tr", "Fotosentez", {"Fotosentez"}),
    ("maya_tr", "Evde ekşi maya nasıl yapılır", {"ekşi maya", "çavdar unu"}),
    (
        "vague_tr",
        "Marmaray, İstanbul Boğazı'nın altından geçen bir demiryolu tünelidir",
        {"Marmaray"},
    ),
    ("tides_en", "How tides work", {"tidal range", "spring tides", "Moon"}),
    (
        "python_en",
        "RuntimeError: This event loop is already running",
        {"event loop", "Jupyter notebook"},
    ),
    ("budget_en", "Bretton Woods system and Triffin dilemma", {"Triffin dilemma", "Nixon shock"}),
]


@pytest.mark.parametrize(("name", "title", "topics"), DIALOGUES)
def test_a_session_gets_the_title_and_topics_a_reader_would_give_it(
    name: str, title: str, topics: set[str], lists: PhraseLists
) -> None:
    described = describe(read_dialogue(name), Language(name[-2:]), lists)
    assert described.title == title
    assert topics <= set(described.topics)
    assert 3 <= len(described.topics) <= 7
    assert described.by is DescribedBy.EXTRACTION
    # The summary is two or three plain sentences of the answers.
    assert 0 < len(described.summary) <= 400
    assert described.summary[0].isupper()
    assert described.summary[-1] in ".!"
    assert not re.search(r"\*\*|\||^- |`|\n", described.summary)


@pytest.mark.parametrize(
    ("asked", "language", "title"),
    [
        (
            "Why did the Tay Bridge fall? This is for Margaret, Robert and Elizabeth.",
            Language.EN,
            "Why did the Tay Bridge fall?",
        ),
        (
            "2015 model bir Corolla'm var. Hangi yağı koymalıyım? Acelem var.",
            Language.TR,
            "2015 model bir Corolla'm var",
        ),
        ("Is the cello too hard? i'm 41", Language.EN, "Is the cello too hard?"),
    ],
)
def test_text_after_the_question_is_no_title(
    lists: PhraseLists, asked: str, language: Language, title: str
) -> None:
    assert describe([("user", asked)], language, lists).title == title


def test_the_forms_of_a_word_are_one_topic_and_the_bare_one_is_shown(lists: PhraseLists) -> None:
    talk = [
        ("user", "İnsülinin görevi ne? İnsüline direnç nasıl gelişir?"),
        ("assistant", "Hücreler insüline yanıt vermez. Pankreas daha çok insülin salgılar."),
        ("assistant", "Pankreasın insülini yetmez. Hücrelerin insülinden yararlanması azalır."),
    ]
    topics = [topic.lower() for topic in describe(talk, Language.TR, lists).topics]
    assert sorted(topics) == ["direnç", "insülin", "pankreas"]


def test_a_session_without_content_still_gets_a_title(lists: PhraseLists) -> None:
    assert describe([("user", "merhaba")], Language.TR, lists).title == "Merhaba"
    assert describe([], Language.EN, lists).topics == ()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=300)), max_size=8),
    st.sampled_from(Language),
)
def test_any_dialogue_can_be_described(
    lists: PhraseLists, talk: list[tuple[str, str]], language: Language
) -> None:
    described = describe(talk, language, lists)
    assert len(described.title) <= 60
    assert len(described.summary) <= 400
    assert len(described.topics) <= 7
    assert all(topic.strip() for topic in described.topics)


def test_describing_a_session_takes_linear_time(lists: PhraseLists) -> None:
    talk = [
        (role, (text + "\n\n") * (1_000 // len(text) + 1))
        for name in ("diabetes_tr", "ottoman_tr", "quantum_tr", "maya_tr")
        for role, text in read_dialogue(name)
    ]
    talk = [(role, text[:1_000]) for role, text in talk * 20][:320]
    assert grows_with_size(lambda part: describe(part, Language.TR, lists), talk[:40], talk)


@pytest.mark.parametrize("piece", ["a", "a.", "a-", "1"])
def test_a_paste_without_a_space_takes_linear_time(lists: PhraseLists, piece: str) -> None:
    assert grows_with_length(
        lambda text: describe([("user", text)], Language.EN, lists), piece, 80_000
    )


def test_the_commands_of_formulas_are_no_topics(lists: PhraseLists) -> None:
    formulas = r"Kökler $\frac{-b}{2a}$, $\frac{b}{a}$ ve $\sqrt{\frac{c}{a}}$ olur."
    talk = [("user", "İkinci dereceden denklem nasıl çözülür?"), ("assistant", formulas * 3)]

    described = describe(talk, Language.TR, lists)
    assert not {"frac", "sqrt"} & set(" ".join(described.topics).lower().split())
    assert "frac" not in described.summary


def test_a_remark_about_an_answer_is_not_its_summary(lists: PhraseLists) -> None:
    said = "Şafak olayı, sabaha karşı hormonların kan şekerini yükseltmesidir."
    remark = "*Bu yanıt sorunun dilinde gelmedi; model şafak olayı için başka bir dilde yazdı.*"
    messages = [("user", "Şafak olayı nedir?"), ("assistant", f"{said}\n\n{remark}")]
    assert describe(messages, Language.TR, lists).summary == said


PUMP = [
    ("user", "Why does my heat pump short cycle? It is 8 kW. The unit hums for 3 minutes."),
    (
        "assistant",
        "A pump that is too large short cycles. The heating curve of the pump is wrong.",
    ),
    ("user", "How do I set it?"),
    ("assistant", "Lower the curve by two steps, wait for three days, then lower it again."),
    ("user", "Which one first? I see. I'll try the curve first and leave the buffer tank."),
    ("assistant", "Good. Write down the temperatures."),
]
BREAD = [
    ("user", "Ekşi mayalı ekmeğin içi neden hamur kalıyor? Hamurum 1 kg, nemi %78."),
    ("assistant", "Ekmeğin içi, ekşi mayanın gücü azsa hamur kalır. 45 dakika pişirin."),
    ("user", "Sıvı gübreyi değil, mayayı soruyorum."),
    ("assistant", "Ekşi mayayı 6 saatte bir besleyin. Ekmeğin sıcaklığı önemlidir."),
    ("user", "Tamam, %70 ile deneyeceğim."),
    ("assistant", "Güzel."),
]


def test_topics_are_phrases_in_their_base_form_without_verbs_and_units(lists: PhraseLists) -> None:
    english = describe(PUMP, Language.EN, lists)
    assert "heat pump" in english.topics
    assert not {"hums", "lower", "days", "minutes", "steps", "try"} & set(english.topics)
    turkish = describe(BREAD, Language.TR, lists)
    assert {"ekşi maya", "ekmek"} <= set(turkish.topics)
    assert not {"saat", "dakika", "ekmeğin", "kg"} & set(turkish.topics)


def test_a_summary_has_the_questions_numbers_and_what_the_user_decided(lists: PhraseLists) -> None:
    english = describe(PUMP, Language.EN, lists)
    assert english.title == "Why does my heat pump short cycle?"
    assert english.summary.startswith("It is 8 kW.")
    assert english.summary.endswith("I'll try the curve first and leave the buffer tank.")
    turkish = describe(BREAD, Language.TR, lists)
    assert "nemi %78." in turkish.summary
    assert turkish.summary.endswith("Tamam, %70 ile deneyeceğim.")


@pytest.mark.parametrize("asked", ["Who invented the lithium ion battery?", "Should I repot it?"])
def test_a_whole_question_keeps_its_question_mark(asked: str, lists: PhraseLists) -> None:
    assert describe([("user", asked)], Language.EN, lists).title == asked


@pytest.mark.parametrize(
    ("language", "question", "title"), examples(__file__, "title_of_a_question")
)
def test_a_title_of_a_question_drops_the_asking_phrase(
    language: str, question: str, title: str
) -> None:
    assert make_title(question, Language(language)) == title


def test_a_long_title_is_cut_at_a_word() -> None:
    title = make_title("yazılım ekiplerinde " * 9 + "verimliliği", Language.TR)
    assert len(title) <= LONGEST_TITLE
    assert set(title.rstrip("…").lower().split()) <= {"yazılım", "ekiplerinde"}


@given(st.text(max_size=200), st.sampled_from(Language))
def test_no_title_is_too_long_or_has_a_line_break(text: str, language: Language) -> None:
    title = make_title(text, language)
    assert len(title) <= LONGEST_TITLE
    assert "\n" not in title


@pytest.mark.parametrize(
    ("question", "topic", "language"),
    [
        ("How does attention work in a transformer?", "attention", Language.EN),
        ("What does compound interest mean for a mortgage?", "compound interest", Language.EN),
        ("why do cats knead blankets?", "cats", Language.EN),
        ("My manager keeps moving my deadlines. How do I talk to her?", "manager", Language.EN),
        ("Can you plan a week in Lisbon with two children?", "Lisbon", Language.EN),
        ("Oğlum bu yıl LGS'ye girecek, nasıl bir plan yapalım?", "LGS", Language.TR),
        ("Osmanlıca öğrenmek istiyorum, nereden başlamalıyım?", "Osmanlıca", Language.TR),
        ("Cemal Süreya'nın şiir anlayışı nasıldı?", "Cemal Süreya", Language.TR),
        ("Ahşap sandalyemin ayağı sallanıyor, ne yapayım?", "Ahşap sandalye", Language.TR),
        ("Küçük bir kafe açmak istiyorum, ne kadar para gerekir?", "kafe", Language.TR),
    ],
)
def test_the_first_topic_is_what_the_first_question_is_about(
    question: str, topic: str, language: Language, lists: PhraseLists
) -> None:
    assert describe([("user", question)], language, lists).topics[0] == topic


def test_the_words_of_a_hyphenated_word_stay_together(lists: PhraseLists) -> None:
    asked = "I want to grow tomatoes on a south-facing balcony. What should I watch out for?"
    topics = describe([("user", asked)], Language.EN, lists).topics
    assert "south-facing balcony" in topics
    assert not {"south", "facing", "facing balcony"} & set(topics)


def test_a_remark_behind_the_outcome_is_no_part_of_the_summary(lists: PhraseLists) -> None:
    messages = [
        ("user", "How do I agree on deadlines with my manager?"),
        ("assistant", "Suggest a weekly meeting where deadlines are agreed and written down."),
        ("user", "I'll ask for the meeting on Monday. Wish me luck, I'm going to make tea now."),
    ]
    summary = describe(messages, Language.EN, lists).summary
    assert summary.endswith("I'll ask for the meeting on Monday.")
