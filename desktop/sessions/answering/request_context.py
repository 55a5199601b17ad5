"""Assembles the request of a turn, and reduces what is sent of the session when it is too much."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.context import ContextReport, Omission, Part, PartKind
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import ContextTooLongError
from desktop.domain.events import ContextReduced, Status
from desktop.domain.ids import SessionId
from desktop.domain.model import Model, ModelRequest, ToolSpec
from desktop.domain.routing import Recall
from desktop.language.dates.date_formatting import spoken_moment
from desktop.memory.active_memory_prompt import MemoryBlock
from desktop.memory.context_reduction import (
    DropMemory,
    DropMessages,
    DropRecalled,
    End,
    Fits,
    OversizedRequest,
    Reduction,
    ReductionChoice,
    Summarise,
    choose_reduction,
)
from desktop.memory.request_assembly import ChangingBlock, RequestParts, stable_instructions
from desktop.research.passages import Passage, Recollection, format_attached, format_recollection
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.answering.active_memory import ActiveMemory
from desktop.sessions.answering.answer_lifecycle import AnswerContext
from desktop.sessions.assistant_context import AssistantContext
from desktop.sessions.compacting import Compactor
from desktop.sessions.prompts_and_phrases import Wording
from desktop.sessions.turn import Turn
from desktop.settings.messages import Texts
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
class RetrievedContext:
    """What goes with a request besides the session itself."""

    asked: Recall | None = None
    recalled: Recollection = field(default_factory=Recollection)
    beside: Sequence[Passage] = ()
    """Of attached sessions, numbered on from what was recalled."""
    memory: MemoryBlock = field(default_factory=MemoryBlock)
    known: str = ""
    """What the application itself knows of the question."""
    evidence: str = ""
    """What a research tier found, in words of its own."""
    evidence_passages: int = 0
    on_web: Sequence[Passage] = ()
    """What the endpoint found by itself for an answer that is written again."""

    def with_known(self, words: str) -> "RetrievedContext":
        return replace(self, known="\n\n".join(filter(None, (self.known, words))))

    @property
    def passages(self) -> Sequence[Passage]:
        return (*self.recalled.passages, *self.beside, *self.on_web)

    def block(self, texts: Texts) -> str:
        recalled = format_recollection(self.asked, self.recalled, texts) if self.asked else ""
        beside = format_attached(self.beside, texts)
        return "\n\n".join(filter(None, (recalled, beside, self.evidence)))


@dataclass(slots=True)
class RequestAssembler:
    """Puts requests together for one session after another."""

    compactor: Compactor
    around: AssistantContext
    active_memory: ActiveMemory
    _left_out: tuple[SessionId, int] = (SessionId(""), 0)
    """Up to which number messages are not sent; it only grows: the start stays the same."""

    def assemble(
        self,
        context: AnswerContext,
        model: Model,
        found: RetrievedContext,
        tools: Sequence[ToolSpec] = (),
    ) -> Assembled | None:
        """Put the request together; None where the turn is stopped on the way.

        Raises LlmError, StorageError, EndsTooLong.
        """
        turn, active, wording = context.turn, context.active, self.around.own_wording()
        making = _Making(
            turn, active, model, wording, self._changing_block(context, found, wording)
        )
        for _ in range(_MOST_REMEDIES):
            parts = self._request_parts(making, tools)
            tokens, limit = self._measured(parts, model)
            if turn.cancelled.is_set():
                return None
            reduction = self._choose_reduction(parts, making, tokens, limit)
            if isinstance(reduction, Fits):
                report = parts.report(tokens, limit, not_sent=self._not_sent(active, parts))
                return Assembled(self._as_long_as_wished(parts.request()), report)
            self._reduce(reduction, making, parts)
            if turn.cancelled.is_set():
                return None
        raise ContextTooLongError

    def _changing_block(
        self, context: AnswerContext, found: RetrievedContext, wording: Wording
    ) -> ChangingBlock:
        off: dict[PartKind, Omission] = {}
        if not self.active_memory.is_used(context.active):
            off[PartKind.MEMORY] = Omission.SWITCHED_OFF
        passages = len(found.passages) + found.evidence_passages
        if not (self.around.settings().uses_past_sessions or passages):
            off[PartKind.RECALLED] = Omission.SWITCHED_OFF
        moment = spoken_moment(self.around.now(), wording.language)
        return ChangingBlock(
            wording.texts.say("request.now", moment=moment),
            memory=found.memory.text,
            facts=len(found.memory.facts),
            more_facts=found.memory.left_out,
            recalled=found.block(wording.texts),
            passages=passages,
            left_out=off,
            known=found.known,
        )

    def _reduce(self, found: Reduction, making: "_Making", parts: RequestParts) -> None:
        match found:
            case Summarise():
                self._summarise(found, making, parts)
            case DropMessages():
                self._left_out = (making.active.id, found.to_number)
                turn = making.turn
                turn.emit(ContextReduced(turn.id, left_out=found.to_number, compacted=0))
            case DropRecalled():
                making.leave(PartKind.RECALLED)
            case DropMemory():
                making.leave(PartKind.MEMORY)
            case End():
                raise EndsTooLong

    def _as_long_as_wished(self, request: ModelRequest) -> ModelRequest:
        """An answer may be longer than usual; that it may not, the model itself keeps to."""
        parameters = self.around.settings().parameters.get(ModelRole.ANSWERING)
        most = parameters.most_output_tokens if parameters else None
        return replace(request, max_output_tokens=most) if most else request

    def _request_parts(self, making: "_Making", tools: Sequence[ToolSpec]) -> RequestParts:
        compacts = self.compactor.active_compacts(making.active)
        session_id, left_out = self._left_out
        if session_id != making.active.id:
            left_out = 0
        start = max(compacts[-1].to_number if compacts else 0, left_out)
        return RequestParts(
            self._standing(making.wording),
            [compact for compact in compacts if compact.to_number > left_out],
            making.active.messages[start:],
            self._variables(making.wording),
            making.changing,
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
        return stable_instructions(lead, persona, wording.assistant, wanted)

    def _variables(self, wording: Wording) -> str:
        variables = self.around.settings().variables
        if not variables:
            return ""
        lines = (f"- {name}: {value}" for name, value in variables.items())
        return "\n".join([wording.texts.say("request.variables"), *lines])

    def _measured(self, parts: RequestParts, model: Model) -> tuple[int, int]:
        """What the request takes, and what it may; a limit of 0 where nobody has to be asked."""
        if parts.characters < _ALWAYS_FITS:
            return -(-parts.characters // _CHARACTERS_A_TOKEN), 0
        settings = self.around.settings()
        limit = int(model.context_tokens() * settings.overflow_share)
        tokens = model.count_tokens(parts.request())
        return tokens, limit // 2 if settings.is_lite else limit

    def _choose_reduction(
        self, parts: RequestParts, making: "_Making", tokens: int, limit: int
    ) -> ReductionChoice:
        if not limit or tokens < limit:
            return Fits()
        found = OversizedRequest(
            tokens,
            limit,
            parts.messages,
            parts.compacts,
            parts.compact_tokens,
            making.can_summarise,
            has_recalled=bool(parts.changing.recalled),
            has_memory=bool(parts.changing.memory),
            compact_length=self.compactor.length(making.model),
            kept=self.compactor.kept(),
        )
        return choose_reduction(found, self._strategy(making.active))

    def _strategy(self, active: ActiveSession) -> Overflow:
        """No summary of a temporary session is kept, and nothing ends it but the user."""
        return Overflow.KEEP_LAST if active.is_temporary else self.around.settings().overflow

    def _summarise(self, what: Summarise, making: "_Making", parts: RequestParts) -> None:
        turn = making.turn
        turn.set_status(Status.SUMMARISING)
        older = [one for one in parts.messages if one.number <= what.to_number]
        try:
            reached = self.compactor.compact_now(older, making.model, turn)
        finally:
            turn.hold(None)
        if turn.cancelled.is_set():
            return
        if reached:
            turn.emit(ContextReduced(turn.id, left_out=0, compacted=reached))
        else:
            making.can_summarise = False

    def _not_sent(self, active: ActiveSession, parts: RequestParts) -> list[Part]:
        """Of messages and compacts: how many did not go as they are, and why."""
        sent = len(parts.messages)
        before = len(active.messages) - sent
        if not before:
            return []
        dropped = parts.compacts[0].from_number - 1 if parts.compacts else before
        is_chosen = self._strategy(active) is Overflow.KEEP_LAST
        why = Omission.CHOSEN if is_chosen else Omission.NO_ROOM
        found = [Part(PartKind.MESSAGES, 0, 0, before, Omission.SUMMARISED)]
        if not parts.compacts:
            found = [Part(PartKind.MESSAGES, 0, 0, before, why)]
        elif dropped:
            standing = len(self.compactor.active_compacts(active)) - len(parts.compacts)
            found.append(Part(PartKind.COMPACTS, 0, 0, standing, why))
        return found


@dataclass(slots=True)
class _Making:
    """One request on its way."""

    turn: Turn
    active: ActiveSession
    model: Model
    wording: Wording
    changing: ChangingBlock
    can_summarise: bool = True

    def leave(self, kind: PartKind) -> None:
        self.changing = self.changing.without(kind, Omission.NO_ROOM)
