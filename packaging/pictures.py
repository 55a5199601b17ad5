"""Takes the pictures of the README: the real window on the example library, by language and theme.

Run as `PYTHONPATH=. python packaging/pictures.py [FOLDER]` on a display (Xvfb will do) with the
font Inter.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QEventLoop, QObject, QTimer, SignalInstance
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from desktop.app.process import make_application
from desktop.app.run import run
from desktop.app.window import Program
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.settings.paths import DEFAULT_PROFILE, Paths, asset
from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.settings.store import SettingsStore
from desktop.ui.services import NavigationTarget

_SIZE = (1280, 820)
_SESSIONS = {
    Language.TR: (SessionId("example-dawn-somogyi"), 5),
    Language.EN: (SessionId("example-rebound-hyperglycaemia"), 5),
}
"""Which session is shown, and from which message on."""
_SEARCHED = "somogyi"
_SETTLE_MS = 1_200
"""The window has nothing left to do by then; a picture waits for no signal of its own."""
_PATIENCE_MS = 30_000
_ONE_PICTURE = 3


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures"
    folder.mkdir(exist_ok=True)
    if len(sys.argv) > _ONE_PICTURE:
        _picture(folder, Language(sys.argv[2]), Theme(sys.argv[3]))
        return 0
    for language in Language:
        for theme in (Theme.LIGHT, Theme.DARK):
            # A window of its own process each: catalogs and styles belong to the application.
            command = [sys.executable, __file__, str(folder), language.value, theme.value]
            subprocess.run(command, check=True)
    return 0


def _picture(folder: Path, language: Language, theme: Theme) -> None:
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "BELLEK_")):
            del os.environ[name]
    app = make_application()
    app.setFont(QFont("Inter", 10))
    with TemporaryDirectory() as data:
        _take(app, Paths.under(Path(data)), language, theme, folder)


def _take(app: QApplication, paths: Paths, language: Language, theme: Theme, folder: Path) -> None:
    choice = UiLanguage(language.value)
    SettingsStore(paths).save(Settings(language=choice, theme=theme, welcomed=True))
    library = asset("resources", "examples", "library.jsonl")
    run(["--data-dir", str(paths.data), "import", str(library)])
    program = Program(app, paths, paths.profile(DEFAULT_PROFILE), language)
    window = program.window
    _until(window.archive.loaded, program.show)
    window.resize(*_SIZE)
    session, number = _SESSIONS[language]
    _until(window.sessions.session_opened, lambda: window.sessions.open(NavigationTarget(session)))
    _until(window.sessions.active_changed, lambda: window.sessions.resume(session))
    window.parts.sidebar.search.setText(_SEARCHED)
    window.parts.transcript.restore_anchor(number, 0)
    _settle(window)
    window.grab().save(str(folder / f"main-{language.value}-{theme.value}.png"))
    _until(program.finished, window.close)


def _until(signal: SignalInstance, act: Callable[[], object]) -> None:
    loop = QEventLoop()
    signal.connect(lambda *_: loop.quit())
    QTimer.singleShot(0, act)
    QTimer.singleShot(_PATIENCE_MS, loop.quit)
    loop.exec()


def _settle(context: QObject) -> None:
    loop = QEventLoop()
    QTimer.singleShot(_SETTLE_MS, context, loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main())
