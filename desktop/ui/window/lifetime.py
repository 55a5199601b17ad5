"""What a start of Bellek asks of a window, and the shutdown."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.frozen import dataclass
from desktop.domain.sessions import Draft
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.background_scheduler import BackgroundScheduler

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_LONGEST_SHUTDOWN_MS = 1_500
_TEXTS = ("fact", "program", "project", "title", "text", "address", "opens")


LONGEST_LINE = 4 << 20
"""Bytes of a request: a document of another program is in it."""


@dataclass(frozen=True, slots=True)
class WindowRequest:
    """What a start of Bellek wants to see: its main window, by default."""

    is_quick: bool = False  # the small window for a question
    files: Sequence[Path] = ()  # to be added, as if they had been dropped on the window
    is_hidden: bool = False  # only the icon in the tray, if the settings have one
    is_repair: bool = False  # a new window checks and repairs its archive first
    is_locked: bool = False  # a running window locks its profile, a new one asks in any case

    fact: str = ""  # what another program wants remembered; the user is asked
    program: str = ""  # the other program
    project: str = ""  # the id of the project that the fact, or the document, would belong to
    title: str = ""  # of the text that it wants in the library
    text: str = ""  # the same; the user is asked
    address: str = ""  # the page that it wants there instead
    opens: str = ""  # the id of a session that another program wants shown

    @classmethod
    def of_line(cls, line: bytes) -> "WindowRequest":
        values = json.loads(line)
        files = tuple(Path(name) for name in values["files"])
        request = cls(bool(values["quick"]), files, is_locked=bool(values["lock"]))
        texts: dict[str, Any] = {
            name: str(values.get(name, "")) for name in _TEXTS
        }  # Any: `replace` checks the names
        return replace(request, **texts)

    @property
    def asks_user(self) -> bool:
        """Whether another program wants what only the user may decide."""
        return bool(self.fact or self.text or self.address)

    def line(self) -> bytes:
        """Return the request as the line that another process receives."""
        files = [str(file.resolve()) for file in self.files]
        values = {"quick": self.is_quick, "files": files, "lock": self.is_locked}
        values |= {name: getattr(self, name) for name in _TEXTS}
        return json.dumps(values).encode() + b"\n"


class ShutdownController(QObject):
    """Closes the window: hidden at once, the program ends when everything is saved."""

    ended = Signal()  # Everything is saved, or took too long

    def __init__(
        self, sessions: SessionController, background: BackgroundScheduler, worker: Worker
    ) -> None:
        super().__init__(sessions)
        self._sessions = sessions
        self._background = background
        self._worker = worker
        self.is_leaving = False
        self._box: MessageBox | None = None

    def asks_first(self, leave: Callable[[], None], window: QWidget) -> bool:
        """Ask before something is lost or stopped that is not in view; return whether it does.

        `leave`: called if the user wants to close all the same.
        """
        turns, shown = self._sessions.turns, self._sessions.shown
        unseen = turns.answered - ({shown.id} if shown else set())
        if self.is_leaving or not (self._sessions.loses_something or unseen):
            return False
        if self._sessions.loses_something:
            self._sessions.ask_before_losing(leave)
        elif self._box is None:
            self._box = MessageBox(
                MessageBox.Icon.Warning,
                self.tr("Close Bellek while %n session(s) are being answered?", "", len(unseen)),
                self.tr("The answers stop. What has arrived is kept, and you can ask again."),
                window,
            )
            self._box.finished.connect(lambda: setattr(self, "_box", None))
            self._box.offer((self.tr("Close"), leave), stay=self.tr("Keep open"))
        return True

    def begin(self) -> None:
        """Start closing; a draft is saved once the services are attached."""
        self.is_leaving = True
        self._background.stop()
        self._sessions.asking.give_back()
        draft = self._background.draft()
        if not self._worker.is_ready and not draft.text:
            self._end()
            return
        self._worker.bridge.cancel_all()
        self._worker.drop_waiting()
        has_kept = self._background.has_kept_draft
        self._worker.do_in_turn(
            lambda services: _close(services, draft, has_kept=has_kept), settled=self._end
        )
        QTimer.singleShot(_LONGEST_SHUTDOWN_MS, self, self._end)

    def _end(self) -> None:
        if self.is_leaving:
            self.is_leaving = False
            self.ended.emit()


def _close(services: "Services", draft: Draft, *, has_kept: bool) -> None:  # worker thread
    """End the session and keep the draft. `has_kept`: the draft contains the kept one."""
    ended = services.assistant.active
    services.assistant.close()
    # After the end: the next start has a new session for the draft.
    has_whole = has_kept and not services.assistant.drafts.has_waiting
    whole = draft.behind(Draft() if has_whole else services.assistant.drafts.read())
    if ended is not None and ended.has_exchange and not whole.text:
        whole = replace(whole, attachments=())  # they were sent with the question
    services.assistant.drafts.keep(whole)
    if ended is not None and services.assistant.active is None:
        services.sessions.clear_draft(ended.id)
