"""Parses the facts in a model's reply, and lists the known facts that it can name."""

from collections.abc import Mapping, Sequence

from desktop.domain.errors import ReplyInvalidError
from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    LONGEST_FACT,
    LONGEST_FACT_TOPIC,
    MOST_IMPORTANCE,
    Fact,
    ProposedFact,
)
from desktop.domain.json_values import (
    NUMBER_SCHEMA,
    TEXT_SCHEMA,
    JsonValue,
    list_schema,
    object_schema,
)
from desktop.language.keywords_and_stems import sure_language

_FACTS_SCHEMA = list_schema(
    object_schema(
        topic=TEXT_SCHEMA,
        fact=TEXT_SCHEMA,
        importance=NUMBER_SCHEMA,
        quote=TEXT_SCHEMA,
        about=TEXT_SCHEMA,
        replaces=NUMBER_SCHEMA,
    )
)
"""`replaces` is the number of a known fact as `known_lines` counts them, 0 for none."""

MOST_FACTS = 30


def known_lines(facts: Sequence[Fact]) -> str:
    """Return current facts, numbered from 1, so that the model can name an outdated one."""
    return "\n".join(f"{number}. {fact.content}" for number, fact in enumerate(facts, start=1))


def reply_schema(properties: Mapping[str, JsonValue], *, learns: bool) -> Mapping[str, JsonValue]:
    """Return the schema of an object with these properties, and with facts if `learns`."""
    return object_schema(**properties, **({"facts": _FACTS_SCHEMA} if learns else {}))


def proposed_facts(reply: JsonValue, facts: Sequence[Fact]) -> list[ProposedFact]:
    """Return the facts of a reply. Raises ReplyInvalidError, which never quotes the reply."""
    value = reply.get("facts") if isinstance(reply, Mapping) else None
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ReplyInvalidError(detail="facts is not a list")
    return [_proposed(entry, facts) for entry in value[:MOST_FACTS]]


def wrong_language(facts: Sequence[ProposedFact]) -> str:
    """Return a correction for the model if facts are not in the user's language, else ""."""
    if not any(is_in_other_language(fact.content, fact.quote) for fact in facts):
        return ""
    return "facts are not in the language of the words they rest on"


def is_in_other_language(content: str, quote: str) -> bool:
    """Whether a fact and the words that support it are certainly in different languages."""
    languages = {sure_language(content), sure_language(quote)}
    return None not in languages and len(languages) > 1


def _proposed(value: JsonValue, facts: Sequence[Fact]) -> ProposedFact:
    if not isinstance(value, Mapping):
        raise ReplyInvalidError(detail="a fact is not an object")
    content, quote = _text(value, "fact"), _text(value, "quote")
    if len(content) > LONGEST_FACT:
        raise ReplyInvalidError(detail=f"a fact is longer than {LONGEST_FACT} characters")
    replaces = value.get("replaces", 0)
    place = replaces if isinstance(replaces, int) else 0
    about = value.get("about", "")
    return ProposedFact(
        topic=_text(value, "topic")[:LONGEST_FACT_TOPIC],
        content=content,
        importance=_importance(value.get("importance")),
        quote=quote,
        about=" ".join(about.split())[:LONGEST_FACT_TOPIC] if isinstance(about, str) else "",
        replaces=facts[place - 1].id if 1 <= place <= len(facts) else None,
    )


def _text(value: Mapping[str, JsonValue], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str) or not text.strip():
        raise ReplyInvalidError(detail=f"a fact has no {name}")
    return " ".join(text.split())


def _importance(value: JsonValue) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ReplyInvalidError(detail="the importance of a fact is not a whole number")
    if not LEAST_IMPORTANCE <= value <= MOST_IMPORTANCE:
        raise ReplyInvalidError(detail="the importance of a fact is not between 1 and 10")
    return value
