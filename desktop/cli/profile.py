"""`bellek profile`: list, create, rename and delete profiles; their passphrases."""

from argparse import Namespace
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.cli.commands import Access, Command, CommandEnvironment, object_json, print_each
from desktop.domain import errors
from desktop.domain.backups import BackupLockedError
from desktop.sessions.archive_care import check_room, convert_or_undo
from desktop.settings.profiles import Profiles, ProfileSummary

if TYPE_CHECKING:
    from desktop.settings.encryption import KeyFile, ProfileKey

_ATTEMPTS = 3


def unlocked(
    environment: CommandEnvironment, options: Namespace, *, asks: bool = True
) -> "ProfileKey | None":
    """Return the key of an encrypted profile; None for a plain one, or if nothing may be asked.

    Raises ProfileLockedError, WrongPassphraseError, KeyFileDamagedError.
    """
    if not environment.profile.is_encrypted:
        return None
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - of encrypted profiles only
    from desktop.settings.keys import KeyringKeys  # noqa: PLC0415 - the same

    file = KeyFile.of_profile(environment.profile.folder)
    if options.passphrase_stdin:
        return file.unlock(_line(environment))
    if key := file.key_from_keyring(KeyringKeys(profile=environment.profile.folder.name)):
        return key
    return _asked(file, environment) if asks else None


def key_of_backup(
    environment: CommandEnvironment, options: Namespace, backup: Path
) -> "ProfileKey | None":
    """Return the key of a backup, which may be of another profile; None for a plain one."""
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - rarely needed

    file = KeyFile.of_backup(backup)
    if file.is_opened_by(environment.key):
        return environment.key
    if options.passphrase_stdin:
        return file.unlock(_line(environment))
    if not environment.stdin.isatty():
        raise BackupLockedError(path=str(backup))
    return _asked(file, environment, "passphrase.ask_backup")


def change_passphrase(environment: CommandEnvironment, options: Namespace) -> int:
    """Set, change or turn off the passphrase; the profile is converted on return."""
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - rarely needed
    from desktop.settings.keys import KeyringKeys  # noqa: PLC0415 - the same

    file, key = KeyFile.of_profile(environment.profile.folder), environment.key
    if key is None and (options.remove or options.recovery or options.keep_in_keyring):
        raise errors.UsageError(detail=environment.texts.say("passphrase.none"))
    if key is None:
        check_room(environment.profile, encrypted=True)
        key, recovery = file.create(_chosen(environment, options))
        _convert(environment, key)
        environment.report({"recovery": recovery}, "passphrase.set", recovery=recovery)
    elif options.remove:
        check_room(environment.profile, encrypted=False)
        file.turn_off(key)
        _convert(environment, key)
        environment.report({"encrypted": False}, "passphrase.removed")
    elif options.recovery:
        recovery = file.renew_recovery(key)
        environment.report({"recovery": recovery}, "passphrase.recovery", recovery=recovery)
    elif options.keep_in_keyring:
        is_kept = file.keep(key, KeyringKeys(profile=environment.profile.folder.name))
        message_key = "passphrase.kept" if is_kept else "passphrase.no_keyring"
        environment.report({"kept": is_kept}, message_key)
        return 0 if is_kept else 1
    else:
        file.change(key, _chosen(environment, options))
        environment.report({"changed": True}, "passphrase.changed")
    return 0


def _convert(environment: CommandEnvironment, key: "ProfileKey") -> None:
    def tell(share: float) -> None:
        if environment.stderr.isatty():
            text = environment.texts.say("passphrase.progress", percent=round(100 * share))
            print(f"\r{text}", end="", file=environment.stderr, flush=True)

    convert_or_undo(environment.profile, key, tell)
    if environment.stderr.isatty():
        print(file=environment.stderr)


def _chosen(environment: CommandEnvironment, options: Namespace) -> str:
    if options.passphrase_stdin:
        chosen = again = _line(environment)
    elif environment.stdin.isatty():
        chosen = getpass(environment.texts.say("passphrase.new"))
        again = getpass(environment.texts.say("passphrase.again"))
    else:
        raise errors.ProfileLockedError
    if not chosen or chosen != again:
        raise errors.UsageError(detail=environment.texts.say("passphrase.differ"))
    return chosen


def _line(environment: CommandEnvironment) -> str:
    return environment.stdin.readline().rstrip("\r\n")


def _asked(
    file: "KeyFile", environment: CommandEnvironment, prompt: str = "passphrase.ask"
) -> "ProfileKey":
    if not environment.stdin.isatty():
        raise errors.ProfileLockedError
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return file.unlock(getpass(environment.texts.say(prompt)))
        except errors.WrongPassphraseError as exc:
            if attempt == _ATTEMPTS:
                raise
            environment.note(environment.texts.error(exc))
    raise errors.ProfileLockedError


def _list(environment: CommandEnvironment, _options: Namespace) -> None:
    texts = environment.texts

    def line(summary: ProfileSummary) -> str:
        when = f"{summary.used_at.astimezone():%Y-%m-%d %H:%M}" if summary.used_at else "-"
        marks = (("encrypted", summary.is_encrypted), ("open", summary.is_open))
        status = "  ".join(texts.say(f"profile.{key}") for key, is_so in marks if is_so)
        return (
            f"{summary.name}  {texts.megabytes(summary.size_bytes)} MB  {when}  {status}".rstrip()
        )

    print_each(environment, Profiles(environment.paths).summaries(), line, empty="profile.none")


def _create(environment: CommandEnvironment, options: Namespace) -> None:
    Profiles(environment.paths).create(options.name)
    environment.report({"name": options.name}, "profile.created", name=options.name)


def _rename(environment: CommandEnvironment, options: Namespace) -> None:
    Profiles(environment.paths).rename(options.name, options.new)
    record = {"name": options.new, "was": options.name}
    environment.report(record, "profile.renamed", name=options.name, new=options.new)


def _delete(environment: CommandEnvironment, options: Namespace) -> int:
    profiles = Profiles(environment.paths)
    summary = profiles.summary(options.name)
    size = environment.texts.megabytes(summary.size_bytes)
    if not options.yes and not environment.confirm(
        "profile.confirm", name=summary.name, size=size
    ):
        environment.say("profile.kept")
        return 1
    profiles.delete(options.name)
    environment.report(object_json(summary), "profile.deleted", name=options.name)
    return 0


COMMANDS = {
    "list": Command(_list, Access.NONE),
    "create": Command(_create, Access.NONE),
    "rename": Command(_rename, Access.NONE),
    "delete": Command(_delete, Access.NONE),
    "passphrase": Command(change_passphrase, Access.REPLACE),
}
