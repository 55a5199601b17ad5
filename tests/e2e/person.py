"""A user at the window: types, presses visible buttons, reads, waits for events."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from desktop.app.window import Program
from desktop.domain.messages import Message
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import Session
from desktop.sessions.services import Services
from desktop.storage.archive import Archive
from desktop.ui.sidebar.entries import Entry
from desktop.ui.sidebar.model import SessionRole
from desktop.ui.sidebar.search_controller import SidebarSearchController
from desktop.ui.transcript.card import MessageCard
from desktop.ui.transcript.entries import MessageEntry
from desktop.ui.window.window_presenter import WindowWidgets
from tests.fakes import Json, Request
from tests.narrowing import instance, present

PATIENCE_MS = 30_000
"""The SDK alone takes seconds to import on a busy machine."""


@dataclass
class Person:
    qtbot: QtBot
    program: Program

    @property
    def services(self) -> Services:
        assert self.program._loaded is not None
        return self.program._loaded.services

    @property
    def archive(self) -> Archive:
        assert self.program._loaded is not None
        return self.program._loaded.archive

    @property
    def sessions(self) -> list[Session]:
        return self.archive.sessions.sessions(EVERYTHING)

    @property
    def parts(self) -> WindowWidgets:
        return self.program.window.parts

    # What is seen

    @property
    def shown(self) -> list[Message]:
        """The messages of the shown session, read from the disk."""
        shown = self.program.window.sessions.shown
        return self.archive.sessions.messages(shown.id) if shown else []

    @property
    def messages(self) -> list[MessageEntry]:
        """The messages in the transcript."""
        entries = self.parts.transcript.entries
        return [entry for entry in entries if isinstance(entry, MessageEntry)]

    @property
    def words(self) -> list[str]:
        return [entry.text for entry in self.messages]

    @property
    def strips(self) -> dict[str, str]:
        """The texts of the window's notices."""
        strip = self.parts.strip
        return {key: strip.text(key) for key in strip._strips}

    @property
    def rows(self) -> list[Entry]:
        """The sessions and hits of the sidebar."""
        model = self.parts.sidebar.model
        found = [model.index(place).data(SessionRole.ROW) for place in range(model.rowCount())]
        return [row for row in found if isinstance(row, Entry)]

    @property
    def buttons(self) -> list[str]:
        """The buttons that can be pressed."""
        return [_label(button) for button in self._buttons()]

    # What is done

    def types(self, text: str) -> None:
        composer = self.parts.composer
        composer.set_text(composer.text + text)
        composer.draft_changed.emit()

    def says(self, text: str) -> None:
        """Send a message and wait until its effects have happened."""
        with self.until_answered():
            self.sends(text)

    def sends(self, text: str) -> None:
        """Send a message without waiting."""
        self.types(text)
        QTest.keyClick(self.parts.composer.field, Qt.Key.Key_Return)

    def presses(self, label: str) -> None:
        """Press the last button of that name: the newest in a transcript."""
        self.waits_until(lambda: label in self.buttons)
        found = [button for button in self._buttons() if _label(button) == label]
        QTest.mouseClick(found[-1], Qt.MouseButton.LeftButton)

    def points_at(self, entry: MessageEntry) -> MessageCard:
        """Scroll a message into view and hover over it, so that its buttons are visible."""
        self.parts.transcript.scroll_to(entry.message.id)
        # Without a window manager nothing else focuses the window.
        self.program.window.activateWindow()
        self.waits_until(self.program.window.isActiveWindow)
        card = instance(self.parts.transcript.live[entry], MessageCard)
        card.setFocus(Qt.FocusReason.TabFocusReason)
        return card

    def chooses(self, act: str) -> None:
        """Choose an entry of a menu."""
        action = self.program.window.actions_by_name[act]
        assert action.isEnabled()
        action.trigger()

    def searches(self, text: str) -> list[Entry]:
        """Type into the sidebar's search, letter by letter, and wait for the last result."""
        sidebar = self.parts.sidebar
        sidebar.search.clear()
        for letter in text:
            # QTest knows no key for Turkish letters.
            sidebar.search.insert(letter)
        finds = present(self.program.window.findChild(SidebarSearchController))
        self.waits_until(lambda: not finds.is_busy and sidebar.query.text == text)
        self.waits_until(lambda: sidebar.model.is_searching)
        return [row for row in self.rows if row.hit is not None]

    def opens(self, row: Entry) -> None:
        """Open a row of the sidebar and wait until it is shown."""
        self.parts.sidebar._open(row)
        self.waits_until(lambda: self._is_shown(row))

    def closes(self) -> None:
        with self.qtbot.waitSignal(self.program.finished, timeout=PATIENCE_MS):
            self.program.window.close()

    # What is waited for

    def waits_until(self, seen: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(seen, timeout=PATIENCE_MS)

    def until_answered(self) -> AbstractContextManager[object]:
        changed = self.program.window.sessions.turns.running_changed
        waiting: AbstractContextManager[object] = self.qtbot.waitSignal(
            changed, check_params_cb=_is_over, timeout=PATIENCE_MS
        )
        return waiting

    def _buttons(self) -> Sequence[QAbstractButton]:
        found = self.program.window.findChildren(QAbstractButton)
        return [one for one in found if one.isVisible() and one.isEnabled()]

    def _is_shown(self, row: Entry) -> bool:
        shown = self.program.window.sessions.shown
        return shown is not None and shown.id == row.session_id


def _label(button: QAbstractButton) -> str:
    return button.text().replace("&", "") or button.accessibleName()


def _is_over(is_running: bool) -> bool:  # noqa: FBT001 - as the signal gives it
    return not is_running


def describes(request: Request) -> bool:
    """Whether the request asks for a description."""
    return request.newest.startswith("user: ")


def description(title: str, *topics: str) -> Json:
    """The description that a model writes."""
    three = list(topics or ("gelgit", "Ay", "deniz"))
    return {"title": title, "summary": f"{title}.", "topics": three, "facts": []}


def words_of(request: Request) -> list[str]:
    """The messages without the changing block."""
    return [message["content"][0]["text"] for message in request.messages]
