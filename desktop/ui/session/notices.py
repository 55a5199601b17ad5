"""Notices in the transcript about the shown session, and a question before one is lost."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.events import ContextReduced
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import EndReason, RemovedOriginals, Session
from desktop.ui.formatting import day
from desktop.ui.transcript.entries import Notice, NoticeAction
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.plain_text import MessageBox, announce

LATER, FAILED, UNANSWERED = "later", "failed", "unanswered"
_BEGAN, _REMOVED = "began", "removed"
_STAYS_AFTER = ("retry", "read")
"""Actions that leave their notice: a question may have to wait, a text can be read again."""


@dataclass(frozen=True, slots=True)
class _Kept:
    session_id: SessionId | None  # The session whose transcript shows it; None: any session
    words: Callable[[], str]
    after: MessageId | None
    actions: Mapping[str, Callable[[], None]]


class LossQuestion(QObject):
    def __init__(self, window: QWidget, loses_something: Callable[[], bool]) -> None:
        super().__init__(window)
        self._window, self._loses_something = window, loses_something
        self._is_open = False

    def ask(self, go_on: Callable[[], None]) -> None:
        """Call `go_on`; ask first if a temporary session would be lost."""
        if not self._loses_something():
            go_on()
            return
        if self._is_open:
            return
        self._is_open = True
        box = MessageBox(
            MessageBox.Icon.Warning,
            self.tr("End the temporary session?"),
            self.tr("This session is not saved. Once it ends, you cannot get it back."),
            self._window,
        )
        box.finished.connect(self._close)
        box.offer((self.tr("End session"), go_on), stay=self.tr("Keep session"))

    def _close(self) -> None:
        self._is_open = False


class SessionNotices(QObject):
    compacts_wanted = Signal(object)  # SessionId whose summaries of older messages are to be read

    def __init__(self, transcript: TranscriptView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._notices: dict[str, _Kept] = {}
        self._shown: SessionId | None = None
        self._titles: dict[SessionId, str] = {}
        transcript.notice_action.connect(self._act)

    def show_in(self, session_id: SessionId | None) -> None:
        self._shown = session_id
        self.retranslate()

    def show_ended(
        self, session_id: SessionId, why: EndReason, phrase: str, undo: Callable[[], None]
    ) -> None:
        # The notice why the session began is obsolete.
        if (began := self._notices.get(_BEGAN)) and began.session_id == session_id:
            self.remove(_BEGAN)
        key = f"ended-{session_id}"
        self._put(key, session_id, lambda: self._ended(session_id, why, phrase), undo=undo)

    def show_described(self, session_id: SessionId, title: str) -> None:
        key = f"ended-{session_id}"
        self._titles[session_id] = title
        if key in self._notices:
            self._show(key)

    def show_began(
        self, session_id: SessionId | None, why: EndReason, undo: Callable[[], None]
    ) -> None:
        self._put(_BEGAN, session_id, lambda: self._began(why), undo=undo)

    def show_reduced(self, session_id: SessionId, event: ContextReduced) -> None:
        acts = {"read": lambda: self.compacts_wanted.emit(session_id)} if event.compacted else {}
        self._put("reduced", session_id, lambda: self._reduced(event), None, **acts)

    def show_removed(self, session: Session, removed: RemovedOriginals | None) -> None:
        """Show which file has the messages of a session that were removed to free space."""
        if removed is None:
            self.remove(_REMOVED)
            return

        def words() -> str:
            template = self.tr(
                "The messages were exported to {file} on {day}. To bring them back, import that "
                "file."
            )
            where = template.format(file=removed.exported_to, day=day(removed.removed_at))
            return "\n\n".join(filter(None, (session.summary, where)))

        self._put(_REMOVED, session.id, words, read=lambda: self.compacts_wanted.emit(session.id))

    def show_failed(
        self, session_id: SessionId, words: Callable[[], str], retry: Callable[[], None]
    ) -> None:
        self._put(FAILED, session_id, words, retry=retry)

    def show_later(self, session_id: SessionId, version: int, after: MessageId) -> None:
        def words() -> str:
            template = self.tr("The later messages are kept in version {number}.")
            return template.format(number=version)

        self._put(LATER, session_id, words, after)

    def show_unanswered(self, session_id: SessionId, answer: Callable[[], None]) -> None:
        self._put(
            UNANSWERED,
            session_id,
            lambda: self.tr("Your last message has no answer yet."),
            answer=answer,
        )

    def remove_ended(self, session_id: SessionId) -> None:
        self.remove(f"ended-{session_id}")

    def remove(self, key: str) -> None:
        if self._notices.pop(key, None):
            self._transcript.remove_notice(key)

    def retranslate(self) -> None:
        for key in self._notices:
            self._show(key)

    def _put(
        self,
        key: str,
        session_id: SessionId | None,
        words: Callable[[], str],
        after: MessageId | None = None,
        **actions: Callable[[], None],
    ) -> None:
        self._notices[key] = notice = _Kept(session_id, words, after, actions)
        self._show(key)
        if session_id == self._shown:
            announce(self._transcript, notice.words())

    def _show(self, key: str) -> None:
        notice = self._notices[key]
        if notice.session_id != self._shown:
            self._transcript.remove_notice(key)
            return
        labels = {
            "undo": self.tr("Undo"),
            "retry": self.tr("Retry"),
            "read": self.tr("Read the summary"),
            "answer": self.tr("Answer"),
        }
        actions = tuple(NoticeAction(name, labels[name]) for name in notice.actions)
        self._transcript.add_notice(Notice(key, notice.words(), actions, notice.after))

    def _act(self, key: str, action: str) -> None:
        notice = self._notices.get(key)
        if notice and (act := notice.actions.get(action)):
            if action not in _STAYS_AFTER:
                self.remove(key)
            act()

    def _ended(self, session_id: SessionId, why: EndReason, phrase: str) -> str:
        if title := self._titles.get(session_id):
            writing = self.tr("Saved as “{title}”.").format(title=title)
        else:
            writing = self.tr("Writing the title and summary…")
        match why:
            case EndReason.THANKS if phrase:
                sentence = self.tr("The session ended because you wrote “{words}”.").format(
                    words=phrase
                )
            case EndReason.IDLE:
                sentence = self.tr("The session ended because you were away for a while.")
            case EndReason.TOO_LONG:
                sentence = self.tr("The session became too long for the model and ended.")
            case _:
                sentence = self.tr("The session has ended.")
        return f"{sentence} {writing}"

    def _began(self, why: EndReason) -> str:
        match why:
            case EndReason.SUBJECT_CHANGE:
                return self.tr("This looks like a new topic, so a new session was started.")
            case EndReason.TOO_LONG:
                return self.tr(
                    "The last session became too long for the model and ended. You can find it "
                    "in the list on the left. This is a new session."
                )
            case EndReason.REPLACED:
                return self.tr("You are continuing this session. The previous session has ended.")
            case _:
                return self.tr(
                    "The last session has ended. You can find it in the list on the left."
                )

    def _reduced(self, event: ContextReduced) -> str:
        if event.compacted:
            return self.tr(
                "This session is long, so %n older message(s) were sent to the model as a "
                "summary.",
                "",
                event.compacted,
            )
        return self.tr(
            "This session is long, so %n older message(s) were not sent to the model.",
            "",
            event.left_out,
        )
