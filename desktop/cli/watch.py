"""`bellek watch`: add, list, run and remove what is looked at again and again."""

from argparse import Namespace

from desktop.cli.commands import Access, Command, CommandServices, error_json, object_json
from desktop.domain.diary import Interval, Watch, WatchFinding, WatchId, WatchKind
from desktop.domain.errors import AppError, StorageError, UsageError
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING, NO_PROJECT
from desktop.sessions.keeping.diary_file import finding_lines


def _add(services: CommandServices, options: Namespace) -> None:
    text, feed = (options.text or "").strip(), (options.feed or "").strip()
    if bool(text) == bool(feed) or (feed and options.kind):
        raise UsageError(detail="watch add TEXT [--kind KIND] | --feed URL")
    project = services.project_of(options) or NO_PROJECT
    kind = WatchKind.FEED if feed else WatchKind(options.kind or WatchKind.QUESTION)
    every = Interval(options.every)
    watch = services.core.watches.add(kind, feed or text, every, project)
    services.report(object_json(watch), "watches.added", subject=watch.subject, id=watch.id)
    _note_hindrance(services, watch)


def _list(services: CommandServices, _options: Namespace) -> None:
    """Print every watch, and why one waits or failed."""
    watches = services.core.watches.watches(EVERYTHING)
    names = {project.id: project.name for project in services.archive.projects()}
    for watch in watches:
        if services.as_json:
            services.print_json(object_json(watch))
            continue
        texts = services.texts
        words = (texts.say(f"watches.{word}") for word in (watch.kind, watch.every))
        parts = (watch.id, *words, watch.subject, names.get(watch.project, ""))
        services.print_line("  ".join(filter(None, parts)))
        for detail in services.core.watches.describe(watch, texts):
            services.print_line(f"    {detail}")
    if not watches:
        services.say("watches.empty")


def _run(services: CommandServices, options: Namespace) -> int:
    """Look at one watch, or at all that are due; exit code 1 if one failed."""
    core, failed = services.core.watches, 0
    due = core.due() if options.id is None else [_watch(services, options.id)]
    for watch in due:
        finding, error = None, None
        try:
            finding = core.look(watch.id)
        except StorageError:
            raise
        except AppError as exc:
            failed, error = 1, exc
        _print(services, watch, finding, error)
    if not due:
        services.report({"due": 0}, "watches.none_due")
    return failed


def _print(
    services: CommandServices, watch: Watch, finding: WatchFinding | None, error: AppError | None
) -> None:
    if services.as_json:
        items = object_json(finding)["items"] if finding else []
        record: dict[str, JsonValue] = {"id": watch.id, "subject": watch.subject, "items": items}
        left_out = finding.left_out if finding else 0
        services.print_json(record | {"left_out": left_out, **error_json(services.texts, error)})
    elif error is not None:
        why = services.texts.error(error)
        services.say("watches.failed", subject=watch.subject, why=why)
    elif finding is None:
        services.say("watches.nothing_new", subject=watch.subject)
    else:
        services.say_count("watches.new", len(finding.items), subject=watch.subject)
        for line in finding_lines(finding, services.texts):
            services.print_line(f"- {line}")


def _remove(services: CommandServices, options: Namespace) -> None:
    """Remove for good: a command has no undo."""
    change = services.core.watches.remove(_watch(services, options.id).id)
    record: dict[str, JsonValue] = {"id": change.value.id, "deleted": True}
    services.report(record, "watches.removed", subject=change.value.subject)
    services.make_final(change)


def _watch(services: CommandServices, watch_id: str) -> Watch:
    return services.core.watches.watch(WatchId(watch_id))


def _note_hindrance(services: CommandServices, watch: Watch) -> None:
    if hindrance := services.core.watches.hindrance(watch):
        services.say("watches.waits", why=services.texts.error(hindrance))


COMMANDS = {
    "add": Command(_add, Access.WRITE),
    "list": Command(_list),
    "run": Command(_run, Access.WRITE),
    "remove": Command(_remove, Access.WRITE),
}
