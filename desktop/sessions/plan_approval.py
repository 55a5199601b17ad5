"""The plan of a deep run, shown to the user and waited for within a turn."""

from threading import Condition, Event

from desktop.domain.research import Plan

_LOOK_EVERY_S = 0.1


class PlanAnswers:
    """One thread waits; any other answers."""

    def __init__(self, cancelled: Event) -> None:
        self._cancelled = cancelled
        self._given: list[Plan | None] = []
        self._answered = Condition()

    def answer(self, plan: Plan | None) -> None:
        with self._answered:
            self._given.append(plan)
            self._answered.notify_all()

    @property
    def was_given_up(self) -> bool:
        with self._answered:
            return bool(self._given) and self._given[-1] is None

    def wait(self, _proposed: Plan) -> Plan | None:
        """What the user made of it; None where it, or the turn, was given up."""
        with self._answered:
            while not self._given and not self._cancelled.is_set():
                self._answered.wait(_LOOK_EVERY_S)
            return self._given[-1] if self._given else None
