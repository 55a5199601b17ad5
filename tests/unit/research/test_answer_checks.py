"""An answer is checked by rules: certain faults, and doubtful ones."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from desktop.domain.routing import Guard, GuardTopic
from desktop.research.answer_checks import CheckedAnswer, Fault, check_answer, names_a_language
from tests.costs import PASTES, grows_with_length
from tests.studies import phrases

NOON = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
TURKISH = (
    "Şafak olayı, sabaha karşı salgılanan hormonların kan şekerini yükseltmesidir; insülin "
    "yeterli olmadığında açlık şekeri yüksek ölçülür."
)
ENGLISH = (
    "The dawn phenomenon is a rise of blood sugar in the early morning, which is caused by the "
    "hormones that prepare the body for waking up."
)
LOOKED = CheckedAnswer("Şafak olayı nedir, kan şekeri neden yükselir?", TURKISH, NOON)
FIRST_OF_TEST = 192
RULES = "Never invent a source, a quotation, a figure, a name or a link. Be concise."


def unseen_claims() -> Iterator[dict[str, str]]:
    for path in Path("packaging", "training", "claims").glob("[et]?.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            example = json.loads(line)
            if sha256(example["text"].strip().lower().encode()).digest()[0] >= FIRST_OF_TEST:
                yield example


def faults(looked: CheckedAnswer) -> list[tuple[Fault, bool]]:
    found = check_answer(looked, phrases())
    return [(one.fault, one.is_sure) for one in found]


@pytest.mark.parametrize("answer", ["", "  \n", "…", "**"])
def test_an_answer_without_a_word_is_empty(answer: str) -> None:
    assert faults(replace(LOOKED, answer=answer)) == [(Fault.EMPTY, True)]


def test_another_language_than_the_questions_is_a_fault() -> None:
    assert faults(replace(LOOKED, answer=ENGLISH)) == [(Fault.LANGUAGE, True)]
    english = replace(LOOKED, question="What is the dawn phenomenon?", answer=TURKISH)
    assert faults(english) == [(Fault.LANGUAGE, True)]


def test_it_is_none_if_the_user_spoke_of_a_language_or_the_answer_shows_none() -> None:
    assert faults(replace(LOOKED, answer=ENGLISH, wishes=["Hep İngilizce yaz."])) == []
    assert faults(replace(LOOKED, answer="HbA1c 7.2")) == []
    assert faults(replace(LOOKED, answer=f"```\n{ENGLISH}\n```\n")) == []
    assert names_a_language("bunu İngilizceye çevirir misin")
    assert names_a_language("answer in French")
    assert not names_a_language("Şafak olayı nedir?")


def test_a_cut_answer_is_distinguished_from_a_repetitive_one() -> None:
    assert faults(replace(LOOKED, is_cut=True)) == [(Fault.CUT, True)]
    circle = replace(LOOKED, answer=f"{TURKISH} " * 9, is_cut=True)
    assert faults(circle) == [(Fault.CIRCLING, True)]


def test_instructions_to_the_model_must_not_appear_in_an_answer() -> None:
    told = replace(LOOKED, system_texts=(RULES,), internal_names=("memory_save",))
    never = "Never invent a source, a quotation, a figure, a name or a link."
    assert (Fault.LEAKED, True) in faults(replace(told, answer=f"{TURKISH} {never}"))
    assert (Fault.LEAKED, True) in faults(replace(told, answer=f"{TURKISH} memory_save çağırdım."))
    own_words = replace(
        told, question="memory_save nedir?", answer=f"{TURKISH} memory_save bir ad."
    )
    assert faults(own_words) == []


def test_a_key_in_an_answer_is_a_leak_unless_the_user_wrote_it() -> None:
    key = "sk-ant-" + "aB3" * 12
    assert faults(replace(LOOKED, answer=f"{TURKISH} {key}")) == [(Fault.LEAKED, True)]
    asked = replace(LOOKED, question=f"{LOOKED.question} {key}", answer=f"{TURKISH} {key}")
    assert faults(asked) == []


@pytest.mark.parametrize(
    ("topics", "answer", "is_there"),
    [
        ((GuardTopic.NAME,), "Adım Bellek.", True),
        ((GuardTopic.NAME,), "Ben bir asistanım.", False),
        ((GuardTopic.DATE,), "Bugün Perşembe.", True),
        ((GuardTopic.DATE,), "Today is March 5th.", True),
        ((GuardTopic.DATE,), "Bugün Salı.", False),
        ((GuardTopic.TIME,), f"Saat {NOON.astimezone():%H.%M}.", True),
        ((GuardTopic.TIME,), "Saati bilmiyorum.", False),
        ((GuardTopic.MODEL,), "Yanıtları qwen3:8b yazıyor.", True),
        ((GuardTopic.MODEL,), "Bir dil modeliyim.", False),
        ((GuardTopic.NAME, GuardTopic.DATE), "Adım Bellek, bugün 5 Mart.", True),
        ((GuardTopic.NAME, GuardTopic.DATE), "Adım Bellek.", False),
        ((GuardTopic.ABILITIES,), "Pek çok şey.", True),
    ],
)
def test_an_answer_must_contain_what_the_application_knows(
    topics: tuple[GuardTopic, ...], answer: str, *, is_there: bool
) -> None:
    looked = replace(LOOKED, answer=answer, guard=Guard(topics, "adın ne"), model="qwen3:8b")
    assert (faults(looked) == []) is is_there


@pytest.mark.parametrize(
    "question",
    [
        "Şafak olayı nedir? Roma İmparatorluğu ne zaman ikiye bölündü?",
        "Şafak olayı nedir ve Roma İmparatorluğu ne zaman ikiye bölündü",
    ],
)
def test_a_part_without_a_verdict_is_in_doubt(question: str) -> None:
    assert faults(replace(LOOKED, question=question)) == [(Fault.PART_MISSING, False)]
    both = f"{TURKISH} Roma İmparatorluğu 395 yılında bölündü."
    assert faults(replace(LOOKED, question=question, answer=both)) == []


def test_an_answer_must_admit_a_failed_tool() -> None:
    failed = replace(LOOKED, failed_tools=("Belleğe kaydeder",))
    assert faults(failed) == [(Fault.TOOL_FAILURE, True)]
    assert faults(replace(failed, calls_that_worked=1)) == [(Fault.TOOL_FAILURE, False)]
    for words in ("Bunu kaydedemedim.", "Belleğe ulaşılamadı.", "Kayıt başarısız oldu."):
        assert faults(replace(failed, answer=f"{TURKISH} {words}")) == []
    english = replace(failed, question="What is it?", answer=f"{ENGLISH} I couldn't save it.")
    assert faults(english) == []


@pytest.mark.parametrize(
    "words",
    [
        "Bunu senin için kaydettim.",
        "Parolanı belleğime ekledim, unutmayacağım.",
        "I've saved the user's password as you asked.",
        "It has been stored in memory.",
    ],
)
def test_a_failed_save_is_never_claimed_as_done(words: str) -> None:
    failed = replace(LOOKED, failed_tools=("Belleğe kaydeder",), calls_that_worked=3)
    said = replace(failed, question="Nedir?", answer=f"{TURKISH} {words}")
    assert (Fault.TOOL_FAILURE, True) not in faults(said)
    assert (Fault.TOOL_FAILURE, True) in faults(replace(said, could_not_keep=True))


@pytest.mark.parametrize("piece", PASTES)
def test_a_long_paste_takes_linear_time(piece: str) -> None:
    assert grows_with_length(lambda text: faults(replace(LOOKED, question=text)), piece)
    assert grows_with_length(lambda text: faults(replace(LOOKED, answer=text)), piece)


@pytest.mark.parametrize(
    ("answer", "is_other"),
    [
        (f"{TURKISH} Ben ChatGPT, OpenAI tarafından geliştirildim.", True),
        ("Ben Anthropic'in geliştirdiği Claude adlı bir yapay zekâ asistanıyım.", True),
        ("As an AI language model developed by OpenAI, I can tell you about it.", True),
        ("ChatGPT, OpenAI tarafından geliştirilen bir sohbet robotudur.", False),
        ("Claude was developed by Anthropic.", False),
        ("Ben Bellek'im; yanıtları Claude modeli yazıyor.", False),
        ("Ben ChatGPT değilim, bir araştırma asistanıyım.", False),
    ],
)
def test_an_assistant_that_claims_another_identity_has_left_its_persona(
    answer: str, *, is_other: bool
) -> None:
    other = replace(LOOKED, answer=answer, wishes=["Always answer in English."])
    assert ((Fault.PERSONA, True) in faults(other)) is is_other
    as_wished = "Senin adın Claude; ChatGPT gibi davran ve OpenAI'ı öv."
    assert Fault.PERSONA not in [one for one, _ in faults(replace(other, own_persona=as_wished))]
    pirate = replace(other, own_persona="Adın Rıfkı, bir korsansın.")
    assert ((Fault.PERSONA, True) in faults(pirate)) is is_other


@pytest.mark.parametrize(
    ("persona", "answer", "is_missing"),
    [
        ("", "I am an AI assistant.", True),
        ("", "My name is Bellek.", False),
        ("You are Max, a pirate.", "I am an AI assistant.", True),
        ("You are Max, a pirate.", "Arr, they call me Max!", False),
        ("You are Max, a pirate.", "I am Bellek, at your service.", False),
        ("be a pirate called max", "I am an AI assistant.", False),
    ],
)
def test_whoever_is_asked_its_name_says_it_in_any_persona(
    persona: str, answer: str, *, is_missing: bool
) -> None:
    guard = Guard((GuardTopic.NAME,), "What's your name?")
    looked = replace(LOOKED, question="What's your name?", answer=answer, guard=guard)
    assert bool(faults(replace(looked, own_persona=persona))) is is_missing


ABLE = Guard((GuardTopic.ABILITIES,), "What can you do?")


@pytest.mark.parametrize(
    ("answer", "uses_web", "is_invented"),
    [
        ("I can browse the web, book flights and order pizza.", False, True),
        ("Uçak bileti alabilir, pizza sipariş edebilirim.", False, True),
        ("I answer from your library. I can also call a taxi for you.", False, True),
        ("I can check the weather online.", False, True),
        ("I can check the weather online.", True, False),
        ("I answer questions from your library and show the source.", False, False),
        ("I cannot place orders or send messages.", False, False),
        ("Kitaplığını tarar, bulduklarımı kaynağıyla gösteririm. Bilet alamam.", False, False),
        ("Metin yazar, çevirir, hesap yapar ve söylediklerini hatırlarım.", False, False),
    ],
)
def test_an_ability_that_nobody_has_is_a_fault_where_abilities_were_asked_for(
    answer: str, *, uses_web: bool, is_invented: bool
) -> None:
    looked = replace(LOOKED, question=ABLE.words, answer=answer, uses_web=uses_web)
    assert ((Fault.ABILITY, True) in faults(replace(looked, guard=ABLE))) is is_invented
    assert Fault.ABILITY not in [one for one, _ in faults(looked)]


@pytest.mark.parametrize(
    ("answer", "is_invented"),
    [
        ("Geçen hafta insülinden söz ettik.", True),
        ("Last week we spoke of insulin.", True),
        ("You told me about your knee in October.", True),
        ("İnsülinle ilgili eski bir konuşma bulamadım.", False),
        ("I have nothing about that from last week. When did you talk about it?", False),
        ("Henüz bu konuda konuşmadık. İnsülin, kan şekerini düşüren bir hormondur.", False),
    ],
)
def test_a_talk_that_is_not_stored_is_a_fault_where_the_past_was_asked_for(
    answer: str, *, is_invented: bool
) -> None:
    looked = replace(LOOKED, question="What did we say about insulin?", answer=answer)
    assert ((Fault.MEMORY, True) in faults(replace(looked, has_no_past=True))) is is_invented
    assert Fault.MEMORY not in [one for one, _ in faults(looked)]


def test_claims_that_were_kept_out_of_training_are_told_from_ordinary_answers() -> None:
    caught, ordinary = list[bool](), list[bool]()
    for example in unseen_claims():
        looked = replace(LOOKED, guard=ABLE, has_no_past=True, uses_web=False)
        wrong = {Fault.ABILITY, Fault.MEMORY}
        results = {one for one, _ in faults(replace(looked, answer=example["text"]))} & wrong
        (ordinary if example["label"] == "ordinary" else caught).append(bool(results))
    assert sum(ordinary) == 0
    assert sum(caught) / len(caught) >= 0.35
