"""Scholarly literature for sub-questions, and what an answer says of the works that it cites.

A work that is found is added to the library with its free copy, within the limits of the run, and
is cited like any other source. Its passages bear its marks, and say how much of it was read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from threading import Lock

from desktop.domain.errors import AppError, SourceUnknownError, StorageError
from desktop.domain.ids import SourceId
from desktop.domain.language import Language
from desktop.domain.literature import (
    AddedWork,
    FoundWork,
    LiteratureQuery,
    TextKind,
)
from desktop.domain.messages import Citation
from desktop.domain.references import (
    CUSTOM,
    KEY,
    LITERATURE,
    FormatterFailedError,
    FormatterMissingError,
    Reference,
    Work,
    WorkMark,
    plain_text,
)
from desktop.domain.research import SubQuestion
from desktop.domain.sources import SourceKind
from desktop.language.intents import PhraseLists
from desktop.language.keywords_and_stems import StopWords, content_words
from desktop.language.phrase_matcher import find_phrase, tokenize
from desktop.references.fields import marked_title
from desktop.research.citations.quote_matching import stands_in
from desktop.research.literature.finder import LiteratureFinder
from desktop.research.passages import Passage
from desktop.research.tiers.budget import Budget, CancellationToken, UsageCounter
from desktop.research.tiers.passage_store import Page, passages_of_page
from desktop.research.web.rate_limiting import Stop
from desktop.settings.messages import Texts
from desktop.storage.archive import Archive

WORKS = 2  # Read for a sub-question
_HITS = 6
_MOST_SEARCHES = 2  # Per sub-question
_MOST_WORDS = 12  # Of a search
_WITHOUT_TEXT = 2  # Passages of a work without a document: its reference and its abstract
_LEAST_WORKS, _SCHOLARLY_SHARE = 5, 0.5  # Of a library that is scholarly
_STYLES = {Language.TR: "apa-tr", Language.EN: "apa"}


def is_scholarly(
    question: str, phrases: PhraseLists, library: Callable[[], Sequence[Work]]
) -> bool:
    """Whether the words ask for studies, or the library is one of scholarly works."""
    if find_phrase(tokenize(question), phrases.literature):
        return True
    works = library()
    with_doi = sum(bool(work.reference.doi) for work in works)
    return len(works) >= _LEAST_WORKS and with_doi >= _SCHOLARLY_SHARE * len(works)


@dataclass(slots=True, kw_only=True)
class LiteratureRetriever:
    """Belongs to one run; thread-safe. A work is added once in a run."""

    finder: LiteratureFinder
    add: Callable[[FoundWork, Stop], AddedWork]
    archive: Archive
    budget: Budget
    cancellation: CancellationToken
    stop_words: StopWords
    troubles: list[AppError] = field(default_factory=list)
    read: set[str] = field(default_factory=set)  # The works that have text, by DOI or title
    _pages: dict[str, Page | None] = field(default_factory=dict)
    """By DOI or title; None for a work without any text."""
    _reading: dict[str, Lock] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def find(
        self, part: SubQuestion, works: int, length: int, counter: UsageCounter
    ) -> list[Passage]:
        """Return passages of at most that many works. Raises StorageError."""
        results: list[Passage] = []
        for work in self._works(part.queries[:_MOST_SEARCHES], counter):
            if not works or self.cancellation.is_over():
                break
            if page := self._page(work, counter):
                results += passages_of_page(page, part.question, length, self.stop_words)
                works -= 1
        return results

    def _works(self, queries: Sequence[str], counter: UsageCounter) -> Iterator[FoundWork]:
        """Yield works that have text, the best of each search first."""
        lists: list[Sequence[FoundWork]] = []
        for query in queries:
            words = [word.text for word in content_words(query, self.stop_words)][:_MOST_WORDS]
            if (
                not words
                or self.cancellation.is_over()
                or not self.budget.spend_web(1, 0, counter)
            ):
                continue
            whole, stop = LiteratureQuery(" ".join(words)), self.cancellation.is_over
            try:
                arrived = list(self.finder.search(whole, limit=_HITS, stop=stop))
            except StorageError:
                raise
            except AppError as exc:
                self.troubles.append(exc)
                continue
            for results in arrived[-1:]:  # the last is complete
                self.troubles += [failure.error for failure in results.failures]
                lists.append([work for work in results.works if work.abstract or work.open_copy])
        yield from filter(None, chain.from_iterable(zip_longest(*lists)))

    def _page(self, work: FoundWork, counter: UsageCounter) -> Page | None:
        """Return what can be read of a work; None if that is nothing. Raises StorageError."""
        key = work.doi or work.reference.title
        with self._lock:
            reading = self._reading.setdefault(key, Lock())
        with reading:
            if key not in self._pages:
                if work.open_copy and not self.budget.spend_web(0, 1, counter):
                    work = replace(work, open_copy="")
                self._pages[key] = page = self._read(work)
                self.read |= {key} if page else set()
            return self._pages[key]

    def _read(self, work: FoundWork) -> Page | None:
        try:
            added = self.add(work, self.cancellation.is_over)
        except StorageError:
            raise
        except AppError as exc:
            self.troubles.append(exc)
            return None
        if added.error is not None:
            self.troubles.append(added.error)
        source = added.work.source
        passages = self.archive.sources.passages(source.id)
        if added.text is not TextKind.FULL:
            # The first words of a work without a document are its reference: no evidence.
            abstract = _abstract(added.work.reference)
            passages = [each for each in passages if stands_in(each.text, abstract)]
        return (source, passages) if passages else None


def with_marks(archive: Archive, passage: Passage, texts: Texts) -> Passage:
    """Return a passage whose title says what became of its work, and how much of it was read."""
    work = _work_of(archive, passage.cited_in) if passage.place else None
    if work is None:
        return passage
    title = marked_title(passage.title, work.reference.marks, texts)
    if access := _access(work, passage, texts):
        title = f"{title} ({access})"
    return replace(passage, title=title, marks=())


def below_answer(
    archive: Archive,
    passages: Sequence[Passage],
    texts: Texts,
    citations: Sequence[Citation],
    *,
    lists_references: bool,
) -> str:
    """Return what stands below an answer: which cited works were retracted, the references."""
    parts = [retracted_note(archive, citations, texts)]
    if lists_references:
        parts.append(references_section(archive, citations, passages, texts))
    return "\n\n".join(filter(None, parts))


def references_section(
    archive: Archive, citations: Sequence[Citation], passages: Sequence[Passage], texts: Texts
) -> str:
    """Return the formatted list of the works that are cited; empty if there are none."""
    entries = dict[str, tuple[Reference, str]]()
    cited = {(each.source_id, each.passage_id) for each in citations}
    for passage in passages:
        work = None
        if passage.place and (passage.cited_in, passage.cited_at) in cited:
            work = _work_of(archive, passage.cited_in)
        if work is not None and work.reference.is_citable:
            csl = {"type": "document", "title": work.source.title} | dict(work.reference.csl)
            _, known = entries.get(work.source.id, (None, ""))
            access = known or _access(work, passage, texts)
            entries[work.source.id] = (Reference(csl), access)
    if not entries:
        return ""
    shown = _formatted([reference for reference, _ in entries.values()], texts)
    accesses = [access for _, access in entries.values()]
    lines = [
        f"- {text}{f' ({accesses[place]})' if accesses[place] else ''}" for place, text in shown
    ]
    return "\n".join([f"## {texts.say('research.references_heading')}", "", *lines])


def retracted_note(archive: Archive, citations: Sequence[Citation], texts: Texts) -> str:
    """Return a sentence on the cited works that were retracted; empty if none was."""
    grave = (WorkMark.RETRACTED, WorkMark.CONCERN)
    titles = [
        marked_title(work.source.title, work.reference.marks, texts)
        for source_id in dict.fromkeys(citation.source_id for citation in citations)
        if (work := _work_of(archive, source_id)) and set(grave) & {*work.reference.marks}
    ]
    return texts.say("research.retracted", titles="; ".join(titles)) if titles else ""


def _formatted(references: Sequence[Reference], texts: Texts) -> list[tuple[int, str]]:
    """Return the entries in the order of the style, each with its place among the references."""
    from desktop.references import formats, formatting  # noqa: PLC0415 - for a few answers

    items = formats.with_keys(references)
    places = {str(item[KEY]): place for place, item in enumerate(items)}
    try:
        listed = formatting.format_list(items, _STYLES[texts.language], texts.language)
    except (FormatterMissingError, FormatterFailedError):
        return [(place, _plain(each, texts)) for place, each in enumerate(references)]
    return [(places[entry.key], entry.text) for entry in listed]


def _plain(reference: Reference, texts: Texts) -> str:
    """Return a reference in one line, where nothing is installed that formats it."""
    year = f"({reference.year})" if reference.year else ""
    parts = (
        " ".join(filter(None, ("; ".join(reference.authors), year))),
        marked_title(reference.title, reference.marks, texts),
        plain_text(reference.text("container-title")),
        f"https://doi.org/{reference.doi}" if reference.doi else "",
    )
    return ". ".join(filter(None, parts))


def _access(work: Work, passage: Passage, texts: Texts) -> str:
    """Return whether a passage is of the abstract, or of the text, of a found work."""
    custom = work.reference.csl.get(CUSTOM)
    if not isinstance(custom, Mapping) or LITERATURE not in custom:
        return ""
    if stands_in(passage.stored, _abstract(work.reference)):
        return texts.say("research.abstract_only")
    is_whole = work.source.kind is SourceKind.DOCUMENT or work.source.passages > _WITHOUT_TEXT
    return texts.say("research.full_text") if is_whole else ""


def _abstract(reference: Reference) -> str:
    return plain_text(reference.text("abstract"))


def _work_of(archive: Archive, source_id: str) -> Work | None:
    """Return None for a session, or a source that is not in the library."""
    try:
        return archive.references.work(SourceId(source_id))
    except SourceUnknownError:
        return None
