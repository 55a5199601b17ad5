"""Checks that this version of Qt does not crash this version of Python.

PySide6 6.12.0 kills Python 3.11, hence the pin in pyproject.toml. When this passes with a newer
release on 3.11, the pin can go.
"""

import os
import subprocess
import sys

SOAK = """
from PySide6.QtCore import QCoreApplication, QObject, Signal

class Source(QObject):
    happened = Signal(object)

app = QCoreApplication([])
source, seen = Source(), []
source.happened.connect(lambda value: seen.append(value) or seen.clear())
for number in range(200_000):
    assert source.happened.emit(number) is True
    assert source.setObjectName("soak") is None
print("survived")
"""


def test_two_hundred_thousand_emits_and_void_calls_leave_the_interpreter_alive() -> None:
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", SOAK],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "survived"), done.stderr[-2000:]
