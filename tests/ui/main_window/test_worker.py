"""What a window asks for again and again is shown as it was asked for last."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

from PySide6.QtWidgets import QApplication

from desktop.ui.services import WindowServices
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.worker import Worker
from tests.ui.main_window.stage import Stage


def test_an_answer_that_was_asked_for_earlier_is_not_told_after_a_later_one(
    stage: Stage, qapp: QApplication
) -> None:
    go, told = Event(), list[str]()

    def slowly(_: WindowServices) -> str:
        go.wait()
        return "earlier"

    with ThreadPoolExecutor(2) as pool:
        worker = Worker(TurnBridge(pool))
        worker.attach(stage.services)
        worker.do_latest("list", slowly, told.append)
        worker.do_latest("another", lambda _: "other", told.append)
        stage.until(lambda: told == ["other"])
        worker.do_latest("list", lambda _: "later", told.append)
        stage.until(lambda: "later" in told)
        go.set()
    qapp.processEvents()
    assert told == ["other", "later"]
