"""What menus, buttons and message actions do in the window."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Citation
from desktop.domain.sessions import Session
from desktop.language.sentences import sentences
from desktop.ui.actions import (
    QT_TR_NOOP,
    Action,
    Situation,
    always,
    possible,
    when_chosen,
    when_one,
    when_open,
    when_past,
)
from desktop.ui.dialogs.form import ask_for_printer
from desktop.ui.services import NavigationTarget
from desktop.ui.session.controller import SessionController
from desktop.ui.sidebar.archive_controller import ArchiveController
from desktop.ui.theme.theme import Glyph
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.splitter_layout import Side
from desktop.ui.window.searching import SearchController
from desktop.ui.window.window_presenter import WindowWidgets


class WindowCommands(QObject):
    def __init__(
        self,
        parts: WindowWidgets,
        sessions: SessionController,
        archive: ArchiveController,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._parts = parts
        self._sessions = sessions
        self._archive = archive
        self.search = SearchController(parts, sessions)
        self.search.left.connect(self.write)
        composer = parts.composer
        composer.sent.connect(self._send)
        composer.stop_requested.connect(sessions.asking.stop_shown)
        composer.left.connect(self._leave_composer)
        parts.strip.left.connect(self._focus_after_notice)
        sessions.asking.given_back.connect(self._give_back)
        sessions.asking.files_given_back.connect(composer.files.set_files)
        sessions.temporary_ended.connect(self._clear_temporary)
        self._connect_sidebar()
        self._connect_page()

    def _connect_sidebar(self) -> None:
        sidebar = self._parts.sidebar
        sidebar.search.left.connect(self.write)
        sidebar.add.clicked.connect(self.begin_new)
        sidebar.act_wanted.connect(self.act)
        sidebar.results_wanted.connect(self.search.show_results)

    def _connect_page(self) -> None:
        parts, shown = self._parts, self.with_shown
        for glyph, act in (
            (Glyph.SIDEBAR, lambda: parts.shell.show_side(Side.LEFT, True)),
            (Glyph.SEARCH, self.search.find),
            (Glyph.STAR, lambda: shown(lambda session_id: self.act("pin", [session_id]))),
            (Glyph.DOWNLOAD, lambda: shown(self.export)),
        ):
            parts.header.buttons[glyph].clicked.connect(act)
        parts.side_panel.open_wanted.connect(self.open)
        parts.side_panel.closed.connect(self.close_beside)
        parts.reading_bar.continue_button.clicked.connect(lambda: shown(self.continue_session))
        parts.reading_bar.back.clicked.connect(self.back)
        parts.empty_page.examples.clicked.connect(self._archive.add_example_library)
        parts.empty_page.questions.chosen.connect(self.ask)
        for read in (parts.transcript, parts.side_panel.transcript):
            read.action_chosen.connect(partial(self._act_on_message, read))

    def records(self) -> Sequence[Action]:
        step, composer = self._parts.sidebar.step, self._parts.composer
        sessions, archive = self._sessions, self._archive
        shown, act = self.with_shown, self.act_on_chosen
        resume, copy = partial(shown, self.continue_session), partial(shown, archive.copy)
        learn, merge, pin = (
            partial(shown, archive.learn),
            partial(act, "merge"),
            partial(act, "pin"),
        )
        to_active = QT_TR_NOOP("Go to the active session")
        always_possible = (
            ("new_session", QT_TR_NOOP("New session"), "Ctrl+N", self.begin_new),
            ("search", QT_TR_NOOP("Search all sessions"), "Ctrl+K", self.search_all),
            ("write", QT_TR_NOOP("Go to the message field"), "Ctrl+L", self.go_to_field),
            ("next_session", QT_TR_NOOP("Next session"), "Ctrl+PgDown", lambda: step(1)),
            ("previous_session", QT_TR_NOOP("Previous session"), "Ctrl+PgUp", lambda: step(-1)),
        )
        of_one = (
            ("print", QT_TR_NOOP("Print…"), "Ctrl+P", partial(shown, self.print)),
            ("rename", QT_TR_NOOP("Rename session"), "", partial(shown, self.rename)),
            ("copy_session", QT_TR_NOOP("Copy session"), "Ctrl+Shift+C", copy),
        )
        of_chosen = (
            ("export", QT_TR_NOOP("Export…"), "Ctrl+Shift+S", partial(act, "export")),
            ("delete", QT_TR_NOOP("Delete session"), "", partial(act, "delete")),
        )
        stop = sessions.asking.stop_shown
        temporary = QT_TR_NOOP("New temporary session")
        go_on = QT_TR_NOOP("Continue this session")

        def can_send(_: Situation) -> bool:
            return composer.can_send and not composer.isHidden()  # hidden below a past session

        def of_one_past(now: Situation) -> bool:
            return when_past(now) and when_one(now)

        def can_stop(_: Situation) -> bool:
            return sessions.turns.can_stop or sessions.turns.has_beside

        def is_pinned(now: Situation) -> bool:
            return now.shown is not None and now.shown.is_pinned

        return [
            *possible(always, *always_possible),
            *possible(when_one, *of_one),
            *possible(when_chosen, *of_chosen),
            Action("learn", QT_TR_NOOP("Learn facts from session"), "", learn, of_one_past),
            Action("merge", QT_TR_NOOP("Merge with the previous session…"), "", merge, when_past),
            Action("temporary", temporary, "Ctrl+Shift+N", self.begin_temporary, when_open),
            Action("active_session", to_active, "Ctrl+Home", sessions.show_active, _is_elsewhere),
            Action("end_session", QT_TR_NOOP("End session"), "Ctrl+E", sessions.end, _has_active),
            Action("continue", go_on, "", resume, lambda now: now.is_past),
            Action("stop", QT_TR_NOOP("Stop the answer"), "Esc", stop, can_stop),
            Action("send", QT_TR_NOOP("Send"), "Ctrl+Return", composer.send, can_send),
            Action("pin", QT_TR_NOOP("Pin session"), "Ctrl+D", pin, when_chosen, is_pinned),
        ]

    def write(self) -> None:
        self._parts.shell.uncover()
        self._parts.show_view(None)
        is_writing = self._parts.composer.isVisible()
        field = self._parts.composer if is_writing else self._parts.reading_bar
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def delete(self, *several: SessionId) -> None:
        """Delete sessions; the active one ends first, and goes on if that is undone."""
        active = self._sessions.active

        def go_on() -> None:
            if active is not None and self._sessions.active is None:
                self.continue_session(active.id)

        if active is None or active.id not in several:
            self._archive.delete(*several)
        elif active.is_temporary:
            self._sessions.end()
        else:
            self._sessions.asking.stop()
            self._archive.delete(*several, undone=go_on)

    def _act_on_message(self, read: TranscriptView, request: MessageRequest) -> None:
        """Run an action that concerns the whole window; others are connected elsewhere."""
        message, is_main = request.message, read is self._parts.transcript
        match request.action:
            case MessageAction.QUOTE:
                self.quote(request.text)
            case MessageAction.ASK:
                self.ask(request.text)
            case MessageAction.SEARCH:
                self.search_all()
                self._parts.sidebar.search.setText(request.text)
            case MessageAction.EXPORT | MessageAction.PRINT if message is not None:
                self._take_out(read, message, is_printed=request.action is MessageAction.PRINT)
            case MessageAction.SPLIT if message is not None and is_main:
                if self._sessions.is_past_shown:
                    self.with_shown(lambda shown: self._archive.split(shown, message))
            case _:
                pass

    def ask(self, question: str) -> None:
        composer = self._parts.composer
        written, files = composer.text, composer.files.files
        self.go_to_field()
        composer.files.set_files(())
        composer.set_text(question)
        composer.send()
        composer.set_text("\n\n".join(filter(None, (composer.text, written))))
        composer.files.set_files(files)
        composer.draft_changed.emit()

    def with_shown(self, do: Callable[[SessionId], object]) -> None:
        if (shown := self._sessions.shown) is not None:
            do(shown.id)

    def act_on_chosen(self, what: str) -> None:
        """Act on the sessions that are selected in the list, else on the shown one."""
        shown = self._sessions.shown
        if ids := self._parts.sidebar.chosen() or ([shown.id] if shown else []):
            self.act(what, ids)

    def act(self, what: str, ids: Sequence[SessionId]) -> None:
        """Do what the menu of the list offers; pinning what is pinned unpins it."""
        sessions = map(self._session, ids)
        match what:
            case "pin" if all(session and session.is_pinned for session in sessions):
                self._archive.act("unpin", ids)
            case "delete":
                self.delete(*ids)
            case "continue":
                self.continue_session(*ids)
            case "rename":
                self.rename(*ids)
            case "export" if len(ids) == 1:
                self.export(*ids)
            case _:
                self._archive.act(what, ids)

    def open(self, place: NavigationTarget) -> None:
        self._parts.shell.uncover()
        self.search.open(place)

    def open_citation(self, citation: Citation) -> None:
        passage = citation.passage_id
        message_id = MessageId(int(passage)) if passage.isdecimal() else None
        parts = [
            sentence.text
            for sentence in sentences(citation.quote.replace("...", "…").replace("…", "\n"))
        ]
        quoted = [" ".join(part.split()) for part in parts]
        # A single word is everywhere.
        quoted = [quote for quote in quoted if " " in quote] or quoted
        self.open(NavigationTarget(SessionId(citation.source_id), message_id, quoted))

    def close_beside(self) -> None:
        self._parts.shell.show_side(Side.RIGHT, False)
        self.write()

    def quote(self, text: str) -> None:
        """Put a quotation into the message."""
        self.go_to_field()
        self._parts.composer.quote(text)

    def go_to_field(self) -> None:
        """Focus the composer; leave a past session first, because it has none."""
        self._parts.show_view(None)
        if self._parts.composer.isHidden():
            self.back()
        else:
            self.write()

    def write_dropped(self, text: str) -> None:
        self.go_to_field()
        self._parts.composer.field.take(text)

    def begin_new(self) -> None:
        self._sessions.begin_new()
        self._begin_writing()

    def begin_temporary(self) -> None:
        self._sessions.begin_temporary()
        self._begin_writing()

    def back(self) -> None:
        self._sessions.show_active()
        self._begin_writing()

    def _begin_writing(self) -> None:
        self._parts.show_reading(is_reading=False)
        self.write()

    def continue_session(self, session_id: SessionId) -> None:
        def go_on() -> None:
            self._sessions.open(NavigationTarget(session_id))
            self.write()

        self._sessions.resume(session_id, go_on)

    def rename(self, session_id: SessionId) -> None:
        self._parts.shell.show_side(Side.LEFT, True)
        self._parts.sidebar.rename(session_id)

    def export(self, session_id: SessionId) -> None:
        self._archive.ask_where_to_export(session_id, self._title_of(session_id))

    def print(self, session_id: SessionId, answer: MessageId | None = None) -> None:
        ask_for_printer(
            self._window, lambda printer: self._archive.print_on(printer, session_id, answer)
        )

    def _take_out(self, read: TranscriptView, message_id: MessageId, *, is_printed: bool) -> None:
        if (answer := read.find_message(message_id)) is None:
            return
        if is_printed:
            self.print(answer.session_id, answer.id)
        else:
            title = self._title_of(answer.session_id)
            self._archive.ask_where_to_export(answer.session_id, title, answer.id)

    def _title_of(self, session_id: SessionId) -> str:
        session = self._session(session_id)
        return (session.title or session.opening) if session else ""

    def _session(self, session_id: SessionId) -> Session | None:
        return self._parts.sidebar.model.session(session_id) or self._sessions.shown

    def search_all(self) -> None:
        self._parts.shell.show_side(Side.LEFT, True)
        self._parts.sidebar.query.focus()

    def _leave_composer(self) -> None:
        self.search.leave()
        self._parts.shell.uncover()

    def _focus_after_notice(self) -> None:
        """Focus the field after a notice was used, unless the notice opened a dialog."""
        if QApplication.activeModalWidget() is None:
            self.write()

    def _send(self, text: str) -> None:
        """Send the text; keep it in the composer if another question waits already."""
        if not self._sessions.asking.has_waiting:
            files = self._parts.composer.files.files
            self._parts.composer.clear()
            self._sessions.asking.send(text, files)
            self._sessions.recovery.answer_for(None)

    def _give_back(self, text: str) -> None:
        composer = self._parts.composer
        composer.set_text("\n\n".join(part for part in (text, composer.text) if part))
        composer.draft_changed.emit()

    def _clear_temporary(self) -> None:
        self._parts.composer.clear()
        self._parts.trace.forget()
        self._parts.context.forget()
        self._parts.panel.show_citations(())


def _is_elsewhere(now: Situation) -> bool:
    """Whether another session than the active one is shown."""
    shown, active = now.shown, now.active
    return (shown.id if shown else None) != (active.id if active else None)


def _has_active(now: Situation) -> bool:
    return now.active is not None
