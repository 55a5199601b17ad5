"""A member's process: `python -m tests.syncing_process HOME ADDRESS SESSIONS`.

It writes sessions until it has as many, a line for each that is on the disk, and synchronises
after each; a server that is away is tried again with the next.
"""

import sys
from contextlib import suppress
from pathlib import Path

from desktop.domain.sync import SyncError
from tests.syncing import PASSPHRASE, SyncedDevice


def main() -> None:
    home, address, sessions = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    device = SyncedDevice(home, address)
    own = {name for name in device.sessions() if name.startswith(f"{home.name}-")}
    for number in range(len(own), sessions):
        device.ask(f"{home.name}-{number}", f"{home.name} {number}")
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
        with suppress(SyncError):
            device.syncing.run(PASSPHRASE)
    device.close()


if __name__ == "__main__":
    main()
