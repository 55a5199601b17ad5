from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.language.sentences import joined, sentences
from tests.costs import grows_with_length

_PIECES = [
    "Dr. ",
    "Bu 3.5 kg. ",
    "- madde\n",
    "| a | b |\n",
    "\n\n",
    "> alıntı. ",
    "```\nx.\n```\n",
]


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=12)).map("".join))
def test_sentences_have_exact_positions_in_order(text: str) -> None:
    last = 0
    for sentence in sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == sentence.text.strip()
        assert sentence.start >= last
        last = sentence.end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bir. İki! Üç? Dört", ["Bir.", "İki!", "Üç?", "Dört"]),
        ("Dr. Aslı geldi. Prof. Dr. Ak gitti.", ["Dr. Aslı geldi.", "Prof. Dr. Ak gitti."]),
        ("Elma, armut vb. meyveler yenir.", ["Elma, armut vb. meyveler yenir."]),
        ("Elma, armut vb. Bunlar yenir.", ["Elma, armut vb.", "Bunlar yenir."]),
        ("Doz 3.5 mg. Sonra 4 mg olur.", ["Doz 3.5 mg.", "Sonra 4 mg olur."]),
        ("3. gün düzelir. 15. ve 16. yüzyılda.", ["3. gün düzelir.", "15. ve 16. yüzyılda."]),
        (
            "2. Dünya Savaşı bitti. II. Mehmed öldü.",
            ["2. Dünya Savaşı bitti.", "II. Mehmed öldü."],
        ),
        ("Savaş 1945'te bitti. Yıl 1945. Sonra.", ["Savaş 1945'te bitti.", "Yıl 1945.", "Sonra."]),
        ("M.Ö. 300 yılında J. R. R. Tolkien yoktu.", ["M.Ö. 300 yılında J. R. R. Tolkien yoktu."]),
        (
            "TBK m. 344 sınırlar (TBK m. 346). Bitti.",
            ["TBK m. 344 sınırlar (TBK m. 346).", "Bitti."],
        ),
        ("Odanın eni 5 m. Boyu 4 m. Sonra ölç.", ["Odanın eni 5 m.", "Boyu 4 m.", "Sonra ölç."]),
        (
            "Bkz. s. 12 ve Md. 5. Op. 27 No. 2 çaldı.",
            ["Bkz. s. 12 ve Md. 5.", "Op. 27 No. 2 çaldı."],
        ),
        ("1. gün Göreme gezilir.\n2. gün Ihlara.", ["1. gün Göreme gezilir.", "2. gün Ihlara."]),
        ("Nem %70. Isı 24,5. Bak.", ["Nem %70.", "Isı 24,5.", "Bak."]),
        (
            "See Mt. Etna, Fig. 3, No. 7 and Art. 125. I said no. Then?",
            ["See Mt. Etna, Fig. 3, No. 7 and Art. 125.", "I said no.", "Then?"],
        ),
        (
            "5 dk. Bekleyin. Bşk. Kaya ile Alb. Ak geldi.",
            ["5 dk.", "Bekleyin.", "Bşk. Kaya ile Alb. Ak geldi."],
        ),
        ("Some, e.g. Mars, are red. It is so.", ["Some, e.g. Mars, are red.", "It is so."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("Bekle... geldi. Neden?! Bilmem.", ["Bekle... geldi.", "Neden?!", "Bilmem."]),
        (
            "Bu **önemlidir.** Ama (zor.) Bitti [1].",
            ["Bu **önemlidir.**", "Ama (zor.)", "Bitti [1]."],
        ),
        (
            "Bir satır\nsürer. İkincisi\n\nYeni paragraf",
            ["Bir satır\nsürer.", "İkincisi", "Yeni paragraf"],
        ),
        ("# Başlık\n\nMetin.\n\n---\n", ["Metin."]),
        (
            "- elma\n- armut\n* Bu bir cümledir.\n1. Bu da öyle.\n2. değil\n3. Son.",
            ["Bu bir cümledir.", "Bu da öyle.", "Son."],
        ),
        ("Önce:\n\n| a | b |\n|---|---|\n| c. | d. |\n\nSonra.", ["Önce:", "Sonra."]),
        ("Kod:\n```python\nprint(1). X\n```\nBitti.", ["Kod:", "Bitti."]),
        ("", []),
        ("...\n\n123", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: Sequence[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == expected


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        (
            "Müsilaj ne zaman görüldü ve azot yükü nasıl değişti",
            ["Müsilaj ne zaman görüldü", "azot yükü nasıl değişti"],
        ),
        ("Bread and butter, what is it", []),
        ("what and why", ["what", "why"]),
    ],
)
def test_two_questions_are_joined_where_each_half_asks(text: str, halves: list[str]) -> None:
    assert joined(text, ("ve", "and")) == halves


@pytest.mark.parametrize("piece", [".", "Dr. ", "a. "])
def test_a_text_of_only_dots_takes_linear_time(piece: str) -> None:
    assert grows_with_length(lambda text: sentences(text + "x"), piece)


def test_a_text_of_many_joins_takes_linear_time() -> None:
    assert grows_with_length(lambda text: joined(text, ("ve",)), "kuş ve ")
