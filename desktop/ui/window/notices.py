"""Messages in the message bar: errors, unsaved text, ended sessions, asking for permission."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain import events
from desktop.domain.errors import AppError, DatabaseDamagedError, RowsDamagedError
from desktop.domain.ids import SessionId, TurnId
from desktop.domain.routing import Answer, Decision, Guard, Research, RoutingReason, Tier, Unsure
from desktop.domain.sessions import Session
from desktop.research.tools.tool_texts import tool_purpose
from desktop.ui.dialogs.form import open_dialog, open_folder
from desktop.ui.dialogs.information_dialogs import (
    ArgumentsDialog,
    DamageDialog,
    ErrorReportDialog,
)
from desktop.ui.formatting import short_title
from desktop.ui.i18n import LanguageController
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.settings_controller import SettingsController
from desktop.ui.timers import make_timer
from desktop.ui.widgets.bars import Choice, MessageBar, Rank
from desktop.ui.widgets.plain_text import announce
from desktop.ui.window_state import WEB_LENT, WEB_REFUSED, WindowState

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_GONE_WITH_NEXT_QUESTION = ("failed", "broke", "ended", "parted")
_LEFT_TO_BELL = ("deleted", "exported", "imported")


class WindowNotices(QObject):
    restart_wanted = Signal()
    programs_wanted = Signal()  # Tools from elsewhere wait to be looked at

    def __init__(
        self,
        strip: MessageBar,
        sessions: SessionController,
        worker: Worker,
        languages: LanguageController,
    ) -> None:
        super().__init__(strip)
        self._strip = strip
        self._sessions = sessions
        self._worker = worker
        self._languages = languages
        worker.failed.connect(self.show_failed)
        worker.bridge.broke.connect(self.show_broke)
        sessions.left_behind.connect(self._show_ended)
        sessions.temporary_ended.connect(self._show_temporary_ended)
        sessions.session_opened.connect(lambda: strip.remove("failed"))
        sessions.unsaved.connect(self._show_unsaved)
        sessions.saved.connect(lambda: strip.remove("unsaved"))
        sessions.asking.begun.connect(self._remove_past)
        sessions.turns.status_changed.connect(self._announce_writing)
        sessions.turns.ended.connect(self._announce_end)
        ToolServerNotices(strip, sessions.turns, worker).look_wanted.connect(self.programs_wanted)

    def show_failed(self, error: AppError) -> None:
        # An error that names a file has been repaired already.
        choices: list[Choice] = []
        if isinstance(error, DatabaseDamagedError) and not error.values:
            choices = [(self.tr("Restart and repair"), self.restart_wanted.emit)]
        elif path := error.values.get("kept"):
            choices = [(self.tr("Show in folder"), partial(open_folder, Path(str(path)).parent))]
        if isinstance(error, RowsDamagedError):
            choices.insert(0, (self.tr("Show damaged rows"), self._show_damage))
        words = self._languages.texts().error(error)
        self._strip.show_message("failed", words, *choices, rank=Rank.FAILURE)

    def show_key_refused(self) -> None:
        words = self.tr(
            "The quick-question shortcut could not be registered: another program uses it, or "
            "this desktop does not allow it. Choose another shortcut, or create one in the "
            "desktop’s settings that runs “bellek quick”."
        )
        self._strip.show_message("quick_key", words, rank=Rank.FAILURE)

    def show_broke(self, bug: str) -> None:
        def show_report() -> None:
            logs = self._worker.services.profile.logs
            open_dialog(ErrorReportDialog(bug, logs, self._strip.window()))

        template = self.tr("Something went wrong in Bellek ({bug}). The log contains the details.")
        self._strip.show_message(
            "broke",
            template.format(bug=bug),
            (self.tr("Details…"), show_report),
            rank=Rank.FAILURE,
        )

    def _show_damage(self) -> None:
        texts = self._languages.texts()

        def read(services: "Services") -> str:
            from desktop.sessions.archive_care import describe_damage  # noqa: PLC0415 - not at the start

            lists = services.care.damage().values()
            return "\n".join(describe_damage(row, texts) for rows in lists for row in rows)

        def show(text: str) -> None:
            open_dialog(DamageDialog(text, self._strip.window()))

        self._worker.do(read, show)

    def offer_rewriting(self) -> None:

        def rewrite() -> None:
            self._sessions.do(
                lambda services: services.sessions.rewrite_extracted(),
                lambda _: self._sessions.description_due.emit(),
            )

        def offer(count: int) -> None:
            if not count:
                return
            self._strip.show_message(
                "rewriting",
                self.tr(
                    "The titles and summaries of %n session(s) were extracted from their "
                    "text. Should the connected model rewrite them?",
                    "",
                    count,
                ),
                (self.tr("Rewrite"), rewrite),
                (self.tr("Not now"), lambda: None),
                rank=Rank.QUESTION,
            )

        self._sessions.do(lambda services: services.archive.count_extracted(), offer)

    def _show_unsaved(self) -> None:
        words = self.tr(
            "The last message could not be saved. It is kept while Bellek is open, and Bellek "
            "keeps trying to save it."
        )
        self._strip.show_message("unsaved", words, rank=Rank.FAILURE, can_be_closed=False)

    def _show_ended(self, session: Session) -> None:
        self._strip.show_message(
            "ended",
            self.tr("“{title}” has ended.").format(title=short_title(session)),
            undo=lambda: self._sessions.undo_end(session.id),
        )

    def _show_temporary_ended(self) -> None:
        self._strip.show_message(
            "ended", self.tr("The temporary session has ended. Nothing was saved.")
        )

    def _remove_past(self) -> None:
        """Remove old notices when the next question is asked."""
        announce(self._strip, self.tr("Question sent"))
        for key in _GONE_WITH_NEXT_QUESTION:
            self._strip.remove(key)
        for key in _LEFT_TO_BELL:
            self._strip.set_aside(key)

    def _announce_writing(self, status: events.Status | None) -> None:
        if status is events.Status.WRITING:
            announce(self._strip, self.tr("The answer is arriving"))

    def _announce_end(self, ended: events.TurnEnded) -> None:
        if ended.error is not None:
            words = self._worker.services.texts().error(ended.error)
            announce(self._strip, words, is_urgent=True)
        elif ended.outcome is events.Outcome.STOPPED:
            announce(self._strip, self.tr("The answer was stopped"))
        elif ended.outcome is events.Outcome.COMPLETE and ended.text:
            announce(self._strip, self.tr("The answer is complete"))


_WEB = "web"
_LONGEST_ARGUMENTS = 300  # Characters in a bar; a dialog shows the others
_STAYS_MS = 20_000  # Shown after the answer, long enough to read the offer
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
        self._strip, self._turns = strip, turns
        self._worker = worker
        self._keys: dict[TurnId, str] = {}  # Of the turns that have asked
        turns.permission_changed.connect(self._show)
        turns.running_changed.connect(self._remove_past)
        turns.sessions_changed.connect(self._remove_past)

    def _remove_past(self) -> None:
        gone = [turn_id for turn_id in self._keys if not self._turns.may_ask(turn_id)]
        for turn_id in gone:
            self._strip.remove(self._keys.pop(turn_id))

    def _show(self, called: events.ToolCalled) -> None:
        key = self._keys[called.turn_id] = f"tool {called.turn_id}"
        if called.state is not events.ToolState.ASKING:
            self._strip.remove(key)
            return
        services = self._worker.services
        answer = partial(services.assistant.answer_tool, called.turn_id, called.call_id)
        if called.is_from_evidence:
            template = self.tr("This request seems to come from a source, not from you: {purpose}")
        else:
            template = self.tr("The model wants to use a tool: {purpose}")
        words = template.format(purpose=tool_purpose(called.name, services.texts()))
        about = " ".join(called.arguments.split()) or called.summary
        choices = [
            (self.tr("Allow"), partial(answer, is_allowed=True)),
            (self.tr("Don’t allow"), partial(answer, is_allowed=False)),
        ]
        if len(about) > _LONGEST_ARGUMENTS:
            about = f"{about[:_LONGEST_ARGUMENTS]}…"
            choices.append((self.tr("Show all…"), partial(self._show_arguments, called)))
        self._strip.show_message(
            key,
            f"{words} ({about})" if about else words,
            *choices,
            rank=Rank.QUESTION,
            can_be_closed=False,
        )

    def _show_arguments(self, called: events.ToolCalled) -> None:
        """Show them whole, and go on asking."""
        self._show(called)
        open_dialog(ArgumentsDialog(called.arguments, self._strip.window()))


class ToolServerNotices(QObject):
    """Says after an answer, once, which tools from elsewhere it could not use, and why."""

    look_wanted = Signal()

    def __init__(self, strip: MessageBar, turns: TurnDisplay, worker: Worker) -> None:
        super().__init__(strip)
        self._strip, self._worker = strip, worker
        self._told: set[object] = set()
        turns.ended.connect(self._show)

    def _show(self) -> None:
        self._show_changes()
        for problem in self._worker.services.tool_servers.problems():
            if problem not in self._told:
                self._told.add(problem)
                words = self._worker.services.texts().error(problem)
                look = (self.tr("Look at them…"), self.look_wanted.emit)
                self._strip.show_message("tools_failed", words, look, rank=Rank.FAILURE)

    def _show_changes(self) -> None:
        unseen = self._worker.services.tool_servers.unseen()
        new = {(tool.full_name, tool.mark) for tool in unseen} - self._told
        if not new:
            return
        self._told |= new
        servers = ", ".join(dict.fromkeys(tool.server for tool in unseen))
        words = self.tr(
            "Tools of {servers} are new or have changed. They are not offered to the model before "
            "you have looked at them."
        )
        self._strip.show_message(
            "tools_changed",
            words.format(servers=servers),
            (self.tr("Look at them…"), self.look_wanted.emit),
            (self.tr("Not now"), lambda: None),
            rank=Rank.QUESTION,
        )


def needs_web(decision: Decision | None) -> bool:
    """Return whether the decision for a question includes a web search."""
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
        """`state` stores, even through a crash, that the web is on for one question."""
        super().__init__(strip)
        self._strip = strip
        self._sessions = sessions
        self._changes = changes
        self._state = state
        self._chosen: Tier | None = None  # The tier that the user chose for the question, if any
        self._asks_again = False
        self._session_id: SessionId | None = None
        self._offered_in: SessionId | None = None
        self._is_answered = False
        self._gone = make_timer(self, _STAYS_MS, self._remove, is_single=True)
        self._is_refused = state.flag(WEB_REFUSED)
        self._is_fresh = False  # Whether the question asks for what only the web knows
        self._is_lent = False
        self._has_begun = False  # the question for which it is on is being answered
        if state.flag(WEB_LENT):
            self._switch_web(is_on=False)
            state.keep_flag(WEB_LENT, is_set=False)
        sessions.turns.decided.connect(self._take_decision)
        sessions.turns.happened.connect(self._note)
        sessions.turns.running_changed.connect(self._take_running)
        sessions.turns.sessions_changed.connect(self._end_lending)
        sessions.active_changed.connect(self._note_active)
        sessions.asking.busy_changed.connect(self._ask_again)
        sessions.asking.begun.connect(self._cancel_asking_again)
        sessions.asking.given_back.connect(self._cancel_asking_again)

    def _take_decision(self, decision: Decision | None) -> None:
        if decision is None:
            self._remove()
            return
        self._chosen = None
        if isinstance(decision, Research) and decision.reason is RoutingReason.CHOSEN:
            self._chosen = decision.tier
        work = decision.then if isinstance(decision, Guard) else decision
        self._is_fresh = getattr(work, "reason", None) is RoutingReason.FRESH
        is_off = not self._changes.settings.uses_web and not self._is_refused
        was_offered = self._offered_in is not None and self._offered_in == self._session_id
        if is_off and not was_offered and needs_web(decision):
            self._offered_in = self._session_id
            self._offer()

    def _note(self, event: events.TurnEvent) -> None:
        if isinstance(event, events.MessageAdded):
            self._session_id = event.message.session_id
        if isinstance(event, events.TurnEnded) and event.outcome is not events.Outcome.COMPLETE:
            self._remove()  # nothing was answered without the web
        has_sources = isinstance(event, events.TurnEnded) and bool(event.citations)
        if (has_sources or isinstance(event, events.PassagesRecalled)) and not self._is_fresh:
            self._remove()  # the answer had what it needed

    def _offer(self) -> None:
        words = self.tr(
            "Web access is off, so this answer uses only your own sessions and documents."
        )
        if self._is_answered:
            words = self.tr(
                "Web access was off, so this answer uses only your own sessions and documents."
            )
        self._strip.show_message(
            _WEB,
            words,
            (self.tr("Turn on for this question"), lambda: self._turn_on(lends=True)),
            (self.tr("Turn on"), lambda: self._turn_on(lends=False)),
            (self.tr("Leave off"), self._refuse),
            rank=Rank.QUESTION,
        )

    def _take_running(self, is_running: bool) -> None:  # noqa: FBT001 (comes from a signal)
        """Offer for a while to answer again with the web."""
        self._is_answered = not is_running
        if is_running:
            self._gone.stop()
            self._has_begun = self._is_lent
            return
        self._end_lending()
        if _WEB in self._strip:
            self._offer()
            self._gone.start()

    def _end_lending(self) -> None:
        """Switch the web off again, once no answer needs it any more."""
        if self._has_begun and not self._sessions.turns.is_any_running:
            self._is_lent = self._has_begun = False
            self._switch_web(is_on=False)
            self._state.keep_flag(WEB_LENT, is_set=False)

    def _note_active(self, session: Session | None) -> None:
        """Withdraw the offer if the session of the question is not active any more.

        While a turn runs the question itself may end one session and begin another.
        """
        is_other = session is None or session.id != self._session_id
        if is_other and not self._sessions.turns.is_running:
            self._remove()

    def _remove(self) -> None:
        self._gone.stop()
        self._strip.remove(_WEB)

    def _refuse(self) -> None:
        """Never offer it again: the settings have the switch."""
        self._is_refused = True
        self._state.keep_flag(WEB_REFUSED, is_set=True)

    def _turn_on(self, *, lends: bool) -> None:
        self._is_lent, self._has_begun = lends, False
        self._state.keep_flag(WEB_LENT, is_set=lends)
        self._switch_web(is_on=True)
        self._asks_again = True
        self._sessions.asking.stop()
        self._ask_again()

    def _ask_again(self) -> None:
        if self._asks_again and not self._sessions.asking.is_busy:
            self._asks_again = False
            self._sessions.retry_last(self._chosen)

    def _cancel_asking_again(self) -> None:
        """Do not ask again: another question came first, or the text is in the composer."""
        self._asks_again = False

    def _switch_web(self, *, is_on: bool) -> None:
        self._changes.apply(replace(self._changes.settings, uses_web=is_on))
