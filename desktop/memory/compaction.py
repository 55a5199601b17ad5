"""Summarising the older part of a session, so that the rest of it can go on.

One structured request writes what stands for the messages and, in the same reply, the facts that
outlive the session. Numbers, names, dates and file names that are missing from it are asked for
once, and so are facts in another language than the user's; what comes of it is decided by whoever
called.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop.domain.errors import LlmError, ReplyInvalidError
from desktop.domain.facts import Fact, ProposedFact
from desktop.domain.messages import Message, Role
from desktop.domain.model import Hold, JsonValue, Model, ModelRequest, RequestMessage
from desktop.domain.sessions import Compact
from desktop.domain.usage import Usage
from desktop.memory.fact_parsing import FACTS_SCHEMA, known_lines, proposed_facts, wrong_language
from desktop.memory.summary_check import Missing, find_missing
from desktop.memory.summary_format import (
    SECTIONS_SCHEMA,
    Sections,
    Transcript,
    sections_in,
    transcript_of,
)
from desktop.settings.messages import Texts

SMALL_CONTEXT, MIDDLING_CONTEXT = 16_384, 65_536
_SMALL, _MIDDLING, _LARGE = 30, 40, 50
_MOST_TOKENS = 8192
_SHARE_OF_CONTEXT = 0.5
_CHARACTERS_A_TOKEN = 3
_MOST_NAMED = 80
"""Missing pieces that are named to the model."""


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What is asked of the summarising model, besides the messages."""

    instructions: str
    texts: Texts
    common: Container[str] = ()
    """Folded words that are no names."""
    known: Sequence[Fact] | None = None
    """Facts that hold; None: none are looked for."""


@dataclass(frozen=True, slots=True)
class WrittenSummary:
    """What came of it."""

    compact: Compact
    facts: Sequence[ProposedFact]
    missing: Missing
    """Of the messages, and not in the compact."""


def suggested_length(context_tokens: int) -> int:
    """How many messages one compact should stand for."""
    if context_tokens <= SMALL_CONTEXT:
        return _SMALL
    return _MIDDLING if context_tokens <= MIDDLING_CONTEXT else _LARGE


def find_due(messages: Sequence[Message], *, length: int, kept: int) -> Sequence[Message]:
    """Of the messages after the last compact those for the next one; none before it is time.

    What is left begins with a question, so that an answer never loses what it answers.
    """
    if len(messages) < length + kept:
        return ()
    end = length
    while end > 1 and messages[end].role is not Role.USER:
        end -= 1
    return messages[:end]


def fit_to_context(messages: Sequence[Message], model: Model) -> Sequence[Message]:
    """As many of them, from the first on, as the model can be given at once; an exchange at least.

    Asks the endpoint how much it takes.
    """
    room = _room(model)
    end = _first_exchange(messages)
    while end < len(messages):
        further = end + _first_exchange(messages[end:])
        if len(transcript_of(messages[:further], room).text) > room:
            break
        end = further
    return messages[:end]


def fits_whole(messages: Sequence[Message], model: Model) -> bool:
    """Whether none of them is too long to be given to the model as it is."""
    return not transcript_of(messages, _room(model)).shortened


def write_compact(
    model: Model,
    asked: SummaryRequest,
    messages: Sequence[Message],
    count: Callable[[Usage], None],
    hold: Hold | None = None,
) -> WrittenSummary:
    """One request, and one more where the reply does not validate or lacks something.

    Raises LlmError, also where neither reply can be read. `count` is given what each took, `hold`
    what arrives, for whoever wants to hang up.
    """
    once = _Writer(model, asked, transcript_of(messages, _room(model)), count, hold)
    return _checked(once, asked.texts)


def _checked(once: "_Writer", texts: Texts) -> WrittenSummary:
    """The first reply, or the one after it where that is better."""
    written: WrittenSummary | None = None
    try:
        written = once.write()
        note = _wanted_of(written, texts)
        if not note:
            return written
    except ReplyInvalidError as exc:
        note = f"[{exc.values.get('detail', 'not in the form that was asked for')}]"
    try:
        again = once.write(note)
    except ReplyInvalidError:
        if written is None:
            raise
        return written
    except LlmError:
        if written is None or written.missing:
            raise
        return written
    if written is None or written.missing:
        return again
    # It was asked for once more for its facts alone.
    return replace(again, compact=written.compact, missing=written.missing)


def _wanted_of(written: WrittenSummary, texts: Texts) -> str:
    """What the model is told of a reply that is asked for once more; empty: nothing is wrong."""
    words = ", ".join(written.missing.all[:_MOST_NAMED])
    lacks = texts.say("compact.missing", words=words) if words else ""
    wrong = wrong_language(written.facts)
    return "\n\n".join(filter(None, (lacks, f"[{wrong}]" if wrong else "")))


def append_originals(
    written: WrittenSummary, messages: Sequence[Message], texts: Texts
) -> Compact:
    """The compact with the very lines in which what it lacks was said.

    For when the messages themselves cannot go: nothing that was found missing is lost.
    """
    lines: dict[str, None] = {}
    for piece in written.missing.all:
        message = next((one for one in messages if piece in one.content), None)
        if message is not None:
            lines[f"- [{message.number}] {message.role}: {_around(piece, message)}"] = None
    if not lines:
        return written.compact
    parts = [written.compact.summary, texts.say("compact.verbatim")]
    return replace(written.compact, summary="\n".join(["\n\n".join(parts), *lines]))


@dataclass(frozen=True, slots=True)
class _Writer:
    model: Model
    asked: SummaryRequest
    said: Transcript
    count: Callable[[Usage], None]
    hold: Hold | None

    def write(self, note: str = "") -> WrittenSummary:
        asked = self.asked
        known = known_lines(asked.known) if asked.known else ""
        listed = asked.texts.say("request.known", facts=known) if known else ""
        request = ModelRequest(
            asked.instructions,
            (RequestMessage(Role.USER, self.said.text),),
            changing="\n\n".join(filter(None, (listed, note))) or None,
            max_output_tokens=_MOST_TOKENS,
        )
        schema = _schema(learns=asked.known is not None)
        reply, usage = self.model.ask_json(request, schema, self.hold)
        self.count(usage)
        sections = sections_in(reply)
        facts = _facts(reply, asked.known) if asked.known is not None else ()
        missing = find_missing(self.said.given, sections.text, asked.common)
        return WrittenSummary(_compact(self.said, sections, asked.texts), facts, missing)


def _facts(reply: JsonValue, known: Sequence[Fact]) -> Sequence[ProposedFact]:
    found = reply.get("facts") if isinstance(reply, Mapping) else None
    return proposed_facts(found, known)


def _compact(said: Transcript, sections: Sections, texts: Texts) -> Compact:
    first, last = said.messages[0], said.messages[-1]
    heading = texts.say("request.compact", first=first.number, last=last.number)
    if said.shortened:
        numbers = ", ".join(str(number) for number in said.shortened)
        heading = f"{heading} {texts.say('compact.partly', numbers=numbers)}"
    return Compact(
        session_id=first.session_id,
        from_number=first.number,
        to_number=last.number,
        last_message_id=last.id,
        summary=sections.written(heading, texts),
    )


def _schema(*, learns: bool) -> Mapping[str, JsonValue]:
    properties = {**SECTIONS_SCHEMA, "facts": FACTS_SCHEMA} if learns else SECTIONS_SCHEMA
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _room(model: Model) -> int:
    return int(model.context_tokens() * _SHARE_OF_CONTEXT) * _CHARACTERS_A_TOKEN


def _first_exchange(messages: Sequence[Message]) -> int:
    """How many messages there are before the next question."""
    for place, message in enumerate(messages[1:], start=1):
        if message.role is Role.USER:
            return place
    return len(messages)


def _around(piece: str, message: Message) -> str:
    """The line that it stands in, or the sentence where the line is long."""
    place = message.content.index(piece)
    start = message.content.rfind("\n", 0, place) + 1
    end = message.content.find("\n", place)
    line = message.content[start : end if end >= 0 else len(message.content)]
    at = place - start
    first = max(line.rfind(mark, 0, at) for mark in (". ", "! ", "? ")) + 2
    ends = [line.find(mark, at + len(piece)) for mark in (". ", "! ", "? ")]
    last = min((one for one in ends if one >= 0), default=len(line) - 1)
    return line[first if first > 1 else 0 : last + 1].strip()
