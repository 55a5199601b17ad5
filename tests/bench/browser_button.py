"""From a press of the browser's button to the page in the library, with its author and DOI.

`python -m tests.bench.browser_button [PAGES]`, with Debian's chromium and without a display.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import perf_counter

from desktop.domain.language import Language
from desktop.sessions.services import Services
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive
from tests.archives import archive_in
from tests.bench.measurement import report, spread
from tests.chromium import Chromium
from tests.e2e.kill.waiting import wait_until
from tests.e2e.test_browser_button import Button, library, opened, served_site

_LOOK_S = 0.005


def main() -> None:
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with (
        TemporaryDirectory() as folder,
        served_site() as site,
        Chromium(Path(folder) / "chromium") as chromium,
    ):
        archive = archive_in(Path(folder) / "profile")
        store = SettingsStore(Paths.under(Path(folder)))
        services = Services(archive, store, Language.EN, kept_keys=MemoryKeys())
        button = Button(chromium, Path(folder) / "extension")
        chromium.go(button.page, f"{site}/login")
        chromium.go(button.page, f"{site}/article")
        opened(services)
        button.press()
        button.pair(services.browser.new_code())
        wait_until(lambda: button.badge() == "✓", "the mark of success")
        times = [_delivered_ms(button, archive, f"{site}/article?{n}") for n in range(pages)]
        services.close()
        archive.close()
    report("button", **spread(times))


def _delivered_ms(button: Button, archive: Archive, address: str) -> float:
    button.chromium.go(button.page, address)
    clock, began = Event(), perf_counter()
    button.press()
    while not _has(archive, address):
        clock.wait(_LOOK_S)
    return (perf_counter() - began) * 1000


def _has(archive: Archive, address: str) -> bool:
    there = (source for source in library(archive) if source.address == address)
    return any(archive.references.work(source.id).reference.doi for source in there)


if __name__ == "__main__":
    main()
