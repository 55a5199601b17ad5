"""The line above an answer: who gave it."""

from datetime import UTC, datetime

from PySide6.QtCore import QLocale
from pytestqt.qtbot import QtBot

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageState, Role
from desktop.ui.transcript.card import Headline


def test_an_answer_that_no_model_gave_is_the_programs_own(qtbot: QtBot) -> None:
    """A fixed answer says nothing about whether a model is connected."""
    at = datetime(2026, 5, 3, tzinfo=UTC)
    state, words = MessageState.COMPLETE, "Tamam, aklımda tutacağım."
    own = Message(MessageId(2), SessionId("s"), 2, Role.ASSISTANT, words, state, at, model="")
    said = Headline(QLocale("en")).of(own, None)
    assert said.startswith("Bellek · ")
    assert "no model" not in said
