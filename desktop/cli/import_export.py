"""`bellek import` and `bellek export`."""

from argparse import Namespace
from pathlib import Path

from desktop.cli.commands import Access, Command, CommandServices, object_json, written_to
from desktop.cli.parser import AUTO
from desktop.domain.errors import UsageError
from desktop.domain.ids import SessionId
from desktop.domain.json_values import JsonValue
from desktop.sessions.exporting.formats import FORMATS
from desktop.sessions.importing.import_types import ImportFormat
from desktop.sessions.importing.importer import ImportReport, outcome_words, problem_words
from desktop.settings.paths import asset


def import_files(services: CommandServices, options: Namespace) -> int:
    """Import everything readable; the rest is named, and makes the exit code 1."""
    if not all(options.files):  # an empty path would mean the current folder
        raise UsageError(detail="import FILE…")
    problems = 0
    form = None if options.format == AUTO else ImportFormat(options.format)
    for name in options.files:
        report = services.core.importer.import_file(Path(name), form)
        problems += len(report.problems)
        _print_report(services, name, report)
    if options.wait:
        services.core.meanings.embed_due(lambda: False)
    return 1 if problems else 0


def _add_examples(services: CommandServices, _options: Namespace) -> int:
    path = asset("resources", "examples", "library.jsonl")
    _print_report(services, path.name, services.core.importer.import_file(path))
    return 0


def _print_report(services: CommandServices, name: str, report: ImportReport) -> None:
    sentences = [problem_words(services.texts, problem) for problem in report.problems]
    for sentence in sentences:
        services.note(sentence)
    if not services.as_json:
        for sentence in outcome_words(services.texts, name, report):
            services.note(sentence)
        return
    problems: list[JsonValue] = [
        {
            "line" if problem.is_line else "conversation": problem.number or None,
            "file": problem.file or None,
            "key": problem.key,
            "message": sentence,
        }
        for problem, sentence in zip(report.problems, sentences, strict=True)
    ]
    services.print_json(
        {
            "file": name,
            "format": report.form,
            "added": report.added,
            "grown": report.grown,
            "already_there": report.already_there,
            "messages": report.messages,
            "prompts": report.prompts,
            "left_out": object_json({key: n for key, n in report.left_out.items() if n}),
            "problems": problems,
            "more_problems": report.more_problems,
        }
    )


def _export(services: CommandServices, options: Namespace) -> int:
    exporter = services.core.exporter
    form = next(export_format for export_format in FORMATS if export_format.name == options.format)
    if not (form.holds_many or len(options.ids) == 1) or not (form.is_text or options.output):
        needed = "" if form.is_text else " -o PATH"
        raise UsageError(detail=f"export ID --format {form.name}{needed}", command="bellek export")
    sessions = [
        services.archive.session(SessionId(session_id)) for session_id in options.ids
    ] or None
    if sessions is None and not exporter.find_exportable():
        services.say("cli.no_session")
        return 0  # a file that is there already stays as it is
    if options.output:
        for _ in exporter.write_all(Path(options.output), lambda: False, sessions, form):
            pass
    else:
        with written_to(services, None) as write:
            for piece in exporter.export_sessions(form, sessions):
                write(piece.decode())
    if services.key is not None:
        services.say("export.plain")
    return 0


COMMANDS = {
    "import": Command(import_files, Access.WRITE),
    "add": Command(_add_examples, Access.WRITE),
    "export": Command(_export),
}
