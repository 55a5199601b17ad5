"""The passphrase of a profile on the command line."""

from argparse import Namespace
from getpass import getpass
from typing import TYPE_CHECKING

from desktop.cli.services import CommandEnvironment
from desktop.domain.errors import ProfileLockedError, WrongPassphraseError

if TYPE_CHECKING:
    from desktop.settings.encryption import KeyFile, ProfileKey

_ATTEMPTS = 3


def unlocked(
    environment: CommandEnvironment, options: Namespace, *, asks: bool = True
) -> "ProfileKey | None":
    """Return the key of an encrypted profile; None for a plain one, and where nothing is asked.

    Raises ProfileLockedError, WrongPassphraseError, KeyFileDamagedError.
    """
    if not environment.profile.is_encrypted:
        return None
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - of encrypted profiles only
    from desktop.settings.keys import KeyringKeys  # noqa: PLC0415 - the same

    file = KeyFile.of_profile(environment.profile.folder)
    if options.passphrase_stdin:
        return file.unlock(environment.stdin.readline().rstrip("\r\n"))
    if kept := file.kept(KeyringKeys(profile=environment.profile.folder.name)):
        return kept
    return _asked(file, environment) if asks else None


def _asked(file: "KeyFile", environment: CommandEnvironment) -> "ProfileKey":
    if not environment.stdin.isatty():
        raise ProfileLockedError
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return file.unlock(getpass(environment.texts.say("passphrase.ask")))
        except WrongPassphraseError as exc:
            if attempt == _ATTEMPTS:
                raise
            environment.note(environment.texts.error(exc))
    raise ProfileLockedError
