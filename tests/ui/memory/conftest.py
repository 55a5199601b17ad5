"""The memory window over the real core, in its own window's program."""

from collections.abc import Callable

import pytest

from desktop.domain.facts import Fact, FactFilter, FactSupport, NewFact, Origin, Term
from desktop.domain.ids import FactId, SessionId
from desktop.domain.projects import EVERYTHING
from desktop.domain.times import utc_now
from desktop.ui.memory.fact_page import FactForm
from desktop.ui.memory.memory_page import FactsPage
from tests.archives import finished
from tests.ui.main_window.stage import Stage

QUOTE = "Ankara'da yaşıyorum"


def a_fact(
    name: str, content: str, topic: str = "Kişisel", importance: int = 7, term: Term = Term.SHORT
) -> Fact:
    return Fact(
        FactId(name), topic, content, importance, Origin.SESSION, term, valid_from=utc_now()
    )


@pytest.fixture
def stage(opens: Callable[[], Stage]) -> Stage:
    """Three facts: one has its source message, one has replaced another."""
    made = opens()
    made.archive.imports.add([finished("ev", f"Merhaba, {QUOTE}.", "Tamam.", title="Tanışma")])
    said = made.archive.sessions.messages(SessionId("ev"))[0]
    support = FactSupport(said.id, said.content.index(QUOTE), len(QUOTE))
    store = made.archive.facts
    store.add([NewFact(a_fact("eski", "İzmir'de yaşıyor."))])
    store.replace(
        FactId("eski"), NewFact(a_fact("ev", "Ankara'da yaşıyor.", importance=9), [support])
    )
    store.add([NewFact(a_fact("tez", "Tezi 14 Mayıs'ta bitecek.", "Tez", 5))])
    store.add([NewFact(a_fact("dil", "R ile çalışıyor.", "Araçlar", 3, Term.LONG))])
    made.attach()
    return made


@pytest.fixture
def memory(stage: Stage) -> FactsPage:
    return opened(stage)


def opened(stage: Stage) -> FactsPage:
    stage.window.memory.open()
    window = stage.window.memory.page
    assert window is not None
    stage.until(lambda: window.is_loaded)
    return window


def held(stage: Stage) -> set[str]:
    return {fact.content for fact in stage.archive.facts.facts(FactFilter(EVERYTHING))}


def listed(window: FactsPage) -> list[str]:
    model = window.model
    return [str(model.index(place).data()) for place in range(model.rowCount())]


def form(window: FactsPage) -> FactForm:
    """The form that is open."""
    (found,) = (one for one in window.findChildren(FactForm) if one.isVisible())
    return found
