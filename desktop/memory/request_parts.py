"""Assembles a request: the only place where this is done.

The prefix of a request is byte-identical from turn to turn, so that it can be cached:
instructions, the user's own values, compacts, older messages. Whatever changes is in the changing
block at the end.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop.domain.annotations import SessionContext
from desktop.domain.ids import MessageId
from desktop.domain.messages import Compact, Message, MessageState, Role
from desktop.domain.model import ModelRequest, Picture, RequestMessage, ToolSpec
from desktop.domain.usage import (
    USUAL_CHARACTERS_A_TOKEN,
    ContextReport,
    Omission,
    Part,
    PartKind,
    scaled,
)
from desktop.settings.settings import Overflow

_MOST_CONTEXTS = 6


@dataclass(frozen=True, slots=True)
class ChangingBlock:
    """The changing block at the end of one request."""

    moment: str = ""
    memory: str = ""
    facts: int = 0  # Number of facts in the active memory
    recalled: str = ""
    passages: int = 0
    left_out: Mapping[PartKind, Omission] = field(default_factory=dict)
    """The parts that are not sent, and why."""
    notes: str = ""
    more_facts: int = 0  # Number of facts for which there was no room
    contexts: Sequence[SessionContext] = ()  # Those that the question may refer to
    contexts_lead: str = ""  # The sentence before them
    preference_line: str = ""
    preferences: int = 0  # Number of preferences in the line

    def without(self, kind: PartKind, why: Omission) -> "ChangingBlock":
        """Return the block without the active memory or the recalled passages."""
        left_out = {**self.left_out, kind: why}
        if kind is PartKind.MEMORY:
            return replace(self, memory="", left_out=left_out)
        return replace(self, recalled="", left_out=left_out)

    def with_contexts_before(self, number: int) -> "ChangingBlock":
        contexts = [context for context in self.contexts if context.message_number < number]
        return replace(self, contexts=contexts[:_MOST_CONTEXTS])

    @property
    def contexts_text(self) -> str:
        lines = [f"- {context.name}: {context.value}" for context in self.contexts]
        return "\n".join([self.contexts_lead, *lines]) if lines else ""

    @property
    def text(self) -> str:
        parts = (
            self.moment,
            self.notes,
            self.contexts_text,
            self.preference_line,
            self.memory,
            self.recalled,
        )
        return "\n\n".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class RequestParts:
    """The parts of a request that are sent."""

    instructions: str
    compacts: Sequence[Compact]
    messages: Sequence[Message]
    variables: str = ""
    changing: ChangingBlock = ChangingBlock()
    tools: Sequence[ToolSpec] = ()
    pictures: Mapping[MessageId, Sequence[Picture]] = field(default_factory=dict)
    notes: Mapping[MessageId, str] = field(default_factory=dict)

    def request(self) -> ModelRequest:
        """Return the request: compacts, then every message after the last of them.

        Answers without text are left out: an endpoint refuses empty text.
        """
        compacts = [RequestMessage(Role.USER, compact.summary) for compact in self.compacts]
        return ModelRequest(
            "\n\n".join(filter(None, (self.instructions, self.variables))),
            (*compacts, *map(self._sent, self._messages)),
            self.changing.text or None,
            tools=self.tools,
        )

    def _sent(self, message: Message) -> RequestMessage:
        text = self._text(message)
        return RequestMessage(message.role, text, pictures=self.pictures.get(message.id, ()))

    def _text(self, message: Message) -> str:
        note = self.notes.get(message.id)
        return f"{message.content}\n\n{note}" if note else message.content

    def _said_part(self, kind: PartKind, messages: Sequence[Message]) -> Part:
        part = _part(kind, list(map(self._text, messages)))
        seen = (picture for message in messages for picture in self.pictures.get(message.id, ()))
        more = USUAL_CHARACTERS_A_TOKEN * sum(picture.tokens for picture in seen)
        return replace(part, tokens=part.tokens + more)

    @property
    def characters(self) -> int:
        return sum(part.tokens for part in self._parts())

    @property
    def most_tokens(self) -> int:
        """Return how many tokens its text can be at most: a token is at least a byte."""
        request = self.request()
        message_texts = (message.text for message in request.messages)
        texts = (request.instructions, request.changing or "", *message_texts)
        return self.characters + sum(len(text.encode()) - len(text) for text in texts)

    @property
    def compact_tokens(self) -> int:
        return _length(compact.summary for compact in self.compacts) // USUAL_CHARACTERS_A_TOKEN

    def report(
        self, tokens: int, limit_tokens: int, *, not_sent: Sequence[Part] = ()
    ) -> ContextReport:
        """Return each part's share of the tokens.

        `not_sent`: how many messages and compacts were left out, and why.
        """
        left = {part.kind: part for part in not_sent}
        parts = [
            replace(part, left_out=left[part.kind].left_out, reason=left[part.kind].reason)
            if part.kind in left
            else part
            for part in self._parts()
        ]
        return ContextReport(scaled(parts, tokens), tokens, limit_tokens)

    @property
    def _messages(self) -> list[Message]:
        return [
            message
            for message in self.messages
            if message.state is not MessageState.STREAMING and message.content.strip()
        ]

    def _parts(self) -> list[Part]:
        """Return the parts, measured in characters instead of tokens."""
        messages, changing = self._messages, self.changing
        return [
            _part(PartKind.TOOLS, [f"{tool.description}{tool.parameters}" for tool in self.tools]),
            _part(
                PartKind.INSTRUCTIONS,
                [self.instructions, changing.moment, changing.notes],
                items=1,
            ),
            _part(PartKind.VARIABLES, self.variables.split("\n")[1:]),
            _part(PartKind.COMPACTS, [compact.summary for compact in self.compacts]),
            self._said_part(PartKind.MESSAGES, messages[:-1]),
            self._said_part(PartKind.QUESTION, messages[-1:]),
            _memory_part(changing),
            _changing_part(PartKind.RECALLED, changing.recalled, changing.passages, changing),
            Part(PartKind.CONTEXTS, len(changing.contexts_text), len(changing.contexts)),
            Part(PartKind.PREFERENCES, len(changing.preference_line), changing.preferences),
        ]


def _part(kind: PartKind, texts: Sequence[str], *, items: int | None = None) -> Part:
    return Part(kind, _length(texts), len(texts) if items is None else items)


def _memory_part(changing: ChangingBlock) -> Part:
    part = _changing_part(PartKind.MEMORY, changing.memory, changing.facts, changing)
    if part.reason is not None or not changing.more_facts:
        return part
    return replace(part, left_out=changing.more_facts, reason=Omission.ENOUGH)


def _changing_part(kind: PartKind, text: str, items: int, changing: ChangingBlock) -> Part:
    if (why := changing.left_out.get(kind)) is not None:
        return Part(kind, 0, 0, left_out=items, reason=why)
    return Part(kind, len(text), items)


def _length(texts: Iterable[str]) -> int:
    return sum(map(len, texts))


KEPT_EXCHANGES = 20
DROPPED_AT_ONCE = 10
"""Exchanges that are dropped together: in between, the prefix of the request stays the same."""
_MOST_FOR_COMPACTS = 0.5
"""Share of the limit that compacts may take before the oldest of them are left out."""


@dataclass(frozen=True, slots=True)
class Fits:
    """Everything can be sent, or nothing more can be left out."""


@dataclass(frozen=True, slots=True)
class Summarise:
    """A compact replaces the messages with these numbers, both included."""

    from_number: int
    to_number: int


@dataclass(frozen=True, slots=True)
class DropMessages:
    """Messages up to this number, and their compacts, are not sent; they stay on the disk."""

    to_number: int


@dataclass(frozen=True, slots=True)
class DropPart:
    """The recalled passages, or the active memory, are not sent."""

    kind: PartKind


@dataclass(frozen=True, slots=True)
class End:
    """The session ends, and the newest message begins the next one."""


Reduction = Fits | Summarise | DropMessages | DropPart | End


@dataclass(frozen=True, slots=True)
class OversizedRequest:
    """A request as it would be sent, and what can be done about it."""

    parts: RequestParts
    tokens: int
    limit_tokens: int
    most_summaries: int  # How many more the turn may make; 0 if that was tried and failed
    compact_length: int = 50
    recent_count: int = 20  # How many of the newest messages are sent in full if possible

    @property
    def excess(self) -> int:
        """Estimate how many of the messages are too many."""
        return int(len(self.parts.messages) * (1 - self.limit_tokens / self.tokens))

    @property
    def can_summarise(self) -> bool:
        """Whether summaries are enough; if not, none is worth its price."""
        return (
            bool(self.most_summaries) and self.excess <= self.most_summaries * self.compact_length
        )


def choose_reduction(request: OversizedRequest, strategy: Overflow) -> Reduction:
    """Return the next reduction; the reduced request has to be measured again."""
    if request.tokens < request.limit_tokens:
        return Fits()
    if len(request.parts.messages) > 1:
        match strategy:
            case Overflow.SUMMARISE:
                return _with_summaries(request)
            case Overflow.KEEP_LAST:
                return _keep_last(request)
            case Overflow.END:
                return End()
    return _around_the_question(request)


def _with_summaries(request: OversizedRequest) -> Reduction:
    is_mostly_compacts = request.parts.compact_tokens >= request.limit_tokens * _MOST_FOR_COMPACTS
    if request.parts.compacts and (is_mostly_compacts or not request.can_summarise):
        return _leave_out_compacts(request.parts.compacts)
    older = _older(request)
    if not older:
        return _around_the_question(request)
    if not request.can_summarise:
        return DropMessages(older[-1].number)
    return Summarise(older[0].number, older[-1].number)


def _leave_out_compacts(compacts: Sequence[Compact]) -> DropMessages:
    """The older half at once: the prefix of the request then stays the same for a while."""
    return DropMessages(compacts[(len(compacts) - 1) // 2].to_number)


def _older(request: OversizedRequest) -> Sequence[Message]:
    """Return as many as one compact replaces, or the older half if too few would remain.

    Without a compact, all that are too many, as each step measures the whole request again.

    The cut is before a question, so that an answer never loses its question.
    """
    sent = request.parts.messages
    is_enough = len(sent) >= request.compact_length + request.recent_count
    count = request.compact_length if is_enough else len(sent) // 2
    if not request.can_summarise:
        count = max(count, request.excess)
    for place in range(max(1, count), len(sent)):
        if sent[place].role is Role.USER:
            return sent[:place]
    return ()


def _keep_last(request: OversizedRequest) -> Reduction:
    if request.parts.compacts:
        return _leave_out_compacts(request.parts.compacts)
    questions = [message.number for message in request.parts.messages if message.role is Role.USER]
    spare = len(questions) - KEPT_EXCHANGES
    # If twenty exchanges are too much for the model, half of the messages must be enough.
    dropped = max(1, spare // DROPPED_AT_ONCE) * DROPPED_AT_ONCE if spare > 0 else 0
    dropped = min(dropped or len(questions) // 2, len(questions) - 1)
    return DropMessages(questions[dropped] - 1) if dropped > 0 else _around_the_question(request)


def _around_the_question(request: OversizedRequest) -> Reduction:
    if request.parts.compacts:
        return _leave_out_compacts(request.parts.compacts)
    if request.parts.changing.recalled:
        return DropPart(PartKind.RECALLED)
    return DropPart(PartKind.MEMORY) if request.parts.changing.memory else Fits()
