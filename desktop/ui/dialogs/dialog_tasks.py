"""Slow work that a dialog asks for; what comes back after the dialog is gone is dropped."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6.QtCore import QObject
from shiboken6 import isValid

from desktop.domain.errors import AppError
from desktop.ui.turn_bridge import TurnBridge, ignore

T = TypeVar("T")


def nothing() -> None: ...


class Errands:
    def __init__(self, bridge: TurnBridge, owner: QObject) -> None:
        self._bridge = bridge
        self._owner = owner

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None] = ignore,
        failed: Callable[[AppError], None] = ignore,
        settled: Callable[[], None] = nothing,
    ) -> None:
        self._bridge.run(
            work, self._while_here(done), self._while_here(failed), self._end(settled)
        )

    def run_each(
        self,
        work: Callable[[], Iterable[T]],
        done: Callable[[T], None],
        failed: Callable[[AppError], None] = ignore,
        settled: Callable[[], None] = nothing,
    ) -> None:
        self._bridge.run_each(
            work, self._while_here(done), self._while_here(failed), self._end(settled)
        )

    def _while_here(self, tell: Callable[[T], None]) -> Callable[[T], None]:
        def told(result: T) -> None:
            if isValid(self._owner):
                tell(result)

        return told

    def _end(self, settled: Callable[[], None]) -> Callable[[], None]:
        def told() -> None:
            if isValid(self._owner):
                settled()

        return told
