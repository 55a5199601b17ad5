"""What a benchmark's profile is, in a module that imports little."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.settings.encryption import ProfileKey

KEY = "BELLEK_BENCH_KEY"
"""In the environment of a benchmark of encrypted profiles, in hexadecimal digits."""

SYNCED = "BELLEK_BENCH_SYNCED"
"""In the environment of a benchmark of profiles that are synchronised."""


def bench_key() -> "ProfileKey | None":
    """The key of this benchmark's profiles; None if they have no passphrase."""
    if KEY not in os.environ:
        return None
    from desktop.settings.encryption import ProfileKey  # noqa: PLC0415 - as the program imports it

    return ProfileKey(bytes.fromhex(os.environ[KEY]))


def unlock_silently() -> None:
    """Let the keyring open the encrypted profile of a benchmark."""
    if key := bench_key():
        from desktop.ui.profile.locking import Unlocking  # noqa: PLC0415 - Qt, for windows alone

        setattr(Unlocking, "_key_from_keyring", lambda _: key)  # noqa: B010 - a stand-in for the keyring
