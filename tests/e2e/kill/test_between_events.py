"""Every event of a turn is a safe moment to die: the stored text is in a visible session."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pytest

from desktop.domain.events import MessageAdded, SessionEnded, TurnEvent
from desktop.domain.messages import Role
from desktop.domain.sessions import EndReason
from desktop.sessions.conversation.turn import Turn
from desktop.sessions.services import Services
from tests.e2e.kill.next_start import ask, connect, started
from tests.e2e.kill.outcome_checks import Kept, read
from tests.e2e.kill.slow_server import Play
from tests.studies import ANOTHER_SUBJECT

_QUESTIONS = (
    """Gelgit neden olur? Ay denizleri nasıl çeker, kıyılarda su niçin günde iki kez yükselip
    alçalır, körfezlerde dalga boyu neden açık okyanustan büyüktür, bunu ilk kim keşfetti?""",
    """Peki Güneş hizaya gelince kabaran sular ne kadar artar, dolunay ile yeniay arasında
    balıkçılar hangi akıntıları bekler, limanlar takvimlerini nasıl hesaplar?""",
)
_LAST_WORDS: Mapping[str, tuple[str, EndReason | None]] = MappingProxyType(
    {
        "goes on": ("Peki gelgitin üçüncü nedeni nedir?", None),
        "says thanks": ("teşekkürler", EndReason.THANKS),
        "announces a new topic": (f"Yeni konu: {ANOTHER_SUBJECT}", EndReason.NEW_TOPIC),
        "changes the subject": (ANOTHER_SUBJECT, EndReason.SUBJECT_CHANGE),
    }
)


@pytest.mark.parametrize("what", _LAST_WORDS)
def test_a_death_at_any_event_keeps_its_words(what: str, tmp_path: Path) -> None:
    last_words, why = _LAST_WORDS[what]
    with _life(tmp_path) as core:
        for question in _QUESTIONS:
            ask(core, question)
        after = _die_at_every_event(core.assistant.ask(last_words), tmp_path, set(_QUESTIONS))
    assert next(iter(after.statuses.values()))[1] == why


def test_a_session_that_grew_too_long_hands_its_last_question_over_without_dropping_it(
    tmp_path: Path,
) -> None:
    long = f"Gelgit neden olur? {'Uzun uzun anlat. ' * 500}"
    with _life(tmp_path, ends_at_tokens=2000) as core:
        ask(core, long)
        after = _die_at_every_event(core.assistant.ask(_QUESTIONS[1]), tmp_path, {long})
    said = [(row.number, row.content) for row in after.rows if row.role == "user"]
    assert said == [(1, long), (1, _QUESTIONS[1])]


def test_a_split_taken_back_has_the_message_in_one_session_or_the_other_at_all_times(
    tmp_path: Path,
) -> None:
    with _life(tmp_path) as core:
        for question in _QUESTIONS:
            ask(core, question)
        events: list[TurnEvent] = []
        core.assistant.ask(ANOTHER_SUBJECT).run(events.append)
        assert any(isinstance(event, SessionEnded) for event in events)
        assert core.assistant.active is not None
        turn = core.assistant.undo_split(core.assistant.active.id)
        assert turn is not None
        after = _die_at_every_event(turn, tmp_path, {*_QUESTIONS, ANOTHER_SUBJECT})
    assert len(after.statuses) == 1
    assert [row.content for row in after.rows if row.role == "user"] == [
        *_QUESTIONS,
        ANOTHER_SUBJECT,
    ]


def _die_at_every_event(turn: Turn, tmp_path: Path, told: set[str]) -> Kept:
    """Returns what is kept at the end."""
    kept = [read(_death(tmp_path, 0))]

    def die(event: TurnEvent) -> None:
        told.update(_told_by(event))
        kept.append(read(_death(tmp_path, len(kept))))
        there = {row.content for row in kept[-1].rows}
        assert not kept[-1].problems, f"at {event}: {kept[-1].problems}"
        assert told <= there, f"at {event}: {told - there}"

    turn.run(die)
    return kept[-1]


def _told_by(event: TurnEvent) -> set[str]:
    match event:
        case MessageAdded(message=message, is_saved=True) if message.role is Role.USER:
            return {message.content}
        case _:
            return set()


@contextmanager
def _life(tmp_path: Path, *, ends_at_tokens: int | None = None) -> Iterator[Services]:
    with Play() as play:
        connect(tmp_path / "life", play.url, ends_at_tokens=ends_at_tokens)
        with started(tmp_path / "life") as core:
            yield core


def _death(tmp_path: Path, number: int) -> Path:
    """Return a copy of the folder as a crash at this instant would leave it."""
    return shutil.copytree(tmp_path / "life", tmp_path / f"death-{number}")
