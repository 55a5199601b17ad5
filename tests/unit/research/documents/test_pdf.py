"""The text of a PDF is what its page shows: letters with their accents, and what was typed."""

import pytest

from tests.documents.pdfs import Page, Pdf, drawn_beside
from tests.documents.reading import read

_TEXTS = (
    "Öğrencilerin başarısı İzmir ve Şanlıurfa illerinde düğüm oldu, Iğdır da ölçülmüş.",
    "Größe über Äpfel und Öl: Jöreskog öffnet die Tür.",
    "Très élevé, naïf, Noël, façade, être, où. Évidemment, à l'Université.",
    "Příliš žluťoučký kuň",
    "El niño comió una piña mañana. Ángel, pingüino.",
    "Zażólć jaźń, śnieg",
)


def lines_read(*lines: str) -> list[str]:
    return read("a.pdf", Pdf([Page(lines)]).written()).texts


@pytest.mark.parametrize("text", _TEXTS)
@pytest.mark.parametrize("after", [False, True])
def test_a_letter_whose_accent_is_drawn_beside_it_is_whole(text: str, *, after: bool) -> None:
    assert lines_read(drawn_beside(text, after=after)) == [text]


def test_signs_that_are_no_accents_stay() -> None:
    text = "Ankara´da don´t http://x.edu/~user x^2 `kod` 2^n ¨ ve ~10"
    assert lines_read(text, drawn_beside("ölçü.")) == [f"{text} ölçü."]


def test_a_word_divided_at_the_end_of_a_line_is_whole() -> None:
    assert lines_read("Uzun bir cümlede kay-", "bolan kelime - bu") == [
        "Uzun bir cümlede kaybolan kelime - bu"
    ]


def test_what_was_typed_on_a_page_is_read_with_its_page() -> None:
    form = "/Subtype /Widget /F 4 /T (a%d) "
    notes = [
        form % 1 + "/FT /Tx /V (Yabanmersini)",
        form % 2 + "/FT /Ch /Ff 131072 /Opt [[(kst) (Kastamonu)] [(snp) (Sinop)]] /V (kst)",
        form % 3 + "/FT /Tx /Ff 8192 /V (gizli)",
        form % 4 + "/FT /Tx",
        "/Subtype /FreeText /Contents (elle eklenen not) /DA (/F1 9 Tf)",
        "/Subtype /Highlight /Contents (bunu sor) /QuadPoints [60 80 200 80 60 60 200 60]",
        "/Subtype /Text /Contents (kenar notu)",
        "/Subtype /Popup /Contents (kenar notu)",
        "/Subtype /Highlight /Contents (yeni istek) /QuadPoints [60 80 200 80 60 60 200 60]",
        "/Subtype /Link /Contents (adres)",
    ]
    document = read(
        "a.pdf", Pdf([Page(["Boş."]), Page(["Başvuru: yeni istek var."], notes=notes)]).written()
    )
    typed = ["Yabanmersini", "Kastamonu", "elle eklenen not", "bunu sor", "kenar notu"]
    assert document.texts == ["Boş.", "Başvuru: yeni istek var.", *typed]
    assert {one.page for one in document.blocks[2:]} == {2}


@pytest.mark.parametrize("title", ["Microsoft Word - tez.docx", "sayfa.html", "Tablo 3.XLSX", "…"])
def test_the_name_of_a_file_is_no_title(title: str) -> None:
    assert read("makale.pdf", Pdf([Page(["Giriş"])], title=title).written()).head.title != title


def test_a_title_with_a_full_stop_stays() -> None:
    title = "Göç ve Node.js"
    assert read("makale.pdf", Pdf([Page(["Giriş"])], title=title).written()).head.title == title
