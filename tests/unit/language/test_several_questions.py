"""A message that asks several things at once."""

import pytest

from desktop.language.sentences import before_each_mark, joined

JOINS = ("ve", "and")


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        (
            "Müsilaj ne zaman görüldü ve azot yükü nasıl değişti",
            ["Müsilaj ne zaman görüldü", "azot yükü nasıl değişti"],
        ),
        ("What is WAL and how are files locked", ["What is WAL", "how are files locked"]),
        ("Ekmek ve su nasıl karışır", []),
        ("Bread and butter, what is it", []),
    ],
)
def test_two_questions_are_joined_where_each_half_asks(text: str, halves: list[str]) -> None:
    assert [one.strip() for one in joined(text, JOINS)] == halves


def test_one_question_mark_parts_nothing_and_the_same_question_counts_once() -> None:
    assert before_each_mark("Nedir?") == []
    assert before_each_mark("Nedir? Nasıl olur? Nedir?") == ["Nedir?", "Nasıl olur?"]
