"""Messages in the message bar about errors, unsaved text and sessions that ended."""

from PySide6.QtCore import QObject

from desktop.domain.errors import AppError
from desktop.domain.sessions import Session
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.i18n import LanguageController
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.widgets.message_bar import BarAction, MessageBar

_LONGEST_NAME = 80
DELETED = "deleted"  # Key of the notice whose first choice takes a deletion back
_GONE_WITH_NEXT_QUESTION = ("failed", "broke", "ended", DELETED, "parted", "exported", "imported")


def short_title(session: Session) -> str:
    name = " ".join((session.title or session.opening).split())
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


class WindowNotices(QObject):
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
        sessions.turns.running_changed.connect(self._remove_past)

    def show_failed(self, error: AppError) -> None:
        self._strip.show_message("failed", lambda: self._languages.texts().error(error))

    def show_broke(self, bug: str) -> None:
        def words() -> str:
            said = self.tr("Something went wrong inside Bellek ({bug}). The log has the details.")
            return said.format(bug=bug)

        def show_report() -> None:
            from desktop.ui.dialogs.about import ErrorReportDialog  # noqa: PLC0415 - rarely wanted

            logs = self._worker.services.folders.logs
            open_dialog(ErrorReportDialog(bug, logs, self._strip.window()))

        self._strip.show_message(
            "broke", words, lambda: (BarAction(self.tr("Details…"), show_report),)
        )

    def offer_rewriting(self) -> None:
        """A model was connected: it could describe what was only extracted so far."""

        def rewrite() -> None:
            self._sessions.do(
                lambda services: services.archive.descriptions.make_extracted_due(),
                lambda _: self._sessions.description_due.emit(),
            )

        def offer(count: int) -> None:
            if not count:
                return
            self._strip.show_message(
                "rewriting",
                lambda: self.tr(
                    "The titles and summaries of %n session(s) were extracted from their "
                    "text. Should the connected model rewrite them?",
                    "",
                    count,
                ),
                lambda: (
                    BarAction(self.tr("Rewrite them"), rewrite),
                    BarAction(self.tr("Not now"), lambda: None),
                ),
            )

        self._sessions.do(lambda services: services.archive.descriptions.count_extracted(), offer)

    def _show_unsaved(self) -> None:
        def words() -> str:
            return self.tr(
                "The last message could not be saved. It is kept while Bellek is open, "
                "and saving is retried until it succeeds."
            )

        self._strip.show_message("unsaved", words, can_be_closed=False)

    def _show_ended(self, session: Session) -> None:
        self._strip.show_message(
            "ended",
            lambda: self.tr("“{title}” has ended.").format(title=short_title(session)),
            lambda: (BarAction(self.tr("Undo"), lambda: self._sessions.undo_end(session.id)),),
        )

    def _show_temporary_ended(self) -> None:
        self._strip.show_message(
            "ended", lambda: self.tr("The temporary session has ended. Nothing was kept.")
        )

    def _remove_past(self, is_running: bool) -> None:  # noqa: FBT001 (comes from a signal)
        """Who asks the next question has seen what there was to see."""
        if is_running:
            for key in _GONE_WITH_NEXT_QUESTION:
                self._strip.remove(key)
