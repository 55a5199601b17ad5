"""The page of a past session: all that is known of it, and corrections by the user."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from desktop.domain.facts import Fact, FactFilter
from desktop.domain.ids import SessionId
from desktop.domain.learned_preferences import Preference
from desktop.domain.messages import Citation
from desktop.domain.projects import EVERYTHING
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
            archive.facts.facts(FactFilter(EVERYTHING, session_id=session_id)),
            archive.preferences.of_session(session_id),
            sum(archive.answers.usage(session_id).values(), NO_USAGE),
            self.related.suggest(
                about,
                archive.projects.wall(session.project),
                besides=[session_id],
                limit=_MOST_RELATED,
            ),
            archive.diary.day_of(session_id),
        )

    def correct(
        self, session_id: SessionId, part: str, words: str | Sequence[str]
    ) -> Description | None:
        """Write the title, summary or topics of the user; no later description changes them.

        Returns the description before, for `restore`; None if nothing is different.
        """
        before = self.archive.descriptions.described(session_id)
        corrected = tuple(dict.fromkeys((*before.corrected, part)))
        if not isinstance(words, str):
            named = dict.fromkeys(filter(None, (" ".join(one.split()) for one in words)))
            after = replace(before, topics=tuple(named), corrected=corrected)
        elif part == "summary":
            after = replace(before, summary=words.strip(), corrected=corrected)
        else:
            title = " ".join(words.split()) or before.title
            after = replace(before, title=title, by=DescribedBy.USER)
        told = [(one.title, one.summary, tuple(one.topics)) for one in (before, after)]
        if told[0] == told[1]:
            return None
        self.archive.descriptions.write(session_id, after)
        return before

    def restore(self, session_id: SessionId, before: Description) -> None:
        self.archive.descriptions.write(session_id, before)

    def _sources(self, session_id: SessionId) -> list[CitedSource]:
        found: dict[str, CitedSource] = {}
        for citations in self.archive.answers.citations(session_id).values():
            for one in citations:
                if one.title and one.source_id != session_id:
                    known = found.get(one.source_id) or CitedSource(one, 0)
                    found[one.source_id] = replace(known, times=known.times + 1)
        return sorted(found.values(), key=lambda one: -one.times)
