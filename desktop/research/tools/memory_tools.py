"""Tools over sessions and facts: searching, summing up, counting; saving, recalling and aging.

They know documents of the library, also those that came with a session.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial

from desktop.domain.facts import (
    AGES_AFTER_HOURS,
    LEAST_IMPORTANCE,
    LONGEST_FACT,
    LONGEST_FACT_TOPIC,
    MOST_IMPORTANCE,
    MOST_MOVED,
    OLDER_THAN_HOURS,
    Fact,
    FactFilter,
    Learned,
    ProposedFact,
    Refusal,
    Term,
)
from desktop.domain.ids import SessionId
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.projects import Wall
from desktop.domain.routing import Recall
from desktop.domain.search import HitKind, Query, Scope
from desktop.domain.sessions import Session
from desktop.domain.times import Period, long_date, month_in_words, parse_utc, spoken_moment
from desktop.domain.usage import NO_USAGE, Usage
from desktop.language.keywords_and_stems import StopWords, content_words, keys
from desktop.language.normalization import words
from desktop.language.relevant_sentences import keys_of
from desktop.memory.active_memory import MOST_AGED_AT_ONCE
from desktop.memory.fact_learning import is_in_other_language
from desktop.research.passages import passage_of_message, passage_of_summary
from desktop.research.security import escape_markup, split_message
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tools.reading_tools import format_part, format_passages
from desktop.research.tools.tool import (
    WORDS,
    Parameter,
    Tool,
    ToolContext,
    ToolOutput,
    ToolServices,
)
from desktop.settings.messages import Texts
from desktop.settings.toml_fields import FieldInvalidError, Fields
from desktop.storage.archive import Archive

_NUMBERS = range(1, 101)
_MESSAGES = range(1, 100_001)
_MESSAGE_LENGTH = 3_000
_THIS, _ALL = "this", "all"
_MINUTE_S = 60
_MOST_TOPICS = 8
_MOST_SUMMARIES, _MOST_FOLLOWED, _MOST_TITLES = 3, 200, 3
_SESSIONS = frozenset({HitKind.SESSION})
_USES_PAST, _USES_MEMORY = ("uses_past_sessions",), ("uses_memory",)


def recall_tool(services: ToolServices) -> Sequence[Tool]:
    retriever = SessionRetriever(services.search, services.archive, services.phrases)

    def run(fields: Fields, context: ToolContext) -> ToolOutput:
        period = _period(fields)
        recall = Recall("", fields.text_or_empty("words"), None if period == Period() else period)
        recollection = retriever.recollect(recall, context.wall)
        if not recollection.passages:
            return ToolOutput(context.texts.say("tools.nothing_found"))
        lead = "tools.nearest" if recollection.is_nearest else "tools.found"
        return format_passages(lead, recollection.passages, context)

    return (Tool("recall", (Parameter("words"), SINCE, UNTIL), run, _USES_PAST),)


def summary_tool(services: ToolServices) -> Sequence[Tool]:
    def summarize(fields: Fields, context: ToolContext) -> ToolOutput:
        text, scope = fields.text("words"), Scope(context.wall)
        hits = services.search.find(Query(text, _SESSIONS, limit=_MOST_SUMMARIES, scope=scope))
        sessions = services.archive.sessions.some(hit.session_id for hit in hits)
        sessions = [session for session in sessions if session.summary]
        if not sessions:
            return ToolOutput(context.texts.say("tools.nothing_found"))
        passages = (passage_of_summary(session, text, _MESSAGE_LENGTH) for session in sessions)
        summaries = format_passages("tools.summaries", passages, context)
        listed = _list_sessions(sessions, context.texts, context.first_number)
        topics = [topic for session in sessions for topic in session.topics]
        return replace(summaries, text=f"{summaries.text}\n\n{listed}", evidence=topics)

    return (Tool("session_summary", (WORDS,), summarize, _USES_PAST, is_spared=True),)


def subject_tool(services: ToolServices) -> Sequence[Tool]:
    def follow(fields: Fields, context: ToolContext) -> ToolOutput:
        period, words, scope = _period(fields), fields.text("words"), Scope(context.wall)
        query = Query(
            words, _SESSIONS, period.since, period.until, limit=_MOST_FOLLOWED, scope=scope
        )
        hits = sorted(services.search.find(query), key=lambda hit: hit.created_at)
        if not hits:
            return ToolOutput(context.texts.say("tools.nothing_found"))
        language = context.texts.language
        lines = [context.texts.count("tools.followed", len(hits))]
        titles = [" ".join(escape_markup(hit.title).split()) for hit in hits]
        months = [month_in_words(hit.created_at.astimezone(), language) for hit in hits]
        for month in dict.fromkeys(months):
            of_month = [title for at, title in zip(months, titles, strict=True) if at == month]
            named = "; ".join(dict.fromkeys(of_month[:_MOST_TITLES]))
            lines.append(f"- {month}: {len(of_month)} ({named})")
        return ToolOutput("\n".join(lines), evidence=titles)

    return (Tool("subject_over_time", (WORDS, SINCE, UNTIL), follow, _USES_PAST, is_spared=True),)


def attachments_tool(services: ToolServices) -> Sequence[Tool]:
    store = services.archive.sessions

    def read(fields: Fields, context: ToolContext) -> ToolOutput:
        number = fields.whole("number", _NUMBERS)
        first = fields.whole("message", _MESSAGES) or 1
        attachments = store.some(map(SessionId, context.attachments))
        if not attachments:
            return ToolOutput(context.texts.say("tools.nothing_attached"))
        if number is None:
            listed = _list_sessions(attachments, context.texts)
            return ToolOutput(f"{context.texts.say('tools.attached')}\n{listed}")
        if number > len(attachments):
            raise FieldInvalidError("number")
        session = attachments[number - 1]
        messages = [message for message in store.messages(session.id) if message.number >= first]
        title, numbers = session.title or session.opening, [each.number for each in messages]
        passages = (passage_of_message(each, title, "", _MESSAGE_LENGTH) for each in messages)
        return format_part(passages, numbers, "tools.attached_on", context)

    place = (Parameter("number", within=_NUMBERS), Parameter("message", within=_MESSAGES))
    return (Tool("attachments", place, read, _USES_PAST, is_unguarded=True, is_spared=True),)


def _list_sessions(attachments: Sequence[Session], texts: Texts, first: int = 1) -> str:
    lines = [
        texts.say(
            "tools.attached_session",
            number=number,
            title=" ".join(escape_markup(session.title or session.opening).split()),
            date=long_date(session.updated_at, texts.language),
            messages=session.messages,
        )
        for number, session in enumerate(attachments, start=first)
    ]
    return "\n".join(lines)


def statistics_tool(services: ToolServices) -> Sequence[Tool]:
    archive = services.archive

    def count(fields: Fields, context: ToolContext) -> ToolOutput:
        texts, scope = context.texts, fields.text_or_none("scope") or _THIS
        period = _period(fields)
        if scope == _THIS:
            usage = sum(archive.answers.usage(context.session_id).values(), start=NO_USAGE)
            messages = [m for m in context.messages if m.state is not MessageState.STREAMING]
            return ToolOutput("\n".join(_describe_session(messages, services.now(), usage, texts)))
        if not services.settings().uses_past_sessions:
            return context.error("past_is_off")
        sessions = [
            session
            for session in archive.sessions.sessions(context.wall)
            if (not period.since or session.updated_at >= period.since)
            and (not period.until or session.created_at < period.until)
        ]
        report = [*_describe_sessions(sessions, archive.sources.count(context.wall), texts)]
        report += _describe_use(archive, context.wall, period, texts)
        return ToolOutput("\n".join(report))

    parameters = (Parameter("scope", choices=(_THIS, _ALL)), SINCE, UNTIL)
    return (Tool("session_statistics", parameters, count, is_unguarded=True),)


def _describe_session(
    messages: Sequence[Message], now: datetime, usage: Usage, texts: Texts
) -> Iterator[str]:
    questions = [message for message in messages if message.role is Role.USER]
    begun = messages[0].created_at if messages else now
    yield texts.say(
        "tools.counted_this",
        messages=len(messages),
        asked=len(questions),
        answered=len(messages) - len(questions),
        words=sum(len(words(message.content)) for message in messages),
        begun=spoken_moment(begun, texts.language),
        minutes=round((now - begun).total_seconds()) // _MINUTE_S,
    )
    if usage.total_tokens:
        yield texts.say("tools.counted_tokens", tokens=texts.number(usage.total_tokens))
    if usage.cost_usd is not None:
        yield texts.say("tools.counted_cost", cost=f"{usage.cost_usd:.4f}")


def _describe_sessions(sessions: Sequence[Session], sources: int, texts: Texts) -> Iterator[str]:
    if not sessions:
        yield texts.say("tools.counted_none")
    else:
        yield texts.say(
            "tools.counted_all",
            sessions=texts.number(len(sessions)),
            messages=texts.number(sum(session.messages for session in sessions)),
            first=long_date(min(session.created_at for session in sessions), texts.language),
            last=long_date(max(session.updated_at for session in sessions), texts.language),
        )
        if topics := Counter(topic for session in sessions for topic in session.topics):
            listing = ", ".join(f"{name} ({n})" for name, n in topics.most_common(_MOST_TOPICS))
            yield texts.say("tools.counted_topics", topics=listing)
    yield texts.count("tools.counted_sources", sources)


def _describe_use(archive: Archive, wall: Wall, period: Period, texts: Texts) -> Iterator[str]:
    first = period.since.astimezone().date() if period.since else date.min
    last = period.until.astimezone().date() if period.until else date.max
    written = [row for row in archive.statistics.messages(wall) if first <= row[0] < last]
    hours: Counter[int] = Counter()
    for _, hour, count in written:
        hours[hour] += count
    for hour, _ in hours.most_common(1):
        days = len({day for day, _, _ in written})
        yield texts.say("tools.counted_days", days=texts.number(days), hour=hour, end=hour + 1)
    if period.until is None:  # usage is counted by month
        spent = archive.statistics.usage(wall, first if period.since else None)
        whole = sum((month.usage for month in spent), start=NO_USAGE)
        if whole.total_tokens:
            yield texts.say("tools.counted_spent", tokens=texts.number(whole.total_tokens))
        if whole.cost_usd is not None:
            yield texts.say("tools.counted_cost", cost=f"{whole.cost_usd:.2f}")


_IMPORTANCE = range(LEAST_IMPORTANCE, MOST_IMPORTANCE + 1)
_USUAL_IMPORTANCE = 6
_LIMIT = range(1, 31)
_USUAL_LIMIT = 10
_THE_USER = frozenset({"user", "users", "kullanici", "kullanicinin", "kullaniciya"})
_DATE_LENGTH = len("2026-01-31")

SINCE = Parameter("since", is_free_text=False)
UNTIL = Parameter("until", is_free_text=False)


def memory_tools(services: ToolServices) -> Sequence[Tool]:
    memory = services.memory

    def save(fields: Fields, context: ToolContext) -> ToolOutput:
        content = " ".join(fields.text("content").split())
        if len(content) > LONGEST_FACT:
            raise FieldInvalidError("content")
        proposed = ProposedFact(
            topic=fields.text("topic")[:LONGEST_FACT_TOPIC],
            content=content,
            importance=fields.whole("importance", _IMPORTANCE) or _USUAL_IMPORTANCE,
            quote=fields.text("quote"),
        )
        if is_in_other_language(content, proposed.quote):
            return context.error("refused_language")
        if _adds_words(content, context.messages, services.phrases().stop_words):
            return context.error(f"refused_{Refusal.UNSUPPORTED.value}")
        learned = memory.learn(context.wall, context.session_id, context.messages, [proposed])
        return _report_learned(learned, context)

    def recall(fields: Fields, context: ToolContext) -> ToolOutput:
        term, period = fields.text_or_none("term"), _period(fields)
        fact_filter = FactFilter(
            context.wall,
            topic=fields.text_or_none("topic"),
            term=Term(term) if term else None,
            since=period.since,
            until=period.until,
        )
        limit = fields.whole("limit", _LIMIT) or _USUAL_LIMIT
        facts = memory.recall(fields.text_or_empty("words"), fact_filter, limit=limit)
        text = "\n".join(_format_facts(facts, context.texts))
        return ToolOutput(text, evidence=[fact.content for fact in facts])

    def age(fields: Fields, context: ToolContext) -> ToolOutput:
        hours = fields.whole("older_than_hours", OLDER_THAN_HOURS) or AGES_AFTER_HOURS
        most = fields.whole("max", MOST_MOVED) or MOST_AGED_AT_ONCE
        moved = memory.move_aged_facts(context.wall, hours, most)
        return ToolOutput(context.texts.count("tools.aged", len(moved)))

    required = partial(Parameter, is_required=True)
    importance = Parameter("importance", within=_IMPORTANCE)
    saved = (required("content"), required("topic"), required("quote"), importance)
    term, limit = Parameter("term", choices=tuple(Term)), Parameter("limit", within=_LIMIT)
    recalled = (Parameter("words"), Parameter("topic"), term, SINCE, UNTIL, limit)
    hours = Parameter("older_than_hours", within=OLDER_THAN_HOURS)
    aged = (hours, Parameter("max", within=MOST_MOVED))
    tool, needs = partial(Tool, is_of_memory=True), _USES_MEMORY
    return (
        tool("memory_save", saved, save, needs, is_unguarded=True),
        tool("memory_recall", recalled, recall, (*needs, *_USES_PAST)),
        tool("memory_age", aged, age, needs, is_spared=True),
    )


def _period(fields: Fields) -> Period:
    return Period(_moment(fields, "since"), _moment(fields, "until", is_end=True))


def _moment(fields: Fields, name: str, *, is_end: bool = False) -> datetime | None:
    """Parse a date or a time; a date without a time includes the whole day if it is an end."""
    text = fields.text_or_none(name)
    if text is None:
        return None
    try:
        at = parse_utc(text)
        return at + timedelta(days=1) if is_end and len(text.strip()) == _DATE_LENGTH else at
    except (ValueError, OverflowError) as exc:
        raise FieldInvalidError(name) from exc


def _adds_words(content: str, messages: Sequence[Message], stop_words: StopWords) -> bool:
    """Whether a fact has a word that the user did not type: a read text may have added it."""
    typed = (split_message(m.content)[0] for m in messages if m.role is Role.USER)
    own = keys_of("\n".join(typed))
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


def _format_facts(facts: Sequence[Fact], texts: Texts) -> Iterator[str]:
    yield texts.say("tools.remembered" if facts else "tools.nothing_remembered")
    for fact in facts:
        date = long_date(fact.valid_from, texts.language)
        yield texts.say("tools.remembered_fact", topic=fact.topic, fact=fact.content, date=date)
