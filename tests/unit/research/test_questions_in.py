"""A message parted into what is looked up, where no model plans."""

import pytest

from desktop.research.tiers.plans import split_into_questions
from desktop.sessions.prompts_and_phrases import shipped_phrases


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        (
            "Müsilaj ne zaman görüldü ve azot yükü nasıl değişti?",
            ["Müsilaj ne zaman görüldü", "azot yükü nasıl değişti?"],
        ),
        ("What is WAL? How are files locked?", ["What is WAL?", "How are files locked?"]),
        ("Zeytin", ["Zeytin"]),
    ],
)
def test_each_question_is_looked_up_by_itself(text: str, questions: list[str]) -> None:
    assert [one.question for one in split_into_questions(text, shipped_phrases())] == questions


@pytest.mark.parametrize(
    "text",
    ["Müsilaj nedir ve nasıl oluşur?", "Zeytin ne kadar su ister ve ne zaman budanır?"],
)
def test_what_leans_on_the_first_half_is_not_looked_up_without_it(text: str) -> None:
    assert [one.question for one in split_into_questions(text, shipped_phrases())] == [text]
