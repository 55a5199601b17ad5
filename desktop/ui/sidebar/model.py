"""The item model of the session list."""

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit
from desktop.domain.sessions import Session, SessionStatus
from desktop.ui.search.query import Filter, is_message
from desktop.ui.sidebar.entries import (
    Calendar,
    Entry,
    Group,
    GroupHeading,
    Row,
    SearchAnswer,
    TimeSpan,
    entry_of,
    group_label,
    held_back,
    hit_rows,
    local_day,
    session_rows,
    week_begin,
    when_alone,
    when_label,
)
from desktop.ui.widgets.plain_text import tip

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class SessionRole(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1
    """Heading or Entry"""
    WHEN = Qt.ItemDataRole.UserRole + 2
    """Words for the time"""
    IS_OPEN = Qt.ItemDataRole.UserRole + 3
    """Whether it is what the reader has before them"""


class SessionListModel(QAbstractListModel):
    """Sessions by day, or the hits of a search; the active session always first."""

    more_wanted = Signal()
    """The list has been read to its end and there is more in the archive."""
    renamed = Signal(str, str)
    """Session id, title as the user wrote it"""

    def __init__(self, today: Callable[[], date], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._today = today
        self._sessions: dict[SessionId, Session] = {}
        self._entries: dict[SessionId, Entry] = {}
        """Of the sessions, in the same order."""
        self._active: Session | None = None
        self._hits: Sequence[Hit] | None = None
        self._found: Mapping[SessionId, Session] = {}
        """The sessions that the hits stand in."""
        self._counts: Mapping[SessionId, int] = {}
        self._is_ranked = False
        self._has_more_hits = False
        self._open: SessionId | None = None
        self._open_at: MessageId | None = None
        self._filter = Filter.ALL
        self._has_more = False
        self._asked_for_more = False
        self._rows: list[Row] = []

    @property
    def is_searching(self) -> bool:
        return self._hits is not None

    @property
    def chosen_filter(self) -> Filter:
        return self._filter

    @property
    def message_hits(self) -> int:
        return sum(map(is_message, self._hits or ()))

    @property
    def has_past_sessions(self) -> bool:
        """Whether any row is shown besides the active session's."""
        return any(isinstance(row, Entry) and not row.is_active for row in self._rows)

    @property
    def known_sessions(self) -> frozenset[SessionId]:
        """Those in the list, which need not be read for what is found in them."""
        return frozenset(self._sessions)

    def session(self, session_id: SessionId) -> Session | None:
        return self._active if self._is_active(session_id) else self._sessions.get(session_id)

    def show_sessions(self, sessions: Iterable[Session], *, has_more: bool) -> None:
        self._sessions, self._entries = {}, {}
        self.append_sessions(sessions, has_more=has_more)

    def append_sessions(self, sessions: Iterable[Session], *, has_more: bool) -> None:
        for session in sessions:
            if session.id not in self._sessions and not self._is_active(session.id):
                self._sessions[session.id] = session
                self._entries[session.id] = entry_of(session)
        self._has_more, self._asked_for_more = has_more, False
        self.refresh()

    def set_active(self, session: Session | None) -> None:
        before, self._active = self._active, session
        if session and before and session.id == before.id:
            self._replace_active(entry_of(session))
            return
        if session:
            self._sessions.pop(session.id, None)
            self._entries.pop(session.id, None)
        if before and before.messages and not before.is_temporary:
            # How it ended is read from the disk; until then it stands there as it was.
            self._add(replace(before, status=SessionStatus.COMPLETE))
        self.refresh()

    def put(self, session: Session) -> None:
        """A session that is new, or has changed."""
        if self._is_active(session.id):
            self.set_active(session)
            return
        self._add(session)
        self.refresh()

    def _add(self, session: Session) -> None:
        was = self._sessions.get(session.id)
        self._sessions[session.id] = session
        self._entries[session.id] = entry_of(session)
        if was is None or was.updated_at != session.updated_at:
            newest = sorted(self._sessions.values(), key=lambda one: one.updated_at, reverse=True)
            self._sessions = {one.id: one for one in newest}
            self._entries = {one.id: self._entries[one.id] for one in newest}

    def remove(self, session_id: SessionId) -> None:
        self._sessions.pop(session_id, None)
        self._entries.pop(session_id, None)
        if self._is_active(session_id):
            self._active = None
        if self._hits is not None:
            self._hits = [hit for hit in self._hits if hit.session_id != session_id]
        self.refresh()

    def show_hits(
        self,
        hits: Sequence[Hit] | None,
        *,
        sessions: Iterable[Session] = (),
        has_more: bool = False,
        counts: Mapping[SessionId, int] | None = None,
        is_ranked: bool = False,
        held: object = None,
    ) -> None:
        """None leaves the search. `held`: the key of the row up to which nothing may move."""
        self._hits = hits
        self._found = {session.id: session for session in sessions}
        self._counts, self._is_ranked = counts or {}, is_ranked
        self._has_more_hits, self._asked_for_more = has_more, False
        self._replace(held_back(self._rows, self._wanted_rows(), held))

    @property
    def has_more_hits(self) -> bool:
        """Whether the archive has more than is shown of what is looked for."""
        if not self._hits or not self._has_more_hits:
            return False
        oldest = local_day(min(hit.created_at for hit in self._hits))
        is_cut = self._filter is Filter.THIS_WEEK and oldest < week_begin(self._today())
        return not is_cut

    @property
    def open_session(self) -> SessionId | None:
        return self._open

    def set_open(self, session_id: SessionId | None, message_id: MessageId | None = None) -> None:
        """What the reader has before them, and the message that it was opened at."""
        if (session_id, message_id) != (self._open, self._open_at):
            self._open, self._open_at = session_id, message_id
            if self._rows:
                self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def choose(self, chosen: Filter) -> None:
        self._filter = chosen
        self.refresh()

    def refresh(self) -> None:
        """Build the rows again."""
        self._replace(self._wanted_rows())

    def _wanted_rows(self) -> list[Row]:
        calendar = Calendar(self._today())
        active = entry_of(self._active) if self._active else None
        if self._hits is None:
            return session_rows(self._entries.values(), self._filter, calendar, active=active)
        rows = hit_rows(
            SearchAnswer(self._hits, self._counts, self._is_ranked),
            self._filter,
            calendar,
            known=ChainMap(self._sessions, {**self._found}),
            active=active,
        )
        if self.has_more_hits:
            rows.append(GroupHeading(Group(TimeSpan.MORE)))
        return rows

    def index_of_key(self, key: object) -> QModelIndex:
        for place, row in enumerate(self._rows):
            if row.key == key:
                return self.index(place)
        return QModelIndex()

    def index_of(self, session_id: SessionId) -> QModelIndex:
        for place, row in enumerate(self._rows):
            if isinstance(row, Entry) and row.session_id == session_id:
                return self.index(place)
        return QModelIndex()

    def next_entry(self, index: Index, step: int) -> QModelIndex:
        """The nearest session below (1) or above (-1), stepping over headings."""
        place = (index.row() if index.isValid() else (-1 if step > 0 else len(self._rows))) + step
        while 0 <= place < len(self._rows):
            if isinstance(self._rows[place], Entry):
                return self.index(place)
            place += step
        return QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == SessionRole.ROW:
            return row
        if isinstance(row, GroupHeading):
            label = group_label(row.group, self._today())
            return label if role == Qt.ItemDataRole.DisplayRole else None
        return self._entry_data(row, role)

    def _entry_data(self, entry: Entry, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return entry.title or self.tr("New session")
            case SessionRole.WHEN:
                return self._when(entry)
            case SessionRole.IS_OPEN:
                return self._is_open(entry)
            case Qt.ItemDataRole.ToolTipRole:
                return tip(entry.title)
            case Qt.ItemDataRole.AccessibleTextRole:
                when = self._when(entry)
                kind = self.tr("temporary") if entry.is_temporary else ""
                title = entry.title or self.tr("New session")
                return ", ".join(filter(None, (title, kind, when, entry.text)))
            case _:
                return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self._rows[index.row()] if index.isValid() else None
        title = " ".join(value.split()) if isinstance(value, str) else ""
        if role != Qt.ItemDataRole.EditRole or not isinstance(row, Entry) or not title:
            return False
        if title != row.title:
            self.renamed.emit(row.session_id, title)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        row = self._rows[index.row()]
        if isinstance(row, GroupHeading):
            return Qt.ItemFlag.ItemNeverHasChildren
        flags = (
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemNeverHasChildren
        )
        is_named_here = not row.is_temporary and not row.is_source
        return flags | Qt.ItemFlag.ItemIsEditable if is_named_here else flags

    def canFetchMore(self, parent: Index = _NOWHERE) -> bool:
        if parent.isValid() or self._asked_for_more:
            return False
        if self.is_searching:
            return self.has_more_hits
        if not self._has_more:
            return False
        match self._filter:
            case Filter.PINNED:  # they head the archive's list
                return all(session.is_pinned for session in self._sessions.values())
            case Filter.THIS_WEEK:
                last = next(reversed(self._sessions.values()), None)
                return last is None or local_day(last.updated_at) >= week_begin(self._today())
            case _:
                return True

    def fetchMore(self, parent: Index = _NOWHERE) -> None:
        if self.canFetchMore(parent):
            self._asked_for_more = True
            self.more_wanted.emit()

    def _when(self, entry: Entry) -> str:
        if entry.is_source:
            page = entry.hit.page if entry.hit else None
            return self.tr("source, p. {page}").format(page=page) if page else self.tr("source")
        is_alone = self.is_searching and self._is_ranked and not entry.is_active
        return (when_alone if is_alone else when_label)(entry.at, self._today())

    def _is_open(self, entry: Entry) -> bool:
        if entry.session_id != self._open:
            return False
        is_one_of_many = self._filter is Filter.MESSAGES and entry.hit is not None
        return not is_one_of_many or (entry.hit and entry.hit.message_id) == self._open_at

    def _is_active(self, session_id: SessionId) -> bool:
        return self._active is not None and self._active.id == session_id

    def _replace_active(self, entry: Entry) -> None:
        """It changes with each message, and stands in one row."""
        index = self.index_of(entry.session_id)
        if index.isValid():
            self._rows[index.row()] = entry
            self.dataChanged.emit(index, index)

    def _replace(self, rows: list[Row]) -> None:
        """Keep what stands at both ends, so that selection and scrolling survive."""
        old = self._rows
        head = _common(old, rows)
        tail = _common(old[head:][::-1], rows[head:][::-1])
        if len(old) > head + tail:
            self.beginRemoveRows(QModelIndex(), head, len(old) - tail - 1)
            self._rows = old[:head] + old[len(old) - tail :]
            self.endRemoveRows()
        if len(rows) > head + tail:
            self.beginInsertRows(QModelIndex(), head, len(rows) - tail - 1)
            self._rows = rows
            self.endInsertRows()
        self._rows = rows
        kept = [(place, old[place]) for place in range(head)]
        kept += [(len(rows) - back, old[-back]) for back in range(tail, 0, -1)]
        changed = [place for place, before in kept if rows[place] != before]
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def say_again(self) -> None:
        """All words have changed: another language, or another day."""
        self.refresh()
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))


def _common(first: Sequence[Row], second: Sequence[Row]) -> int:
    """How many rows at the front are the same ones, whatever they now say."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one.key != other.key:
            break
        count += 1
    return count
