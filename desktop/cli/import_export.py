"""Files that enter and leave the archive: `bellek import`, `export`, `backup` and `restore`."""

import errno
import os
from argparse import Namespace
from pathlib import Path

from desktop.cli.arguments import AUTO
from desktop.cli.commands import (
    Access,
    Command,
    CommandEnvironment,
    CommandServices,
    object_json,
    print_each,
    written_to,
)
from desktop.cli.profile import key_of_backup
from desktop.domain.backups import BackupPreview
from desktop.domain.errors import FileNotWrittenError, UsageError
from desktop.domain.facts import MemoryProposal
from desktop.domain.ids import ProposalId, SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import EVERYTHING
from desktop.research.library import AddOutcome
from desktop.sessions import archive_care
from desktop.sessions.exporting.contents import ExportFormat
from desktop.sessions.exporting.formats import FORMATS, MARKDOWN, PANDOC_MARKDOWN
from desktop.sessions.importing.import_reports import ImportReport, outcome_words, problem_words
from desktop.sessions.importing.import_types import ImportFormat
from desktop.settings.paths import asset


def import_files(services: CommandServices, options: Namespace) -> int:
    """Import everything readable; the rest is named, and makes the exit code 1."""
    if options.memories:
        return _decide_memories(services, options)
    if not options.files or not all(options.files):  # an empty path would mean the current folder
        raise UsageError(detail="import FILE…")
    problems = 0
    form = None if options.format == AUTO else ImportFormat(options.format)
    importer = services.core.importer.choosing([Path(name) for name in options.files])
    for name in options.files:
        report = importer.import_file(Path(name), form)
        problems += len(report.problems)
        _print_report(services, name, report)
    if options.wait:
        services.core.meanings.embed_due(lambda: False)
    return 1 if problems else 0


def _decide_memories(services: CommandServices, options: Namespace) -> int:
    """List what other assistants remember, or confirm or decline some of it, or all."""
    waiting = services.archive.proposals(EVERYTHING)
    if options.memories == "list":
        projects = {project.id: project.name for project in services.archive.projects()}

        def describe(proposal: MemoryProposal) -> str:
            project = projects.get(proposal.project, "")
            return "  ".join(filter(None, (proposal.id, project, proposal.text)))

        print_each(services, waiting, describe, empty="import.no_proposal")
        return 0
    known = [proposal.id for proposal in waiting]
    ids = [ProposalId(name) for name in options.files] or known
    if unknown := [name for name in ids if name not in known]:
        raise UsageError(detail=f"--memories {options.memories} {unknown[0]}")
    if options.memories == "accept":
        learned = services.core.proposals.confirm(ids)
        count, key = len(learned), "confirmed"
    else:
        count, key = services.core.proposals.decline(ids), "declined"
    if services.as_json:
        services.print_json({key: count})
    else:
        services.say_count(f"import.{key}", count)
    return 0


def _add_examples(services: CommandServices, _options: Namespace) -> None:
    path = asset("resources", "examples", "library.jsonl")
    _print_report(services, path.name, services.core.importer.import_file(path))


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
            "error": {"key": problem.key, **problem.values},
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
            "projects": report.records.projects,
            "documents": report.records.added,
            "documents_known": report.records.documents[AddOutcome.KNOWN],
            "proposals": report.records.proposals,
            "left_out": object_json({key: n for key, n in report.left_out.items() if n}),
            "problems": problems,
            "more_problems": report.more_problems,
        }
    )


def _export(services: CommandServices, options: Namespace) -> None:
    exporter = services.core.exporter
    form, bibliography = _form_of(options)
    if not (form.holds_many or len(options.ids) == 1) or not (form.is_text or options.output):
        needed = "" if form.is_text else " -o PATH"
        raise UsageError(detail=f"export ID --format {form.name}{needed}", command="bellek export")
    sessions = [
        services.archive.session(SessionId(session_id)) for session_id in options.ids
    ] or None
    if sessions is None and not exporter.find_exportable():
        services.say("cli.no_session")
        return  # a file that is there already stays as it is
    if bibliography:
        exporter.write_bibliography(bibliography, sessions)
    if options.output:
        for _ in exporter.write_all(Path(options.output), lambda: False, sessions, form):
            pass
    else:
        with written_to(services, None) as write:
            for piece in exporter.export_sessions(form, sessions):
                write(piece.decode())
    if services.key is not None:
        services.say("export.plain")


def _form_of(options: Namespace) -> tuple[ExportFormat, Path | None]:
    """Return the format and, for Pandoc, the file of the works beside the export."""
    if options.citations != "pandoc":
        return next(form for form in FORMATS if form.name == options.format), None
    target = Path(options.output or "")
    if options.format != MARKDOWN.name or not target.name or target.suffix.lower() == ".bib":
        detail = "export --format md --citations pandoc -o PATH.md"
        raise UsageError(detail=detail, command="bellek export")
    return PANDOC_MARKDOWN, target.with_suffix(".bib")


def _backup(services: CommandServices, options: Namespace) -> None:
    """Write a copy of the archive without deleted items, whether their deletion is final or not.

    It has no keys: they are in the system's keyring, never in the archive.
    """
    done = services.core.care.write_backup(_target(services, options.path))
    path = str(done.path.absolute())
    counts = {"sessions": done.contents.sessions, "messages": done.contents.messages}
    if services.as_json:
        services.print_json({"path": path, **counts, "bytes": done.size_bytes})
    else:
        services.print_line(path)
        for sentence in archive_care.describe_written(done, services.texts):
            services.note(sentence)


def _restore(environment: CommandEnvironment, options: Namespace) -> None:
    """Restore a backup; the archive that was there is kept in the profile's backups."""
    if not options.path:  # an empty path would mean the current folder
        raise UsageError(detail="restore PATH")
    profile = environment.profile
    source = Path(options.path)
    source_key = key_of_backup(environment, options, source)
    if options.preview:
        _preview(environment, source, archive_care.look_into_backup(source, source_key))
        return
    done = archive_care.restore_backup(
        source,
        database=profile.database,
        backups=profile.backups,
        key=environment.key,
        key_of_source=source_key,
    )
    counts = {"sessions": done.contents.sessions, "messages": done.contents.messages}
    record = {
        "restored": str(Path(options.path).absolute()),
        "path": str(profile.database),
        **counts,
        "kept": str(done.kept) if done.kept else None,
        "from_version": done.was_version,
        "version": archive_care.SCHEMA_VERSION,
    }
    environment.report(record, "backup.restored", **_shown(environment, counts))
    if done.kept and not environment.as_json:
        environment.say("backup.kept", path=str(done.kept))


def _preview(environment: CommandEnvironment, source: Path, preview: BackupPreview) -> None:
    if environment.as_json:
        record: dict[str, JsonValue] = {
            "path": str(source.absolute()),
            "sessions": preview.contents.sessions,
            "messages": preview.contents.messages,
            "documents": preview.documents,
            "first": preview.first_day,
            "last": preview.last_day,
            "bytes": preview.size_bytes,
        }
        environment.print_json(record)
    else:
        environment.note(archive_care.describe_backup(preview, environment.texts))


def _shown(environment: CommandEnvironment, counts: dict[str, int]) -> dict[str, str]:
    return {name: environment.texts.number(n) for name, n in counts.items()}


def _backup_locked(environment: CommandEnvironment, options: Namespace) -> None:
    """Copy the encrypted archive, with its log and its key file, without the passphrase."""
    target = _target(environment, options.path)
    archive_care.copy_locked(environment.profile, target)
    path = str(target.absolute())
    environment.report({"path": path, "locked": True}, "backup.locked", path=path)


def _target(services: CommandEnvironment, named: str) -> Path:
    if not named:
        raise UsageError(detail="backup PATH")
    path = Path(named)
    if path.is_dir():
        return archive_care.find_free_path(
            path, archive_care.suggest_backup_name(services.profile.folder.name)
        )
    if named.endswith((os.sep, os.altsep or os.sep)):  # a folder that does not exist
        raise FileNotWrittenError(path=named, detail=os.strerror(errno.ENOENT))
    return path


COMMANDS = {
    "import": Command(import_files, Access.WRITE),
    "add": Command(_add_examples, Access.WRITE),
    "export": Command(_export),
    "backup": Command(_backup, locked=_backup_locked),
    "restore": Command(_restore, Access.REPLACE),
}
