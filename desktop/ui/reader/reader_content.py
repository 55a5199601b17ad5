"""What the reader shows: reads sources, resolves citations, opens originals."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import cached_property
from itertools import groupby, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from desktop.domain.errors import (
    DocumentError,
    FileUnreadableError,
    PassageUnknownError,
    SourceUnknownError,
)
from desktop.domain.frozen import dataclass
from desktop.domain.ids import PassageId, SourceId
from desktop.domain.messages import Citation, Pixels
from desktop.domain.notes import Note
from desktop.domain.projects import Wall
from desktop.domain.references import WorkMark
from desktop.domain.search import Hit
from desktop.domain.sources import Source, SourceKind, SourcePassage
from desktop.language.links import is_web_address
from desktop.language.normalization import find_words, fold
from desktop.ui.dialogs.information_dialogs import PictureDialog
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.transcript.text_decorations import places
from desktop.ui.widgets.file_chips import pixmap_of

if TYPE_CHECKING:
    from desktop.research.documents.page_reader import PageMark, PdfDescription, Place
    from desktop.sessions.services import Services

_MOST_FOUND = 5_000
_LARGE = 1600  # Pixels of the longer side of a picture
_NEAR = 120  # Letters within which the next word is looked for
_MOST_LOOKED_AT = 2_000
Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ReaderPlace:
    source_id: SourceId
    passage_id: PassageId | None = None  # None for the beginning
    quote: str = ""  # the words that an answer quotes
    terms: Sequence[str] = ()  # words that were searched for
    note: Note | None = None  # That is opened; it may be of no passage


def place_of_note(note: Note) -> ReaderPlace | NavigationTarget:
    """Return where a note stands: in a source, or in a message."""
    if note.source_id is None:
        return NavigationTarget(note.session_id, note.message_id)
    return ReaderPlace(note.source_id, note.passage_id, note.quote, note=note)


def place_of_hit(hit: Hit | None, words: str = "") -> ReaderPlace | None:
    if hit is None or hit.source_id is None:
        return None
    from desktop.recall.fts_query import marked_words  # noqa: PLC0415 - not for the start

    return ReaderPlace(hit.source_id, hit.passage_id, terms=marked_words(words))


@dataclass(frozen=True, slots=True)
class ReaderContent:
    place: ReaderPlace
    source: Source
    passages: Sequence[SourcePassage]
    at: int  # index of the passage that is opened
    marks: Spans = ()  # within that passage
    has_original: bool = False
    is_older: bool = False  # The cited passage is of an earlier version, shown at its former place
    pdf: Path | None = None  # Its file, if its pages can be shown
    description: "PdfDescription | None" = None
    mark: "PageMark | None" = None  # Where the quotation stands on a page

    @property
    def page(self) -> int:
        """Return the index of the page of the note, or on which the opened passage begins."""
        pages = [self.place.note.page if self.place.note and not self.is_older else None]
        pages += [passage.page for passage in self.passages[self.at : self.at + 1]]
        return next((page - 1 for page in pages if page), 0)


class PassageHit(NamedTuple):
    passage: int  # from 0
    start: int
    end: int


class PassageSearch:
    """Finds text in a source; folds its passages once."""

    def __init__(self, passages: Sequence[SourcePassage]) -> None:
        self.passages = passages

    @cached_property
    def _folded(self) -> Sequence[str]:
        return [fold(passage.text) for passage in self.passages]

    def find(self, text: str) -> list[PassageHit]:
        term = fold(text.strip())
        hits = (
            PassageHit(number, start, end)
            for number, folded in enumerate(self._folded)
            for start, end in places(folded, term)
        )
        return list(islice(hits, _MOST_FOUND))


def _quoted(quote: str, text: str) -> Spans:
    from desktop.language.authored_text import quoted_spans  # noqa: PLC0415 - not for the start

    return quoted_spans(quote, text)


def _note_in_passage(note: Note, passages: Sequence[SourcePassage], at: int) -> tuple[int, Spans]:
    """Return the passage of a note and its words there, else the first one of its page."""
    hits = note_in_text(note, PassageSearch(passages))
    if hits:
        at = hits[0].passage
    elif note.passage_id is None and note.page is not None:
        before = sum((passage.page or 0) < note.page for passage in passages)
        at = max(min(before, len(passages) - 1), 0)
    return at, [(start, end) for passage, start, end in hits if passage == at]


def _mark_of_note(services: "Services", pdf: Path, note: Note) -> "PageMark | None":
    """Return where a note's words stand, as they are shown: perhaps a part of a word."""
    from desktop.research.documents.page_reader import PageMark  # noqa: PLC0415 - as above

    mark = None
    for index, marked in reversed(note_on_pages(services, pdf, note)):
        if marked:
            mark = PageMark(index, (), marked, note.quote, goes_on=mark)
    return mark


def note_in_text(note: Note, search: PassageSearch) -> Sequence[PassageHit]:
    """Return the place of a note's words on its page, or in its passage; two if they go on."""
    if not note.quote:
        return ()
    passages = search.passages
    hits = [
        hit
        for hit in search.find(note.quote)
        if note.page is None or passages[hit.passage].page == note.page
    ]
    if hits:
        return [hits[min(note.occurrence, len(hits) - 1)]]
    own = (at for at, passage in enumerate(passages) if passage.id == note.passage_id)
    if (at := next(own, None)) is not None:
        spans = _quoted(note.quote, passages[at].text)[:1]
        if spans:
            return [PassageHit(at, *span) for span in spans]
    return _over_passages(note, passages)


def _over_passages(note: Note, passages: Sequence[SourcePassage]) -> Sequence[PassageHit]:
    """Return the places of a note's words that begin in one passage and end in the next."""
    for at, (passage, following) in enumerate(pairwise(passages)):
        if note.page is not None and passage.page != note.page:
            continue
        first = f"{passage.text}\n"
        for start, end in _quoted(note.quote, f"{first}{following.text}")[:1]:
            if start < len(passage.text) and end > len(first):
                ends = PassageHit(at + 1, 0, end - len(first))
                return [PassageHit(at, start, len(passage.text)), ends]
    return ()


def note_on_pages(
    services: "Services", pdf: Path, note: Note
) -> "Sequence[tuple[int, Sequence[Place]]]":
    """Return the pages of a note, and its words' places on each."""
    index = (note.page or 1) - 1
    if note.quote:
        with suppress(DocumentError, FileUnreadableError):
            hits = services.document_pages.find(pdf, note.quote, index, index)
            if hits:
                return [hits[min(note.occurrence, len(hits) - 1)]]
            mark = services.document_pages.mark_over_break(pdf, note.quote, index)
            if mark is not None and mark.goes_on is not None:
                return [(part.index, part.places) for part in (mark, mark.goes_on)]
            # The page of a passage is the one on which it begins.
            if hits := services.document_pages.find(pdf, note.quote, index + 1, index + 1):
                return hits[:1]
    return [(index, ())]


def read_content(services: "Services", place: ReaderPlace) -> ReaderContent:
    """On a worker. Raises SourceUnknownError, StorageError."""
    source = services.archive.source(place.source_id)
    passages = services.archive.passages(source.id)
    at, is_older = 0, False
    if place.passage_id is not None:
        at, passages, is_older = _with_cited(services, place.passage_id, passages)
    shown = passages[at].text if passages else ""
    marks: Spans = _quoted(place.quote, shown) if place.quote else []
    if place.note is not None:
        at, marks = _note_in_passage(place.note, passages, at)
    pages = _pages(services, source) if source.kind is SourceKind.DOCUMENT else None
    pdf, description = pages or (None, None)
    mark = None
    if pdf is not None and place.quote and not is_older:
        page = passages[at].page if passages else None
        with suppress(DocumentError, FileUnreadableError):
            mark = (
                _mark_of_note(services, pdf, place.note)
                if place.note is not None
                else services.document_pages.mark(pdf, place.quote, (page or 1) - 1)
            )
    return ReaderContent(
        place=place,
        source=source,
        passages=passages,
        at=at,
        marks=marks or (find_words(shown, place.terms) if place.terms else []),
        has_original=services.library.original(source) is not None,
        is_older=is_older,
        pdf=pdf,
        description=description,
        mark=mark,
    )


def _pages(services: "Services", source: Source) -> "tuple[Path, PdfDescription] | None":
    """Return a PDF and its pages; None if its text is all that can be shown."""
    with suppress(DocumentError, FileUnreadableError):
        file = services.library.pdf(source)
        if file is not None:
            return file, services.document_pages.describe(file)
    return None


def resolve_citation(services: "Services", citation: Citation) -> ReaderPlace | None:
    """Return the cited place in a source; None for a past session. Call on a worker.

    Raises SourceUnknownError if neither the passage nor the source exists any more.
    """
    archive = services.archive
    with suppress(PassageUnknownError):
        passage = archive.passage(PassageId(citation.passage_id))
        return ReaderPlace(passage.source_id, passage.id, citation.quote)
    try:
        return ReaderPlace(archive.source(SourceId(citation.source_id)).id, None, citation.quote)
    except SourceUnknownError:
        if not citation.passage_id or citation.passage_id.isdecimal():
            return None
        raise


def follow(
    worker: Worker,
    source: Source,
    target: str,
    window: QWidget,
    show: Callable[[ReaderPlace | None], None],
) -> None:
    """Show where a link of a note leads, or None if there is no such note; a picture opens."""
    from desktop.sessions.library_links import find_linked, is_picture, read_picture  # noqa: PLC0415 - not for the start

    def read(services: "Services") -> ReaderPlace | Pixels | None:
        if is_picture(target):
            folders = services.watched_folders.folders(Wall(source.project))
            return read_picture(folders, source, target, _LARGE)
        place = find_linked(services.archive, source, target)
        return ReaderPlace(place.source_id, place.passage_id) if place else None

    def take(found: ReaderPlace | Pixels | None) -> None:
        if isinstance(found, Pixels):
            PictureDialog(target, pixmap_of(found), window).open()
        else:
            show(found)

    worker.do(read, take)


@dataclass(frozen=True, slots=True)
class CitedPlace:
    source: Source
    passage: SourcePassage | None = None
    printed_page: str = ""  # Its number as printed, where it is known
    gives_orders: bool = False  # its passage or title contains instructions to an assistant
    marks: Sequence[WorkMark] = ()  # What became of the work


def load_cited_places(
    services: "Services", citations: Sequence[Citation]
) -> Mapping[int, CitedPlace]:
    """On a worker: by number of the citation, without those of past sessions."""
    archive = services.archive
    cited_places: dict[int, CitedPlace] = {}
    for citation in citations:
        with suppress(SourceUnknownError):
            source, passage = archive.source(SourceId(citation.source_id)), None
            printed = ""
            with suppress(PassageUnknownError):
                passage = archive.passage(PassageId(citation.passage_id))
                if passage.page and passage.is_current:
                    printed = services.printed_pages.of(source, passage.page)
            read = (source.title, passage.text if passage else "")
            cited_places[citation.number] = CitedPlace(
                source,
                passage,
                printed,
                any(map(_gives_orders, read)),
                archive.work(source.id).reference.marks,
            )
    return cited_places


@dataclass(frozen=True, slots=True)
class SourceWarnings:
    spans: Mapping[int, Spans] = field(default_factory=dict)
    """Of instructions to an assistant, by passage."""
    are_in_title: bool = False
    uncertain: Mapping[int, Spans] = field(default_factory=dict)
    """Of words that OCR may have misread, by passage."""
    are_in_text: bool = False  # More than a stray mark of a long document, or the place shown


def read_warnings(services: "Services", reading: ReaderContent) -> SourceWarnings:
    """On a worker: takes longer than reading the source. Raises StorageError."""
    from desktop.research import security  # noqa: PLC0415 - on a worker

    texts = [passage.text for passage in reading.passages[:_MOST_LOOKED_AT]]
    every = enumerate(map(security.find_suspicious_spans, texts))
    spans_by_place = {place: spans for place, spans in every if spans}
    gives_orders = security.is_suspicious_document(texts, spans_by_place)
    return SourceWarnings(
        spans=spans_by_place,
        are_in_title=security.is_suspicious(reading.source.title),
        uncertain=_uncertain(services, reading),
        are_in_text=reading.at in spans_by_place or gives_orders,
    )


def _uncertain(services: "Services", reading: ReaderContent) -> Mapping[int, Spans]:
    """Return the spans of the words that OCR may have misread, found in their order."""
    if reading.pdf is None:
        return {}
    spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    passages = enumerate(reading.passages)
    by_page = {page: list(group) for page, group in groupby(passages, lambda item: item[1].page)}
    for index, words in services.document_pages.scanned_words(reading.pdf):
        waiting = iter(words)
        for at, passage in by_page.get(index + 1, ()):
            place = 0
            for word in waiting:
                start = passage.text.find(word.text, place, place + _NEAR)
                if start >= 0:
                    place = start + len(word.text)
                    if word.is_uncertain:
                        spans[at].append((start, place))
                if not passage.text[place:].strip():
                    break
    return spans


def _gives_orders(text: str) -> bool:
    from desktop.research.security import is_suspicious  # noqa: PLC0415 - on a worker

    return is_suspicious(text)


def _with_cited(
    services: "Services", passage_id: PassageId, passages: list[SourcePassage]
) -> tuple[int, list[SourcePassage], bool]:
    ids = [passage.id for passage in passages]
    if passage_id in ids:
        return ids.index(passage_id), passages, False
    try:
        older = services.archive.passage(passage_id)
    except PassageUnknownError:
        return 0, passages, False
    at = sum(passage.number < older.number for passage in passages)
    return at, [*passages[:at], older, *passages[at:]], True


def open_original(worker: Worker, source: Source) -> None:
    if source.kind is SourceKind.WEB:
        # A backup or an import can bring any address along.
        if is_web_address(source.address):
            QDesktopServices.openUrl(QUrl(source.address))
        return

    def found(file: Path | None) -> None:
        if file is None:
            worker.failed.emit(FileUnreadableError(path=source.address, detail=""))
        else:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))

    worker.do(lambda services: services.library.openable(source), found)
