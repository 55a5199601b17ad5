"""An empty window without anything of the program, which prints when it was painted.

`bellek bench startup` compares the start with it: what Python, Qt and the display need at least.
"""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow


class _BareWindow(QMainWindow):
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QTimer.singleShot(0, self, _announce)


def _announce() -> None:
    print('{"ready": "painted"}', flush=True)


def main() -> int:
    app = QApplication([])
    window = _BareWindow()
    window.show()
    return app.exec()


if __name__ == "__main__":
    main()
