"""One profile's archive: its file and its repositories. Text SQL: PRAGMA."""

import os
from collections.abc import Collection
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.domain.backups import RepairNeed
from desktop.domain.errors import (
    DatabaseDamagedError,
    DatabaseReadOnlyError,
    ProfileLockedError,
    StorageError,
)
from desktop.domain.ids import SessionId, SourceId
from desktop.domain.times import Clock, utc_now
from desktop.domain.usage import Figure, Figures
from desktop.settings.paths import is_encrypted
from desktop.storage.care.purge import compact, purge_deleted
from desktop.storage.care.repair import check_root_pages, count_unreadable, repair_indexes
from desktop.storage.care.restore import sweep_unfinished
from desktop.storage.care.salvage import finish_salvage, salvage_file
from desktop.storage.journal.journal import Journal
from desktop.storage.repositories.answer_records import (
    AnswerStore,
    PhaseStore,
    RecalledStore,
    SentFactStore,
    WorkDoneStore,
)
from desktop.storage.repositories.claims import ClaimStore
from desktop.storage.repositories.descriptions import DescriptionStore, LearningStore, TopicStore
from desktop.storage.repositories.diary import DiaryStore
from desktop.storage.repositories.facts import FactStore
from desktop.storage.repositories.file_store import FileStore, file_folder
from desktop.storage.repositories.imports import ImportStore, MemoryProposalStore
from desktop.storage.repositories.notes import NoteStore
from desktop.storage.repositories.patterns import PatternStore
from desktop.storage.repositories.preferences import PreferenceStore
from desktop.storage.repositories.projects import ProjectStore, TagStore
from desktop.storage.repositories.prompts import PromptStore
from desktop.storage.repositories.references import CitationMover, LiteratureCache, ReferenceStore
from desktop.storage.repositories.removed_originals import HousekeepingStore, OriginalsStore
from desktop.storage.repositories.session_context import AnnotationStore, CompactStore
from desktop.storage.repositories.session_log import ContactStore, RunStore
from desktop.storage.repositories.sessions import DraftStore, SessionStore
from desktop.storage.repositories.shared_items import SharedItemStore
from desktop.storage.repositories.sources import ScanStore, SourceStore
from desktop.storage.repositories.split_merge import SplitMergeStore
from desktop.storage.repositories.statistics import (
    BackgroundStore,
    DailyFigureStore,
    StatisticsStore,
)
from desktop.storage.repositories.watched_folders import WatchedFolderStore
from desktop.storage.repositories.watches import WatchStore
from desktop.storage.schema.database import Database, OpenMode, has_log
from desktop.storage.schema.migrations import STEPS, migrate, refuse_altered, refuse_newer
from desktop.storage.schema.row_mapping import UNREADABLE_TIME
from desktop.storage.schema.tables import session_tags, sessions, source_tags, sources
from desktop.storage.search.message_index import IndexStore
from desktop.storage.search.source_index import PictureIndex, SourceIndex
from desktop.storage.search.vector_sets import MessageVectorStore
from desktop.storage.search.vectors import SourceVectorStore

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey


class Archive:
    def __init__(self, database: Database, now: Clock, backups: Path | None = None) -> None:
        """`backups`: where archives are kept that may refer to files."""
        self.database, self._journal = database, Journal(database, now=now)
        self.sessions = SessionStore(database, now=now)
        self.descriptions = DescriptionStore(database)
        self.daily_figures = DailyFigureStore(database)
        self.diary, self.watches = DiaryStore(database, now=now), WatchStore(database, now=now)
        self.drafts = DraftStore(database, now=now)
        self.annotations = AnnotationStore(database, now=now)
        self.answers, self.claims = AnswerStore(database, now=now), ClaimStore(database, now=now)
        self.compacts = CompactStore(database, now=now)
        self.facts = FactStore(database, now=now)
        self.sent_facts = SentFactStore(database)
        self.recalled = RecalledStore(database)
        self.learning, self.proposals = (
            LearningStore(database),
            MemoryProposalStore(database, now=now),
        )
        self.preferences = PreferenceStore(database, now=now)
        self.index = IndexStore(database, now=now)
        self.housekeeping = HousekeepingStore(database, now=now)
        self.patterns = PatternStore(database, now=now)
        self.imports = ImportStore(database)
        self.projects = ProjectStore(database, now=now)
        self.notes = NoteStore(database, now=now)
        self.tags = TagStore[SessionId](database, sessions, session_tags)
        self.source_tags = TagStore[SourceId](database, sources, source_tags)
        self.vectors = MessageVectorStore(database, now=now)
        self.split_merge = SplitMergeStore(database, now=now)
        self.statistics, self.background = (
            StatisticsStore(database),
            BackgroundStore(database, now=now),
        )
        self.topics = TopicStore(database)
        self.prompts = PromptStore(database, now=now)
        self.sources = SourceStore(database, now=now)
        self.references = ReferenceStore(database, now=now)
        self.scans, self.cited = ScanStore(database, now=now), CitationMover(database, now=now)
        self.pictures = PictureIndex(database, now=now)
        self.source_index = SourceIndex(database)
        self.source_vectors = SourceVectorStore(database, now=now)
        self.files = FileStore(file_folder(database.path), backups, database.key)
        self.contacts, self.literature = ContactStore(database), LiteratureCache(database, now=now)
        self.phases, self.originals = PhaseStore(database), OriginalsStore(database, now=now)
        self.runs = RunStore(database, now=now)
        self.work_done, self.shared = WorkDoneStore(database), SharedItemStore(database, now=now)
        self.watched_folders = WatchedFolderStore(database, now=now)

    def check(self) -> None:
        """Check every page and every index; raises DatabaseDamagedError, StorageError."""
        self.database.check()

    def count_unreadable(self) -> int:
        """Return how many rows have a damaged value; raises StorageError."""
        return count_unreadable(self.database)

    def count_damaged_files(self) -> int:
        """Return how many files are missing or damaged; raises StorageError."""
        return self.files.count_damaged(self.database)

    def try_write(self) -> None:
        """Commit a write that changes nothing, though this archive may be open for reading only.

        Raises StorageError.
        """
        with (
            closing(Database(self.database.path, key=self.database.key)) as database,
            database.writing() as db,
        ):
            at = db.exec_driver_sql("PRAGMA user_version").scalar_one()
            db.exec_driver_sql(f"PRAGMA user_version = {int(at)}")

    def close(self) -> None:
        self.database.close()
        self.files.remove_shown()

    def keep_figures(self, figures: Figures) -> None:
        """Store the recorded figures; after a StorageError, they wait for the next attempt."""
        figures.put_back(self.database.cached.figures.take())
        taken = figures.take()
        if not taken:
            return
        figures.record(Figure.SIZE_BYTES, self.database.path.stat().st_size)
        taken += figures.take()
        try:
            self.daily_figures.add(taken)
        except StorageError:
            figures.put_back(taken)
            raise

    def purge_deleted(self, *, before: datetime | None = None) -> int:
        """Make deletions final; see `storage.care.purge`."""
        # Files are deleted before the rows that name them: after a crash, the next purge finds
        # them.
        self.files.remove_deleted(self.database, before)
        count = purge_deleted(self.database, before=before)
        self._journal.clean_unsent()
        self.files.sweep(self.database)
        return count

    def purge_taken_back(self, ids: Collection[str], *, has_replaced: bool) -> None:
        """Remove for good what members no longer share, whatever else is deleted here.

        `has_replaced`: whether rows were replaced, whose bytes have to go, too.
        """
        if ids:
            self.shared.hide(ids)
            self.purge_deleted(before=UNREADABLE_TIME)
        elif has_replaced:
            compact(self.database)


def open_archive(
    path: Path, *, backups: Path, key: "ProfileKey | None" = None, now: Clock = utc_now
) -> Archive:
    """Open the file for its owner and bring its schema up to date.

    A damaged file is kept in `backups`, its readable rows are copied into a new one, and
    DatabaseDamagedError is raised: the next call opens the new one. Raises StorageError,
    ProfileLockedError.
    """
    _refuse_locked(path, key)
    path.parent.mkdir(parents=True, exist_ok=True)
    finish_salvage(path)
    sweep_unfinished(path, backups=backups)
    with suppress(OSError):  # SQLite would create it readable for everyone
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
    was_left_open = has_log(path)
    database = Database(path, key=key)
    try:
        refuse_newer(database)
        check_root_pages(database)
        if database.suspicion.exists():
            repair_indexes(database)
        migrate(database, backups=backups, now=now())
        refuse_altered(database)
        if was_left_open:
            database.check("quick_check")
    except DatabaseDamagedError as exc:
        raise _salvage(database, backups, now()) from exc
    return Archive(database, now, backups)


def _salvage(database: Database, backups: Path, now: datetime) -> DatabaseDamagedError:
    database.close()
    error = salvage_file(database.path, backups=backups, now=now, key=database.key)
    database.suspicion.unlink(missing_ok=True)
    return error


def repair_archive(
    path: Path, *, backups: Path, key: "ProfileKey | None" = None, now: Clock = utc_now
) -> tuple[RepairNeed, DatabaseDamagedError | None]:
    """Check every page, index and row, and repair what is damaged; only the owner may call it.

    After a salvage the error states what was saved. Raises StorageError, ProfileLockedError.
    """
    _refuse_locked(path, key)
    finish_salvage(path)
    database, is_mended = Database(path, key=key), False
    try:
        with closing(database):
            refuse_newer(database)
            check_root_pages(database)
            is_mended = repair_indexes(database)
            migrate(database, backups=backups, now=now())
            refuse_altered(database)
            is_damaged = count_unreadable(database) > 0
    except DatabaseDamagedError:
        is_damaged = True
    if is_damaged:
        return RepairNeed.SALVAGE, _salvage(database, backups, now())
    return RepairNeed.INDEXES if is_mended else RepairNeed.NOTHING, None


def open_for_reading(
    path: Path, *, key: "ProfileKey | None" = None, now: Clock = utc_now
) -> Archive:
    """Open the file for reading only, while another process may own it.

    Raises StorageError, ProfileLockedError.
    """
    return _open_beside(path, OpenMode.FOR_READING, key, now)


def open_to_add(path: Path, *, key: "ProfileKey | None" = None, now: Clock = utc_now) -> Archive:
    """Open the file to add rows that nobody changes, while another process may own it.

    Raises StorageError, ProfileLockedError.
    """
    return _open_beside(path, OpenMode.FOR_WRITING, key, now)


def _open_beside(path: Path, mode: OpenMode, key: "ProfileKey | None", now: Clock) -> Archive:
    _refuse_locked(path, key)
    database = Database(path, mode, key)
    if refuse_newer(database) < len(STEPS):  # nobody could bring it up to date
        raise DatabaseReadOnlyError
    return Archive(database, now)


def _refuse_locked(path: Path, key: "ProfileKey | None") -> None:
    """Without its key an encrypted file would look like a damaged one."""
    if key is None and is_encrypted(path.parent):
        raise ProfileLockedError
