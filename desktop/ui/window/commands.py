"""What menus, buttons and message actions do in the window."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Citation
from desktop.language.sentences import sentences
from desktop.recall.find_in_session import find_in_session
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.services import NavigationTarget
from desktop.ui.session.controller import SessionController
from desktop.ui.sidebar.archive_controller import ArchiveController
from desktop.ui.theme.theme import MAX_ZOOM, MIN_ZOOM
from desktop.ui.transcript.entries import MessageAction, MessageEntry, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.splitter_layout import Side
from desktop.ui.window.window_presenter import WindowWidgets


class WindowCommands(QObject):
    def __init__(
        self,
        parts: WindowWidgets,
        changes: SettingsController,
        sessions: SessionController,
        archive: ArchiveController,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._parts = parts
        self._changes = changes
        self._sessions = sessions
        self._archive = archive
        self.search = SearchController(parts, sessions)
        self.search.left.connect(self.write)
        composer = parts.composer
        composer.sent.connect(self._send)
        composer.stop_requested.connect(sessions.asking.stop)
        composer.left.connect(self._leave_composer)
        parts.strip.left.connect(self._focus_after_notice)
        sessions.asking.given_back.connect(self._give_back)
        sessions.asking.files_given_back.connect(composer.files.set_files)
        sessions.temporary_ended.connect(self._clear_temporary)

    def write(self) -> None:
        self._parts.shell.uncover()
        self._parts.show_results(is_shown=False)
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

    def act_on_message(self, read: TranscriptView, request: MessageRequest) -> None:
        """Run an action that concerns the whole window; others are connected elsewhere."""
        message, is_main = request.message, read is self._parts.transcript
        match request.action:
            case MessageAction.QUOTE:
                self.go_to_field()
                self._parts.composer.quote(request.text)
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

    def with_chosen(self, do: Callable[..., object], what: str = "") -> None:
        """Do it with the sessions that are selected in the list, else with the shown one.

        `what`: what `ArchiveController` does with several; empty if `do` takes them all.
        """
        chosen = self._parts.sidebar.chosen()
        if not chosen:
            self.with_shown(do)
        elif not what:
            do(*chosen)
        else:
            known = map(self._parts.sidebar.model.session, chosen)
            is_pinned = what == "pin" and all(one and one.is_pinned for one in known)
            self.do_with_several("unpin" if is_pinned else what, chosen)

    def do_with_several(self, what: str, several: Sequence[SessionId]) -> None:
        if what == "delete":
            self.delete(*several)
        else:
            self._archive.do_with_several(what, several)

    def open(self, place: NavigationTarget) -> None:
        self._parts.shell.uncover()
        self.search.open(place)

    def open_citation(self, citation: Citation) -> None:
        passage = citation.passage_id
        message_id = MessageId(int(passage)) if passage.isdecimal() else None
        parts = [
            one.text for one in sentences(citation.quote.replace("...", "…").replace("…", "\n"))
        ]
        quoted = [" ".join(one.split()) for one in parts]
        # A single word is everywhere.
        quoted = [one for one in quoted if " " in one] or quoted
        self.open(NavigationTarget(SessionId(citation.source_id), message_id, quoted))

    def close_beside(self) -> None:
        self._parts.shell.show_side(Side.RIGHT, False)
        self.write()

    def go_to_field(self) -> None:
        """Focus the composer; leave a past session first, because it has none."""
        self._parts.show_results(is_shown=False)
        if self._parts.composer.isHidden():
            self.back()
        else:
            self.write()

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

    def pin_shown(self) -> None:
        self.with_shown(self.pin)

    def pin(self, session_id: SessionId) -> None:
        shown = self._sessions.shown
        self._archive.pin(session_id, not (shown is not None and shown.is_pinned))

    def export(self, session_id: SessionId) -> None:
        self._archive.ask_where_to_export(session_id, self._title_of(session_id))

    def print(self, session_id: SessionId, answer: MessageId | None = None) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # noqa: PLC0415 - rarely needed

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        dialog = QPrintDialog(printer, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setOption(QPrintDialog.PrintDialogOption.PrintToFile)
        dialog.accepted.connect(lambda: self._archive.print_on(printer, session_id, answer))
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.show()

    def _take_out(self, read: TranscriptView, message_id: MessageId, *, is_printed: bool) -> None:
        if (answer := read.said(message_id)) is None:
            return
        if is_printed:
            self.print(answer.session_id, answer.id)
        else:
            title = self._title_of(answer.session_id)
            self._archive.ask_where_to_export(answer.session_id, title, answer.id)

    def _title_of(self, session_id: SessionId) -> str:
        session = self._parts.sidebar.model.session(session_id) or self._sessions.shown
        return (session.title or session.opening) if session else ""

    def search_all(self) -> None:
        self._parts.shell.show_side(Side.LEFT, True)
        self._parts.sidebar.query.focus()

    def toggle_sidebar(self) -> None:
        shell = self._parts.shell
        shell.show_side(Side.LEFT, not shell.is_shown(Side.LEFT))

    def zoom_by(self, percent: int) -> None:
        self.zoom_to(min(max(self._changes.settings.zoom_percent + percent, MIN_ZOOM), MAX_ZOOM))

    def zoom_to(self, percent: int) -> None:
        self._changes.apply(replace(self._changes.settings, zoom_percent=percent))

    def toggle_full_screen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()

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


class SearchController(QObject):
    """Finds text in the shown session, and steps through the hits of the search that led there."""

    results_shown = Signal()
    left = Signal()  # the search has ended, and the focus has to be set

    def __init__(self, parts: WindowWidgets, sessions: SessionController) -> None:
        super().__init__(parts)
        self._parts, self._sessions = parts, sessions
        self._bar, self._transcript = parts.find_bar, parts.transcript
        self._before: QWidget | None = None
        self._led: NavigationTarget | None = None  # what was opened, while its hits are shown
        self._hits: Sequence[MessageId] = ()
        self._at = self._count = 0
        self._bar.text_changed.connect(self._find)
        self._bar.stepped.connect(self.step)
        self._bar.closed.connect(self._stop)
        parts.results.left.connect(self.leave_results)
        parts.sidebar.query.changed.connect(self._end_cleared)
        sessions.turns.running_changed.connect(self._end_hits)
        sessions.active_changed.connect(self._end_hits)

    def open(self, place: NavigationTarget) -> None:
        """Open a place; if it is a search hit, show the way to the other hits."""
        self._parts.show_results(is_shown=False)
        self._forget()
        self._led = place if place.query else None
        shown = self._sessions.shown
        self._sessions.open(place)
        if shown is not None and shown.id == place.session_id:
            self._find_hits()

    def begin_page(self, session_id: SessionId | None) -> None:
        led = self._led
        self._parts.show_results(is_shown=False)
        self._forget()
        if led is not None and led.session_id == session_id:
            self._led = led
            self._find_hits()

    def show_results(self, query: str = "") -> None:
        """Show the results view, as it was left, or with a query from elsewhere."""
        if not self._parts.are_results_shown:
            self._before = QApplication.focusWidget()
        self._parts.shell.uncover()
        self._parts.show_results(is_shown=True)
        self._parts.results.ask(query)
        self.results_shown.emit()

    def leave_results(self) -> None:
        if self._parts.are_results_shown:
            self._parts.show_results(is_shown=False)
            before, self._before = self._before, None
            if before is not None and before is self._parts.composer.field:
                before.setFocus(Qt.FocusReason.OtherFocusReason)
            else:
                self.left.emit()

    def leave(self) -> None:
        self.leave_results()
        self._bar.end()

    def find(self) -> None:
        self._parts.show_results(is_shown=False)
        self._bar.begin()

    def step(self, by: int) -> None:
        """Go to the next match (1) or the previous one (-1)."""
        if self._bar.isHidden():
            self._bar.begin()
        elif self._led is not None and self._hits:
            self._at = (self._at + by) % len(self._hits)
            self._transcript.scroll_to(self._hits[self._at], self._led.terms)
            self._bar.show_hit(self._led.query, self._at + 1, len(self._hits))
        else:
            self._bar.show_place(self._transcript.marking.step(by), self._count)

    def _find(self, text: str) -> None:
        self._led, self._hits = None, ()
        self._count = self._transcript.marking.find(text) if text else 0
        if not text:
            self._transcript.marking.clear()
        self._bar.show_place(self._transcript.marking.place, self._count)

    def _find_hits(self) -> None:
        if (led := self._led) is None:
            return
        entries = [one for one in self._transcript.entries if isinstance(one, MessageEntry)]
        ids, texts = [one.message.id for one in entries], [one.text for one in entries]

        def show(found: list[int]) -> None:
            # A message that was found by its meaning may have none of the words.
            hits = [one for at, one in enumerate(ids) if at in found or one == led.message_id]
            if self._led is not led or not hits:
                return  # another place was opened meanwhile
            self._hits = hits
            self._at = hits.index(led.message_id) if led.message_id in hits else 0
            if led.message_id in hits:  # the transcript is shown already
                self._bar.show_hit(led.query, self._at + 1, len(hits))
            else:
                self._bar.show()
                self.step(0)

        self._sessions.do(lambda _: find_in_session(led.query, texts), show)

    def _end_cleared(self) -> None:
        if not self._parts.sidebar.query.text:
            self._end_hits()

    def _end_hits(self) -> None:
        """Hide the hits of a search that has ended, unless the user went on to find text."""
        if self._hits:
            self._transcript.marking.clear()
            self._forget()

    def _forget(self) -> None:
        self._bar.hide()
        self._led, self._hits = None, ()

    def _stop(self) -> None:
        self._transcript.marking.clear()
        self._forget()
        if not self._bar.give_focus_back():
            self.left.emit()
