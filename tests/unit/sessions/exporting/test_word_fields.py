"""Citations in Word documents: fields that Zotero's add-in reads, with the data of each work."""

import json
import subprocess
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from shutil import which
from typing import Any

import docx
import pytest
from lxml import etree

from desktop.domain.ids import SessionId, SourceId
from desktop.domain.language import Language
from desktop.domain.messages import Citation, CitationState
from desktop.domain.references import CslItem, FieldOrigin
from desktop.references.merging import reference_of
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.exporting.exporter import Exporter
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord
from tests.archives import finished
from tests.unit.storage.test_sources import PAGE, source

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
CITATION, LIST = " ADDIN ZOTERO_ITEM CSL_CITATION ", " ADDIN ZOTERO_BIBL "
SESSION = SessionId("s")
CSL: Mapping[str, CslItem] = {
    "article": {
        "id": "yilmaz2019",
        "type": "article-journal",
        "title": 'Işık, "gölge" \\ <i>İnsan</i> & {diğer}',
        "author": [{"family": "Yılmaz", "given": "Ayşe"}, {"literal": "Türk Dil Kurumu"}],
        "issued": {"date-parts": [[2019, 3]]},
        "DOI": "10.1234/abc.5",
        "custom": {"bibtex": {"file": ["Belgeler/ayse.pdf", None]}},
    },
    "book": {
        "type": "book",
        "title": "Kar",
        "publisher": "YKY",
        "issued": {"literal": "tarihsiz"},
    },
}
ANSWER = (
    "Kar **çoktur.**[1] Az değildir [2][3]; `x[1]` değil [4]. Yine [1], [5], [7].\n\n"
    "- [2] madde\n\n| a |\n|---|\n| [1] |"
)


@dataclass(slots=True)
class Field:
    code: str = ""
    shown: list[str] = field(default_factory=list)  # A text for each paragraph

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.code.removeprefix(CITATION)))

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def fields_of(document: bytes) -> Iterator[Field]:
    """The fields of a document, each of which begins, is separated, and ends before the next."""
    with zipfile.ZipFile(BytesIO(document)) as file:
        root = etree.fromstring(file.read("word/document.xml"))
    current, expected = Field(), "begin"
    for element in root.iter(f"{W}p", f"{W}fldChar", f"{W}instrText", f"{W}t"):
        if element.tag == f"{W}fldChar":
            assert element.get(f"{W}fldCharType") == expected
            if expected == "begin":
                current = Field()
            elif expected == "separate":
                current.shown.append("")
            else:
                yield current
            expected = {"begin": "separate", "separate": "end", "end": "begin"}[expected]
        elif element.tag == f"{W}instrText":
            assert expected == "separate"
            current.code += element.text
        elif expected == "end" and element.tag == f"{W}p":
            current.shown.append("")
        elif expected == "end":
            current.shown[-1] += element.text
    assert expected == "begin"


def cite(
    archive: Archive, *sources: str, doubted: Sequence[str] = (), session: SessionId = SESSION
) -> None:
    message = archive.sessions.messages(session)[1]
    states = [
        CitationState.UNCHECKED if name in doubted else CitationState.CHECKED for name in sources
    ]
    citations = [
        Citation(number, state, "", name, "", name.title())
        for number, (name, state) in enumerate(zip(sources, states, strict=True), start=1)
    ]
    archive.sessions.keep_records(session, [AnswerRecord(message.id, "", citations)])


@pytest.fixture
def exporter(archive: Archive) -> Exporter:
    archive.imports.add([finished("s", "Kar [1]?", ANSWER, title="Kar")])
    archive.imports.add([finished("past", "Soru", "Yanıt")])
    for name in ("article", "book", "bare"):
        archive.sources.add(source(name, title=name.title()), [PAGE])
    for name, csl in CSL.items():
        archive.references.store(SourceId(name), reference_of(csl, FieldOrigin.BIBTEX))
    return Exporter(ArchiveReader(archive), lambda: Texts(Language.TR))


def cite_page(archive: Archive, exporter: Exporter, *, printed: str) -> Exporter:
    """Cite the passage on page 4 of the article, with this number printed on it."""
    message = archive.sessions.messages(SESSION)[1]
    (passage,) = archive.sources.passages(SourceId("article"))
    citation = Citation(1, CitationState.CHECKED, "", "article", passage.id, "Article")
    archive.sessions.keep_records(SESSION, [AnswerRecord(message.id, "", [citation])])
    return replace(exporter, printed_page=lambda _, page: printed if page == PAGE.page else "")


def word(exporter: Exporter, folder: Path) -> bytes:
    exporter.write_session(SESSION, folder / "kar.docx")
    return (folder / "kar.docx").read_bytes()


def paragraphs(document: bytes) -> list[str]:
    return [paragraph.text for paragraph in docx.Document(BytesIO(document)).paragraphs]


def test_each_citation_of_a_work_is_a_field_that_holds_its_reference(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "article", "book", "bare", "past", "article")
    *citations, _ = fields_of(word(exporter, tmp_path))
    shown = ["[1]", "[2]", "[1]", "[5]", "[2]", "[1]"]
    assert [each.text for each in citations] == shown
    assert len({each.json["citationID"] for each in citations}) == len(shown)
    by_uri: dict[str, set[str]] = {}
    for each in citations:
        assert each.code.startswith(CITATION)
        (item,) = each.json["citationItems"]
        data = item["itemData"]
        name = "book" if each.text == "[2]" else "article"
        stored = archive.references.work(SourceId(name)).reference.csl
        original = {key: value for key, value in stored.items() if key not in {"custom", "id"}}
        assert data == {"id": {"article": "yilmaz2019", "book": "kar"}[name], **original}
        assert item["id"] == data["id"]
        by_uri.setdefault(str(item["uris"]), set()).add(data["id"])
        properties = each.json["properties"]
        assert properties["formattedCitation"] == properties["plainCitation"] == each.text
        assert each.json["schema"].endswith("csl-citation.json")
    assert sorted(map(len, by_uri.values())) == [1, 1]


def test_a_document_with_fields_reads_as_one_without(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "article", "book", "bare", "past", "article")
    live = paragraphs(word(exporter, tmp_path))
    for name in CSL:
        archive.references.store(
            SourceId(name), reference_of({"title": str(CSL[name]["title"])}, FieldOrigin.TYPED)
        )
    plain_document = word(exporter, tmp_path)
    assert not list(fields_of(plain_document))
    assert live == paragraphs(plain_document)
    assert "Kar çoktur.[1] Az değildir [2][3]; x[1] değil [4]. Yine [1], [5], [7]." in live


def test_the_list_of_works_is_one_field_with_the_other_sources_below_it(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "article", "bare", "book", "past", doubted=["past"])
    document = word(exporter, tmp_path)
    *_, sources = fields_of(document)
    assert sources.code == f'{LIST}{{"uncited":[],"omitted":[],"custom":[]}} CSL_BIBLIOGRAPHY'
    assert [line.partition(" · ")[0] for line in sources.shown] == ["Article", "Book"]
    lines = paragraphs(document)
    heading = lines.index("Kaynaklar")
    assert [line.partition(" · ")[0] for line in lines[heading + 1 :]] == [
        "Article",
        "Book",
        "Bare",
        "Anılan ama doğrulanamayan kaynaklar",
        "Past",
    ]


def test_a_doubted_citation_keeps_its_sign_when_the_style_changes(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "article", "book", doubted=["book"])
    first, doubted, *_ = fields_of(word(exporter, tmp_path))
    assert (doubted.text, doubted.json["properties"]["dontUpdate"]) == ("[2?]", True)
    assert "dontUpdate" not in first.json["properties"]


def test_sources_that_were_never_confirmed_make_a_list_that_is_a_field_too(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "article", "book", doubted=["article", "book"])
    codes = [each.code for each in fields_of(word(exporter, tmp_path))]
    assert [code.startswith(LIST) for code in codes].count(True) == 1


def test_a_citation_has_the_number_printed_on_its_page_where_it_is_known(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    first, *_ = fields_of(word(cite_page(archive, exporter, printed="217"), tmp_path))
    (item,) = first.json["citationItems"]
    assert (item["locator"], item["label"]) == ("217", "page")
    first, *_ = fields_of(word(cite_page(archive, exporter, printed=""), tmp_path))
    (item,) = first.json["citationItems"]
    assert "locator" not in item


def test_nothing_of_this_computer_is_in_a_field(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "article")
    assert "ayse" not in "".join(each.code for each in fields_of(word(exporter, tmp_path)))


@pytest.mark.skipif(which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_opens_a_document_with_fields(
    archive: Archive, exporter: Exporter, tmp_path: Path
) -> None:
    cite(archive, "article", "book", "bare", "past", "article")
    word(exporter, tmp_path)
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", "txt:Text", "kar.docx"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)  # noqa: S603 - found above
    assert "Az değildir [2][3]" in (tmp_path / "kar.txt").read_text("utf-8-sig")
