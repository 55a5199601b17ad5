"""`bellek memory`: list, add, forget, age, export, reload."""

import errno
import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from desktop.cli.backup import say_still_held
from desktop.cli.output import object_json, print_json, say, since_and_until, written_to
from desktop.cli.services import CommandServices
from desktop.domain.errors import FileUnreadableError, UsageError
from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    LONGEST_FACT,
    MOST_IMPORTANCE,
    Fact,
    FactFilter,
    NewFact,
    Term,
)
from desktop.domain.ids import FactId
from desktop.domain.model import JsonValue
from desktop.memory.fact_file import BrokenLine, fact_line, read_facts


def fact_json(fact: Fact) -> dict[str, JsonValue]:
    return object_json(fact)


def list_facts(services: CommandServices, options: Namespace) -> int:
    """What holds, the best first; with --all what no longer holds as well."""
    since, until = since_and_until({"since": options.since, "until": options.until})
    wanted = FactFilter(
        since=since,
        until=until,
        term=Term(options.term) if options.term else None,
        topic=options.topic,
        is_valid=None if options.all else True,
    )
    if options.limit is not None and options.limit < 1:
        raise UsageError(detail="--limit 1–")
    found = services.core.memory.find_facts(options.search or "", wanted, limit=options.limit)
    for fact in found:
        if options.json:
            print_json(services, fact_json(fact))
        else:
            print_fact(services, fact)
    if not found and not options.json:
        narrowing = (options.term, options.topic, options.search, options.since, options.until)
        is_narrowed = any(narrowing)
        say(services, "memory.no_such_fact" if is_narrowed else "memory.no_fact")
    return 0


def print_fact(services: CommandServices, fact: Fact) -> None:
    name = "memory.ended" if fact.valid_to else f"memory.{fact.term.value}"
    mark = services.texts.say("memory.pinned") if fact.is_pinned else ""
    told = f"{fact.id}  {fact.importance:>2}  {services.texts.say(name)}  {fact.topic}: "
    print(f"{told}{fact.content}  {mark}".rstrip(), file=services.stdout)


def add(services: CommandServices, options: Namespace) -> int:
    content = " ".join(options.text.split())
    if not content or len(content) > LONGEST_FACT:
        raise UsageError(detail=services.texts.say("memory.length", n=LONGEST_FACT))
    if not LEAST_IMPORTANCE <= options.importance <= MOST_IMPORTANCE:
        raise UsageError(detail=f"--importance {LEAST_IMPORTANCE}–{MOST_IMPORTANCE}")
    learned = services.core.memory.remember(
        content, topic=options.topic or "", importance=options.importance
    )
    for fact in (*learned.new, *learned.strengthened):
        if options.json:
            print_json(services, fact_json(fact))
        else:
            say(services, "memory.remembered", fact=fact.content)
    if not options.json:
        for older, _ in learned.replaced:
            say(services, "memory.instead", fact=older.content)
    return 0


def forget(services: CommandServices, options: Namespace) -> int:
    """Final at once: a command has no undo."""
    facts = [services.archive.facts.fact(FactId(one)) for one in options.ids]
    forget_facts(services, facts)
    if options.json:
        for fact in facts:
            print_json(services, {"id": fact.id, "forgotten": True})
    return 0


def forget_facts(services: CommandServices, facts: Sequence[Fact]) -> None:
    forgotten = services.archive.forget_facts([fact.id for fact in facts], is_final=True)
    say_count(services, "memory.forgotten", len(facts))
    say_still_held(services, forgotten.backups)


def age(services: CommandServices, options: Namespace) -> int:
    moved = services.core.memory.move_aged_facts()
    for fact in moved:
        if options.json:
            print_json(services, fact_json(fact))
        else:
            print_fact(services, fact)
    say_count(services, "memory.aged", len(moved))
    return 0


def export(services: CommandServices, options: Namespace) -> int:
    """What has aged, and what took its place; with --all everything that is remembered."""
    term = None if options.all else Term.LONG
    store = services.archive.facts
    facts = store.facts(FactFilter(term=term, is_valid=None))
    with written_to(services, options.output) as target:
        for fact in facts:
            target.write(fact_line(fact, store.supports(fact.id)) + "\n")
    if not facts:
        say(services, "memory.no_fact" if options.all else "memory.none_aged")
    return 0


def reload(services: CommandServices, options: Namespace) -> int:
    """Lines that cannot be read or hold a secret are named, cost no other, and the code is 1."""
    found: list[NewFact] = []
    broken: list[BrokenLine] = []
    path = Path(options.file)
    if path.exists() and not (path.is_file() or path.is_dir()):
        # A pipe or a device would be waited for without end.
        raise FileUnreadableError(path=options.file, detail=os.strerror(errno.ESPIPE))
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as lines:
            for one in read_facts(lines):
                if isinstance(one, BrokenLine):
                    broken.append(one)
                else:
                    found.append(one)
    except OSError as exc:
        raise FileUnreadableError(path=options.file, detail=exc.strerror or "") from exc
    added = services.archive.import_facts(found)
    for line in broken:
        key = "memory.line_secret" if line.is_secret else "memory.line"
        say(services, key, n=line.number, field=line.why)
    secrets = sum(line.is_secret for line in broken)
    if options.json:
        problems: list[JsonValue] = [
            {"line": one.number, "field": one.why, "is_secret": one.is_secret} for one in broken
        ]
        counts = {"added": len(added), "already_there": len(found) - len(added)}
        print_json(services, {**counts, "secrets": secrets, "problems": problems})
    else:
        known = services.texts.number(len(found) - len(added))
        say_count(services, "memory.reloaded", len(added), there=known)
        if secrets:
            say_count(services, "memory.secrets_refused", secrets)
    return 1 if broken else 0


def say_count(services: CommandServices, key: str, n: int, **values: str) -> None:
    print(services.texts.count(key, n, **values), file=services.stderr)
