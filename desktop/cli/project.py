"""`bellek project`: list, create, rename, delete, and move sessions and documents."""

from argparse import Namespace
from dataclasses import replace

from desktop.cli.commands import Access, Command, CommandServices, object_json, print_each
from desktop.domain.errors import UsageError
from desktop.domain.ids import SessionId, SourceId
from desktop.domain.projects import NO_PROJECT, Project


def _list(services: CommandServices, _options: Namespace) -> int:
    store = services.archive.projects

    def line(one: Project) -> str:
        return f"{one.id}  {one.name}  {_contents(services, one)}"

    print_each(services, store.projects(), line, empty="project.none")
    return 0


def _contents(services: CommandServices, project: Project) -> str:
    held = services.archive.projects.contents(project.id)
    return services.texts.say(
        "project.contents", sessions=held.sessions, sources=held.sources, facts=held.facts
    )


def _create(services: CommandServices, options: Namespace) -> int:
    if not options.name.strip():
        raise UsageError(detail="project create NAME")
    store = services.archive.projects
    project = store.create(options.name)
    if options.instructions:
        store.edit(replace(project, instructions=options.instructions))
    return _report(services, store.named(project.id), "project.created")


def _rename(services: CommandServices, options: Namespace) -> int:
    if not options.new.strip():
        raise UsageError(detail="project rename NAME NEW_NAME")
    store = services.archive.projects
    project = store.named(options.name)
    store.edit(replace(project, name=options.new))
    return _report(services, store.named(project.id), "project.renamed")


def _delete(services: CommandServices, options: Namespace) -> int:
    """Delete for good: a command has no undo. Its contents stay unless told otherwise."""
    project = services.archive.projects.named(options.name)
    services.archive.projects.delete(project.id, with_contents=options.with_contents)
    services.archive.purge_deleted()
    gone = "project.deleted_all" if options.with_contents else "project.deleted"
    return _report(services, project, gone)


def _move(services: CommandServices, options: Namespace) -> int:
    archive = services.archive
    target = archive.projects.named(options.to).id if options.to else NO_PROJECT
    known = archive.projects.places(options.ids)
    for one in options.ids:
        if one not in known:
            archive.sessions.session(SessionId(one))  # raises SessionUnknownError
    archive.projects.move(target, map(SessionId, known), map(SourceId, known))
    services.report({"moved": list(known), "project": target}, "project.moved", count=len(known))
    return 0


def _report(services: CommandServices, project: Project, key: str) -> int:
    services.report(object_json(project), key, name=project.name)
    return 0


COMMANDS = {
    "list": Command(_list),
    "create": Command(_create, Access.WRITE),
    "rename": Command(_rename, Access.WRITE),
    "delete": Command(_delete, Access.WRITE),
    "move": Command(_move, Access.WRITE),
}
