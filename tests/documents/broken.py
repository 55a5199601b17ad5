"""Documents that cannot be read, each with its error."""

from tests.documents.pdfs import Page, Pdf, pdf_of
from tests.documents.zips import astray, docx, epub, paragraph, zipped

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
_LAUGHS = (
    '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    "<w:document xmlns:w='w'><w:p><w:t>&b;</w:t></w:p></w:document>"
)

BROKEN = {
    "scanned.pdf": ("document_scanned", Pdf([Page((), has_picture=True)] * 3).written()),
    "locked.pdf": ("document_encrypted", pdf_of("gizli", is_locked=True)),
    "torn.pdf": ("document_damaged", b"%PDF-1.7\n" + bytes(range(256)) * 20),
    "not_a.pdf": ("document_damaged", "Bu bir PDF değil.".encode()),
    "blank.pdf": ("document_empty", Pdf([Page()]).written()),
    "nested.html": ("document_damaged", b"<div>" * 3000 + b"words" + b"</div>" * 3000),
    "locked.docx": ("document_encrypted", _OLE + "EncryptedPackage".encode("utf-16-le")),
    "old.doc": ("document_kind", _OLE + "WordDocument".encode("utf-16-le")),
    "torn.docx": ("document_damaged", docx(paragraph("yarım"))[:200]),
    "astray.docx": ("document_damaged", astray(docx(paragraph("nerede")))),
    "bad_xml.docx": ("document_damaged", zipped({"word/document.xml": "<a><b></a>"})),
    "laughs.docx": ("document_damaged", zipped({"word/document.xml": _LAUGHS})),
    "bomb.docx": ("document_unfolds", docx(paragraph("a" * (20 << 20)))),
    "locked.epub": ("document_encrypted", epub("x", ["a"], locked=["OEBPS/text/bölüm 1.xhtml"])),
    "torn.epub": ("document_damaged", zipped({"META-INF/container.xml": "<container/>"})),
    "blank.html": ("document_empty", b"<html><script>x()</script></html>"),
    "bytes.txt": ("document_damaged", b"MZ\0\0\x01\x02" * 50),
    "nothing.txt": ("document_empty", b""),
    "sheet.xlsx": ("document_kind", zipped({"xl/workbook.xml": "<workbook/>"})),
    "picture.png": ("document_kind", b"\x89PNG\r\n\x1a\n"),
}
