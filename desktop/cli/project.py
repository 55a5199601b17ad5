"""`bellek project`: list, create, rename, delete, and move sessions and documents."""

from argparse import Namespace
from dataclasses import replace

from desktop.cli.commands import Access, Command, CommandServices, object_json, print_each
from desktop.domain.errors import UsageError
from desktop.domain.projects import NO_PROJECT, Project
from desktop.domain.times import utc_now


def _list(services: CommandServices, _options: Namespace) -> None:
    def line(project: Project) -> str:
        local = services.texts.say("project.kept_local") if project.is_local_only else ""
        parts = (project.id, project.name, _contents(services, project), local)
        return "  ".join(filter(None, parts))

    print_each(services, services.archive.projects(), line, empty="project.none")


def _contents(services: CommandServices, project: Project) -> str:
    held = services.archive.project_contents(project.id)
    return services.texts.say(
        "project.contents", sessions=held.sessions, sources=held.sources, facts=held.facts
    )


def _create(services: CommandServices, options: Namespace) -> None:
    if not options.name.strip():
        raise UsageError(detail="project create NAME")
    draft = Project(NO_PROJECT, options.name, utc_now(), options.instructions or "")
    _report(services, services.core.projects.create(draft), "project.created")


def _rename(services: CommandServices, options: Namespace) -> None:
    if not options.new.strip():
        raise UsageError(detail="project rename NAME NEW_NAME")
    project = services.archive.project_named(options.name)
    change = services.core.projects.edit(replace(project, name=options.new))
    _report(services, change.value, "project.renamed")


def _keep_local(services: CommandServices, options: Namespace) -> None:
    project = services.archive.project_named(options.name)
    is_local_only = options.switch == "on"
    change = services.core.projects.edit(replace(project, is_local_only=is_local_only))
    key = "project.local_only" if is_local_only else "project.reaches_out"
    _report(services, change.value, key)


def _delete(services: CommandServices, options: Namespace) -> None:
    """Delete for good: a command has no undo. Its contents stay unless told otherwise."""
    project = services.archive.project_named(options.name)
    change = services.core.projects.delete(project, with_contents=options.with_contents)
    services.make_final(change)
    gone = "project.deleted_all" if options.with_contents else "project.deleted"
    _report(services, project, gone)


def _move(services: CommandServices, options: Namespace) -> None:
    ids = list(dict.fromkeys(options.ids))
    target = services.archive.project_named(options.to).id if options.to else NO_PROJECT
    services.core.projects.move(target, ids)
    services.report({"moved": ids, "project": target}, "project.moved", count=len(ids))


def _report(services: CommandServices, project: Project, key: str) -> None:
    services.report(object_json(project), key, name=project.name)


COMMANDS = {
    "list": Command(_list),
    "create": Command(_create, Access.WRITE),
    "rename": Command(_rename, Access.WRITE),
    "local": Command(_keep_local, Access.WRITE),
    "delete": Command(_delete, Access.WRITE),
    "move": Command(_move, Access.WRITE),
}
