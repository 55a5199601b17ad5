"""`bellek housekeeping`: what is done once a day, done now, or only shown."""

from argparse import Namespace
from collections.abc import Iterable

from desktop.cli.commands import Access, Command
from desktop.cli.services import CommandServices
from desktop.domain.model import JsonValue
from desktop.sessions.housekeeping import TaskCount


def _housekeeping(services: CommandServices, _options: Namespace) -> int:
    """Run every task; what waits for consent is done too: `--dry-run` shows it."""
    _print(services, services.core.housekeeping.run(lambda: False, has_consent=True), "done")
    return 0


def _plan(services: CommandServices, _options: Namespace) -> int:
    _print(services, services.core.housekeeping.plan(), "plan")
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
}
