"""The request of a turn: what is sent of the session, and what is done when that is too much."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop.domain.context import ContextReport, LeftOut, Part, PartKind
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import ContextTooLongError
from desktop.domain.events import ContextReduced, Status, StatusChanged, TurnEvent
from desktop.domain.ids import SessionId
from desktop.domain.model import Model, ModelRequest, ToolSpec
from desktop.memory.context_reduction import (
    End,
    Fits,
    LeaveMemory,
    LeaveOut,
    LeaveRecalled,
    Reduction,
    Remedy,
    Summarise,
    TooLong,
    remedy,
)
from desktop.memory.request_assembly import Brought, Ingredients, standing_part
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.assistant_context import Surroundings
from desktop.sessions.compacting import Compactor
from desktop.sessions.prompts_and_phrases import Wording
from desktop.sessions.turn import Turn
from desktop.settings.settings import OWN_PERSONA, USUAL_PERSONA, Overflow

_MOST_REMEDIES = 24
_ALWAYS_FITS = 6_000
"""Characters that fill no model's context: nobody has to be asked how much it takes."""
_CHARACTERS_A_TOKEN = 4


class EndsTooLong(Exception):  # noqa: N818 - not a failure: the user's own choice for long sessions
    """The session has to end; its newest message begins the next one."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """A request, and what went into it."""

    request: ModelRequest
    report: ContextReport


@dataclass(frozen=True, slots=True)
class Bringing:
    """What a request takes along besides the session."""

    brought: Brought
    tools: Sequence[ToolSpec] = ()


@dataclass(slots=True)
class Context:
    """Puts requests together for one session after another."""

    compactor: Compactor
    around: Surroundings
    _left_out: tuple[SessionId, int] = (SessionId(""), 0)
    """Up to which number messages are not sent; it only grows: the start stays the same."""

    def build(
        self, turn: Turn, active: ActiveSession, model: Model, bringing: Bringing
    ) -> Iterator[TurnEvent | Assembled]:
        """Events on the way, then the request. Raises LlmError, StorageError, EndsTooLong.

        A turn that is stopped on the way gets no request.
        """
        making = _Making(turn, active, model, self.around.own_wording(), bringing.brought)
        for _ in range(_MOST_REMEDIES):
            parts = self._ingredients(making, bringing.tools)
            tokens, limit = self._measured(parts, model)
            if turn.cancelled.is_set():
                return
            found = self._remedy(parts, making, tokens, limit)
            if isinstance(found, Fits):
                report = parts.report(tokens, limit, not_sent=self._not_sent(active, parts))
                yield Assembled(self._as_long_as_wished(parts.request()), report)
                return
            yield from self._reduce(found, making, parts)
            if turn.cancelled.is_set():
                return
        raise ContextTooLongError

    def _reduce(
        self, found: Reduction, making: "_Making", parts: Ingredients
    ) -> Iterator[TurnEvent]:
        match found:
            case Summarise():
                yield from self._summarise(found, making, parts)
            case LeaveOut():
                self._left_out = (making.active.id, found.to_number)
                yield ContextReduced(making.turn.id, left_out=found.to_number, compacted=0)
            case LeaveRecalled():
                making.leave(PartKind.RECALLED)
            case LeaveMemory():
                making.leave(PartKind.MEMORY)
            case End():
                raise EndsTooLong

    def _as_long_as_wished(self, request: ModelRequest) -> ModelRequest:
        """An answer may be longer than usual; that it may not, the model itself keeps to."""
        parameters = self.around.settings().parameters.get(ModelRole.ANSWERING)
        most = parameters.most_output_tokens if parameters else None
        return replace(request, max_output_tokens=most) if most else request

    def _ingredients(self, making: "_Making", tools: Sequence[ToolSpec]) -> Ingredients:
        compacts = self.compactor.standing(making.active)
        session_id, left_out = self._left_out
        if session_id != making.active.id:
            left_out = 0
        start = max(compacts[-1].to_number if compacts else 0, left_out)
        return Ingredients(
            self._standing(making.wording),
            [compact for compact in compacts if compact.to_number > left_out],
            making.active.messages[start:],
            self._variables(making.wording),
            making.brought,
            tools,
        )

    def _standing(self, wording: Wording) -> str:
        settings = self.around.settings()
        usual = wording.personas[USUAL_PERSONA]
        persona = wording.personas.get(settings.persona, usual)
        if settings.persona == OWN_PERSONA and settings.own_persona.strip():
            persona = settings.own_persona.strip()
        wanted = [one.text for one in settings.instructions if one.is_on]
        lead = wording.texts.say("request.instructions")
        return standing_part(lead, persona, wording.assistant, wanted)

    def _variables(self, wording: Wording) -> str:
        variables = self.around.settings().variables
        if not variables:
            return ""
        lines = (f"- {name}: {value}" for name, value in variables.items())
        return "\n".join([wording.texts.say("request.variables"), *lines])

    def _measured(self, parts: Ingredients, model: Model) -> tuple[int, int]:
        """What the request takes, and what it may; a limit of 0 where nobody has to be asked."""
        if parts.characters < _ALWAYS_FITS:
            return -(-parts.characters // _CHARACTERS_A_TOKEN), 0
        settings = self.around.settings()
        limit = int(model.context_tokens() * settings.overflow_share)
        tokens = model.count_tokens(parts.request())
        return tokens, limit // 2 if settings.is_lite else limit

    def _remedy(self, parts: Ingredients, making: "_Making", tokens: int, limit: int) -> Remedy:
        if not limit or tokens < limit:
            return Fits()
        found = TooLong(
            tokens,
            limit,
            parts.messages,
            parts.compacts,
            parts.compact_tokens,
            making.can_summarise,
            has_recalled=bool(parts.brought.recalled),
            has_memory=bool(parts.brought.memory),
            compact_length=self.compactor.length(making.model),
            kept=self.compactor.kept(),
        )
        return remedy(found, self._strategy(making.active))

    def _strategy(self, active: ActiveSession) -> Overflow:
        """No summary of a temporary session is kept, and nothing ends it but the user."""
        return Overflow.KEEP_LAST if active.is_temporary else self.around.settings().overflow

    def _summarise(
        self, what: Summarise, making: "_Making", parts: Ingredients
    ) -> Iterator[TurnEvent]:
        turn = making.turn
        yield StatusChanged(turn.id, Status.SUMMARISING)
        older = [one for one in parts.messages if one.number <= what.to_number]
        try:
            reached = self.compactor.compact_now(older, making.model, turn)
        finally:
            turn.hold(None)
        if turn.cancelled.is_set():
            return
        if reached:
            yield ContextReduced(turn.id, left_out=0, compacted=reached)
        else:
            making.can_summarise = False

    def _not_sent(self, active: ActiveSession, parts: Ingredients) -> list[Part]:
        """Of messages and compacts: how many did not go as they are, and why."""
        sent = len(parts.messages)
        before = len(active.messages) - sent
        if not before:
            return []
        dropped = parts.compacts[0].from_number - 1 if parts.compacts else before
        is_chosen = self._strategy(active) is Overflow.KEEP_LAST
        why = LeftOut.CHOSEN if is_chosen else LeftOut.NO_ROOM
        found = [Part(PartKind.MESSAGES, 0, 0, before, LeftOut.SUMMARISED)]
        if not parts.compacts:
            found = [Part(PartKind.MESSAGES, 0, 0, before, why)]
        elif dropped:
            standing = len(self.compactor.standing(active)) - len(parts.compacts)
            found.append(Part(PartKind.COMPACTS, 0, 0, standing, why))
        return found


@dataclass(slots=True)
class _Making:
    """One request on its way."""

    turn: Turn
    active: ActiveSession
    model: Model
    wording: Wording
    brought: Brought
    can_summarise: bool = True

    def leave(self, kind: PartKind) -> None:
        self.brought = self.brought.without(kind, LeftOut.NO_ROOM)
