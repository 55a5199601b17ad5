"""Of a long message only what asks is looked up."""

import pytest

from desktop.language.hearing.asked import query_language

PASTED = "Kırmızı araba deniz kenarında durdu ve sonra yavaşça dağa doğru gitti. " * 40_000


def test_a_message_that_somebody_typed_is_looked_up_whole() -> None:
    text = "Ekşi maya hamuru kaç saat bekletilir? " * 100
    assert query_language(text) == text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (f"Hamur kaç saat bekler?\n\n{PASTED}", "Hamur kaç saat bekler?"),
        (f"{PASTED}\n\nWhat does this mean?", "What does this mean?"),
        (f"Hamur kaç saat bekler?\n{PASTED}\nKısaca yaz.", "Hamur kaç saat bekler?\nKısaca yaz."),
        (f"Şunu oku: {PASTED} Peki hamur bekler mi? {PASTED[:900]}", "Peki hamur bekler mi?"),
    ],
)
def test_of_one_that_brings_a_long_text_only_what_asks(text: str, asked: str) -> None:
    assert query_language(text) == asked


def test_of_one_that_asks_nothing_its_ends() -> None:
    found = query_language(PASTED)
    assert len(found) < 1_300
    assert PASTED.startswith(found.partition("\n")[0])
