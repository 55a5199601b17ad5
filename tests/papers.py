"""Made PDFs of papers, each with the DOI that belongs to it, or with none."""

import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.documents.pdfs import Page, Pdf

PROSE = (
    "Bu makale kırsal göçün nedenlerini inceler ve önceki çalışmaları özetler.",
    "Veriler 2018 yılında toplanmıştır; örneklem 1.240 haneden oluşur.",
)
XMP = (
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/">{}'
    "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>"
)


class Paper(NamedTuple):
    name: str
    data: bytes
    doi: str = ""


def paper(*first: str, second: Sequence[str] = (), about: str = "") -> bytes:
    """A PDF of two pages; `about`: the properties of its XMP."""
    pages = [Page((*first, *PROSE)), Page((*PROSE, *second))]
    return with_xmp(Pdf(pages).written(), about) if about else Pdf(pages).written()


def with_xmp(data: bytes, about: str, *, is_packed: bool = False) -> bytes:
    packet = XMP.format(about).encode()
    filters = b"/Filter /FlateDecode " if is_packed else b""
    packet = zlib.compress(packet) if is_packed else packet
    stream = (
        b"90 0 obj\n<< /Type /Metadata /Subtype /XML %s/Length %d >>\nstream\n%s\nendstream\n"
        % (
            filters,
            len(packet),
            packet,
        )
    )
    return data.replace(b"trailer <<", stream + b"endobj\ntrailer <<")


def papers() -> Iterator[Paper]:
    for number in range(12):
        plain = f"10.1{number:03d}/dergi.2019.{number}"
        yield Paper(f"plain{number}", _plain(number, plain), plain)
        hyphened = f"10.2{number:03d}/bellekdergisi.{number}a"
        begin, end = hyphened[:14], hyphened[14:]
        yield Paper(
            f"hyphened{number}", paper(f"https://doi.org/{begin}-", f"{end} Cilt 3"), hyphened
        )
        torn = f"10.3{number:03d}/s11192-015-{1740 + number}-5"
        place = (8, 15, 19)[number % 3]
        yield Paper(f"torn{number}", paper(f"doi: {torn[:place]}", torn[place:]), torn)
        hidden = f"10.4{number:03d}/J.XMP.{number}"
        names = ("<prism:doi>{}</prism:doi>", "<dc:identifier>doi:{}</dc:identifier>")
        about = names[number % 2].format(hidden)
        data = paper("Başlık", second=["Kaynakça", "Kaya, E. (2001). https://doi.org/10.9999/b.1"])
        yield Paper(f"xmp{number}", with_xmp(data, about, is_packed=number % 3 == 0), hidden)
        yield Paper(f"none{number}", _WITHOUT[number])


def _plain(number: int, doi: str) -> bytes:
    lines = (
        f"Türk Dergisi 12 (2019) 1-20, doi:{doi}.",
        f"https://doi.org/{doi}",
        f"Araştırma Makalesi / Research Article   DOI: {doi}",
        f"Scientometrics (2015) 105:1-20 DOI {doi}",
        f"Atıf: Yılmaz, A. (2019). Başlık. Dergi, 5(2), 1-20. https://doi.org/{doi}",
        f"To cite this article: Smith, J. (2019). Title. J. Foo, 1, 2. doi:{doi};",
        f"Sustainability 2020, 12, 1234; doi:{doi} www.mdpi.com/journal",
        f"http://dx.doi.org/{doi}\n0360-1315/Ó 2012 Elsevier Ltd. All rights reserved.",
        f"1 Gazi Üniversitesi, Eğitim Fakültesi, Ankara\nDOI: {doi}\n1Department of Education",
        f"To link to this article: https://doi.org/{doi}\npp.1-20",
        f"Digital Object Identifier {doi}\nv.12 n.3",
        f"PLOS ONE | https://doi.org/{doi} June 5, 2020 1 / 15",
    )
    first = lines[number % len(lines)].split("\n")
    return paper(*first, second=[lines[number % 2]] if number > 5 else ())


_WITHOUT = (
    paper("Başlık", "Yazar"),
    paper(
        "Başlık", second=["Kaynakça", "Kaya, E. (2001). Ad. Dergi. https://doi.org/10.9999/b.1"]
    ),
    paper("Başlık", second=["References", "[1] E. Kaya, Ad, 2001, doi: 10.9999/b.1"]),
    paper("Bu çalışma Kaya'nın makalesine (doi:10.9999/b.1) dayanır."),
    paper("Önceki bulgular için bkz. şu ayrıntılı inceleme: https://doi.org/10.9999/b.1"),
    paper("Başlık", "1 Ece Kaya, Ad, Dergi 3 (2001): 1-2, https://doi.org/10.9999/b.1."),
    paper("* Kaya, E. (2001). Ad. Dergi, 3, 1-2. https://doi.org/10.9999/b.1"),
    paper("Kaya, E. (2001). Uzun bir başlık ve devamı. Dergi Adı,", "https://doi.org/10.9999/b.1"),
    paper("Sürüm 10.1234, sayfa 10.5/2, adres 10.12/", "ISSN 1300-0012"),
    paper("Karşılaştırılan makaleler:", "DOI: 10.9999/b.1", "DOI: 10.9999/b.2"),
    paper("https://doi.org/10.9999/abc-", "15 Cilt 3"),
    paper("doi: 10.9999/dergi.2012", "0616"),
)
AMBIGUOUS = (
    paper("doi: 10.9999/dergi.20-", "12.5 Cilt 3"),
    paper("doi: 10.9999/kir-sal-", "goc Cilt 3"),
)
"""Torn where the hyphen may be the DOI's own."""
