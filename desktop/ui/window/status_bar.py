"""The status bar: connection, progress, cost, saving, language."""

from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStatusBar, QWidget

from desktop.domain import events
from desktop.domain.endpoints import ConnectionStatus
from desktop.domain.errors import ConnectionLostError, KeyMissingError, KeyRejectedError, LlmError
from desktop.domain.frozen import dataclass
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.research import StepKind
from desktop.domain.routing import Decision, Guard, Recall, Research, Tier
from desktop.domain.search import EmbeddingProgress
from desktop.domain.times import utc_now
from desktop.domain.usage import NO_USAGE, Usage
from desktop.research.tools.tool_texts import tool_did
from desktop.settings.messages import Texts
from desktop.ui.formatting import clock_time, money, token_count
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.session.controller import SessionController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import text_width
from desktop.ui.widgets.plain_text import Label, set_tip, tip

_LEAST = 40  # Letters that always have room
_MANY_TO_EMBED = 50  # Sessions; with fewer it ends before anyone has read it


@dataclass(frozen=True, slots=True)
class StatusState:
    connection: ConnectionStatus | None = None  # None while it is unknown
    is_reached: bool = True
    is_refused: bool = False  # the endpoint does not accept the key
    lacks_key: bool = False  # no key is stored for it
    shown: SessionId | None = None  # the session that the bar speaks of
    saved: SessionId | None = None  # the session that was saved last
    saved_at: datetime | None = None
    is_unsaved: bool = False
    is_temporary: bool = False  # the session is not saved
    is_taking: bool = False  # the question is not on the disk yet
    is_asked: bool = False  # it waits for the user to approve a plan
    is_leave_asked: bool = False
    status: events.Status | None = None
    step: StepKind | None = None  # The last step of research, until something else is done
    answered: SessionId | None = None  # the session of the newest answer
    decision: Decision | None = None  # about the newest message
    is_model_asked: bool = False  # whether a model gets the newest message, too
    tools: tuple[str, ...] = ()  # What was called for the newest answer
    usage: Usage = NO_USAGE
    embedding: EmbeddingProgress | None = None
    devices: str = ""  # what needs the user so that they can be synchronised
    language: Language = Language.EN


class StatusBar(TranslatedWidget, QStatusBar):
    language_chosen = Signal(object)  # Language

    def __init__(self, bell: QWidget | None = None) -> None:
        """`bell`: placed before the language."""
        super().__init__()
        self._bell = bell or QWidget()
        self._state = StatusState()
        self.link = Button("status", self)
        self._saved = Label(parent=self)
        self._doing = Label(parent=self)
        self._spent = Label(parent=self)
        self.devices = Button("status", self)
        self._switch = Button("status", self, press=self._switch_language)
        self.setSizeGripEnabled(False)
        for widget in (self.link, self._saved, self._doing):
            self.addWidget(widget)
        self.addPermanentWidget(self._spent)
        for permanent in (self.devices, self._bell, self._switch):
            self.addPermanentWidget(permanent)
        for button in (self.link, self.devices, self._switch):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.retranslate()

    def follow(self, sessions: SessionController) -> None:
        turns, asking = sessions.turns, sessions.asking

        def tell_saved() -> None:
            saved = sessions.active.id if sessions.active else None
            self.tell(saved=saved, saved_at=utc_now(), is_unsaved=False)

        def follow_session() -> None:
            self.tell(answered=turns.session_id)

        turns.decided.connect(follow_session)  # first: what follows is about that session
        turns.happened.connect(follow_session)
        turns.status_changed.connect(self._take_status)
        turns.happened.connect(self._take_event)
        turns.decided.connect(self._take_decision)
        turns.tool_called.connect(self._take_call)
        turns.ended.connect(self._take_end)
        asking.unsaved_changed.connect(lambda: self.tell(is_taking=bool(asking.unsaved)))
        sessions.saved.connect(tell_saved)
        sessions.unsaved.connect(lambda: self.tell(is_unsaved=True))
        sessions.session_opened.connect(lambda shown: self.tell(shown=shown))

    def tell(self, **changes: object) -> None:
        state = replace(self._state, **changes)  # type: ignore[arg-type]  # by name
        if state != self._state:
            self._state = state
            self._show()

    def shows(self, connection: ConnectionStatus) -> bool:
        """Whether it speaks of the same model at the same place."""
        shown = self._state.connection
        return shown is not None and (shown.model, shown.endpoint_id) == (
            connection.model,
            connection.endpoint_id,
        )

    def tell_embedding(self, progress: EmbeddingProgress) -> None:
        """Show how many messages are searchable by meaning, after a large import."""
        left = progress.sessions - progress.embedded
        if progress.renewed is not None:
            left = progress.renewals - progress.renewed
        is_shown = left >= _MANY_TO_EMBED
        self.tell(embedding=progress if is_shown else None)

    def _take_event(self, event: events.TurnEvent) -> None:
        if isinstance(event, events.StepStarted):
            self.tell(step=event.kind)

    def _take_status(self, status: events.Status | None) -> None:
        asks = self._state.is_model_asked or status is events.Status.WAITING
        self.tell(status=status, step=None, is_leave_asked=False, is_model_asked=asks)

    def _take_decision(self, decision: Decision | None) -> None:
        if decision is None:  # another message begins
            self.tell(tools=(), is_model_asked=False)
        self.tell(decision=decision)

    def _take_call(self, called: events.ToolCalled) -> None:
        done = [called.name] if called.state is events.ToolState.DONE else []
        tools = tuple(dict.fromkeys((*self._state.tools, *done)))
        self.tell(tools=tools, is_leave_asked=called.state is events.ToolState.ASKING)

    def _take_end(self, ended: events.TurnEnded) -> None:
        """Note whether the model was reached; turns without a request are ignored."""
        error = ended.error
        has_answer = ended.outcome is events.Outcome.COMPLETE and ended.usage.total_tokens
        if has_answer or isinstance(error, LlmError):
            self.tell(
                # Whoever refuses a request was reached.
                is_reached=not isinstance(error, ConnectionLostError),
                is_refused=isinstance(error, KeyRejectedError),
                lacks_key=isinstance(error, KeyMissingError),
            )

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Program status"))
        set_tip(self.link, self.tr("Answering model (opens Settings)"))
        set_tip(self.devices, self.tr("Opens Devices and sharing"))
        self._switch.setAccessibleName(self.tr("Window language"))
        self._show()

    def _show(self) -> None:
        self.link.setText(self._connected())
        self.link.setAccessibleName(" ".join((self._connected()[2:], self.link.toolTip())).strip())
        self.link.setVisible(self._state.connection is not None)
        self.devices.setText(f"▲ {self._state.devices}")
        self.devices.setAccessibleName(self._state.devices)
        self.devices.setVisible(bool(self._state.devices))
        self._saved.setText(self._storage_text())
        self._spent.setText(self._cost())
        self._switch.setText(self._state.language.value.upper())
        # A language is named in its own language, so that anyone can find it.
        self._switch.setToolTip(
            tip("English" if self._state.language is Language.TR else "Türkçe")
        )
        self._give_way()

    def minimumSizeHint(self) -> QSize:
        """Return a small width, because the bar never makes the window wider."""
        return QSize(text_width(self, _LEAST), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_way()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            # Later: Qt sends this while it changes the bar.
            QTimer.singleShot(0, self, self._fit)
        super().changeEvent(event)

    def _switch_language(self) -> None:
        is_turkish = self._state.language is Language.TR
        self.language_chosen.emit(Language.EN if is_turkish else Language.TR)

    def _fit(self) -> None:
        """Insert the last widget again, because Qt measures the bar only then."""
        self.removeWidget(self._switch)
        self.addPermanentWidget(self._switch)
        self._switch.show()
        self._give_way()

    def _give_way(self) -> None:
        """If there is not enough room, hide the time, then the cost, then elide texts."""
        room = self.width() - 2 * Space.SMALL - self._switch.sizeHint().width()
        for widget in (self._bell, self.devices):
            if not widget.isHidden():
                room -= widget.sizeHint().width() + Space.SMALL
        room = _cut(self.link, self._connected(), room)
        room = _cut(self._doing, self._done(), room)
        for label in (self._spent, self._saved):
            room -= label.sizeHint().width() + Space.SMALL
            label.setVisible(room >= 0)

    def _connected(self) -> str:
        connection = self._state.connection
        if connection is None:
            return ""
        words = self._reached(connection)
        if not connection.is_local_only:
            return words
        here = self.tr("on this computer only")
        return f"{words} · {here}"

    def _reached(self, connection: ConnectionStatus) -> str:
        if connection.model is None:
            return "○ " + self.tr("No model connected")
        # If the environment names no model, the first request chooses it.
        name = connection.model or connection.endpoint
        if self._state.lacks_key:
            return "○ " + self.tr("No key: {model}").format(model=name)
        if self._state.is_refused:
            return "○ " + self.tr("Key not accepted: {model}").format(model=name)
        if self._state.is_reached:
            return "● " + self.tr("Connected: {model}").format(model=name)
        return "○ " + self.tr("Not reachable: {model}").format(model=name)

    def _storage_text(self) -> str:
        if self._state.is_temporary:
            return self.tr("Temporary session, not saved")
        if self._state.is_unsaved:
            return self.tr("Not saved yet. Trying again…")
        if self._state.saved_at is None or self._state.saved != self._state.shown:
            return ""
        return self.tr("Saved {time}").format(time=clock_time(self._state.saved_at, seconds=True))

    def _cost(self) -> str:
        tokens = self._state.usage.total_tokens
        if not tokens:
            return ""
        text = self.tr("This session: {tokens} tokens").format(tokens=token_count(tokens))
        cost = self._state.usage.cost_usd
        return text if cost is None else f"{text} · {money(cost)}"

    def _done(self) -> str:
        """Return what was done for the newest answer, and what happens now."""
        done: dict[str, None] = {}
        if self._state.answered == self._state.shown:
            texts = Texts(self._state.language)
            called = [tool_did(name, texts) for name in self._state.tools]
            done = dict.fromkeys((self._decided(), *called))
        return " · ".join(filter(None, (*done, self._activity())))

    def _decided(self) -> str:
        if (
            isinstance(self._state.decision, Recall)
            and self._state.status is not events.Status.SEARCHING
        ):
            return self.tr("Searched past sessions")
        if isinstance(self._state.decision, Guard):
            is_own = self._state.status is None and not self._state.is_model_asked
            return self.tr("Answered by Bellek itself") if is_own else ""
        if not isinstance(self._state.decision, Research):
            return ""
        names = {
            Tier.QUICK: self.tr("Quick"),
            Tier.RESEARCH: self.tr("Research"),
            Tier.DEEP: self.tr("Deep"),
        }
        return names[self._state.decision.tier]

    def _activity(self) -> str:
        if self._state.is_asked:
            return self.tr("The plan is waiting for your approval")
        if self._state.is_leave_asked:
            return self.tr("Waiting for your permission")
        if self._state.status is events.Status.SEARCHING:
            return self._searching()
        names = {
            events.Status.SUMMARISING: self.tr("Summarising older messages…"),
            events.Status.RETRYING: self.tr("Writing the answer again…"),
            events.Status.WAITING: self.tr("Waiting for the model…"),
            events.Status.QUEUED: self._waiting_in_line(),
            events.Status.WRITING: self.tr("Writing…"),
        }
        idle = self.tr("Reading your message…") if self._state.is_taking else self._prepared()
        return names.get(self._state.status, idle) if self._state.status else idle

    def _waiting_in_line(self) -> str:
        connection = self._state.connection
        name = (connection.model or connection.endpoint) if connection else ""
        return self.tr("Waits for {model}, which answers another session…").format(model=name)

    def _prepared(self) -> str:
        if self._state.embedding is None:
            return ""
        embedding, words = self._state.embedding, self.locale().toString
        if embedding.renewed is not None:
            return self.tr("Preparing search with the new model: {done} of {count}").format(
                done=words(embedding.renewed), count=words(embedding.renewals)
            )
        return self.tr("Preparing search by meaning: {done} of {count} sessions").format(
            done=words(embedding.embedded), count=words(embedding.sessions)
        )

    def _searching(self) -> str:
        names = {
            None: self.tr("Searching past sessions…"),
            StepKind.PLAN: self.tr("Planning…"),
            StepKind.LOOK_UP: self.tr("Searching the library and past sessions…"),
            StepKind.FIND: self.tr("Looking for evidence…"),
            StepKind.READ: self.tr("Reading the sources…"),
            StepKind.GAPS: self.tr("Looking for gaps…"),
            StepKind.VERIFY: self.tr("Checking each claim…"),
            StepKind.COMPARE: self.tr("Comparing the sources…"),
            StepKind.WRITE: self.tr("Writing…"),
        }
        return names[self._state.step]


def _cut(shown: Label | Button, words: str, room: int) -> int:
    """Elide the text; return the room that is left."""
    metrics = shown.fontMetrics()
    padding = shown.sizeHint().width() - metrics.horizontalAdvance(shown.text()) + Space.SMALL
    shown.setText(metrics.elidedText(words, Qt.TextElideMode.ElideRight, room - padding))
    return room - metrics.horizontalAdvance(shown.text()) - padding
