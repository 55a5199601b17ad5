"""`bellek search`: one query, or one a line with --batch."""

import json
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from desktop.cli.commands import (
    Command,
    CommandServices,
    local_now,
    mark,
    object_json,
    since_and_until,
    to_json,
)
from desktop.domain.errors import UsageError
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.search import CONVERSATIONS, Hit, HitKind, Query, Scope, SearchMode
from desktop.domain.times import Period, spoken_period, utc_now, utc_text
from desktop.language.dates.date_parser import parse_typed_query
from desktop.language.normalization import fix_surrogates
from desktop.recall.results import is_semantic_only
from desktop.settings.messages import Texts

_USUAL, _MOST = 20, 1_000_000
_FORM = '{"id": …, "query": "…"}'


def _search(services: CommandServices, options: Namespace) -> int:
    defaults: dict[str, JsonValue] = {
        name: getattr(options, name)
        for name in ("mode", "kind", "since", "until", "topic", "limit", "project")
        if getattr(options, name) is not None
    }
    if options.batch:
        return _batch(services, defaults)
    query = _query(services, {**defaults, "query": options.text or ""})
    has_words = bool(query.text.strip())
    if not has_words and not query.is_filtered:
        raise UsageError(detail=services.texts.say("cli.search_what"), command="bellek search")
    if not has_words and options.kind is None:
        query = replace(query, kinds=CONVERSATIONS)
    hits = _found(services, query)
    if services.as_json:
        for line in _hits_json(services, hits):
            services.print_json(line)
    elif hits:
        if has_words and is_semantic_only(hits):
            services.say("cli.only_near")
        _print_hits(services, hits)
    else:
        _say_nothing_found(services, query)
    return 0


def _print_hits(services: CommandServices, hits: Iterable[Hit]) -> None:
    texts = services.texts
    owned: dict[object, list[Hit]] = {}
    for hit in hits:
        owner = hit.day or hit.fact_id or hit.source_id or hit.session_id
        owned.setdefault(owner, []).append(hit)
    for named, several in owned.items():
        title, is_day = several[0].title, several[0].day is not None
        head = f"{texts.say('diary.title')} {title}" if is_day else f"{title}  ({named})"
        services.print_line(head)
        for hit in several:
            place = f"#{hit.message_number}, " if hit.message_number and not hit.fact_id else ""
            if hit.page is not None:
                place = f"{texts.say('library.page', page=hit.page)}, "
            at = "" if is_day else f"  {place}{utc_text(hit.created_at)[:10]}\n"
            services.print_line(f"{at}    {_words(texts, hit)}")


def _words(texts: Texts, hit: Hit) -> str:
    if hit.kind is HitKind.PICTURE:
        hit = hit.labelled(texts.say("recall.in_picture", name=hit.heading))
    return mark(hit.snippet, hit.marks)


def _say_nothing_found(services: CommandServices, query: Query) -> None:
    typed = parse_typed_query(query.text, local_now())
    period = typed.period or Period(query.since, query.until)
    if typed.words or period == Period() or query.topic:
        services.say("cli.no_hit" if query.text.strip() else "cli.nothing_left")
        return
    shown = replace(period, until=period.until or utc_now())
    services.say("cli.nothing_then", when=spoken_period(shown, services.texts.language))


def _found(services: CommandServices, query: Query) -> list[Hit]:
    """Search; date words become a filter, unless nothing from that time has the other words."""
    typed = parse_typed_query(query.text, local_now())
    if typed.period is None or query.since or query.until:
        return services.core.search.find(query)
    dated = replace(query, text=typed.words, since=typed.period.since, until=typed.period.until)
    hits = services.core.search.find(dated)
    if not hits and typed.words:
        return services.core.search.find(query)
    if hits:
        when = spoken_period(typed.period, services.texts.language)
        services.say("cli.dated", said=typed.date_text, when=when)
    return hits


def _batch(services: CommandServices, defaults: Mapping[str, JsonValue]) -> int:
    """Print a result for every line; an invalid one gets an error and affects no other."""
    wrong = 0
    for number, line in enumerate(services.stdin, start=1):
        if not line.strip():
            continue
        request: dict[str, JsonValue] = {}
        began = perf_counter()
        try:
            request = _asked(line)
            hits = services.core.search.find(
                _query(services, {**defaults, "query": None, **request})
            )
        except UsageError as exc:
            wrong += 1
            detail = str(exc.values.get("detail", ""))
            words = services.texts.say("import.line", n=number, why=detail)
            services.note(words)
            failure: dict[str, JsonValue] = {"error": object_json(exc), "message": words}
            services.print_json({"id": request.get("id"), "ms": 0, "hits": [], **failure})
            continue
        took_ms = round((perf_counter() - began) * 1000, 3)
        results = _hits_json(services, hits)
        services.print_json({"id": request.get("id"), "ms": took_ms, "hits": [*results]})
    return 1 if wrong else 0


def _asked(line: str) -> dict[str, JsonValue]:
    try:
        return dict(json.loads(line))
    except (TypeError, ValueError, RecursionError) as exc:
        raise UsageError(detail=f"JSON: {exc}. {_FORM}") from exc


def _query(services: CommandServices, values: Mapping[str, JsonValue]) -> Query:
    text, topic = values["query"], values.get("topic")
    mode, limit = values.get("mode", SearchMode.AUTO), values.get("limit", _USUAL)
    kinds = {name.strip() for name in str(values.get("kind") or "").split(",")} - {""}
    is_count = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 1
    for is_right, detail in (
        (isinstance(text, str), _FORM),
        (str(mode) in set(SearchMode), f"--mode {mode}"),
        (
            kinds <= set(HitKind),
            f"--kind {','.join(sorted(kinds - set(HitKind)))} ({', '.join(HitKind)})",
        ),
        (topic is None or (isinstance(topic, str) and topic.strip()), f"--topic {topic}".rstrip()),
        (is_count, f"--limit {limit}"),
    ):
        if not is_right:
            raise UsageError(detail=detail)
    since, until = since_and_until(values)
    named = values.get("project")
    wall = Wall(services.archive.project_named(str(named)).id) if named else EVERYTHING
    return Query(
        text=fix_surrogates(str(text)),
        kinds=frozenset(map(HitKind, kinds or HitKind)),
        since=since,
        until=until,
        topic=fix_surrogates(str(topic)) if topic is not None else None,
        mode=SearchMode(str(mode)),
        limit=min(int(str(limit)), _MOST),
        scope=Scope(wall),
    )


def _hits_json(services: CommandServices, hits: Sequence[Hit]) -> list[dict[str, JsonValue]]:
    """Return the hits, with the topics of their sessions, which are read together."""
    ids = {hit.session_id for hit in hits if hit.kind in CONVERSATIONS}
    sessions = services.archive.some_sessions(ids) if ids else ()
    topics = {session.id: to_json(session.topics) for session in sessions}

    def as_json(hit: Hit) -> dict[str, JsonValue]:
        # A fact that was written by hand belongs to no session.
        session_id, names = hit.session_id or None, topics.get(hit.session_id, [])
        return object_json(hit) | {"session_id": session_id, "topics": names}

    return list(map(as_json, hits))


COMMANDS = {"search": Command(_search)}
