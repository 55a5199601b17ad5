"""A session that grows too long for the model: what is sent, and what the window says of it."""

from collections.abc import Callable
from dataclasses import replace

from desktop.domain.sessions import EndReason
from desktop.memory.summary_format import Section
from desktop.settings.paths import Paths
from desktop.settings.settings import Overflow
from desktop.settings.store import SettingsStore
from tests.e2e.person import Person
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step

_ASKED = ("Gelgit neden olur?", "Peki gelgit günde kaç kez olur?", "Gelgit en çok nerede görülür?")
_LONG = " ".join(f"Ay {day}. günde de çeker, gelgit kıyıda görülür." for day in range(60))


def _answer(request: Request) -> Step:
    if request.newest.startswith("[1] user: "):
        days = ", ".join(f"{day}." for day in range(60))
        line = f"[2] asistan: Ay'ın çekimi gelgit yapar; anılan günler: {days}"
        sections: dict[str, list[str]] = {section: [] for section in (*Section, "facts")}
        return SaysJson({**sections, Section.TIMELINE: [line]})
    if request.newest.startswith("user: "):
        return SaysJson(
            {"title": "Gelgit", "summary": "Gelgit.", "topics": ["Ay", "su", "kıyı"], "facts": []}
        )
    return Says(chunks=[_LONG])


def _grown(server: ScriptedServer, connected: Paths, overflow: Overflow) -> None:
    """A model that two long answers are too much for."""
    server.default = _answer
    store = SettingsStore(connected.settings_file)
    settings = store.load()
    endpoints = tuple(replace(one, context_tokens=2_000) for one in settings.endpoints)
    store.save(
        replace(settings, endpoints=endpoints, overflow=overflow, describes_with_model=False)
    )


def _ask_all(person: Person) -> None:
    for question in _ASKED:
        person.says(question)


def test_a_session_that_is_ended_for_its_length_says_where_it_went(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    _grown(server, connected, Overflow.END)
    person = start(connected)
    _ask_all(person)
    newer, older = person.sessions
    assert older.end_reason is EndReason.TOO_LONG
    assert person.words == [_ASKED[2], _LONG]
    (told,) = person.notices
    assert told.startswith("Önceki oturum, modelin okuyabileceğinden uzun olduğu için bitti.")
    assert "Soldaki listede duruyor" in told
    person.waits_until(lambda: {row.session_id for row in person.rows} == {newer.id, older.id})
