"""Two sessions are answered at once when the process is killed: both answers are kept."""

import multiprocessing
import os
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event, Thread

from desktop.domain.endpoints import ModelChoice, ModelRole
from desktop.domain.events import TextArrived, TurnEvent
from desktop.domain.messages import MessageState
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import Draft, SessionStatus
from desktop.sessions.services import Services
from desktop.settings.paths import Paths
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive, open_archive
from tests.archives import write_empty_archive
from tests.e2e.kill.waiting import wait_until
from tests.fakes import Says, ScriptedServer, Waits
from tests.models import endpoint_of

_QUESTIONS = ("Gelgit neden olur?", "Kutup ışığı nedir?")
_PARTS = ("Ay'ın çekimi ", "Güneş rüzgârı ")
_DRAFTS = ("Ya Güneş?", "Ya Venüs?")


def _open(folder: Path) -> tuple[Archive, Services]:
    profile, store = Paths.under(folder).profile(), SettingsStore(Paths.under(folder))
    store.load()
    archive = open_archive(profile.database, backups=profile.backups)
    return archive, Services(archive, store)


def _ask_both(folder: Path) -> None:  # in a process of its own
    _, core = _open(folder)
    assistant = core.assistant
    for place, question in enumerate(_QUESTIONS):
        if place:
            assistant.drafts.leave(Draft(_DRAFTS[0]))
            assistant.leave()
        turn, arriving = assistant.ask(question), Event()
        Thread(target=turn.run, args=(partial(_note_text, arriving),), daemon=True).start()
        arriving.wait()  # the server's answers go to the requests in the order of their arrival
    assistant.drafts.keep(Draft(_DRAFTS[1]))
    Event().wait()


def _note_text(arriving: Event, event: TurnEvent) -> None:
    if isinstance(event, TextArrived):
        arriving.set()


def _last_words(archive: Archive) -> dict[str, str]:
    sessions = archive.sessions.sessions(EVERYTHING)
    return {
        session.opening: archive.sessions.messages(session.id)[-1].content for session in sessions
    }


def test_a_kill_keeps_what_had_arrived_in_both_sessions_and_their_drafts(tmp_path: Path) -> None:
    database = Paths.under(tmp_path).profile().database
    database.parent.mkdir(parents=True)
    write_empty_archive(database)
    with ScriptedServer() as server:
        endpoint = replace(endpoint_of(server), at_once=2)
        roles = {ModelRole.ANSWERING: ModelChoice(endpoint.id, "scripted-model")}
        SettingsStore(Paths.under(tmp_path)).save(Settings(endpoints=(endpoint,), roles=roles))
        server.then(*(Says(chunks=(part, Waits(Event()), "…")) for part in _PARTS))
        child = multiprocessing.get_context("spawn").Process(target=_ask_both, args=(tmp_path,))
        child.start()
        archive, core = _open(tmp_path)
        arrived = dict(zip(_QUESTIONS, _PARTS, strict=True))
        wait_until(lambda: _last_words(archive) == arrived, "what arrived of both answers")
        wait_until(lambda: len(_drafts(archive)) == len(_DRAFTS), "both drafts")
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
    offered = core.assistant.unfinished()
    assert offered is not None
    assert offered.opening == _QUESTIONS[1]
    assert [session.opening for session in core.assistant.interrupted] == [_QUESTIONS[0]]
    assert _last_words(archive) == arrived
    sessions = archive.sessions.sessions(EVERYTHING)
    ends = {archive.sessions.messages(session.id)[-1].state for session in sessions}
    assert ends == {MessageState.INTERRUPTED}
    states = sorted(session.status for session in sessions)
    assert states == [SessionStatus.ACTIVE, SessionStatus.COMPLETE]
    core.assistant.continue_unfinished()
    assert core.assistant.drafts.read().text == _DRAFTS[1]
    core.assistant.resume(core.assistant.interrupted[0].id)
    assert core.assistant.drafts.read().text == _DRAFTS[0]
    core.close()
    archive.close()


def _drafts(archive: Archive) -> list[str]:
    sessions = archive.sessions.sessions(EVERYTHING)
    drafts = (archive.drafts.draft(session.id).text for session in sessions)
    return [draft for draft in drafts if draft]
