"""The page of a past session: all that is known of it, and corrections by the user."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from desktop.domain.facts import Fact, FactFilter
from desktop.domain.ids import SessionId
from desktop.domain.learned_preferences import Preference
from desktop.domain.messages import Citation
from desktop.domain.search import Suggestion
from desktop.domain.sessions import DescribedBy, Description, Session
from desktop.domain.usage import NO_USAGE, Usage
from desktop.recall.related_sessions import RelatedSessions
from desktop.storage.archive import Archive

_MOST_RELATED = 4


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A source that a session cites."""

    citation: Citation
    """The first one of it."""
    times: int


@dataclass(frozen=True, slots=True)
class SessionPage:
    session: Session
    sources: Sequence[CitedSource] = ()
    facts: Sequence[Fact] = ()
    preferences: Sequence[Preference] = ()
    usage: Usage = NO_USAGE
    related: Sequence[Suggestion] = ()
    diary: date | None = None
    """The day of the diary entry that tells of it."""


@dataclass(frozen=True, slots=True)
class SessionPages:
    """Every method may raise StorageError and SessionUnknownError."""

    archive: Archive
    related: RelatedSessions

    def read(self, session_id: SessionId) -> SessionPage:
        archive = self.archive
        session = archive.sessions.session(session_id)
        about = " ".join((session.shown_title, *session.topics))
        return SessionPage(
            session,
            self._sources(session_id),
            archive.facts.facts(FactFilter(session_id=session_id)),
            archive.preferences.of_session(session_id),
            sum(archive.answers.usage(session_id).values(), NO_USAGE),
            self.related.suggest(about, besides=[session_id], limit=_MOST_RELATED),
            self._diary(session),
        )

    def correct(
        self,
        session_id: SessionId,
        *,
        title: str | None = None,
        summary: str | None = None,
        topics: Sequence[str] | None = None,
    ) -> Description | None:
        """Write what the user corrected; no later description changes it.

        Returns the description before, for `restore`; None if nothing is different.
        """
        before = after = self.archive.descriptions.described(session_id)
        if title is not None and (one_line := " ".join(title.split())) not in {"", before.title}:
            after = replace(after, title=one_line, by=DescribedBy.USER)
        if summary is not None and summary.strip() != before.summary:
            corrected = dict.fromkeys((*after.corrected, "summary"))
            after = replace(after, summary=summary.strip(), corrected=tuple(corrected))
        if topics is not None:
            named = tuple(dict.fromkeys(filter(None, (" ".join(one.split()) for one in topics))))
            if named != tuple(before.topics):
                corrected = dict.fromkeys((*after.corrected, "topics"))
                after = replace(after, topics=named, corrected=tuple(corrected))
        if after == before:
            return None
        self.archive.descriptions.write(session_id, after)
        return before

    def restore(self, session_id: SessionId, before: Description) -> None:
        """Undo a correction."""
        self.archive.descriptions.write(session_id, before)

    def _sources(self, session_id: SessionId) -> list[CitedSource]:
        found: dict[str, CitedSource] = {}
        for citations in self.archive.answers.citations(session_id).values():
            for one in citations:
                if one.title and one.source_id != session_id:
                    known = found.get(one.source_id) or CitedSource(one, 0)
                    found[one.source_id] = replace(known, times=known.times + 1)
        return sorted(found.values(), key=lambda one: -one.times)

    def _diary(self, session: Session) -> date | None:
        day = session.created_at.astimezone().date()
        entry = self.archive.diary.entry(day)
        tells = entry is not None and any(one.session_id == session.id for one in entry.items)
        return day if tells else None
