"""The text that a model summarises, and the summary in its reply: sections of lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from desktop.domain.errors import ReplyInvalidError
from desktop.domain.messages import Message
from desktop.domain.model import JsonValue
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
    found = reply.get(section.value)
    if isinstance(found, str) or not isinstance(found, Sequence):
        raise ReplyInvalidError(detail=f"{section.value} is not a list")
    if not all(isinstance(line, str) for line in found):
        raise ReplyInvalidError(detail=f"{section.value} is not a list of texts")
    lines = (" ".join(line.split()).removeprefix("- ") for line in found if isinstance(line, str))
    return tuple(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class Transcript:
    """Messages with roles, by number."""

    messages: Sequence[Message]
    given: Sequence[str]

    @property
    def text(self) -> str:
        return "\n\n".join(
            f"[{message.number}] {message.role}: {given}"
            for message, given in zip(self.messages, self.given, strict=True)
        )

    @property
    def shortened(self) -> Sequence[int]:
        """Return the numbers of the messages that the model does not get in full."""
        return [
            message.number
            for message, given in zip(self.messages, self.given, strict=True)
            if len(given) < len(message.content)
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
