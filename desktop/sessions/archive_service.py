"""Use cases on stored data, for window and command line: delete, forget, back up, restore.

Window and command line read through the repositories that the service offers and delete through
its methods; they do not import `desktop.storage`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.domain.backups import Backup, BackupPreview, Restored
from desktop.domain.errors import AppError
from desktop.domain.facts import Fact
from desktop.domain.ids import AttachedId, FactId, MessageId, SessionId, SourceId, new_session_id
from desktop.domain.search import RecalledItem
from desktop.domain.sessions import Draft, Session
from desktop.domain.times import utc_now
from desktop.settings.file_writing import raising_unreadable
from desktop.settings.profile import WAITS_S, ProfileLock
from desktop.storage.archive import Archive, repair_archive
from desktop.storage.care.backup import (
    backup_name,
    copy_encrypted,
    free_place,
    write_backup,
    written_since,
)
from desktop.storage.care.restore import Keys, preview_backup, restore_archive
from desktop.storage.care.salvage import damage_lists, read_damage
from desktop.storage.schema.migrations import STEPS

if TYPE_CHECKING:
    from desktop.memory.memory import Memory
    from desktop.settings.encryption import ProfileKey
    from desktop.settings.messages import Texts
    from desktop.settings.paths import ProfilePaths


SCHEMA_VERSION = len(STEPS)
_SNIPPET = 400  # Characters


@dataclass(frozen=True, slots=True)
class DeletedSession:
    session: Session
    backups: Sequence[Path]  # The profile's own backups that may still contain it


@dataclass(frozen=True, slots=True)
class ForgottenFacts:
    facts: Sequence[Fact]
    ids: Sequence[FactId]  # The ids of these facts and of those they replaced: for `restore_facts`
    backups: Sequence[Path] = ()  # The profile's own backups that may still contain them


class ArchiveService(Archive):
    """The archive with its use cases. Any thread may call. Every method may raise StorageError."""

    def __init__(
        self,
        archive: Archive,
        backups: Path,
        memory: "Callable[[], Memory]",
        *,
        automatic: Callable[[], Path] | None = None,
    ) -> None:
        """`backups`: the folder of the profile's own backups; `automatic`: of automatic ones."""
        # The same repositories, with their caches, not others like them.
        vars(self).update(vars(archive))
        self._backups = backups
        self._automatic = automatic or (lambda: backups)
        self._memory = memory
        self.path = archive.database.path

    def recalled_with(self, session_id: SessionId) -> Mapping[MessageId, Sequence[RecalledItem]]:
        """Return the passages that each answer of a session recalled automatically."""
        from desktop.research.passages import excerpt  # noqa: PLC0415 - not for every command

        def cut(text: str, question: str) -> str:
            return excerpt(text, question, _SNIPPET)

        return self.recalled.by_answer(session_id, cut)

    def attached_titles(self, attached: Sequence[AttachedId]) -> dict[AttachedId, str]:
        """Return the titles of the attachments that still exist, in one line."""
        sessions = self.sessions.some(map(SessionId, attached))
        titles: dict[AttachedId, str] = {one.id: one.title or one.opening for one in sessions}
        titles |= {one.id: one.title for one in self.sources.some(map(SourceId, attached))}
        titles |= {one.id: one.name for one in self.projects.projects() if one.id in attached}
        return {one: " ".join(title.split()) for one, title in titles.items()}

    def delete_session(self, session_id: SessionId, *, is_final: bool = False) -> DeletedSession:
        """Delete a session; unless `is_final`, `restore_session` can bring it back.

        Raises SessionUnknownError.
        """
        session = self.sessions.session(session_id)
        self.sessions.delete(session_id)
        if is_final:
            self.purge_deleted()
        return DeletedSession(session, self.backups_since(session.created_at))

    def restore_session(self, session_id: SessionId) -> Session:
        """Bring a deleted session back. Raises SessionUnknownError."""
        self.sessions.undelete(session_id)
        return self.sessions.session(session_id)

    def unarchive_session(self, session_id: SessionId) -> Session:
        """Put an archived session back in the daily list, to stay. Raises SessionUnknownError."""
        self.sessions.unarchive(session_id)
        self.drafts.attend(session_id)
        return self.sessions.session(session_id)

    def forget_facts(
        self, fact_ids: Sequence[FactId], *, is_final: bool = False
    ) -> ForgottenFacts:
        """Forget facts and those they replaced; they are never learned again."""
        facts = self.facts.some(fact_ids)
        ids = self._memory().forget(fact_ids)
        if is_final:
            self.purge_deleted()
        since = min((fact.valid_from for fact in facts), default=None)
        return ForgottenFacts(facts, ids, self.backups_since(since) if since else ())

    def restore_facts(self, fact_ids: Sequence[FactId]) -> None:
        self._memory().unforget(fact_ids)

    def clear_draft(self, session_id: SessionId) -> None:
        self.drafts.keep(session_id, Draft())

    def write_backup(self, target: Path) -> Backup:
        """Write a checked copy of the archive. Raises BackupExistsError, FileNotWrittenError."""
        return write_backup(self.database, target, with_files=True)

    def preview_backup(self, backup: Path) -> BackupPreview | None:
        """Return what a backup contains; None if it has a passphrase of its own.

        Raises AppError if it is not a backup, or is damaged.
        """
        from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - seldom needed

        key = self.database.key
        is_own = KeyFile.beside(backup).is_opened_by(key)
        return look_into_backup(backup, key) if is_own else None

    def damage(self) -> dict[Path, list[dict[str, Any]]]:
        """Return what salvages could not save, by their files, the oldest first.

        Raises FileUnreadableError.
        """
        return {one: read_damage(one, self.database.key) for one in damage_lists(self._backups)}

    def backups_since(self, moment: datetime) -> Sequence[Path]:
        """Return the profile's own backups that may contain what existed at that moment."""
        folders = dict.fromkeys((self._backups, self._automatic()))
        return [one for folder in folders for one in written_since(folder, moment)]


def suggest_backup_name(profile: str) -> str:
    """Return the file name of a backup that is written now, without its extension."""
    return backup_name(profile, utc_now())


find_free_path, look_into_backup, repair = free_place, preview_backup, repair_archive


def describe_backup(found: BackupPreview, texts: "Texts", day: Callable[[str], str] = str) -> str:
    """Return in words what a backup contains; `day` formats YYYY-MM-DD."""
    return texts.say(
        "backup.preview" if found.first_day else "backup.preview_empty",
        sessions=texts.number(found.contents.sessions),
        messages=texts.number(found.contents.messages),
        documents=texts.number(found.documents),
        first=day(found.first_day),
        last=day(found.last_day),
        size=texts.megabytes(found.size_bytes),
    )


def describe_written(backup: Backup, texts: "Texts") -> list[str]:
    """Return in sentences what a written backup contains, and whether it needs a key."""
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - seldom needed

    sentences = [
        texts.say(
            "backup.written",
            sessions=texts.number(backup.contents.sessions),
            messages=texts.number(backup.contents.messages),
            size=texts.megabytes(backup.size_bytes),
        )
    ]
    if (key := KeyFile.beside(backup.path)).exists():
        sentences.append(texts.say("backup.needs_key", name=key.places[0].name))
    return sentences


def describe_damage(found: Mapping[str, Any], texts: "Texts") -> str:
    """Return in one line a row or session of `ArchiveService.damage`."""
    if name := found.get("session"):
        known, saved = texts.number(found["messages"]), texts.number(found["saved"])
        return texts.say("doctor.damaged_session", name=name, known=known, saved=saved)
    values = (f"{name}={value}" for name, value in found["row"].items() if value is not None)
    row = " ".join("; ".join(values).split())
    kept = "kept" if found["is_kept"] else "lost"
    return texts.say(f"doctor.damaged_{kept}", table=found["table"], row=row)


def restore_backup(
    source: Path,
    *,
    database: Path,
    backups: Path,
    key: "ProfileKey | None" = None,
    key_of_source: "ProfileKey | None" = None,
) -> Restored:
    """Replace the archive by a backup; the archive that was there is kept in `backups`.

    Only the owner of the profile may call it, before the archive is opened. Raises
    FileUnreadableError, NotAnArchiveError, ArchiveDamagedError, DatabaseTooNewError,
    DatabaseLockedError, FileNotWrittenError, StorageError.
    """
    keys = Keys(key, key_of_source)
    return restore_archive(source, path=database, backups=backups, now=utc_now(), keys=keys)


def convert(
    profile: "ProfilePaths", key: "ProfileKey", tell: Callable[[float], object] = lambda _: None
) -> "ProfileKey | None":
    """Encrypt or decrypt what does not match the key file; `tell` gets the progress, from 0 to 1.

    Only the owner of the profile may call it, before the archive is opened. Returns the key, or
    None if the profile is plain now. Raises as `storage.encryption.convert_profile`.
    """
    from desktop.storage.care.encryption import convert_profile  # noqa: PLC0415 - seldom needed

    with raising_unreadable(profile.folder):  # also a list of what is in it
        return convert_profile(profile, key, lambda at: tell(at.done / max(1, at.whole)))


def convert_or_undo(
    profile: "ProfilePaths", key: "ProfileKey", tell: Callable[[float], object] = lambda _: None
) -> None:
    """Convert what was just begun; after an error the profile is as it was before.

    Where that fails too, the next start goes on. Raises as `convert`.
    """
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - seldom needed

    try:
        convert(profile, key, tell)
    except AppError:
        file = KeyFile.of_profile(profile.folder)
        file.turn_off(key, is_wanted=not file.is_turning_off(key))
        convert(profile, key)
        raise


def check_room(profile: "ProfilePaths", *, encrypted: bool) -> None:
    """Raise SpaceTooLittleError if there is not enough room to encrypt, or to decrypt."""
    from desktop.storage.care import encryption  # noqa: PLC0415 - seldom needed

    encryption.check_room(profile, encrypted=encrypted)


def copy_locked(profile: "ProfilePaths", target: Path) -> None:
    """Copy an archive whose passphrase is not known; restoring checks it.

    Raises ProfileInUseError, BackupExistsError, FileNotWrittenError, FileUnreadableError.
    """
    lock = ProfileLock(profile.lock, for_command=True, waits_s=WAITS_S)
    lock.acquire()
    try:
        copy_encrypted(profile.database, target)
    finally:
        lock.release()


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
class SplitMerge:
    """Splits and merges past sessions. Methods may raise StorageError, SessionUnknownError."""

    archive: Archive

    def split(self, session_id: SessionId, at: MessageId) -> SessionSplit:
        whole = self.archive.sessions.session(session_id)
        part = new_session_id()
        self.archive.split_merge.split(session_id, at, part)
        return SessionSplit(whole, part)

    def merge(self, session_id: SessionId) -> SessionMerge | None:
        """Append a session to the one that began before it; None if it is the first."""
        first = self.archive.split_merge.before(session_id)
        return self._merge(first.id, session_id) if first else None

    def merge_several(self, several: Sequence[SessionId]) -> Sequence[SessionMerge]:
        """Append sessions of one project, in turn, to the one of them that began first.

        All or none: after an error the merged ones are split again. Returns nothing for
        sessions of different projects.
        """
        found = sorted(self.archive.sessions.some(several), key=lambda one: one.created_at)
        if len({one.project for one in found}) != 1:
            return ()
        done = list[SessionMerge]()
        try:
            for one in found[1:]:
                done.append(self._merge(found[0].id, one.id))
        except AppError:
            self.undo(done)
            raise
        return done

    def _merge(self, first_id: SessionId, second_id: SessionId) -> SessionMerge:
        first = self.archive.sessions.session(first_id)
        second = self.archive.sessions.session(second_id)
        return SessionMerge(first, second, self.archive.split_merge.merge(first_id, second_id))

    def undo(self, done: SessionSplit | SessionMerge | Sequence[SessionMerge]) -> None:
        match done:
            case [*several]:
                for one in reversed(several):
                    self.undo(one)
            case SessionSplit(whole, part):
                self.archive.split_merge.undo_split(whole, part)
            case SessionMerge(first, second, number):
                self.archive.split_merge.undo_merge(first, second, number)
