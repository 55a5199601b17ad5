"""Notices in the transcript about the session that is shown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from desktop.domain.events import ContextReduced
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import EndReason
from desktop.ui.transcript.entries import Notice, NoticeAction
from desktop.ui.transcript.view import TranscriptView

_LATER = "later"
_UNDO = "undo"
_RETRY = "retry"
_READ = "read"
_ANSWER = "answer"
_LEAVE_IT = (_RETRY, _READ)
"""Such a notice goes later: a question has to wait perhaps, and a text can be read again."""


@dataclass(frozen=True, slots=True)
class _Kept:
    session_id: SessionId | None
    """Whose transcript it stands in; None: whichever is shown."""
    words: Callable[[], str]
    after: MessageId | None = None
    acts: Mapping[str, Callable[[], None]] = field(default_factory=dict)


class SessionNotices(QObject):
    compacts_wanted = Signal(object)
    """SessionId: what stands for its older messages is to be read."""

    def __init__(self, transcript: TranscriptView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._kept: dict[str, _Kept] = {}
        self._shown: SessionId | None = None
        self._titles: dict[SessionId, str] = {}
        transcript.notice_action.connect(self._act)

    def show_in(self, session_id: SessionId | None) -> None:
        """The transcript shows another session: put up the notices that belong there."""
        self._shown = session_id
        self.retranslate()

    def say_ended(
        self, session_id: SessionId, why: EndReason, phrase: str, undo: Callable[[], None]
    ) -> None:
        # What had begun it is over with it.
        if (began := self._kept.get("began")) and began.session_id == session_id:
            self._take("began")
        self._put(
            f"ended-{session_id}",
            _Kept(session_id, lambda: self._ended(session_id, why, phrase), acts={_UNDO: undo}),
        )

    def say_described(self, session_id: SessionId, title: str) -> None:
        """The title that an ended session was given."""
        key = f"ended-{session_id}"
        self._titles[session_id] = title
        if key in self._kept:
            self._show(key)

    def say_began(
        self, session_id: SessionId | None, why: EndReason, undo: Callable[[], None]
    ) -> None:
        """In the new session: why there is one."""
        self._put("began", _Kept(session_id, lambda: self._began(why), acts={_UNDO: undo}))

    def say_reduced(self, session_id: SessionId, event: ContextReduced) -> None:
        def read() -> None:
            self.compacts_wanted.emit(session_id)

        self._put(
            "reduced",
            _Kept(
                session_id,
                lambda: self._reduced(event.compacted, event.left_out),
                acts={_READ: read} if event.compacted else {},
            ),
        )

    def say_failed(
        self, session_id: SessionId, words: Callable[[], str], retry: Callable[[], None]
    ) -> None:
        """What failed before an answer could begin."""
        self._put("failed", _Kept(session_id, words, acts={_RETRY: retry}))

    def say_later(self, session_id: SessionId, version: int, after: MessageId) -> None:
        """What followed a message that was written again is not gone."""
        self._put(_LATER, _Kept(session_id, lambda: self._later(version), after))

    def say_unanswered(self, session_id: SessionId, answer: Callable[[], None]) -> None:
        """What was taken for the end of the session has no answer yet."""
        self._put("unanswered", _Kept(session_id, self._unanswered, acts={_ANSWER: answer}))

    def take_unanswered(self) -> None:
        self._take("unanswered")

    def take_later(self) -> None:
        self._take(_LATER)

    def take_ended(self, session_id: SessionId) -> None:
        self._take(f"ended-{session_id}")

    def take_failed(self) -> None:
        self._take("failed")

    def retranslate(self) -> None:
        for key in self._kept:
            self._show(key)

    def _put(self, key: str, kept: _Kept) -> None:
        self._kept[key] = kept
        self._show(key)

    def _take(self, key: str) -> None:
        if self._kept.pop(key, None):
            self._transcript.remove_notice(key)

    def _show(self, key: str) -> None:
        kept = self._kept[key]
        if kept.session_id != self._shown:
            self._transcript.remove_notice(key)
            return
        labels = {
            _UNDO: self.tr("Undo"),
            _RETRY: self.tr("Retry"),
            _READ: self.tr("Read the summary"),
            _ANSWER: self.tr("Answer it"),
        }
        actions = tuple(NoticeAction(name, labels[name]) for name in kept.acts)
        self._transcript.add_notice(Notice(key, kept.words(), actions, kept.after))

    def _act(self, key: str, action: str) -> None:
        kept = self._kept.get(key)
        if kept and (act := kept.acts.get(action)):
            if action not in _LEAVE_IT:
                self._take(key)
            act()

    def _ended(self, session_id: SessionId, why: EndReason, phrase: str) -> str:
        if title := self._titles.get(session_id):
            writing = self.tr("Saved as “{title}”.").format(title=title)
        else:
            writing = self.tr("Writing title and summary…")
        match why:
            case EndReason.THANKS if phrase:
                said = self.tr("The session seems to be over: “{words}”.").format(words=phrase)
            case EndReason.IDLE:
                said = self.tr("The session ended because you were away for a while.")
            case EndReason.TOO_LONG:
                said = self.tr("The session became too long for the model and ended.")
            case _:
                said = self.tr("The session has ended.")
        return f"{said} {writing}"

    def _unanswered(self) -> str:
        return self.tr("Your last message has no answer yet.")

    def _began(self, why: EndReason) -> str:
        match why:
            case EndReason.SUBJECT_CHANGE:
                return self.tr("This looks like a new topic, so a new session was started.")
            case EndReason.TOO_LONG:
                return self.tr(
                    "The last session became too long for the model and ended. It is in "
                    "the list on the left; this is a new session."
                )
            case EndReason.REPLACED:
                return self.tr("You are continuing this session; the previous one ended.")
            case _:
                return self.tr("The last session has ended. It is in the list on the left.")

    def _later(self, version: int) -> str:
        return self.tr("The later messages stay with version {number}.").format(number=version)

    def _reduced(self, compacted: int, left_out: int) -> str:
        if compacted:
            return self.tr(
                "This session is long, so %n older message(s) were sent to the model as a "
                "summary.",
                "",
                compacted,
            )
        return self.tr(
            "This session is long, so %n older message(s) were not sent to the model.",
            "",
            left_out,
        )
