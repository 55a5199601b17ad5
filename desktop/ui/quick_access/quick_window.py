"""The quick window: asks a question beside the active session and leaves that session alone.

Its session is temporary: it is not on the disk until it is moved into the main window. It may read
what is remembered, as the window says.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QCursor, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop.domain import events
from desktop.domain.ids import MessageId
from desktop.domain.messages import Role
from desktop.domain.search import RecalledItem
from desktop.settings.settings import Settings
from desktop.ui.actions import QT_TR_NOOP, Action, everywhere
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.quick_access.global_key import GlobalKey
from desktop.ui.services import Worker
from desktop.ui.session.message_actions import cite_recalled
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.session.turns import QuestionQueue
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.document_writer import CITATION_SCHEME
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import RunningTurn
from desktop.ui.widgets.buttons import Button, PushButton
from desktop.ui.widgets.layouts import column, growing, row
from desktop.ui.widgets.message_editor import MessageEditor
from desktop.ui.widgets.plain_text import HintLabel

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_WIDTH, _ANSWER_HEIGHT = 620, 380
_FROM_TOP = 5
_MOST_LINES = 5


class QuickWindow(TranslatedWidget, QFrame):
    left = Signal()  # Escape was pressed

    def __init__(self, theme: ThemeController) -> None:
        super().__init__(None, Qt.WindowType.Window | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        self.editor = MessageEditor(theme, _MOST_LINES)
        self.transcript = TranscriptView(theme, self, has_actions=False)
        self.state = HintLabel()
        self.anew = Button(parent=self)
        self.move_button = Button(parent=self)
        self.send = PushButton(self)
        self._is_running = False
        self._reads_sessions = self._reads_memory = False
        self.setProperty("role", "quick")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.editor.setProperty("role", "composer")
        self.send.setProperty("kind", "primary")
        self.editor.setLayout(column(self.editor.pastes, self.editor.field, margin=Space.MEDIUM))
        foot = row(growing(self.state), self.anew, self.move_button, self.send)
        parts = (self.editor, growing(self.transcript), foot)
        self.setLayout(column(*parts, spacing=Space.SMALL, margin=Space.MEDIUM))
        self.transcript.setFixedHeight(_ANSWER_HEIGHT)
        self.editor.field.left.connect(self.left)
        self.editor.changed.connect(self._fit)
        self.editor.changed.connect(self._enable_send)
        self.show_answer(is_shown=False)
        self._show_type()
        theme.theme_changed.connect(self._show_type)
        self.retranslate()

    def open(self) -> None:
        """Show the window near the top of the screen with the pointer, ready to be typed in."""
        if not self.isVisible():
            self._place()
        self.show()
        self.raise_()
        self.activateWindow()
        self.editor.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_answer(self, *, is_shown: bool) -> None:
        for part in (self.transcript, self.anew, self.move_button):
            part.setVisible(is_shown)
        self._fit()

    def show_running(self, is_running: bool) -> None:  # noqa: FBT001 (comes from a signal)
        self._is_running = is_running
        self.send.setText(self.tr("Stop") if is_running else self.tr("Send"))
        self.move_button.setEnabled(not is_running)
        self.anew.setEnabled(not is_running)
        self._enable_send()
        self.say(self.tr("Answering…") if is_running else "")

    def show_use(self, *, of_sessions: bool, of_memory: bool) -> None:
        """Say whether questions are answered with past sessions and with what is remembered."""
        self._reads_sessions, self._reads_memory = of_sessions, of_memory
        self.retranslate()

    def say(self, words: str) -> None:
        usual = self.tr("Not saved. Esc closes this window.")
        if self._reads_sessions:
            usual = self.tr("Uses past sessions, saves nothing. Esc closes this window.")
        if self._reads_memory:
            usual = self.tr(
                "Uses past sessions and memory, saves nothing. Esc closes this window."
            )
        self.state.setText(words or usual)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Quick question – Bellek"))
        self.editor.field.ask(self.tr("Quick question…"))
        self.editor.field.setAccessibleName(self.tr("Quick question"))
        self.anew.setText(self.tr("New question"))
        self.move_button.setText(self.tr("Open in Bellek"))
        self.show_running(self._is_running)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _enable_send(self) -> None:
        self.send.setEnabled(self._is_running or not self.editor.is_blank)

    def _show_type(self) -> None:
        self.editor.field.set_type(self._theme.font(self._theme.scale.body))
        self.setFixedWidth(round(_WIDTH * self._theme.scale.zoom))

    def _fit(self) -> None:
        if (layout := self.layout()) is not None:
            layout.activate()
        self.resize(self.width(), self.sizeHint().height())

    def _place(self) -> None:
        self._fit()
        screen = QGuiApplication.screenAt(QCursor.pos()) or self.screen()
        room = screen.availableGeometry()
        left = room.x() + (room.width() - self.width()) // 2
        self.move(left, room.y() + room.height() // _FROM_TOP)


class QuickQuestions(QObject):
    """Asks in the quick window, with its own assistant."""

    move_wanted = Signal()  # its session is to be moved into the main window
    made = Signal(object)  # the TurnDisplay of the window, with its first opening
    answered = Signal(object)  # TurnEnded
    citation_wanted = Signal(object)  # Citation that is opened in its source
    fact_wanted = Signal(object)  # FactId of a fact that was sent

    def __init__(self, theme: ThemeController, worker: Worker, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._main = worker
        self._worker = Worker(worker.bridge.branch(self), self)
        self.window: QuickWindow | None = None
        self.turns: TurnDisplay | None = None
        self._queue: QuestionQueue | None = None
        self._question: MessageId | None = None
        self._settings = Settings()
        self.key = GlobalKey(self)
        self.key.pressed.connect(self.open)
        worker.ready.connect(self._attach)

    def records(self) -> Sequence[Action]:
        return (everywhere("quick", QT_TR_NOOP("Quick question"), "", self.open),)

    def open(self) -> None:
        self._made().open()

    def apply(self, settings: Settings) -> None:
        self._settings, is_on = settings, settings.uses_past_sessions
        if self.window is not None:
            self.window.show_use(of_sessions=is_on, of_memory=is_on and settings.uses_memory)
        self.key.apply(settings)

    def close(self) -> None:
        """Hide the window; its contents stay until a new question begins."""
        if self.window is not None:
            self.window.hide()

    def end(self) -> None:
        self.stop()
        if self._worker.is_ready:
            self._worker.services.assistant.end()
        window = self._made()
        window.transcript.show_session(())
        window.show_answer(is_shown=False)
        window.say("")
        window.editor.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop(self) -> None:
        if self._queue is not None:
            self._queue.stop()

    def _attach(self) -> None:
        aside = copy(self._main.services)
        aside.assistant = aside.aside
        self._worker.attach(aside)

    def _made(self) -> QuickWindow:
        if self.window is None:
            self.window = window = QuickWindow(self._theme)
            self.turns = TurnDisplay(window.transcript, self._worker.bridge, self)
            self._queue = QuestionQueue(self.turns, self._worker, lambda: None, self)
            if self._worker.is_ready:
                self._queue.open()
            self._worker.ready.connect(self._queue.open)
            self._queue.given_back.connect(window.editor.set_text)
            self.turns.running_changed.connect(window.show_running)
            self.turns.happened.connect(self._take)
            self.turns.happened.connect(self._take_facts)
            self.turns.tool_called.connect(self._decline)
            window.transcript.action_chosen.connect(self._act)
            self.apply(self._settings)
            self.made.emit(self.turns)
            window.left.connect(self.close)
            window.editor.field.sent.connect(self._ask)
            window.send.clicked.connect(self._press)
            window.anew.clicked.connect(self.end)
            window.move_button.clicked.connect(self.move_wanted)
        return self.window

    def _press(self) -> None:
        if self.turns is not None and self.turns.is_running:
            self.stop()
        else:
            self._ask()

    def _ask(self) -> None:
        window, queue = self._made(), self._queue
        text = window.editor.text.strip()
        if queue is None or not text or queue.is_busy:
            return
        window.editor.set_text("")

        def begin(services: "Services") -> RunningTurn:
            assistant = services.assistant
            if assistant.active is None:
                assistant.begin_aside()
            return assistant.ask(text)

        queue.begin(begin, text)

    def _take(self, event: events.TurnEvent) -> None:
        match event:
            case events.MessageAdded(message=message):
                # A question is reported twice: when it is in memory, and when it is saved.
                if message.role is Role.USER and message.id == self._question:
                    return
                if message.role is Role.USER:
                    self._question = message.id
                window = self._made()
                if self.turns is not None:
                    self.turns.shown_id = message.session_id
                window.transcript.append(message)
                window.show_answer(is_shown=True)
            case events.TurnEnded():
                if event.error is not None:
                    self._made().say(self._worker.services.texts().error(event.error))
                self.answered.emit(event)
            case _:
                pass

    def _take_facts(self, event: events.TurnEvent) -> None:
        transcript = self._made().transcript
        match event:
            case events.PassagesRecalled(message_id=answer, items=items):
                facts = replace(transcript.facts_of(answer), recalled=items)
            case events.FactsSent(message_id=answer, facts=sent):
                facts = replace(transcript.facts_of(answer), remembered=sent)
            case events.TurnEnded(message_id=int() as answer, citations=citations):
                facts = replace(transcript.facts_of(answer), citations=citations)
            case _:
                return
        transcript.set_facts(answer, facts)

    def _act(self, request: MessageRequest) -> None:
        match request:
            case MessageRequest(action=MessageAction.OPEN_USED, item=RecalledItem() as item):
                self.citation_wanted.emit(cite_recalled(item))
            case MessageRequest(action=MessageAction.SHOW_MEMORY, fact=fact):
                self.fact_wanted.emit(fact)
            case MessageRequest(action=MessageAction.FOLLOW, message=int() as message, text=link):
                for citation in self._made().transcript.facts_of(message).citations:
                    if link == f"{CITATION_SCHEME}{citation.number}":
                        self.citation_wanted.emit(citation)
            case _:
                pass

    def _decline(self, event: events.ToolCalled) -> None:
        """Decline a call that needs permission, as this window cannot ask for it."""
        if event.state is events.ToolState.ASKING:
            self._worker.services.assistant.answer_tool(
                event.turn_id, event.call_id, is_allowed=False
            )
