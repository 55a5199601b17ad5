"""Finds commands, gives them the core's services, and prints text, lists, JSON and files.

Text is printed without control characters.
"""

import json
import os
import re
import sys
from argparse import Namespace
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum, auto
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

from desktop.domain.changes import Change
from desktop.domain.errors import AppError, UsageError
from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue
from desktop.domain.times import parse_utc, utc_now, utc_text
from desktop.settings.file_writing import raising_not_written, write_beside
from desktop.settings.messages import Texts
from desktop.settings.paths import Paths, ProfilePaths

if TYPE_CHECKING:
    from desktop.domain.projects import ProjectId
    from desktop.sessions.archive_reader import ArchiveReader
    from desktop.sessions.services import Services
    from desktop.settings.encryption import ProfileKey

_START, _END = "\ufdd0", "\ufdd1"  # noncharacters: no text has them
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
# C0, DEL and C1 control a terminal; the others change the order of what is read.
_ORDERS = (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_REMOVED = dict.fromkeys(_ORDERS, "�") | {ord("\n"): "\n", ord("\t"): "\t", ord("\r"): ""}
_ESCAPED = {code: f"\\u{code:04x}" for code in _ORDERS if code != ord("\n")}


def mark(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text with these spans marked; `cleaned` makes them bold, or removes the marks."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}{_START}{text[start:end]}{_END}{text[end:]}"
    return text


def cleaned(text: str, stream: TextIO) -> str:
    """Return untrusted text as it may be printed on the stream."""
    is_bold = stream.isatty() and not os.environ.get("NO_COLOR")
    start, end = (_BOLD, _PLAIN) if is_bold else ("", "")
    return text.translate(_REMOVED).replace(_START, start).replace(_END, end)


def cleaned_json(line: str) -> str:
    """Return the same JSON with every control character escaped."""
    return line.translate(_ESCAPED)


def print_error(texts: Texts, error: AppError) -> None:
    print(cleaned(texts.error(error), sys.stderr), file=sys.stderr)


def print_failure(texts: Texts, error: AppError, *, as_json: bool) -> None:
    """Print what ended a command: on stderr, and with `--json` on stdout, too."""
    print_error(texts, error)
    if as_json:
        line = json.dumps(error_json(texts, error), ensure_ascii=False)
        print(cleaned(cleaned_json(line), sys.stdout), flush=True)


def error_json(texts: Texts, error: AppError | None) -> dict[str, JsonValue]:
    """Return the two fields by which every JSON object tells what failed; null if nothing did."""
    return {"error": to_json(error), "message": texts.error(error) if error else None}


T = TypeVar("T")


class Access(Enum):
    """How a command uses the profile."""

    READ = auto()  # Works beside a window that owns the profile
    LOG = auto()  # Only adds rows that belong to no work of the window, and so works beside it
    WRITE = auto()  # Has to own the profile; if a window owns it, the error says so
    REPLACE = auto()  # Owns the profile and opens the archive itself
    NONE = auto()  # Opens no profile, and leaves no trace in one


@dataclass(frozen=True, slots=True)
class Command:
    run: Callable[..., int | None]
    """Gets the services (REPLACE, NONE: the environment) and the options; returns the exit code.

    None is 0: what fails raises AppError.
    """
    access: Access = Access.READ
    locked: Callable[..., None] | None = None
    """What it does with the environment if there is no passphrase; otherwise it is asked for."""


_MODULES = {
    "ask": "chat",
    "import": "import_export",
    "examples": "import_export",
    "export": "import_export",
    "backup": "import_export",
    "restore": "import_export",
    "claims": "chat",
    "housekeeping": "doctor",
    "stats": "doctor",
    "boundaries": "developers",
    "intents": "developers",
    "suspicious": "developers",
}
"""The modules of commands that have another name."""


def find_command(options: Namespace) -> Command:
    module = import_module(f"desktop.cli.{_MODULES.get(options.command, options.command)}")
    name = getattr(options, "action", None) or options.command
    change = getattr(options, "change", None)
    command: Command = module.COMMANDS[f"{name} {change}" if change else name]
    return command


_ANSWERS = {
    **dict.fromkeys(("e", "evet", "y", "yes"), True),
    **dict.fromkeys(("h", "hayır", "hayir", "n", "no"), False),
}


def yes_or_no(line: str) -> bool | None:
    """Return what was answered; None for other words."""
    return _ANSWERS.get(line.strip().lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEnvironment:
    """Where a command runs: results go to stdout, all else to stderr, both cleaned."""

    paths: Paths
    profile: ProfilePaths
    texts: Texts
    as_json: bool
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    key: "ProfileKey | None" = None  # Of an encrypted profile

    def print_text(self, text: str) -> None:
        print(cleaned(text, self.stdout), end="", file=self.stdout, flush=True)

    def print_line(self, line: str = "") -> None:
        self.print_text(f"{line}\n")

    def print_json(self, value: Mapping[str, JsonValue]) -> None:
        self.print_line(cleaned_json(json.dumps(value, ensure_ascii=False)))

    def note(self, line: str) -> None:
        """Print a line for a person, on stderr."""
        print(cleaned(line, self.stderr), file=self.stderr, flush=True)

    def say(self, key: str, **values: str | float) -> None:
        self.note(self.texts.say(key, **values))

    def say_count(self, key: str, n: int, **values: str | float) -> None:
        self.note(self.texts.count(key, n, **values))

    def report(self, value: Mapping[str, JsonValue], key: str, **values: str | float) -> None:
        """Print what was done: as JSON, or as a sentence."""
        if self.as_json:
            self.print_json(value)
        else:
            self.say(key, **values)

    def report_count(
        self, record: Mapping[str, JsonValue], key: str, n: int, **values: str | float
    ) -> None:
        """Print what was done: as JSON, or as a sentence for this count."""
        if self.as_json:
            self.print_json(record)
        else:
            self.say_count(key, n, **values)

    def read_line(self, prompt: str = "> ") -> str | None:
        """Return the next line of the input, or None at its end."""
        print(cleaned(prompt, self.stderr), end="", file=self.stderr, flush=True)
        try:
            line = self.stdin.readline()
        except KeyboardInterrupt:
            return None
        return line.strip() if line else None

    def confirm(self, prompt_key: str, **values: str) -> bool:
        """Ask a yes-or-no question; whatever is not a yes is a no."""
        return bool(yes_or_no(self.read_line(self.texts.say(prompt_key, **values)) or ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandServices(CommandEnvironment):
    core: "Services"

    @property
    def archive(self) -> "ArchiveReader":
        return self.core.archive

    def project_of(self, options: Namespace) -> "ProjectId | None":
        """Return the project that `--project` names, if it is given."""
        return self.archive.project_named(options.project).id if options.project else None

    def make_final(self, change: Change[T]) -> T:
        """Purge what was deleted, as a command has no undo; warn of backups that contain it."""
        self.core.care.purge_deleted()
        if backups := change.backups:
            self.say_count("backup.may_hold", len(backups), folder=str(backups[0].parent))
        return change.value

    def can_ask(self) -> bool:
        return not self.as_json and self.stdin.isatty()


_OWN_LINK = r"\[([^\]]*)\]\(bellek://session/([^?)]+)[^)]*\)"


def to_json(value: object) -> JsonValue:
    """Return a domain value as JSON: times as stored, enums by value, errors by key."""
    match value:
        case Enum():
            return to_json(value.value)
        case None | bool() | int() | float() | str():
            return value
        case datetime():
            return utc_text(value)
        case date():
            return value.isoformat()
        case Sequence():
            return [to_json(entry) for entry in value]
        case _:
            return object_json(value)


def object_json(value: object) -> dict[str, JsonValue]:
    """Return a mapping, an error or a dataclass as a JSON object."""
    match value:
        case Mapping():
            properties = value
        case AppError():
            properties = {"key": value.key, **value.values}
        case _ if is_dataclass(value):
            properties = {field.name: getattr(value, field.name) for field in fields(value)}
        case _:
            raise TypeError(f"no JSON form for {type(value).__name__}")
    return {str(name): to_json(field) for name, field in properties.items()}


def snake(name: str) -> str:
    """Return a name in snake case: TurnEnded as turn_ended."""
    return (
        "".join(f"_{letter}" if letter.isupper() else letter for letter in name).strip("_").lower()
    )


def print_each(
    services: CommandEnvironment,
    values: Sequence[T],
    line: Callable[[T], str],
    *,
    as_json: Callable[[T], Mapping[str, JsonValue]] = object_json,
    empty: str = "",
) -> None:
    """Print a line each, or a JSON object each; `empty`: the text if there are none."""
    for value in values:
        if services.as_json:
            services.print_json(as_json(value))
        else:
            services.print_line(line(value))
    if empty and not values and not services.as_json:
        services.say(empty)


def plain(markdown: str) -> str:
    """Return an answer for a terminal: internal links become the title and the session's id."""
    return re.sub(_OWN_LINK, r"\1 (\2)", markdown)


def describe_ended(services: CommandServices, *, is_told: bool = True) -> None:
    """Describe ended sessions and check claims that are due before the command returns."""
    from desktop.memory.active_memory import preference_name  # noqa: PLC0415 - loaded with the rest

    for described in services.core.assistant.describe_pending(lambda: False):
        if not is_told or services.as_json:
            continue
        if session := described.session:
            services.say("session.described", title=session.title or session.opening)
        for fact in described.learned.new if described.learned else ():
            services.say("memory.remembered", fact=fact.content)
        for preference in described.preferences:
            services.say(
                "preferences.in_effect", preference=preference_name(preference, services.texts)
            )
    deque(services.core.claims.check_due(lambda: False), maxlen=0)


@contextmanager
def written_to(services: CommandServices, path: str | None) -> Iterator[Callable[[str], object]]:
    """Yield a stream to a file, or to stdout; control characters are removed only for a terminal.

    The file is written completely, or stays as it was.
    """
    if path is None:
        yield services.print_text if services.stdout.isatty() else services.stdout.write
        return
    target = Path(path)
    with (
        raising_not_written(target),
        write_beside(target, is_export=True) as partial,
        partial.open("w", encoding="utf-8") as file,
    ):
        yield file.write


def since_and_until(values: Mapping[str, JsonValue]) -> tuple[datetime | None, datetime | None]:
    """Return the bounds `since` (inclusive) and `until` (exclusive); raises UsageError."""
    since, until = _moment(values, "since"), _moment(values, "until", is_end=True)
    if since and until and since >= until:
        raise UsageError(detail=f"--since {values['since']} --until {values['until']}")
    return since, until


def _moment(
    values: Mapping[str, JsonValue], name: str, *, is_end: bool = False
) -> datetime | None:
    """Parse a stored time, or a date in words ("geçen hafta"): its beginning, or its end."""
    value = values.get(name)
    if value is None:
        return None
    try:
        return parse_utc(str(value))
    except ValueError as exc:
        from desktop.language.dates.date_parser import read_period  # noqa: PLC0415 - rarely needed

        period = read_period(str(value), local_now())
        if period is None:
            raise UsageError(detail=f"--{name} {value}".rstrip()) from exc
        return period.until if is_end else period.since


def local_now() -> datetime:
    return utc_now().astimezone().replace(tzinfo=None)
