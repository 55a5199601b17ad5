"""What a person changes in the archive, for every front end: each method does one thing.

A method commits its change and returns it with what undoes it. Any thread may call; every method
may wait for the disk and raise StorageError.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from desktop.domain.changes import Change
from desktop.domain.errors import AppError, SecretNotKeptError, SessionUnknownError
from desktop.domain.facts import Fact, Learned, NewFact
from desktop.domain.ids import (
    FactId,
    MessageId,
    PreferenceId,
    ProposalId,
    SessionId,
    SourceId,
    new_session_id,
)
from desktop.domain.learned_preferences import KnownPreference
from desktop.domain.projects import NO_PROJECT, Project, ProjectId, Wall
from desktop.domain.prompts import Prompt
from desktop.domain.sessions import Draft, Session
from desktop.domain.sharing import Leaving
from desktop.domain.sources import Source
from desktop.domain.web import Contact

if TYPE_CHECKING:
    from desktop.memory.memory import Memory
    from desktop.sessions.assistant import Assistant
    from desktop.storage.archive import Archive
    from desktop.storage.repositories.projects import TagStore

T = TypeVar("T", SessionId, SourceId)
FindBackups = Callable[[datetime], Sequence[Path]]
"""Returns the profile's own backups that may contain what existed at that moment."""


@dataclass(frozen=True, slots=True)
class SessionSplit:
    whole: Session  # The session before the split
    part: SessionId


@dataclass(frozen=True, slots=True)
class SessionMerge:
    first: Session
    second: Session  # The sessions before the merge
    number: int  # The number, in the first, of the message that began the second


@dataclass(frozen=True, slots=True)
class SessionArchive:
    """Past sessions. Methods raise SessionUnknownError.

    What changes one that another member of a shared project led raises SharedReadOnlyError.
    """

    _archive: "Archive"
    _assistant: "Callable[[], Assistant | None]"
    """The one whose active session has to follow; None if no session is active."""
    _backups: FindBackups = lambda _: ()
    _stop_checks: Callable[[Sequence[SessionId]], None] = lambda _: None
    """Stops the checks of claims in these sessions."""

    def delete(self, session_ids: Sequence[SessionId]) -> Change[Sequence[Session]]:
        """Delete sessions; the active one ends first."""
        self._stop_checks(session_ids)
        store = self._archive.sessions
        deleted = [store.session(session_id) for session_id in session_ids]
        if assistant := self._assistant():
            assistant.stop_in(session_ids)
        for session_id in session_ids:
            store.delete(session_id)

        def undo() -> Sequence[Session]:
            for session_id in session_ids:
                store.undelete(session_id)
            return [store.session(session_id) for session_id in session_ids]

        since = min((session.created_at for session in deleted), default=None)
        return Change(deleted, undo, self._backups(since) if since else ())

    def rename(self, session_id: SessionId, title: str) -> Change[Session]:
        """Give a session a title of one line."""
        self._archive.shared.check_own([session_id])
        before = self._archive.descriptions.described(session_id)

        def undo() -> Session:
            self._archive.sessions.rename(session_id, before.title)
            self._archive.descriptions.write(session_id, before)
            return self._read(session_id)

        self._archive.sessions.rename(session_id, " ".join(title.split()))
        return Change(self._read(session_id), undo)

    def pin(
        self, session_ids: Sequence[SessionId], *, is_pinned: bool
    ) -> Change[Sequence[Session]]:
        """Pin or unpin sessions; the value has those that this changed."""
        store = self._archive.sessions
        changed = [
            session_id
            for session_id in session_ids
            if store.session(session_id).is_pinned is not is_pinned
        ]

        def pin(value: bool) -> Sequence[Session]:  # noqa: FBT001 - of `is_pinned`
            for session_id in changed:
                store.pin(session_id, value)
            return [self._read(session_id) for session_id in changed]

        return Change(pin(is_pinned), lambda: pin(not is_pinned))

    def unarchive(self, session_id: SessionId) -> Session:
        """Put an archived session back in the daily list, to stay."""
        self._archive.sessions.unarchive(session_id)
        self._archive.drafts.attend(session_id)
        return self._archive.sessions.session(session_id)

    def clear_draft(self, session_id: SessionId) -> None:
        self._archive.drafts.keep(session_id, Draft())

    def split(self, session_id: SessionId, at: MessageId) -> Change[SessionSplit]:
        """Make a session of its own of what follows a message."""
        self._archive.shared.check_own([session_id])
        self._stop_left([session_id])
        store = self._archive.split_merge
        split = SessionSplit(self._archive.sessions.session(session_id), new_session_id())
        store.split(session_id, at, split.part)

        def undo() -> SessionSplit:
            store.undo_split(split.whole, split.part)
            return split

        return Change(split, undo)

    def merge_with_previous(self, session_id: SessionId) -> Change[Sequence[SessionMerge]] | None:
        """Append a session to the one that began before it; None if it is the first."""
        first = self._archive.split_merge.before(session_id)
        return self._merge(first.id, [session_id]) if first else None

    def merge(self, session_ids: Sequence[SessionId]) -> Change[Sequence[SessionMerge]] | None:
        """Append sessions, in turn, to the one of them that began first: all or none.

        None for sessions of different projects.
        """
        sessions = self._archive.sessions.some(session_ids)
        ids = [session.id for session in sorted(sessions, key=lambda session: session.created_at)]
        if len({session.project for session in sessions}) != 1:
            return None
        return self._merge(ids[0], ids[1:])

    def rewrite_extracted(self) -> None:
        """Let the model describe again what was described without one."""
        self._archive.descriptions.make_extracted_due()

    def _merge(
        self, first_id: SessionId, others: Sequence[SessionId]
    ) -> Change[Sequence[SessionMerge]]:
        self._archive.shared.check_own([first_id, *others])
        self._stop_left([first_id, *others])
        store, done = self._archive.split_merge, list[SessionMerge]()

        def undo() -> Sequence[SessionMerge]:
            for session_merge in reversed(done):
                store.undo_merge(session_merge.first, session_merge.second, session_merge.number)
            return done

        try:
            for second_id in others:
                first = self._archive.sessions.session(first_id)
                second = self._archive.sessions.session(second_id)
                done.append(SessionMerge(first, second, store.merge(first_id, second_id)))
        except AppError:
            undo()
            raise
        return Change(done, undo)

    def _stop_left(self, session_ids: Sequence[SessionId]) -> None:
        if assistant := self._assistant():
            assistant.stop_left(session_ids)

    def _read(self, session_id: SessionId) -> Session:
        if assistant := self._assistant():
            return assistant.described(session_id)
        return self._archive.sessions.session(session_id)


@dataclass(frozen=True, slots=True)
class Projects:
    """Methods raise ProjectUnknownError; ProjectExistsError for the name of another project."""

    _archive: "Archive"
    _assistant: "Callable[[], Assistant | None]"
    _leave: Callable[[Project, Leaving], object]
    """Leaves the group of a project, if it is shared."""

    def create(self, draft: Project) -> Project:
        """Add a project with the name, instructions and variables of a draft."""
        created = self._archive.projects.create(draft.name)
        self._archive.projects.edit(replace(draft, id=created.id))
        return self._archive.projects.named(created.id)

    def edit(self, project: Project) -> Change[Project]:
        """Store name, instructions and variables."""
        store = self._archive.projects
        before = store.named(project.id)

        def edit(edited: Project) -> Project:
            store.edit(edited)
            return store.named(edited.id)

        return Change(edit(project), lambda: edit(before))

    def move(
        self, project: ProjectId, ids: Sequence[SessionId | SourceId]
    ) -> Change[Sequence[Session]]:
        """Move sessions and documents into a project, or out of all; the value has the sessions.

        Raises SessionUnknownError if neither has an id.
        """
        places = self._archive.projects.places(ids)
        if unknown := [session_id for session_id in ids if session_id not in places]:
            raise SessionUnknownError(session=unknown[0])
        self._archive.shared.check_own(ids)

        def undo() -> Sequence[Session]:
            for before in dict.fromkeys(places.values()):
                self._move(before, [place for place in places if places[place] == before])
            return self._sessions(places)

        self._move(project, places)
        return Change(self._sessions(places), undo)

    def delete(
        self, project: Project, *, with_contents: bool, leaving: Leaving = Leaving.KEEP
    ) -> Change[Project]:
        """Delete a project, and its contents or none of them.

        If it is shared, its group is left first, which is not undone: nothing is deleted if that
        fails. Of contents that are deleted the active session, and answers that go on, end first.
        Raises SyncError, too.
        """
        self._leave(project, leaving)
        if with_contents and (assistant := self._assistant()):
            assistant.stop_in(assistant.open_in(project.id))
        rest = self._archive.projects.delete(project.id, with_contents=with_contents)

        def undo() -> Project:
            self._archive.projects.restore(project.id, rest)
            return project

        return Change(project, undo)

    def _move(self, project: ProjectId, ids: Iterable[str]) -> None:
        several = list(ids)
        self._archive.projects.move(project, map(SessionId, several), map(SourceId, several))

    def _sessions(self, among: Iterable[str]) -> Sequence[Session]:
        sessions = self._archive.sessions.some(map(SessionId, among))
        assistant = self._assistant()
        return [assistant.described(session.id) for session in sessions] if assistant else sessions


@dataclass(frozen=True, slots=True)
class Tags(Generic[T]):
    """The user's own tags of sessions, or of sources."""

    _store: "TagStore[T]"

    def set(self, name: str, among: Sequence[T], *, is_on: bool) -> Change[Sequence[T]]:
        """Tag them, or remove the tag; the value has those that this changed."""
        changed = self._store.set(name, among, is_on=is_on)
        return Change(changed, lambda: self._store.set(name, changed, is_on=not is_on))


@dataclass(frozen=True, slots=True)
class Prompts:
    _archive: "Archive"

    def replace(
        self, before: Sequence[Prompt], after: Sequence[Prompt]
    ) -> Change[Sequence[Prompt]]:
        """Store the user's prompts; `before`: as they were when the user began to edit."""

        def store(prompts: Sequence[Prompt]) -> Sequence[Prompt]:
            self._archive.prompts.replace(prompts)
            return prompts

        return Change(store(after), lambda: store(before))

    def note_use(self, prompt: Prompt) -> None:
        self._archive.prompts.note_use(prompt)


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts and preferences that the user manages; what is learned is in `Memory`."""

    _archive: "Archive"
    _backups: FindBackups = lambda _: ()

    def forget(self, fact_ids: Sequence[FactId]) -> Change[Sequence[Fact]]:
        """Forget facts and those they replaced; they are never learned again."""
        facts = self._archive.facts.some(fact_ids)
        older = [version.id for fact in facts for version in self._archive.facts.history(fact.id)]
        hidden = [*fact_ids, *older]
        self._archive.facts.delete(hidden)

        def undo() -> Sequence[Fact]:
            self._archive.facts.undelete(hidden)
            return facts

        since = min((fact.valid_from for fact in facts), default=None)
        return Change(facts, undo, self._backups(since) if since else ())

    def pin(self, fact_id: FactId, *, is_pinned: bool) -> None:
        self._archive.facts.pin(fact_id, is_pinned=is_pinned)

    def share(self, fact_id: FactId) -> None:
        """Give the fact of a project to all projects."""
        self._archive.facts.give(fact_id, NO_PROJECT)

    def reload(self, facts: Sequence[NewFact]) -> Sequence[FactId]:
        """Add exported facts; return those that are new."""
        return self._archive.facts.reload(facts)

    def forget_preference(self, preference_id: PreferenceId) -> Change[PreferenceId]:
        store = self._archive.preferences
        store.delete(preference_id)

        def undo() -> PreferenceId:
            store.undelete(preference_id)
            return preference_id

        return Change(preference_id, undo)

    def reload_preferences(self, preferences: Iterable[KnownPreference]) -> int:
        """Add exported preferences; return how many are new."""
        return self._archive.preferences.reload(preferences)


@dataclass(frozen=True, slots=True)
class Proposals:
    """Sentences that other assistants remember, which the user confirms or declines."""

    _archive: "Archive"
    _memory: "Memory"

    def confirm(self, ids: Sequence[ProposalId]) -> Sequence[Learned]:
        """Make facts of sentences, in their own projects; what has a secret stays undecided."""
        learned: list[Learned] = []
        for proposal in self._archive.proposals.some(ids):
            wall = Wall(proposal.project)
            with suppress(SecretNotKeptError):
                learned.append(
                    self._memory.remember(proposal.text, wall, importance=_OF_PROPOSALS)
                )
                self._archive.proposals.decide([proposal.id])
        return learned

    def decline(self, ids: Sequence[ProposalId]) -> int:
        """Forget these sentences for good: no import proposes them again."""
        return self._archive.proposals.decide(ids)


_OF_PROPOSALS = 6
"""Their importance: less than what the user states, which goes with every request."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Documents and pages of the library. Methods raise SourceUnknownError."""

    _archive: "Archive"
    _backups: FindBackups = lambda _: ()

    def remove(self, source_ids: Sequence[SourceId]) -> Change[Sequence[Source]]:
        store = self._archive.sources
        removed = [store.source(source_id) for source_id in source_ids]
        for source_id in source_ids:
            store.remove(source_id)

        def undo() -> Sequence[Source]:
            for source_id in source_ids:
                store.restore(source_id)
            return removed

        since = min((source.added_at for source in removed), default=None)
        return Change(removed, undo, self._backups(since) if since else ())

    def clear_contacts(self) -> Change[Sequence[Contact]]:
        """Clear the list of contacted addresses."""
        contacts = self._archive.contacts.clear()

        def undo() -> Sequence[Contact]:
            self._archive.contacts.add(*contacts)
            return contacts

        return Change(contacts, undo)
