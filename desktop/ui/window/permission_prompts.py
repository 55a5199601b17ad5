"""Asks for permission when a tool or a question needs one: tools set to ask first, and the web."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer

from desktop.domain.events import MessageAdded, ToolCalled, ToolState, TurnEvent
from desktop.domain.ids import SessionId
from desktop.domain.routing import Answer, Decision, Guard, Research, RoutingReason, Unsure
from desktop.domain.sessions import Session
from desktop.domain.tiers import Tier
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.widgets.message_bar import BarAction, MessageBar
from desktop.ui.window.lifetime import WindowState

_TOOL, _WEB = "tool", "web"
_STAYS_MS = 20_000
"""Behind the answer: one that was found here is there before anybody has read the offer."""
_NEEDS_WEB = {
    RoutingReason.FRESH,
    RoutingReason.EVIDENCE,
    RoutingReason.INVESTIGATE,
    RoutingReason.REPORT,
    RoutingReason.COMPARES,
}


class ToolPermissionPrompt(QObject):
    def __init__(self, strip: MessageBar, turns: TurnDisplay, worker: Worker) -> None:
        super().__init__(strip)
        self._strip = strip
        self._worker = worker
        turns.tool_called.connect(self._show)
        turns.running_changed.connect(lambda _: strip.remove(_TOOL))

    def _show(self, called: ToolCalled) -> None:
        if called.state is not ToolState.ASKING:
            self._strip.remove(_TOOL)
            return
        services = self._worker.services
        answer = services.assistant.answer_tool

        def words() -> str:
            purpose = services.texts().say(f"tools.{called.name}")
            if called.is_from_evidence:
                said = self.tr("A text that was read, not you, seems to ask for this: {purpose}")
            else:
                said = self.tr("The model wants to use a tool: {purpose}")
            said = said.format(purpose=purpose)
            return f"{said} ({called.summary})" if called.summary else said

        def choices() -> tuple[BarAction, ...]:
            allow = partial(answer, called.call_id, is_allowed=True)
            refuse = partial(answer, called.call_id, is_allowed=False)
            return (
                BarAction(self.tr("Allow"), allow),
                BarAction(self.tr("Don't allow"), refuse),
            )

        self._strip.show_message(_TOOL, words, choices, can_be_closed=False)


def needs_web(decision: Decision | None) -> bool:
    """Whether what a question was decided to get is looked for on the web as well."""
    work = decision.then if isinstance(decision, Guard) else decision
    if not isinstance(work, Answer | Research | Unsure):
        return False
    return work.reason in _NEEDS_WEB or (
        isinstance(work, Research) and work.reason is RoutingReason.CHOSEN
    )


class WebPermissionPrompt(QObject):
    def __init__(
        self,
        strip: MessageBar,
        sessions: SessionController,
        changes: SettingsController,
        state: WindowState,
    ) -> None:
        """`state` keeps through a crash that the web is on for one question."""
        super().__init__(strip)
        self._strip = strip
        self._sessions = sessions
        self._changes = changes
        self._state = state
        self._chosen: Tier | None = None
        """How much work the user wanted done for it, where they said so."""
        self._asks_again = False
        self._session_id: SessionId | None = None
        self._is_answered = False
        self._gone = QTimer(self, singleShot=True, interval=_STAYS_MS)
        self._is_refused = False
        self._is_lent = False
        self._has_begun = False  # The question that it is lent for is being answered
        if state.web_is_lent():
            self._switch_web(is_on=False)
            state.keep_web_lent(False)
        sessions.turns.decided.connect(self._take_decision)
        sessions.turns.happened.connect(self._note)
        sessions.turns.running_changed.connect(self._take_running)
        sessions.active_changed.connect(self._note_active)
        sessions.asking.busy_changed.connect(self._ask_again)
        sessions.asking.begun.connect(self._cancel_asking_again)
        sessions.asking.given_back.connect(self._cancel_asking_again)
        self._gone.timeout.connect(self._remove)

    def _take_decision(self, decision: Decision | None) -> None:
        if decision is None:
            self._remove()
            return
        match decision:
            case Research(tier=tier, reason=RoutingReason.CHOSEN):
                self._chosen = tier
            case _:
                self._chosen = None
        if not self._changes.settings.uses_web and not self._is_refused and needs_web(decision):
            self._offer()

    def _note(self, event: TurnEvent) -> None:
        if isinstance(event, MessageAdded):
            self._session_id = event.message.session_id

    def _offer(self) -> None:
        def words() -> str:
            if self._is_answered:
                return self.tr(
                    "The web was off, so this was answered from your own sessions and documents."
                )
            return self.tr(
                "The web is off, so this is answered from your own sessions and documents."
            )

        def choices() -> tuple[BarAction, ...]:
            return (
                BarAction(self.tr("Turn on for this question"), lambda: self._turn_on(lends=True)),
                BarAction(self.tr("Turn on"), lambda: self._turn_on(lends=False)),
                BarAction(self.tr("Leave it off"), self._refuse),
            )

        self._strip.show_message(_WEB, words, choices)

    def _take_running(self, is_running: bool) -> None:  # noqa: FBT001 (comes from a signal)
        """An answer that is there is offered to be given anew for a while, then no more."""
        self._is_answered = not is_running
        if is_running:
            self._gone.stop()
            self._has_begun = self._is_lent
            return
        if self._has_begun:
            self._is_lent = self._has_begun = False
            self._switch_web(is_on=False)
            self._state.keep_web_lent(False)
        if _WEB in self._strip:
            self._offer()
            self._gone.start()

    def _note_active(self, session: Session | None) -> None:
        """What is offered belongs to the session that the question was asked in.

        While a turn runs the question itself may end one session and begin another.
        """
        is_other = session is None or session.id != self._session_id
        if is_other and not self._sessions.turns.is_running:
            self._remove()

    def _remove(self) -> None:
        self._gone.stop()
        self._strip.remove(_WEB)

    def _refuse(self) -> None:
        """Not offered again until the next start."""
        self._is_refused = True

    def _turn_on(self, *, lends: bool) -> None:
        self._is_lent, self._has_begun = lends, False
        self._state.keep_web_lent(lends)
        self._switch_web(is_on=True)
        self._asks_again = True
        self._sessions.asking.stop()
        self._ask_again()

    def _ask_again(self) -> None:
        """Once what was stopped has settled: while it writes its end, nothing is asked anew."""
        if self._asks_again and not self._sessions.asking.is_busy:
            self._asks_again = False
            self._sessions.retry_last(self._chosen)

    def _cancel_asking_again(self) -> None:
        """Another question came first, or the words are back with the user, who sends them."""
        self._asks_again = False

    def _switch_web(self, *, is_on: bool) -> None:
        self._changes.apply(replace(self._changes.settings, uses_web=is_on))
