"""The one request that reads an ended session: its title, summary, topics and, if wanted, facts.

Each part of a reply is taken for itself: a description that can be read is kept although the facts
cannot, and the reply is asked for once more for what is missing.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from desktop.domain.errors import LlmError, ReplyInvalidError
from desktop.domain.facts import Fact, ProposedFact
from desktop.domain.messages import Message, Role
from desktop.domain.model import JsonValue, Model, ModelRequest, RequestMessage
from desktop.domain.sessions import DescribedBy, Description
from desktop.domain.usage import Usage
from desktop.memory.fact_parsing import known_lines, proposed_facts, reply_schema, wrong_language
from desktop.sessions.assistant_context import Wording

_DESCRIPTION: Mapping[str, JsonValue] = {
    "title": {"type": "string"},
    "summary": {"type": "string"},
    "topics": {"type": "array", "items": {"type": "string"}},
}
_LONGEST_TITLE = 80
_LONGEST_TOPIC = 60
_FEWEST_TOPICS, _MOST_TOPICS = 3, 7
_SHARE_OF_CONTEXT = 0.5
_CHARACTERS_A_TOKEN = 3
_LONGEST_TRANSCRIPT = 120_000
_TOKENS = 1024
_TOKENS_WITH_FACTS = 3072
_TRIES = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """What could be read of a session; None where the reply could not be."""

    description: Description | None
    facts: Sequence[ProposedFact] | None
    usage: Sequence[Usage]
    """Of each request."""
    invalid: str = ""
    """What was wrong with the last reply, in words of ours alone."""


def read_session(
    model: Model,
    wording: Wording,
    messages: Sequence[Message],
    *,
    known: Sequence[Fact] | None = None,
) -> Reading:
    """One request, and one more where the reply does not validate. Raises LlmError.

    `known`: facts that hold; where it is None, no facts are asked for.
    """
    learns = known is not None
    schema = reply_schema(_DESCRIPTION, learns=learns)
    said = RequestMessage(Role.USER, transcript(messages, characters_for(model)))
    instructions = f"{wording.describe}\n\n{wording.learn}" if learns else wording.describe
    listed = wording.texts.say("request.known", facts=known_lines(known)) if known else ""
    description: Description | None = None
    facts: Sequence[ProposedFact] | None = None
    usage: list[Usage] = []
    wrong: list[str] = []
    for number in range(1, _TRIES + 1):
        request = ModelRequest(
            instructions,
            (said,),
            changing="\n\n".join(filter(None, (listed, _quoted(wrong)))) or None,
            max_output_tokens=_TOKENS_WITH_FACTS if learns else _TOKENS,
        )
        wrong = []
        try:
            reply, used = model.ask_json(request, schema)
        except ReplyInvalidError as exc:
            wrong = [_reason(exc)]
            continue
        except LlmError as exc:
            if description is None:
                raise
            wrong = [exc.key]  # What there is of the first reply is kept.
            break
        usage.append(used)
        with _noting(wrong):
            description = description or validated(reply)
        with _noting(wrong):
            if facts is None:
                facts = _facts(reply, known, is_last=number == _TRIES)
        if not wrong:
            break
    return Reading(description, facts, usage, "; ".join(wrong))


@contextmanager
def _noting(wrong: list[str]) -> Iterator[None]:
    """Add what is wrong with a part of a reply, instead of raising it."""
    try:
        yield
    except ReplyInvalidError as exc:
        wrong.append(_reason(exc))


def _quoted(wrong: Sequence[str]) -> str:
    return f"[{'; '.join(wrong)}]" if wrong else ""


def _facts(
    reply: JsonValue, known: Sequence[Fact] | None, *, is_last: bool
) -> Sequence[ProposedFact] | None:
    """Raises ReplyInvalidError; what came in another language twice is judged as it is."""
    if known is None:
        return None
    facts = proposed_facts(reply, known)
    if not is_last and (wrong := wrong_language(facts)):
        raise ReplyInvalidError(detail=wrong)
    return facts


def _reason(error: ReplyInvalidError) -> str:
    return str(error.values.get("detail", "it does not have the form that was asked for"))


def validated(reply: JsonValue) -> Description:
    """Raises ReplyInvalidError; `detail` says what is wrong, in words of ours alone."""
    if not isinstance(reply, Mapping):
        raise ReplyInvalidError(detail="not a JSON object")
    title, summary, topics = (reply.get(name) for name in ("title", "summary", "topics"))
    if not isinstance(title, str) or not title.strip():
        raise ReplyInvalidError(detail="title is missing")
    if len(title) > _LONGEST_TITLE:
        raise ReplyInvalidError(detail=f"title is longer than {_LONGEST_TITLE} characters")
    if not isinstance(summary, str) or not summary.strip():
        raise ReplyInvalidError(detail="summary is missing")
    if isinstance(topics, str) or not isinstance(topics, Sequence):
        raise ReplyInvalidError(detail="topics is not a list")
    names = [" ".join(topic.split()) for topic in topics if isinstance(topic, str)]
    kept = tuple(dict.fromkeys(filter(None, names)))
    if len(kept) < _FEWEST_TOPICS or any(len(name) > _LONGEST_TOPIC for name in kept):
        raise ReplyInvalidError(detail=f"topics are not {_FEWEST_TOPICS} to {_MOST_TOPICS} names")
    title = " ".join(title.split())
    return Description(title, summary.strip(), kept[:_MOST_TOPICS], DescribedBy.MODEL)


def transcript(messages: Sequence[Message], most_characters: int) -> str:
    """The session as one text; where it is too long its beginning and, twice as long, its end."""
    whole = "\n\n".join(f"{message.role.value}: {message.content}" for message in messages)
    if len(whole) <= most_characters:
        return whole
    head = most_characters // 3
    return f"{whole[:head]}\n\n[…]\n\n{whole[head - most_characters :]}"


def characters_for(model: Model) -> int:
    """How much of a session a model is given to read."""
    tokens = int(model.context_tokens() * _SHARE_OF_CONTEXT)
    return min(tokens * _CHARACTERS_A_TOKEN, _LONGEST_TRANSCRIPT)
