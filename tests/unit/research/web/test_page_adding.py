"""A page is in the library once, however its address is written."""

from collections.abc import Callable
from functools import partial

from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING
from desktop.research.library import AddOutcome, ImportedPage, import_page
from desktop.research.web.web import Web as OurWeb
from desktop.research.web.web import web_of
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive
from tests.web import Web, page

TEXT = "Damla sulama, yağmurlama sulamaya göre yüzde otuz sekiz daha az su kullandı."


def adding(web: Web, archive: Archive) -> Callable[..., ImportedPage]:
    settings = Settings(uses_web=True, web_at_home=web.at_home)
    made: OurWeb = web_of(archive, lambda _: settings, lambda: Language.TR)
    return partial(import_page, made, archive.sources)


def test_the_same_address_twice_is_one_document(web: Web, archive: Archive) -> None:
    address = web.put("/su", page("Sulama", TEXT))
    add = adding(web, archive)
    assert add(address).outcome is AddOutcome.ADDED
    assert add(f"  {address}#giris ").outcome is AddOutcome.KNOWN
    assert [one.title for one in archive.sources.sources(EVERYTHING)] == ["Sulama"]
