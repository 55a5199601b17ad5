"""The request of a turn: what is sent of the session, and what is done when that is too much."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from desktop.domain.errors import ContextTooLongError
from desktop.domain.events import ContextReduced, Status, StatusChanged, TurnEvent
from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.domain.model import Model, ModelRequest
from desktop.domain.sessions import Compact
from desktop.domain.times import Clock
from desktop.domain.usage import Purpose
from desktop.language.dates import spoken_moment
from desktop.memory.budget import assemble
from desktop.memory.compaction import compact
from desktop.memory.overflow import End, Fits, LeaveOut, Remedy, Summarise, remedy
from desktop.sessions.active import ActiveSession
from desktop.sessions.turn import Turn
from desktop.sessions.wording import Wording
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive

_MOST_REMEDIES = 8
_ALWAYS_FITS = 6_000
"""Characters that fill no model's context: nobody has to be asked how much it takes."""


class EndsTooLong(Exception):  # noqa: N818 - not a failure: the user's own choice for long sessions
    """The session has to end; its newest message begins the next one."""


@dataclass(slots=True)
class Context:
    """Puts requests together for one session after another."""

    archive: Archive
    settings: Callable[[], Settings]
    now: Clock
    _left_out: tuple[SessionId, int] = (SessionId(""), 0)
    """Up to which number messages are not sent; it only grows: the start stays the same."""

    def build(
        self,
        turn: Turn,
        active: ActiveSession,
        model: Model,
        wording: Wording,
        summariser: Model | None,
        recalled: str = "",
    ) -> Iterator[TurnEvent | ModelRequest]:
        """Events on the way, then the request. Raises LlmError, StorageError, EndsTooLong.

        A turn that is stopped on the way gets no request.
        `recalled`: what was found in past sessions; it goes with this request alone.
        """
        moment = spoken_moment(self.now(), wording.language)
        changing = "\n\n".join(
            filter(None, (wording.texts.say("request.now", moment=moment), recalled))
        )
        for _ in range(_MOST_REMEDIES):
            compacts = self.archive.compacts.compacts(active.id)
            sent = self._sent(active, compacts)
            request = assemble(
                instructions=wording.assistant,
                compacts=compacts,
                messages=sent,
                changing=changing,
            )
            found = self._remedy(request, model, sent)
            if turn.cancelled.is_set():
                return
            match found:
                case Fits():
                    yield request
                    return
                case Summarise():
                    yield StatusChanged(turn.id, Status.SUMMARISING)
                    if not self._summarise(turn, found, sent, summariser or model, wording):
                        return
                    yield ContextReduced(turn.id, left_out=0, compacted=found.to_number)
                case LeaveOut():
                    self._left_out = (active.id, found.to_number)
                    yield ContextReduced(turn.id, left_out=found.to_number, compacted=0)
                case End():
                    raise EndsTooLong
        raise ContextTooLongError

    def _sent(self, active: ActiveSession, compacts: list[Compact]) -> list[Message]:
        covered = max((one.to_number for one in compacts), default=0)
        session_id, left_out = self._left_out
        start = max(covered, left_out if session_id == active.id else 0)
        return [message for message in active.messages if message.number > start]

    def _remedy(self, request: ModelRequest, model: Model, sent: list[Message]) -> Remedy:
        settings = self.settings()
        if _characters(request) < _ALWAYS_FITS:
            return Fits()
        return remedy(
            tokens=model.count_tokens(request),
            limit_tokens=int(model.context_tokens() * settings.overflow_share),
            strategy=settings.overflow,
            messages=sent,
        )

    def _summarise(
        self, turn: Turn, what: Summarise, sent: list[Message], model: Model, wording: Wording
    ) -> bool:
        """Whether there is a summary; none of a turn that was stopped meanwhile."""
        older = [one for one in sent if what.from_number <= one.number <= what.to_number]
        heading = wording.texts.say("request.compact", n=what.to_number)
        try:
            written, usage = compact(model, wording.summarise, heading, older, turn.hold)
        finally:
            turn.hold(None)
        self.archive.answers.count_usage(
            written.session_id, usage, purpose=Purpose.COMPACT, model=model.name
        )
        if turn.cancelled.is_set():
            return False
        self.archive.compacts.add(written)
        return True


def _characters(request: ModelRequest) -> int:
    changing = len(request.changing or "")
    return changing + len(request.instructions) + sum(len(one.text) for one in request.messages)
