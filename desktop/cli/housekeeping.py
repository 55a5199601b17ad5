"""`bellek housekeeping`: runs the daily tasks now, or only shows them."""

from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from desktop.cli.commands import Access, Command, CommandServices
from desktop.domain.changes import Change
from desktop.domain.errors import UsageError
from desktop.domain.json_values import JsonValue
from desktop.sessions.keeping.housekeeping import TaskCount


def _housekeeping(services: CommandServices, options: Namespace) -> int:
    """Run every task; one that needs consent runs only with `--yes` or after a yes."""
    housekeeping, has_consent = services.core.housekeeping, options.yes
    if not has_consent and (waiting := housekeeping.waiting()):
        if services.can_ask():
            _print(services, waiting, "plan")
            has_consent = services.confirm("housekeeping.confirm")
        else:
            services.say("housekeeping.waits")
    _print(services, housekeeping.run(lambda: False, has_consent=has_consent), "done")
    if options.wait:
        services.core.meanings.embed_due(lambda: False)
    return 0


def _plan(services: CommandServices, _options: Namespace) -> int:
    _print(services, services.core.housekeeping.plan(), "plan")
    return 0


def _free_space(services: CommandServices, options: Namespace) -> int:
    if not options.output:
        raise UsageError(detail="housekeeping --free-space -o FILE")
    if not services.core.space.use().sessions:
        services.report({"sessions": 0}, "housekeeping.nothing_to_free")
        return 0
    for step in services.core.space.free(Path(options.output), lambda: False, is_final=True):
        if isinstance(step, Change):
            freed, texts = step.value, services.texts
            sizes = {"before": freed.before_bytes, "after": freed.after_bytes}
            path, count = str(freed.path.absolute()), len(freed.sessions)
            services.report(
                {"path": path, "sessions": count, **sizes},
                "housekeeping.freed",
                n=texts.number(count),
                path=path,
                **{name: texts.megabytes(size) for name, size in sizes.items()},
            )
    return 0


def _print(services: CommandServices, tasks: Iterable[TaskCount], key: str) -> None:
    done = list(tasks)
    counts: dict[str, JsonValue] = {task.name: task.count for task in done}
    if services.as_json:
        services.print_json({key: counts})
        return
    services.say(f"housekeeping.{key}")
    for task in done:
        services.print_line(services.texts.say(f"housekeeping.{task.name}", n=task.count))


COMMANDS = {
    "housekeeping": Command(_housekeeping, Access.WRITE),
    "plan": Command(_plan),
    "free_space": Command(_free_space, Access.WRITE),
}
