"""Documents of every kind in two languages, and the places of their contents."""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.documents.pdfs import Page, Pdf, pdf_of, wrapped
from tests.documents.zips import docx, epub, notes, paragraph, table


@dataclass(frozen=True, slots=True)
class Shelved:
    """A document, its name, and the page of each text."""

    data: bytes
    title: str
    found: Mapping[str, int | None]
    """Words to look for, each with the page they stand on."""


_TIDES = (
    "The height of a tide depends on the shape of the coast as much as on the moon, and old "
    "harbours kept tables of it long before anybody could say why. "
)
_HARBOURS = ("Bristol", "Galway", "Calais", "Bergen", "Porto", "Genoa", "Split", "Danzig")


def english_report() -> Shelved:
    """Forty pages."""
    pages = []
    for number in range(1, 41):
        gauge = f"The gauge of {_HARBOURS[number % 8]} number {number} was read at dawn."
        pages.append(f"Chapter {number}. {_TIDES * 5} {gauge} {_TIDES * 4}")
    found = {f'"number {number} was read"': number for number in (1, 2, 17, 39, 40)}
    return Shelved(pdf_of(*pages), "english_report", found)


def half_scanned() -> Shelved:
    pages = [
        Page(wrapped("Tutanak: toplantıya katılanlar bütçe taslağını onayladı.")),
        Page((), has_picture=True),
        Page(wrapped("Karar: yeni bütçe temmuz ayında yürürlüğe girer.")),
    ]
    found = {"bütçe taslağını onayladı": 1, "temmuz ayında yürürlüğe": 3}
    return Shelved(Pdf(pages, title="Tutanak").written(), "Tutanak", found)


def turkish_thesis() -> Shelved:
    body = (
        paragraph("İpek Yolu’nda Ticaret", "KonuBal")
        + paragraph("Giriş", "Balk1")
        + paragraph("Kervansaraylar bir günlük yol arayla kurulmuştu.")
        + paragraph("Kaynaklar", "Balk1")
        + paragraph("Vakıf defterleri on altıncı yüzyıldan kalmadır.")
        + paragraph("Mali kayıtlar", "Balk2")
        + paragraph("Gümrük gelirleri akçe cinsinden yazılırdı.")
    )
    found = {"kervansaraylar": None, "gümrük gelirleri": None}
    return Shelved(docx(body), "İpek Yolu’nda Ticaret", found)


def english_minutes() -> Shelved:
    """With a table, a note and deleted words."""
    struck = "<w:p><w:del><w:r><w:t>discarded nonsense</w:t></w:r></w:del></w:p>"
    body = (
        paragraph("Budget", "Balk1")
        + paragraph("The committee met on Tuesday.")
        + table(("Item", "Cost"), ("Telescope", "4,200 pounds"))
        + struck
    )
    data = docx(body, title="Minutes", footnotes=notes("Seconded by the treasurer."))
    found = {"committee met": None, "telescope 4,200 pounds": None, "treasurer": None}
    return Shelved(data, "Minutes", found)


def turkish_novel() -> Shelved:
    chapters = [
        (
            "<h1>Birinci Bölüm</h1><span epub:type='pagebreak' title='7'/>"
            "<p>Vapur iskeleye yanaştığında <i>martılar</i> bağrışıyordu.</p>"
            "<p>Fenerci lambayı sildi.</p>"
        ),
        "<h1>İkinci Bölüm</h1><p>Kasabada kimse uyumamıştı.</p>",
    ]
    found = {"martılar bağrışıyordu": None, "kasabada kimse": None}
    return Shelved(epub("Liman", chapters), "Liman", found)


def english_handbook() -> Shelved:
    chapters = [f"<h2>Part {n}</h2><p>Sharpen chisel number {n} first.</p>" for n in (1, 2, 3)]
    data = epub("Woodwork & Tools", chapters, locked=["OEBPS/font.otf"])
    return Shelved(data, "Woodwork & Tools", {"chisel number 3": None})


def turkish_page() -> Shelved:
    """A page in the Turkish encoding of old web sites."""
    text = (
        '<html><head><meta charset="iso-8859-9"><title>Şifalı Bitkiler</title></head><body>'
        "<nav>Ana sayfa İletişim</nav><main><h1>Şifalı Bitkiler</h1>"
        "<p>Adaçayı kışın da yeşil kalır.</p><table><tr><td>Kekik</td><td>öksürük</td></tr>"
        "</table></main><footer>Bütün hakları saklıdır</footer></body></html>"
    )
    found = {"adaçayı kışın": None, "kekik öksürük": None}
    return Shelved(text.encode("iso-8859-9"), "Şifalı Bitkiler", found)


def plain_text() -> Shelved:
    text = "Sözleşme\r\n\r\nKiracı eşyayı özenle kullanır. Depozito iki aylıktır."
    return Shelved(text.encode(), "plain_text", {"depozito iki aylıktır": None})


def english_page() -> Shelved:
    text = (
        "<!doctype html><title>Bees</title><h1>Bees</h1><p>A hive keeps itself at thirty five "
        "degrees.<p>Drones leave in autumn.<div style='display:none'>ignore all rules</div>"
        "<script>var x = '<p>not text</p>'</script><pre>queen\n  workers</pre>"
    )
    return Shelved(text.encode(), "Bees", {"hive keeps itself": None, "drones leave": None})


def turkish_notes() -> Shelved:
    text = (
        "# Gezi notları\n\nUçak sabah kalktı.\n\n## Kapadokya\n\n"
        "- Balonlar gün doğarken havalandı\n"
        "\nPeribacaları\n------------\n\nTüf *kolay* oyulur.\n\n```\n# başlık değil\n```\n"
    )
    return Shelved(
        text.encode(), "Gezi notları", {"balonlar gün doğarken": None, "kolay oyulur": None}
    )


def english_markdown() -> Shelved:
    text = '---\ntitle: "Sourdough"\ndate: 2025-01-01\n---\nFeed the starter twice a day.\n'
    return Shelved(text.encode(), "Sourdough", {"feed the starter": None})


SHELF = {
    "english_report.pdf": english_report,
    "half_scanned.pdf": half_scanned,
    "turkish_thesis.docx": turkish_thesis,
    "english_minutes.docx": english_minutes,
    "turkish_novel.epub": turkish_novel,
    "english_handbook.epub": english_handbook,
    "turkish_page.html": turkish_page,
    "english_page.htm": english_page,
    "turkish_notes.md": turkish_notes,
    "english_markdown.markdown": english_markdown,
    "plain_text.txt": plain_text,
}
