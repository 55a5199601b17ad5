import pytest

from desktop.language.intents import PhraseLists
from desktop.language.relevant_sentences import SettledKind, find_outcome, relevant_sentences
from tests.unit.language.test_text_classifier import held_out
from tests.unit.language.transcripts import read_texts


@pytest.mark.parametrize(
    ("question", "dialogue", "begins"),
    [
        ("Somogyi etkisi nedir?", "diabetes_tr", "Somogyi etkisi, gece yaşanan"),
        ("Dawn fenomenini nasıl ayırt ederim, saat 3 ölçümü?", "diabetes_tr", "Dawn fenomen"),
        ("What are neap tides?", "tides_en", "Neap tides are the opposite"),
        ("icmal defterler ne yazar", "ottoman_tr", "Mufassal defterler vergi"),
    ],
)
def test_the_sentence_that_answers_comes_first(
    question: str, dialogue: str, begins: str, lists: PhraseLists
) -> None:
    text = "\n\n".join(read_texts(dialogue))
    found = relevant_sentences(question, text, 3, stop_words=lists.stop_words)
    assert 0 < len(found) <= 3
    assert found[0].text.startswith(begins)
    assert all(text[one.start : one.end] == one.text for one in found)


@pytest.mark.parametrize("question", ["", "nedir?", "mantar zehirlenmesi belirtileri"])
def test_a_text_unrelated_to_the_question_gives_no_passage(
    question: str, lists: PhraseLists
) -> None:
    text = "\n\n".join(read_texts("diabetes_tr"))
    assert relevant_sentences(question, text, 3, stop_words=lists.stop_words) == []


def test_most_decisions_and_few_other_sentences_settle_something() -> None:
    examples = list(held_out("outcomes", "tr", "en"))
    settled = [find_outcome(text) for text, label in examples if label != "other"]
    others = [find_outcome(text) for text, label in examples if label == "other"]
    assert sum(one is not None for one in settled) / len(settled) >= 0.75
    assert sum(one is not None for one in others) / len(others) <= 0.1


def test_a_question_or_the_situation_told_first_settles_nothing() -> None:
    assert find_outcome("Should I go with the cheaper plan?") is None
    assert find_outcome("Bu yıl domates yetiştiriyorum.", is_opening=True) is None
    assert find_outcome("Yarın ustayı arayacağım.", is_opening=True) is SettledKind.NEXT
