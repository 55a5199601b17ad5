"""Quick lets nobody wait: its first words come hardly later than an answer without any lookup."""

import json
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from statistics import median
from time import monotonic

import pytest

from desktop.domain.events import TextArrived, TurnEvent
from desktop.domain.tiers import Tier
from desktop.settings.paths import asset
from tests.fakes import Says, ScriptedServer
from tests.researchers import ANSWER, Researcher
from tests.web import Web as LoopbackWeb

_SUBJECTS_TOLD = """
aurora basalt cuneiform dromedary eclipse fjord glacier hieroglyph
jacaranda kelp lagoon monsoon nebula obsidian papyrus quartz
"""
_SUBJECTS = _SUBJECTS_TOLD.split()
"""A question each: passages that were read for one are known to the next."""
_DOCUMENTS, _PAGES, _LETTERS = 60, 10, 1500
_MOST_TIMES = 2.3
"""What passages that were never read may cost a question beside such as were read before."""


@pytest.fixture
def someone(tmp_path: Path) -> Iterator[Researcher]:
    with ScriptedServer() as server, LoopbackWeb() as web:
        someone = Researcher(tmp_path, server, web)
        someone.brain.does[ANSWER] = lambda _: Says("So it is.")
        told = _told()
        subjects = cycle(_SUBJECTS)
        for n in range(_DOCUMENTS):
            pages = (f"The {next(subjects)} is told of in {n}.{k}. " for k in range(_PAGES))
            someone.shelve(f"Book {n}", *(_page(one, told) for one in pages))
        yield someone
        someone.close()


def _told() -> Iterator[str]:
    """Sentence by sentence what people and a model said, again and again."""
    library = asset("resources", "examples", "library.jsonl").read_text("utf-8")
    sessions = map(json.loads, library.splitlines())
    said = (message["content"] for one in sessions for message in one["messages"])
    return cycle([f"{line.strip()}. " for one in said for line in one.split(". ")])


def _page(begins: str, told: Iterator[str]) -> str:
    page = begins
    while len(page) < _LETTERS:
        page += next(told)
    return page[:_LETTERS]


def first_word_s(someone: Researcher, subject: str, tier: Tier | None) -> float:
    came: list[float] = []

    def note(event: TurnEvent) -> None:
        if isinstance(event, TextArrived):
            came.append(monotonic())

    turn = someone.study.assistant.ask(f"What is the {subject} told of?", tier=tier)
    began = monotonic()
    turn.run(note)
    return came[0] - began


def added_s(someone: Researcher) -> float:
    """By which Quick's first words come later than those of a direct answer."""
    return median(
        first_word_s(someone, one, Tier.QUICK) - first_word_s(someone, one, None)
        for one in _SUBJECTS
    )


def test_passages_that_were_never_read_let_the_first_words_hardly_wait(
    someone: Researcher,
) -> None:
    first_word_s(someone, "moon", Tier.QUICK)  # what is imported and counted once
    assert added_s(someone) < _MOST_TIMES * added_s(someone)
