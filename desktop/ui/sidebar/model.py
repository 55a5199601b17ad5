"""The item model of the session list."""

from collections import ChainMap, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from enum import IntEnum
from itertools import compress

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt, Signal

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.projects import EVERYTHING, Project, ProjectId
from desktop.domain.sessions import Session, SessionStatus
from desktop.ui.formatting import when_alone
from desktop.ui.search.hits import FoundHits, hold_rows, is_message, one_line
from desktop.ui.search.query import Filter
from desktop.ui.sidebar.entries import (
    NO_LABELS,
    AnswerMarks,
    Calendar,
    Entry,
    GroupHeading,
    Row,
    RowLabels,
    TimeSpan,
    dated_rows,
    entry_of,
    found_entries,
    heading_label,
    local_day,
    ranked_rows,
    session_rows,
    week_begin,
    when_label,
)
from desktop.ui.widgets.plain_text import tip
from desktop.ui.widgets.row_list import Index, RowModel, gaps, staying

_NOWHERE = QModelIndex()
_DRAGGED = "application/x-bellek-sessions"
_ROW_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
)
_NAMED_FLAGS = _ROW_FLAGS | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled


def dragged_sessions(mime_data: QMimeData) -> list[SessionId]:
    return [SessionId(line) for line in mime_data.data(_DRAGGED).toStdString().split("\n") if line]


class SessionRole(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1  # GroupHeading or Entry
    WHEN = Qt.ItemDataRole.UserRole + 2  # text for the time
    IS_OPEN = Qt.ItemDataRole.UserRole + 3  # Whether it is the open session
    LABELS = Qt.ItemDataRole.UserRole + 4  # RowLabels
    ANSWER = Qt.ItemDataRole.UserRole + 5  # What happens to its answer, in a word; may be empty


class SessionListModel(RowModel[Row]):
    """Sessions by day, or search hits; the active session is always first.

    There may be tens of thousands, so a change tells of the rows that it concerns only.
    """

    keeps_sizes = frozenset({SessionRole.ROW, SessionRole.IS_OPEN})
    more_wanted = Signal()  # The user scrolled to the end, and the archive has more
    renamed = Signal(str, str)  # Session id, title typed by the user

    def __init__(self, today: Callable[[], date], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._today = today
        self._entries: dict[SessionId, Entry] = {}  # The past sessions, the newest first
        self._active: Session | None = None
        self._results: FoundHits | None = None
        self._found_entries: dict[SessionId, Entry] = {}  # Of hits that the list does not contain
        self._is_ranked = False  # The best hits first, instead of the newest
        self.open_session: SessionId | None = None
        self._open_message: MessageId | None = None
        self.chosen_filter = Filter.ALL
        self.shows_archive = False  # Whether it has the archived sessions, instead of all others
        self.wall = EVERYTHING  # Around the project whose sessions the list has
        self.tag = ""  # The topic or tag of the listed sessions; empty: any
        self._projects: Mapping[ProjectId, str] = {}
        self._tags: Mapping[SessionId, Sequence[str]] = {}
        self._branched: frozenset[SessionId] = frozenset()
        self._owners: Mapping[str, str] = {}
        self._marks = AnswerMarks()
        self._has_more = False
        self._asked_for_more = False

    def set_labels(
        self,
        projects: Iterable[Project],
        tags: Mapping[str, Iterable[SessionId]],
        branched: frozenset[SessionId],
        owners: Mapping[str, str],
    ) -> None:
        """Set what the rows say besides title and text.

        `tags`: the sessions of each; `owners`: the members that shared sessions come from.
        """
        by_session: defaultdict[SessionId, list[str]] = defaultdict(list)
        for name, tagged in tags.items():
            for session_id in tagged:
                by_session[session_id].append(name)
        names, self._projects = self._projects, {project.id: project.name for project in projects}
        changed = set(branched ^ self._branched)
        for were, are in ((self._tags, by_session), (self._owners, owners)):
            changed |= {each for each in {*were, *are} if were.get(each) != are.get(each)}
        self._tags, self._branched, self._owners = by_session, branched, owners
        if names != self._projects:
            self.retranslate_rows()
        self._tell_changed(changed, SessionRole.LABELS)

    def set_marks(self, marks: AnswerMarks) -> None:
        """Set which sessions are answered now, or have an answer that was not seen yet."""
        before, self._marks = self._marks, marks
        for were, are in zip(before, marks, strict=True):
            self._tell_changed(were ^ are, SessionRole.ANSWER)

    def _tell_changed(self, session_ids: Collection[SessionId | None], role: int) -> None:
        """Tell that a role of these sessions has changed, or of the rows of their hits."""
        if session_ids:
            for place, row in enumerate(self._rows):
                if isinstance(row, Entry) and row.session_id in session_ids:
                    self.dataChanged.emit(self.index(place), self.index(place), [role])

    @property
    def is_searching(self) -> bool:
        return self._results is not None

    @property
    def message_hits(self) -> int:
        return sum(map(is_message, self._results.hits)) if self._results else 0

    @property
    def has_past_sessions(self) -> bool:
        return any(isinstance(row, Entry) and not row.is_active for row in self._rows)

    @property
    def known_sessions(self) -> frozenset[SessionId]:
        return frozenset(self._entries)

    @property
    def sessions(self) -> list[Session]:
        active = [self._active] if self._active else []
        return [*active, *(entry.session for entry in self._entries.values() if entry.session)]

    def session(self, session_id: SessionId) -> Session | None:
        if self._is_active(session_id):
            return self._active
        entry = self._entries.get(session_id)
        return entry.session if entry else None

    def show_sessions(self, sessions: Iterable[Session], *, has_more: bool) -> None:
        before, self._entries = self._entries, {}
        self._append(sessions, before, has_more=has_more)

    def append_sessions(self, sessions: Iterable[Session], *, has_more: bool) -> None:
        self._append(sessions, {}, has_more=has_more)

    def _append(
        self,
        sessions: Iterable[Session],
        before: Mapping[SessionId, Entry],
        *,
        has_more: bool,
    ) -> None:
        """`before`: entries that are used again if their sessions have not changed."""
        for session in sessions:
            if session.id not in self._entries and not self._is_active(session.id):
                was = before.get(session.id)
                is_same = was is not None and was.session == session
                self._entries[session.id] = was if was and is_same else entry_of(session)
        self._has_more, self._asked_for_more = has_more, False
        self.refresh()

    def set_active(self, session: Session | None) -> None:
        before, self._active = self._active, session
        if session and before and session.id == before.id:
            index = self.index_of(session.id)
            if index.isValid():
                self._rows[index.row()] = entry_of(session)
                self.dataChanged.emit(index, index, [SessionRole.ROW])
            return
        if session:
            self._entries.pop(session.id, None)
        if before and before.messages and not before.is_temporary:
            # The database knows how it ended; until it is read, the row stays unchanged.
            self._add([replace(before, status=SessionStatus.COMPLETE)])
        self.refresh()

    def put(self, *sessions: Session) -> None:
        for session in sessions:
            if self._is_active(session.id):
                self.set_active(session)
        self._add([session for session in sessions if not self._is_active(session.id)])
        self.refresh()

    def remove(self, *session_ids: SessionId) -> None:
        for session_id in session_ids:
            self._entries.pop(session_id, None)
        if self._active is not None and self._active.id in session_ids:
            self._active = None
        if self._results is not None:
            removed = set(session_ids)
            hits = [hit for hit in self._results.hits if hit.session_id not in removed]
            self._results = replace(self._results, hits=hits)
        self.refresh()

    def show_hits(
        self, results: FoundHits | None, *, is_ranked: bool = False, held: object = None
    ) -> None:
        """Show search hits; None ends the search. Rows down to the key `held` do not move."""
        self._results = results
        self._is_ranked = is_ranked
        self._asked_for_more = False
        self._found_entries = (
            {session.id: entry_of(session) for session in results.sessions} if results else {}
        )
        self._replace(hold_rows(self._rows, self._wanted_rows(), held, self._key_of))

    @property
    def has_more_hits(self) -> bool:
        if not self._results or not self._results.hits or not self._results.has_more:
            return False
        oldest = local_day(min(hit.created_at for hit in self._results.hits))
        return self.chosen_filter is not Filter.THIS_WEEK or oldest >= week_begin(self._today())

    def set_open(self, session_id: SessionId | None, message_id: MessageId | None = None) -> None:
        before = self.open_session, self._open_message
        self.open_session, self._open_message = session_id, message_id
        if before != (session_id, message_id):
            self._tell_changed({before[0], session_id}, SessionRole.IS_OPEN)

    def choose(self, chosen: Filter) -> None:
        self.chosen_filter = chosen
        self.refresh()

    def refresh(self) -> None:
        self._replace(self._wanted_rows())

    def say_again(self) -> None:
        self.refresh()
        self.retranslate_rows()

    def index_of(self, session_id: SessionId) -> QModelIndex:
        for place, row in enumerate(self._rows):
            if isinstance(row, Entry) and row.session_id == session_id:
                return self.index(place)
        return QModelIndex()

    def next_entry(self, index: Index, step: int) -> QModelIndex:
        """Return the nearest session below (1) or above (-1), skipping headings."""
        start = index.row() if index.isValid() else (-1 if step > 0 else len(self._rows))
        places = range(start + step, len(self._rows) if step > 0 else -1, step)
        entry_places = (place for place in places if isinstance(self._rows[place], Entry))
        return self.index(next(entry_places, -1))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is None or role == SessionRole.ROW:
            return self._as_shown(row)
        if isinstance(row, GroupHeading):
            is_shown = role == Qt.ItemDataRole.DisplayRole
            return heading_label(row, self._today()) if is_shown else None
        return self._labels(row) if role == SessionRole.LABELS else self._entry_data(row, role)

    def _entry_data(self, entry: Entry, role: int) -> object:
        title = entry.title or self.tr("New session")
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return title
            case SessionRole.WHEN:
                return self._when(entry)
            case SessionRole.ANSWER | SessionRole.IS_OPEN:
                return (self._answer if role == SessionRole.ANSWER else self._is_open)(entry)
            case Qt.ItemDataRole.ToolTipRole:
                labels = self._labels(entry)
                about = " · ".join(filter(None, (labels.project, *labels.others)))
                return tip("\n".join(filter(None, (entry.title, about))))
            case Qt.ItemDataRole.AccessibleTextRole:
                kind = self.tr("temporary") if entry.is_temporary else ""
                labels = self._labels(entry)
                now = kind, self._answer(entry), self._when(entry)
                words = (title, *now, labels.project, *labels.others)
                return ", ".join(filter(None, (*words, entry.text)))
            case _:
                return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row(index)
        title = one_line(value) if isinstance(value, str) else ""
        if role != Qt.ItemDataRole.EditRole or not isinstance(row, Entry) or not title:
            return False
        if title != row.title:
            self.renamed.emit(row.session_id, title)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        match self.row(index):
            case None:
                return Qt.ItemFlag.NoItemFlags
            case GroupHeading():
                return Qt.ItemFlag.ItemNeverHasChildren
            case Entry(is_temporary=is_temporary, is_source=is_source):
                return _NAMED_FLAGS if not is_temporary and not is_source else _ROW_FLAGS

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:
        mime_data = QMimeData()
        dragged = [row.session_id for row in map(self.row, indexes) if isinstance(row, Entry)]
        mime_data.setData(_DRAGGED, "\n".join(dragged).encode())
        return mime_data

    def canFetchMore(self, parent: Index = _NOWHERE) -> bool:
        if parent.isValid() or self._asked_for_more:
            return False
        if self.is_searching:
            return self.has_more_hits
        match self.chosen_filter:
            case Filter.PINNED:  # they head the archive's list
                is_further_down = all(entry.is_pinned for entry in self._entries.values())
            case Filter.THIS_WEEK:
                last = next(reversed(self._entries.values()), None)
                is_further_down = last is None or last.day >= week_begin(self._today())
            case _:
                is_further_down = True
        return self._has_more and is_further_down

    def fetchMore(self, parent: Index = _NOWHERE) -> None:
        if self.canFetchMore(parent):
            self._asked_for_more = True
            self.more_wanted.emit()

    def _wanted_rows(self) -> list[Row]:
        calendar = Calendar(self._today())
        is_here = self._active is not None and not self._is_elsewhere(self._active)
        active = entry_of(self._active) if self._active and is_here else None
        if self._results is None:
            return session_rows(self._entries.values(), self.chosen_filter, calendar, active)
        entries_by_id = ChainMap(self._entries, self._found_entries)
        entries = found_entries(self._results, entries_by_id, self.chosen_filter, calendar, active)
        if self._is_ranked:
            rows = ranked_rows(self._results, entries, active)
        else:
            rows = dated_rows(entries, calendar, active)
        return [*rows, GroupHeading(TimeSpan.MORE)] if self.has_more_hits else rows

    def _when(self, entry: Entry) -> str:
        if entry.hit is not None and entry.hit.day is not None:
            return self.tr("diary")
        if entry.is_source:
            page = entry.hit.page if entry.hit else None
            return self.tr("source, p. {page}").format(page=page) if page else self.tr("source")
        if entry.session is not None and entry.session.is_damaged:
            return self.tr("damaged")
        is_alone = self.is_searching and self._is_ranked and not entry.is_active
        return (when_alone if is_alone else when_label)(entry.at, self._today())

    def _as_shown(self, row: Row | None) -> Row | None:
        """Return the row; a session is described when its answer has ended."""
        if isinstance(row, Entry) and row.session_id in self._marks.answered:
            return replace(row, is_undescribed=False)
        return row

    def _answer(self, entry: Entry) -> str:
        if entry.hit is not None and not entry.stands_for_session:
            return ""
        marks, session_id = self._marks, entry.session_id
        if session_id in marks.waiting:
            return self.tr("waits for you")
        if session_id in marks.answered:
            is_queued = session_id in marks.queued
            return self.tr("waits in line") if is_queued else self.tr("answering…")
        return self.tr("new answer") if session_id in marks.done else ""

    def _labels(self, entry: Entry) -> RowLabels:
        """Return the labels of a session; its project only where others are listed, too."""
        if entry.hit is not None or entry.session is None:
            return NO_LABELS
        tags = [f"#{name}" for name in self._tags.get(entry.session_id, ())]
        branched = [self.tr("branched")] if entry.session_id in self._branched else []
        project = self._projects.get(entry.session.project, "") if self.wall.is_open else ""
        owner = filter(None, [self._owners.get(entry.session_id)])
        return RowLabels(project, (*owner, *tags, *branched))

    def _is_open(self, entry: Entry) -> bool:
        is_other_message = (
            self.chosen_filter is Filter.MESSAGES
            and entry.hit is not None
            and entry.hit.message_id != self._open_message
        )
        return entry.session_id == self.open_session and not is_other_message

    def _is_elsewhere(self, session: Session) -> bool:
        return not self.wall.is_open and session.project != self.wall.project

    def _is_active(self, session_id: SessionId) -> bool:
        return self._active is not None and self._active.id == session_id

    def _key_of(self, row: Row) -> object:
        return row.key

    def _add(self, sessions: Iterable[Session]) -> None:
        is_sorted = True
        for session in sessions:
            if self._is_elsewhere(session) or session.is_archived is not self.shows_archive:
                self._entries.pop(session.id, None)
                continue
            was, entry = self._entries.get(session.id), entry_of(session)
            self._entries[session.id] = entry
            is_sorted = is_sorted and was is not None and was.at == entry.at
        if not is_sorted:
            newest = sorted(self._entries.values(), key=lambda entry: entry.at, reverse=True)
            self._entries = {entry.session_id: entry for entry in newest}

    def _replace(self, rows: list[Row]) -> None:
        """Remove and insert what differs: selection, place and an open editor survive."""
        old = self._rows
        old_stays, stays = staying([row.key for row in old], [row.key for row in rows])
        self._rows = [*old]
        for start, end in reversed(gaps(old_stays)):
            self.beginRemoveRows(QModelIndex(), start, end - 1)
            del self._rows[start:end]
            self.endRemoveRows()
        for start, end in gaps(stays):
            self.beginInsertRows(QModelIndex(), start, end - 1)
            self._rows[start:start] = rows[start:end]
            self.endInsertRows()
        self._rows = rows
        pairs = zip(compress(range(len(rows)), stays), compress(old, old_stays), strict=True)
        changed = [place for place, before in pairs if _is_other(rows[place], before)]
        if changed:
            first, last = self.index(changed[0]), self.index(changed[-1])
            self.dataChanged.emit(first, last, [SessionRole.ROW])


def _is_other(row: Row, other: Row) -> bool:
    return row is not other and row != other
