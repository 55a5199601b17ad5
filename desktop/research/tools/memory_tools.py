"""Tools over what is remembered. Whose memory it is, the program knows; no model says."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    LONGEST_FACT,
    LONGEST_FACT_TOPIC,
    MOST_IMPORTANCE,
    Fact,
    Learned,
    ProposedFact,
    Refusal,
    Term,
)
from desktop.domain.times import parse_utc
from desktop.language.dates.date_formatting import long_date
from desktop.memory.fact_parsing import is_in_other_language
from desktop.memory.memory import Memory
from desktop.research.tools.memory_save_check import adds_to_the_user
from desktop.research.tools.tool import Calling, Parameter, Told, Tool
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import FieldInvalidError, Fields

_IMPORTANCE = range(LEAST_IMPORTANCE, MOST_IMPORTANCE + 1)
_USUAL_IMPORTANCE = 6
_LIMIT = range(1, 31)
_USUAL_LIMIT = 10
_DATE_LENGTH = len("2026-01-31")

SINCE, UNTIL = Parameter("since"), Parameter("until")


def memory_tools(memory: Memory) -> tuple[Tool, ...]:
    def save(given: Fields, calling: Calling) -> Told:
        proposed = ProposedFact(
            topic=given.text("topic")[:LONGEST_FACT_TOPIC],
            content=_content(given),
            importance=given.whole("importance", _IMPORTANCE) or _USUAL_IMPORTANCE,
            quote=given.text("quote"),
        )
        has_read = calling.first_number > 1 or calling.web_use.searches > 0
        if has_read and adds_to_the_user(proposed.content, calling.messages):
            why = calling.texts.say(f"tools.refused_{Refusal.UNSUPPORTED.value}")
            return Told(why, is_error=True)
        if is_in_other_language(proposed.content, proposed.quote):
            return Told(calling.texts.say("tools.refused_language"), is_error=True)
        learned = memory.learn(calling.session_id, calling.messages, [proposed])
        return _saved(learned, calling.texts)

    def recall(given: Fields, calling: Calling) -> Told:
        term = given.text_or_none("term")
        if term is not None and term not in set(Term):
            raise FieldInvalidError("term")
        found = memory.recall(
            given.text_or_empty("words"),
            topic=given.text_or_none("topic"),
            term=Term(term) if term else None,
            since=moment(given, "since"),
            until=moment(given, "until", is_end=True),
            limit=given.whole("limit", _LIMIT) or _USUAL_LIMIT,
        )
        return Told(_remembered(found, calling.texts))

    def age(_: Fields, calling: Calling) -> Told:
        return Told(calling.texts.count("tools.aged", len(memory.age())))

    return (
        Tool(
            "memory_save",
            (
                Parameter("content", is_required=True),
                Parameter("topic", is_required=True),
                Parameter("quote", is_required=True),
                Parameter("importance", "integer", within=_IMPORTANCE),
            ),
            save,
            _uses_memory,
            is_of_memory=True,
            is_guarded=True,
        ),
        Tool(
            "memory_recall",
            (
                Parameter("words"),
                Parameter("topic"),
                Parameter("term", choices=tuple(Term)),
                SINCE,
                UNTIL,
                Parameter("limit", "integer", within=_LIMIT),
            ),
            recall,
            lambda settings: _uses_memory(settings) and settings.uses_past_sessions,
            is_of_memory=True,
        ),
        Tool("memory_age", (), age, _uses_memory, is_of_memory=True, is_spared=True),
    )


def moment(given: Fields, name: str, *, is_end: bool = False) -> datetime | None:
    """A date or a moment; a date alone that ends something counts whole."""
    text = given.text_or_none(name)
    if text is None:
        return None
    try:
        at = parse_utc(text)
        return at + timedelta(days=1) if is_end and len(text.strip()) == _DATE_LENGTH else at
    except (ValueError, OverflowError) as exc:
        raise FieldInvalidError(name) from exc


def _content(given: Fields) -> str:
    content = " ".join(given.text("content").split())
    if len(content) > LONGEST_FACT:
        raise FieldInvalidError("content")
    return content


def _saved(learned: Learned, texts: Texts) -> Told:
    """A refusal is said with its reason: the model must not tell the user that it was kept."""
    if learned.refused:
        (why, _), *_ = learned.refused
        return Told(texts.say(f"tools.refused_{why.value}"), is_error=True)
    if learned.replaced:
        older, newer = learned.replaced[0]
        return Told(texts.say("tools.replaced", fact=newer.content, older=older.content))
    if learned.strengthened:
        return Told(texts.say("tools.known", fact=learned.strengthened[0].content))
    (fact,) = learned.added
    return Told(texts.say("tools.saved", fact=fact.content))


def _remembered(facts: Sequence[Fact], texts: Texts) -> str:
    if not facts:
        return texts.say("tools.nothing_remembered")
    lines = [
        texts.say(
            "tools.remembered_fact",
            topic=fact.topic,
            fact=fact.content,
            date=long_date(fact.valid_from, texts.language),
        )
        for fact in facts
    ]
    return "\n".join([texts.say("tools.remembered"), *lines])


def _uses_memory(settings: Settings) -> bool:
    return settings.uses_memory
