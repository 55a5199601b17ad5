"""`bellek import` and `bellek export`."""

from argparse import Namespace
from pathlib import Path

from desktop.cli.output import print_json
from desktop.cli.services import CommandServices
from desktop.domain.errors import FileNotWrittenError
from desktop.domain.ids import SessionId
from desktop.domain.messages import Role
from desktop.domain.model import JsonValue
from desktop.domain.sessions import Session, SessionStatus
from desktop.sessions.exchange import ImportReport, as_markdown, written


def import_files(services: CommandServices, options: Namespace) -> int:
    """Everything readable is imported; lines that are not are named, and make the exit code 1."""
    problems = 0
    for name in options.files:
        report = services.importer.import_file(Path(name))
        problems += len(report.problems)
        _report(services, options, name, report)
    return 1 if problems else 0


def _report(
    services: CommandServices, options: Namespace, name: str, report: ImportReport
) -> None:
    texts = services.texts
    said = [
        texts.say("import.line", n=one.line, why=texts.say(f"import.{one.key}", **one.values))
        for one in report.problems
    ]
    for sentence in said:
        print(sentence, file=services.stderr)
    if options.json:
        problems: list[JsonValue] = [
            {"line": one.line, "key": one.key, "message": sentence}
            for one, sentence in zip(report.problems, said, strict=True)
        ]
        print_json(
            services,
            {
                "file": name,
                "added": report.added,
                "already_there": report.already_there,
                "messages": report.messages,
                "problems": problems,
            },
        )
    else:
        values = {"added": report.added, "there": report.already_there}
        print(texts.say("import.done", file=name, **values), file=services.stderr)


def export(services: CommandServices, options: Namespace) -> int:
    store = services.archive.sessions
    if options.ids:
        sessions = [store.session(SessionId(one)) for one in options.ids]
    else:
        sessions = [one for one in store.sessions() if one.status is SessionStatus.COMPLETE]
    text = "".join(_written(services, session, options.format) for session in sessions)
    if options.output is None:
        services.stdout.write(text)
        return 0
    try:
        Path(options.output).write_text(text, encoding="utf-8")
    except OSError as exc:
        raise FileNotWrittenError(path=options.output, detail=exc.strerror or "") from exc
    return 0


def _written(services: CommandServices, session: Session, form: str) -> str:
    messages = services.archive.sessions.messages(session.id)
    if form == "md":
        names = {role: services.texts.say(f"cli.{role.value}") for role in Role}
        return as_markdown(session, messages, names)
    return written(session, messages) + "\n"
