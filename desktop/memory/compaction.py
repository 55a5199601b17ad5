"""Summarises the older part of a session (a compact), and learns from it in the same request.

The summary is checked for numbers, names, dates and file names of the messages. If some are
missing, or the facts are in another language than the user's, the request is repeated once. The
caller decides what to do with a summary that still lacks something.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from desktop.domain.errors import LlmError, ReplyInvalidError
from desktop.domain.facts import Fact, ProposedFact
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Compact, Message, Role
from desktop.domain.model import Hold, Model, ModelRequest, RequestMessage
from desktop.domain.sessions import Session
from desktop.domain.usage import SAFE_CHARACTERS_A_TOKEN, Usage
from desktop.language.sentences import plain_text, sentences, without_code
from desktop.memory.fact_learning import known_lines, proposed_facts, reply_schema, wrong_language
from desktop.memory.summary_check import Missing, find_missing
from desktop.settings.messages import Texts


class Section(StrEnum):
    """The sections of every compact, in this order."""

    TOPICS = "topics"
    TIMELINE = "timeline"
    ESTABLISHED = "established"
    OPEN = "open"
    TECHNICAL = "technical"


_LINES: Mapping[str, JsonValue] = {"type": "array", "items": {"type": "string"}}
SECTIONS_SCHEMA: Mapping[str, JsonValue] = {section.value: _LINES for section in Section}
_NOTHING = "–"
_LEFT_OFF = "[…]"


@dataclass(frozen=True, slots=True)
class Sections:
    """A summary as the model wrote it, line by line."""

    lines: Mapping[Section, Sequence[str]]

    def written(self, heading: str, texts: Texts) -> str:
        parts = [heading]
        for section in Section:
            title = texts.say(f"compact.{section.value}")
            lines = [f"- {line}" for line in self.lines[section]] or [_NOTHING]
            parts.append("\n".join([f"{title}:", *lines]))
        return "\n\n".join(parts)

    @property
    def text(self) -> str:
        return "\n".join(line for lines in self.lines.values() for line in lines)


def sections_in(reply: JsonValue) -> Sections:
    """Return the sections. Raises ReplyInvalidError; `detail` quotes nothing of the reply."""
    if not isinstance(reply, Mapping):
        raise ReplyInvalidError(detail="not a JSON object")
    lines = {section: _lines(reply, section) for section in Section}
    if not lines[Section.TIMELINE]:
        raise ReplyInvalidError(detail="timeline is empty")
    return Sections(lines)


def _lines(reply: Mapping[str, JsonValue], section: Section) -> tuple[str, ...]:
    value = reply.get(section.value)
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ReplyInvalidError(detail=f"{section.value} is not a list")
    if not all(isinstance(line, str) for line in value):
        raise ReplyInvalidError(detail=f"{section.value} is not a list of texts")
    lines = (" ".join(line.split()).removeprefix("- ") for line in value if isinstance(line, str))
    return tuple(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class Transcript:
    """Messages with roles, by number."""

    messages: Sequence[Message]
    excerpts: Sequence[str]

    @property
    def text(self) -> str:
        return "\n\n".join(
            f"[{message.number}] {message.role}: {excerpt}"
            for message, excerpt in zip(self.messages, self.excerpts, strict=True)
        )

    @property
    def shortened(self) -> Sequence[int]:
        """Return the numbers of the messages that the model does not get in full."""
        return [
            message.number
            for message, excerpt in zip(self.messages, self.excerpts, strict=True)
            if len(excerpt) < len(message.content)
        ]


def transcript_of(messages: Sequence[Message], room: int) -> Transcript:
    """Return the transcript. `room`: characters; a message that is too long loses its middle."""
    longest = room // 2
    return Transcript(messages, [_shortened(message.content, longest) for message in messages])


def _shortened(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    half = max(1, (longest - len(_LEFT_OFF)) // 2)
    return f"{text[:half]}{_LEFT_OFF}{text[-half:]}"


SMALL_CONTEXT, MIDDLING_CONTEXT = 16_384, 65_536
_SMALL, _MIDDLING, _LARGE = 30, 40, 50
_MOST_TOKENS = 8192
_SHARE_OF_CONTEXT = 0.5
_MOST_NAMED = 80


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What the summarising model receives besides the messages."""

    instructions: str
    texts: Texts
    common: Container[str] = ()  # Folded words that are not names
    facts: Sequence[Fact] | None = None  # Current facts; None if no facts are to be learned


@dataclass(frozen=True, slots=True)
class WrittenSummary:
    """A summary, with the facts learned in the same request."""

    compact: Compact
    facts: Sequence[ProposedFact]
    missing: Missing


def suggested_length(context_tokens: int) -> int:
    if context_tokens <= SMALL_CONTEXT:
        return _SMALL
    return _MIDDLING if context_tokens <= MIDDLING_CONTEXT else _LARGE


def find_due(messages: Sequence[Message], *, length: int, recent_count: int) -> Sequence[Message]:
    """Return the messages for the next compact; none if there are too few.

    The rest begins with a question, so that no answer loses its question.
    """
    if len(messages) < length + recent_count:
        return ()
    end = length
    while end > 1 and messages[end].role is not Role.USER:
        end -= 1
    return messages[:end]


def fit_to_context(messages: Sequence[Message], model: Model) -> Sequence[Message]:
    """Return as many of the first messages as fit into one request; at least one exchange.

    May request the endpoint's context length.
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
    return not transcript_of(messages, _room(model)).shortened


def write_compact(
    model: Model,
    summary_request: SummaryRequest,
    messages: Sequence[Message],
    count: Callable[[Usage], None],
    hold: Hold | None = None,
) -> WrittenSummary:
    """Send one request, and a second one if the reply is invalid or lacks something.

    Returns the better of the two replies. `count` records the usage of each request; `hold` can
    interrupt one. Raises LlmError, also if neither reply is valid.
    """
    write = partial(
        _write, model, summary_request, transcript_of(messages, _room(model)), count, hold
    )
    written: WrittenSummary | None = None
    try:
        written = write()
        note = _correction_note(written, summary_request.texts)
        if not note:
            return written
    except ReplyInvalidError as exc:
        note = f"[{exc.values.get('detail', 'not in the form that was asked for')}]"
    try:
        again = write(note)
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
    # The request was repeated for its facts only.
    return replace(again, compact=written.compact, missing=written.missing)


def _correction_note(written: WrittenSummary, texts: Texts) -> str:
    words = ", ".join(written.missing.all[:_MOST_NAMED])
    lacks = texts.say("compact.missing", words=words) if words else ""
    wrong = wrong_language(written.facts)
    return "\n\n".join(filter(None, (lacks, f"[{wrong}]" if wrong else "")))


def append_originals(
    written: WrittenSummary, messages: Sequence[Message], texts: Texts
) -> Compact:
    """Return the compact with the original lines of whatever it lacks.

    For requests that the messages themselves do not fit into: nothing that is missing is lost.
    """
    lines: dict[str, None] = {}
    for piece in written.missing.all:
        message = next((candidate for candidate in messages if piece in candidate.content), None)
        if message is not None:
            lines[f"- [{message.number}] {message.role}: {_around(piece, message)}"] = None
    if not lines:
        return written.compact
    parts = [written.compact.summary, texts.say("compact.verbatim")]
    return replace(written.compact, summary="\n".join(["\n\n".join(parts), *lines]))


def _write(
    model: Model,
    summary_request: SummaryRequest,
    transcript: Transcript,
    count: Callable[[Usage], None],
    hold: Hold | None,
    note: str = "",
) -> WrittenSummary:
    fact_lines = known_lines(summary_request.facts) if summary_request.facts else ""
    listed = summary_request.texts.say("request.known", facts=fact_lines) if fact_lines else ""
    request = ModelRequest(
        summary_request.instructions,
        (RequestMessage(Role.USER, transcript.text),),
        changing="\n\n".join(filter(None, (listed, note))) or None,
        max_output_tokens=_MOST_TOKENS,
    )
    schema = reply_schema(SECTIONS_SCHEMA, learns=summary_request.facts is not None)
    reply, usage = model.ask_json(request, schema, hold)
    count(usage)
    sections = sections_in(reply)
    facts = (
        proposed_facts(reply, summary_request.facts) if summary_request.facts is not None else ()
    )
    missing = find_missing(transcript.excerpts, sections.text, summary_request.common)
    return WrittenSummary(_compact(transcript, sections, summary_request.texts), facts, missing)


def _compact(transcript: Transcript, sections: Sections, texts: Texts) -> Compact:
    first, last = transcript.messages[0], transcript.messages[-1]
    heading = texts.say("request.compact", first=first.number, last=last.number)
    if transcript.shortened:
        numbers = ", ".join(str(number) for number in transcript.shortened)
        heading = f"{heading} {texts.say('compact.partly', numbers=numbers)}"
    return Compact(
        session_id=first.session_id,
        from_number=first.number,
        to_number=last.number,
        last_message_id=last.id,
        summary=sections.written(heading, texts),
    )


def _room(model: Model) -> int:
    return int(model.context_tokens() * _SHARE_OF_CONTEXT) * SAFE_CHARACTERS_A_TOKEN


def _first_exchange(messages: Sequence[Message]) -> int:
    later = enumerate(messages[1:], start=1)
    return next((place for place, message in later if message.role is Role.USER), len(messages))


def _around(piece: str, message: Message) -> str:
    place = message.content.index(piece)
    start = message.content.rfind("\n", 0, place) + 1
    end = message.content.find("\n", place)
    line = message.content[start : end if end >= 0 else len(message.content)]
    at = place - start
    first = max(line.rfind(mark, 0, at) for mark in (". ", "! ", "? ")) + 2
    ends = [line.find(mark, at + len(piece)) for mark in (". ", "! ", "? ")]
    last = min((position for position in ends if position >= 0), default=len(line) - 1)
    return line[first if first > 1 else 0 : last + 1].strip()


MOST_SHARE = 0.75  # Of the length of the messages that it replaces
_LONGEST_LINE = 140
_SENTENCE_LETTERS = range(25, 241)


def extract_compact(
    session: Session, messages: Sequence[Message], texts: Texts, common: Container[str] = ()
) -> Compact | None:
    """Return the compact of these messages. `common`: folded words that are never names."""
    first, last = messages[0], messages[-1]
    lines = {section: tuple[str, ...]() for section in Section}
    lines[Section.TOPICS] = tuple(session.topics)
    lines[Section.TIMELINE] = tuple(_timeline(messages))
    lines[Section.ESTABLISHED] = (session.summary,) if session.summary else ()
    sections = Sections(lines)
    heading = texts.say("request.compact", first=first.number, last=last.number)
    compact = Compact(
        session.id, first.number, last.number, last.id, sections.written(heading, texts)
    )
    contents = [message.content for message in messages]
    written = WrittenSummary(compact, (), find_missing(contents, sections.text, common))
    compact = append_originals(written, messages, texts)
    return compact if len(compact.summary) <= MOST_SHARE * sum(map(len, contents)) else None


def _timeline(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        text = plain_text(without_code(message.content))
        lines = [" ".join(sentence.text.split()) for sentence in sentences(text)]
        statements = [
            candidate for candidate in lines if len(candidate) in _SENTENCE_LETTERS
        ] or lines
        if statements:
            line = " ".join(lines) if message.role is Role.USER else statements[0]
            yield f"[{message.number}] {message.role}: {_cut(line)}"


def _cut(text: str) -> str:
    if len(text) <= _LONGEST_LINE:
        return text
    return f"{text[:_LONGEST_LINE].rsplit(' ', 1)[0]} …"
