"""A compact is compared with the messages it replaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.memory.summary_check import Missing, find_missing
from tests.costs import PASTES, grows_with_length
from tests.examples import examples

TR = """Doktorum Dr. Ayşe Yılmaz 12 Ekim 2026'da Ankara'da 5 mg Metformin verdi; HbA1c %7,2 çıktı.
Günde 1.250 adım attım, rapor_v2.xlsx dosyasına yazdım. Sonra ValueError verdi (HTTP 404)."""
EN = """My doctor, Dr. John Smith, gave me 5 mg of Metformin in Boston on October 12, 2026; my
HbA1c was 7.2%. I walked 1,250 steps a day and wrote that into report_v2.xlsx. Then there was a
ValueError (HTTP 404)."""


@pytest.mark.parametrize("text", [TR, EN])
def test_a_text_lacks_nothing_compared_with_itself(text: str) -> None:
    assert not find_missing([text], text)


def test_missing_items_are_named_as_written_and_by_kind() -> None:
    assert find_missing([TR], "Kullanıcı ilaç aldı.") == Missing(
        numbers=("5 mg", "%7,2", "1.250", "404"),
        dates=("12 Ekim 2026",),
        names=("Ayşe", "Yılmaz", "Ankara", "Metformin", "HbA1c", "ValueError", "HTTP"),
        files=("rapor_v2.xlsx",),
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    examples(__file__, "a_paraphrase_is_not_missing"),
)
def test_a_paraphrase_is_not_missing(said: str, kept: str) -> None:
    assert not find_missing([said], kept)


@pytest.mark.parametrize(
    ("said", "kept"),
    examples(__file__, "another_type_is_no_stand_in"),
)
def test_another_type_is_no_stand_in(said: str, kept: str) -> None:
    assert find_missing([said], kept)


@pytest.mark.parametrize(
    ("said", "lost"),
    [
        ("```python\nTraceback (most recent call last):\nValueError: 42\n```", "ValueError"),
        (
            "```\njava.lang.NullPointerException: x\n    at A.b(A.java)\n```",
            "NullPointerException",
        ),
        ("```js\nUncaught TypeError: x is no function\n```", "TypeError"),
        ("Bende E1205 kodu çıktı.", "E1205"),
        ("Şunu yaz: `git rebase` ve main.py dosyasını aç.", "main.py"),
    ],
)
def test_errors_codes_and_files_are_looked_for(said: str, lost: str) -> None:
    assert lost in find_missing([said], "bir hata aldı").all


def test_the_number_of_a_message_is_not_a_quoted_number() -> None:
    assert find_missing(["Tam 12 kişiydik."], "[12] kullanıcı: kalabalıktık").numbers == ("12",)


@given(st.lists(st.text(max_size=80), max_size=6))
def test_a_text_lacks_nothing_of_itself(texts: list[str]) -> None:
    whole = "\n".join(texts)
    assert not find_missing([whole], whole).dates


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(said: str, kept: str) -> None:
    find_missing([said], kept)


@pytest.mark.parametrize("piece", [*PASTES, "a@b ", "3 milyon ", "Error: ", "[1", "www."])
def test_a_long_paste_of_code_takes_linear_time(piece: str) -> None:
    letters = 20_000
    assert grows_with_length(lambda text: find_missing([text], ""), piece, letters)
    coded = grows_with_length(
        lambda text: find_missing([f"```\n{text}\n```\n{text}"], text), piece, letters
    )
    assert coded
