"""Sessions exported for other programs."""

from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import docx
from markdown_it import MarkdownIt

from desktop.domain.language import Language
from desktop.domain.messages import Citation, CitationState, MessageFile
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.exporting.contents import CitationNote, Cited, note_of
from desktop.sessions.exporting.formats import as_markdown
from desktop.sessions.exporting.web_page import as_page
from desktop.sessions.exporting.word import as_word
from desktop.settings.messages import Texts
from desktop.storage.repositories.imports import FinishedSession
from tests.archives import finished
from tests.studies import Study

TEXTS = Texts(Language.TR)
EVIL = (
    "<script>alert(1)</script> [x](javascript:alert(1)) ![y](https://example.org/p.png) "
    '<img src=x onerror=alert(1)> [z](https://example.org/"onmouseover="alert(1)) '
    "[s](smb://host/x) [h](//host/x) [w](ms-word:ofe|u|x) [q](search-ms:query=x)"
)


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    @property
    def names(self) -> set[str]:
        return {tag for tag, _ in self.found}


def page_of(one: FinishedSession) -> str:
    return as_page([(one.session, one.messages, Cited(TEXTS))])


def test_formulas_are_drawn_in_a_page_and_what_cannot_be_is_shown_as_written() -> None:
    page = page_of(finished("s", "Soru", "Enerji $E=mc^2$, su $\\ce{H2O}$.\n\n$$x < 1$$"))
    assert page.count("<svg ") == 2
    assert 'aria-label="$E=mc^2$"' in page
    assert "<code>$\\ce{H2O}$</code>" in page
    assert '<p class="formula">' in page


def cited_answer() -> tuple[FinishedSession, Cited]:
    one = finished("s", "Soru", "Az su ister [1]. `x[1]` ve [2].\n\n```\nliste[1]\n```", title="T")
    seen = Citation(1, CitationState.CHECKED, "az su", "abc", "p1", "Zeytin")
    other = Citation(2, CitationState.UNCHECKED, "", "abc", "p2", "Zeytin")
    at = datetime(2026, 5, 3, 10, tzinfo=UTC)
    notes = [
        CitationNote(seen, 12, "Yöntem", "https://example.org/z", at),
        CitationNote(other, None, "", "https://example.org/z", at),
    ]
    return one, Cited(TEXTS, {one.messages[1].id: notes})


def test_what_is_cited_from_an_answer_has_no_marks_and_a_list_of_tasks_has_boxes() -> None:
    tasks = "- [x] bitti\n- [ ] kaldı\n\nAz su [1], bkz.[^1]\n\n[^1]: Nokta"
    one = finished("s", "Soru", tasks, title="T")
    seen = Citation(1, CitationState.CHECKED, "**az** `su` ve *ışık*", "abc", "p1", "**Zeytin**")
    cited = Cited(TEXTS, {one.messages[1].id: [CitationNote(seen)]})
    word = as_word(one.session, one.messages, cited)
    written = [
        as_markdown(one.session, one.messages, cited),
        as_page([(one.session, one.messages, cited)]),
        "\n".join(each.text for each in docx.Document(BytesIO(word)).paragraphs),
    ]
    assert all("“az su ve ışık” Zeytin" in each for each in written)
    for each in written[1:]:
        assert "☑ bitti" in each
        assert "☐ kaldı" in each
        assert "bkz.¹" in each
        assert "¹ Nokta" in each


def test_a_session_cited_without_a_message_is_listed_as_one(study: Study) -> None:
    study.archive.imports.add([finished("geçmiş", "Soru", "Yanıt", title="Eski")])
    by_summary = Citation(1, CitationState.CHECKED, "Yanıt", "geçmiş", "", "Eski")
    note = note_of(ArchiveReader(study.archive), by_summary)
    assert note.is_session


def test_numbers_in_lists_and_twice_the_same_one_leave_both_exports_sound() -> None:
    one = finished("s", "Soru", "- [1] Az su\n- Çok güneş [1]\n1. [1] bir", title="T")
    seen = Citation(1, CitationState.CHECKED, "az su", "abc", "p1", "Zeytin")
    cited = Cited(TEXTS, {one.messages[1].id: [CitationNote(seen)]})
    shown = as_markdown(one.session, one.messages, cited)
    assert "- [^2-1] Az su\n- Çok güneş [^2-1]\n1. [^2-1] bir" in shown
    page = as_page([(one.session, one.messages, cited)])
    place = f"{one.messages[1].id}-1"
    assert page.count(f'href="#n{place}"') == 3


def test_a_source_without_a_confirmed_quote_is_listed_apart() -> None:
    one, cited = cited_answer()
    ((message, notes),) = cited.notes.items()
    invented = Citation(3, CitationState.UNCHECKED, "uydurma sözler", "xyz", "p9", "Uydurma")
    with_one = Cited(TEXTS, {message: [*notes, CitationNote(invented)]})
    shown = as_markdown(one.session, one.messages, with_one)
    sources, _, unconfirmed = shown.partition("# Anılan ama doğrulanamayan kaynaklar\n\n")
    assert "Uydurma" not in sources.partition("# Kaynaklar")[2]
    assert unconfirmed == "1. Uydurma\n"
    only = Cited(TEXTS, {message: [CitationNote(invented)]})
    assert "# Kaynaklar" not in as_markdown(one.session, one.messages, only)
    page = as_page([(one.session, one.messages, only)])
    assert "<h2>Kaynaklar</h2>" not in page
    assert "<h2>Anılan ama doğrulanamayan kaynaklar</h2>\n<ol>\n<li>Uydurma</li>" in page


def test_nothing_in_an_exported_page_runs_or_is_fetched() -> None:
    page = page_of(finished("s", EVIL, EVIL, title=EVIL, summary=EVIL, topics=[EVIL]))
    tags = Tags(page)
    assert not tags.names & {"script", "img", "iframe", "object", "link", "form", "svg"}
    for _, attributes in tags.found:
        assert not [name for name in attributes if name.startswith("on")]
        assert str(attributes.get("href", "https:")).startswith("https:")
    assert "default-src 'none'" in page


def test_nothing_in_markdown_runs_or_is_fetched_by_another_program() -> None:
    one = finished("s", EVIL, EVIL, title=EVIL, summary=EVIL, topics=[EVIL])
    shown = as_markdown(one.session, one.messages, Cited(TEXTS))
    tags = Tags(MarkdownIt("commonmark", {"html": True}).render(shown))
    assert not tags.names & {"script", "img"}
    targets = [attributes["href"] for name, attributes in tags.found if name == "a"]
    assert {str(one)[:8] for one in targets} == {"https://"}


def test_a_word_document_names_the_attached_files(tmp_path: Path) -> None:
    one = finished("s", "Bu ne?", "Bir kedi.")
    asked = replace(one.messages[0], files=(MessageFile("0" * 64, "kedi.png", "image/png", 9),))
    path = tmp_path / "s.docx"
    path.write_bytes(as_word(one.session, [asked, one.messages[1]], Cited(TEXTS)))
    assert any("kedi.png" in each.text for each in docx.Document(str(path)).paragraphs)


def test_letters_that_xml_cannot_hold_do_not_spoil_a_word_document(tmp_path: Path) -> None:
    one = finished("s", "Soru \x00\ud800", "Yanıt \x0b $\\text{a\x01}$", title="T\x02")
    path = tmp_path / "s.docx"
    path.write_bytes(as_word(one.session, one.messages, Cited(TEXTS)))
    assert any("Yanıt" in each.text for each in docx.Document(str(path)).paragraphs)
