"""`bellek stats`: figures of the archive and of the memory itself, as tables or JSON."""

from argparse import Namespace
from collections.abc import Iterator

from desktop.cli.commands import Command
from desktop.cli.services import CommandServices, object_json, since_and_until
from desktop.sessions.insight import TextTable, describe, period_in_words

_GAP = "  "


def _stats(services: CommandServices, options: Namespace) -> int:
    moment, _ = since_and_until({"since": options.since})
    since = moment.astimezone().date() if moment else None
    insight = services.core.insight.read(since)
    if services.as_json:
        services.print_json(object_json(insight))
        return 0
    texts = services.texts
    if insight.is_empty:
        services.say("insight.empty")
        return 0
    services.print_line(period_in_words(insight, texts))
    for section in describe(insight, texts):
        head = ": ".join(filter(None, (section.title, section.summary)))
        services.print_line(f"\n{head}")
        for line in lay_out(section.table):
            services.print_line(line)
    return 0


def lay_out(table: TextTable) -> Iterator[str]:
    """Yield the lines of a table: names from the left, numbers from the right."""
    if not table.rows:
        return
    lines = [table.head, *table.rows]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            cell.ljust(width) if place < table.names else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield f"  {_GAP.join(cells)}".rstrip()


COMMANDS = {"stats": Command(_stats)}
