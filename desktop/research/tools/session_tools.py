"""Tools over sessions: searching and summing up past ones, reading attached ones, counting.

Documents are the library's, whichever session they came with.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime

from desktop.domain.ids import SessionId
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.routing import Recall
from desktop.domain.search import HitKind, Query, Scope
from desktop.domain.sessions import Session
from desktop.domain.times import Clock, Period
from desktop.domain.usage import NO_USAGE, Usage
from desktop.language.dates.date_formatting import long_date, month_in_words, spoken_moment
from desktop.language.normalization import words
from desktop.recall.search import Search
from desktop.research.passages import passage_of_message, passage_of_summary
from desktop.research.security.markup_escaping import escape_markup
from desktop.research.session_retrieval import SessionRetriever
from desktop.research.tools.memory_tools import SINCE, UNTIL, moment
from desktop.research.tools.reading_tools import format_part, format_passages
from desktop.research.tools.registry import Parameter, Tool, ToolContext, ToolOutput
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
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


def recall_tool(recalling: SessionRetriever) -> Tool:
    def recall(given: Fields, context: ToolContext) -> ToolOutput:
        since, until = moment(given, "since"), moment(given, "until", is_end=True)
        period = Period(since, until) if since or until else None
        asked = Recall("", given.text_or_empty("words"), period)
        found = recalling.recollect(asked, context.wall)
        if not found.passages:
            return ToolOutput(context.texts.say("tools.nothing_found"))
        lead = "tools.nearest" if found.is_nearest else "tools.found"
        return format_passages(lead, found.passages, context)

    return Tool("recall", (Parameter("words"), SINCE, UNTIL), recall, _uses_past)


def summary_tool(search: Search, archive: Archive) -> Tool:
    def summarize(given: Fields, context: ToolContext) -> ToolOutput:
        asked = given.text("words")
        scope = Scope(context.wall)
        found = search.find(Query(asked, _SESSIONS, limit=_MOST_SUMMARIES, scope=scope))
        sessions = archive.sessions.some(one.session_id for one in found)
        told = [one for one in sessions if one.summary]
        if not told:
            return ToolOutput(context.texts.say("tools.nothing_found"))
        passages = [passage_of_summary(one, asked, _MESSAGE_LENGTH) for one in told]
        summaries = format_passages("tools.summaries", passages, context)
        listed = _list_sessions(told, context.texts, context.first_number)
        topics = [topic for one in told for topic in one.topics]
        return replace(summaries, text=f"{summaries.text}\n\n{listed}", evidence=topics)

    words = Parameter("words", is_required=True)
    return Tool("session_summary", (words,), summarize, _uses_past, is_spared=True)


def subject_tool(search: Search) -> Tool:
    def follow(given: Fields, context: ToolContext) -> ToolOutput:
        since, until = moment(given, "since"), moment(given, "until", is_end=True)
        asked = Query(
            given.text("words"),
            _SESSIONS,
            since,
            until,
            limit=_MOST_FOLLOWED,
            scope=Scope(context.wall),
        )
        found = sorted(search.find(asked), key=lambda hit: hit.created_at)
        if not found:
            return ToolOutput(context.texts.say("tools.nothing_found"))
        language = context.texts.language
        lines = [context.texts.count("tools.followed", len(found))]
        titles = [" ".join(escape_markup(hit.title).split()) for hit in found]
        months = [month_in_words(hit.created_at.astimezone(), language) for hit in found]
        for month in dict.fromkeys(months):
            of_month = [title for at, title in zip(months, titles, strict=True) if at == month]
            named = "; ".join(dict.fromkeys(of_month[:_MOST_TITLES]))
            lines.append(f"- {month}: {len(of_month)} ({named})")
        return ToolOutput("\n".join(lines), evidence=titles)

    parameters = (Parameter("words", is_required=True), SINCE, UNTIL)
    return Tool("subject_over_time", parameters, follow, _uses_past, is_spared=True)


def _uses_past(settings: Settings) -> bool:
    return settings.uses_past_sessions


def attachments_tool(archive: Archive) -> Tool:
    def read(given: Fields, context: ToolContext) -> ToolOutput:
        number = given.whole("number", _NUMBERS)
        first = given.whole("message", _MESSAGES) or 1
        beside = archive.sessions.some(map(SessionId, context.beside))
        if not beside:
            return ToolOutput(context.texts.say("tools.nothing_attached"))
        if number is None:
            listed = _list_sessions(beside, context.texts)
            return ToolOutput(f"{context.texts.say('tools.attached')}\n{listed}")
        if number > len(beside):
            raise FieldInvalidError("number")
        session = beside[number - 1]
        said = [one for one in archive.sessions.messages(session.id) if one.number >= first]
        title = session.title or session.opening
        passages = (passage_of_message(one, title, "", _MESSAGE_LENGTH) for one in said)
        return format_part(passages, [one.number for one in said], "tools.attached_on", context)

    return Tool(
        "attachments",
        (Parameter("number", within=_NUMBERS), Parameter("message", within=_MESSAGES)),
        read,
        _uses_past,
        is_unguarded=True,
        is_spared=True,
    )


def _list_sessions(beside: Sequence[Session], texts: Texts, first: int = 1) -> str:
    lines = [
        texts.say(
            "tools.attached_session",
            number=number,
            title=" ".join(escape_markup(one.title or one.opening).split()),
            date=long_date(one.updated_at, texts.language),
            messages=one.messages,
        )
        for number, one in enumerate(beside, start=first)
    ]
    return "\n".join(lines)


def statistics_tool(archive: Archive, settings: Callable[[], Settings], now: Clock) -> Tool:
    def count(given: Fields, context: ToolContext) -> ToolOutput:
        texts, scope = context.texts, given.text_or_none("scope") or _THIS
        since, until = moment(given, "since"), moment(given, "until", is_end=True)
        if scope == _THIS:
            usage = sum(archive.answers.usage(context.session_id).values(), start=NO_USAGE)
            said = [one for one in context.messages if one.state is not MessageState.STREAMING]
            return ToolOutput("\n".join(_describe_session(said, now(), usage, texts)))
        if not settings().uses_past_sessions:
            return context.error("past_is_off")
        sessions = [
            one
            for one in archive.sessions.sessions(context.wall)
            if (not since or one.updated_at >= since) and (not until or one.created_at < until)
        ]
        told = [*_describe_sessions(sessions, archive.sources.count(context.wall), texts)]
        told += _describe_use(archive, since, until, texts)
        return ToolOutput("\n".join(told))

    return Tool(
        "session_statistics",
        (Parameter("scope", choices=(_THIS, _ALL)), SINCE, UNTIL),
        count,
        is_unguarded=True,
        is_spared=True,
    )


def _describe_session(
    messages: Sequence[Message], now: datetime, usage: Usage, texts: Texts
) -> Iterator[str]:
    asked = [one for one in messages if one.role is Role.USER]
    begun = messages[0].created_at if messages else now
    yield texts.say(
        "tools.counted_this",
        messages=len(messages),
        asked=len(asked),
        answered=len(messages) - len(asked),
        words=sum(len(words(one.content)) for one in messages),
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
            messages=texts.number(sum(one.messages for one in sessions)),
            first=long_date(min(one.created_at for one in sessions), texts.language),
            last=long_date(max(one.updated_at for one in sessions), texts.language),
        )
        if topics := Counter(topic for one in sessions for topic in one.topics):
            told = ", ".join(f"{name} ({n})" for name, n in topics.most_common(_MOST_TOPICS))
            yield texts.say("tools.counted_topics", topics=told)
    yield texts.count("tools.counted_sources", sources)


def _describe_use(
    archive: Archive, since: datetime | None, until: datetime | None, texts: Texts
) -> Iterator[str]:
    first = since.astimezone().date() if since else date.min
    last = until.astimezone().date() if until else date.max
    written = [one for one in archive.statistics.messages() if first <= one[0] < last]
    hours: Counter[int] = Counter()
    for _, hour, count in written:
        hours[hour] += count
    for hour, _ in hours.most_common(1):
        days = len({day for day, _, _ in written})
        yield texts.say("tools.counted_days", days=texts.number(days), hour=hour, end=hour + 1)
    if until is None:  # usage is counted by month
        spent = archive.statistics.usage(first if since else None)
        whole = sum((one.usage for one in spent), start=NO_USAGE)
        if whole.total_tokens:
            yield texts.say("tools.counted_spent", tokens=texts.number(whole.total_tokens))
        if whole.cost_usd is not None:
            yield texts.say("tools.counted_cost", cost=f"{whole.cost_usd:.2f}")
