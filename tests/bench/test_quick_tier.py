"""Quick lets nobody wait: its first words come hardly later than an answer without any lookup."""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import monotonic

import pytest

from desktop.domain.events import TextArrived
from desktop.domain.tiers import Tier
from tests.fakes import Says, ScriptedServer
from tests.researchers import ANSWER, Researcher
from tests.web import Web as LoopbackWeb

QUESTION = "What is the dawn phenomenon of the morning?"
_DOCUMENTS, _PAGES, _TIMES = 60, 10, 7
_MOST_S = 0.15


@pytest.fixture
def someone(tmp_path: Path) -> Iterator[Researcher]:
    with ScriptedServer() as server, LoopbackWeb() as web:
        someone = Researcher(tmp_path, server, web)
        someone.brain.does[ANSWER] = lambda _: Says("So it is.")
        for n in range(_DOCUMENTS):
            told = (f"Fact {n}.{k} of the dawn phenomenon. {'Word ' * 60}" for k in range(_PAGES))
            someone.shelve(f"Book {n}", *told)
        yield someone
        someone.close()


def first_word_s(someone: Researcher, tier: Tier | None) -> float:
    began, came = monotonic(), 0.0
    for event in someone.study.assistant.ask(QUESTION, tier=tier).events():
        if isinstance(event, TextArrived) and not came:
            came = monotonic() - began
    return came


def test_the_first_words_come_within_150_ms_of_the_endpoint(someone: Researcher) -> None:
    first_word_s(someone, Tier.QUICK)  # what is imported and counted once
    plain = median(first_word_s(someone, None) for _ in range(_TIMES))
    quick = median(first_word_s(someone, Tier.QUICK) for _ in range(_TIMES))
    assert quick - plain < _MOST_S
