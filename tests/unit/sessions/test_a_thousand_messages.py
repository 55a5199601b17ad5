"""A session of a thousand messages continues without losing a fact or paying for its whole past.

With a large context against a server, so that bytes are counted as they were received; with a
small one, and fewer messages, against a model in memory.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

import pytest

from desktop.domain.events import ContextAssembled, ContextReduced
from desktop.domain.language import Language
from desktop.domain.messages import Compact, Role
from desktop.domain.model import ModelRequest, RequestMessage
from desktop.domain.usage import Omission, PartKind, Purpose
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step
from tests.long_session import BriefSummariser, planted, said
from tests.models import ScriptedModel, served_model
from tests.studies import Study

MESSAGES, FEWER = 1000, 400
A_TOKEN = 4
CACHED = 0.1
LARGE, SMALL = 200_000, 8_192
FORGETS, GARBLES = frozenset({3, 6, 7}), frozenset({10})
"""Which summaries go wrong, counted from 1: forgotten once, forgotten twice, not readable."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request in bytes: its cacheable part, and the changing block at its end."""

    stable: bytes
    changing: bytes

    @property
    def tokens(self) -> float:
        return (len(self.stable) + len(self.changing)) / A_TOKEN


@dataclass
class Life:
    """What happened over a whole session."""

    study: Study
    summariser: BriefSummariser
    sent: list[Sent] = field(default_factory=list)
    compacts: list[list[Compact]] = field(default_factory=list)
    """Those that stood at each request."""
    reduced: list[ContextReduced] = field(default_factory=list)
    reports: list[ContextAssembled] = field(default_factory=list)

    def live(self, messages: int) -> None:
        study = self.study
        study.set(detects_subject_change=False, detects_thanks=False, uses_past_sessions=False)
        for n in range(1, messages, 2):
            study.ask(said(n, study.language))
            self.compacts.append(self.standing)
            self.reduced += study.happened(ContextReduced)
            self.reports.append(study.happened(ContextAssembled)[0])
            if n % 10 == 9:  # as the program does if little time is left between two questions
                study.describe()
            study.clock.pass_by(minutes=1)

    @property
    def standing(self) -> list[Compact]:
        return self.study.archive.compacts.compacts(self.study.active.id)

    @property
    def left(self) -> Sequence[str]:
        """The messages that no compact replaces."""
        return self.study.said[self.standing[-1].to_number :]


@contextmanager
def with_much_room(language: Language, folder: Path) -> Iterator[Life]:
    summariser = BriefSummariser(language, FORGETS, GARBLES)
    sent: list[Sent] = []

    def answer(request: Request) -> Step:
        if "output_config" in request.json:
            read = RequestMessage(Role.USER, request.messages[0]["content"][0]["text"])
            note = request.messages[0]["content"][-1]["text"]
            return SaysJson(summariser(ModelRequest(request.system, (read,), note)))
        sent.append(on_the_wire(request))
        return Says(chunks=[said(2 * len(sent), language)])

    can = ("structured_output", "count_tokens", "caching")
    with (
        ScriptedServer(default=answer) as server,
        served_model(server, *can, context_tokens=LARGE) as model,
    ):
        study = Study(folder, model, language=language)
        life = Life(study, summariser, sent)
        life.live(MESSAGES)
        yield life
        study.close()


@contextmanager
def with_little_room(language: Language, folder: Path) -> Iterator[Life]:
    summariser = BriefSummariser(language)
    model = ScriptedModel(*(said(n, language) for n in range(2, FEWER + 1, 2)), context=SMALL)
    model.compacts.extend(repeat(summariser, FEWER))
    study = Study(folder, model, language=language)
    life = Life(study, summariser)
    life.live(FEWER)
    life.sent = [in_memory(request) for request in model.requests]
    yield life
    study.close()


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Life]:
    with with_much_room(Language.TR, tmp_path_factory.mktemp("long")) as life:
        yield life


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Life]:
    with with_little_room(Language.EN, tmp_path_factory.mktemp("small")) as life:
        yield life


@pytest.fixture(params=["long", "small"])
def life(request: pytest.FixtureRequest) -> Life:
    found: Life = request.getfixturevalue(request.param)
    return found


def on_the_wire(request: Request) -> Sent:
    """Texts and roles in order, without the cache breakpoints."""
    texts = [block["text"] for block in request.json["system"]]
    for message in request.messages:
        texts += [message["role"], *(block["text"] for block in message["content"])]
    *stable, changing = texts
    return Sent("\0".join(stable).encode(), changing.encode())


def in_memory(request: ModelRequest) -> Sent:
    texts = [request.instructions, *(one.text for one in request.messages)]
    return Sent("\0".join(texts).encode(), (request.changing or "").encode())


def in_common(before: Sent, after: Sent) -> int:
    if after.stable.startswith(before.stable):
        return len(before.stable)
    pairs = zip(before.stable, after.stable, strict=False)
    shorter = min(len(before.stable), len(after.stable))
    return next((place for place, (one, other) in enumerate(pairs) if one != other), shorter)


def test_every_request_fits(life: Life) -> None:
    model = life.study.model
    assert model is not None
    assert len(life.sent) == len(life.study.said) // 2
    assert all(one.tokens < model.context_tokens() for one in life.sent)
    assert all(in_memory(one).tokens < model.context_tokens() for one in life.summariser.asked)
    assert all(one.report.tokens < (one.report.limit_tokens or LARGE) for one in life.reports)


def test_the_previous_request_is_the_start_of_the_next_one(long: Life) -> None:
    begun = whole = 0
    for place in range(1, len(long.sent)):
        if long.compacts[place] != long.compacts[place - 1]:
            continue
        before, after = long.sent[place - 1], long.sent[place]
        same = in_common(before, after)
        assert same == len(before.stable)
        if place >= 10:  # In a session of twenty messages, two new ones are a tenth.
            assert same >= 0.9 * len(after.stable)
        begun, whole = begun + same, whole + len(after.stable)
    assert begun >= 0.9 * whole


def test_it_costs_at_most_12_percent_of_sending_everything_each_time(long: Life) -> None:
    """Everything sent, including summaries; cached bytes count a tenth.

    Both languages come to 4 of 100 here.
    """
    paid = sum(in_memory(one).tokens for one in long.summariser.asked)
    everything, before = 0.0, Sent(b"", b"")
    lengths = [len(words.encode()) for words in long.study.said]
    instructions = long.sent[0].stable.split(b"\0")[0]
    for place, one in enumerate(long.sent):
        cached = in_common(before, one) / A_TOKEN
        paid += one.tokens - (1 - CACHED) * cached
        history = sum(lengths[: 2 * place + 1]) + len(instructions) + len(one.changing)
        everything += history / A_TOKEN
        before = one
    assert paid <= 0.12 * everything
    assert paid <= 0.05 * everything


def test_planted_details_are_in_the_compacts_or_in_the_remaining_messages(life: Life) -> None:
    reached = 0
    for compact in life.standing:
        assert compact.from_number == reached + 1
        reached = compact.to_number
        for number in range(compact.from_number, reached + 1):
            assert all(piece in compact.summary for piece in planted(number, life.study.language))
    for number in range(reached + 1, len(life.study.said) + 1):
        said_then = life.left[number - reached - 1]
        assert all(piece in said_then for piece in planted(number, life.study.language))


def test_one_request_is_made_for_a_compact_and_one_more_if_the_reply_does_not_validate(
    long: Life,
) -> None:
    """What is missing twice stays, and is requested again twenty messages later."""
    made = long.standing
    assert len(long.summariser.asked) == len(made) + len(FORGETS | GARBLES)
    assert {one.to_number - one.from_number + 1 for one in made} == {50}
    assert len(made) == (MESSAGES - 20) // 50
    with long.study.archive.database.reading() as db:
        purposes = db.exec_driver_sql("SELECT purpose FROM usage").scalars().all()
    assert purposes.count(Purpose.COMPACT) == len(long.summariser.asked)


def test_a_small_context_leaves_out_its_oldest_compacts_and_says_so(small: Life) -> None:
    assert any(event.left_out for event in small.reduced)
    last = small.reports[-1].report.part(PartKind.COMPACTS)
    assert (last.left_out > 0, last.reason) == (True, Omission.NO_ROOM)
    assert last.items + last.left_out == len(small.compacts[-1])
    starts = sum(
        in_common(before, after) < len(before.stable)
        for before, after in zip(small.sent, small.sent[1:], strict=False)
    )
    assert starts <= 2 * len(small.standing)
