from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.language.sentences import sentences
from tests.costs import grows_with_length
from tests.unit.language.transcripts import read_texts

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
def test_every_sentence_stands_where_it_says_and_after_the_one_before(text: str) -> None:
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
        ("Kimi ilaçlar, örn. Metformin, yarar.", ["Kimi ilaçlar, örn. Metformin, yarar."]),
        ("Doz 3.5 mg. Sonra 4 mg olur.", ["Doz 3.5 mg.", "Sonra 4 mg olur."]),
        ("3. gün düzelir. 15. ve 16. yüzyılda.", ["3. gün düzelir.", "15. ve 16. yüzyılda."]),
        (
            "2. Dünya Savaşı bitti. II. Mehmed öldü.",
            ["2. Dünya Savaşı bitti.", "II. Mehmed öldü."],
        ),
        ("Savaş 1945'te bitti. Yıl 1945. Sonra.", ["Savaş 1945'te bitti.", "Yıl 1945.", "Sonra."]),
        ("M.Ö. 300 yılında J. R. R. Tolkien yoktu.", ["M.Ö. 300 yılında J. R. R. Tolkien yoktu."]),
        ("Some, e.g. Mars, are red. It is so.", ["Some, e.g. Mars, are red.", "It is so."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("See www.example.org. It has v2.0 now.", ["See www.example.org.", "It has v2.0 now."]),
        ("Bekle... geldi. Neden?! Bilmem.", ["Bekle... geldi.", "Neden?!", "Bilmem."]),
        (
            "Bu **önemlidir.** Ama (zor.) Bitti [1].",
            ["Bu **önemlidir.**", "Ama (zor.)", "Bitti [1]."],
        ),
        (
            "Bir satır\nsürer. İkincisi\n\nYeni paragraf",
            ["Bir satır\nsürer.", "İkincisi", "Yeni paragraf"],
        ),
        ("> Alıntı budur.\n> Sürer.", ["Alıntı budur.", "Sürer."]),
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


def test_tables_and_lists_of_a_real_answer_are_not_sentences() -> None:
    answer = read_texts("diabetes_tr")[5]
    assert [sentence.text.split()[0] for sentence in sentences(answer)] == [
        "Özetle,",
        "Ayırmak",
        "Dawn",
    ]


@pytest.mark.parametrize("piece", [".", "Dr. ", "a. "])
def test_a_text_of_nothing_but_points_costs_what_its_length_does(piece: str) -> None:
    assert grows_with_length(lambda text: sentences(text + "x"), piece)
