"""`bellek sync`: the same profile on several devices."""

from argparse import Namespace
from getpass import getpass

from desktop.cli.commands import (
    Access,
    Command,
    CommandServices,
    object_json,
    print_each,
)
from desktop.domain.errors import UsageError
from desktop.domain.json_values import JsonValue
from desktop.domain.sync import Choice, Conflict, DeviceState, SyncPassphraseError
from desktop.sessions.syncing.syncing import SyncReport


def _set_up(services: CommandServices, options: Namespace) -> None:
    if not options.place.strip():  # it would be the current folder
        raise UsageError(detail="sync setup FOLDER|URL")
    passphrase = _passphrase(services, options)
    services.core.syncing.set_up(options.place, passphrase, name=options.name or "")
    _report(services, services.core.syncing.run(passphrase))


def _now(services: CommandServices, options: Namespace) -> None:
    try:
        report = services.core.syncing.run()
    except SyncPassphraseError:
        report = services.core.syncing.run(_passphrase(services, options))
    _report(services, report)


def _status(services: CommandServices, _options: Namespace) -> None:
    """Print without the carrier, which may be away, or locked by a passphrase."""
    syncing = services.core.syncing
    if not syncing.is_on:
        services.report({"on": False}, "sync.off")
        return
    count, is_paused = len(syncing.conflicts()), syncing.is_paused
    record: dict[str, JsonValue] = {
        "on": True,
        "place": syncing.place,
        "paused": is_paused,
        "conflicts": count,
    }
    services.report_count(record, "sync.status", count, place=syncing.place)
    if is_paused and not services.as_json:
        services.say("sync.paused")


def _check(services: CommandServices, options: Namespace) -> int:
    """Return 1 if the devices differ."""
    check = services.core.syncing.check(_asked_for(services, options))
    if services.as_json:
        services.print_json(object_json(check))
    else:
        for device in check.devices:
            line = services.texts.say("sync.checked", packs=device.packs, name=device.name)
            services.print_line(f"{device.hash[:12] or '?':<12}  {line}")
        is_alone = check.equal and len(check.devices) == 1
        outcome = "equal" if check.equal else "different"
        services.say(f"sync.{'alone' if is_alone else outcome}")
    return 0 if check.equal else 1


def _devices(services: CommandServices, options: Namespace) -> None:
    def line(device: DeviceState) -> str:
        seen = f"{device.last_seen.astimezone():%Y-%m-%d %H:%M}" if device.last_seen else "-"
        return f"{device.id[:8]}  {seen:<16}  {device.waiting:>5}  {device.name}"

    devices = services.core.syncing.devices(_asked_for(services, options))
    print_each(services, devices, line, empty="sync.alone")


def _resolve(services: CommandServices, options: Namespace) -> None:
    """Settle a choice; without a number, list what is open."""
    syncing = services.core.syncing

    def line(conflict: Conflict) -> str:
        parts = (conflict.id, conflict.kind, conflict.name, conflict.field)
        values = f"{conflict.here!s:.60} | {conflict.there!s:.60}"
        return "  ".join([*filter(None, map(str, parts)), values]).replace("\n", " ")

    if options.number is None:
        print_each(services, syncing.conflicts(), line, empty="sync.no_choices")
        return
    if options.choice is None:
        raise UsageError(detail="sync resolve N here|there|both")
    syncing.resolve(options.number, Choice(options.choice))
    services.report({"resolved": options.number}, "sync.resolved")


def _forget(services: CommandServices, options: Namespace) -> None:
    if not options.device.strip():
        raise UsageError(detail="sync forget DEVICE")
    report = services.core.syncing.forget_device(options.device, _asked_for(services, options))
    if services.as_json:
        services.print_json(object_json(report))
    else:
        services.say("sync.forgotten", name=options.device)


def _leave(services: CommandServices, options: Namespace) -> None:
    if options.force:
        services.core.syncing.forget()
    else:
        services.core.syncing.leave(_asked_for(services, options))
    services.report({"left": True}, "sync.left")


def _report(services: CommandServices, report: SyncReport) -> None:
    services.report(object_json(report), "sync.done", received=report.received, sent=report.sent)
    if services.as_json:
        return
    for problem, names in report.problems.items():
        services.say(f"sync.{problem}", names=", ".join(names))
    if report.went_back:
        services.say("sync.went_back")
    if report.is_new_device:
        services.say("sync.new_device")
    if report.conflicts:
        services.say_count("sync.choices", report.conflicts)


def _asked_for(services: CommandServices, options: Namespace) -> str | None:
    """Return the passphrase only if it has to be given."""
    return None if services.core.syncing.has_key() else _passphrase(services, options)


def _passphrase(services: CommandServices, options: Namespace) -> str:
    """Raises SyncPassphraseError if nobody can be asked."""
    if options.passphrase_stdin:  # after the profile's own, if it has one
        passphrase = services.stdin.readline().rstrip("\r\n")
    elif services.can_ask():
        passphrase = getpass(services.texts.say("sync.passphrase"))
    else:
        raise SyncPassphraseError
    if not passphrase:
        raise SyncPassphraseError
    return passphrase


COMMANDS = {
    "setup": Command(_set_up, Access.WRITE),
    "now": Command(_now, Access.WRITE),
    "status": Command(_status),
    "check": Command(_check, Access.WRITE),
    "devices": Command(_devices, Access.WRITE),
    "resolve": Command(_resolve, Access.WRITE),
    "forget": Command(_forget, Access.WRITE),
    "leave": Command(_leave, Access.WRITE),
}
