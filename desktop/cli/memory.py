"""`bellek memory`: list, add, forget, age, preferences, contexts, export, reload."""

import errno
import os
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    object_json,
    print_each,
    since_and_until,
    to_json,
    written_to,
)
from desktop.domain.annotations import AnnotatedMessage, SessionContext
from desktop.domain.errors import FileUnreadableError, PreferenceUnknownError, UsageError
from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    LONGEST_FACT,
    MOST_IMPORTANCE,
    MOST_MOVED,
    OLDER_THAN_HOURS,
    Fact,
    FactFilter,
    NewFact,
    Term,
)
from desktop.domain.ids import FactId, PreferenceId, SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.learned_preferences import (
    KnownPreference,
    Pattern,
    PatternKind,
    Preference,
    PreferenceEvidence,
)
from desktop.domain.projects import EVERYTHING
from desktop.domain.times import WEEKDAYS, utc_now
from desktop.memory.active_memory import preference_name
from desktop.memory.fact_file import BrokenLine, fact_line, preference_line, read_facts
from desktop.settings.file_writing import raising_unreadable
from desktop.settings.messages import Texts

_LONGEST_QUOTE = 100


def _list(services: CommandServices, options: Namespace) -> None:
    since, until = since_and_until({"since": options.since, "until": options.until})
    fact_filter = FactFilter(
        EVERYTHING,
        since=since,
        until=until,
        term=Term(options.term) if options.term else None,
        topic=options.topic,
        is_valid=None if options.all else True,
    )
    if options.limit is not None and options.limit < 1:
        raise UsageError(detail="--limit 1–")
    facts = services.core.memory.find_facts(options.search or "", fact_filter, limit=options.limit)
    is_narrowed = any((options.topic, options.search, fact_filter.term, since, until))
    empty = "memory.no_such_fact" if is_narrowed else "memory.no_fact"
    print_each(services, facts, partial(describe_fact, services.texts), empty=empty)


def describe_fact(texts: Texts, fact: Fact) -> str:
    name = "memory.ended" if fact.valid_to else f"memory.{fact.term.value}"
    mark = texts.say("memory.pinned") if fact.is_pinned else ""
    head = f"{fact.id}  {fact.importance:>2}  {texts.say(name)}  {fact.topic}: "
    return f"{head}{fact.content}  {mark}".rstrip()


def _add(services: CommandServices, options: Namespace) -> None:
    content = " ".join(options.text.split())
    if not content or len(content) > LONGEST_FACT:
        raise UsageError(detail=services.texts.say("memory.length", n=LONGEST_FACT))
    if not LEAST_IMPORTANCE <= options.importance <= MOST_IMPORTANCE:
        raise UsageError(detail=f"--importance {LEAST_IMPORTANCE}–{MOST_IMPORTANCE}")
    learned = services.core.memory.remember(
        content, topic=options.topic or "", importance=options.importance
    )
    for fact in (*learned.new, *learned.strengthened):
        services.report(object_json(fact), "memory.remembered", fact=fact.content)
    if not services.as_json:
        for older, _ in learned.replaced:
            services.say("memory.instead", fact=older.content)
        for fact in learned.new:
            for other in services.core.memory.possible_conflicts(fact.id):
                services.say("memory.may_conflict", fact=other.content, id=other.id)


def _forget(services: CommandServices, options: Namespace) -> None:
    """Forget for good: a command has no undo."""
    facts = [services.archive.fact(FactId(fact_id)) for fact_id in options.ids]
    forget_facts(services, facts)
    if services.as_json:
        for fact in facts:
            services.print_json({"id": fact.id, "forgotten": True})


def forget_facts(services: CommandServices, facts: Sequence[Fact]) -> None:
    change = services.core.facts.forget([fact.id for fact in facts])
    services.say_count("memory.forgotten", len(facts))
    services.make_final(change)


def _age(services: CommandServices, options: Namespace) -> None:
    hours, most = options.older_than_hours, options.max
    for name, value, within in (
        ("--older-than-hours", hours, OLDER_THAN_HOURS),
        ("--max", most, MOST_MOVED),
    ):
        if value not in within:
            raise UsageError(detail=f"{name} {within.start}–{within.stop - 1}")
    moved = services.core.memory.move_aged_facts(EVERYTHING, hours, most)
    print_each(services, moved, partial(describe_fact, services.texts))
    services.say_count("memory.aged", len(moved))


def _contexts(services: CommandServices, options: Namespace) -> None:
    """Print what sessions keep for follow-ups; with --messages the annotations of one session."""
    texts = services.texts
    if not options.messages:
        session_id = SessionId(options.session) if options.session else None
        contexts = services.archive.session_contexts(utc_now(), session_id)
        print_each(
            services, contexts, partial(_describe_context, texts), empty="memory.no_context"
        )
        return
    if not options.session:
        raise UsageError(detail="--session ID")
    session = services.archive.session(SessionId(options.session))
    messages = services.archive.annotations(session.id)
    print_each(services, messages, _describe_annotation, empty="memory.no_annotation")


def _describe_context(texts: Texts, context: SessionContext) -> str:
    until = f"{context.expires_at.astimezone():%H:%M}"
    kind = texts.say(f"memory.context_{context.type.value}")
    return f"{kind}  {until}  {context.relevance:.2f}  {context.name}: {context.value}"


def _describe_annotation(message: AnnotatedMessage) -> str:
    annotation = message.annotation
    named = ", ".join(f"{entity.kind.value}: {entity.text}" for entity in annotation.entities)
    took = f"{message.answer_ms} ms" if message.answer_ms is not None else ""
    intent = f"{annotation.intent.value} {annotation.confidence:.2f}"
    parts = (intent, named, took, message.thumb.value if message.thumb else "", message.words)
    return f"{message.number:>4}  {'  '.join(filter(None, parts))}"


def _patterns(services: CommandServices, _options: Namespace) -> None:
    patterns = services.archive.patterns(EVERYTHING)
    line = partial(_describe_pattern, services.texts)
    print_each(services, patterns, line, as_json=_pattern_json, empty="memory.no_pattern")


def _describe_pattern(texts: Texts, pattern: Pattern) -> str:
    value = pattern.value
    if pattern.kind is PatternKind.DAYS:
        days = WEEKDAYS[texts.language]
        value = ", ".join(days[int(day) - 1] for day in value.split(","))
    elif pattern.kind is PatternKind.HOURS:
        value = ", ".join(f"{int(hour):02}.00" for hour in value.split(","))
    text = f"{value} → {pattern.next_value}" if pattern.next_value else value
    first, seen = (f"{at.astimezone():%Y-%m-%d}" for at in (pattern.first_at, pattern.seen_at))
    numbers = f"{pattern.confidence:.2f}  {pattern.count:>3}  {len(pattern.evidence):>3}"
    kind = texts.say(f"memory.pattern_{pattern.kind.value}")
    return f"{kind}  {numbers}  {first} – {seen}  {text}"


def _pattern_json(pattern: Pattern) -> dict[str, JsonValue]:
    return {
        "kind": pattern.kind.value,
        "value": pattern.value,
        "next": pattern.next_value,
        "count": pattern.count,
        "confidence": pattern.confidence,
        **{name: to_json(getattr(pattern, name)) for name in ("first_at", "seen_at")},
        "evidence": len(pattern.evidence),
    }


def _export(services: CommandServices, options: Namespace) -> None:
    """Export aged facts and their replacements; with --all everything that is remembered."""
    term = None if options.all else Term.LONG
    archive = services.archive
    facts = archive.facts(FactFilter(EVERYTHING, term=term, is_valid=None))
    named: dict[str, str] = {project.id: project.name for project in archive.projects()}
    with written_to(services, options.output) as write:
        for fact in facts:
            supports = archive.fact_supports(fact.id)
            write(fact_line(fact, supports, named.get(fact.project, "")) + "\n")
        for preference in archive.preferences(EVERYTHING) if options.all else ():
            evidence = archive.preference_evidence(preference.id)
            write(preference_line(preference, evidence, named.get(preference.project, "")) + "\n")
    if not facts:
        services.say("memory.no_fact" if options.all else "memory.none_aged")


def _reload(services: CommandServices, options: Namespace) -> int:
    """Reload facts; lines that are unreadable or hold a secret are skipped, with exit code 1."""
    path = Path(options.file)
    if path.exists() and not (path.is_file() or path.is_dir()):
        # A pipe or a device would block forever.
        raise FileUnreadableError(path=options.file, detail=os.strerror(errno.ESPIPE))
    with raising_unreadable(path), path.open(encoding="utf-8-sig", errors="replace") as lines:
        read = list(read_facts(lines))
    broken = [entry for entry in read if isinstance(entry, BrokenLine)]
    facts = [entry for entry in read if isinstance(entry, NewFact)]
    preferences = [entry for entry in read if isinstance(entry, KnownPreference)]
    added = services.core.facts.reload(facts)
    preferred = services.core.facts.reload_preferences(preferences)
    sentences = [
        services.texts.say(
            "memory.line_secret" if line.is_secret else "memory.line",
            n=line.number,
            field=line.why,
        )
        for line in broken
    ]
    for sentence in sentences:
        services.note(sentence)
    secrets = sum(line.is_secret for line in broken)
    if services.as_json:
        problems: list[JsonValue] = [
            {
                "line": line.number,
                "error": {"key": "line_secret" if line.is_secret else "line", "field": line.why},
                "message": sentence,
            }
            for line, sentence in zip(broken, sentences, strict=True)
        ]
        counts = {"added": len(added), "already_there": len(facts) - len(added)}
        if preferences:
            counts["preferences_added"] = preferred
        services.print_json({**counts, "secrets": secrets, "problems": problems})
    else:
        present_count = services.texts.number(len(facts) - len(added))
        services.say_count("memory.reloaded", len(added), there=present_count)
        if preferences:
            services.say_count("preferences.reloaded", preferred)
        if secrets:
            services.say_count("memory.secrets_refused", secrets)
    return 1 if broken else 0


def _preferences(services: CommandServices, options: Namespace) -> None:
    preferences = [
        preference
        for preference in services.archive.preferences(EVERYTHING)
        if options.id in {None, preference.id}
    ]
    if options.id and not preferences:
        raise PreferenceUnknownError(preference=options.id)
    evidence = {
        preference.id: services.archive.preference_evidence(preference.id)
        for preference in preferences
    }

    def describe(preference: Preference) -> str:
        in_use = "in_use" if preference.is_in_effect else "not_sure"
        state = in_use if preference.is_on else "off"
        name, says = preference_name(preference, services.texts), services.texts.say
        own = f"  “{preference.words}”" if preference.words and preference.words != name else ""
        state_name = says(f"preferences.{state}")
        head = f"{preference.id}  {preference.confidence:.2f}  {state_name}  {name}{own}"
        return "\n".join([head, *(_evidence_line(record) for record in evidence[preference.id])])

    def as_json(preference: Preference) -> dict[str, JsonValue]:
        records = [object_json(each) for each in evidence[preference.id]]
        added: dict[str, JsonValue] = {
            "is_in_effect": preference.is_in_effect,
            "evidence": records,
        }
        return object_json(preference) | added

    print_each(services, preferences, describe, as_json=as_json, empty="preferences.none")


def _evidence_line(record: PreferenceEvidence) -> str:
    sign, day = "-" if record.is_against else "+", f"{record.at.astimezone():%Y-%m-%d}"
    return (
        f"    {sign} {day}  {record.session_id}  {' '.join(record.quote.split())[:_LONGEST_QUOTE]}"
    )


def _change_preference(services: CommandServices, options: Namespace) -> None:
    preference_id = PreferenceId(options.id or "")
    match options.change:
        case "forget":
            services.make_final(services.core.facts.forget_preference(preference_id))
            if services.as_json:
                services.print_json({"id": preference_id, "forgotten": True})
            return
        case "edit":
            if not (options.text or "").strip():
                raise UsageError(detail="memory preferences edit ID TEXT")
            services.core.memory.preferences.reword(preference_id, options.text)
        case change:
            services.core.memory.preferences.switch(preference_id, is_on=change == "on")
    _preferences(services, options)


COMMANDS = {
    "list": Command(_list),
    "add": Command(_add, Access.WRITE),
    "forget": Command(_forget, Access.WRITE),
    "age": Command(_age, Access.WRITE),
    "contexts": Command(_contexts),
    "patterns": Command(_patterns),
    "export": Command(_export),
    "preferences": Command(_preferences),
    "preferences list": Command(_preferences),
    **{
        f"preferences {change}": Command(_change_preference, Access.WRITE)
        for change in ("on", "off", "forget", "edit")
    },
    "reload": Command(_reload, Access.WRITE),
}
