"""Addresses in a direct answer: unknown ones are marked."""

from collections.abc import Callable

import pytest

from desktop.domain.ids import new_source_id
from desktop.domain.messages import Role
from desktop.domain.projects import EVERYTHING
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.storage.schema.database import Database
from tests.archives import NOON
from tests.fakes import CallsTool, Says
from tests.researchers import SMALL, Researcher
from tests.studies import Study
from tests.web import page, result, searxng

MADE_UP = "https://made.example/up"
MARKED = f"{MADE_UP} [?]"
READ = "https://read.example/page"


def keep(study: Study, address: str, text: str, kind: SourceKind = SourceKind.WEB) -> None:
    source = Source(new_source_id(), kind, "A page", address, NOON, NOON, address)
    study.archive.sources.add(source, [NewPassage(text)])


def test_an_unknown_address_is_marked_in_the_shown_and_the_stored_answer(study: Study) -> None:
    study.script.steps.append(
        [f"Bak: {MADE_UP[:12]}", f"{MADE_UP[12:]}. Ayrıca [şu]({MADE_UP}/iki)."]
    )
    ended = study.ask("Fotosentez nedir?")
    assert ended.text == f"Bak: {MARKED}. Ayrıca [şu]({MADE_UP}/iki)[?]."
    assert study.on_disk()[-1].content == ended.text


def test_addresses_the_user_wrote_are_not_marked(study: Study) -> None:
    study.script.steps += ["Tamam.", f"Yazdığınız http://www.made.example/up/ sayfası ve {READ}."]
    study.ask(f"{MADE_UP} sayfasını okumuştum, sen ne dersin?")
    ended = study.ask("Hangi sayfaydı o?")
    assert ended.text == f"Yazdığınız http://www.made.example/up/ sayfası ve {READ} [?]."


def test_addresses_that_were_read_or_are_in_the_library_are_not_marked(study: Study) -> None:
    keep(study, READ, "Bir sayfa.")
    named = f"Ayrıntılar için {MADE_UP}?x=1 sayfasına bakın."
    keep(study, "/kitaplar/a.pdf", named, SourceKind.DOCUMENT)
    study.script.steps.append(
        f"Bak: http://read.example/page#son ve {MADE_UP}?x=1 ve {MADE_UP}?x=2 var."
    )
    ended = study.ask("Fotosentez nedir?")
    assert ended.text == (
        f"Bak: http://read.example/page#son ve {MADE_UP}?x=1 ve {MADE_UP}?x=2 [?] var."
    )


def test_addresses_removed_from_the_library_are_unknown(study: Study) -> None:
    keep(study, READ, f"Bir sayfa, {MADE_UP} gibi.")
    (source,) = study.archive.sources.sources(EVERYTHING)
    study.archive.sources.remove(source.id)
    study.script.steps.append(f"Bak: {READ} ve {MADE_UP} sayfaları.")
    ended = study.ask("Fotosentez nedir?")
    assert ended.text == f"Bak: {READ} [?] ve {MARKED} sayfaları."


def test_an_imported_answer_confirms_no_address(study: Study) -> None:
    study.script.steps += ["Tamam.", f"O bağlantı {MADE_UP} idi."]
    study.ask("Fotosentez nedir?")
    imported = study.active.add(Role.ASSISTANT, f"Bak: {MADE_UP} sayfası.")
    assert imported.model is None
    assert study.ask("Hangi bağlantıydı?").text == f"O bağlantı {MARKED} idi."


def test_an_address_is_marked_if_the_disk_cannot_be_asked(study: Study) -> None:
    keep(study, READ, "Bir sayfa.")

    def lose_the_table() -> None:
        with Database(study.database).writing() as db:
            db.exec_driver_sql("DROP TABLE sources")

    study.script.steps.append([lose_the_table, f"Bak: {READ} sayfası."])
    assert study.ask("Fotosentez nedir?").text == f"Bak: {READ} [?] sayfası."


@pytest.fixture
def someone(hired: Callable[..., Researcher]) -> Researcher:
    someone = hired(can=("tools",))
    someone.turn_web_on()
    return someone


def test_a_page_that_a_tool_read_is_known_and_one_that_a_search_only_named_is_not(
    someone: Researcher,
) -> None:
    someone.loopback.put("/read", page("Read", "It is a page about the olive trees."))
    read = someone.loopback.url("/read", host="site.example")
    named = someone.loopback.url("/named", host="site.example")
    someone.loopback.put("/search", searxng(result("Read", read), result("Named", named)))
    someone.server.then(
        CallsTool("web_search", {"words": "olive trees"}),
        CallsTool("web_fetch", {"address": read}),
        Says(f"See {read} and {named} there.", usage=SMALL),
    )
    ended = someone.study.ask("Could you look that up for me?")
    assert ended.text == f"See {read} and {named} [?] there."
