"""The program, which prints when its window takes keys and when it lists the sessions."""

import json

from desktop.app import run
from tests.bench.encrypted import unlock_silently


def main(folder: str) -> None:
    from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer  # noqa: PLC0415 - as the program imports it
    from PySide6.QtGui import QKeyEvent  # noqa: PLC0415 - QtTest would take a tenth of the start

    from desktop.app import window  # noqa: PLC0415

    class AnnouncedProgram(window.Program):
        def show(self) -> None:
            self.window.parts.composer.field.viewport().installEventFilter(self)
            self.window.archive.loaded.connect(lambda _: self._announce("listed"))
            super().show()

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                watched.removeEventFilter(self)
                QTimer.singleShot(0, self, self._type_a_key)
            return super().eventFilter(watched, event)

        def _type_a_key(self) -> None:
            composer = self.window.parts.composer
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                key = QKeyEvent(kind, Qt.Key.Key_B, Qt.KeyboardModifier.NoModifier, "b")
                QCoreApplication.sendEvent(composer.field, key)
            if composer.text:
                composer.clear()
                self._announce("painted")

        def _announce(self, ready: str) -> None:
            print(json.dumps({"ready": ready}), flush=True)

    unlock_silently()
    vars(window)["Program"] = AnnouncedProgram
    run.run(["--data-dir", folder])
