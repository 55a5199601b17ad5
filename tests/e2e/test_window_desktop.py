"""What other programs of the desktop receive: a screen reader, the tray, notifications."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event, Timer

import pytest

from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from tests.e2e.accessibility_tree import Accessible
from tests.e2e.conftest import connect
from tests.e2e.desktop_session import DesktopSession, desktop_session
from tests.e2e.kill.waiting import wait_until
from tests.e2e.window_process import WindowProcess, own_display
from tests.fakes import Fails, Says, ScriptedServer, Waits

_PLACES = {
    "Kitaplık": "ctrl+shift+l",
    "Hatırlananlar": "ctrl+shift+m",
    "Günlük": "ctrl+shift+d",
    "Genel bakış": "ctrl+shift+g",
    "Oturumu dışa aktar": "ctrl+shift+s",
    "Ayarlar": "ctrl+F1",
}
_LONG_S = 8.5
"""More than what makes an answer long."""
_REGISTRY = Path("/usr/share/dbus-1/services/org.a11y.Bus.service")
pytestmark = pytest.mark.skipif(
    not (_REGISTRY.exists() and shutil.which("dbus-daemon")), reason="there is no at-spi2 here"
)


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[DesktopSession]:
    with desktop_session() as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        yield running


@pytest.fixture
def window(
    tmp_path: Path, session: DesktopSession, server: ScriptedServer
) -> Iterator[WindowProcess]:
    folder = tmp_path / "data"
    connect(Paths.under(folder), server.url)
    store = SettingsStore(Paths.under(folder))
    # Else the description of a session that was left may take the answer to the next question.
    settings = replace(store.load(), describes_with_model=False)
    store.save(replace(settings, has_tray=True, closes_to_tray=True))
    with own_display() as display, WindowProcess(folder, display) as running:
        running.wait_for_window()
        yield running


def test_a_screen_reader_announces_the_outcome_of_a_question(
    window: WindowProcess, session: DesktopSession, server: ScriptedServer
) -> None:
    def hears(*words: str) -> None:
        """Wait for these texts in order, after the earlier ones."""

        def is_heard() -> bool:
            told = iter(session.heard("announced")[len(before) :])
            return all(any(one in said for said in told) for one in words)

        wait_until(is_heard, f"{words}, not {session.heard('announced')}", deadline_s=20)

    before: list[str] = []
    window.type("gelgit nedir")
    window.press("Return")
    hears("Soru gönderildi", "Yanıt geliyor", "Yanıt tamamlandı")
    before = session.heard("announced")
    server.then(Fails(400, message="too hot"))
    window.type("neden olur")
    window.press("Return")
    hears("Soru gönderildi", "too hot")
    before = session.heard("announced")
    window.press("ctrl+e")
    hears("bitti")


def test_a_click_on_the_notification_of_a_long_answer_leads_to_it(
    window: WindowProcess, session: DesktopSession, server: ScriptedServer
) -> None:
    def is_shown(text: str) -> bool:
        return text in [one.text for one in session.shown()]

    enough = Waits(Event())
    server.then(Says("Irmaklar tuz taşır."), Says(chunks=["Ay ", enough, "çeker."]))
    window.type("deniz neden tuzlu")
    window.press("Return")
    wait_until(lambda: "Yanıt tamamlandı" in session.heard("announced"), "the first answer")
    before = len(session.heard("announced"))
    window.press("ctrl+n")
    window.type("gelgit nedir")
    window.press("Return")
    wait_until(lambda: "Yanıt geliyor" in session.heard("announced")[before:], "the second")
    window.press("ctrl+Page_Down")
    wait_until(lambda: is_shown("Irmaklar tuz taşır."), "the session before")
    window.lose_focus()
    Timer(_LONG_S, enough.until.set).start()
    wait_until(lambda: session.heard("notified") == ["Yanıt hazır."], "a notification")
    wait_until(lambda: is_shown("Ay çeker."), "the answer")
    assert session.heard("tray")


def test_a_screen_reader_finds_what_the_window_has_and_a_name_of_each_control(
    window: WindowProcess, session: DesktopSession, server: ScriptedServer
) -> None:
    def finds(role: str, name: str, text: str = "") -> bool:
        found = [one for one in session.shown() if one.role == role and name in one.name]
        return any(text in one.text for one in found)

    enough = Waits(Event())
    server.then(Says(chunks=["Ay ", enough, "çeker."]), Fails(400, message="too hot"))
    window.type("gelgit nedir")
    assert finds("text", "Mesaj", "gelgit nedir")
    window.press("Return")
    wait_until(lambda: finds("push button", "Durdur"), "a button that stops")
    enough.until.set()
    wait_until(lambda: finds("label", "Yanıtın metni", "Ay çeker."), "the answer")
    for role, name, text in (
        ("frame", "gelgit nedir – Bellek", ""),
        ("list", "Oturumlar", ""),
        ("list item", "gelgit nedir", ""),
        ("filler", "Konuşma", ""),
        ("label", "Mesajının metni", "gelgit nedir"),
        ("push button", "Gönder", ""),
        ("status bar", "Programın durumu", ""),
    ):
        assert finds(role, name, text), name
    window.type("neden olur")
    window.press("Return")
    wait_until(lambda: finds("label", "too hot"), "the failure")
    assert _nameless(session) == []
    for name, key in _PLACES.items():
        window.press(key)
        wait_until(partial(_is_open, session, name), name)
        assert _nameless(session) == [], name
        window.press("Escape")
        wait_until(partial(_is_closed, session, name), f"the end of {name}")
        window.wait_for_window()


def _is_open(session: DesktopSession, name: str) -> bool:
    """Whether a page or a window of this name is shown."""
    return any(
        name in one.name and one.role in {"filler", "frame", "dialog", "file chooser"}
        for one in session.shown()
    )


def _is_closed(session: DesktopSession, name: str) -> bool:
    return not _is_open(session, name)


def _nameless(session: DesktopSession) -> list[Accessible]:
    return [one for one in session.shown() if one.is_focusable and not one.name.strip()]
