"""The user's leave for what a model wants to do: asked for, and given or not, within a turn."""

from threading import Condition, Event

_LOOK_EVERY_S = 0.1


class Permissions:
    """One thread asks and waits; any other answers."""

    def __init__(self, cancelled: Event) -> None:
        self._cancelled = cancelled
        self._given: dict[str, bool] = {}
        self._answered = Condition()

    def answer(self, call_id: str, *, is_allowed: bool) -> None:
        with self._answered:
            self._given[call_id] = is_allowed
            self._answered.notify_all()

    def ask(self, call_id: str) -> bool:
        """Waits for the answer; a turn that is stopped meanwhile has none, and that is no."""
        with self._answered:
            while call_id not in self._given and not self._cancelled.is_set():
                self._answered.wait(_LOOK_EVERY_S)
            return self._given.get(call_id, False)
