"""What becomes of a found work in the library: its text, its reference, its marks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.literature import (
    FoundWork,
    LiteratureDoiMissingError,
    LiteratureOffError,
    LiteraturePageShortError,
    LiteratureQuery,
    TextKind,
)
from desktop.domain.literature import ServiceName as S
from desktop.domain.messages import Citation, CitationState
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.references import FieldOrigin, Work, WorkMark
from desktop.domain.sources import SourceKind
from desktop.domain.usage import Purpose, Usage
from desktop.domain.web import PageGoneError
from desktop.references.fields import marked_title
from desktop.references.formats import FORMATS, with_keys, write_references
from desktop.references.formatting import format_list
from desktop.references.merging import reference_of
from desktop.research.library import Library
from desktop.research.web.fetch import PDF
from desktop.research.web.web import PageReader
from desktop.sessions.archive_reader import ArchiveReader
from desktop.sessions.exporting.exporter import Exporter
from desktop.sessions.keeping.background_requests import BackgroundRequests
from desktop.sessions.library_references import References
from desktop.sessions.literature import Literature
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings, local_only
from desktop.storage.archive import Archive
from desktop.storage.repositories.answer_records import AnswerRecord
from tests.archives import SettableClock, finished
from tests.documents.pdfs import pdf_of
from tests.literature import Paper, StandInServices
from tests.web import Served, page

SLEEP = Paper(
    "Sleep and the consolidation of memory in adults",
    doi="10.1234/sleep.1",
    abstract="We show that sleep helps memory.",
)
FULL_TEXT = "The full text says that dreams are remembered better after a nap. " * 30


@dataclass
class Reader:
    """A person with a library, and the services that they search."""

    archive: Archive
    services: StandInServices
    literature: Literature

    def found(self, paper: Paper = SLEEP) -> FoundWork:
        self.services.papers.append(paper)
        return self.literature.find.get(paper.doi)

    def works(self) -> list[Work]:
        return list(self.archive.references.works(EVERYTHING))

    def ledger(self, tokens: int = 0) -> BackgroundRequests:
        """Return the ledger of this archive, with a cap of so many tokens a day."""
        settings = Settings(background_tokens=tokens)
        return BackgroundRequests(self.archive, lambda: settings, SettableClock())

    def words(self, work: Work) -> str:
        return " ".join(passage.text for passage in self.archive.sources.passages(work.source.id))


def here_only(archive: Archive, settings: Settings, wall: Wall) -> Settings:
    """Return the settings behind a wall, as the services do."""
    return local_only(settings) if archive.projects.is_local_only(wall) else settings


@pytest.fixture
def reader(archive: Archive) -> Iterator[Reader]:
    pages = PageReader()
    with StandInServices() as services:
        finder = services.finder(archive, checks_retractions=True)
        library = Library(archive.sources, archive.files, archive.references, archive.notes)
        literature = Literature(
            find=finder,
            wall=EVERYTHING,
            _settings_in=lambda wall: here_only(archive, finder.settings(), wall),
            _archive=archive,
            _library=library,
            _references=References(archive),
            _pages=pages,
        )
        yield Reader(archive, services, literature)
    pages.close()


def test_an_added_work_has_its_abstract_and_says_so(reader: Reader) -> None:
    change = reader.literature.add(reader.found())
    assert (change.value.text, change.value.is_new) == (TextKind.ABSTRACT, True)
    (work,) = reader.works()
    assert SLEEP.abstract in reader.words(work)
    assert set(work.reference.origins.values()) == {FieldOrigin.LITERATURE}
    assert not reader.literature.add(reader.found()).value.is_new
    change.undo()
    assert reader.works() == []


def test_the_free_copy_is_read_and_kept_as_a_document(reader: Reader) -> None:
    pdf = Served(pdf_of(FULL_TEXT, "A second page."), PDF)
    copy = reader.services.put("/copy.pdf", pdf)
    seen: list[str] = []
    change = reader.literature.add(
        reader.found(replace(SLEEP, pdf=copy)),
        on_stored=lambda work: seen.append(reader.words(work)),
    )
    assert SLEEP.abstract in seen[0]
    assert (change.value.text, change.value.error) == (TextKind.FULL, None)
    (work,) = reader.works()
    assert work.source.kind is SourceKind.DOCUMENT
    assert "dreams are remembered better" in reader.words(work)
    assert (work.reference.title, work.reference.doi) == (SLEEP.title, SLEEP.doi)
    library = Library(
        reader.archive.sources,
        reader.archive.files,
        reader.archive.references,
        reader.archive.notes,
    )
    assert not library.is_gone(work.source)
    assert library.page_of(work.source, "A second page.") == 2
    assert reader.literature.add(reader.found()).value.text is TextKind.FULL
    change.undo()
    assert reader.works() == []


def test_a_copy_that_the_library_has_already_stays_where_it_is(
    reader: Reader, tmp_path: Path
) -> None:
    own = tmp_path / "sleep.pdf"
    own.write_bytes(pdf_of(FULL_TEXT))
    archive = reader.archive
    library = Library(archive.sources, archive.files, archive.references, archive.notes)
    library.add([own])
    copy = reader.services.put("/copy.pdf", Served(own.read_bytes(), PDF))
    change = reader.literature.add(reader.found(replace(SLEEP, pdf=copy)))
    (work,) = reader.works()
    assert (work.source.address, work.reference.doi) == (str(own), SLEEP.doi)
    change.undo()
    assert [work.source.address for work in reader.works()] == [str(own)]


def test_a_page_with_the_whole_article_is_read_too(reader: Reader) -> None:
    copy = reader.services.put(
        "/article", page(SLEEP.title, *(f"Part {n}. {FULL_TEXT}" for n in range(6)))
    )
    added = reader.literature.add(reader.found(replace(SLEEP, pdf=copy))).value
    assert added.text is TextKind.FULL
    (work,) = reader.works()
    assert "dreams are remembered better" in reader.words(work)
    assert work.source.title == SLEEP.title


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Served(b"", None, 404), PageGoneError),
        (
            page("Just a moment", "Checking your browser before you go on."),
            LiteraturePageShortError,
        ),
    ],
)
def test_a_copy_that_cannot_be_read_leaves_the_abstract(
    reader: Reader, answer: Served, error: type[Exception]
) -> None:
    copy = reader.services.put("/copy.pdf", answer)
    added = reader.literature.add(reader.found(replace(SLEEP, pdf=copy))).value
    assert isinstance(added.error, error)
    assert added.text is TextKind.ABSTRACT
    assert SLEEP.abstract in reader.words(reader.works()[0])


def test_missing_fields_are_filled_and_typed_ones_stay(reader: Reader) -> None:
    reader.services.papers.append(SLEEP)
    references = References(reader.archive)
    file = {"title": "Microsoft Word - sleep.doc", "DOI": SLEEP.doi, "type": "article-journal"}
    (work,) = references.add([reference_of(file, FieldOrigin.FILE)]).value.added
    before = references.edit(work.source.id, {"volume": "99"}).value
    change = reader.literature.complete(work.source.id)
    assert change.value.reference.title == SLEEP.title
    assert change.value.reference.text("volume") == "99"
    assert change.value.reference.text("container-title") == SLEEP.venue
    change.undo()
    assert reader.works() == [before]


def test_an_article_at_dergipark_is_completed_by_its_address(reader: Reader) -> None:
    reader.services.papers.append(Paper("Kent üzerine", dergipark="56789", venue="Kent Dergisi"))
    references = References(reader.archive)
    address = "https://dergipark.org.tr/tr/pub/kent/issue/12/56789"
    csl = {"title": "Kent", "URL": address, "type": "webpage"}
    other = {"title": "Başka", "type": "document"}
    entries = [reference_of(each, FieldOrigin.WEB) for each in (csl, other)]
    article, bare = references.add(entries).value.added
    whole = reader.literature.complete(article.source.id).value
    assert whole.reference.text("container-title") == "Kent Dergisi"
    with pytest.raises(LiteratureDoiMissingError):
        reader.literature.complete(bare.source.id)


NAMES = ("ada", "bey", "cem", "dal", "eda", "fer", "gül", "han", "ipek", "jale")
RETRACTED = [
    Paper(
        f"A retracted study of sleep number {word}",
        doi=f"10.1234/retracted.{number}",
        is_retracted=number % 2 == 0,
        updated_by=[("retraction", f"10.1234/notice.{number}")] if number % 2 else (),
    )
    for number, word in enumerate(NAMES)
]


def test_ten_retracted_works_are_marked_in_answers_of_the_search_lists_and_exports(
    reader: Reader,
) -> None:
    reader.services.papers += [*RETRACTED, SLEEP]
    *_, results = reader.literature.find.search(LiteratureQuery("sleep"))
    marked = {work.doi for work in results.works if WorkMark.RETRACTED in work.marks}
    assert marked == {paper.doi for paper in RETRACTED}
    for work in results.works:
        reader.literature.add(work)
    references = [work.reference for work in reader.works()]
    assert len(references) == 11
    for form in FORMATS:
        assert write_references(references, form).count("[retracted]") == 10, form.name
        assert "literature" not in write_references(references, form), form.name
    for language, word in ((Language.TR, "[geri çekildi]"), (Language.EN, "[retracted]")):
        titles = [marked_title(one.title, one.marks, Texts(language)) for one in references]
        assert " ".join(titles).count(word) == 10
    listed = format_list(with_keys(references), "ieee", Language.TR)
    assert " ".join(entry.text for entry in listed).count("[geri çekildi]") == 10


def test_marks_survive_a_file_of_references(reader: Reader) -> None:
    marked = reader.literature.add(reader.found(RETRACTED[1])).value.work.reference
    for form in FORMATS:
        (csl,) = form.read(write_references([marked], form))
        assert reference_of(csl, form.origin).marks == [WorkMark.RETRACTED], form.name


def test_a_mark_stays_if_another_service_knows_only_another(reader: Reader) -> None:
    marked = reader.found(RETRACTED[0])
    reader.literature.add(marked)
    reader.literature.add(replace(marked, marks=frozenset({WorkMark.CORRECTED})))
    (work,) = reader.works()
    assert work.reference.marks == [WorkMark.RETRACTED, WorkMark.CORRECTED]


def test_the_daily_look_finds_what_was_retracted_since(reader: Reader) -> None:
    for paper in RETRACTED:
        clean = replace(paper, is_retracted=False, updated_by=())
        reader.literature.add(reader.found(clean))
    reader.services.papers = [*RETRACTED]
    clock = reader.literature.find.fetcher.now
    clock.pass_by(days=1)  # type: ignore[attr-defined]  # the clock of the test
    task = reader.literature.task(reader.ledger())
    requests = len(reader.services.requests)
    assert task.count() == 10
    assert task.run(lambda: False) == 10
    assert all(work.reference.marks == [WorkMark.RETRACTED] for work in reader.works())
    assert len(reader.services.requests) - requests <= 3  # all DOIs in one request a service
    clock.pass_by(days=1)  # type: ignore[attr-defined]  # as above
    assert task.run(lambda: False) == 0
    assert reader.services.over == []


def test_the_daily_look_is_in_the_ledger_and_waits_at_its_cap(reader: Reader) -> None:
    reader.literature.add(reader.found(RETRACTED[0]))
    reader.literature.find.fetcher.now.pass_by(days=1)  # type: ignore[attr-defined]  # as above
    ledger = reader.ledger(tokens=100)
    reader.literature.task(ledger).run(lambda: False)
    assert [(use.purpose, use.requests) for use in ledger.read().uses["today"]] == [
        (Purpose.MARKS, 1)
    ]
    ledger.record(Purpose.DESCRIBE, "small", Usage(input_tokens=100))
    requests = len(reader.services.requests)
    assert reader.literature.task(ledger).run(lambda: False) == 0
    assert len(reader.services.requests) == requests
    assert sum(use.requests for use in ledger.read().uses["today"]) == 2


def test_the_daily_look_does_nothing_unless_it_is_switched_on(reader: Reader) -> None:
    reader.literature.add(reader.found(RETRACTED[0]))
    requests = len(reader.services.requests)
    finder = reader.services.finder(reader.archive, checks_retractions=False)
    task = replace(reader.literature, find=finder).task(reader.ledger())
    assert (task.count(), task.run(lambda: False)) == (0, 0)
    assert len(reader.services.requests) == requests


def test_nothing_is_asked_for_a_project_on_this_computer_only(reader: Reader) -> None:
    work, projects = reader.found(RETRACTED[0]), reader.archive.projects
    project = projects.create("Klinik")
    stored = reader.literature.behind(Wall(project.id)).add(work).value.work
    assert stored.source.project == project.id
    projects.edit(replace(project, is_local_only=True))
    requests = len(reader.services.requests)
    here = reader.literature.behind(Wall(project.id))
    assert here.is_local_only()
    assert here.known() == {RETRACTED[0].doi}
    for ask in (
        lambda: here.add(work),
        lambda: here.find.get(work.doi),
        lambda: list(here.find.search(LiteratureQuery("sleep"))),
        lambda: reader.literature.complete(stored.source.id),
    ):
        with pytest.raises(LiteratureOffError):
            ask()
    assert reader.literature.check_marks().checked == 0
    assert len(reader.services.requests) == requests


def test_a_look_that_fails_says_which_service(reader: Reader) -> None:
    reader.literature.add(reader.found(RETRACTED[0]))
    reader.services.odd = {S.CROSSREF: Served(b"oops", "text/plain", 500)}
    reader.literature.find.fetcher.now.pass_by(days=1)  # type: ignore[attr-defined]  # as above
    check = reader.literature.check_marks()
    assert [failure.service for failure in check.failures] == [S.CROSSREF]
    assert check.checked == 1


@pytest.mark.parametrize("suffix", ["md", "html"])
def test_an_exported_answer_marks_the_retracted_work_that_it_cites(
    reader: Reader, tmp_path: Path, suffix: str
) -> None:
    work = reader.literature.add(reader.found(RETRACTED[1])).value.work
    (passage,) = reader.archive.sources.passages(work.source.id)
    reader.archive.imports.add([finished("s", "Soru", "Yanıt [1].")])
    message = reader.archive.sessions.messages(SessionId("s"))[1]
    title = work.source.title
    citation = Citation(1, CitationState.CHECKED, "", work.source.id, passage.id, title)
    record = AnswerRecord(message.id, "", [citation])
    reader.archive.sessions.keep_records(SessionId("s"), [record])
    exporter = Exporter(ArchiveReader(reader.archive), lambda: Texts(Language.TR))
    file = tmp_path / f"answer.{suffix}"
    exporter.write_session(SessionId("s"), file)
    assert f"{title} [geri çekildi]" in file.read_text("utf-8").replace("\\", "")
    exporter.write_bibliography(tmp_path / "works.bib")
    assert "note = {[retracted]}" in (tmp_path / "works.bib").read_text("utf-8")
