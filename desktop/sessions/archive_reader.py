"""What front ends read from the archive: lists and records, and nothing that can write."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Generic, TypeVar

from desktop.domain.diary import DiaryEntry, with_findings
from desktop.domain.ids import AttachedId, MessageId, SessionId, SourceId
from desktop.domain.messages import Compact
from desktop.domain.projects import Wall
from desktop.domain.search import RecalledItem
from desktop.domain.usage import Purpose

if TYPE_CHECKING:
    from desktop.storage.archive import Archive

T = TypeVar("T")
_SNIPPET = 400  # Characters


class _Reads(Generic[T]):
    """Offers one reading method of a repository, with its own parameters and result."""

    def __init__(self, method: "Callable[[Archive], T]") -> None:
        self._method = method

    def __get__(self, reader: "ArchiveReader", _: type) -> T:
        return self._method(reader._archive)  # noqa: SLF001 - part of the reader


class ArchiveReader:
    """Any thread may call; every method may wait for the disk and raise StorageError."""

    def __init__(self, archive: "Archive") -> None:
        self._archive = archive

    sessions = _Reads(lambda archive: archive.sessions.sessions)
    session = _Reads(lambda archive: archive.sessions.session)
    some_sessions = _Reads(lambda archive: archive.sessions.some)
    count_archived = _Reads(lambda archive: archive.sessions.count_archived)
    branched_sessions = _Reads(lambda archive: archive.sessions.branched)
    session_before = _Reads(lambda archive: archive.split_merge.before)
    session_of_message = _Reads(lambda archive: archive.split_merge.where)
    untouched_sessions = _Reads(lambda archive: archive.housekeeping.untouched)
    unindexed_sessions = _Reads(lambda archive: archive.index.unindexed)
    count_extracted = _Reads(lambda archive: archive.descriptions.count_extracted)
    topics = _Reads(lambda archive: archive.topics.most_used)

    messages = _Reads(lambda archive: archive.sessions.messages)
    all_versions = _Reads(lambda archive: archive.sessions.all_versions)
    file_bytes = _Reads(lambda archive: archive.files.read)
    removed_originals = _Reads(lambda archive: archive.originals.of)
    compacts = _Reads(lambda archive: archive.compacts.compacts)
    citations = _Reads(lambda archive: archive.answers.citations)
    claim_reviews = _Reads(lambda archive: archive.claims.reviews)
    ratings = _Reads(lambda archive: archive.answers.ratings)
    usage = _Reads(lambda archive: archive.answers.usage)
    sent_facts = _Reads(lambda archive: archive.sent_facts.by_answer)
    phases = _Reads(lambda archive: archive.phases.phases)
    work_done = _Reads(lambda archive: archive.work_done.of_answer)
    annotations = _Reads(lambda archive: archive.annotations.of_session)
    session_contexts = _Reads(lambda archive: archive.annotations.contexts)

    projects = _Reads(lambda archive: archive.projects.projects)
    project = _Reads(lambda archive: archive.projects.find)
    project_named = _Reads(lambda archive: archive.projects.named)
    project_contents = _Reads(lambda archive: archive.projects.contents)
    tags = _Reads(lambda archive: archive.tags.tags)
    source_tags = _Reads(lambda archive: archive.source_tags.tags)
    tags_of_session = _Reads(lambda archive: archive.tags.of)
    tags_of_source = _Reads(lambda archive: archive.source_tags.of)
    proposals = _Reads(lambda archive: archive.proposals.waiting)
    prompts = _Reads(lambda archive: archive.prompts.prompts)

    sources = _Reads(lambda archive: archive.sources.sources)
    source = _Reads(lambda archive: archive.sources.source)
    works = _Reads(lambda archive: archive.references.works)
    cited_works = _Reads(lambda archive: archive.references.cited)
    work = _Reads(lambda archive: archive.references.work)
    passages = _Reads(lambda archive: archive.sources.passages)
    passage = _Reads(lambda archive: archive.sources.passage)
    notes = _Reads(lambda archive: archive.notes.notes)
    note = _Reads(lambda archive: archive.notes.note)
    notes_of_source = _Reads(lambda archive: archive.notes.of_source)
    notes_of_session = _Reads(lambda archive: archive.notes.of_session)
    contacts = _Reads(lambda archive: archive.contacts.contacts)

    facts = _Reads(lambda archive: archive.facts.facts)
    fact = _Reads(lambda archive: archive.facts.fact)
    some_facts = _Reads(lambda archive: archive.facts.some)
    fact_sources = _Reads(lambda archive: archive.facts.sources)
    fact_history = _Reads(lambda archive: archive.facts.history)
    fact_supports = _Reads(lambda archive: archive.facts.supports)
    refused_facts = _Reads(lambda archive: archive.learning.refused)
    preferences = _Reads(lambda archive: archive.preferences.preferences)
    preference_evidence = _Reads(lambda archive: archive.preferences.evidence)
    patterns = _Reads(lambda archive: archive.patterns.patterns)

    owners = _Reads(lambda archive: archive.shared.owners)

    check = _Reads(lambda archive: archive.check)
    count_unreadable = _Reads(lambda archive: archive.count_unreadable)
    count_damaged_files = _Reads(lambda archive: archive.count_damaged_files)

    def recalled_with(self, session_id: SessionId) -> Mapping[MessageId, Sequence[RecalledItem]]:
        """Return the passages that each answer of a session recalled automatically."""
        from desktop.research.passages import excerpt  # noqa: PLC0415 - not for every command

        return self._archive.recalled.by_answer(
            session_id, lambda text, question: excerpt(text, question, _SNIPPET)
        )

    def diary_entries(
        self,
        wall: Wall,
        since: date | None = None,
        until: date | None = None,
        *,
        limit: int | None = None,
        with_notes: bool = False,
    ) -> Sequence[DiaryEntry]:
        """Return the entries of these days, with what watches found, the newest first."""
        entries = self._archive.diary.entries(wall, since, until, with_notes=with_notes)
        return with_findings(entries, self._archive.watches.findings(wall, since, until))[:limit]

    def diary_entry(self, day: date, wall: Wall) -> DiaryEntry | None:
        return next(iter(self.diary_entries(wall, day, day)), None)

    def spent_on_imports(self) -> int:
        """Return the tokens that describing imported sessions has cost."""
        return self._archive.answers.spent_tokens(Purpose.DESCRIBE_IMPORT)

    def attached_titles(self, attached: Sequence[AttachedId]) -> dict[AttachedId, str]:
        """Return the titles of the attachments that still exist, in one line."""
        sessions = self.some_sessions(map(SessionId, attached))
        titles: dict[AttachedId, str] = {
            session.id: session.title or session.opening for session in sessions
        }
        sources = self._archive.sources.some(map(SourceId, attached))
        titles |= {source.id: source.title for source in sources}
        titles |= {
            project.id: project.name for project in self.projects() if project.id in attached
        }
        return {attached_id: " ".join(title.split()) for attached_id, title in titles.items()}

    def summaries(self, session_id: SessionId) -> Sequence[Compact]:
        """Return what the model reads instead of messages, or would, the oldest first."""
        compacts = self._archive.compacts
        return compacts.compacts(session_id) or compacts.reserve(session_id)
