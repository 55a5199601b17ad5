"""Tools that save, recall and age facts of the current profile."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    LONGEST_FACT,
    LONGEST_FACT_TOPIC,
    MOST_IMPORTANCE,
    Fact,
    FactFilter,
    Learned,
    ProposedFact,
    Refusal,
    Term,
)
from desktop.domain.messages import Message, Role
from desktop.domain.times import parse_utc
from desktop.language.dates.date_formatting import long_date
from desktop.language.keywords_and_stems import content_words, keys
from desktop.language.normalization import words as text_words
from desktop.language.stopwords import StopWords
from desktop.memory.fact_parsing import is_in_other_language
from desktop.memory.memory import Memory
from desktop.research.security.tool_call_guard import split_message
from desktop.research.tools.registry import Parameter, Tool, ToolContext, ToolOutput
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import FieldInvalidError, Fields

_IMPORTANCE = range(LEAST_IMPORTANCE, MOST_IMPORTANCE + 1)
_USUAL_IMPORTANCE = 6
_LIMIT = range(1, 31)
_USUAL_LIMIT = 10
_THE_USER = frozenset({"user", "users", "kullanici", "kullanicinin", "kullaniciya"})
_DATE_LENGTH = len("2026-01-31")

SINCE = Parameter("since", is_free_text=False)
UNTIL = Parameter("until", is_free_text=False)


def memory_tools(memory: Memory, stop_words: Callable[[], StopWords]) -> tuple[Tool, ...]:
    def save(given: Fields, context: ToolContext) -> ToolOutput:
        content = " ".join(given.text("content").split())
        if len(content) > LONGEST_FACT:
            raise FieldInvalidError("content")
        proposed = ProposedFact(
            topic=given.text("topic")[:LONGEST_FACT_TOPIC],
            content=content,
            importance=given.whole("importance", _IMPORTANCE) or _USUAL_IMPORTANCE,
            quote=given.text("quote"),
        )
        if is_in_other_language(content, proposed.quote):
            return context.error("refused_language")
        if _adds_words(content, context.messages, stop_words()):
            return context.error(f"refused_{Refusal.UNSUPPORTED.value}")
        learned = memory.learn(context.wall, context.session_id, context.messages, [proposed])
        return _report_learned(learned, context)

    def recall(given: Fields, context: ToolContext) -> ToolOutput:
        term = given.text_or_none("term")
        wanted = FactFilter(
            context.wall,
            topic=given.text_or_none("topic"),
            term=Term(term) if term else None,
            since=moment(given, "since"),
            until=moment(given, "until", is_end=True),
        )
        limit = given.whole("limit", _LIMIT) or _USUAL_LIMIT
        found = memory.recall(given.text_or_empty("words"), wanted, limit=limit)
        return ToolOutput(
            _format_facts(found, context.texts), evidence=[one.content for one in found]
        )

    def age(_: Fields, context: ToolContext) -> ToolOutput:
        return ToolOutput(context.texts.count("tools.aged", len(memory.move_aged_facts())))

    return (
        Tool(
            "memory_save",
            (
                Parameter("content", is_required=True),
                Parameter("topic", is_required=True),
                Parameter("quote", is_required=True),
                Parameter("importance", within=_IMPORTANCE),
            ),
            save,
            _uses_memory,
            is_of_memory=True,
            is_unguarded=True,
        ),
        Tool(
            "memory_recall",
            (
                Parameter("words"),
                Parameter("topic"),
                Parameter("term", choices=tuple(Term)),
                SINCE,
                UNTIL,
                Parameter("limit", within=_LIMIT),
            ),
            recall,
            lambda settings: _uses_memory(settings) and settings.uses_past_sessions,
            is_of_memory=True,
        ),
        Tool("memory_age", (), age, _uses_memory, is_of_memory=True, is_spared=True),
    )


def moment(given: Fields, name: str, *, is_end: bool = False) -> datetime | None:
    """Parse a date or a time; a date without a time includes the whole day if it is an end."""
    text = given.text_or_none(name)
    if text is None:
        return None
    try:
        at = parse_utc(text)
        return at + timedelta(days=1) if is_end and len(text.strip()) == _DATE_LENGTH else at
    except (ValueError, OverflowError) as exc:
        raise FieldInvalidError(name) from exc


def _adds_words(content: str, messages: Sequence[Message], stop_words: StopWords) -> bool:
    """Whether a fact has a word that the user did not type: a read text may have added it."""
    typed = [split_message(one.content)[0] for one in messages if one.role is Role.USER]
    own = {key for text in typed for word in text_words(text) for key in keys(word.text)}
    added = [word for word in content_words(content, stop_words) if word.text not in _THE_USER]
    return any(own.isdisjoint(keys(word.text)) for word in added)


def _report_learned(learned: Learned, context: ToolContext) -> ToolOutput:
    """Return the result with the reason for a refusal: the model must not claim a success."""
    if learned.refused:
        (why, _), *_ = learned.refused
        return context.error(f"refused_{why.value}")
    texts = context.texts
    if learned.replaced:
        older, newer = learned.replaced[0]
        return ToolOutput(texts.say("tools.replaced", fact=newer.content, older=older.content))
    if learned.strengthened:
        return ToolOutput(texts.say("tools.known", fact=learned.strengthened[0].content))
    (fact,) = learned.added
    return ToolOutput(texts.say("tools.saved", fact=fact.content))


def _format_facts(facts: Sequence[Fact], texts: Texts) -> str:
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
