"""Without a model past sessions are quoted with links to them."""

import re
from collections.abc import Callable

from desktop.domain.ids import SessionId
from desktop.settings.paths import Paths
from desktop.settings.settings import Settings, UiLanguage
from desktop.settings.store import SettingsStore
from tests.e2e.person import Person


def test_without_a_model_past_sessions_are_quoted_with_links_that_lead_there(
    data: Paths, start: Callable[[Paths], Person]
) -> None:
    SettingsStore(data).save(Settings(language=UiLanguage.TR, welcomed=True))
    person = start(data)
    person.presses("Örnek oturumları ekle")
    person.waits_until(lambda: "imported" in person.strips)
    person.waits_until(lambda: not person.archive.index.unindexed())
    person.says("Somogyi etkisi nedir?")
    answer = person.words[-1]
    assert "model" in answer
    link = re.search(r"bellek://session/([^?)]+)\?message=(\d+)", answer)
    assert link is not None
    assert person.shown[-1].content == answer
    person.waits_until(lambda: bool(person.messages[-1].facts.citations))
    quoted = person.messages[-1].facts.citations[0]
    source = person.archive.sessions.messages(SessionId(quoted.source_id))
    assert any(quoted.quote in message.content for message in source)

    person.program.window.desk.follow(person.messages[-1].message.id, link[0])
    person.waits_until(lambda: person.program.window.sessions.is_past_shown)
    shown = person.program.window.sessions.shown
    assert shown is not None
    assert shown.id == link[1]
    found = next(entry for entry in person.messages if str(entry.message.id) == link[2])
    assert found in person.parts.transcript.live
