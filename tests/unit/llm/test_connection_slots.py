"""An endpoint gets a limited number of requests at once; the others wait in line."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from threading import Event, Thread

import pytest

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelChoice
from desktop.domain.errors import ConnectionLostError
from desktop.domain.model import REQUESTER
from desktop.llm.connection import RequestSlots
from tests.e2e.kill.waiting import wait_until

_WAIT_S = 20
HERE = Endpoint(EndpointId("here"), "Here", EndpointKind.CHAT, "http://127.0.0.1:1/v1")
CLOUD = Endpoint(EndpointId("cloud"), "Cloud", EndpointKind.ANTHROPIC)


@dataclass
class Asker:
    """A turn that asks on a thread of its own, and holds its slot until it is let go."""

    slots: RequestSlots
    endpoint: Endpoint
    name: str
    order: list[str]
    choice: ModelChoice | None = None
    waits: bool = True  # whether somebody waits for its answer
    cancelled: Event = field(default_factory=Event)
    in_line: Event = field(default_factory=Event)
    sent: Event = field(default_factory=Event)
    go: Event = field(default_factory=Event)
    error: ConnectionLostError | None = None

    def __post_init__(self) -> None:
        context = copy_context()
        if self.waits:
            context.run(REQUESTER.set, self)
        self.thread = Thread(target=context.run, args=(self._ask,))

    def begin(self) -> "Asker":
        self.thread.start()
        return self

    def end(self) -> None:
        self.go.set()
        self.thread.join(_WAIT_S)
        assert not self.thread.is_alive()

    def wait_in_line(self) -> None:
        self.in_line.set()

    def go_on(self) -> None:
        pass

    def make_room(self) -> None:
        pass

    def _ask(self) -> None:
        try:
            with self.slots.held(self.endpoint):
                self.order.append(self.name)
                self.sent.set()
                self.go.wait(_WAIT_S)
        except ConnectionLostError as exc:
            self.error = exc


@contextmanager
def _one_is_answered(slots: RequestSlots, order: list[str]) -> Iterator[Asker]:
    first = Asker(slots, HERE, "first", order).begin()
    assert first.sent.wait(_WAIT_S)
    yield first
    first.end()


def test_a_model_on_this_computer_gets_one_request_at_a_time() -> None:
    slots, order = RequestSlots(), list[str]()
    with _one_is_answered(slots, order) as first:
        second = Asker(slots, HERE, "second", order).begin()
        assert second.in_line.wait(_WAIT_S)
        assert not first.in_line.is_set()
        assert order == ["first"]
    assert second.sent.wait(_WAIT_S)
    second.end()


def test_a_server_elsewhere_gets_several_and_the_user_can_say_how_many() -> None:
    slots, order = RequestSlots(), list[str]()
    several = [Asker(slots, CLOUD, str(number), order).begin() for number in range(8)]
    for asker in several:
        assert asker.sent.wait(_WAIT_S)
        assert not asker.in_line.is_set()
    one_more = Asker(slots, CLOUD, "ninth", order).begin()
    assert one_more.in_line.wait(_WAIT_S)
    for asker in (*several, one_more):
        asker.end()
    here = replace(HERE, at_once=2)
    both = [Asker(slots, here, str(number), order).begin() for number in range(2)]
    for asker in both:
        assert asker.sent.wait(_WAIT_S)
    for asker in both:
        asker.end()


def test_an_answer_goes_before_work_that_nobody_waits_for() -> None:
    slots, order = RequestSlots(), list[str]()
    with _one_is_answered(slots, order):
        described = Asker(slots, HERE, "description", order, waits=False).begin()
        wait_until(lambda: len(slots._line) == 1, "the description in line")
        asked = Asker(slots, HERE, "question", order).begin()
        assert asked.in_line.wait(_WAIT_S)
    assert asked.sent.wait(_WAIT_S)
    asked.end()
    described.end()
    assert order == ["first", "question", "description"]


def test_an_answer_does_not_wait_for_work_in_the_background_that_hangs() -> None:
    slots, order = RequestSlots(), list[str]()
    hanging = Asker(slots, HERE, "summary", order, waits=False).begin()
    assert hanging.sent.wait(_WAIT_S)
    answer = Asker(slots, HERE, "answer", order).begin()
    assert answer.sent.wait(_WAIT_S)
    answer.end()
    hanging.end()


def test_a_turn_that_is_stopped_leaves_the_line() -> None:
    slots, order = RequestSlots(), list[str]()
    with _one_is_answered(slots, order):
        second = Asker(slots, HERE, "second", order).begin()
        assert second.in_line.wait(_WAIT_S)
        second.cancelled.set()
        second.thread.join(_WAIT_S)
        assert second.error is not None
        third = Asker(slots, HERE, "third", order).begin()
        assert third.in_line.wait(_WAIT_S)
    assert third.sent.wait(_WAIT_S)
    third.end()
    assert order == ["first", "third"]


def test_a_thread_that_holds_a_slot_does_not_wait_for_itself() -> None:
    slots = RequestSlots()
    with slots.held(HERE), slots.held(HERE):
        pass
    with pytest.raises(ZeroDivisionError), slots.held(HERE):
        _ = 1 / 0
    with slots.held(HERE):
        pass
