"""What a message brings along to be worked on is no part of what it says."""

import pytest

from desktop.language.hearing.material import without_material


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('translate "who are you" to German', "translate to German"),
        ("“saat kaç” İngilizce nasıl denir", "İngilizce nasıl denir"),
        ("key = 'YOUR_API_KEY'\nclient.chat(key)\nwhy does it fail", "why does it fail"),
        ("```\nwhat time is it\n```\nnot düş", "not düş"),
        ('Traceback (most recent call last):\n  File "a.py", line 3\nneden', "neden"),
    ],
)
def test_code_and_quotations_are_left_out(text: str, said: str) -> None:
    found = without_material(text)
    assert len(found) == len(text)
    assert found.split() == said.split()


@pytest.mark.parametrize(
    "text",
    ["Adın ne?\nVe saat kaç?", '"who are you"', "x = 5 ise y kaç", "Dün gelmedi; neden?\nBilmem."],
)
def test_where_there_is_nothing_else_it_is_what_is_said(text: str) -> None:
    assert without_material(text).split() == text.split()
