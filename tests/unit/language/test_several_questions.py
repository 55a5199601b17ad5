"""A message that asks several things at once."""

import pytest

from desktop.language.sentences import joined

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
