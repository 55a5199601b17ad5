"""`bellek project`: list, create, change and delete projects, move things, share with a group."""

from argparse import Namespace
from dataclasses import replace

from desktop.cli.commands import Access, Command, CommandServices, object_json, print_each
from desktop.domain.errors import UsageError
from desktop.domain.ids import SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.projects import NO_PROJECT, Project
from desktop.domain.sharing import Leaving, MemberShare, SharingReport
from desktop.domain.sync import SyncError
from desktop.domain.times import utc_now
from desktop.sessions.sharing.code_picture import code_picture, picture_lines
from desktop.sessions.sharing.membership import describe_member


def _list(services: CommandServices, _options: Namespace) -> None:
    def line(project: Project) -> str:
        local = services.texts.say("project.kept_local") if project.is_local_only else ""
        parts = (project.id, project.name, _contents(services, project), local)
        return "  ".join(filter(None, parts))

    print_each(services, services.archive.projects(), line, empty="project.none")


def _contents(services: CommandServices, project: Project) -> str:
    held = services.archive.project_contents(project.id)
    return ", ".join(services.texts.contents(held.counts))


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
    """Delete for good: a command has no undo. Its contents stay unless told otherwise.

    If it is shared, the others keep what came from here unless it is taken back.
    """
    project = services.archive.project_named(options.name)
    leaving = Leaving.TAKE_BACK if options.take_back else Leaving.KEEP
    change = services.core.projects.delete(
        project,
        with_contents=options.with_contents,
        leaving=Leaving.UNTOLD if options.force else leaving,
    )
    services.make_final(change)
    gone = "project.deleted_all" if options.with_contents else "project.deleted"
    _report(services, project, gone)


def _move(services: CommandServices, options: Namespace) -> None:
    ids = list(dict.fromkeys(options.ids))
    target = services.archive.project_named(options.to).id if options.to else NO_PROJECT
    services.core.projects.move(target, ids)
    services.report({"moved": ids, "project": target}, "project.moved", count=len(ids))


def _share(services: CommandServices, options: Namespace) -> None:
    """Begin to share; without a place, print the code of a project that is shared."""
    project = services.archive.project_named(options.name)
    sharing = services.core.sharing
    if options.place is not None:
        _check_place(options.place, "project share NAME FOLDER|URL")
        code = sharing.share(project, options.place, name=options.member_name or "")
    else:
        code = sharing.code(project)
    services.report({"project": project.id, "code": code}, "sharing.code", code=code)
    if not services.as_json and services.stdout.isatty():
        for line in picture_lines(code_picture(code)):
            services.print_line(line)


def _check_place(place: str, usage: str) -> None:
    if not place.strip():  # it would be the current folder
        raise UsageError(detail=usage)


def _join(services: CommandServices, options: Namespace) -> None:
    _check_place(options.place, "project join CODE FOLDER|URL")
    project = services.core.sharing.join(
        options.code, options.place, name=options.member_name or ""
    )
    _report(services, project, "sharing.joined")


def _publish(services: CommandServices, options: Namespace) -> None:
    sharing = services.core.sharing
    ids = [SessionId(id_) for id_ in dict.fromkeys(options.ids)]
    if not options.undo:
        _report_run(services, sharing.publish(ids), "sharing.published")
        return
    _report_run(services, sharing.unpublish(ids), "sharing.unpublished")


def _update(services: CommandServices, options: Namespace) -> None:
    sharing = services.core.sharing
    if options.name:
        project = services.archive.project_named(options.name)
        _report_run(services, sharing.run(project), "sharing.done")
        return
    if not sharing.projects():
        services.report({"shared": []}, "sharing.none")
    outcomes = sharing.run_all().values()
    for outcome in outcomes:
        if isinstance(outcome, SharingReport):
            _report_run(services, outcome, "sharing.done")
    for outcome in outcomes:
        if isinstance(outcome, SyncError):
            raise outcome


def _members(services: CommandServices, options: Namespace) -> None:
    project = services.archive.project_named(options.name)
    sharing = services.core.sharing
    if options.step == "leave":
        if options.force:
            sharing.forget(project)
        else:
            sharing.leave(project, takes_back=options.take_back)
        _report(services, project, "sharing.left")
        return
    if options.step == "remove":
        if not options.member:
            raise UsageError(detail="project members NAME remove MEMBER")
        code = sharing.remove(project, options.member)
        record: dict[str, JsonValue] = {"removed": options.member, "code": code}
        services.report(record, "sharing.removed", name=options.member, code=code)
        return
    print_each(
        services, sharing.members(project), lambda each: _member_line(services, each), empty=""
    )


def _member_line(services: CommandServices, member: MemberShare) -> str:
    words = ", ".join(describe_member(member, services.texts))
    seen = f"{member.seen_at.astimezone():%Y-%m-%d %H:%M}" if member.seen_at else "-"
    return f"{member.id[:8]}  {seen:<16}  {member.name}" + (f"  ({words})" if words else "")


def _report_run(services: CommandServices, report: SharingReport, key: str) -> None:
    values = {"received": report.received, "removed": report.removed, "sent": report.sent}
    services.report(object_json(report), key, **values)
    if services.as_json:
        return
    for problem, names in report.problems.items():
        services.say(f"sharing.{problem}", names=", ".join(names))
    if report.code:
        services.say("sharing.new_code", code=report.code)


def _report(services: CommandServices, project: Project, key: str) -> None:
    services.report(object_json(project), key, name=project.name)


COMMANDS = {
    "list": Command(_list),
    "create": Command(_create, Access.WRITE),
    "rename": Command(_rename, Access.WRITE),
    "local": Command(_keep_local, Access.WRITE),
    "delete": Command(_delete, Access.WRITE),
    "move": Command(_move, Access.WRITE),
    "share": Command(_share, Access.WRITE),
    "join": Command(_join, Access.WRITE),
    "publish": Command(_publish, Access.WRITE),
    "update": Command(_update, Access.WRITE),
    "members": Command(_members, Access.WRITE),
}
