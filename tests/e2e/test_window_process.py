"""The window as a process: killed in mid-answer, started twice, terminated."""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from desktop.domain.errors import StorageError
from desktop.domain.messages import MessageState
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import Draft, EndReason, SessionStatus
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.settings.profile import ProfileLock
from desktop.storage.archive import Archive, open_archive, open_for_reading
from tests.e2e.conftest import connect
from tests.e2e.kill import waiting
from tests.e2e.person import Person, describes, description
from tests.e2e.window_process import WindowProcess, own_display, run_command
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step, Waits

_QUESTION = "Gelgit neden olur"
_DRAFT = "sonra sorulacak"
_LONG = "".join(
    f"Gelgitin {number}. günü hakkında bir paragraf daha var.\n\n" for number in range(80)
)
_PART = "Ay'ın çekimi okyanusu kabartır; "
_A_LINE = 20

wait_until = partial(waiting.wait_until, every_s=0.05)  # a look opens the archive


@dataclass
class Sea:
    """The server's part: a long answer first, then an endless one."""

    hanging: Waits = field(default_factory=lambda: Waits(Event()))
    is_slow: bool = False

    def __call__(self, request: Request) -> Step:
        if describes(request):
            return SaysJson(description("Gelgit"))
        if self.is_slow:
            return Says(chunks=[_PART, self.hanging, "kıyıda görülür."])
        return Says(chunks=[_LONG])


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    with own_display() as name:
        yield name


def _archive(folder: Path) -> Archive:
    profile = Paths.under(folder).profile(DEFAULT_PROFILE)
    return open_archive(profile.database, backups=profile.backups)


def _saved(folder: Path) -> list[str]:
    """Read the newest session from the disk while its owner is running."""
    try:
        archive = open_for_reading(Paths.under(folder).profile(DEFAULT_PROFILE).database)
    except StorageError:  # its tables are just being made
        return []
    try:
        found = archive.sessions.sessions(EVERYTHING, limit=1)
        return [one.content for one in archive.sessions.messages(found[0].id)] if found else []
    except StorageError:
        return []
    finally:
        archive.close()


def _kept_draft(folder: Path) -> Draft:
    archive = open_for_reading(Paths.under(folder).profile(DEFAULT_PROFILE).database)
    try:
        active = archive.sessions.active()
        return archive.drafts.draft(active.id) if active else Draft()
    finally:
        archive.close()


def _ask_twice(folder: Path, process: WindowProcess, sea: Sea) -> None:
    """Ask for a long answer, then one that is still streaming on return."""
    process.wait_for_window()
    process.type(_QUESTION)
    process.press("Return")
    wait_until(lambda: _database(folder).exists() and _LONG in _saved(folder), "a saved answer")
    sea.is_slow = True
    process.type(f"peki {_QUESTION}")

    def is_answered() -> bool:
        process.press("Return")  # sends nothing while the first turn ends, nor once it is sent
        return _saved(folder)[-1:] == [_PART]

    wait_until(is_answered, "part of an answer on the disk")


def _database(folder: Path) -> Path:
    return Paths.under(folder).profile(DEFAULT_PROFILE).database


def test_after_a_kill_the_window_offers_to_continue_and_restores_everything(
    data: Paths, display: str, start: Callable[[Paths], Person]
) -> None:
    """The window is killed in mid-answer, with a draft, scrolled up."""
    folder, sea = data.data, Sea()
    with ScriptedServer(default=sea) as server:
        connect(data, server.url)
        with WindowProcess(folder, display) as process:
            _ask_twice(folder, process, sea)
            process.type(_DRAFT)
            wait_until(lambda: _kept_draft(folder).text == _DRAFT, "a draft on the disk")
            process.turn_wheel_up(9)
            wait_until(
                lambda: _kept_draft(folder).anchor_number is not None, "a place on the disk"
            )
            process.kill()
        sea.is_slow = False
        draft = _kept_draft(folder)
        person = start(data)
        person.waits_until(lambda: "unfinished" in person.strips)
        offer = person.strips["unfinished"]
        assert "Son oturumun yarım kaldı. Sürdürmek ister misin?" in offer
        assert _QUESTION in offer
        assert "4 mesaj" in offer
        assert person.words == []
        assert person.parts.composer.text == ""

        person.presses("Sürdür")
        person.waits_until(lambda: len(person.words) == 4)
        assert person.words == [_QUESTION, _LONG, f"peki {_QUESTION}", _PART]
        assert person.messages[-1].message.state is MessageState.INTERRUPTED
        assert person.shown[-1].state is MessageState.INTERRUPTED
        person.waits_until(lambda: person.parts.composer.text == _DRAFT)
        assert "unfinished" not in person.strips
        number, offset = person.parts.transcript.anchor()
        assert number == draft.anchor_number
        assert abs(offset - draft.anchor_offset) < _A_LINE

        person.parts.transcript.go_to_end()
        card = person.points_at(person.messages[-1])
        assert "beklenmedik" in card.accessibleDescription()
        with person.until_answered():
            person.presses("Yeniden dene")
        assert [one.content for one in person.shown][:3] == person.words[:3]
        assert len(person.words) == 4


def test_a_second_start_raises_the_first_window_and_commands_only_read(
    connected: Paths, start: Callable[[Paths], Person]
) -> None:
    person = start(connected)
    person.says("Gelgit neden olur?")
    display = os.environ["DISPLAY"]
    profile = connected.profile(DEFAULT_PROFILE)
    lock = ProfileLock(profile.lock)
    lock.acquire()
    try:
        window = person.program.window
        window.hide()
        with ThreadPoolExecutor(1) as pool:
            second = pool.submit(run_command, connected.data, display)
            person.waits_until(second.done)
        assert second.result().returncode == 0
        assert window.isVisible()

        writing = run_command(connected.data, display, "ask", "Başka bir soru?")
        assert writing.returncode == 1
        assert "Bu profil şu an açık bir Bellek penceresinde" in writing.stderr
        assert str(os.getpid()) in writing.stderr
        reading = run_command(connected.data, display, "sessions", "list", "--json")
        assert reading.returncode == 0, reading.stderr
        assert json.loads(reading.stdout)["messages"] == 2
        assert len(person.shown) == 2
    finally:
        lock.release()


def test_a_message_box_explains_why_no_window_can_open(display: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.write_text("a file where the folder should be")
    with WindowProcess(folder, display) as process:
        process.wait_for_window()
        process.press("Return")
        wait_until(lambda: process.exit_code is not None, "the end of the program")
        assert process.exit_code == 1
        assert str(folder) in process.complaints


def test_a_terminated_window_closes_in_two_seconds_and_keeps_the_arrived_text(
    tmp_path: Path, display: str
) -> None:
    folder, sea = tmp_path / "data", Sea()
    with ScriptedServer(default=sea) as server:
        connect(Paths.under(folder), server.url)
        with WindowProcess(folder, display) as process:
            _ask_twice(folder, process, sea)
            assert process.terminate() < 2
            assert process.exit_code == 0
            assert process.complaints == ""
    archive = _archive(folder)
    (session,) = archive.sessions.sessions(EVERYTHING)
    assert (session.status, session.end_reason) == (SessionStatus.COMPLETE, EndReason.CLOSED)
    answer = archive.sessions.messages(session.id)[-1]
    assert (answer.state, answer.content) == (MessageState.STOPPED, _PART)
    archive.close()
