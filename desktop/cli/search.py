"""`bellek search`: one query, or one a line with --batch."""

import json
from argparse import Namespace
from collections.abc import Mapping
from datetime import datetime
from time import perf_counter

from desktop.cli.output import object_json, print_json, say
from desktop.cli.services import CommandServices
from desktop.domain.errors import UsageError
from desktop.domain.model import JsonValue
from desktop.domain.search import Hit, HitKind, Query, SearchMode
from desktop.domain.times import parse_utc, utc_now, utc_text
from desktop.language.date_words import read_period

_FORM = '{"id": …, "query": "…"}'


def search(services: CommandServices, options: Namespace) -> int:
    given: dict[str, JsonValue] = {
        name: getattr(options, name)
        for name in ("mode", "kind", "since", "until", "topic", "limit")
        if getattr(options, name) is not None
    }
    if options.batch:
        return _batch(services, given)
    if not options.text:
        raise UsageError(detail="search TEXT")
    hits = services.search.find(_query({**given, "query": options.text}))
    for hit in hits:
        if options.json:
            print_json(services, _hit_json(hit))
        else:
            _print_hit(services, hit)
    if not hits and not options.json:
        say(services, "cli.no_hit")
    return 0


def _batch(services: CommandServices, given: Mapping[str, JsonValue]) -> int:
    """A result for every line; one that cannot be understood gets its error and costs no other."""
    wrong = 0
    for number, line in enumerate(services.stdin, start=1):
        if not line.strip():
            continue
        asked: dict[str, JsonValue] = {}
        began = perf_counter()
        try:
            asked = _asked(line)
            hits = services.search.find(_query({**given, "query": None, **asked}))
        except UsageError as exc:
            wrong += 1
            detail = str(exc.values.get("detail", ""))
            say(services, "import.line", n=number, why=detail)
            print_json(services, {"id": asked.get("id"), "ms": 0, "hits": [], "error": detail})
            continue
        took_ms = round((perf_counter() - began) * 1000, 3)
        found: list[JsonValue] = [_hit_json(hit) for hit in hits]
        print_json(services, {"id": asked.get("id"), "ms": took_ms, "hits": found})
    return 1 if wrong else 0


def _asked(line: str) -> dict[str, JsonValue]:
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise UsageError(detail=f"JSON: {exc}") from exc
    if not isinstance(asked, dict):
        raise UsageError(detail=_FORM)
    return asked


def _query(values: Mapping[str, JsonValue]) -> Query:
    text = values["query"]
    if not isinstance(text, str):
        raise UsageError(detail=_FORM)
    mode = str(values.get("mode", SearchMode.AUTO))
    if mode not in set(SearchMode):
        raise UsageError(detail=f"--mode {mode}")
    return Query(
        text=text,
        kinds=_kinds(values.get("kind")),
        since=_moment(values.get("since")),
        until=_moment(values.get("until"), is_end=True),
        topic=str(values["topic"]) if values.get("topic") else None,
        mode=SearchMode(mode),
        limit=_limit(values.get("limit")),
    )


def _kinds(value: JsonValue) -> frozenset[HitKind]:
    if not value:
        return frozenset(HitKind)
    known = {kind.value for kind in HitKind}
    asked = {name.strip() for name in str(value).split(",")}
    if unknown := asked - known:
        raise UsageError(detail=f"--kind {','.join(sorted(unknown))}")
    return frozenset(HitKind(name) for name in asked)


def _moment(value: JsonValue, *, is_end: bool = False) -> datetime | None:
    """A moment as it is stored, or a date in words ("geçen hafta"): its beginning, or its end."""
    if not value:
        return None
    try:
        return parse_utc(str(value))
    except ValueError as exc:
        period = read_period(str(value), utc_now().astimezone().replace(tzinfo=None))
        if period is None:
            raise UsageError(detail=str(exc)) from exc
        return period.until if is_end else period.since


def _limit(value: JsonValue) -> int:
    if value is None:
        return 20
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UsageError(detail=f"--limit {value}")
    return value


def _hit_json(hit: Hit) -> dict[str, JsonValue]:
    # A fact that was written by hand stands in no session.
    return {**object_json(hit), "session_id": hit.session_id or None}


def _print_hit(services: CommandServices, hit: Hit) -> None:
    place = f" #{hit.message_number}" if hit.message_number and not hit.fact_id else ""
    if hit.page is not None:
        place = f", {services.texts.say('library.page', page=hit.page)}"
    where = f"{hit.fact_id or hit.source_id or hit.session_id}{place}"
    print(f"{hit.title}  ({where}, {utc_text(hit.created_at)[:10]})", file=services.stdout)
    print(f"    {hit.snippet}", file=services.stdout)
